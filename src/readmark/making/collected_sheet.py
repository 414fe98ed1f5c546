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
from readmark.making.question_rules import Examiner, examiner_for, rules_by_code

DISCARDED = ("discarded_row", "discarded_by", "discarded_why")
"""What a sheet of discarded questions has besides its own columns."""
TOO_MANY = "too_many_questions"
"""The rule that a passage breaks: its last questions are discarded."""
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
    done = collect_questions(sheet, output, format=from_format, **rules)
    options.print_result(done, as_json=as_json)
    if not as_json:
        options.notify(done.notes)
    ctx.exit(0 if done.written else 1)


@dataclass(frozen=True)
class CollectedSheet(Result):
    """What a sheet had, what is wrong in it, and where its rows went."""

    sheet: str
    output: str
    profile: str | None
    questions: int
    """Rows with a question, those that cannot be read included."""
    written: int
    """Questions of the test that was written; none where nothing was."""
    discarded: Mapping[int, tuple[str, ...]]
    """The rules that each discarded row breaks."""
    problems: tuple[Problem, ...]
    discard: str | None = None
    lost: tuple[str, ...] = ()
    """What the format of the test cannot hold."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, for people."""
        rows = [str(row) for row in self.discarded]
        named = first_ids(rows, _SHOWN)
        noun = "row" if len(rows) == 1 else "rows"
        broken = f"{counted(len(rows), 'row')} with a hard rule broken ({noun} {named})"
        if not self.written and self.discard is None:
            hint = "correct the sheet, or name a file for such rows with --discard"
            return (f"{self.sheet}: nothing written: {broken}; {hint}",)
        notes = [f"{self.discard}: {broken}"] if rows else []
        if self.written:
            of = f"{self.written} of {counted(self.questions, 'question')}"
            notes.append(f"{self.output}: {of} written")
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
        """Every problem with its row."""
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

    ``passages`` is the test that the sheet was made from, which says more of its passages.
    ``profile`` names the document (cmrc, smart, brcc) whose rules are applied, ``discard`` the
    sheet that gets the rows which break a hard one; without it nothing is written if any does.
    """
    if discard is not None and not is_table_name(discard):
        raise UsageError(f"{discard}: a sheet ends in .xlsx, .csv or .tsv")
    require_distinct_files([output, discard], [sheet, passages, profile])
    test = open_test(sheet, format=format)
    test.require_kind("comprehension")
    if test.unit_rows is None:
        raise DataError("is not a sheet with a question in each row", file=sheet)
    test = test.changed(without_reasons)
    if passages is not None:
        test = _with_passages_of(test, open_test(passages))
    rows = test.unit_rows() if test.unit_rows is not None else {}
    unreadable: list[Problem] = []
    records = [record for _, record in test.stream(unreadable.append)]
    problems = list(unreadable)
    broken: dict[int, list[str]] = {}
    for problem in unreadable:
        if problem.code == "empty":
            fail(problem)
        if problem.severity != "warning" and isinstance(problem.where, int):
            broken.setdefault(problem.where, []).append(problem.code)
    lost_rows = set(broken)
    if (examiner := examiner_for(profile)) is not None:
        problems += examiner.examine(str(sheet), format=format)
        for id, codes in _hard(examiner, test, records).items():
            broken.setdefault(rows[id], []).extend(codes)
    asked = sum(len(record.questions) for record in records)
    found = CollectedSheet(
        str(sheet),
        str(output),
        profile,
        asked + len(lost_rows),
        0,
        {row: tuple(dict.fromkeys(broken[row])) for row in sorted(broken)},
        tuple(sorted(problems, key=_row_of)),
        None if discard is None else str(discard),
    )
    if broken and discard is None:
        return found
    if broken:
        _write_discarded(Path(sheet), str(discard), found, records, rows)
    left = {id for id, row in rows.items() if row not in broken}
    if not left:
        return found
    written = save_test(_only(test, left), output, format=format_for(Path(output), test))
    return replace(found, written=len(left), lost=tuple(written))


def _row_of(problem: Problem) -> tuple[int, str]:
    return (problem.where, "") if isinstance(problem.where, int) else (0, str(problem.where))


def _hard(examiner: Examiner, test: Test, records: Sequence[Passage]) -> dict[str, list[str]]:
    """The hard rules that each question breaks; of too many on a passage, the last ones do."""
    known = rules_by_code()
    applied = examiner.profile.rules
    hard = [code for code in applied if applied[code].severity == "error" or known[code].discards]
    breaking = examiner.breaking(test)
    found: dict[str, list[str]] = {}
    for code in hard:
        for id in breaking[code] if code != TOO_MANY else ():
            found.setdefault(id, []).append(code)
    if TOO_MANY in hard:
        most = applied[TOO_MANY].settings["most"]
        for record in records:
            left = [question.id for question in record.questions if question.id not in found]
            for id in left[most:]:
                found[id] = [TOO_MANY]
    asked = {question.id for record in records for question in record.questions}
    return {id: codes for id, codes in found.items() if id in asked}


def _with_passages_of(sheet: Test, test: Test) -> Test:
    """A sheet's questions on the passages of a test, with its header but for the name."""
    test.require_kind("comprehension")
    known: dict[str, Passage] = {record.id: record for record in test.records()}

    def placed(record: Passage) -> Passage:
        passage = known.get(record.id)
        if passage is None or passage.text != record.text:
            what = "is not in" if passage is None else "has another text in"
            raise DataError(f"passage {record.id!r} {what} {test.file}", file=sheet.file)
        return msgspec.structs.replace(passage, questions=record.questions, key=record.key)

    header = msgspec.structs.replace(test.header, name=sheet.header.name)
    return replace(sheet.changed(placed), header=header)


def _only(test: Test, ids: set[str]) -> Test:
    """The test with some of its questions, and the passages that have any of them."""

    def left(record: Passage) -> Passage | None:
        questions = tuple(question for question in record.questions if question.id in ids)
        return msgspec.structs.replace(record, questions=questions) if questions else None

    some = test.changed(left)
    # Rows that were reported and discarded before are passed over.
    return replace(some, stream=lambda report: some.stream(ignore))


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
    found: CollectedSheet,
    records: Sequence[Passage],
    rows: Mapping[str, int],
) -> None:
    """The rows as they came, each with its passage, the rules that it breaks, and why."""
    texts = {rows[question.id]: record.text for record in records for question in record.questions}
    messages: dict[int, list[str]] = {}
    for problem in found.problems:
        row = problem.where
        if isinstance(row, int) and problem.code in found.discarded.get(row, ()):
            messages.setdefault(row, []).append(problem.message)
    with contextlib.closing(tables_in(sheet, lambda c: is_question_header(c, {}))) as tables:
        _, headings, cells = next(tables)
        own = {number: list(row) for number, row in cells if number in found.discarded}
    columns = list(headings)
    at = columns_named(headings, {}).fields.get("passage")
    if at is None:
        at = len(columns)
        columns.append("passage")
    made = []
    for number, codes in found.discarded.items():
        cells_of = (own.get(number, []) + [""] * len(columns))[: len(columns)]
        cells_of[at] = cells_of[at] or texts.get(number, "")
        why = "; ".join(messages.get(number, ()))
        made.append([str(number), ", ".join(codes), why, *cells_of])
    write_sheet(discard, [*DISCARDED, *columns], made)
