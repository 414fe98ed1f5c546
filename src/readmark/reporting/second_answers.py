"""Merged answers in a terminal: how each annotator's were placed, and what needs a look."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from readmark.reporting.terminal import headline, make_console, plain_table
from readmark.setting.blind.merging import Merged

COLUMNS = {
    "given": "as placed",
    "exact": "found",
    "several": "first of several",
    "folded": "respelt",
    "absent": "not there",
    "empty": "empty",
}
SHOWN = 10


def print_merged(done: Merged, *, kept: bool) -> None:
    """A row an annotator; then the answers that do not stand in their passage."""
    console = make_console()
    used = [how for how in COLUMNS if any(how in counts for counts in done.counts.values())]
    table = plain_table("annotator", *(COLUMNS[how] for how in used))
    for name, counts in done.counts.items():
        table.add_row(name, *(str(counts.get(how, 0)) for how in used))
    console.print(table)
    fate = "kept without a place" if kept else "left out"
    _list(console, f"not in the passage, {fate}", done.absent)
    _list(console, "at several places, the first taken", done.several)


def _list(console: Console, title: str, rows: Sequence[tuple[str, str, str]]) -> None:
    if not rows:
        return
    console.print(f"{title}:")
    for id, annotator, text in rows[:SHOWN]:
        console.print(headline("  ", id, f" ({annotator}) ", text))
    if len(rows) > SHOWN:
        console.print(f"  and {len(rows) - SHOWN} more (--json lists all)")
