"""Readability tables in a terminal: a passage a row, English and Chinese apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console

from readmark.reporting.terminal import ABSENT, counted, make_console, plain_table
from readmark.text.readability import Readability, signature
from readmark.text.readability.dale_chall import GRADES
from readmark.text.readability.english import EnglishReadability


class Passage(Protocol):
    """What is shown of a measured passage."""

    @property
    def file(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def readability(self) -> Readability | None: ...
    @property
    def reason(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    field: str
    decimals: int | None = 1


_TABLES = {
    "en": (
        _Column("words", "words", 0),
        _Column("sent.", "sentences", 0),
        _Column("Dale-Chall", "dale_chall", 2),
        _Column("grades", "grades", None),
        _Column("Flesch", "flesch"),
        _Column("F-K", "flesch_kincaid"),
        _Column("fog", "fog"),
        _Column("SMOG", "smog"),
        _Column("ARI", "ari"),
        _Column("C-L", "coleman_liau"),
    ),
    "zh": (
        _Column("chars", "characters", 0),
        _Column("sent.", "sentences", 0),
        _Column("chars/sent.", "characters_per_sentence"),
        _Column("rare %", "rare_words"),
        _Column("Zipf", "zipf", 2),
        _Column("strokes", "strokes", 2),
        _Column("index", "index"),
    ),
}
_NOTES = {
    "en": "Flesch: higher is easier; the others are school grades.",
    "zh": "index: 100 is ordinary, higher is harder; Zipf: lower is rarer.",
}


def print_readability(passages: Sequence[Passage]) -> None:
    """A table a file and language, what it rests on, and what could not be measured."""
    console = make_console()
    groups: dict[tuple[str, str], list[tuple[str, Readability]]] = {}
    for one in passages:
        if one.readability is not None:
            groups.setdefault((one.language, one.file), []).append((one.id, one.readability))
    for language, columns in _TABLES.items():
        shown = {file: rows for (tongue, file), rows in groups.items() if tongue == language}
        for file, rows in shown.items():
            console.print(f"{file}: {counted(len(rows), 'passage')}", style="bold")
            _print_table(console, columns, rows)
        if shown:
            console.print(_NOTES[language])
            said = "|".join(f"{name}:{value}" for name, value in signature(language).items())
            console.print(f"signature {said}", style="dim", soft_wrap=True)
    for one in passages:
        if one.readability is None:
            console.print(f"{one.file}: {one.id}: no measure, {one.reason}")


def _print_table(
    console: Console, columns: Sequence[_Column], rows: Sequence[tuple[str, Readability]]
) -> None:
    table = plain_table("passage", *(column.title for column in columns))
    table.padding = (0, 0)
    table.collapse_padding = True
    for each in table.columns[1:]:
        each.min_width = 4
    for name, found in rows:
        table.add_row(name, *(_cell(found, column) for column in columns))
    console.print(table)
    met = {one.grades for _, one in rows if isinstance(one, EnglishReadability)}
    in_order = [grades for grades in GRADES if grades in met]
    if len(in_order) > 1:
        console.print(f"Dale-Chall grades: {in_order[0]} to {in_order[-1]}")


def _cell(found: Readability, column: _Column) -> str:
    value = getattr(found, column.field)
    if value is None:
        return ABSENT
    if column.decimals is None:
        return str(value)
    return f"{value:,.{column.decimals}f}"
