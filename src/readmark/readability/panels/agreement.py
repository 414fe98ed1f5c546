"""How far judges agree: within each panel, between the two, and in the order of each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.readability.panels.ratings import JudgeRating
from readmark.readability.panels.rounds import EXPERT, NOVICE, PanelJudge, PanelPlan
from readmark.stats.agreement.alpha import krippendorff_alpha
from readmark.stats.agreement.value import Agreement, Resampling, undefined
from readmark.stats.correlation import NAME as W
from readmark.stats.correlation import correlation, intraclass, kendall_w, mean_pairwise

Mine = Mapping[str, JudgeRating]


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
    order, rounds = _orders(plan, judges, rated)
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


def _orders(
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
