"""The report section on language models: tokens, cost, seconds, and replies without an answer."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
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


def spent(section: Section) -> Part | None:
    """Two tables; None where no candidate counted what it took."""
    asked = [
        (index, candidate)
        for index, candidate in enumerate(section.candidates)
        if any(row.usage is not None for row in _rows(candidate))
    ]
    if not asked:
        return None
    totals = [functools.reduce(Spent.with_row, _rows(candidate), Spent()) for _, candidate in asked]
    has_uncounted = any(total.uncounted for total in totals)
    columns = ["asked", "cached", "input", "output"]
    columns += ["uncounted", "cost"] if has_uncounted else ["cost"]
    unit = noun(section.kind.unit_noun)
    heads = [words_cell(phrase("head.candidate"))]
    heads += [Cell(phrase(f"spent.{name}")) for name in columns]
    heads += [Cell(phrase("spent.each", unit=unit)), Cell(phrase("spent.seconds"))]
    rows = [
        _cost_cells(candidate, total, has_uncounted=has_uncounted)
        for (_, candidate), total in zip(asked, totals, strict=True)
    ]
    tables = [Table(phrase("spent.table"), heads, rows)]
    reasons = [_reasons(candidate) for _, candidate in asked]
    names = sorted({name for counts in reasons for name in counts})
    if names:
        heads = [words_cell(phrase("head.candidate"))]
        heads += [Cell(named("doing", name.replace(" ", "_"))) for name in names]
        rows = [
            [
                words_cell(candidate.label, look=candidate.look),
                *(Cell(f"{counts[name]:,}") for name in names),
            ]
            for (_, candidate), counts in zip(asked, reasons, strict=True)
        ]
        tables.append(Table(phrase("spent.doings"), heads, rows))
    has_unpriced = any(0 < total.priced < total.asked for total in totals)
    notes = [phrase("spent.partly")] if has_uncounted or has_unpriced else []
    figure = _against_cost(
        section, [(index, total) for (index, _), total in zip(asked, totals, strict=True)]
    )
    return Part(
        "spent",
        phrase("part.spent"),
        lead=[phrase("spent.lead")],
        tables=tables,
        figures=[figure] if figure is not None else [],
        notes=notes,
        legend=[(candidate.label, candidate.look) for _, candidate in asked],
    )


def cost_per_unit(candidate: MarkedCandidate, total: Spent) -> float | None:
    """What a unit costs on average, repeats included; None where not every reply has a price."""
    units = sum(
        any(row.usage is not None for row in unit.answers) for unit in candidate.sheet.units
    )
    return total.cost / units if units and total.priced == total.asked else None


def _against_cost(section: Section, totals: Sequence[tuple[int, Spent]]) -> Figure | None:
    """The main mark against the cost of a unit, where several candidates have both."""
    unit, metric = noun(section.kind.unit_noun), metric_words(section.main)
    points, descriptions = [], []
    for index, total in totals:
        candidate = section.candidates[index]
        main = candidate.mark(section.main)
        cost = cost_per_unit(candidate, total)
        if main is None or main.score is None or cost is None:
            continue
        score = mark(main.score, main.scale)
        points.append(CostPoint(candidate.look, cost, main.score, score, main.low, main.high))
        descriptions.append(
            phrase(
                "spent.said",
                name=candidate.label,
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


def _cost_cells(candidate: MarkedCandidate, total: Spent, *, has_uncounted: bool) -> list[Cell]:
    seconds = [
        row.seconds for row in _rows(candidate) if row.seconds is not None and row.error is None
    ]
    uncounted = [Cell(f"{total.uncounted:,}")] if has_uncounted else []
    return [
        words_cell(candidate.label, look=candidate.look),
        Cell(f"{total.asked:,}"),
        Cell(f"{total.cached:,}"),
        Cell(f"{total.input:,}"),
        Cell(f"{total.output:,}"),
        *uncounted,
        _cost(total),
        Cell(significant(cost_per_unit(candidate, total), 3)),
        Cell(decimal(median(seconds) if seconds else None)),
    ]


def _cost(total: Spent) -> Cell:
    """What it cost; where some rows have no price, how many rows that is the sum of."""
    if not total.priced:
        return Cell(ABSENT)
    under = None
    if total.priced < total.asked:
        under = phrase("spent.priced", priced=f"{total.priced:,}", asked=f"{total.asked:,}")
    return Cell(decimal(total.cost, 4), under=under)


def _reasons(candidate: MarkedCandidate) -> Counter[str]:
    """How often a reply was something else than an answer from the passage, by why."""
    counts: Counter[str] = Counter()
    for row in _rows(candidate):
        if row.error is not None:
            counts["error"] += 1
        elif isinstance(row.evidence, dict):
            reason = row.evidence.get("reason")
            counts.update([reason] if isinstance(reason, str) else [])
            counts.update(name for name in _NOTED_AS_FALSE if row.evidence.get(name) is False)
    return counts


def costs_section(data: SectionData) -> Part | None:
    """Tokens, seconds and money that candidates took."""
    return spent(data.section)
