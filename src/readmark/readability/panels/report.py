"""Candidates compared with a panel of novices: a part of the report, from marksheets alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.numbers import ABSENT, decimal, p_value
from readmark.readability.metrics.pearson import Pearson
from readmark.readability.panels.novice_claims import compared_judges, every_draw
from readmark.readability.panels.novices import DISTANCE, METRICS, RATING, Null, shared_null
from readmark.readability.panels.panel_ratings import TARGET, PanelRatings, full_name, gather
from readmark.readability.panels.plots import (
    Observed,
    Ranges,
    dots_of,
    null_plot,
    ranges_plot,
    scatter,
)
from readmark.readability.panels.rater_lines import (
    LeftOut,
    RaterLine,
    leave_each_out,
    rater_line,
)
from readmark.readability.scale import MIDDLE
from readmark.reporting import Figure, Part, SectionData, Table
from readmark.reporting.sections import (
    Bilingual,
    Cell,
    MarkedCandidate,
    Section,
    Text,
    counted,
    isolated,
    joined,
    listed,
    mark,
    metric_words,
    noun,
    phrase,
    share,
    words_cell,
)

MOST_RANGES = 120
"""How many passages the plot of ranges has room for."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A candidate compared with the novices, and its place in the section."""

    index: int
    candidate: MarkedCandidate
    ratings: PanelRatings
    null: Floats
    line: RaterLine

    @property
    def passages(self) -> int:
        return self.ratings.panel.passages

    def full_name(self, metric: str) -> str:
        """The metric as the marksheet has it, with its parameters."""
        return full_name(self.candidate.sheet.metrics, metric) or metric

    def metric_words(self, metric: str) -> Text:
        return metric_words(self.full_name(metric))


def panel_section(data: SectionData) -> Part | None:
    """Raters compared with a panel's novices; None where Pearson's correlation is not marked."""
    metrics = [
        rules.metric
        for candidate in data.section.candidates
        for rules in candidate.sheet.metrics.values()
    ]
    if not any(isinstance(metric, Pearson) for metric in metrics):
        return None
    return panel(data.section)


def panel(section: Section) -> Part | None:
    """Tables and plots of every candidate whose marksheet has novices; None where none has."""
    comparisons = _comparisons(section)
    if not comparisons:
        return None
    # Candidates may have sat different passages: the table of novices is on the most of them.
    widest = max(comparisons, key=lambda comparison: comparison.passages)
    settings = widest.candidate.sheet.settings
    novices = leave_each_out(widest.ratings, seed=settings.seed, draws=settings.trials)
    unit = noun(section.kind.unit_noun)
    figures = [
        _scatter(section, comparison) for comparison in comparisons if comparison.ratings.answered
    ]
    figures += [
        _null(section, sharing, metric)
        for sharing in _by_null(comparisons)
        for metric in range(len(METRICS))
        if np.isfinite(sharing[0].null[:, metric]).any()
    ]
    if (ranges := _ranges(section, widest)) is not None:
        figures.append(ranges)
    return Part(
        "panel",
        phrase("part.panel"),
        lead=[
            phrase("panel.lead", unit=unit, draws=f"{settings.trials:,}", seed=settings.seed),
            phrase("panel.judges", unit=unit),
        ],
        tables=[_table(comparisons), *([_novices_table(novices)] if novices else [])],
        figures=figures,
        notes=[
            *(sentence for comparison in comparisons for sentence in _claim(comparison)),
            _passing(novices) if novices else phrase("panel.few"),
            *_limits(comparisons, widest),
            *_narrow(widest),
        ],
        legend=[section.legend[comparison.index] for comparison in comparisons],
    )


def _comparisons(section: Section) -> list[_Comparison]:
    nulls: dict[tuple[int, int], Null] = {}
    comparisons = []
    for index, candidate in enumerate(section.candidates):
        sheet = candidate.sheet
        ratings = gather(sheet.units, sheet.metrics, sheet.header.panel)
        if ratings is None:
            continue
        seed, draws = sheet.settings.seed, sheet.settings.trials
        null = nulls.setdefault((seed, draws), shared_null(seed=seed, draws=draws))
        line = rater_line(candidate.name, ratings, null, {})
        comparisons.append(_Comparison(index, candidate, ratings, null(ratings.panel), line))
    return comparisons


def _by_null(comparisons: Sequence[_Comparison]) -> list[list[_Comparison]]:
    """Candidates grouped by the null that they share."""
    groups: dict[int, list[_Comparison]] = {}
    for comparison in comparisons:
        groups.setdefault(id(comparison.null), []).append(comparison)
    return list(groups.values())


def _table(comparisons: Sequence[_Comparison]) -> Table:
    head = [words_cell(phrase("head.candidate")), words_cell(phrase("head.metric"))]
    head += [Cell(phrase(f"panel.{name}")) for name in ("p", "mark", "critical", "beaten")]
    rows = []
    for comparison in comparisons:
        for name in METRICS:
            verdict, judges = comparison.line.verdicts[name], comparison.line.judges[name]
            beaten = Cell(ABSENT)
            if judges.judges:
                count = phrase("panel.of", beaten=judges.beaten, judges=judges.judges)
                beaten = Cell(count, under=phrase("panel.of_p", p=p_value(judges.p)))
            rows.append(
                [
                    words_cell(comparison.candidate.label, look=comparison.candidate.look),
                    words_cell(comparison.metric_words(name)),
                    Cell(_p(verdict.p), strong=verdict.better),
                    Cell(_number(verdict.observed), strong=True),
                    Cell(_number(verdict.critical)),
                    beaten,
                ]
            )
    return Table(phrase("panel.table"), head, rows)


def _novices_table(novices: Sequence[LeftOut]) -> Table:
    head = [words_cell(phrase("panel.novice")), Cell(phrase("panel.count"))]
    head += [Cell(metric_words(name)) for name in METRICS]
    rows = [
        [
            words_cell(isolated(out.novice)),
            Cell(f"{out.passages:,}"),
            *(Cell(_p(verdict.p), strong=verdict.better) for verdict in out.verdicts.values()),
        ]
        for out in novices
    ]
    return Table(phrase("panel.novices"), head, rows)


def _claim(comparison: _Comparison) -> list[Bilingual]:
    """What may be claimed of a candidate, and how far it reaches to novices as persons."""
    name, line = comparison.candidate.label, comparison.line
    if all(math.isnan(verdict.p) for verdict in line.verdicts.values()):
        return [phrase("panel.no_p", name=name)]
    if line.better:
        metrics = listed([comparison.metric_words(metric) for metric in line.better])
        sentences = [phrase("panel.better", name=name, metrics=metrics)]
    else:
        sentences = [phrase("panel.not_better", name=name)]
    if behind := every_draw(line):
        metrics = listed([comparison.metric_words(metric) for metric in behind])
        sentences.append(phrase("panel.every_draw", name=name, metrics=metrics))
    if judges := compared_judges(line):
        fewest = min(judges, key=lambda whole: whole.beaten / whole.judges)
        least_p = p_value(fewest.smallest)
        sentences.append(
            phrase("panel.whole", name=name, beaten=fewest.beaten, judges=fewest.judges, p=least_p)
        )
    return sentences


def _passing(novices: Sequence[LeftOut]) -> Bilingual:
    by_any = sum(bool(out.passes) for out in novices)
    by_all = sum(len(out.passes) == len(METRICS) for out in novices)
    return phrase("panel.passing", novices=len(novices), some=by_any, all=by_all)


def _limits(comparisons: Sequence[_Comparison], widest: _Comparison) -> list[Bilingual]:
    """Who rated fewer passages than others, and passages with a single novice."""
    limits = [
        phrase(
            "panel.fewer",
            name=comparison.candidate.label,
            passages=comparison.passages,
            all=widest.passages,
        )
        for comparison in comparisons
        if comparison.passages < widest.passages
    ]
    if single := int(widest.ratings.panel.single.sum()):
        limits.append(phrase("panel.single", count=single, all=widest.passages))
    return limits


def _narrow(comparison: _Comparison) -> list[Bilingual]:
    """How many targets have no width, and what hits them."""
    count = int(comparison.ratings.narrow.sum())
    if not count:
        return []
    rules = comparison.candidate.sheet.metrics[comparison.full_name(TARGET)].rules
    name = "panel.narrow" if rules.get("round") == "no" else "panel.narrow_rounded"
    passages = comparison.passages
    return [phrase(name, count=count, all=passages, share=share(count / passages))]


def _scatter(section: Section, comparison: _Comparison) -> Figure:
    gold = comparison.ratings.panel.gold + MIDDLE
    ratings = comparison.ratings.ratings + MIDDLE
    distance = float(comparison.ratings.machine[:, DISTANCE].mean())
    title = phrase("panel.scatter", name=comparison.candidate.label)
    svg = scatter(
        f"p{section.number}-panel-{comparison.index}",
        gold,
        ratings,
        comparison.candidate.look,
        across=phrase("panel.gold"),
        up=phrase("panel.rating"),
        title=title,
        description=phrase(
            "panel.scatter_said",
            passages=counted(comparison.passages, section.kind.unit_noun),
            away=decimal(distance),
        ),
    )
    note = None
    if len(np.unique(dots_of(gold, ratings), axis=0)) < comparison.passages:
        units = noun(section.kind.unit_noun, several=True)
        note = phrase("panel.scatter_note", units=units)
    return Figure(svg, title, note=note)


def _null(section: Section, sharing: Sequence[_Comparison], metric: int) -> Figure:
    """The null of a metric, with every candidate that shares it."""
    first = sharing[0]
    name = METRICS[metric]
    draws = first.null[:, metric]
    draws = draws[np.isfinite(draws)]
    critical = first.line.verdicts[name].critical
    title = phrase("panel.null", metric=first.metric_words(name))
    observed = [
        Observed(comparison.candidate.look, comparison.line.verdicts[name].observed)
        for comparison in sharing
    ]
    labels_and_values = [
        joined([comparison.candidate.label, _number(candidate.value)], en=" ", zh=" ")
        for comparison, candidate in zip(sharing, observed, strict=True)
    ]
    svg = null_plot(
        f"p{section.number}-null-{first.index}-{metric}",
        draws,
        critical,
        observed,
        across=first.metric_words(name),
        up=phrase("panel.draws"),
        title=title,
        description=phrase(
            "panel.null_said",
            draws=f"{len(draws):,}",
            low=_number(float(draws.min())),
            high=_number(float(draws.max())),
            critical=_number(critical),
            observed=joined(labels_and_values, en="; ", zh="；"),
        ),
    )
    return Figure(svg, title, note=phrase("panel.null_note"))


def _ranges(section: Section, comparison: _Comparison) -> Figure | None:
    """Both panels' ratings; None where the marksheet leaves the experts' out."""
    units = {unit.id: unit for unit in comparison.candidate.sheet.units}
    experts = [_expert_ratings(units[id].gold) for id in comparison.ratings.ids]
    if not all(experts):
        return None
    panel = comparison.ratings.panel
    novices = np.where(panel.rated, panel.cells[..., RATING] + MIDDLE, np.nan)
    ranges = Ranges(
        panel.gold + MIDDLE,
        np.array([[min(ratings), max(ratings)] for ratings in experts]),
        np.column_stack([np.nanmin(novices, axis=1), np.nanmax(novices, axis=1)]),
    )
    order = np.argsort(ranges.gold, kind="stable")
    shown = order[:: -(-len(order) // MOST_RANGES)]
    unit = noun(section.kind.unit_noun)
    title = phrase("panel.spread", unit=unit)
    svg = ranges_plot(
        f"p{section.number}-panel-spread",
        Ranges(ranges.gold[shown], ranges.experts[shown], ranges.novices[shown]),
        across=phrase("panel.ordered"),
        up=phrase("panel.rating"),
        title=title,
        description=phrase(
            "panel.spread_said",
            passages=counted(len(order), section.kind.unit_noun),
            experts=decimal(float(np.ptp(ranges.experts, axis=1).mean())),
            novices=decimal(float(np.ptp(ranges.novices, axis=1).mean())),
        ),
    )
    note = [phrase("panel.spread_note", unit=unit)]
    if len(shown) < len(order):
        note.append(phrase("panel.spread_some", shown=len(shown), all=len(order)))
    return Figure(svg, title, note=joined(note, en=" ", zh=""))


def _expert_ratings(gold: Sequence[Sequence[object]]) -> list[float]:
    """The experts' ratings in a marksheet's gold, where a person is a list of them."""
    values = (
        rating.get("rating") for person in gold for rating in person if isinstance(rating, dict)
    )
    return [float(value) for value in values if isinstance(value, (int, float))]


def _number(value: float) -> str:
    return mark(None if math.isnan(value) else value, 1.0)


def _p(p: float) -> str:
    return p_value(None if math.isnan(p) else p)
