"""The report section on language models: what their answers took, and replies without an answer."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from readmark.core.numbers import ABSENT, decimal, significant
from readmark.core.sitting import Row
from readmark.core.spent import Spent
from readmark.reporting import Figure, Part, SectionData, Table
from readmark.reporting.sections import (
    Cell,
    CostPoint,
    MarkedCandidate,
    Section,
    clauses,
    cost_plot,
    mark,
    metric_words,
    named,
    noun,
    phrase,
    words_cell,
)

_NOTED_AS_FALSE = ("in_passage", "in_options")
"""Members of the evidence that are false where an answer is not in the passage or the options."""


@dataclass(frozen=True, slots=True)
class _CandidateCosts:
    """A candidate that recorded what its answers cost, with the total."""

    candidate: MarkedCandidate
    total: Spent

    @property
    def name(self) -> Cell:
        return words_cell(self.candidate.label, look=self.candidate.look)

    @property
    def cost(self) -> Cell:
        """What it cost; where some rows have no price, how many rows that is the sum of."""
        total, under = self.total, None
        if not total.priced:
            return Cell(ABSENT)
        if total.priced < total.asked:
            under = phrase("spent.priced", priced=f"{total.priced:,}", asked=f"{total.asked:,}")
        return Cell(decimal(total.cost, 4), under=under)

    @property
    def cost_per_unit(self) -> float | None:
        """What a unit costs on average, repeats included; None if a reply has no price."""
        units = sum(
            any(row.usage is not None for row in unit.answers)
            for unit in self.candidate.sheet.units
        )
        is_priced = units and self.total.priced == self.total.asked
        return self.total.cost / units if is_priced else None

    @property
    def median_seconds(self) -> float | None:
        """What half of the replies took at most; errors are none."""
        seconds = [
            row.seconds
            for row in _rows(self.candidate)
            if row.seconds is not None and row.error is None
        ]
        return median(seconds) if seconds else None


def costs_section(data: SectionData) -> Part | None:
    """Tokens, money and seconds, replies without an answer, and the main mark against the cost.

    None where no candidate counted what it took.
    """
    section = data.section
    costs = [
        _CandidateCosts(candidate, functools.reduce(Spent.with_row, _rows(candidate), Spent()))
        for candidate in section.candidates
        if any(row.usage is not None for row in _rows(candidate))
    ]
    if not costs:
        return None
    totals = [candidate.total for candidate in costs]
    is_partial = any(total.uncounted or 0 < total.priced < total.asked for total in totals)
    tables = [_costs_table(section, costs), _reasons_table(costs)]
    figure = _against_cost(section, costs)
    return Part(
        "spent",
        phrase("part.spent"),
        lead=[phrase("spent.lead")],
        tables=[table for table in tables if table is not None],
        figures=[figure] if figure is not None else [],
        notes=[phrase("spent.partly")] if is_partial else [],
        legend=[(row.candidate.label, row.candidate.look) for row in costs],
    )


def _costs_table(section: Section, costs: Sequence[_CandidateCosts]) -> Table:
    """What each candidate's answers took; requests that nobody counted only if there are some."""
    columns: list[tuple[Cell, Callable[[_CandidateCosts], Cell]]] = [
        (words_cell(phrase("head.candidate")), lambda row: row.name),
        (Cell(phrase("spent.asked")), lambda row: Cell(f"{row.total.asked:,}")),
        (Cell(phrase("spent.cached")), lambda row: Cell(f"{row.total.cached:,}")),
        (Cell(phrase("spent.input")), lambda row: Cell(f"{row.total.input:,}")),
        (Cell(phrase("spent.output")), lambda row: Cell(f"{row.total.output:,}")),
    ]
    if any(row.total.uncounted for row in costs):
        columns.append(
            (Cell(phrase("spent.uncounted")), lambda row: Cell(f"{row.total.uncounted:,}"))
        )
    unit = noun(section.kind.unit_noun)
    columns += [
        (Cell(phrase("spent.cost")), lambda row: row.cost),
        (
            Cell(phrase("spent.each", unit=unit)),
            lambda row: Cell(significant(row.cost_per_unit, 3)),
        ),
        (Cell(phrase("spent.seconds")), lambda row: Cell(decimal(row.median_seconds))),
    ]
    head = [heading for heading, _ in columns]
    rows = [[cell(candidate) for _, cell in columns] for candidate in costs]
    return Table(phrase("spent.table"), head, rows)


def _reasons_table(costs: Sequence[_CandidateCosts]) -> Table | None:
    """How often a reply was something else than an answer from the passage, by why."""
    reasons = [_reasons(row.candidate) for row in costs]
    names = sorted({name for counts in reasons for name in counts})
    if not names:
        return None
    head = [words_cell(phrase("head.candidate"))]
    head += [Cell(named("doing", name.replace(" ", "_"))) for name in names]
    rows = [
        [row.name, *(Cell(f"{counts[name]:,}") for name in names)]
        for row, counts in zip(costs, reasons, strict=True)
    ]
    return Table(phrase("spent.doings"), head, rows)


def _reasons(candidate: MarkedCandidate) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in _rows(candidate):
        if row.error is not None:
            counts["error"] += 1
        elif isinstance(row.evidence, dict):
            reason = row.evidence.get("reason")
            counts.update([reason] if isinstance(reason, str) else [])
            counts.update(name for name in _NOTED_AS_FALSE if row.evidence.get(name) is False)
    return counts


def _against_cost(section: Section, costs: Sequence[_CandidateCosts]) -> Figure | None:
    """The main mark against the cost of a unit, where several candidates have both."""
    unit, metric = noun(section.kind.unit_noun), metric_words(section.main)
    points, descriptions = [], []
    for row in costs:
        main, cost = row.candidate.mark(section.main), row.cost_per_unit
        if main is None or main.score is None or cost is None:
            continue
        score = mark(main.score, main.scale)
        points.append(CostPoint(row.candidate.look, cost, main.score, score, main.low, main.high))
        descriptions.append(
            phrase(
                "spent.said",
                name=row.candidate.label,
                score=score,
                cost=significant(cost, 3),
                unit=unit,
            )
        )
    if len(points) < 2:
        return None
    title = phrase("spent.against", metric=metric)
    svg = cost_plot(
        f"p{section.number}-cost",
        points,
        across=phrase("spent.across", unit=unit),
        up=metric,
        title=title,
        description=clauses(descriptions),
    )
    return Figure(svg, title)


def _rows(candidate: MarkedCandidate) -> Iterator[Row]:
    return (row for unit in candidate.sheet.units for row in unit.answers)
