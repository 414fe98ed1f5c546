"""Readability formulas of every passage of some files, and their tables.

A table is of one language: English and Chinese passages have different measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from readmark.core.display import ABSENT, Result, counted, plain_table, side_by_side
from readmark.core.encodings import UTF_8
from readmark.readability.file_passages import (
    FilePassage,
    PlacedPassage,
    by_name,
    passages_of,
    reading_notes,
    require_language,
)
from readmark.readability.formulas.by_language import Readability, readability, signature
from readmark.readability.formulas.chinese import ChineseReadability
from readmark.readability.formulas.english import GRADES, EnglishReadability


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    field: str
    decimals: int | None = 1


_TABLES = {
    "en": (
        _Column("words", "words", 0),
        _Column("sent.", "sentences", 0),
        _Column("Dale-\nChall", "dale_chall", 2),
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
        _Column("chars/\nsent.", "characters_per_sentence"),
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
_NO_MEASURES = {
    "en": dict.fromkeys(field.name for field in fields(EnglishReadability)),
    "zh": dict.fromkeys(field.name for field in fields(ChineseReadability)),
}
"""What is null for a passage that cannot be measured."""
NARROWEST = 4
"""Characters of the narrowest column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPassage(PlacedPassage):
    """A passage and its measures, or the reason why it has none."""

    readability: Readability | None = None


@dataclass(frozen=True, slots=True)
class Measurements(Result):
    """The readability of every passage of some files."""

    passages: tuple[MeasuredPassage, ...]
    notes: tuple[str, ...] = ()
    known_names: bool = True
    """Whether Dale-Chall counts names as familiar."""

    def as_json(self) -> dict[str, Any]:
        """Measures by passage, and the signature of each language: its rules and lists."""
        passages = {}
        for name, passage in by_name(self.passages).items():
            if passage.readability is not None:
                values = asdict(passage.readability)
            else:
                values = _NO_MEASURES.get(passage.language, _NO_MEASURES["en"])
            about: dict[str, Any] = {
                "file": passage.file,
                "language": passage.language,
                "reason": passage.reason,
            }
            if passage.encoding != UTF_8:
                about["encoding"] = passage.encoding
            if passage.left_out:
                about["left_out"] = passage.left_out
            passages[name] = about | {
                key: round(value, 4) if isinstance(value, float) else value
                for key, value in values.items()
            }
        languages = sorted(
            {passage.language for passage in self.passages if passage.readability is not None}
        )
        signatures = {
            language: signature(language, known_names=self.known_names) for language in languages
        }
        return {"formulas": passages, "signature": signatures}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per passage; the measures of English and of Chinese have columns each."""
        return [{"passage": name, **row} for name, row in self.as_json()["formulas"].items()]

    def show(self, console: Console) -> None:
        """A table per file and language with its signature, then what could not be measured."""
        groups: dict[tuple[str, str], list[tuple[str, Readability]]] = {}
        for passage in self.passages:
            if passage.readability is not None:
                groups.setdefault((passage.language, passage.file), []).append(
                    (passage.id, passage.readability)
                )
        for language, columns in _TABLES.items():
            tables = {file: rows for (code, file), rows in groups.items() if code == language}
            for file, rows in tables.items():
                console.print(f"{file}: {counted(len(rows), 'passage')}", style="bold")
                _print_table(console, columns, rows)
            if tables:
                console.print(_NOTES[language])
                parts = signature(language, known_names=self.known_names)
                rules = "|".join(f"{name}:{value}" for name, value in parts.items())
                console.print(f"signature {rules}", style="dim", soft_wrap=True)
        for passage in self.passages:
            if passage.readability is None:
                console.print(f"{passage.file}: {passage.id}: no measure, {passage.reason}")


def _print_table(
    console: Console, columns: Sequence[_Column], rows: Sequence[tuple[str, Readability]]
) -> None:
    cells = [[_cell(measures, column) for column in columns] for _, measures in rows]
    widths = [
        max(NARROWEST, *map(cell_len, (*column.title.split("\n"), *texts)))
        for column, texts in zip(columns, zip(*cells, strict=True), strict=True)
    ]
    name_width = max(cell_len(name) for name in ("passage", *(name for name, _ in rows)))
    # Long names give way: at least half of the line is for the measures.
    room = max(console.width - name_width, console.width // 2)
    for indices in side_by_side(widths, room, gap=1):
        table = plain_table("passage", *(columns[index].title for index in indices))
        table.padding = (0, 0)
        table.collapse_padding = True
        table.columns[0].min_width = min(name_width, console.width - room)
        for index, column in zip(indices, table.columns[1:], strict=True):
            column.min_width = column.max_width = widths[index]
        for (name, _), texts in zip(rows, cells, strict=True):
            table.add_row(name, *(texts[index] for index in indices))
        console.print(table)
    bands = {measures.grades for _, measures in rows if isinstance(measures, EnglishReadability)}
    in_order = [grades for grades in GRADES if grades in bands]
    if len(in_order) > 1:
        console.print(f"Dale-Chall grades: {in_order[0]} to {in_order[-1]}")


def _cell(measures: Readability, column: _Column) -> str:
    value = getattr(measures, column.field)
    if value is None:
        return ABSENT
    if column.decimals is None:
        return str(value)
    return f"{value:,.{column.decimals}f}"


def measure(
    files: Sequence[str],
    *,
    format: str | None = None,
    split: str | None = None,
    language: str | None = None,
    known_names: bool = True,
) -> Measurements:
    """The readability of every passage of some files; one without a measure has the reason.

    ``known_names`` is whether Dale-Chall counts names of persons and places as familiar words.
    """
    require_language(language, "formula")
    passages = tuple(
        _measured(file, passage, language, known_names)
        for file in files
        for passage in passages_of(file, format, split)
    )
    return Measurements(passages, reading_notes(files, passages), known_names)


def _measured(
    file: str, passage: FilePassage, language: str | None, known_names: bool
) -> MeasuredPassage:
    code, reason = passage.language_or_reason(language, "formula")
    measures = None
    if reason is None:
        measures = readability(passage.text, code, known_names=known_names)
        if measures is None:
            word = "Chinese word" if code == "zh" else "word"
            reason = f"the text has no {word}" if passage.text.strip() else "the text is empty"
    return MeasuredPassage(**passage.placed(file, code), reason=reason, readability=measures)
