"""What a language model took and did: tokens, cost, seconds, and replies that were no answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

from readmark.corpus.sitting import Row
from readmark.corpus.spending import Spent
from readmark.reporting.html import numbers
from readmark.reporting.html.figures.series import series
from readmark.reporting.html.layout import Cell, Part, Table, words_cell
from readmark.reporting.html.sections import Candidate, Section
from readmark.reporting.html.words import named, say

_DOINGS = ("in_passage", "in_options")
"""What is noted, as false, of an answer that is not where answers are."""


def spent(section: Section) -> Part | None:
    """Two tables; None where no candidate counted what it took."""
    asked = [(at, one) for at, one in enumerate(section.candidates) if _counts(one)]
    if not asked:
        return None
    head = ("candidate", "asked", "cached", "input", "output", "cost", "seconds")
    rows = [_took(at, one) for at, one in asked]
    tables = [Table(say("spent.table"), _head(head), rows)]
    doings = [(at, one, _doings(one)) for at, one in asked]
    seen = sorted({name for _, _, found in doings for name in found})
    if seen:
        shown = [
            [words_cell(one.label, look=series(at)), *(Cell(f"{found[name]:,}") for name in seen)]
            for at, one, found in doings
        ]
        called = [named("doing", name.replace(" ", "_")) for name in seen]
        heads = [words_cell(say("head.candidate")), *map(Cell, called)]
        tables.append(Table(say("spent.doings"), heads, shown))
    return Part("spent", say("part.spent"), lead=[say("spent.lead")], tables=tables)


def _counts(one: Candidate) -> bool:
    return any(row.usage is not None for row in _rows(one))


def _rows(one: Candidate) -> Iterator[Row]:
    return (row for unit in one.sheet.units for row in unit.answers)


def _head(names: tuple[str, ...]) -> list[Cell]:
    first, *others = names
    return [words_cell(say(f"head.{first}")), *(Cell(say(f"spent.{name}")) for name in others)]


def _took(at: int, one: Candidate) -> list[Cell]:
    total = Spent()
    for row in _rows(one):
        total = total.with_row(row)
    seconds = [row.seconds for row in _rows(one) if row.seconds is not None and row.error is None]
    return [
        words_cell(one.label, look=series(at)),
        Cell(f"{total.asked:,}"),
        Cell(f"{total.cached:,}"),
        Cell(f"{total.input:,}"),
        Cell(f"{total.output:,}"),
        Cell(f"{total.cost:.4f}" if total.priced else numbers.ABSENT),
        Cell(f"{median(seconds):.2f}" if seconds else numbers.ABSENT),
    ]


def _doings(one: Candidate) -> Counter[str]:
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
