"""``readmark set sheet``: a sheet for authors of questions, which ``convert`` reads back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.comprehension import LEVELS, guideline_profiles, question_guidelines
from readmark.console import OUTPUT_FILE
from readmark.core.csv_text import SheetCell
from readmark.core.display import Result, counted
from readmark.core.errors import DataError, UsageError
from readmark.core.language import language_of
from readmark.core.source import Source, suffixes_of
from readmark.core.test import Test
from readmark.core.writing import writing
from readmark.formats.registry import open_test
from readmark.formats.sheets import in_workbook, is_table, sheet_bytes
from readmark.formats.tables.cells import LETTERS
from readmark.formats.tables.named_texts import TEXT_FILES, NamedText, named_texts
from readmark.formats.workbook_writing import SheetContent, workbook_bytes
from readmark.making.gold_sheet import require_sheet, write_gold_sheet
from readmark.text.questions.types import TYPES

_HEADINGS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "passage_id": "passage_id",
        "title": "title",
        "passage": "passage",
        "question": "question",
        "option": "{}",
        "answer": "answer",
        "answers": "answer_{}",
        "level": "level",
        "type": "type",
        "guidelines": "Guidelines",
        "questions": "Questions",
        "passages": "Passages",
    },
    "zh": {
        "passage_id": "篇章编号",
        "title": "标题",
        "passage": "篇章",
        "question": "问题",
        "option": "选项{}",
        "answer": "答案",
        "answers": "答案{}",
        "level": "等级",
        "type": "题型",
        "guidelines": "说明",
        "questions": "题目",
        "passages": "篇章",
    },
}
_WIDTHS = {"title": 20, "question": 50, "passage": 100, "answer": 30}
MOST_ROWS = 200


@click.command("sheet")
@click.argument("source", metavar="PASSAGES")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Sheet to write; its suffix is .xlsx, .csv or .tsv.",
    type=OUTPUT_FILE,
)
@click.option(
    "--rows",
    type=click.IntRange(1, MOST_ROWS),
    default=5,
    help="Empty rows for each passage",
)
@click.option(
    "--answers",
    type=click.IntRange(1, 9),
    default=1,
    help="Columns for answers to each question",
)
@click.option(
    "--options",
    "choices",
    type=click.IntRange(0, len(LETTERS)),
    default=0,
    help="Columns for the options of multiple-choice questions",
)
@click.option(
    "--language",
    type=click.Choice(list(_HEADINGS)),
    help="Language of the headings and guidelines  [default: detected from the passages]",
)
@click.option(
    "--for",
    "person",
    metavar="NAME",
    help="For series, the person who will write golds in the sheet  [default: the sheet's name]",
)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option(
    "--profile",
    type=click.Choice(guideline_profiles()),
    help="Document whose rules the guidelines state  [default: none]",
)
@options.split_option
@options.from_option
@options.json_option
def sheet_command(
    source: str,
    output: str,
    language: str | None,
    person: str | None,
    force: bool,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **layout: Any,
) -> None:
    """Write a sheet in which people write questions on PASSAGES, or golds of question series.

    PASSAGES is a folder of text files, a text file, a table of passages, or a test, of which only
    the passages are taken. A workbook (.xlsx) has a sheet of guidelines with examples of the four
    levels, a sheet of questions with drop-downs for level and type, and a sheet of passages. In CSV
    the guidelines are lines that begin with #, and each passage is in its first row. Read the
    completed sheet with readmark set collect, which checks it, or with readmark convert.

    For a series test, the sheet has a row for each question, with drafts by rule: the full target,
    its forms with and without brackets, PREVIOUS_ANSWER, and the earlier question worked in. Pass
    the completed sheets to readmark set merge.
    """
    sheet: Result
    series = series_test(source, format=from_format, split=split)
    if series is not None:
        for name, option in (("rows", "rows"), ("answers", "answers"), ("choices", "options")):
            if options.is_given(name):
                raise UsageError(
                    f"--{option} is for questions on passages, and this is a series test"
                )
        sheet = write_gold_sheet(series, output, person=person, language=language, force=force)
        options.print_written(sheet, as_json=as_json)
        return
    if person is not None:
        raise UsageError("--for is for series tests; questions on passages have no golds")
    sheet = write_question_sheet(
        source,
        output,
        language=language,
        split=split,
        format=from_format,
        force=force,
        **layout,
    )
    options.print_written(sheet, as_json=as_json)


def series_test(source: str, *, format: str | None, split: str | None) -> Test | None:
    """The test in ``source``, if it is a series test; None for texts, tables and other tests."""
    if format is None and split is None and not _is_test(source):
        return None
    test = open_test(source, format=format, split=split)
    return test if test.kind.name == "series" else None


def _is_test(source: str | Path) -> bool:
    """Whether passages come from a test: not from a folder, a text or a table."""
    file = Source(source)
    suffix = "".join(file.suffixes[-1:])
    return not (file.folder is not None or suffix in TEXT_FILES or is_table(file))


@dataclass(frozen=True, repr=False)
class QuestionSheet(Result):
    """The sheet that was written."""

    output: str
    language: str
    passages: int
    rows: int
    profile: str | None = None
    """The document whose rules the guidelines state."""
    test: str | None = None
    """The test that has the passages, if it is one."""

    def show(self, console: Console) -> None:
        """Print what the sheet has and what to do next."""
        passages, rows = counted(self.passages, "passage"), counted(self.rows, "row")
        command = f"readmark set collect {self.output} -o test.jsonl"
        if self.test:
            command += f" --passages {self.test}"
        if self.profile:
            command += f" --profile {self.profile}"
        console.print(
            f"{self.output}: {passages}, {rows} to fill in; then: {command}", soft_wrap=True
        )


def write_question_sheet(
    source: str | Path,
    output: str | Path,
    *,
    rows: int = 5,
    answers: int = 1,
    choices: int = 0,
    language: str | None = None,
    profile: str | None = None,
    split: str | None = None,
    format: str | None = None,
    force: bool = False,
) -> QuestionSheet:
    """Write a sheet for authors of questions on the passages of a folder, a table or a test.

    ``rows`` are the empty rows for each passage, ``answers`` and ``choices`` the columns of
    answers and options, ``language`` (en or zh) that of the headings and guidelines, ``profile``
    (cmrc or smart) the document whose rules they state. A sheet that exists is replaced only with
    ``force``.
    """
    require_sheet(output, [source], force=force)
    texts = list(named_texts(source, format=format, split=split))
    if not texts:
        raise DataError("holds no passages", file=source)
    language = language or language_of(text.text for text in texts)
    sheet = _SheetLayout(_HEADINGS[language], language, answers, choices, profile)
    with writing(output) as stream:
        stream.writelines(sheet.pieces(texts, rows, output))
    test = str(source) if _is_test(source) else None
    return QuestionSheet(str(output), language, len(texts), rows * len(texts), profile, test)


@dataclass(frozen=True, slots=True)
class _SheetLayout:
    """The columns of a sheet and the language of its headings."""

    names: Mapping[str, str]
    language: str
    answers: int
    choices: int
    profile: str | None

    def pieces(self, texts: Sequence[NamedText], rows: int, file: str | Path) -> Iterator[bytes]:
        names = self.names
        level, type = names["level"], names["type"]
        to_fill_in = self._columns_to_fill_in()
        guidelines = question_guidelines(
            self.language, choices=bool(self.choices), profile=self.profile
        )
        if "".join(suffixes_of(file)[-1:]) in (".csv", ".tsv"):
            columns = [names["passage_id"], names["title"], names["passage"], *to_fill_in]
            cells = (
                [text.id, text.title, None if index else text.text] + [""] * len(to_fill_in)
                for text in texts
                for index in range(rows)
            )
            yield from sheet_bytes(file, columns, cells, notes=guidelines)
            return
        questions = [[text.id, text.title] for text in texts for _ in range(rows)]
        passages: list[list[SheetCell]] = [[text.id, text.title, text.text] for text in texts]
        widths = {names[name]: width for name, width in _WIDTHS.items()}
        yield workbook_bytes(
            [
                SheetContent(names["guidelines"], (), [[line] for line in guidelines]),
                SheetContent(
                    names["questions"],
                    [names["passage_id"], names["title"], *to_fill_in],
                    map(in_workbook, questions),
                    widths=widths,
                    choices={level: list(map(str, LEVELS)), type: TYPES},
                ),
                SheetContent(
                    names["passages"],
                    [names["passage_id"], names["title"], names["passage"]],
                    map(in_workbook, passages),
                    widths=widths,
                ),
            ],
            file,
        )

    def _columns_to_fill_in(self) -> list[str]:
        names = self.names
        choices = [names["option"].format(letter) for letter in LETTERS[: self.choices]]
        if self.answers == 1:
            answers = [names["answer"]]
        else:
            answers = [names["answers"].format(number + 1) for number in range(self.answers)]
        return [names["question"], *choices, *answers, names["level"], names["type"]]
