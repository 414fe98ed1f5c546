"""The table of exact matches and causes, in percent of a column's translations.

The document has the first column alone, questions and keys together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rich.console import Console

from readmark.core.display import ABSENT, plain_table
from readmark.core.numbers import decimal
from readmark.making.translation.causes import CAUSES
from readmark.making.translation.pairs import TranslationPair

EXACT = "exact"
SCOPES = {"all": "all", "question": "questions", "key": "keys"}
"""The table's columns with their titles: everything together as in the document, then apart."""
ROOM = 72
"""The width from which questions and keys have columns of their own."""
_ROWS = {
    EXACT: "exact matches",
    "synonym": "synonyms",
    "equivalent_description": "equivalent descriptions",
    "voice": "active or passive voice",
    "anaphora": "anaphora or direct reference",
    "different_meaning": "different meanings",
}


@dataclass(frozen=True, slots=True)
class CauseShare:
    """A count with its percentage of the column's translations."""

    count: int
    percent: float
    """Unrounded, so that printed ones need not add up to 100; 0 where there are none."""


CauseTable = dict[str, dict[str, CauseShare]]
"""Exact matches and the five causes of each scope."""


def cause_table(pairs: Iterable[TranslationPair], causes: Mapping[str, str]) -> CauseTable:
    """Exact matches and causes, for everything, questions and keys; ``causes`` are by row id."""
    columns: dict[str, Counter[str]] = {scope: Counter() for scope in SCOPES}
    for pair in pairs:
        name = EXACT if pair.exact else causes[pair.id]
        columns["all"][name] += 1
        columns[pair.what][name] += 1
    table = {}
    for scope, counts in columns.items():
        total = max(counts.total(), 1)
        table[scope] = {
            name: CauseShare(counts[name], 100 * counts[name] / total) for name in (EXACT, *CAUSES)
        }
    return table


def show_table(console: Console, columns: CauseTable) -> None:
    """Exact matches and causes as percentages of each column's translations, with the counts."""
    scopes = list(SCOPES) if console.width >= ROOM else ["all"]
    totals = {scope: sum(share.count for share in columns[scope].values()) for scope in scopes}
    table = plain_table("percent of translations", *(SCOPES[scope] for scope in scopes))
    for name, label in _ROWS.items():
        cells = []
        for scope in scopes:
            share = columns[scope][name]
            percent = f"{decimal(share.percent, 1)} ({share.count:,})"
            cells.append(percent if totals[scope] else ABSENT)
        table.add_row(label, *cells)
    table.add_section()
    sums = (f"{'100.0' if total else ABSENT} ({total:,})" for total in totals.values())
    table.add_row("translations", *sums)
    console.print(table)
