"""A test: a header and a stream of records; the paper is the test without any key."""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.file_state import FileState, file_states
from readmark.core.fingerprint import TEXT_ID, text_id
from readmark.core.kinds import kind_named
from readmark.core.language import primary
from readmark.core.problems import PartLine, Problem, ReportProblem, fail, part_of
from readmark.core.record_members import text_of
from readmark.core.records import Unit, Value

if TYPE_CHECKING:
    from readmark.hooks import Kind
SCHEMA = 1
"""The newest schema of native files that this version reads."""


class Header(Value, frozen=True):
    """The first line of a native file: what the test is."""

    readmark: int = SCHEMA
    file: str = "test"
    kind: str = "comprehension"
    name: str = ""
    language: str | None = None
    licence: str | None = None
    source: str | None = None
    profile: str | None = None
    hidden: tuple[str, ...] = ()
    fields: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class SplitFacts:
    """The size of a split, and its fingerprints: a split is a paper too."""

    records: int
    units: int
    paper: str
    key: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What a survey of a whole test finds out."""

    records: int
    units: int
    language: str
    keyed: int
    """Units that can be marked."""
    several: int
    """Units with answers of two people or more."""
    attributed: int
    """Units among these whose answers name two people or more."""
    referenced: int
    """Units with a reference: a person's answer, or that there is none."""
    faulty: tuple[str, ...]
    """Ids whose offsets do not point at their answers."""
    paper: str
    key: str
    splits: Mapping[str | None, SplitFacts] = field(default_factory=dict)
    """Every split of the test, in the order of the file; None for records without a split."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many units have each of the kind's ``unit_facts``."""
    parts: tuple[str, ...] = ()
    """The paper's fingerprint of each part of a test in several files: a part is a paper too."""
    files: Mapping[str, FileState] = field(default_factory=dict, compare=False, repr=False)
    """The state of the files that were read."""

    def count(self, fact: str) -> int:
        """How many units have this of the kind's ``unit_facts``, such as ``choices``."""
        return self.counts.get(fact, 0)


RecordPlace = int | str
Placed = tuple[RecordPlace, Any]


@dataclass(frozen=True, slots=True)
class PartStream:
    """The records of several files, one file after the other, so that one at most is held."""

    files: tuple[str, ...]
    read: Callable[[str, ReportProblem], Iterator[Placed]]
    """The records of a file with their lines or rows; other processes call it too."""

    def __call__(self, report: ReportProblem) -> Iterator[Placed]:
        for file in self.files:
            for number, record in self.read(file, report):
                yield PartLine(int(number), file), record


@dataclass(frozen=True, repr=False)
class Test:
    """A test that can be read any number of times, record by record.

    ``stream`` gives each record with its place: a line number, or an id in a JSON document.
    """

    __test__ = False

    header: Header
    stream: Callable[[ReportProblem], Iterator[Placed]]
    file: str = "<memory>"
    whole: Test | None = field(default=None, repr=False, compare=False)
    """The test that this is a part of, if splits were selected."""
    selected: tuple[str | None, ...] = ()
    """The splits that were selected; empty for a whole test."""
    unit_rows: Callable[[], Mapping[str, int]] | None = field(
        default=None, repr=False, compare=False
    )
    """The row of each unit by its id, in formats that have one for each."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The files of a test in several files, in order; empty for any other, or a changed one."""
        return self.stream.files if isinstance(self.stream, PartStream) else ()

    def part(self, file: str) -> Test:
        """One of the parts as a test by itself, which other processes can read."""
        assert isinstance(self.stream, PartStream)
        return Test(self.header, replace(self.stream, files=(file,)), file)

    @functools.cached_property
    def kind(self) -> Kind:
        """The kind of test."""
        return kind_named(self.header.kind)

    def require_kind(self, *kinds: str) -> None:
        """Refuse a test of any other kind."""
        if self.kind.name not in kinds:
            expected = " or ".join(kinds)
            raise UsageError(f"{self.file} is a {self.kind.name} test, expected {expected}")

    def changed(self, change: Callable[[Any], Any]) -> Test:
        """The test with every record changed; one for which ``change`` gives None is left out."""

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for place, record in self.stream(report):
                changed = change(record)
                if changed is not None:
                    yield place, changed

        return replace(self, stream=stream)

    def placed(
        self, report: ReportProblem = fail, *, among: Container[str] | None = None
    ) -> Iterator[Placed]:
        """Records with their places; ids of records and of units that repeat are reported.

        With ``among`` only those ids are compared and held.
        """
        seen_records: dict[str, str | None] = {}
        seen_units: dict[str, str | None] = {}
        for place, record in self.stream(report):
            file = part_of(place)
            if record.id in seen_records and not named_by_text(record):
                what = f"{self.kind.record_noun} id {record.id!r}"
                report(self._duplicate(place, what, seen_records[record.id]))
                continue
            if among is None or record.id in among:
                seen_records.setdefault(record.id, file)
            for unit in self.kind.units(record):
                if unit.id in seen_units:
                    report(self._duplicate(place, f"id {unit.id!r}", seen_units[unit.id]))
                if among is None or unit.id in among:
                    seen_units.setdefault(unit.id, file)
            yield place, record

    def records(self) -> Iterator[Any]:
        """The records; a problem is raised, ids that occur twice at the end at the latest.

        A test that was surveyed is not checked again.
        """
        if "facts" in self.__dict__:
            for _, record in self.stream(fail):
                yield record
        else:
            from readmark.core.unique_ids import unique_records

            for record, _ in unique_records(self):
                yield record

    def units(self) -> Iterator[Unit]:
        """The units of all records, in the order of the file."""
        for record in self.records():
            yield from self.kind.units(record)

    def paper(self) -> Test:
        """The test as a candidate may see it."""

        def papers(report: ReportProblem) -> Iterator[Placed]:
            for place, record in self.stream(report):
                yield place, self.kind.paper(record)

        return replace(self, stream=papers)

    def split(self, name: str) -> Test:
        """One split of the test, as a test of its own."""
        from readmark.core.splits import select_split

        return select_split(self, name)

    @functools.cached_property
    def facts(self) -> Facts:
        """Counts, language and both fingerprints, from one reading."""
        from readmark.core.survey import survey_of

        files = file_states(self.parts or (self.file,))  # as they are before they are read
        return replace(survey_of(self), files=files)

    @property
    def language(self) -> str:
        """The header's language, else the language detected in the texts."""
        return primary(self.header.language) if self.header.language else self.facts.language

    def __repr__(self) -> str:
        """Name, kind and language; sizes once the test was read, since that may take minutes."""
        about = [self.header.kind]
        if self.header.language:
            about.append(self.header.language)
        if "facts" in self.__dict__:
            about.append(counted(self.facts.records, self.kind.record_noun))
            about.append(counted(self.facts.units, self.kind.unit_noun))
        return f"<Test {self.header.name or self.file}: {', '.join(about)}>"

    def _duplicate(self, place: RecordPlace, what: str, first: str | None) -> Problem:
        is_elsewhere = first is not None and first != part_of(place)
        also = f", also in {first}" if is_elsewhere else ""
        return Problem(self.file, place, "duplicate_id", f"{what} occurs twice{also}")


def in_memory(header: Header, records: Iterable[Any], *, file: str = "<memory>") -> Test:
    """A test of records in memory; their places are their ids."""
    all_records = tuple(records)

    def stream(_: ReportProblem) -> Iterator[Placed]:
        for record in all_records:
            yield record.id, record

    return Test(header, stream, file)


def named_by_text(record: Any) -> bool:
    """Whether a record's id is made from its text: several such records may be one passage's."""
    text = text_of(record)
    return text is not None and len(record.id) == TEXT_ID and record.id == text_id(text)
