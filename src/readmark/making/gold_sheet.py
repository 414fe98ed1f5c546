"""The sheet in which a person writes golds of question series: drafts to copy, and reading it back.

The drafts follow "A gold standard of question reformulations for TREC question series": the full
target in its place, the forms of a target with brackets, PREVIOUS_ANSWER, and the earlier question
worked in. Each is in a column of its own, so that a gold is only what a person wrote.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from readmark.core.csv_text import SheetCell
from readmark.core.display import Result, counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.language import primary
from readmark.core.source import Source, suffixes_of
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.people_names import folded_name, require_name
from readmark.formats.sheets import in_workbook, is_table, is_table_name, sheet_bytes, tables_in
from readmark.formats.tables.headings import folded
from readmark.formats.workbook_writing import SheetContent, workbook_bytes
from readmark.making.gold_drafts import DRAFTS, drafted
from readmark.series import MOST_GOLDS, OTHER, Series, SeriesQuestion, gold_guidelines

BETWEEN = " | "
"""The separator of known answers in a cell."""
_HEADINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "id": "id",
        "target": "target",
        "question": "question",
        "previous": "known_answer",
        "draft": "draft_{}",
        "gold": "gold_{}",
        "note": "note",
        "annotator": "annotator",
        "guidelines": "Guidelines",
        "golds": "Golds",
        "without_brackets": "without_brackets",
        "in_brackets": "in_brackets",
        "previous_answer": "previous_answer",
        "previous_question": "previous_question",
    },
    "zh": {
        "id": "编号",
        "target": "对象",
        "question": "问题",
        "previous": "已知答案",
        "draft": "草稿：{}",
        "gold": "改写{}",
        "note": "备注",
        "annotator": "改写人",
        "guidelines": "说明",
        "golds": "改写",
        "without_brackets": "不带括号",
        "in_brackets": "括号内",
        "previous_answer": "前面的答案",
        "previous_question": "前面的问题",
    },
}
_WIDTHS = {"target": 25, "question": 45, "previous": 25}
_GOLD_WIDTH = 45
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, repr=False)
class GoldSheet(Result):
    """The sheet that was written; ``output`` is None if no question was left for it."""

    output: str | None
    language: str
    person: str | None
    series: int
    questions: int
    drafts: int
    """Questions with a draft."""
    notes: tuple[str, ...] = field(default=(), repr=False)

    def show(self, console: Console) -> None:
        """Print what the sheet has and what to do next."""
        for note in self.notes:
            console.print(note, soft_wrap=True)
        if self.output is not None:
            console.print(
                f"{self.output}: {counted(self.questions, 'question')} of "
                f"{counted(self.series, 'series')}, {self.drafts:,} with drafts; then: "
                f"readmark set merge SERIES {self.output} -o golds.jsonl",
                soft_wrap=True,
            )


def write_gold_sheet(
    test: Test,
    output: str | Path,
    *,
    person: str | None = None,
    language: str | None = None,
    force: bool = False,
) -> GoldSheet:
    """Write a sheet for a person's golds of a series test: one question per row, with drafts.

    Questions that have golds of ``person`` in the key are left out, as are OTHER questions and
    hidden splits. A sheet that exists is replaced only with ``force``.
    """
    test.require_kind("series")
    require_sheet(output, [test.file], force=force)
    if person is not None:
        person = require_name(person.strip(), "annotator")
    visible, hidden = without_hidden(test, "for annotators")
    language = language or ("zh" if primary(test.language) == "zh" else "en")
    questions = [
        (series, question)
        for series in visible.records()
        for question in series.questions
        if question.category != OTHER and not _has_golds_of(question, person)
    ]
    if not questions:
        whose = "" if person is None else f" that lacks golds of {person!r}"
        note = f"{test.file}: no question{whose}; {output} not written"
        return GoldSheet(None, language, person, 0, 0, 0, (*hidden, note))
    drafts, notes = drafted(visible)
    rows = [_Row(series, question, drafts.get(question.id, {})) for series, question in questions]
    with writing(output) as stream:
        stream.writelines(_pieces(rows, language, person, output))
    return GoldSheet(
        str(output),
        language,
        person,
        len({series.id for series, _ in questions}),
        len(rows),
        sum(bool(row.drafts) for row in rows),
        (*hidden, *notes),
    )


def require_sheet(output: str | Path, sources: Sequence[str | Path], *, force: bool) -> None:
    """Refuse a name without a sheet's suffix, an input, and a sheet that may be filled in."""
    if not is_table_name(output):
        raise UsageError(f"{output}: a sheet ends in .xlsx, .csv or .tsv")
    require_distinct_files([output], sources)
    file = Path(output)
    if not force and file.is_file() and file.stat().st_size:
        raise UsageError(f"{output}: exists, and may have been filled in; `force` replaces it")


def _has_golds_of(question: SeriesQuestion, person: str | None) -> bool:
    if person is None or question.key is None:
        return False
    names = (rewrite.annotator for rewrite in question.key.rewrites)
    return any(name is not None and folded_name(name) == folded_name(person) for name in names)


@dataclass(frozen=True, slots=True)
class _Row:
    series: Series
    question: SeriesQuestion
    drafts: Mapping[str, str]


def _pieces(
    rows: Sequence[_Row], language: str, person: str | None, file: str | Path
) -> Iterator[bytes]:
    names = _HEADINGS[language]
    forms = [form for form in DRAFTS if any(form in row.drafts for row in rows)]
    has_previous = any(row.question.previous for row in rows)
    drafts = [names["draft"].format(names[form]) for form in forms]
    golds = [names["gold"].format(number) for number in range(1, MOST_GOLDS + 1)]

    columns = [names["id"], names["target"], names["question"]]
    if has_previous:
        columns.append(names["previous"])
    columns += [*drafts, *golds, names["note"], names["annotator"]]
    cells: list[list[SheetCell]] = []
    for row in rows:
        line: list[SheetCell] = [row.question.id, row.series.target, row.question.text]
        if has_previous:
            line.append(BETWEEN.join(row.question.previous))
        line += [row.drafts.get(form, "") for form in forms]
        line += [""] * len(golds)
        line += ["", person or ""]
        cells.append(line)
    if "".join(suffixes_of(file)[-1:]) in (".csv", ".tsv"):
        yield from sheet_bytes(file, columns, cells, notes=gold_guidelines(language))
        return
    widths = {names[name]: width for name, width in _WIDTHS.items()}
    widths |= dict.fromkeys([*drafts, *golds], _GOLD_WIDTH)
    guidelines = [[line] for line in gold_guidelines(language)]
    yield workbook_bytes(
        [
            SheetContent(names["guidelines"], (), guidelines),
            SheetContent(names["golds"], columns, map(in_workbook, cells), widths=widths),
        ],
        file,
    )


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A row of a sheet: a person's golds of a question; none if it is not filled in."""

    place: int
    id: str
    golds: tuple[str, ...]
    person: str | None
    question: str | None
    target: str | None
    note: str | None = None


_READ = {
    folded(names[name]): name
    for names in _HEADINGS.values()
    for name in ("id", "target", "question", "annotator", "note")
}
_GOLD = re.compile(r"(?:gold|改写)([1-9]\d?)")


def _is_header(cells: Sequence[str]) -> bool:
    names = [folded(cell) for cell in cells]
    ids = any(_READ.get(name) == "id" for name in names)
    return ids and any(_GOLD.fullmatch(name) for name in names)


def is_gold_sheet(source: Source) -> bool:
    """Whether a file is a table with ids and columns of golds."""
    if source.folder is not None or not is_table(source):
        return False
    try:
        with contextlib.closing(tables_in(source.file, _is_header)) as tables:
            return any(_is_header(headings) for _, headings, _ in tables)
    except DataError:
        return False


def read_gold_sheet(path: str | Path) -> Iterator[GoldRow]:
    """The rows of a sheet; a gold that occurs twice in one row counts once."""
    with contextlib.closing(tables_in(path, _is_header)) as tables:
        place, headings, rows = next(tables)
        if not _is_header(headings):
            columns = ", ".join(heading.strip() for heading in headings if heading.strip())
            raise DataError(
                f"has no columns id and gold_1; found: {columns or 'none'}", file=path, where=place
            )
        names = [folded(heading) for heading in headings]
        fields = {_READ[name]: index for index, name in enumerate(names) if name in _READ}
        golds = [index for index, name in enumerate(names) if _GOLD.fullmatch(name)]

        def cell(cells: Sequence[str], name: str) -> str | None:
            return cells[fields[name]].strip() or None if name in fields else None

        for place, cells in rows:
            texts = [_SPACES.sub(" ", cells[index]).strip() for index in golds]
            id = cell(cells, "id")
            if id is None:
                if not any(texts):
                    continue
                raise DataError("has golds and no id", file=path, where=place)
            yield GoldRow(
                place,
                id,
                tuple(dict.fromkeys(filter(None, texts))),
                cell(cells, "annotator"),
                cell(cells, "question"),
                cell(cells, "target"),
                cell(cells, "note"),
            )
