"""What a language model took and did: tokens, cost, seconds, and replies that were no answers."""

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

_DOINGS = ("in_passage", "in_options")
"""What is noted, as false, of an answer that is not where answers are."""


def spent(section: Section) -> Part | None:
    """Two tables; None where no candidate counted what it took."""
    asked = [
        (index, candidate)
        for index, candidate in enumerate(section.candidates)
        if any(row.usage is not None for row in _rows(candidate))
    ]
    if not asked:
        return None
    totals = [
        functools.reduce(Spent.with_row, _rows(marked_candidate), Spent())
        for _, marked_candidate in asked
    ]
    partly = any(total.uncounted for total in totals)
    head = ("asked", "cached", "input", "output", *(["uncounted"] if partly else []), "cost")
    unit = noun(section.kind.unit_noun)
    heads = [words_cell(phrase("head.candidate"))]
    heads += [Cell(phrase(f"spent.{name}")) for name in head]
    heads += [Cell(phrase("spent.each", unit=unit)), Cell(phrase("spent.seconds"))]
    rows = [
        _took(candidate, total, partly=partly)
        for (_, candidate), total in zip(asked, totals, strict=True)
    ]
    tables = [Table(phrase("spent.table"), heads, rows)]
    doings = [(at, marked_candidate, _doings(marked_candidate)) for at, marked_candidate in asked]
    seen = sorted({name for _, _, found in doings for name in found})
    if seen:
        shown = [
            [
                words_cell(marked_candidate.label, look=marked_candidate.look),
                *(Cell(f"{found[name]:,}") for name in seen),
            ]
            for at, marked_candidate, found in doings
        ]
        called = [named("doing", name.replace(" ", "_")) for name in seen]
        heads = [words_cell(phrase("head.candidate")), *map(Cell, called)]
        tables.append(Table(phrase("spent.doings"), heads, shown))
    unpriced = any(0 < total.priced < total.asked for total in totals)
    notes = [phrase("spent.partly")] if partly or unpriced else []
    figure = _against_cost(
        section, [(at, total) for (at, _), total in zip(asked, totals, strict=True)]
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
    points, boths = [], []
    for index, total in totals:
        candidate = section.candidates[index]
        main = candidate.mark(section.main)
        cost = cost_per_unit(candidate, total)
        if main is None or main.score is None or cost is None:
            continue
        score = mark(main.score, main.scale)
        points.append(CostPoint(candidate.look, cost, main.score, score, main.low, main.high))
        said = {
            "name": candidate.label,
            "score": score,
            "cost": significant(cost, 3),
            "unit": unit,
        }
        boths.append(phrase("spent.said", **said))
    if len(points) < 2:
        return None
    title = phrase("spent.against", metric=metric)
    svg = cost_plot(
        f"p{section.number}-cost",
        points,
        across=phrase("spent.across", unit=unit),
        up=metric,
        title=title,
        description=clauses(boths),
    )
    return Figure(svg, title)


def _rows(one: MarkedCandidate) -> Iterator[Row]:
    return (row for unit in one.sheet.units for row in unit.answers)


def _took(one: MarkedCandidate, total: Spent, *, partly: bool) -> list[Cell]:
    seconds = [row.seconds for row in _rows(one) if row.seconds is not None and row.error is None]
    uncounted = [Cell(f"{total.uncounted:,}")] if partly else []
    each = cost_per_unit(one, total)
    return [
        words_cell(one.label, look=one.look),
        Cell(f"{total.asked:,}"),
        Cell(f"{total.cached:,}"),
        Cell(f"{total.input:,}"),
        Cell(f"{total.output:,}"),
        *uncounted,
        _cost(total),
        Cell(significant(each, 3)),
        Cell(decimal(median(seconds) if seconds else None)),
    ]


def _cost(total: Spent) -> Cell:
    """What it cost; where some rows have no price, of how many that is the sum."""
    if not total.priced:
        return Cell(ABSENT)
    under = None
    if total.priced < total.asked:
        under = phrase("spent.priced", priced=f"{total.priced:,}", asked=f"{total.asked:,}")
    return Cell(decimal(total.cost, 4), under=under)


def _doings(one: MarkedCandidate) -> Counter[str]:
    """How often a reply was something else than an answer from the passage."""
    found: Counter[str] = Counter()
    for row in _rows(one):
        if row.error is not None:
            found["error"] += 1
        elif isinstance(row.evidence, dict):
            reason = row.evidence.get("reason")
            found.update([reason] if isinstance(reason, str) else [])
            found.update(name for name in _DOINGS if row.evidence.get(name) is False)
    return found


def costs_section(shown: SectionData) -> Part | None:
    """Tokens, seconds and money that candidates took."""
    return spent(shown.section)
