"""``readmark set filter``: keep or drop questions by field, by problem or by a list of ids."""

from __future__ import annotations

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
from readmark.core.files import read_lines
from readmark.core.labels import labels_of
from readmark.core.numbers import SHOWN, first_ids, listed_ids
from readmark.core.records import Unit
from readmark.core.test import Test
from readmark.formats.checks import record_findings
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making.rules.examiner import examiner_for
from readmark.making.rules.profiles import rules_by_code
from readmark.marking import known_fields


@click.command("filter")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="OUT", help="Test to write.", type=OUTPUT_FILE
)
@click.option(
    "--keep",
    multiple=True,
    metavar="CONDITION",
    help="Keep only questions that meet a condition: FIELD=VALUE, a problem code of `readmark "
    "check`, or @FILE with one id per line (repeatable; any of them is enough).",
)
@click.option(
    "--drop",
    multiple=True,
    metavar="CONDITION",
    help="Drop the questions that meet a condition, written as for --keep (repeatable).",
)
@click.option(
    "--profile",
    metavar="NAME|FILE",
    help="Profile whose rules are also problem codes: cmrc, smart, brcc, series, or a TOML file "
    "that changes one.",
)
@click.option(
    "--empty-passages/--no-empty-passages",
    "keep_empty",
    default=False,
    help="Write passages that are left without questions",
)
@options.split_option
@options.from_option
@options.to_option
@options.json_option
def filter_command(
    test: str,
    output: str,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
    **conditions: Any,
) -> None:
    """Keep or drop questions of a TEST by conditions, and write the rest to OUT.

    A condition is FIELD=VALUE (level=3, split=train, or any field that `mark --by` takes), the
    code of a problem that `readmark check` reports (offset; with --profile also a rule's), or
    @FILE, a file with one id per line: of questions, or of passages for all of their questions.
    """
    source = open_test(test, format=from_format, split=split)
    result = filter_questions(source, output, format=to_format, **conditions)
    options.notify(result.notes)
    options.print_written(result, as_json=as_json)


@dataclass(frozen=True, repr=False)
class FilteredTest(Result):
    """The test that was written, and how many questions met each condition."""

    output: str
    format: str
    questions: int
    dropped: int
    records: int
    dropped_records: int
    """Records that lost all of their questions, or that were dropped themselves."""
    conditions: Mapping[str, int]
    """How many questions met each condition."""
    notes: tuple[str, ...] = ()
    unit_noun: str = "question"
    record_noun: str = "passage"

    def show(self, console: Console) -> None:
        """Print how many questions met each condition, and what is left."""
        for condition, count in self.conditions.items():
            console.print(f"{condition}: {counted(count, self.unit_noun)}", soft_wrap=True)
        records = counted(self.records, self.record_noun)
        left = counted(self.questions, self.unit_noun)
        console.print(
            f"{self.output}: {left} in {records} written as {self.format}; dropped: "
            f"{counted(self.dropped, self.unit_noun)}, "
            f"{counted(self.dropped_records, self.record_noun)}",
            soft_wrap=True,
        )


def filter_questions(
    test: Test,
    output: str | Path,
    *,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    profile: str | None = None,
    keep_empty: bool = False,
    format: str | None = None,
) -> FilteredTest:
    """Write the questions that meet any of ``keep`` (all if there are none) and none of ``drop``.

    A condition is ``field=value``, a problem code, or ``@file`` with one id per line. Passages that
    are left without questions go, unless ``keep_empty``.
    """
    if not keep and not drop:
        raise UsageError("name the questions to `keep` or to `drop`")
    files = [condition[1:] for condition in (*keep, *drop) if condition.startswith("@")]
    require_distinct_files([output], [test.file, profile, *files])
    if test.kind.answer == "bindings":  # queries belong to the whole task, a folder of files
        raise UsageError(f"{test.file}: a {test.kind.name} is edited in its folder, not filtered")
    conditions, notes = _conditions(test, (*keep, *drop), profile)
    counts = dict.fromkeys(conditions, 0)
    ids: set[str] = set()
    for unit in test.units():
        met = {name for name, condition in conditions.items() if condition.is_met_by(unit)}
        for name in met:
            counts[name] += 1
        if (not keep or met.intersection(keep)) and not met.intersection(drop):
            ids.add(unit.id)
    if not ids:
        raise DataError("no question would be left", file=test.file)
    new = _only(test, ids, keep_empty=keep_empty)
    facts = new.facts
    about = {"keep": list(keep), "drop": list(drop), "paper": test.facts.paper}
    fields = {**test.header.fields, "filtering": about}
    hidden = tuple(name for name in test.header.hidden if name in facts.splits)
    new = replace(new, header=msgspec.structs.replace(test.header, fields=fields, hidden=hidden))
    format = format or format_for(Path(output), new)
    lost = save_test(new, output, format=format)
    if test.kind.name == "series" and len(ids) < test.facts.units:
        notes.append(f"{output}: questions of a series may refer to questions that were dropped")
    return FilteredTest(
        output=str(output),
        format=format,
        questions=len(ids),
        dropped=test.facts.units - len(ids),
        records=facts.records,
        dropped_records=test.facts.records - facts.records,
        conditions=counts,
        notes=(*notes, *(f"{format}: {line}" for line in lost)),
        unit_noun=test.kind.unit_noun,
        record_noun=test.kind.record_noun,
    )


@dataclass(frozen=True, slots=True)
class _Condition:
    """A field with one of its values, or ids of questions and records."""

    field: str = ""
    value: str = ""
    ids: frozenset[str] = frozenset()

    def is_met_by(self, unit: Unit) -> bool:
        if not self.field:
            return unit.id in self.ids or unit.record.id in self.ids
        return self.value in labels_of(unit.field(self.field))


def _conditions(
    test: Test, texts: Sequence[str], profile: str | None
) -> tuple[dict[str, _Condition], list[str]]:
    """The conditions by their texts, and notes on those that nothing meets."""
    without_files = [text for text in texts if not text.startswith("@")]
    fields = {text: text.partition("=") for text in without_files if "=" in text}
    known_fields(test, [name for name, _, _ in fields.values()])
    codes = [text for text in without_files if text not in fields]
    problems = _problems(test, profile, codes)
    conditions: dict[str, _Condition] = {}
    notes: list[str] = []
    for text in dict.fromkeys(texts):
        if text in fields:
            name, _, value = fields[text]
            conditions[text] = _Condition(name, value)
        elif text.startswith("@"):
            file = text[1:]
            ids, unknown = _ids_in_file(file, test)
            conditions[text] = _Condition(ids=ids)
            if unknown:
                notes.append(f"{file}: not in {test.file}: {listed_ids(unknown)}")
        else:
            conditions[text] = _Condition(ids=frozenset(problems.get(text, ())))
            if not problems.get(text):
                present = ", ".join(sorted(code for code, ids in problems.items() if ids))
                notes.append(
                    f"{test.file}: nothing has the problem {text!r}; problems that "
                    f"there are: {present or 'none'}"
                )
    return conditions, notes


def _ids_in_file(file: str, test: Test) -> tuple[frozenset[str], list[str]]:
    """The ids in a file, one per line, and those that the test does not have."""
    ids = dict.fromkeys(
        text for _, raw in read_lines(file) if (text := raw.decode("utf-8", "replace").strip())
    )
    if not ids:
        raise DataError("has no ids; expected one per line", file=file)
    test_ids: dict[str, None] = {}
    for unit in test.units():
        test_ids[unit.id] = test_ids[unit.record.id] = None
    unknown = [id for id in ids if id not in test_ids]
    if len(unknown) == len(ids):
        ours, theirs = first_ids(list(test_ids), SHOWN), first_ids(unknown, SHOWN)
        raise DataError(f"no id is in {test.file}: it has {theirs}; the test {ours}", file=file)
    return frozenset(ids), unknown


def _problems(test: Test, profile: str | None, codes: Sequence[str]) -> dict[str, set[str]]:
    """The ids of questions and records by the code of their problems."""
    problems: dict[str, set[str]] = {}
    if (examiner := examiner_for(profile)) is not None:
        problems |= examiner.breaking(test)
    if all(code in problems for code in codes):
        return problems  # no need to check every record
    for record in test.records():
        for owner, code, _ in record_findings(test, record):
            problems.setdefault(code, set()).add(owner)
    for code in codes:
        if code not in problems and code in rules_by_code():
            raise UsageError(f"{code!r} is a rule of a profile: name the profile with `profile`")
        if not code.isidentifier():
            raise UsageError(
                f"{code!r} is not a condition: expected FIELD=VALUE, @FILE or a problem"
            )
    return problems


def _only(test: Test, ids: set[str], *, keep_empty: bool) -> Test:
    """The test with some of its questions, or records if the kind's units are its records."""

    def changed(record: Any) -> Any:
        questions = getattr(record, "questions", None)
        if questions is None:
            return record if record.id in ids else None
        left = tuple(question for question in questions if question.id in ids)
        return msgspec.structs.replace(record, questions=left) if left or keep_empty else None

    return test.changed(changed)
