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
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.language import primary
from readmark.core.source import Source, suffixes_of
from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.returned_work import folded_name, require_name
from readmark.formats.sheets import in_workbook, is_table, is_table_name, sheet_bytes, tables_in
from readmark.formats.tables.headings import folded
from readmark.formats.workbooks import SheetContent, workbook_bytes
from readmark.series import (
    MOST_GOLDS,
    OTHER,
    PREVIOUS_ANSWER,
    Series,
    SeriesQuestion,
    bracketed,
    gold_guidelines,
)
from readmark.sitting import build_candidate, make_ready

DRAFTS = ("target", "without_brackets", "in_brackets", "previous_answer", "previous_question")
"""What a question may be drafted with, in the order of the columns."""
BETWEEN = " | "
"""What is between known answers in a cell."""
_HEADINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        **{name: name for name in ("id", "question", "note", "annotator", *DRAFTS)},
        "previous": "known_answer",
        "draft": "draft_{}",
        "gold": "gold_{}",
        "guidelines": "Guidelines",
        "golds": "Golds",
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
_WIDE = 45


@dataclass(frozen=True, repr=False)
class GoldSheet(Result):
    """The sheet that was written; ``output`` is None where nobody had anything left to write."""

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
    """Write a sheet for somebody's golds of a series test: a question a row, with drafts.

    Questions of which the key has golds of ``person`` are left out, as are OTHER questions and
    hidden splits. A sheet that exists is replaced only with ``force``.
    """
    test.require_kind("series")
    require_sheet(output, [test.file], force=force)
    if person is not None:
        person = require_name(person.strip(), "annotator")
    shown, hidden = without_hidden(test, "for annotators")
    language = language or ("zh" if primary(test.language) == "zh" else "en")
    asked = [
        (series, question)
        for series in shown.records()
        for question in series.questions
        if question.category != OTHER and not _has_golds_of(question, person)
    ]
    if not asked:
        whose = "" if person is None else f" that lacks golds of {person!r}"
        note = f"{test.file}: no question{whose}; {output} not written"
        return GoldSheet(None, language, person, 0, 0, 0, (*hidden, note))
    drafts, notes = drafted(shown)
    rows = [_Row(series, question, drafts.get(question.id, {})) for series, question in asked]
    with writing(output) as stream:
        stream.writelines(_pieces(rows, language, person, output))
    return GoldSheet(
        str(output),
        language,
        person,
        len({series.id for series, _ in asked}),
        len(rows),
        sum(bool(row.drafts) for row in rows),
        (*hidden, *notes),
    )


def require_sheet(output: str | Path, sources: Sequence[str | Path], *, force: bool) -> None:
    """Refuse a name that is no sheet's, an input, and a sheet that somebody may have filled in."""
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
    used = [draft for draft in DRAFTS if any(draft in row.drafts for row in rows)]
    known = any(row.question.previous for row in rows)
    drafts = {draft: names["draft"].format(names[draft]) for draft in used}
    golds = [names["gold"].format(number) for number in range(1, MOST_GOLDS + 1)]
    columns = [names["id"], names["target"], names["question"]]
    columns += [*([names["previous"]] if known else []), *drafts.values(), *golds]
    columns += [names["note"], names["annotator"]]
    cells: list[list[SheetCell]] = [
        [
            row.question.id,
            row.series.target,
            row.question.text,
            *([BETWEEN.join(row.question.previous)] if known else []),
            *(row.drafts.get(draft, "") for draft in used),
            *[""] * len(golds),
            "",
            person or "",
        ]
        for row in rows
    ]
    if "".join(suffixes_of(file)[-1:]) in (".csv", ".tsv"):
        yield from sheet_bytes(file, columns, cells, notes=gold_guidelines(language))
        return
    widths = {names[name]: width for name, width in _WIDTHS.items()}
    widths |= dict.fromkeys([*drafts.values(), *golds], _WIDE)
    guidelines = [[line] for line in gold_guidelines(language)]
    yield workbook_bytes(
        [
            SheetContent(names["guidelines"], (), guidelines),
            SheetContent(names["golds"], columns, map(in_workbook, cells), widths=widths),
        ],
        file,
    )


# Drafts: what the rules of the guided rewriter make of a question, in the forms of a gold.


_REWRITERS = ("guided", "guided(persons=answer)", "guided(previous=question)")
_SPACES = re.compile(r"\s+")


def drafted(test: Test) -> tuple[dict[str, dict[str, str]], tuple[str, ...]]:
    """The drafts of each question by its id, and a note where there can be none."""
    made: list[dict[str, str]] = []
    try:
        for name in _REWRITERS:
            name, candidate = build_candidate(name, test)
            make_ready(name, candidate, test.kind, test.language)
            records = test.paper().records()
            units = (unit for record in records for unit in test.kind.units(record))
            rows = candidate.answer(units)
            made.append({row.id: row.text for row in rows if row.answered})
    except ReadmarkError as error:
        return {}, (f"without drafts: {error}",)
    drafts = {}
    for series in test.records():
        for question in series.questions:
            rewrites = [rewrites.get(question.id, "") for rewrites in made]
            drafts[question.id] = dict(_forms(series.target, *rewrites))
    return drafts, ()


def _forms(target: str, usual: str, of_answer: str, embedded: str) -> Iterator[tuple[str, str]]:
    """The drafts of one question by their columns."""
    for rewrite in (usual, of_answer):
        if rewrite and PREVIOUS_ANSWER not in rewrite:
            yield "target", rewrite
            forms = bracketed(target)
            if forms is not None and forms.full in rewrite:
                yield "without_brackets", rewrite.replace(forms.full, forms.outer)
                yield "in_brackets", _without_article(rewrite, forms.full, forms.inner[0])
            break
    for rewrite in (usual, of_answer):
        if PREVIOUS_ANSWER in rewrite:
            yield "previous_answer", rewrite
            if embedded and PREVIOUS_ANSWER not in embedded:
                yield "previous_question", embedded
            break


def _without_article(rewrite: str, full: str, inner: str) -> str:
    """The name in brackets in place of the target; one in capitals, such as CERN, has no "the"."""
    article = r"(?<!\w)the\s+" if inner.isupper() and not inner.startswith("the ") else r"(?!)"
    bare = re.sub(article + re.escape(full), lambda _: inner, rewrite)
    return bare.replace(full, inner)


# Reading a sheet back.


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A row of a sheet: somebody's golds of a question, none where it is not filled in."""

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
    """The rows of a sheet; what people wrote twice in one row is one gold."""
    with contextlib.closing(tables_in(path, _is_header)) as tables:
        place, headings, rows = next(tables)
        if not _is_header(headings):
            found = ", ".join(heading.strip() for heading in headings if heading.strip())
            raise DataError(
                f"has no columns id and gold_1; found: {found or 'none'}", file=path, where=place
            )
        names = [folded(heading) for heading in headings]
        fields = {_READ[name]: at for at, name in enumerate(names) if name in _READ}
        golds = [at for at, name in enumerate(names) if _GOLD.fullmatch(name)]

        def cell(cells: Sequence[str], name: str) -> str | None:
            return cells[fields[name]].strip() or None if name in fields else None

        for place, cells in rows:
            texts = [_SPACES.sub(" ", cells[at]).strip() for at in golds]
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
