"""``readmark set collect``: a completed sheet of questions, checked row by row, becomes a test."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core.display import Result, counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids
from readmark.core.problems import Problem, fail, ignore
from readmark.core.records import Passage, Question
from readmark.core.test import Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.formats.sheets import is_table_name, tables_in, write_sheet
from readmark.formats.tables.headings import columns_named, is_question_header
from readmark.making.rules.examiner import Examiner, examiner_for
from readmark.making.rules.profiles import rules_by_code

DISCARDED = ("discarded_row", "discarded_by", "discarded_why")
"""The columns that a sheet of discarded questions has besides its own."""
TOO_MANY = "too_many_questions"
"""A rule that a passage breaks, not a question: the passage's last questions are discarded."""
_SHOWN = 10


@click.command("collect")
@click.argument("sheet")
@click.option(
    "-o", "--output", required=True, metavar="TEST", help="Test to write.", type=OUTPUT_FILE
)
@click.option(
    "--passages",
    metavar="TEST",
    help="Test that the sheet was made from; its licence and source, and what it says of each "
    "passage, are kept  [default: the sheet's own columns]",
)
@click.option(
    "--profile",
    metavar="NAME|FILE",
    help="Document whose rules the questions are checked by: cmrc, smart, brcc, or a TOML file "
    "that changes one  [default: none]",
)
@click.option(
    "--discard",
    metavar="FILE",
    help="Sheet (.csv, .tsv or .xlsx) to write the rows to that break a hard rule, with reasons; "
    "the others become the test  [default: write nothing if a row breaks one]",
)
@options.from_option
@options.json_option
@click.pass_context
def collect_command(
    ctx: click.Context,
    /,
    sheet: str,
    output: str,
    from_format: str | None,
    as_json: bool,
    **rules: Any,
) -> None:
    """Turn a completed SHEET of questions into a test, after a check of every row.

    Each problem is printed with its row. A hard rule is one that makes an error in readmark check
    --profile, or by which the document discards questions, such as a long answer in CMRC 2018.
    If a row breaks one, nothing is written and the exit status is 1, unless --discard names a
    sheet for such rows. To have them in the test, correct them in SHEET and collect it again.
    """
    result = collect_questions(sheet, output, format=from_format, **rules)
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)
    ctx.exit(0 if result.written else 1)


@dataclass(frozen=True)
class CollectedSheet(Result):
    """The questions of a sheet, the problems in it, and which rows were written or discarded."""

    sheet: str
    output: str
    profile: str | None
    questions: int
    """Rows with a question, including those that cannot be read."""
    written: int
    """Questions of the test that was written; 0 if none was."""
    discarded: Mapping[int, tuple[str, ...]]
    """The rules that each discarded row breaks."""
    problems: tuple[Problem, ...]
    discard: str | None = None
    lost: tuple[str, ...] = ()
    """What the format of the test cannot hold."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, for people."""
        notes = []
        if self.discarded:
            rows = [str(row) for row in self.discarded]
            noun = "row" if len(rows) == 1 else "rows"
            numbers = first_ids(rows, _SHOWN)
            broken = f"{counted(len(rows), 'row')} with a hard rule broken ({noun} {numbers})"
            if self.discard is None:
                hint = "correct the sheet, or name a file for such rows with `discard`"
                return (f"{self.sheet}: nothing written: {broken}; {hint}",)
            notes.append(f"{self.discard}: {broken}")
        if self.written:
            questions = counted(self.questions, "question")
            notes.append(f"{self.output}: {self.written} of {questions} written")
        else:
            notes.append(f"{self.output}: not written, no question is left")
        return (*self.lost, *notes)

    def as_json(self) -> dict[str, Any]:
        return {
            "sheet": self.sheet,
            "output": self.output if self.written else None,
            "profile": self.profile,
            "questions": self.questions,
            "written": self.written,
            "discard": self.discard,
            "discarded": [
                {"row": row, "rules": list(codes)} for row, codes in self.discarded.items()
            ],
            "problems": [msgspec.to_builtins(problem) for problem in self.problems],
        }

    def show(self, console: Console) -> None:
        """Print every problem with its row."""
        for problem in self.problems:
            console.print(str(problem), soft_wrap=True, markup=False, highlight=False)


def collect_questions(
    sheet: str | Path,
    output: str | Path,
    *,
    passages: str | Path | None = None,
    profile: str | None = None,
    discard: str | Path | None = None,
    format: str | None = None,
) -> CollectedSheet:
    """Check a completed sheet of questions and write its test.

    ``passages`` is the test that the sheet was made from, with its licence and what it knows of
    each passage. ``profile`` names the document (cmrc, smart, brcc) whose rules are applied.
    ``discard`` is the sheet for rows that break a hard rule; without it, nothing is written if a
    row breaks one.
    """
    if discard is not None and not is_table_name(discard):
        raise UsageError(f"{discard}: a sheet ends in .xlsx, .csv or .tsv")
    require_distinct_files([output, discard], [sheet, passages, profile])
    test = open_test(sheet, format=format)
    test.require_kind("comprehension")
    if (unit_rows := test.unit_rows) is None:
        raise DataError("is not a sheet with a question in each row", file=sheet)
    test = test.changed(without_reasons)
    if passages is not None:
        test = _with_passages_of(test, open_test(passages))
    rows = unit_rows()
    unreadable: list[Problem] = []
    records = [record for _, record in test.stream(unreadable.append)]
    problems = list(unreadable)
    broken: dict[int, list[str]] = {}
    for problem in unreadable:
        if problem.code == "empty":
            fail(problem)
        if problem.severity != "warning" and isinstance(problem.where, int):
            broken.setdefault(problem.where, []).append(problem.code)
    unreadable_rows = len(broken)
    if (examiner := examiner_for(profile)) is not None:
        problems += examiner.examine(str(sheet), format=format)
        for id, codes in _broken_hard_rules(examiner, test, records).items():
            broken.setdefault(rows[id], []).extend(codes)
    result = CollectedSheet(
        sheet=str(sheet),
        output=str(output),
        profile=profile,
        questions=sum(len(record.questions) for record in records) + unreadable_rows,
        written=0,
        discarded={row: tuple(dict.fromkeys(broken[row])) for row in sorted(broken)},
        problems=tuple(sorted(problems, key=_row_of)),
        discard=None if discard is None else str(discard),
    )
    if broken and discard is None:
        return result
    if broken:
        _write_discarded(Path(sheet), str(discard), result, records, rows)
    sound = {id for id, row in rows.items() if row not in broken}
    if not sound:
        return result
    lost = save_test(_only(test, sound), output, format=format_for(Path(output), test))
    return replace(result, written=len(sound), lost=tuple(lost))


def _row_of(problem: Problem) -> tuple[int, str]:
    return (problem.where, "") if isinstance(problem.where, int) else (0, str(problem.where))


def _broken_hard_rules(
    examiner: Examiner, test: Test, records: Sequence[Passage]
) -> dict[str, list[str]]:
    """The hard rules that each question breaks; if a passage has too many, its last ones do."""
    rules = rules_by_code()
    applied = examiner.profile.rules
    hard = [code for code in applied if applied[code].severity == "error" or rules[code].discards]
    breaking = examiner.breaking(test)
    broken: dict[str, list[str]] = {}
    for code in hard:
        if code != TOO_MANY:
            for id in breaking[code]:
                broken.setdefault(id, []).append(code)
    if TOO_MANY in hard:
        # Questions that are discarded anyway do not count towards too many.
        most = applied[TOO_MANY].settings["most"]
        for record in records:
            sound = [question.id for question in record.questions if question.id not in broken]
            for id in sound[most:]:
                broken[id] = [TOO_MANY]
    # Rules are broken by passages too, which have no row of their own.
    questions = {question.id for record in records for question in record.questions}
    return {id: codes for id, codes in broken.items() if id in questions}


def _with_passages_of(sheet: Test, test: Test) -> Test:
    """The questions of a sheet on the passages of a test, with the test's header but its name."""
    test.require_kind("comprehension")
    passages: dict[str, Passage] = {record.id: record for record in test.records()}

    def placed(record: Passage) -> Passage:
        passage = passages.get(record.id)
        if passage is None or passage.text != record.text:
            what = "is not in" if passage is None else "has another text in"
            raise DataError(f"passage {record.id!r} {what} {test.file}", file=sheet.file)
        return msgspec.structs.replace(passage, questions=record.questions, key=record.key)

    header = msgspec.structs.replace(test.header, name=sheet.header.name)
    return replace(sheet.changed(placed), header=header)


def _only(test: Test, ids: set[str]) -> Test:
    """The test with some of its questions, and the passages that have any of them."""

    def changed(record: Passage) -> Passage | None:
        questions = tuple(question for question in record.questions if question.id in ids)
        return msgspec.structs.replace(record, questions=questions) if questions else None

    new = test.changed(changed)
    # Problems of unreadable rows were reported before, and those rows are discarded.
    return replace(new, stream=lambda report: new.stream(ignore))


def without_reasons(record: Passage) -> Passage:
    """A passage without the columns that a sheet of discarded rows adds."""
    questions = tuple(map(_without_reason, record.questions))
    return msgspec.structs.replace(record, questions=questions)


def _without_reason(question: Question) -> Question:
    key = question.key
    if key is None or not any(name in key.fields for name in DISCARDED):
        return question
    fields = {name: value for name, value in key.fields.items() if name not in DISCARDED}
    return msgspec.structs.replace(question, key=msgspec.structs.replace(key, fields=fields))


def _write_discarded(
    sheet: Path,
    discard: str,
    result: CollectedSheet,
    records: Sequence[Passage],
    rows: Mapping[str, int],
) -> None:
    """Write the rows as they were, each with its passage, the rules that it breaks, and why."""
    texts = {rows[question.id]: record.text for record in records for question in record.questions}
    messages: dict[int, list[str]] = {}
    for problem in result.problems:
        row = problem.where
        if isinstance(row, int) and problem.code in result.discarded.get(row, ()):
            messages.setdefault(row, []).append(problem.message)
    with contextlib.closing(tables_in(sheet, lambda row: is_question_header(row, {}))) as tables:
        _, headings, numbered_rows = next(tables)
        old_rows = {
            number: list(cells) for number, cells in numbered_rows if number in result.discarded
        }
    columns = list(headings)
    passage_column = columns_named(headings, {}).fields.get("passage")
    if passage_column is None:
        passage_column = len(columns)
        columns.append("passage")
    new_rows = []
    for number, codes in result.discarded.items():
        # A row may be shorter than the headings, or longer.
        cells = (old_rows.get(number, []) + [""] * len(columns))[: len(columns)]
        cells[passage_column] = cells[passage_column] or texts.get(number, "")
        why = "; ".join(messages.get(number, ()))
        new_rows.append([str(number), ", ".join(codes), why, *cells])
    write_sheet(discard, [*DISCARDED, *columns], new_rows)
