"""Candidates compared with a panel of novices, from the vectors of their marksheets alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.numbers import ABSENT, decimal, p_value
from readmark.readability.metrics.pearson import Pearson
from readmark.readability.panels.novices import (
    METRICS,
    TARGET,
    Null,
    PanelRatings,
    gather,
    named,
    shared_null,
)
from readmark.readability.panels.tables import (
    LeftOut,
    RaterLine,
    every_draw,
    leave_each_out,
    rater_line,
)
from readmark.readability.scale import MIDDLE, STARS
from readmark.reporting import Figure, Part, SectionData, Table
from readmark.reporting.sections import (
    COLOURS,
    WIDTH,
    Both,
    Canvas,
    Cell,
    Look,
    MarkedCandidate,
    Section,
    Text,
    counted,
    isolated,
    joined,
    listed,
    mark,
    metric_words,
    nice,
    noun,
    phrase,
    share,
    ticks,
    words_cell,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Plots of panels: ratings against the gold, nulls with what was observed, judges' ranges.


LEFT, RIGHT = 44.0, 14.0
TOP, FOOT = 12.0, 40.0
HEIGHT = 176.0
SQUARE = 0.72 * (WIDTH - LEFT - RIGHT)
BINS = 40
LARGEST = 14.0


def scatter(
    name: str,
    gold: Floats,
    ratings: Floats,
    look: Look,
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """Ratings against the experts' mean; on the dashed line both are the same."""
    height = TOP + SQUARE + FOOT
    canvas, axes = _frame(name, height, across, up)
    low, high = min(1.0, float(ratings.min())), max(5.0, float(ratings.max()))
    axes.set_xlim(0.9, 5.1)
    axes.set_ylim(low - 0.1, high + 0.1)
    ticks(axes.xaxis, STARS, lambda value: f"{value:g}")
    marks = [one for one in nice(low, high) if low <= one <= high]
    ticks(axes.yaxis, STARS if (low, high) == (1.0, 5.0) else marks, lambda value: f"{value:g}")
    axes.grid(color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    axes.plot([1, 5], [1, 5], color=COLOURS["muted"], linewidth=1, dashes=(3, 2))
    # Equal dots are drawn once, the larger the more there are: many passages share their stars.
    several = np.column_stack([gold, ratings]).round(2)
    places, counts = np.unique(several, axis=0, return_counts=True)
    for count in np.unique(counts):
        here = places[counts == count]
        axes.plot(
            here[:, 0],
            here[:, 1],
            color=COLOURS[look.colour],
            linestyle="none",
            marker=look.marker,
            markersize=min(4 * math.sqrt(count), LARGEST),
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


@dataclass(frozen=True, slots=True)
class Observed:
    """A candidate's value on the axis of a null."""

    look: Look
    value: float


def null_plot(
    name: str,
    null: Floats,
    critical: float,
    observed: Sequence[Observed],
    *,
    across: Text,
    up: Text,
    title: Text,
    description: Text,
) -> str:
    """A histogram of the draws, the critical value dashed, a line and a sign a candidate."""
    canvas, axes = _frame(name, HEIGHT, across, up)
    drawn = null[np.isfinite(null)]
    known = [one for one in observed if np.isfinite(one.value)]
    ends = np.array([drawn.min(), drawn.max(), *(observed.value for observed in known)])
    marks = nice(float(ends.min()), float(ends.max()))
    counts, edges = np.histogram(drawn, bins=bins(drawn))
    top = max(1, int(counts.max()))
    axes.set_xlim(marks[0], marks[-1])
    axes.set_ylim(0, 1.15 * top)
    axes.set_yticks([])
    ticks(axes.xaxis, marks, lambda value: f"{value:g}".replace("-", "−"))
    axes.bar(
        edges[:-1],
        counts,
        width=np.diff(edges),
        align="edge",
        color=COLOURS["people"],
        linewidth=0,
        alpha=0.55,
    )
    if np.isfinite(critical):
        axes.axvline(critical, color=COLOURS["muted"], linewidth=1.2, dashes=(3, 2))
    for one in known:
        colour = COLOURS[one.look.colour]
        axes.plot([one.value] * 2, [0, 1.05 * top], color=colour, linewidth=1.4, clip_on=False)
        axes.plot(
            [one.value],
            [1.08 * top],
            color=colour,
            marker=one.look.marker,
            markersize=7,
            markeredgewidth=0,
            clip_on=False,
        )
    return canvas.svg(title, description)


def bins(values: Floats) -> Floats:
    """Edges of bars. If values are on a lattice, each bar covers the same number of its points.

    Sums of thirds and halves do; bars of another width would show gaps that are not there.
    """
    places = np.unique(values)
    places = places[np.diff(places, prepend=-np.inf) > 1e-5]  # the grid's rounding is no step
    steps = np.diff(places)
    if len(steps):
        total = float(places[-1] - places[0])
        step = total / round(total / float(steps.min()))
        counted = (places - places[0]) / step
        most = round(float(counted[-1])) + 1
        if np.abs(counted - np.rint(counted)).max() < 0.01 and most < len(values):
            each = -(-most // BINS)
            start = places[0] - step / 2
            return np.asarray(start + step * each * np.arange(-(-most // each) + 1))
    return np.histogram_bin_edges(values, bins=BINS)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Each passage's gold, and the least and most that experts and novices said."""

    gold: Floats
    experts: Floats
    """(passages, 2)."""
    novices: Floats


def ranges_plot(
    name: str, comparisons: Ranges, *, across: Text, up: Text, title: Text, description: Text
) -> str:
    """A passage a column: a thick line for the experts, a thin one for the novices."""
    canvas, axes = _frame(name, HEIGHT, across, up)
    count = len(comparisons.gold)
    axes.set_xlim(-0.8, count - 0.2)
    axes.set_ylim(0.8, 5.2)
    axes.set_xticks([])
    ticks(axes.yaxis, STARS, lambda value: f"{value:g}")
    axes.grid(axis="y", color=COLOURS["rule"], linewidth=0.8)
    axes.set_axisbelow(True)
    wide = (WIDTH - LEFT - RIGHT) / max(1, count)
    # One stroke for each panel, broken between passages, keeps the page small.
    for ends, colour, width in (
        (comparisons.novices, "people", min(2.0, 0.35 * wide)),
        (comparisons.experts, "s1", min(4.5, 0.7 * wide)),
    ):
        x = np.repeat(np.arange(count, dtype=np.float64), 3)
        y = np.column_stack([ends, np.full(count, np.nan)]).ravel()
        flat = ends[:, 0] == ends[:, 1]
        y[1::3] += np.where(flat, 0.04, 0.0)  # a range without width would not be seen
        y[0::3] -= np.where(flat, 0.04, 0.0)
        axes.plot(x, y, color=COLOURS[colour], linewidth=width, solid_capstyle="butt")
    axes.plot(
        np.arange(count),
        comparisons.gold,
        color=COLOURS["ink"],
        linestyle="none",
        marker="o",
        markersize=min(3.0, 0.6 * wide),
        markeredgewidth=0,
    )
    return canvas.svg(title, description)


def _frame(name: str, height: float, across: Text, up: Text) -> tuple[Canvas, Axes]:
    canvas = Canvas(name, height)
    axes = canvas.axes(LEFT, TOP, WIDTH - RIGHT, height - FOOT)
    middle = (LEFT + WIDTH - RIGHT) / 2
    canvas.text(middle, height - 6, across, align="center", colour="muted")
    canvas.text(13, (TOP + height - FOOT) / 2, up, align="center", colour="muted", turned=True)
    return canvas, axes


MOST_RANGES = 120
"""How many passages the plot of ranges has room for."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """A candidate compared with the novices, and its place in the section."""

    index: int
    candidate: MarkedCandidate
    gathered: PanelRatings
    null: Floats
    line: RaterLine


def panel(section: Section) -> Part | None:
    """Tables and plots of every candidate whose marksheet has novices; None where none has."""
    compareds = _comparisons(section)
    if not compareds:
        return None
    widest = max(compareds, key=lambda compared: compared.gathered.panel.passages)
    settings = widest.candidate.sheet.settings
    novices = leave_each_out(widest.gathered, seed=settings.seed, draws=settings.trials)
    unit = noun(section.kind.unit_noun)
    sentences = [
        phrase("panel.lead", unit=unit, draws=f"{settings.trials:,}", seed=settings.seed),
        phrase("panel.judges", unit=unit),
    ]
    figures = [_scatter(section, compared) for compared in compareds if compared.gathered.answered]
    figures += [
        _null(section, several, metric)
        for several in _sharing(compareds)
        for metric in range(len(METRICS))
        if np.isfinite(several[0].null[:, metric]).any()
    ]
    ranges = _ranges(section, widest)
    return Part(
        "panel",
        phrase("part.panel"),
        lead=sentences,
        tables=[_table(section, compareds), *([_left_out(novices)] if novices else [])],
        figures=[*figures, *([ranges] if ranges is not None else [])],
        notes=[
            *(text for compared in compareds for text in _claim(compared)),
            *([_passing(novices)] if novices else [phrase("panel.few")]),
            *_limits(compareds, widest.gathered),
            *_narrow(widest),
        ],
        legend=[section.legend[compared.index] for compared in compareds],
    )


def _comparisons(section: Section) -> list[_Compared]:
    nulls: dict[tuple[int, int], Null] = {}
    comparisons = []
    for index, candidate in enumerate(section.candidates):
        sheet = candidate.sheet
        gathered = gather(sheet.units, sheet.metrics, sheet.header.panel)
        if gathered is None:
            continue
        seed, draws = sheet.settings.seed, sheet.settings.trials
        null = nulls.setdefault((seed, draws), shared_null(seed=seed, draws=draws))
        line = rater_line(candidate.name, gathered, null, {})
        comparisons.append(_Compared(index, candidate, gathered, null(gathered.panel), line))
    return comparisons


def _sharing(comparisons: Sequence[_Compared]) -> list[list[_Compared]]:
    """Candidates by the null that they share."""
    groups: dict[int, list[_Compared]] = {}
    for comparison in comparisons:
        groups.setdefault(id(comparison.null), []).append(comparison)
    return list(groups.values())


def _table(section: Section, comparisons: Sequence[_Compared]) -> Table:
    head = [words_cell(phrase("head.candidate")), words_cell(phrase("head.metric"))]
    head += [Cell(phrase(f"panel.{name}")) for name in ("p", "mark", "critical", "beaten")]
    rows = []
    for comparison in comparisons:
        for name in METRICS:
            verdict, judges = comparison.line.verdicts[name], comparison.line.judges[name]
            beaten = Cell(ABSENT)
            if judges.judges:
                both = phrase("panel.of", beaten=judges.beaten, judges=judges.judges)
                beaten = Cell(both, under=phrase("panel.of_p", p=p_value(judges.p)))
            rows.append(
                [
                    words_cell(comparison.candidate.label, look=comparison.candidate.look),
                    words_cell(_metric(comparison, name)),
                    Cell(_p(verdict.p), strong=verdict.better),
                    Cell(_number(verdict.observed), strong=True),
                    Cell(_number(verdict.critical)),
                    beaten,
                ]
            )
    return Table(phrase("panel.table"), head, rows)


def _left_out(novices: Sequence[LeftOut]) -> Table:
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


def _claim(compared: _Compared) -> list[Both]:
    """What may be claimed of a candidate, and how far it reaches to novices as persons."""
    name, better = compared.candidate.label, compared.line.better
    if all(math.isnan(verdict.p) for verdict in compared.line.verdicts.values()):
        return [phrase("panel.no_p", name=name)]
    behind = [_metric(compared, metric) for metric in every_draw(compared.line)]
    below = [phrase("panel.every_draw", name=name, metrics=listed(behind))] if behind else []
    if not better:
        return [phrase("panel.not_better", name=name), *below]
    sentences = [
        phrase("panel.better", name=name, metrics=listed([_metric(compared, m) for m in better]))
    ]
    sentences += below
    judges = [
        compared.line.judges[metric] for metric in better if compared.line.judges[metric].judges
    ]
    if judges:
        least = min(judges, key=lambda each: each.beaten / each.judges)
        smallest = p_value(least.smallest)
        sentences.append(
            phrase("panel.whole", name=name, beaten=least.beaten, judges=least.judges, p=smallest)
        )
    return sentences


def _passing(novices: Sequence[LeftOut]) -> Both:
    some = sum(bool(out.passes) for out in novices)
    every = sum(len(out.passes) == len(METRICS) for out in novices)
    return phrase("panel.passing", novices=len(novices), some=some, all=every)


def _limits(comparisons: Sequence[_Compared], widest: PanelRatings) -> list[Both]:
    """Who rated fewer passages than others, and passages with a single novice."""
    most = widest.panel.passages
    fewer = [
        phrase(
            "panel.fewer",
            name=comparison.candidate.label,
            passages=comparison.line.passages,
            all=most,
        )
        for comparison in comparisons
        if comparison.line.passages < most
    ]
    single = int(widest.panel.single.sum())
    return [*fewer, *([phrase("panel.single", count=single, all=most)] if single else [])]


def _narrow(compared: _Compared) -> list[Both]:
    gathered = compared.gathered
    count, passages = int(gathered.narrow.sum()), gathered.panel.passages
    if not count:
        return []
    rules = compared.candidate.sheet.metrics[_named(compared, TARGET)].rules
    which = "panel.narrow" if rules.get("round") == "no" else "panel.narrow_rounded"
    return [phrase(which, count=count, all=passages, share=share(count / passages))]


def _named(compared: _Compared, base: str) -> str:
    """The metric as the marksheet has it, with its parameters."""
    return named(compared.candidate.sheet.metrics, base) or base


def _metric(compared: _Compared, base: str) -> Text:
    return metric_words(_named(compared, base))


def _scatter(section: Section, compared: _Compared) -> Figure:
    gathered = compared.gathered
    passages = counted(gathered.panel.passages, section.kind.unit_noun)
    away = decimal(float(gathered.machine[:, 0].mean()))
    title = phrase("panel.scatter", name=compared.candidate.label)
    svg = scatter(
        f"p{section.number}-panel-{compared.index}",
        gathered.panel.gold + MIDDLE,
        gathered.machine[:, 2] + MIDDLE,
        compared.candidate.look,
        across=phrase("panel.gold"),
        up=phrase("panel.rating"),
        title=title,
        description=phrase("panel.scatter_said", passages=passages, away=away),
    )
    alike = len(np.unique(_places(gathered), axis=0)) < gathered.panel.passages
    units = noun(section.kind.unit_noun, several=True)
    return Figure(svg, title, note=phrase("panel.scatter_note", units=units) if alike else None)


def _places(gathered: PanelRatings) -> Floats:
    return np.column_stack([gathered.panel.gold, gathered.machine[:, 2]]).round(2)


def _null(section: Section, several: Sequence[_Compared], metric: int) -> Figure:
    """One null with every candidate that shares it."""
    first = several[0]
    name = METRICS[metric]
    drawn = first.null[:, metric]
    drawn = drawn[np.isfinite(drawn)]
    critical = first.line.verdicts[name].critical
    title = phrase("panel.null", metric=_metric(first, name))
    sentences = [
        joined(
            [compared.candidate.label, _number(compared.line.verdicts[name].observed)],
            en=" ",
            zh=" ",
        )
        for compared in several
    ]
    svg = null_plot(
        f"p{section.number}-null-{first.index}-{metric}",
        drawn,
        critical,
        [
            Observed(compared.candidate.look, compared.line.verdicts[name].observed)
            for compared in several
        ],
        across=_metric(first, name),
        up=phrase("panel.draws"),
        title=title,
        description=phrase(
            "panel.null_said",
            draws=f"{len(drawn):,}",
            low=_number(float(drawn.min())),
            high=_number(float(drawn.max())),
            critical=_number(critical),
            observed=joined(sentences, en="; ", zh="；"),
        ),
    )
    return Figure(svg, title, note=phrase("panel.null_note"))


def _ranges(section: Section, compared: _Compared) -> Figure | None:
    """Both panels' ratings; None where the marksheet leaves the experts' out."""
    by_id = {unit.id: unit for unit in compared.candidate.sheet.units}
    experts = [_expert_ratings(by_id[id].gold) for id in compared.gathered.ids]
    if not all(experts):
        return None
    panel = compared.gathered.panel
    ratings = np.where(panel.rated, panel.cells[..., 2] + MIDDLE, np.nan)
    ranges = Ranges(
        panel.gold + MIDDLE,
        np.array([[min(expert), max(expert)] for expert in experts]),
        np.column_stack([np.nanmin(ratings, axis=1), np.nanmax(ratings, axis=1)]),
    )
    order = np.argsort(ranges.gold, kind="stable")
    shown = order[:: -(-len(order) // MOST_RANGES)]
    unit = noun(section.kind.unit_noun)
    passages = counted(len(order), section.kind.unit_noun)
    apart = [
        decimal(float(np.ptp(ends, axis=1).mean())) for ends in (ranges.experts, ranges.novices)
    ]
    title = phrase("panel.spread", unit=unit)
    svg = ranges_plot(
        f"p{section.number}-panel-spread",
        Ranges(ranges.gold[shown], ranges.experts[shown], ranges.novices[shown]),
        across=phrase("panel.ordered"),
        up=phrase("panel.rating"),
        title=title,
        description=phrase(
            "panel.spread_said", passages=passages, experts=apart[0], novices=apart[1]
        ),
    )
    note = [phrase("panel.spread_note", unit=unit)]
    if len(shown) < len(order):
        note.append(phrase("panel.spread_some", shown=len(shown), all=len(order)))
    return Figure(svg, title, note=joined(note, en=" ", zh=""))


def _expert_ratings(gold: Sequence[Sequence[object]]) -> list[float]:
    """The experts' ratings in a marksheet's gold, where a person is a list of them."""
    ratings = (one.get("rating") for person in gold for one in person if isinstance(one, dict))
    return [float(rating) for rating in ratings if isinstance(rating, (int, float))]


def _number(value: float) -> str:
    return mark(None if math.isnan(value) else value, 1.0)


def _p(p: float) -> str:
    return p_value(None if math.isnan(p) else p)


def panel_section(shown: SectionData) -> Part | None:
    """Raters compared with a panel's novices; None where Pearson's correlation is not marked."""
    metrics = [
        rules.metric for one in shown.section.candidates for rules in one.sheet.metrics.values()
    ]
    if not any(isinstance(metric, Pearson) for metric in metrics):
        return None
    return panel(shown.section)
