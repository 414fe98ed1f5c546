"""Merged answers in a terminal: how each annotator's were placed, and what needs a look."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from readmark.reporting.terminal import counted, headline, make_console, plain_table
from readmark.setting.blind.merging import Merged

COLUMNS = {
    "given": "as placed",
    "exact": "found",
    "several": "one of several",
    "folded": "respelt",
    "absent": "not there",
    "empty": "empty",
}
SHOWN = 10
OWED = 3


def print_merged(done: Merged, *, dropped: bool) -> None:
    """A row an annotator; then the answers that need a look, and who still owes some."""
    console = make_console()
    used = [how for how in COLUMNS if any(how in counts for counts in done.counts.values())]
    table = plain_table("annotator", *(COLUMNS[how] for how in used))
    for name, counts in done.counts.items():
        table.add_row(name, *(str(counts.get(how, 0)) for how in used))
    console.print(table)
    if done.respelt:  # all of them: each is another answer than was given
        console.print("respelt as in the passage:")
        for id, annotator, before, after in done.respelt:
            console.print(_change(id, annotator, before, after))
    fate = "left out" if dropped else "kept without a place"
    _list(console, f"not in the passage, {fate}", done.absent)
    _list(console, "at several places, one taken", done.several)
    for name, ids in done.owed.items():
        every = len(ids) == done.handed_out[name]
        shown = ", ".join(ids[:OWED]) + ", …" * (len(ids) > OWED)
        owed = f"all {counted(len(ids), 'question')}" if every else f"{len(ids)} ({shown})"
        console.print(headline("still owed", " by ", name, f": {owed}"))


def _change(id: str, annotator: str, before: str, after: str) -> Text:
    return Text.assemble("  ", (id, "bold"), f" ({annotator}) {before} → {after}")


def _list(console: Console, title: str, rows: Sequence[tuple[str, str, str]]) -> None:
    if not rows:
        return
    console.print(f"{title}:")
    for id, annotator, text in rows[:SHOWN]:
        console.print(headline("  ", id, f" ({annotator}) ", text))
    if len(rows) > SHOWN:
        console.print(f"  and {len(rows) - SHOWN} more (--json lists all)")
