"""``readmark set join``: several tests of one kind and language as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS
from readmark.core.display import Result, counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.problems import ReportProblem
from readmark.core.records import AS_WRITTEN, Passage
from readmark.core.splits import split_words
from readmark.core.test import Header, Placed, Test, named_by_text
from readmark.formats.registry import format_for, open_test, save_test
from readmark.series import Series

JOINED_FIELDS = "joined"
"""The field of the header that lists the tests that a test was joined from."""


@click.command("join")
@click.argument("tests", nargs=-1, required=True, metavar="TEST TEST...")
@click.option(
    "-o", "--output", required=True, metavar="OUT", help="Test to write.", type=OUTPUT_FILE
)
@click.option(
    "--prefix",
    is_flag=True,
    help="Begin every id with the name of its file, so that equal ids do not clash.",
)
@click.option(
    "--name",
    metavar="NAME",
    help="Name of the joined test  [default: the names of the tests]",
    type=WORDS,
)
@click.option(
    "--licence",
    metavar="NAME",
    help="Licence of the joined test  [default: that of the tests, if it is the same]",
)
@options.split_option
@options.from_option
@options.to_option
@options.json_option
def join_command(
    tests: tuple[str, ...],
    output: str,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Join TESTs of one kind and one language into OUT, in the order given.

    Ids must not clash; --prefix makes them differ. Headers are merged: a split that is hidden in
    one test stays hidden, and what the tests' headers do not share goes to the field joined. Tests
    with different scoring profiles are refused, and so are different licences, unless --licence
    names one.
    """
    sources = [open_test(path, format=from_format, split=split) for path in tests]
    result = join_tests(sources, output, format=to_format, **settings)
    options.notify(result.notes)
    options.print_written(result, as_json=as_json)


@dataclass(frozen=True, repr=False)
class JoinedTest(Result):
    """The test that was written, and how much of it comes from each file."""

    output: str
    format: str
    name: str
    records: int
    questions: int
    tests: Mapping[str, int]
    """How many questions come from each file."""
    hidden: tuple[str, ...]
    notes: tuple[str, ...] = ()
    unit_noun: str = "question"
    record_noun: str = "passage"

    def show(self, console: Console) -> None:
        """Print how many questions come from each file, and what was written."""
        for file, questions in self.tests.items():
            console.print(f"{file}: {counted(questions, self.unit_noun)}", soft_wrap=True)
        console.print(
            f"{self.output}: {counted(self.questions, self.unit_noun)} in "
            f"{counted(self.records, self.record_noun)} written as {self.format}",
            soft_wrap=True,
        )


def join_tests(
    tests: Sequence[Test],
    output: str | Path,
    *,
    prefix: bool = False,
    name: str | None = None,
    licence: str | None = None,
    format: str | None = None,
) -> JoinedTest:
    """Write several tests of one kind and language as one; ids that clash are an error.

    ``prefix`` begins every id with the name of its file.
    """
    if len(tests) < 2:
        raise UsageError("name two tests or more to join")
    require_distinct_files([output], [test.file for test in tests])
    _require_alike(tests)
    notes: list[str] = []
    if prefix:
        stems = _stems(tests)
        tests = [_prefixed(test, stem) for test, stem in zip(tests, stems, strict=True)]
        notes.append(f"{output}: ids have changed, so earlier sittings do not fit it")
    _require_distinct_ids(tests)
    header = _merged_header(tests, name, licence, notes)

    def stream(report: ReportProblem) -> Iterator[Placed]:
        for test in tests:
            yield from test.stream(report)

    joined = Test(header, stream, str(output))
    format = format or format_for(Path(output), joined)
    lost = save_test(joined, output, format=format)
    return JoinedTest(
        output=str(output),
        format=format,
        name=header.name,
        records=sum(test.facts.records for test in tests),
        questions=sum(test.facts.units for test in tests),
        tests={test.file: test.facts.units for test in tests},
        hidden=header.hidden,
        notes=(*notes, *(f"{format}: {line}" for line in lost)),
        unit_noun=tests[0].kind.unit_noun,
        record_noun=tests[0].kind.record_noun,
    )


def _require_alike(tests: Sequence[Test]) -> None:
    first = tests[0]
    kind, language = first.kind.name, first.language
    if first.kind.answer == "bindings":
        raise UsageError(f"{first.file}: a {kind} is a folder and cannot be joined")
    for test in tests[1:]:
        if test.kind.name != kind:
            raise UsageError(
                f"{test.file} is a {test.kind.name} test, {first.file} a {kind} one: "
                "tests of different kinds cannot be joined"
            )
        if test.language != language:
            raise UsageError(
                f"{test.file} is in {test.language!r}, {first.file} in {language!r}: "
                "tests in different languages cannot be joined"
            )


def _require_distinct_ids(tests: Sequence[Test]) -> None:
    """Refuse equal ids, except of passages named by their text: they are parts of one passage."""
    owners: dict[tuple[str, str], str] = {}
    for test in tests:
        ids: list[tuple[str, str]] = []
        for record in test.records():
            if not named_by_text(record):
                ids.append(("record", record.id))
            ids += [("unit", unit.id) for unit in test.kind.units(record)]
        clashes = [id for id in ids if id in owners]
        if clashes:
            # One message is about records or about units, whichever clash first.
            sort, _ = clashes[0]
            noun = test.kind.record_noun if sort == "record" else test.kind.unit_noun
            same_sort = [id for other_sort, id in clashes if other_sort == sort]
            raise DataError(
                f"{noun} ids are also in {owners[clashes[0]]}: {listed_ids(same_sort)}; `prefix` "
                "makes them differ",
                file=test.file,
            )
        owners |= dict.fromkeys(ids, test.file)


def _stems(tests: Sequence[Test]) -> list[str]:
    """The names of the files without suffixes; equal ones are numbered."""
    stems: list[str] = []
    for test in tests:
        stem = Path(test.file).name.split(".")[0] or "test"
        number = 2
        distinct = stem
        while distinct in stems:
            distinct, number = f"{stem}{number}", number + 1
        stems.append(distinct)
    return stems


def _prefixed(test: Test, stem: str) -> Test:
    """The test with the name of its file before every id and every reference to one."""

    def prefixed(record: Any) -> Any:
        changed: dict[str, Any] = {"id": f"{stem}-{record.id}"}
        if isinstance(record, Passage | Series):
            changed["questions"] = tuple(_renamed(question, stem) for question in record.questions)
        return msgspec.structs.replace(record, **changed)

    return test.changed(prefixed)


def _renamed(question: Any, stem: str) -> Any:
    changed = {"id": f"{stem}-{question.id}"}
    for name in ("series", "previous_of"):
        if getattr(question, name, None):
            changed[name] = f"{stem}-{getattr(question, name)}"
    return msgspec.structs.replace(question, **changed)


def _merged_header(
    tests: Sequence[Test], name: str | None, licence: str | None, notes: list[str]
) -> Header:
    """One header for all; values that differ and cannot be merged are refused."""
    headers = [test.header for test in tests]

    def by_file(name: str) -> str:
        return ", ".join(f"{test.file} {getattr(test.header, name) or 'none'}" for test in tests)

    if len({header.profile for header in headers}) > 1:
        profiles = by_file("profile")
        raise UsageError(f"tests with different scoring profiles cannot be joined: {profiles}")
    if len({header.licence for header in headers}) > 1 and licence is None:
        licences = by_file("licence")
        raise UsageError(f"the licences differ ({licences}): name one that fits with `licence`")
    hidden = tuple(dict.fromkeys(split for header in headers for split in header.hidden))
    for test in tests:
        newly_hidden = [
            split
            for split in hidden
            if split in test.facts.splits and split not in test.header.hidden
        ]
        if newly_hidden:
            notes.append(
                f"{test.file}: hidden now, as in another of the tests: {split_words(newly_hidden)}"
            )
    shared = {
        field: value
        for field, value in headers[0].fields.items()
        if all(field in header.fields and header.fields[field] == value for header in headers)
    }
    names = dict.fromkeys(header.name for header in headers if header.name)
    sources = dict.fromkeys(header.source for header in headers if header.source)
    origins = [
        {
            "name": test.header.name,
            "paper": test.facts.paper,
            "key": test.facts.key,
            "fields": {
                field: value
                for field, value in test.header.fields.items()
                if field not in shared and field != AS_WRITTEN
            },
        }
        for test in tests
    ]
    return msgspec.structs.replace(
        headers[0],
        readmark=max(header.readmark for header in headers),
        name=name or " + ".join(names),
        language=tests[0].language,
        licence=licence or headers[0].licence,
        source="; ".join(sources) or None,
        hidden=hidden,
        fields={**shared, JOINED_FIELDS: origins},
    )
