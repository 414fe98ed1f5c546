"""The comparison of two translators in a terminal: the table, then mismatches side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from readmark.reporting.terminal import make_console, plain_table
from readmark.setting.adjudication import Disagreement
from readmark.setting.translation.comparing import SCOPES, Column

ROOM = 72
"""The width from which questions and keys have columns of their own."""

_TITLES = {"all": "all", "question": "questions", "key": "keys"}
_ROWS = {
    "exact": "exact matches",
    "synonym": "synonyms",
    "equivalent_description": "equivalent descriptions",
    "voice": "active or passive voice",
    "anaphora": "anaphora or direct reference",
    "different_meaning": "different meanings",
}


def print_shares(columns: Mapping[str, Column]) -> None:
    """Exact matches and causes as percentages of all translations, with the counts."""
    console = make_console()
    scopes = SCOPES if console.width >= ROOM else SCOPES[:1]
    table = plain_table("percent of translations", *(_TITLES[scope] for scope in scopes))
    for name, label in _ROWS.items():
        table.add_row(label, *(_cell(columns[scope], name) for scope in scopes))
    table.add_section()
    totals = {scope: sum(one.count for one in columns[scope].values()) for scope in scopes}
    table.add_row(
        "translations", *(f"{'100.0' if total else '–'} ({total:,})" for total in totals.values())
    )
    console.print(table)


def print_mismatches(
    rows: Sequence[Disagreement], names: tuple[str, str], *, most: int | None
) -> None:
    """Mismatches one under the other, the two versions under the English."""
    console = make_console()
    for row in rows[:most]:
        console.print(_headline(row, names))
        a, b = (f"{side}: {name}" for side, name in zip("ab", names, strict=True))
        versions = {"English": row.beside.get("english"), a: row.a, b: row.b}
        width = max(map(cell_len, (*versions, "why")))
        for label, text in versions.items():
            _line(console, label, "–" if text is None else str(text), width)
        _line(console, "why", row.why or "", width, "dim")
        console.print()


def _headline(row: Disagreement, names: tuple[str, str]) -> Text:
    if row.cause is None:
        return Text(row.id, "bold").append("  not compared", "not bold")
    cause = f"{row.cause}{'?' if row.confidence == 'low' else ''}"
    adopt = {"a": names[0], "b": names[1], "either": "either", None: "undecidable"}[row.suggestion]
    return Text(row.id, "bold").append(f"  {cause}, adopt {adopt}", "not bold")


def _line(console: Console, label: str, text: str, width: int, style: str = "") -> None:
    room = max(20, console.width - width - 4)
    for at, part in enumerate(Text(text, style).wrap(console, room)):
        part.rstrip()
        head = label if at == 0 else ""
        console.print(Text(f"  {head}{' ' * (width - cell_len(head))}  ").append(part))


def _cell(column: Column, name: str) -> str:
    one = column[name]
    empty = not any(share.count for share in column.values())
    return "–" if empty else f"{one.percent:.1f} ({one.count:,})"
