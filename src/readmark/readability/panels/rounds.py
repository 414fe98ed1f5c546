"""Who rates what in which order: every judge every passage once, in rounds that are balanced.

The rounds are the same for all judges, so that orders within a round can be compared. Each judge
has the rounds, and the passages of each, in an order of their own.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import random
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from readmark.core.errors import DataError, UsageError
from readmark.core.files import JSON_ERRORS, malformed, read_bytes
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import in_words
from readmark.core.labels import ABSENT
from readmark.core.records import Value
from readmark.core.spans import clip
from readmark.core.test import SCHEMA, Test
from readmark.formats.people_names import folded_name, require_name

EXPERT, NOVICE = "expert", "novice"
PANELS = (EXPERT, NOVICE)

# Lots: what is drawn first depends on the seed and on names, never on positions.


def lot(seed: int, *names: object) -> bytes:
    """A lot for a name; the least is drawn first."""
    text = "\n".join(str(name) for name in (seed, *names))
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def by_lot(names: Iterable[str], seed: int, *more: object) -> list[str]:
    """Names in the order in which they are drawn."""
    return sorted(names, key=lambda name: lot(seed, *more, name))


# A share of passages that is fair to every genre, every topic, and every pair of them.


Cell = tuple[str, str]
"""A genre and a topic."""
_Node = tuple[str, str]
_ALL, _BACK = ("all", ""), ("back", "")


@dataclass(slots=True)
class _Arc:
    start: _Node
    end: _Node
    value: Fraction

    @property
    def is_whole(self) -> bool:
        return self.value.denominator == 1


def share_of(cells: Mapping[str, Cell], share: Fraction, *, seed: int = 1) -> set[str]:
    """The passages of a share; ``cells`` has the genre and topic of each.

    For the whole, for each genre, each topic and each pair of them, what is taken is the share's
    floor or ceiling.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share is between 0 and 1, not {share}")
    counts = Counter(cells.values())
    taken = _rounded({cell: share * counts[cell] for cell in sorted(counts)}, seed)
    found: set[str] = set()
    for cell, number in taken.items():
        members = by_lot((id for id, one in cells.items() if one == cell), seed, "share")
        found.update(members[:number])
    return found


def whole_articles(
    testing: set[str],
    cells: Mapping[str, Cell],
    articles: Mapping[str, str],
    share: Fraction,
    *,
    seed: int = 1,
) -> set[str]:
    """A share in which no article is divided; ``articles`` has the article of a passage, if any.

    Each divided article goes to the side with most of it. Articles and single passages then
    change sides, or places, as long as that brings genres, topics and pairs nearer the share.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for id in by_lot(cells, seed, "article"):
        own = ("article", articles[id]) if id in articles else ("passage", id)
        groups.setdefault(own, []).append(id)
    if all(len({id in testing for id in ids}) == 1 for ids in groups.values()):
        return testing
    labels: dict[object, int] = {}
    rows = [
        Counter(
            labels.setdefault(label, len(labels))
            for id in ids
            for label in (None, ("genre", cells[id][0]), ("topic", cells[id][1]), cells[id])
        )
        for ids in groups.values()
    ]
    counts = np.array([[row[label] for label in range(len(labels))] for row in rows])
    chosen = np.array([2 * sum(id in testing for id in ids) > len(ids) for ids in groups.values()])
    # In whole numbers, so that every machine takes the same way: nothing of it is rounded.
    away = share.denominator * (counts * chosen[:, None]).sum(0) - share.numerator * counts.sum(0)
    weights = share.denominator * counts
    while (step := _better_step(weights, chosen, away)) is not None:
        for group in step:
            away += -weights[group] if chosen[group] else weights[group]
            chosen[group] = not chosen[group]
    together = zip(groups.values(), chosen.tolist(), strict=True)
    return {id for ids, is_test in together if is_test for id in ids}


MOST_EXCHANGED = 2000
"""With more articles and passages than this there are enough to move, and none are exchanged."""


def _better_step(
    weights: NDArray[np.int64], chosen: NDArray[np.bool_], away: NDArray[np.int64]
) -> tuple[int, ...] | None:
    """The group to move, or the two to exchange, that brings the shares nearest; None at last."""
    signed = np.where(chosen[:, None], -weights, weights)
    gains = 2 * (signed @ away) + (signed * signed).sum(axis=1)
    best = 0
    step: tuple[int, ...] | None = None
    if gains.min(initial=0) < best:
        best, step = int(gains.min()), (int(gains.argmin()),)
    inside, outside = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    for group in inside.tolist() if len(chosen) <= MOST_EXCHANGED else ():
        both = gains[group] + gains[outside] + 2 * (signed[outside] @ signed[group])
        if both.min(initial=0) < best:
            best, step = int(both.min()), (group, int(outside[both.argmin()]))
    return step


def _rounded(wanted: Mapping[Cell, Fraction], seed: int) -> dict[Cell, int]:
    draw = random.Random(seed)
    genres: dict[str, Fraction] = {}
    topics: dict[str, Fraction] = {}
    for (genre, topic), value in wanted.items():
        genres[genre] = genres.get(genre, Fraction()) + value
        topics[topic] = topics.get(topic, Fraction()) + value
    inner = [_Arc(("genre", one[0]), ("topic", one[1]), value) for one, value in wanted.items()]
    arcs = [
        *(_Arc(_ALL, ("genre", name), value) for name, value in genres.items()),
        *inner,
        *(_Arc(("topic", name), _BACK, value) for name, value in topics.items()),
        _Arc(_BACK, _ALL, sum(wanted.values(), Fraction())),
    ]
    while (cycle := _cycle(arcs)) is not None:
        _shift(cycle, draw)
    return {cell: int(arc.value) for cell, arc in zip(wanted, inner, strict=True)}


def _cycle(arcs: list[_Arc]) -> list[tuple[_Arc, int]] | None:
    """A cycle of arcs whose numbers are not whole, each with its direction.

    What flows into a place flows out of it, so no place has only one such arc: a walk that does not
    turn back comes to a place where it has been.
    """
    open_: dict[_Node, list[_Arc]] = {}
    for arc in arcs:
        if not arc.is_whole:
            open_.setdefault(arc.start, []).append(arc)
            open_.setdefault(arc.end, []).append(arc)
    if not open_:
        return None
    at = next(iter(open_))
    been = {at: 0}
    walk: list[tuple[_Arc, int]] = []
    while True:
        arc = next(arc for arc in open_[at] if not walk or arc is not walk[-1][0])
        forward = arc.start == at
        walk.append((arc, 1 if forward else -1))
        at = arc.end if forward else arc.start
        if at in been:
            return walk[been[at] :]
        been[at] = len(walk)


def _shift(cycle: list[tuple[_Arc, int]], draw: random.Random) -> None:
    """Shift a cycle up or down, as far as its first whole number, means unchanged."""
    up = min(_room(arc, way) for arc, way in cycle)
    down = min(_room(arc, -way) for arc, way in cycle)
    step = up if draw.random() < down / (up + down) else -down
    for arc, way in cycle:
        arc.value += way * step


def _room(arc: _Arc, way: int) -> Fraction:
    if way > 0:
        return math.ceil(arc.value) - arc.value
    return arc.value - math.floor(arc.value)


# Passages dealt into rounds, each round balanced for genre and topic.


_Vertex = tuple[Hashable, ...]


def deal_rounds(
    cells: Mapping[str, Cell], size: int, *, even: bool = False, seed: int = 1
) -> list[list[str]]:
    """Rounds of ``size``; the last has what is left over, or with ``even`` sizes differ by one.

    When all rounds are of one size, each has the floor or ceiling of every genre's and topic's
    share. Else a genre or topic is less than two passages from its share of the round.
    """
    if size < 2:
        raise UsageError(f"a round has two passages or more, not {size}: it is put in order")
    if not cells:
        return []
    over = len(cells) % size
    if even or not over or len(cells) < size:
        return _coloured(cells, -(-len(cells) // size), seed)
    last = share_of(cells, Fraction(over, len(cells)), seed=seed)
    others = {id: cell for id, cell in cells.items() if id not in last}
    return [*_coloured(others, len(cells) // size, seed), by_lot(last, seed, "round")]


def bound(rounds: Sequence[Sequence[str]]) -> int:
    """What the distance of a genre or topic from its share stays below, in every round."""
    return 1 if len(set(map(len, rounds))) < 2 else 2


def largest_deviation(rounds: Sequence[Sequence[str]], label: Mapping[str, str]) -> float:
    """The largest distance, in passages, of a label in a round from its share of that round."""
    total = Counter(label[id] for round_ in rounds for id in round_)
    passages = sum(total.values())
    worst = Fraction()
    for round_ in rounds:
        got = Counter(label[id] for id in round_)
        for name, whole in total.items():
            worst = max(worst, abs(got[name] - Fraction(whole * len(round_), passages)))
    return float(worst)


def _coloured(cells: Mapping[str, Cell], rounds: int, seed: int) -> list[list[str]]:
    # Drawn by lot within a genre and topic; those of one pair are adjacent, so that they fill
    # whole places and pairs are spread as well.
    order = sorted(by_lot(cells, seed, "deal"), key=lambda id: cells[id])
    graph = _Graph(rounds)
    seen: dict[_Vertex, int] = {}
    for id in order:
        ends = []
        for side, name in enumerate(cells[id]):
            number = seen.get((side, name), 0)
            seen[side, name] = number + 1
            ends.append((side, name, number // rounds))
        graph.colour(id, ends[0], ends[1])
    graph.even_out()
    found: list[list[str]] = [[] for _ in range(rounds)]
    for id in order:
        found[graph.colour_of[id]].append(id)
    turns = by_lot(map(str, range(rounds)), seed, "rounds")
    full = sorted((found[int(turn)] for turn in turns), key=lambda one: -len(one))
    return [by_lot(one, seed, "round") for one in full]


class _Graph:
    """A bipartite graph whose edges get colours; no two edges at a vertex have the same."""

    def __init__(self, colours: int) -> None:
        self.colours = colours
        self.colour_of: dict[str, int] = {}
        self._ends: dict[str, tuple[_Vertex, _Vertex]] = {}
        self._edges_at: dict[_Vertex, dict[int, str]] = {}
        self._sizes = [0] * colours

    def colour(self, edge: str, vertex: _Vertex, other: _Vertex) -> None:
        """Add an edge; where no colour is free at both ends, a path of two colours is turned."""
        self._ends[edge] = vertex, other
        mine, theirs = self._free(vertex), self._free(other)
        both = mine & theirs
        if both:
            # The round with the fewest passages so far.
            self._give(edge, min(both, key=lambda each: (self._sizes[each], each)))
            return
        a, b = min(mine), min(theirs)
        # Starting at ``other``, which has an edge of colour a, the path never comes to ``one``:
        # the graph is bipartite.
        self._turn(self._path(other, a, b), a, b)
        self._give(edge, a)

    def even_out(self) -> None:
        """Make sizes of colours differ by at most one; what each vertex has changes by none."""
        while True:
            most = self._sizes.index(max(self._sizes))
            least = self._sizes.index(min(self._sizes))
            if self._sizes[most] - self._sizes[least] <= 1:
                return
            self._turn(self._excess(most, least), most, least)

    def _free(self, vertex: _Vertex) -> set[int]:
        return set(range(self.colours)) - set(self._edges_at.get(vertex, ()))

    def _give(self, edge: str, colour: int) -> None:
        self.colour_of[edge] = colour
        self._sizes[colour] += 1
        for vertex in self._ends[edge]:
            self._edges_at.setdefault(vertex, {})[colour] = edge

    def _path(self, start: _Vertex, a: int, b: int) -> list[str]:
        """The edges of two colours from a vertex that has one of ``a`` and none of ``b``."""
        found: list[str] = []
        vertex, colour = start, a
        while (edge := self._edges_at.get(vertex, {}).get(colour)) is not None:
            found.append(edge)
            one, other = self._ends[edge]
            vertex = other if vertex == one else one
            colour = b if colour == a else a
        return found

    def _excess(self, most: int, least: int) -> list[str]:
        """A path that has one edge more of the first colour: where sizes differ there is one."""
        begins = (at for at, has in self._edges_at.items() if most in has and least not in has)
        paths = (self._path(begin, most, least) for begin in begins)
        return next(path for path in paths if len(path) % 2)

    def _turn(self, path: list[str], a: int, b: int) -> None:
        """Change the two colours of a path for each other."""
        for edge in path:
            before = self.colour_of[edge]
            self._sizes[before] -= 1
            for vertex in self._ends[edge]:
                del self._edges_at[vertex][before]
        for edge in path:
            self._give(edge, b if self.colour_of[edge] == a else a)


PLAN, FILE = "plan.json", "panel_plan"
ROUND = 10


class Planned(Value, frozen=True):
    """A passage under the code that judges know it by, which does not reveal its genre."""

    code: str
    id: str
    version: str
    genre: str = ABSENT
    topic: str = ABSENT


class PanelRound(Value, frozen=True):
    """A round as one judge has it: its number, and the passages in their order."""

    number: int
    passages: tuple[str, ...]


class PanelJudge(Value, frozen=True):
    """A judge and the rounds in the order in which they have them."""

    name: str
    panel: str
    rounds: tuple[PanelRound, ...]


class Balance(Value, frozen=True):
    """How far genres and topics are from their share of a round, in passages, and the bound."""

    genre: float
    topic: float
    below: int


class PanelPlan(Value, frozen=True, kw_only=True):
    """A plan for two panels, bound to the paper."""

    readmark: int
    file: str
    test: str = ""
    paper: str
    language: str = "en"
    seed: int
    size: int
    passages: tuple[Planned, ...]
    rounds: tuple[tuple[str, ...], ...]
    judges: tuple[PanelJudge, ...]
    balance: Balance

    @property
    def by_code(self) -> dict[str, Planned]:
        """Passages by the names on the sheets."""
        return {passage.code: passage for passage in self.passages}

    def judge(self, name: str) -> PanelJudge | None:
        """A judge, however the name is spelt in case, width and accents."""
        wanted = folded_name(name)
        return next((judge for judge in self.judges if folded_name(judge.name) == wanted), None)


def make_plan(
    test: Test,
    *,
    experts: Sequence[str],
    novices: Sequence[str],
    size: int = ROUND,
    even: bool = False,
    seed: int = 1,
) -> PanelPlan:
    """Plan the rounds of two panels; the order of the file does not matter."""
    dealt = plan_rounds(test, size=size, even=even, seed=seed)
    return with_judges(dealt, experts=experts, novices=novices)


def plan_rounds(test: Test, *, size: int = ROUND, even: bool = False, seed: int = 1) -> PanelPlan:
    """The rounds of a test before there are judges."""
    test.require_kind("readability")
    passages = {}
    for record in test.records():
        if not record.text.strip():
            raise DataError(
                "the passage has no text, and nobody can rate it: take it out",
                file=test.file,
                where=record.id,
            )
        passages[record.id] = record
    cells = {id: (one.genre or ABSENT, one.topic or ABSENT) for id, one in passages.items()}
    code_of = _codes(passages, seed)
    rounds = deal_rounds(cells, size, even=even, seed=seed)
    return PanelPlan(
        readmark=SCHEMA,
        file=FILE,
        test=test.header.name,
        paper=test.facts.paper,
        language=test.language,
        seed=seed,
        size=size,
        passages=tuple(
            Planned(
                code=code,
                id=id,
                version=version_of(passages[id].text),
                genre=cells[id][0],
                topic=cells[id][1],
            )
            for id, code in code_of.items()
        ),
        rounds=tuple(tuple(sorted(code_of[id] for id in round_)) for round_ in rounds),
        judges=(),
        balance=Balance(
            genre=round(largest_deviation(rounds, {id: one[0] for id, one in cells.items()}), 4),
            topic=round(largest_deviation(rounds, {id: one[1] for id, one in cells.items()}), 4),
            below=bound(rounds),
        ),
    )


def with_judges(
    plan: PanelPlan,
    *,
    experts: Sequence[str],
    novices: Sequence[str],
    lots: Mapping[str, str] | None = None,
) -> PanelPlan:
    """A plan with judges, whose orders are drawn by the name, or by what ``lots`` has for it."""
    _require_names(experts, novices)
    ids = {passage.code: passage.id for passage in plan.passages}
    codes = {id: code for code, id in ids.items()}
    rounds = {
        number: [ids[code] for code in round_] for number, round_ in enumerate(plan.rounds, 1)
    }
    judges = []
    for panel, names in ((EXPERT, experts), (NOVICE, novices)):
        for name in names:
            drawn = own_order(rounds, seed=plan.seed, judge=(lots or {}).get(name, name))
            turns = tuple(
                PanelRound(number=number, passages=tuple(codes[id] for id in own))
                for number, own in drawn.items()
            )
            judges.append(PanelJudge(name=name, panel=panel, rounds=turns))
    return msgspec.structs.replace(plan, judges=tuple(judges))


def own_order(
    rounds: Mapping[int, Sequence[str]], *, seed: int, judge: str
) -> dict[int, list[str]]:
    """The rounds in the order in which a judge has them, and the passages (ids) of each."""
    numbers = by_lot(map(str, rounds), seed, "rounds", judge)
    return {int(number): by_lot(rounds[int(number)], seed, "places", judge) for number in numbers}


def version_of(text: str) -> str:
    """Which text a passage has; the letter keeps spreadsheets from taking it for a number."""
    return f"v{text_id(text)}"


def plan_file(path: str | Path) -> Path:
    """The file of a plan that is named by it, or by the folder that it was written to."""
    return Path(path) / PLAN if Path(path).is_dir() else Path(path)


def read_plan(path: str | Path) -> PanelPlan:
    """The plan in a file, or in the folder that it was written to."""
    file = plan_file(path)
    data = read_bytes(file)
    try:
        plan = msgspec.json.decode(data, type=PanelPlan)
    except msgspec.ValidationError as error:
        raise DataError(f"is not the plan of a panel: {in_words(error)}", file=file) from None
    except JSON_ERRORS as error:
        raise malformed(file, data, error) from None
    if plan.file != FILE:
        raise DataError("is not the plan of a panel", file=file)
    by_panel = {
        panel: [judge.name for judge in plan.judges if judge.panel == panel] for panel in PANELS
    }
    _require_names(by_panel[EXPERT], by_panel[NOVICE], file=file)
    _require_complete(plan, file)
    return plan


def _require_complete(plan: PanelPlan, file: Path) -> None:
    """Refuse a plan that was changed by hand: every judge has every passage once."""
    codes = sorted(passage.code for passage in plan.passages)
    if len(set(codes)) < len(codes) or len({passage.id for passage in plan.passages}) < len(codes):
        raise DataError("two passages have the same code or id", file=file)
    for judge in plan.judges:
        if judge.panel not in PANELS:
            raise DataError(
                f"the panel of {judge.name!r} is {clip(judge.panel)!r}, "
                f"expected {EXPERT} or {NOVICE}",
                file=file,
            )
        if sorted(code for round_ in judge.rounds for code in round_.passages) != codes:
            raise DataError(
                f"the rounds of {judge.name!r} are not of every passage once", file=file
            )


def _require_names(
    experts: Sequence[str], novices: Sequence[str], *, file: Path | None = None
) -> None:
    """Refuse names that files cannot be called by, and a judge who occurs twice."""
    if not experts and not novices:
        raise UsageError("no judge is named: --experts N, --novices N, or their names")
    seen: dict[str, tuple[str, str]] = {}
    for panel, names in ((EXPERT, experts), (NOVICE, novices)):
        for name in names:
            require_name(name, "judge", is_file=file is None, file=file)
            before = seen.get(folded_name(name))
            if before is not None and before[1] != panel:
                raise _refused(
                    f"{name!r} is in both panels: a judge is an expert or a novice", file
                )
            if before is not None:
                raise _refused(f"two judges are called {name!r}", file)
            seen[folded_name(name)] = name, panel


def _refused(message: str, file: Path | None) -> Exception:
    return UsageError(message) if file is None else DataError(message, file=file)


def _codes(passages: Mapping[str, object], seed: int) -> dict[str, str]:
    """A name for every passage, which none of them has already."""
    order = by_lot(passages, seed, "codes")
    width = max(2, len(str(len(order))))
    for letter in itertools.chain("pqrstuvwxyz", (f"p{index}-" for index in itertools.count())):
        codes = {id: f"{letter}{index:0{width}}" for index, id in enumerate(order, 1)}
        if not passages.keys() & set(codes.values()):
            break
    return codes
