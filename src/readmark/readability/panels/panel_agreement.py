"""How far judges agree: within each panel, between the two, and in the order of each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.readability.panels.checks import JudgeRatings
from readmark.readability.panels.rounds import EXPERT, NOVICE, PanelJudge, PanelPlan
from readmark.statistics.agreement.alpha import krippendorff_alpha
from readmark.statistics.agreement.judges import (
    KENDALL_W,
    NumberColumn,
    correlation,
    intraclass,
    kendall_w,
    mean_pairwise,
)
from readmark.statistics.agreement.value import Agreement, Resampling, undefined


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """Agreement within a panel; ``rounds`` are those that two judges or more ranked completely."""

    judges: tuple[str, ...]
    ratings: int
    measures: tuple[Agreement, ...]
    rounds: int


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    """A judge: how many passages, mean and deviation of the stars, and the rest of the panel."""

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
    plan: PanelPlan, rated: Mapping[str, JudgeRatings], *, resampling: Resampling | None = None
) -> PanelsAgreement:
    """All figures on the judges who rated something; one that is undefined says why.

    A column has a judge's stars in the order of the plan's passages.
    """
    codes = [passage.code for passage in plan.passages]
    columns: dict[str, NumberColumn] = {}
    judges: dict[str, list[PanelJudge]] = {EXPERT: [], NOVICE: []}
    for judge in plan.judges:
        ratings = rated.get(judge.name, {})
        all_stars = [ratings[code].stars if code in ratings else None for code in codes]
        if any(stars is not None for stars in all_stars):
            columns[judge.name] = all_stars
            judges[judge.panel].append(judge)
    means = {
        panel: _means([columns[judge.name] for judge in judges[panel]], len(codes))
        for panel in judges
    }
    figures: dict[str, JudgeFigures] = {}
    for panel in judges:
        for judge in judges[panel]:
            column = columns[judge.name]
            others = [columns[other.name] for other in judges[panel] if other is not judge]
            with_panel = correlation(column, _means(others, len(codes)))
            with_experts = with_panel if panel == EXPERT else correlation(column, means[EXPERT])
            figures[judge.name] = _figures(panel, column, with_panel, with_experts)
    return PanelsAgreement(
        panels={
            panel: _within(plan, judges[panel], columns, rated, resampling) for panel in judges
        },
        between=correlation(means[EXPERT], means[NOVICE]),
        judges=figures,
    )


def _within(
    plan: PanelPlan,
    judges: Sequence[PanelJudge],
    columns: Mapping[str, NumberColumn],
    rated: Mapping[str, JudgeRatings],
    resampling: Resampling | None,
) -> PanelAgreement:
    by_judge = [columns[judge.name] for judge in judges]
    by_passage = list(zip(*by_judge, strict=True))
    clusters = list(range(len(by_passage)))
    order, rounds = _order_agreement(plan, judges, rated)
    alphas = (
        krippendorff_alpha(by_passage, scale=scale, clusters=clusters, resampling=resampling)
        for scale in ("interval", "ordinal")
    )
    return PanelAgreement(
        judges=tuple(judge.name for judge in judges),
        ratings=sum(stars is not None for column in by_judge for stars in column),
        measures=(*alphas, mean_pairwise(by_judge), *intraclass(by_passage), order),
        rounds=rounds,
    )


def _order_agreement(
    plan: PanelPlan, judges: Sequence[PanelJudge], rated: Mapping[str, JudgeRatings]
) -> tuple[Agreement, int]:
    """The mean of Kendall's W over the rounds that two judges or more ranked completely."""
    values: list[float] = []
    for codes in plan.rounds:
        complete: list[list[float]] = []
        for judge in judges:
            ratings = rated.get(judge.name, {})
            ranks = [ratings[code].rank for code in codes if code in ratings]
            numbers = [float(rank) for rank in ranks if rank is not None]
            if len(numbers) == len(codes):
                complete.append(numbers)
        value = kendall_w(complete).value
        if value is not None:
            values.append(value)
    if not values:
        return undefined(KENDALL_W, "no round was put in order by two judges"), 0
    mean = sum(values) / len(values)
    return Agreement(measure=KENDALL_W, value=mean, n=len(values)), len(values)


def _figures(
    panel: str, column: NumberColumn, with_panel: Agreement, with_experts: Agreement
) -> JudgeFigures:
    ratings = [stars for stars in column if stars is not None]
    mean = sum(ratings) / len(ratings)
    deviation = None
    if len(ratings) > 1:
        variance = sum((stars - mean) ** 2 for stars in ratings) / (len(ratings) - 1)
        deviation = variance**0.5
    return JudgeFigures(
        panel=panel,
        rated=len(ratings),
        mean=mean,
        deviation=deviation,
        with_panel=with_panel,
        with_experts=with_experts,
    )


def _means(columns: Sequence[NumberColumn], passages: int) -> list[float | None]:
    means: list[float | None] = []
    for index in range(passages):
        ratings = [stars for column in columns if (stars := column[index]) is not None]
        means.append(sum(ratings) / len(ratings) if ratings else None)
    return means
