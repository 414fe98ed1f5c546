"""Candidates beside a panel of novices, from the vectors of their marksheets alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.corpus.names import parse_name
from readmark.marking.metrics import Floats
from readmark.marking.panel.claims import every_draw
from readmark.marking.panel.gathering import TARGET, Gathered, gather, named
from readmark.marking.panel.tables import LeftOut, RaterLine, leave_each_out, rater_line
from readmark.marking.settings import Settings
from readmark.measures.novice_null import METRICS, Panel
from readmark.reporting.html import numbers
from readmark.reporting.html.figures.panel import (
    Observed,
    Ranges,
    null_plot,
    ranges_plot,
    scatter,
)
from readmark.reporting.html.figures.series import series
from readmark.reporting.html.layout import Cell, Figure, Part, Table, words_cell
from readmark.reporting.html.parts.sliced import candidates_key
from readmark.reporting.html.sections import Candidate, Section
from readmark.reporting.html.words import (
    Both,
    Text,
    counted,
    isolated,
    joined,
    listed,
    metric_words,
    noun,
    say,
)

MIDDLE = 3.0
MOST_RANGES = 120
"""How many passages the plot of ranges has room for."""


@dataclass(frozen=True, slots=True)
class _Beside:
    """A candidate beside the novices: where it stands in the section, and all that was found."""

    at: int
    candidate: Candidate
    gathered: Gathered
    null: Floats
    line: RaterLine


def panel(section: Section) -> Part | None:
    """Tables and plots of every candidate whose marksheet has novices; None where none has."""
    found = _found(section)
    if not found:
        return None
    widest = max(found, key=lambda one: one.gathered.panel.passages)
    settings = widest.candidate.sheet.settings
    novices = leave_each_out(widest.gathered, seed=settings.seed, draws=settings.trials)
    unit = noun(section.kind.unit_noun)
    told = [
        say("panel.lead", unit=unit, draws=f"{settings.trials:,}", seed=settings.seed),
        say("panel.judges", unit=unit),
    ]
    figures = [_scatter(section, one) for one in found if one.gathered.answered]
    figures += [
        _null(section, several, metric)
        for several in _sharing(found)
        for metric in range(len(METRICS))
        if np.isfinite(several[0].null[:, metric]).any()
    ]
    ranges = _ranges(section, widest)
    return Part(
        "panel",
        say("part.panel"),
        lead=told,
        tables=[_table(section, found), *([_left_out(novices)] if novices else [])],
        figures=[*figures, *([ranges] if ranges is not None else [])],
        notes=[
            *(text for one in found for text in _claim(one)),
            *([_passing(novices)] if novices else [say("panel.few")]),
            *_limits(found, widest.gathered),
            *_narrow(widest),
        ],
        legend=[candidates_key(section)[one.at] for one in found],
    )


def _found(section: Section) -> list[_Beside]:
    kept: list[tuple[Gathered, Settings, Floats]] = []
    found = []
    for at, candidate in enumerate(section.candidates):
        sheet = candidate.sheet
        gathered = gather(sheet.units, candidate.metrics, sheet.header.panel)
        if gathered is None:
            continue

        def null(panel: Panel, own: Gathered = gathered, by: Settings = sheet.settings) -> Floats:
            for other, settings, values in kept:
                alike = other.ids == own.ids and other.novices == own.novices
                if alike and settings == by and np.array_equal(other.panel.cells, panel.cells):
                    return values
            kept.append((own, by, panel.null(seed=by.seed, draws=by.trials)))
            return kept[-1][2]

        line = rater_line(candidate.name, gathered, null, {})
        found.append(_Beside(at, candidate, gathered, null(gathered.panel), line))
    return found


def _sharing(found: Sequence[_Beside]) -> list[list[_Beside]]:
    """Candidates by the null that they share."""
    groups: dict[int, list[_Beside]] = {}
    for one in found:
        groups.setdefault(id(one.null), []).append(one)
    return list(groups.values())


def _table(section: Section, found: Sequence[_Beside]) -> Table:
    head = [words_cell(say("head.candidate")), words_cell(say("head.metric"))]
    head += [Cell(say(f"panel.{name}")) for name in ("p", "mark", "critical", "beaten")]
    rows = []
    for one in found:
        for name in METRICS:
            verdict, judges = one.line.verdicts[name], one.line.judges[name]
            beaten = Cell(numbers.ABSENT)
            if judges.judges:
                told = say("panel.of", beaten=judges.beaten, judges=judges.judges)
                beaten = Cell(told, under=say("panel.of_p", p=numbers.p_value(judges.p)))
            rows.append(
                [
                    words_cell(one.candidate.label, look=series(one.at)),
                    words_cell(_metric(one, name)),
                    Cell(_p(verdict.p), strong=verdict.better),
                    Cell(_number(verdict.observed), strong=True),
                    Cell(_number(verdict.critical)),
                    beaten,
                ]
            )
    return Table(say("panel.table"), head, rows)


def _left_out(novices: Sequence[LeftOut]) -> Table:
    head = [words_cell(say("panel.novice")), Cell(say("panel.count"))]
    head += [Cell(metric_words(name)) for name in METRICS]
    rows = [
        [
            words_cell(isolated(one.novice)),
            Cell(f"{one.passages:,}"),
            *(Cell(_p(verdict.p), strong=verdict.better) for verdict in one.verdicts.values()),
        ]
        for one in novices
    ]
    return Table(say("panel.novices"), head, rows)


def _claim(one: _Beside) -> list[Both]:
    """What may be claimed of a candidate, and how far it reaches to novices as persons."""
    name, better = one.candidate.label, one.line.better
    if all(math.isnan(verdict.p) for verdict in one.line.verdicts.values()):
        return [say("panel.no_p", name=name)]
    behind = [_metric(one, metric) for metric in every_draw(one.line)]
    below = [say("panel.every_draw", name=name, metrics=listed(behind))] if behind else []
    if not better:
        return [say("panel.not_better", name=name), *below]
    said = [say("panel.better", name=name, metrics=listed([_metric(one, m) for m in better]))]
    said += below
    judges = [one.line.judges[metric] for metric in better if one.line.judges[metric].judges]
    if judges:
        least = min(judges, key=lambda each: each.beaten / each.judges)
        smallest = f"{least.smallest:.3f}"
        said.append(
            say("panel.whole", name=name, beaten=least.beaten, judges=least.judges, p=smallest)
        )
    return said


def _passing(novices: Sequence[LeftOut]) -> Both:
    some = sum(bool(one.passes) for one in novices)
    every = sum(len(one.passes) == len(METRICS) for one in novices)
    return say("panel.passing", novices=len(novices), some=some, all=every)


def _limits(found: Sequence[_Beside], widest: Gathered) -> list[Both]:
    """Who rated fewer passages than others, and passages with a single novice."""
    most = widest.panel.passages
    fewer = [
        say("panel.fewer", name=one.candidate.label, passages=one.line.passages, all=most)
        for one in found
        if one.line.passages < most
    ]
    single = int(widest.panel.single.sum())
    return [*fewer, *([say("panel.single", count=single, all=most)] if single else [])]


def _narrow(one: _Beside) -> list[Both]:
    gathered = one.gathered
    count, passages = int(gathered.narrow.sum()), gathered.panel.passages
    if not count:
        return []
    rounded = parse_name(_named(one, TARGET)).parameters.get("round", False)
    which = "panel.narrow_rounded" if rounded else "panel.narrow"
    return [say(which, count=count, all=passages, share=numbers.share(count / passages))]


def _named(one: _Beside, base: str) -> str:
    """The metric as the marksheet has it, with its parameters."""
    return named(one.candidate.metrics, base) or base


def _metric(one: _Beside, base: str) -> Text:
    return metric_words(_named(one, base))


def _scatter(section: Section, one: _Beside) -> Figure:
    gathered = one.gathered
    passages = counted(gathered.panel.passages, section.kind.unit_noun)
    away = f"{float(gathered.machine[:, 0].mean()):.2f}"
    title = say("panel.scatter", name=one.candidate.label)
    svg = scatter(
        f"p{section.number}-panel-{one.at}",
        gathered.panel.gold + MIDDLE,
        gathered.machine[:, 2] + MIDDLE,
        series(one.at),
        across=say("panel.gold"),
        up=say("panel.rating"),
        title=title,
        description=say("panel.scatter_said", passages=passages, away=away),
    )
    alike = len(np.unique(_places(gathered), axis=0)) < gathered.panel.passages
    units = noun(section.kind.unit_noun, several=True)
    return Figure(svg, title, note=say("panel.scatter_note", units=units) if alike else None)


def _places(gathered: Gathered) -> Floats:
    return np.column_stack([gathered.panel.gold, gathered.machine[:, 2]]).round(2)


def _null(section: Section, several: Sequence[_Beside], metric: int) -> Figure:
    """One null with every candidate that shares it."""
    first = several[0]
    name = METRICS[metric]
    drawn = first.null[:, metric]
    drawn = drawn[np.isfinite(drawn)]
    critical = first.line.verdicts[name].critical
    title = say("panel.null", metric=_metric(first, name))
    told = [
        joined([one.candidate.label, _number(one.line.verdicts[name].observed)], en=" ", zh=" ")
        for one in several
    ]
    svg = null_plot(
        f"p{section.number}-null-{first.at}-{metric}",
        drawn,
        critical,
        [Observed(series(one.at), one.line.verdicts[name].observed) for one in several],
        across=_metric(first, name),
        up=say("panel.draws"),
        title=title,
        description=say(
            "panel.null_said",
            draws=f"{len(drawn):,}",
            low=_number(float(drawn.min())),
            high=_number(float(drawn.max())),
            critical=_number(critical),
            observed=joined(told, en="; ", zh="；"),
        ),
    )
    return Figure(svg, title, note=say("panel.null_note"))


def _ranges(section: Section, one: _Beside) -> Figure | None:
    """Both panels' ratings; None where the marksheet leaves the experts' out."""
    by_id = {unit.id: unit for unit in one.candidate.sheet.units}
    experts = [_said(by_id[id].gold) for id in one.gathered.ids]
    if not all(experts):
        return None
    panel = one.gathered.panel
    ratings = np.where(panel.rated, panel.cells[..., 2] + MIDDLE, np.nan)
    found = Ranges(
        panel.gold + MIDDLE,
        np.array([[min(said), max(said)] for said in experts]),
        np.column_stack([np.nanmin(ratings, axis=1), np.nanmax(ratings, axis=1)]),
    )
    order = np.argsort(found.gold, kind="stable")
    shown = order[:: -(-len(order) // MOST_RANGES)]
    unit = noun(section.kind.unit_noun)
    passages = counted(len(order), section.kind.unit_noun)
    apart = [f"{float(np.ptp(ends, axis=1).mean()):.2f}" for ends in (found.experts, found.novices)]
    title = say("panel.spread", unit=unit)
    svg = ranges_plot(
        f"p{section.number}-panel-spread",
        Ranges(found.gold[shown], found.experts[shown], found.novices[shown]),
        across=say("panel.ordered"),
        up=say("panel.rating"),
        title=title,
        description=say("panel.spread_said", passages=passages, experts=apart[0], novices=apart[1]),
    )
    note = [say("panel.spread_note", unit=unit)]
    if len(shown) < len(order):
        note.append(say("panel.spread_some", shown=len(shown), all=len(order)))
    return Figure(svg, title, note=joined(note, en=" ", zh=""))


def _said(gold: Sequence[Sequence[object]]) -> list[float]:
    """The experts' ratings in a marksheet's gold, where a person is a list of them."""
    ratings = (one.get("rating") for person in gold for one in person if isinstance(one, dict))
    return [float(one) for one in ratings if isinstance(one, (int, float))]


def _number(value: float) -> str:
    return numbers.mark(None if math.isnan(value) else value, 1.0)


def _p(p: float) -> str:
    return numbers.p_value(None if math.isnan(p) else p)
