"""Checks of ratings as a whole: gaps, orders that contradict stars, straight lines, haste.

They report and drop nothing: whether a judge is left out is for people to decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from readmark.core.display import counted
from readmark.core.numbers import first_ids
from readmark.readability.panels.ratings import (
    JudgeRating,
    RatingFinding,
)
from readmark.readability.panels.rounds import EXPERT, NOVICE, PanelJudge, PanelPlan, PanelRound
from readmark.statistics.agreement.alpha import krippendorff_alpha
from readmark.statistics.agreement.judges import KENDALL_W as W
from readmark.statistics.agreement.judges import correlation, intraclass, kendall_w, mean_pairwise
from readmark.statistics.agreement.value import Agreement, Resampling, undefined
from readmark.statistics.carelessness import FASTEST
from readmark.text.words import words

STRAIGHT = 5
"""The same stars for at least this many passages of a round, and no others: straight-lining."""

Mine = Mapping[str, JudgeRating]


def check(
    plan: PanelPlan,
    rated: Mapping[str, Mine],
    texts: Mapping[str, str],
    *,
    fastest: float | None = None,
) -> list[RatingFinding]:
    """The findings on every judge, then on passages."""
    limit = fastest if fastest is not None else FASTEST["zh" if plan.language == "zh" else "en"]
    findings: list[RatingFinding] = []
    for judge in plan.judges:
        mine = rated.get(judge.name, {})
        findings += _gaps(judge, mine)
        for turn, round_ in enumerate(judge.rounds, 1):
            findings += _orders(judge, round_, mine, turn)
            findings += _straight(judge, round_, mine, turn)
        findings += _constant(judge, mine)
        findings += _haste(judge, mine, texts, plan.language, limit)
    return [*findings, *_thin(plan, rated)]


def _gaps(judge: PanelJudge, mine: Mine) -> Iterator[RatingFinding]:
    lacking: list[str] = []
    for turn, round_ in enumerate(judge.rounds, 1):
        unrated = [code for code in round_.passages if not _has_stars(mine, code)]
        lacking += unrated
        if 0 < len(unrated) < len(round_.passages):
            message = (
                f"round {turn} is half finished: "
                f"{first_ids(unrated)} of {len(round_.passages)} not rated"
            )
            yield _of(judge, "half_round", message, turn)
    total = sum(len(round_.passages) for round_ in judge.rounds)
    if lacking:
        whole = "nothing was rated" if len(lacking) == total else f"{first_ids(lacking)} not rated"
        yield _of(judge, "missing", f"{whole} ({len(lacking)} of {total})")


def _orders(
    judge: PanelJudge, round_: PanelRound, mine: Mine, turn: int
) -> Iterator[RatingFinding]:
    ranks = {code: mine[code].rank for code in round_.passages if code in mine}
    ranked = {code: rank for code, rank in ranks.items() if rank is not None}
    stars = {code: mine[code].stars for code in round_.passages if _has_stars(mine, code)}
    if stars and len(ranked) < len(round_.passages) and len(stars) == len(round_.passages):
        gone = [code for code in round_.passages if code not in ranked]
        text = f"round {turn} has no rank for {first_ids(gone)}"
        yield _of(judge, "rank_missing", text, turn)
    for rank, times in sorted(Counter(ranked.values()).items()):
        if times > 1:
            level = [code for code, each in ranked.items() if each == rank]
            text = f"round {turn} has rank {rank} {times} times: {', '.join(level)}"
            yield _of(judge, "rank_tied", text, turn)
    wrong = contradictions(round_.passages, mine)
    if wrong:
        a, b = wrong[0]
        text = (
            f"round {turn}: {counted(len(wrong), 'pair')}, such as {a} ({_counted(stars[a])}, rank "
            f"{ranked[a]}) and {b} ({_counted(stars[b])}, rank {ranked[b]})"
        )
        yield _of(judge, "rank_contradicts", text, turn)


def contradictions(passages: Sequence[str], mine: Mine) -> list[tuple[str, str]]:
    """The pairs of a round in which fewer stars have the better rank."""
    given = [
        (code, stars, rank)
        for code in passages
        if code in mine
        and (stars := mine[code].stars) is not None
        and (rank := mine[code].rank) is not None
    ]
    return [
        (a, b)
        for (a, stars, rank), (b, other, place) in combinations(given, 2)
        if (stars - other) * (rank - place) > 0
    ]


def _straight(
    judge: PanelJudge, round_: PanelRound, mine: Mine, turn: int
) -> Iterator[RatingFinding]:
    stars = [mine[code].stars for code in round_.passages if _has_stars(mine, code)]
    if len(stars) >= STRAIGHT and len(set(stars)) == 1:
        text = f"round {turn}: all {len(stars)} passages have {_counted(stars[0])}"
        yield _of(judge, "straight_line", text, turn)
    ranks = [mine[code].rank for code in round_.passages if code in mine]
    if len(ranks) >= STRAIGHT and ranks in (
        list(range(1, len(ranks) + 1)),
        list(range(len(ranks), 0, -1)),
    ):
        text = f"round {turn}: the ranks follow the order of the sheet"
        yield _of(judge, "straight_line", text, turn)


def _constant(judge: PanelJudge, mine: Mine) -> Iterator[RatingFinding]:
    """The same stars in every round: single rounds may be too short to show it."""
    stars = [rating.stars for rating in mine.values() if rating.stars is not None]
    if len(judge.rounds) > 1 and len(stars) >= STRAIGHT and len(set(stars)) == 1:
        text = f"all rounds: all {len(stars)} passages have {_counted(stars[0])}"
        yield _of(judge, "straight_line", text)


def _haste(
    judge: PanelJudge, mine: Mine, texts: Mapping[str, str], language: str, limit: float
) -> Iterator[RatingFinding]:
    for code, rating in mine.items():
        if rating.seconds is None:
            continue
        count = len(words(texts.get(code, ""), "zh" if language == "zh" else "en"))
        if 60 * count > limit * rating.seconds:
            unit = "characters" if language == "zh" else "words"
            text = f"{code}: {count} {unit} in {rating.seconds:g} seconds (over {limit:g} a minute)"
            yield RatingFinding(
                "too_fast", text, judge.name, judge.panel, rating.id, rating.file, rating.line
            )


def _thin(plan: PanelPlan, rated: Mapping[str, Mine]) -> Iterator[RatingFinding]:
    """Passages that too few of a panel rated."""
    for passage in plan.passages:
        by = Counter(
            judge.panel
            for judge in plan.judges
            if _has_stars(rated.get(judge.name, {}), passage.code)
        )
        for panel in (EXPERT, NOVICE):
            if by[panel] < 2:
                few = "one" if by[panel] else "no"
                text = f"{passage.code}: {few} {panel} rated it"
                yield RatingFinding(f"{few}_{panel}", text, id=passage.id)


def _of(judge: PanelJudge, code: str, message: str, turn: int | None = None) -> RatingFinding:
    number = None if turn is None else judge.rounds[turn - 1].number
    return RatingFinding(code, message, judge.name, judge.panel, round=number, turn=turn)


def _has_stars(mine: Mine, code: str) -> bool:
    return code in mine and mine[code].stars is not None


def _counted(stars: float | None) -> str:
    return f"{stars:g} {'star' if stars == 1 else 'stars'}"


# How far judges agree: within each panel, between the two, and in the order of each round.


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """Agreement within a panel; ``rounds`` are those that all who finished put in order."""

    judges: tuple[str, ...]
    ratings: int
    measures: tuple[Agreement, ...]
    rounds: int


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """A judge: how many passages, mean and spread of the stars, and the rest of their panel."""

    panel: str
    rated: int
    mean: float | None
    deviation: float | None
    with_panel: Agreement
    """Correlation with the mean of the others of the panel."""
    with_experts: Agreement
    """Correlation with the mean of the experts; of an expert, of the other experts."""


@dataclass(frozen=True, slots=True)
class PanelsAgreement:
    """Agreement within both panels and between their means."""

    panels: Mapping[str, PanelAgreement]
    between: Agreement
    judges: Mapping[str, JudgeFigures]


def agreement(
    plan: PanelPlan, rated: Mapping[str, Mine], *, resampling: Resampling | None = None
) -> PanelsAgreement:
    """All figures; one that is undefined says why."""
    codes = [passage.code for passage in plan.passages]
    columns: dict[str, list[float | None]] = {}
    for judge in plan.judges:
        mine = rated.get(judge.name, {})
        columns[judge.name] = [mine[code].stars if code in mine else None for code in codes]
    given = {name for name, column in columns.items() if any(value is not None for value in column)}
    of = {
        panel: [judge for judge in plan.judges if judge.panel == panel and judge.name in given]
        for panel in (EXPERT, NOVICE)
    }
    means = {
        panel: _means([columns[judge.name] for judge in judges], len(codes))
        for panel, judges in of.items()
    }
    figures: dict[str, JudgeFigures] = {}
    for panel, judges in of.items():
        for judge in judges:
            others = [
                columns[panel_judge.name] for panel_judge in judges if panel_judge is not judge
            ]
            rest = correlation(columns[judge.name], _means(others, len(codes)))
            experts = rest if panel == EXPERT else correlation(columns[judge.name], means[EXPERT])
            figures[judge.name] = _figures(panel, columns[judge.name], rest, experts)
    return PanelsAgreement(
        panels={
            panel: _within(plan, judges, columns, rated, resampling) for panel, judges in of.items()
        },
        between=correlation(means[EXPERT], means[NOVICE]),
        judges=figures,
    )


def _within(
    plan: PanelPlan,
    judges: Sequence[PanelJudge],
    columns: Mapping[str, Sequence[float | None]],
    rated: Mapping[str, Mine],
    resampling: Resampling | None,
) -> PanelAgreement:
    mine = [columns[judge.name] for judge in judges]
    panel = list(zip(*mine, strict=True)) if mine else []
    clusters = list(range(len(panel)))
    order, rounds = _order_agreement(plan, judges, rated)
    return PanelAgreement(
        judges=tuple(judge.name for judge in judges),
        ratings=sum(value is not None for column in mine for value in column),
        measures=(
            *(
                krippendorff_alpha(panel, scale=scale, clusters=clusters, resampling=resampling)
                for scale in ("interval", "ordinal")
            ),
            mean_pairwise(mine),
            *intraclass(panel),
            order,
        ),
        rounds=rounds,
    )


def _order_agreement(
    plan: PanelPlan, judges: Sequence[PanelJudge], rated: Mapping[str, Mine]
) -> tuple[Agreement, int]:
    """The mean of Kendall's W over rounds that two judges or more put wholly in order."""
    values: list[float] = []
    for codes in plan.rounds:
        ranks = []
        for judge in judges:
            mine = rated.get(judge.name, {})
            row = [mine[code].rank for code in codes if code in mine]
            whole = [float(rank) for rank in row if rank is not None]
            if len(whole) == len(codes):
                ranks.append(whole)
        value = kendall_w(ranks).value
        if value is not None:
            values.append(value)
    if not values:
        return undefined(W, "no round was put in order by two judges"), 0
    mean = sum(values) / len(values)
    return Agreement(measure=W, value=mean, n=len(values)), len(values)


def _figures(
    panel: str, column: Sequence[float | None], rest: Agreement, experts: Agreement
) -> JudgeFigures:
    given = [value for value in column if value is not None]
    mean = sum(given) / len(given)
    spread = sum((value - mean) ** 2 for value in given) / (len(given) - 1) if given[1:] else None
    return JudgeFigures(
        panel=panel,
        rated=len(given),
        mean=mean,
        deviation=None if spread is None else spread**0.5,
        with_panel=rest,
        with_experts=experts,
    )


def _means(columns: Sequence[Sequence[float | None]], passages: int) -> list[float | None]:
    values: list[float | None] = []
    for index in range(passages):
        given = [value for column in columns if (value := column[index]) is not None]
        values.append(sum(given) / len(given) if given else None)
    return values
