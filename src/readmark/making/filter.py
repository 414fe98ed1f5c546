"""``readmark set filter``: keep or drop questions by field, by problem or by a list of ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from readmark.making.question_rules import examiner_for, rules_by_code
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
    options.report_result(result, as_json=as_json)


@dataclass(frozen=True, repr=False)
class FilteredTest(Result):
    """What was written, and how many questions met each condition."""

    output: str
    format: str
    questions: int
    dropped: int
    records: int
    dropped_records: int
    """Records that had questions and are left without, or that were dropped themselves."""
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
    if test.kind.answer == "bindings":  # queries are of the whole task, a folder of several files
        raise UsageError(f"{test.file}: a {test.kind.name} is edited in its folder, not filtered")
    conditions, notes = _conditions(test, (*keep, *drop), profile)
    counts = dict.fromkeys(conditions, 0)
    kept: set[str] = set()
    for unit in test.units():
        met = {name for name, ids in conditions.items() if ids.meets(unit)}
        for name in met:
            counts[name] += 1
        if (not keep or met.intersection(keep)) and not met.intersection(drop):
            kept.add(unit.id)
    if not kept:
        raise DataError("no question would be left", file=test.file)
    left = _only(test, kept, keep_empty=keep_empty)
    facts = left.facts
    about = {"keep": list(keep), "drop": list(drop), "paper": test.facts.paper}
    fields = {**test.header.fields, "filtering": about}
    hidden = tuple(name for name in test.header.hidden if name in facts.splits)
    left = replace(left, header=msgspec.structs.replace(test.header, fields=fields, hidden=hidden))
    chosen = format or format_for(Path(output), left)
    lost = save_test(left, output, format=chosen)
    if test.kind.name == "series" and len(kept) < test.facts.units:
        notes.append(f"{output}: questions of a series may refer to questions that were dropped")
    return FilteredTest(
        output=str(output),
        format=chosen,
        questions=len(kept),
        dropped=test.facts.units - len(kept),
        records=facts.records,
        dropped_records=test.facts.records - facts.records,
        conditions=counts,
        notes=(*notes, *(f"{chosen}: {line}" for line in lost)),
        unit_noun=test.kind.unit_noun,
        record_noun=test.kind.record_noun,
    )


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition: a field with one of its values, or ids of questions and records."""

    field: str = ""
    value: str = ""
    ids: frozenset[str] = frozenset()

    def meets(self, unit: Unit) -> bool:
        if not self.field:
            return unit.id in self.ids or unit.record.id in self.ids
        return self.value in labels_of(unit.field(self.field))


def _conditions(
    test: Test,
    asked: Sequence[str],
    profile: str | None,
) -> tuple[dict[str, _Condition], list[str]]:
    """Every condition by its words, and what a reader should know of them."""
    spelt = [condition for condition in asked if not condition.startswith("@")]
    fields = {condition: condition.partition("=") for condition in spelt if "=" in condition}
    known_fields(test, [name for name, _, _ in fields.values()])
    codes = [condition for condition in spelt if condition not in fields]
    problems = _problems(test, profile, codes)
    conditions: dict[str, _Condition] = {}
    notes: list[str] = []
    for condition in dict.fromkeys(asked):
        if condition in fields:
            name, _, value = fields[condition]
            conditions[condition] = _Condition(name, value)
        elif condition.startswith("@"):
            ids, unknown = _listed(condition[1:], test)
            conditions[condition] = _Condition(ids=ids)
            if unknown:
                notes.append(f"{condition[1:]}: not in {test.file}: {listed_ids(unknown)}")
        else:
            conditions[condition] = _Condition(ids=frozenset(problems.get(condition, ())))
            if not problems.get(condition):
                there = ", ".join(sorted(code for code, ids in problems.items() if ids))
                notes.append(
                    f"{test.file}: nothing has the problem {condition!r}; problems that "
                    f"there are: {there or 'none'}"
                )
    return conditions, notes


def _listed(file: str, test: Test) -> tuple[frozenset[str], list[str]]:
    """The ids of a file, one a line, and those that the test does not have."""
    ids = dict.fromkeys(
        text for _, raw in read_lines(file) if (text := raw.decode("utf-8", "replace").strip())
    )
    if not ids:
        raise DataError("has no ids; expected one per line", file=file)
    known: dict[str, None] = {}
    for unit in test.units():
        known[unit.id] = known[unit.record.id] = None
    unknown = [id for id in ids if id not in known]
    if len(unknown) == len(ids):
        ours, theirs = first_ids(list(known), SHOWN), first_ids(unknown, SHOWN)
        raise DataError(f"no id is in {test.file}: it has {theirs}; the test {ours}", file=file)
    return frozenset(ids), unknown


def _problems(
    test: Test,
    profile: str | None,
    wanted: Iterable[str],
) -> dict[str, set[str]]:
    """The ids of questions and records by the code of their problems."""
    found: dict[str, set[str]] = {}
    if (examiner := examiner_for(profile)) is not None:
        found |= examiner.breaking(test)
    if all(code in found for code in wanted):
        return found
    for record in test.records():
        for owner, code, _ in record_findings(test, record):
            found.setdefault(code, set()).add(owner)
    for code in wanted:
        if code not in found and code in rules_by_code():
            raise UsageError(f"{code!r} is a rule of a profile: name the profile with `profile`")
        if not code.isidentifier():
            raise UsageError(
                f"{code!r} is not a condition: expected FIELD=VALUE, @FILE or a problem"
            )
    return found


def _only(test: Test, ids: set[str], *, keep_empty: bool) -> Test:
    """The test with some of its questions; a kind whose units are its records loses those."""

    def left(record: Any) -> Any:
        questions = getattr(record, "questions", None)
        if questions is None:
            return record if record.id in ids else None
        kept = tuple(question for question in questions if question.id in ids)
        return msgspec.structs.replace(record, questions=kept) if kept or keep_empty else None

    return test.changed(left)
