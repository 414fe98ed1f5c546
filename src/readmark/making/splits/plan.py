"""Splits: a test parted by article into train, dev and test, never by question.

As in "SMART: A Stratified Machine Reading Test": all questions on an article are in one split, and
proportions are measured in questions. Levels and types are spread as evenly as articles allow.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.labels import ABSENT, in_order
from readmark.core.numbers import listed_ids
from readmark.core.problems import ReportProblem
from readmark.core.progress import WatchCount
from readmark.core.splits import split_order, split_words
from readmark.core.test import Placed, Test
from readmark.making.splits.overlaps import (
    ARTICLE,
    ArticleGroup,
    Link,
    Stratum,
    article_of,
    articles_of,
    spread_in,
)
from readmark.text.shingles import THRESHOLD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CHALLENGE = "challenge"
"""The usual name of a challenge set's split."""
CHALLENGE_FIELD = "challenge_splits"
"""The field of a header that lists the splits that are challenge sets."""

MOST_STRATA = 200
MOST_TRIES, TRIED_GROUPS = 8, 8_000
"""How many orders are tried, the best of which is taken: fewer when there are many articles."""


@dataclass(frozen=True, slots=True)
class SplitSize:
    """What a split got, and what its proportion asks for."""

    articles: int
    passages: int
    questions: int
    wanted: float
    share: float


@dataclass(frozen=True, slots=True)
class KeptSplit:
    """A split that a test had already, and that stays as it is."""

    articles: int
    passages: int
    questions: int


@dataclass(frozen=True, slots=True)
class Splitting:
    """A test's passages by split, and how near that is to what was asked for."""

    seed: int | None
    like: str | None
    """The parallel test whose splits were taken over, where no seed decided."""
    proportions: Mapping[str, float]
    measured_in: str
    by: tuple[str, ...]
    questions: int
    articles: int
    joined: tuple[Link, ...]
    """Why articles that bear different names were kept together."""
    largest: tuple[str, int, int]
    """The largest group that is kept together: its first article, its questions, its articles."""
    splits: Mapping[str, SplitSize]
    strata: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Questions by field, value and split."""
    split_of: Mapping[str, str]
    """The split of every passage, by id."""
    chi_square: float
    """How far sizes and strata are from what was wanted; less is nearer."""
    kept: Mapping[str, KeptSplit] = field(default_factory=dict)
    """Splits that stayed as they were; they have no part in the proportions."""


def read_proportions(text: str) -> dict[str, float]:
    """``80/10/10`` or ``train=80,dev=10,test=10`` as shares that add up to 1.

    A single name, as in ``dev=100``, is that of the whole test.
    """
    if "=" in text:
        pairs = [one.partition("=") for one in text.split(",") if one.strip()]
        names = [name.strip() for name, _, _ in pairs]
        numbers = [number for _, _, number in pairs]
    else:
        numbers = text.split("/")
        names = {2: ["train", "test"], 3: ["train", "dev", "test"]}.get(len(numbers), [])
    try:
        values = [float(number) for number in numbers]
    except ValueError:
        values = []
    sound = len(values) == len(names) == len(set(names)) > 0 and all(names)
    if len(values) == 1 and values[0] not in (1, 100):
        sound = False  # more likely a name was forgotten than the whole test meant
    if not sound or not all(0 < value < float("inf") for value in values):
        raise UsageError(
            f"proportions {text!r}: expected two or three such as 80/10/10, "
            "or named ones such as train=80,dev=10,test=10 or dev=100"
        )
    return {name: value / sum(values) for name, value in zip(names, values, strict=True)}


def plan_splits(
    test: Test,
    proportions: Mapping[str, float],
    *,
    seed: int = 1,
    by: Sequence[str] | None = None,
    article: Sequence[str] = ARTICLE,
    alike: bool = True,
    threshold: float = THRESHOLD,
    keep: Collection[str] = (),
    progress: WatchCount | None = None,
) -> Splitting:
    """Which passage goes where: the same for the same test and seed, in whatever order it comes.

    Passages of one article stay together, and those that are ``alike``: of nearly the same text, or
    with a question and answer in common. Splits to ``keep`` stay as they are; what belongs together
    with one of their passages has no place in another split, and is refused.
    """
    by = spread_in(test) if by is None else by
    kept = {record.id: record.split for record in test.records() if record.split in keep}
    if len(proportions) == 1 and not kept:
        alike = False  # nothing can be parted
    groups, joined = articles_of(
        test, by=by, article=article, alike=alike, threshold=threshold, progress=progress
    )
    named = {name.partition("=")[0] for group in groups for name in group.articles}
    if not {*article} & {*ARTICLE} and not named & {*article}:
        # Else a slip of the pen would part every article into its passages.
        raise UsageError(f"no passage has {' or '.join(article) or 'a field'} to name its article")
    _require_apart(test, groups, kept)
    groups = [group for group in groups if group.passages.isdisjoint(kept)]
    asked = [group for group in groups if group.questions]
    unasked = [group for group in groups if not group.questions]
    if len(asked or groups) < len(proportions):
        raise DataError(
            f"{counted(len(asked or groups), 'article')} (what is kept together is one) cannot "
            f"fill {counted(len(proportions), 'split')}",
            file=test.file,
        )
    strata = strata_of(groups)
    if len(strata) > MOST_STRATA:
        raise UsageError(
            f"--by {','.join(by)} gives {len(strata)} strata, expected at most {MOST_STRATA}"
        )
    split_of = _allot(asked, strata, proportions, seed)
    # Passages without questions have no say in the proportions; they are spread by themselves.
    split_of |= _allot(unasked, [], proportions, seed)
    noun = test.kind.unit_noun
    done = summed(groups, split_of, proportions, by=by, seed=seed, joined=joined, noun=noun)
    return replace(done, split_of={**split_of, **kept}, kept=_kept_sizes(test, keep, article))


def _require_apart(test: Test, groups: Sequence[ArticleGroup], kept: Mapping[str, str]) -> None:
    """Refuse passages that belong together with those of a split that is kept."""
    mixed = [group.passages for group in groups if not group.passages.isdisjoint(kept)]
    outside = sorted({passage for passages in mixed for passage in passages} - {*kept})
    if outside:
        raise DataError(
            f"passages that share an article, a text or a question with "
            f"{split_words({*kept.values()})}, which stays as it is, so that they fit no other "
            f"split: {listed_ids(outside)}; leave them out (`readmark set filter --drop @FILE`)",
            file=test.file,
        )


def _kept_sizes(test: Test, keep: Collection[str], article: Sequence[str]) -> dict[str, KeptSplit]:
    passages: dict[str, set[str]] = {}
    articles: dict[str, set[tuple[str, str]]] = {}
    questions: Counter[str] = Counter()
    for record in test.records():
        if record.split in keep:
            passages.setdefault(record.split, set()).add(record.id)
            articles.setdefault(record.split, set()).add(article_of(record, article))
            questions[record.split] += sum(1 for _ in test.kind.units(record))
    return {
        split: KeptSplit(len(articles[split]), len(passages[split]), questions[split])
        for split in sorted(passages, key=split_order)
    }


def challenge_splits(test: Test) -> set[str]:
    """The splits of a test that are challenge sets, by their usual name or by the header."""
    listed = test.header.fields.get(CHALLENGE_FIELD, ())
    names = {CHALLENGE, *(listed if isinstance(listed, (list, tuple)) else ())}
    return names.intersection(existing_splits(test))


def apply_splits(test: Test, done: Splitting, *, hidden: Sequence[str] = ()) -> Test:
    """The test with the split of every passage; nothing else of it changes but the header."""
    names = [*done.proportions, *done.kept]
    for name in hidden:
        if name not in names:
            known = did_you_mean(name, names)
            raise UsageError(f"--hidden {name!r} is none of the splits; {known}")

    def stream(report: ReportProblem) -> Iterator[Placed]:
        for place, record in test.stream(report):
            yield place, msgspec.structs.replace(record, split=done.split_of[record.id])

    # A test whose key was to stay hidden does not lose that because it is split anew.
    # A split that is kept stays hidden even when others are named.
    before = [name for name in test.header.hidden if name in (done.kept if hidden else names)]
    about = {
        "by": "article",
        **({"seed": done.seed} if done.like is None else {"like": done.like}),
        "proportions": dict(done.proportions),
        "measured_in": done.measured_in,
        "strata": list(done.by),
        **({"kept": list(done.kept)} if done.kept else {}),
    }
    header = msgspec.structs.replace(
        test.header,
        hidden=tuple(dict.fromkeys([*hidden, *before])),
        fields={**test.header.fields, "splitting": about},
    )
    return replace(test, header=header, stream=stream)


def existing_splits(test: Test) -> list[str]:
    """The splits that a test has already."""
    return sorted({record.split for record in test.records() if record.split is not None})


def _allot(
    groups: Sequence[ArticleGroup],
    strata: Sequence[Stratum],
    proportions: Mapping[str, float],
    seed: int,
) -> dict[str, str]:
    """The split of every group's passages."""
    rows = _rows(groups, strata)
    tries = max(1, min(MOST_TRIES, TRIED_GROUPS // max(1, len(groups))))
    orders = [
        sorted(range(len(groups)), key=lambda at: _lot(f"{seed}.{turn}", groups[at].name))
        for turn in range(tries)
    ]
    names = list(proportions)
    parts = best_allotted(rows, list(proportions.values()), orders)
    return {
        passage: names[part]
        for group, part in zip(groups, parts, strict=True)
        for passage in group.passages
    }


def _rows(groups: Sequence[ArticleGroup], strata: Sequence[Stratum]) -> list[list[int]]:
    """What is counted in each group: its questions, else its passages; then every stratum."""
    return [
        [group.questions or len(group.passages), *(group.strata[stratum] for stratum in strata)]
        for group in groups
    ]


def _chi_square(
    groups: Sequence[ArticleGroup],
    split_of: Mapping[str, str],
    proportions: Mapping[str, float],
    strata: Sequence[Stratum],
) -> float:
    asked = [group for group in groups if group.questions] or groups
    names = list(proportions)
    parts = [names.index(split_of[next(iter(group.passages))]) for group in asked]
    return distance(_rows(asked, strata), list(proportions.values()), parts)


def _lot(seed: str, name: str) -> bytes:
    """What decides when a group has its turn: its name and the seed, not its place."""
    return hashlib.sha256(f"{seed}\n{name}".encode(errors="surrogatepass")).digest()


def strata_of(groups: Sequence[ArticleGroup]) -> list[Stratum]:
    """The strata of some articles, without fields that no question has."""
    found = {one for group in groups for one in group.strata}
    told = {name for name, value in found if value != ABSENT}
    fitting = (one for one in found if one[0] in told)
    return sorted(fitting, key=lambda stratum: (stratum[0], in_order(stratum[1])))


def summed(
    groups: Sequence[ArticleGroup],
    split_of: Mapping[str, str],
    proportions: Mapping[str, float],
    *,
    by: Sequence[str],
    seed: int | None = None,
    like: str | None = None,
    joined: tuple[Link, ...] = (),
    noun: str = "question",
) -> Splitting:
    """What articles that were put into splits come to; ``noun`` is what a unit is."""
    strata = strata_of(groups)
    questions = sum(group.questions for group in groups)
    passages = sum(len(group.passages) for group in groups)
    sizes: dict[str, Any] = {name: Counter() for name in proportions}
    table: dict[str, dict[str, dict[str, int]]] = {}
    for name, value in strata:
        table.setdefault(name, {})[value] = dict.fromkeys(proportions, 0)
    for group in groups:
        split = split_of[next(iter(group.passages))]
        sizes[split].update(
            articles=len(group.articles), passages=len(group.passages), questions=group.questions
        )
        for name, value in strata:
            table[name][value][split] += group.strata[name, value]
    counted_by = "questions" if questions else "passages"
    whole = questions or passages
    largest = max(groups, key=lambda group: (group.questions, len(group.passages)))
    return Splitting(
        seed=seed,
        like=like,
        proportions=proportions,
        measured_in=f"{noun}s" if questions else "passages",
        by=tuple(by),
        questions=questions,
        articles=sum(len(group.articles) for group in groups),
        joined=joined,
        largest=(
            largest.name.partition("=")[2],
            largest.questions or len(largest.passages),
            len(largest.articles),
        ),
        chi_square=_chi_square(groups, split_of, proportions, strata),
        splits={
            name: SplitSize(
                size["articles"],
                size["passages"],
                size["questions"],
                wanted=proportions[name] * whole,
                share=size[counted_by] / whole,
            )
            for name, size in sizes.items()
        },
        strata=table,
        split_of=split_of,
    )


# The splits of one side of a parallel corpus, taken over for the other side.


def splits_like(
    test: Test,
    other: Test,
    *,
    by: Sequence[str] | None = None,
    article: Sequence[str] = ARTICLE,
    keep: Collection[str] = (),
) -> Splitting:
    """Every passage in the split of its parallel; what was wanted are the other side's shares.

    A passage of a split to ``keep`` must be in that split on the other side too.
    """
    by = spread_in(test) if by is None else by
    theirs: dict[str, str] = {}
    asked: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    for record in other.records():
        if record.split is None:
            raise DataError("has no split to take over", file=other.file, where=record.id)
        theirs[record.parallel or record.id] = record.split
        questions = getattr(record, "questions", ())
        asked |= {_shared(question): record.split for question in questions}
        sizes[record.split] += len(questions)
    if not sizes.total():
        sizes = Counter(theirs.values())
    split_of: dict[str, str] = {}
    for record in test.records():
        shared = record.parallel or record.id
        # Where passages have no ids of their own, their questions tell which is parallel.
        questions = getattr(record, "questions", ())
        told = [asked.get(_shared(question)) for question in questions]
        split = theirs.get(shared) or next(filter(None, told), None)
        if split is None:
            raise DataError(
                f"no passage of {other.file} has the parallel id {shared!r}, or its questions'",
                file=test.file,
                where=record.id,
            )
        if record.split in keep and record.split != split:
            raise DataError(
                f"is in {record.split}, in {other.file} in {split}", file=test.file, where=record.id
            )
        split_of[record.id] = split
    groups, _ = articles_of(test, by=by, article=article, alike=False)
    for group in groups:
        parts = sorted({split_of[passage] for passage in group.passages}, key=split_order)
        if len(parts) > 1:
            raise DataError(
                f"an article would be parted, as in {other.file}: {' and '.join(parts)}",
                file=test.file,
                where=group.name.partition("=")[2],
            )
    shares = {name: sizes[name] / sizes.total() for name in sorted(sizes, key=split_order)}
    like, noun = other.header.name or other.file, test.kind.unit_noun
    return summed(groups, split_of, shares, by=by, like=like, noun=noun)


def _shared(question: Any) -> str:
    return str(getattr(question, "shared_id", question.id))


# Groups of different sizes allotted to a few parts, so that each part gets its share of all.


PARTNERS = 512
"""Groups that a group is offered to change places with, in one round."""
ROUNDS = 12
GAIN = 0.01
"""A round that lowers the chi-square by a smaller share than this is the last."""
SIZES = 10.0
"""Proportions come first: so much more than a field's strata do the sizes weigh."""
_DIGITS = 9  # sums may differ in their last bits from machine to machine; choices must not


def chi_square(counts: NDArray[np.float64], wanted: NDArray[np.float64]) -> float:
    """How far counts are from what was wanted, one row per part: the sizes first, then strata."""
    import numpy as np

    off = np.zeros_like(wanted)
    np.divide((counts - wanted) ** 2, wanted, out=off, where=wanted > 0)
    off[:, 0] *= SIZES
    return float(np.round(off.sum(), _DIGITS))


def best_allotted(
    counts: Sequence[Sequence[int]], shares: Sequence[float], orders: Sequence[Sequence[int]]
) -> list[int]:
    """The best of what several orders come to; of equal ones the first."""
    tried = [allotted(counts, shares, order) for order in orders]
    return min(tried, key=lambda parts: distance(counts, shares, parts))


def distance(
    counts: Sequence[Sequence[int]], shares: Sequence[float], parts: Sequence[int]
) -> float:
    """The chi-square of groups that are in parts."""
    import numpy as np

    if not counts:
        return 0.0
    groups = np.asarray(counts, dtype=np.float64)
    groups = groups[:, groups.sum(axis=0) > 0]
    wanted = np.outer(np.asarray(shares) / sum(shares), groups.sum(axis=0))
    got = np.zeros_like(wanted)
    np.add.at(got, np.asarray(parts), groups)
    return chi_square(got, wanted)


def allotted(
    counts: Sequence[Sequence[int]], shares: Sequence[float], order: Sequence[int]
) -> list[int]:
    """The part of every group. ``counts`` has one row per group, its size first, then its strata.

    Groups come in ``order``, each to the part that lacks most; then single groups move and pairs
    change places as long as the chi-square falls. No part gets more than its share and the largest
    group, and none stays empty when there are groups enough. Sizes must be positive.
    """
    import numpy as np

    if not counts:
        return []
    groups = np.asarray(counts, dtype=np.float64)
    groups = groups[:, groups.sum(axis=0) > 0]
    part_shares = np.asarray(shares, dtype=np.float64) / sum(shares)
    wanted = np.outer(part_shares, groups.sum(axis=0))
    state = _State(groups, wanted)
    for one in order:
        state.put(one, int(np.argmax(np.round(wanted[:, 0] - state.got[:, 0], _DIGITS))))
    state.fill_empty(order)
    before = chi_square(state.got, wanted)
    for turn in range(ROUNDS):
        state.improve(order, turn)
        after = chi_square(state.got, wanted)
        gained, before = before - after, after
        if gained <= GAIN * (gained + after):
            break
    return [int(part) for part in state.part]


class _State:
    """Which group is in which part, and what the parts have got."""

    def __init__(self, groups: NDArray[np.float64], wanted: NDArray[np.float64]) -> None:
        import numpy as np

        self.groups = groups
        self.wanted = wanted
        self.got = np.zeros_like(wanted)
        self._weights = 1 / wanted
        self._weights[:, 0] *= SIZES
        self.part = np.full(len(groups), -1, dtype=np.int64)
        self.members = np.zeros(len(wanted), dtype=np.int64)
        self._most = wanted[:, 0] + groups[:, 0].max()
        # The null group at the end: to change places with it is to move.
        self._offered = np.vstack([groups, np.zeros(groups.shape[1])])

    def put(self, one: int, part: int) -> None:
        """A group into a part, out of the one where it is."""
        if self.part[one] >= 0:
            self.got[self.part[one]] -= self.groups[one]
            self.members[self.part[one]] -= 1
        self.part[one] = part
        self.got[part] += self.groups[one]
        self.members[part] += 1

    def fill_empty(self, order: Sequence[int]) -> None:
        """A part that got nothing takes the smallest group of the part with the most groups."""
        for part in range(len(self.wanted)):
            giver = int(self.members.argmax())
            if self.members[part] == 0 and self.members[giver] > 1:
                theirs = [one for one in order if self.part[one] == giver]
                self.put(min(theirs, key=lambda their: self.groups[their, 0]), part)

    def improve(self, order: Sequence[int], turn: int) -> None:
        """One round: each group in turn takes the move or exchange that helps most, if any does."""
        import numpy as np

        around = np.asarray(order, dtype=np.int64)
        null = len(self.groups)
        parts = np.arange(len(self.wanted))
        reach = min(PARTNERS, len(around) - 1)
        for index, one in enumerate(order):
            window = index + 1 + turn * PARTNERS + np.arange(reach)
            partners = around[window % len(around)]
            others = np.concatenate([partners, np.full(len(parts), null)])
            theirs = np.concatenate([self.part[partners], parts])
            best = self._best(one, others, theirs)
            if best is not None:
                mine = int(self.part[one])
                self.put(one, int(theirs[best]))
                if others[best] != null:
                    self.put(int(others[best]), mine)

    def _best(self, one: int, others: NDArray[np.int64], theirs: NDArray[np.int64]) -> int | None:
        import numpy as np

        mine = int(self.part[one])
        change = self._offered[others] - self.groups[one]  # of my part; of theirs the opposite
        off = self.got - self.wanted
        here = np.sum((change**2 + 2 * change * off[mine]) * self._weights[mine], axis=1)
        there = np.sum((change**2 - 2 * change * off[theirs]) * self._weights[theirs], axis=1)
        gains = np.round(here + there, _DIGITS)
        allowed = theirs != mine
        allowed &= self.got[mine, 0] + change[:, 0] <= self._most[mine]
        allowed &= self.got[theirs, 0] - change[:, 0] <= self._most[theirs]
        if self.members[mine] == 1:
            allowed &= others != len(self.groups)
        gains[~allowed] = 0.0
        best = int(gains.argmin())
        return best if gains[best] < 0 else None
