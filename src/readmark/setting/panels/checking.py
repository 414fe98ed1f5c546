"""Checks of ratings as a whole: gaps, orders that contradict stars, straight lines, haste.

They tell; they drop nothing. Whether a judge is left out is for people to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from readmark.setting.panels import EXPERT
from readmark.setting.panels.findings import Finding
from readmark.setting.panels.planning import Judge, Plan
from readmark.setting.panels.planning import Round as PlannedRound
from readmark.setting.panels.ratings import Rated
from readmark.text.words import words

FASTEST = {"en": 600.0, "zh": 1200.0}
"""Words (in Chinese characters) a minute: twice what good readers reach when they skim."""
STRAIGHT = 5
"""The same stars for so many passages of a round, and no others, are a straight line."""
_SHOWN = 3

Mine = Mapping[str, Rated]


def check(
    plan: Plan,
    rated: Mapping[str, Mine],
    texts: Mapping[str, str],
    *,
    fastest: float | None = None,
) -> list[Finding]:
    """What is to be told of every judge, and then of passages."""
    limit = fastest if fastest is not None else FASTEST["zh" if plan.language == "zh" else "en"]
    found: list[Finding] = []
    for judge in plan.judges:
        mine = rated.get(judge.name, {})
        found += _gaps(judge, mine)
        for turn, one in enumerate(judge.rounds, 1):
            found += _orders(judge, one, mine, turn)
            found += _straight(judge, one, mine, turn)
        found += _constant(judge, mine)
        found += _haste(judge, mine, texts, plan.language, limit)
    return [*found, *_thin(plan, rated)]


def _gaps(judge: Judge, mine: Mine) -> Iterator[Finding]:
    lacking: list[str] = []
    for turn, one in enumerate(judge.rounds, 1):
        gone = [code for code in one.passages if not _has_stars(mine, code)]
        lacking += gone
        if 0 < len(gone) < len(one.passages):
            said = f"round {turn} is half finished: {_some(gone)} of {len(one.passages)} not rated"
            yield _of(judge, "half_round", said, turn)
    total = sum(len(one.passages) for one in judge.rounds)
    if lacking:
        whole = "nothing was rated" if len(lacking) == total else f"{_some(lacking)} not rated"
        yield _of(judge, "missing", f"{whole} ({len(lacking)} of {total})")


def _orders(judge: Judge, one: PlannedRound, mine: Mine, turn: int) -> Iterator[Finding]:
    ranks = {code: mine[code].rank for code in one.passages if code in mine}
    ranked = {code: rank for code, rank in ranks.items() if rank is not None}
    stars = {code: mine[code].stars for code in one.passages if _has_stars(mine, code)}
    if stars and len(ranked) < len(one.passages) and len(stars) == len(one.passages):
        gone = [code for code in one.passages if code not in ranked]
        said = f"round {turn} has no rank for {_some(gone)}"
        yield _of(judge, "rank_missing", said, turn)
    for rank, times in sorted(Counter(ranked.values()).items()):
        if times > 1:
            level = [code for code, each in ranked.items() if each == rank]
            said = f"round {turn} has rank {rank} {times} times: {', '.join(level)}"
            yield _of(judge, "rank_tied", said, turn)
    wrong = [
        (a, b)
        for a, b in combinations([code for code in ranked if code in stars], 2)
        if (_stars(stars, a) - _stars(stars, b)) * (ranked[a] - ranked[b]) > 0
    ]
    if wrong:
        a, b = wrong[0]
        said = (
            f"round {turn}: {len(wrong)} pairs, such as {a} ({_counted(stars[a])}, rank "
            f"{ranked[a]}) and {b} ({_counted(stars[b])}, rank {ranked[b]})"
        )
        yield _of(judge, "rank_contradicts", said, turn)


def _straight(judge: Judge, one: PlannedRound, mine: Mine, turn: int) -> Iterator[Finding]:
    stars = [mine[code].stars for code in one.passages if _has_stars(mine, code)]
    if len(stars) >= STRAIGHT and len(set(stars)) == 1:
        said = f"round {turn}: all {len(stars)} passages have {_counted(stars[0])}"
        yield _of(judge, "straight_line", said, turn)
    ranks = [mine[code].rank for code in one.passages if code in mine]
    if len(ranks) >= STRAIGHT and ranks in (
        list(range(1, len(ranks) + 1)),
        list(range(len(ranks), 0, -1)),
    ):
        said = f"round {turn}: the ranks follow the order of the sheet"
        yield _of(judge, "straight_line", said, turn)


def _constant(judge: Judge, mine: Mine) -> Iterator[Finding]:
    """The same stars in every round: rounds may be too short to tell by themselves."""
    stars = [one.stars for one in mine.values() if one.stars is not None]
    if len(judge.rounds) > 1 and len(stars) >= STRAIGHT and len(set(stars)) == 1:
        said = f"all rounds: all {len(stars)} passages have {_counted(stars[0])}"
        yield _of(judge, "straight_line", said)


def _haste(
    judge: Judge, mine: Mine, texts: Mapping[str, str], language: str, limit: float
) -> Iterator[Finding]:
    for code, one in mine.items():
        if one.seconds is None:
            continue
        count = len(words(texts.get(code, ""), "zh" if language == "zh" else "en"))
        if 60 * count > limit * one.seconds:
            unit = "characters" if language == "zh" else "words"
            said = f"{code}: {count} {unit} in {one.seconds:g} seconds (over {limit:g} a minute)"
            yield Finding("too_fast", said, judge.name, judge.panel, one.id, one.file, one.line)


def _thin(plan: Plan, rated: Mapping[str, Mine]) -> Iterator[Finding]:
    """Passages that too few of a panel rated."""
    for one in plan.passages:
        by = Counter(
            judge.panel for judge in plan.judges if _has_stars(rated.get(judge.name, {}), one.code)
        )
        experts = by[EXPERT]
        if not experts:
            yield Finding("no_expert", f"{one.code}: no expert rated it", id=one.id)
        elif experts == 1:
            yield Finding("one_expert", f"{one.code}: one expert rated it", id=one.id)
        novices = by.total() - experts
        if not novices:
            yield Finding("no_novice", f"{one.code}: no novice rated it", id=one.id)
        elif novices == 1:
            yield Finding("one_novice", f"{one.code}: one novice rated it", id=one.id)


def _of(judge: Judge, code: str, message: str, turn: int | None = None) -> Finding:
    number = None if turn is None else judge.rounds[turn - 1].number
    return Finding(code, message, judge.name, judge.panel, round=number, turn=turn)


def _has_stars(mine: Mine, code: str) -> bool:
    return code in mine and mine[code].stars is not None


def _counted(stars: float | None) -> str:
    return "1 star" if stars == 1 else f"{stars:g} stars"


def _stars(stars: Mapping[str, float | None], code: str) -> float:
    return stars[code] or 0.0


def _some(codes: Sequence[str]) -> str:
    more = f" and {len(codes) - _SHOWN} more" if len(codes) > _SHOWN else ""
    return ", ".join(codes[:_SHOWN]) + more
