"""The plan of splits: a test parted by article into train, dev and test, never by question.

As in "SMART: A Stratified Machine Reading Test": all questions on an article are in one split, and
proportions are measured in questions. Levels and types are spread as evenly as articles allow.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.numbers import listed_ids
from readmark.core.problems import ReportProblem
from readmark.core.progress import WatchCount
from readmark.core.splits import split_order, split_words
from readmark.core.test import Placed, Test
from readmark.making.splits.allotment import best_allotted, distance
from readmark.making.splits.articles import (
    ArticleGroup,
    Stratum,
    articles_of,
    spread_in,
    strata_of,
)
from readmark.making.splits.overlaps import ARTICLE, Link, article_of
from readmark.text.shingles import THRESHOLD

CHALLENGE = "challenge"
"""The usual name of a challenge set's split."""
CHALLENGE_FIELD = "challenge_splits"
"""The field of a header that lists the splits that are challenge sets."""

MOST_STRATA = 200
"""More strata than this are an id or a free text, not a field that could be balanced."""
MOST_TRIES = 8
"""Orders in which articles are dealt to the splits; the best of them is taken."""
TRIED_GROUPS = 8_000
"""Articles dealt in all tries together: of many articles one order spreads strata as well."""


@dataclass(frozen=True, slots=True)
class SplitSize:
    """How much is in a split, and how much its proportion asks for."""

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
    """The split of every passage of a test, and how near the sizes are to the proportions."""

    seed: int | None
    like: str | None
    """The parallel test whose splits were copied, if no seed decided."""
    proportions: Mapping[str, float]
    measured_in: str
    by: tuple[str, ...]
    questions: int
    articles: int
    joined: tuple[Link, ...]
    """Why articles with different names were kept together."""
    largest: tuple[str, int, int]
    """The largest group that is kept together: its first article, its questions, its articles."""
    splits: Mapping[str, SplitSize]
    strata: Mapping[str, Mapping[str, Mapping[str, int]]]
    """Questions by field, value and split."""
    split_of: Mapping[str, str]
    """The split of every passage, by id."""
    chi_square: float
    """How far sizes and strata are from the proportions; less is nearer."""
    kept: Mapping[str, KeptSplit] = field(default_factory=dict)
    """Splits that stayed as they were; they have no part in the proportions."""


def read_proportions(text: str) -> dict[str, float]:
    """``80/10/10`` or ``train=80,dev=10,test=10`` as shares that add up to 1.

    A single name, as in ``dev=100``, is that of the whole test.
    """
    if "=" in text:
        pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
        names = [name.strip() for name, _, _ in pairs]
        numbers = [number for _, _, number in pairs]
    else:
        numbers = text.split("/")
        names = {2: ["train", "test"], 3: ["train", "dev", "test"]}.get(len(numbers), [])
    try:
        values = [float(number) for number in numbers]
    except ValueError:
        values = []
    is_valid = len(values) == len(names) == len(set(names)) > 0 and all(names)
    if len(values) == 1 and values[0] not in (1, 100):
        is_valid = False  # more likely a name was forgotten than the whole test meant
    if not is_valid or not all(0 < value < float("inf") for value in values):
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
    """The split of every passage: the same for the same test and seed, in any order of passages.

    Passages of one article stay together, and so do those that are ``alike``: with nearly the same
    text, or with a question and answer in common. Splits to ``keep`` stay as they are; passages
    that belong together with theirs cannot go into another split, and are refused.
    """
    by = spread_in(test) if by is None else by
    fixed = {record.id: record.split for record in test.records() if record.split in keep}
    if len(proportions) == 1 and not fixed:
        alike = False  # with one split nothing can be parted
    groups, joined = articles_of(
        test, by=by, article=article, alike=alike, threshold=threshold, progress=progress
    )
    fields = {name.partition("=")[0] for group in groups for name in group.articles}
    if not {*article} & {*ARTICLE} and not fields & {*article}:
        # A misspelt field would silently make every passage an article of its own.
        raise UsageError(f"no passage has {' or '.join(article) or 'a field'} to name its article")
    _require_apart(test, groups, fixed)
    groups = [group for group in groups if group.passages.isdisjoint(fixed)]
    with_questions = [group for group in groups if group.questions]
    without_questions = [group for group in groups if not group.questions]
    if len(with_questions or groups) < len(proportions):
        raise DataError(
            f"{counted(len(with_questions or groups), 'article')} (what is kept together is one) "
            f"cannot fill {counted(len(proportions), 'split')}",
            file=test.file,
        )
    strata = strata_of(groups)
    if len(strata) > MOST_STRATA:
        raise UsageError(
            f"`by` {','.join(by)} gives {len(strata)} strata, expected at most {MOST_STRATA}"
        )
    split_of = _allot(with_questions, strata, proportions, seed)
    # Passages without questions do not count towards the proportions; they are spread apart.
    split_of |= _allot(without_questions, [], proportions, seed)
    noun = test.kind.unit_noun
    splitting = summed(groups, split_of, proportions, by=by, seed=seed, joined=joined, noun=noun)
    sizes = _kept_sizes(test, keep, article)
    return replace(splitting, split_of={**split_of, **fixed}, kept=sizes)


def _require_apart(test: Test, groups: Sequence[ArticleGroup], fixed: Mapping[str, str]) -> None:
    """Refuse passages that belong together with those of a split that is kept."""
    mixed = [group.passages for group in groups if not group.passages.isdisjoint(fixed)]
    outside = sorted({passage for passages in mixed for passage in passages} - {*fixed})
    if outside:
        raise DataError(
            f"passages that share an article, a text or a question with "
            f"{split_words({*fixed.values()})}, which stays as it is, so that they fit no other "
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


def apply_splits(test: Test, splitting: Splitting, *, hidden: Sequence[str] = ()) -> Test:
    """The test with the split of every passage and a header that tells how; the rest stays."""
    names = [*splitting.proportions, *splitting.kept]
    for name in hidden:
        if name not in names:
            similar = did_you_mean(name, names)
            raise UsageError(f"`hidden` {name!r} is not one of the splits; {similar}")

    def stream(report: ReportProblem) -> Iterator[Placed]:
        for place, record in test.stream(report):
            yield place, msgspec.structs.replace(record, split=splitting.split_of[record.id])

    # A key that was to stay hidden must not be published because the test is split anew, and a
    # split that is kept stays hidden even when others are named.
    stays_hidden = splitting.kept if hidden else names
    before = [name for name in test.header.hidden if name in stays_hidden]
    about: dict[str, Any] = {"by": "article"}
    if splitting.like is None:
        about["seed"] = splitting.seed
    else:
        about["like"] = splitting.like
    about["proportions"] = dict(splitting.proportions)
    about["measured_in"] = splitting.measured_in
    about["strata"] = list(splitting.by)
    if splitting.kept:
        about["kept"] = list(splitting.kept)
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

    def lot(index: int, turn: int) -> bytes:
        # The name and the seed decide when a group has its turn, not its place in the file.
        text = f"{seed}.{turn}\n{groups[index].name}"
        return hashlib.sha256(text.encode(errors="surrogatepass")).digest()

    orders = [
        sorted(range(len(groups)), key=lambda index: lot(index, turn)) for turn in range(tries)
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
    """The splitting that groups in splits make; ``noun`` is what a unit of the test is called."""
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
    names = list(proportions)
    with_questions = [group for group in groups if group.questions] or groups
    parts = [names.index(split_of[next(iter(group.passages))]) for group in with_questions]
    chi_square = distance(_rows(with_questions, strata), list(proportions.values()), parts)
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
        chi_square=chi_square,
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
