"""A test: a header and a stream of records; the paper is the test with every key taken out."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from readmark.core.errors import DataError, UsageError
from readmark.core.file_state import FileState, file_states
from readmark.core.fingerprint import TEXT_ID, Fingerprint, text_id
from readmark.core.kinds import kind_named
from readmark.core.language import Letters, primary
from readmark.core.problems import PartLine, Problem, Report, fail
from readmark.core.records import Unit, Value, named_annotator
from readmark.core.sieve import WORDS, Sieve

if TYPE_CHECKING:
    from readmark.hooks import Kind
SCHEMA = 1
"""The newest schema of native files that this version reads."""


class Header(Value, frozen=True):
    """What a test says of itself; the first line of a native file."""

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
    """How large a split is, and its own two fingerprints: a split is a paper too."""

    records: int
    units: int
    paper: str
    key: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What one reading of a whole test finds out."""

    records: int
    units: int
    language: str
    keyed: int
    """Units that have something to be marked against."""
    several: int
    """Units with answers of two people or more."""
    attributed: int
    """Those of them that name two people or more."""
    referenced: int
    """Units with a reference: what a person answered, or that there is no answer."""
    faulty: tuple[str, ...]
    """Ids whose offsets do not point at their answers."""
    paper: str
    key: str
    splits: Mapping[str | None, SplitFacts] = field(default_factory=dict)
    """Every split of the test, in the order of the file; None is what has no split."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Of how many units the kind of test says something, by what it says: see ``count``."""
    parts: tuple[str, ...] = ()
    """The paper's fingerprint of each part of a test in several files: a part is a paper too."""
    files: Mapping[str, FileState] = field(default_factory=dict, compare=False, repr=False)
    """What the files that were read are known by."""

    def count(self, said: str) -> int:
        """Of how many units the kind of test says this, such as ``choices``."""
        return self.counts.get(said, 0)


Place = int | str
Placed = tuple[Place, Any]


@dataclass(frozen=True, slots=True)
class PartStream:
    """The records of several files, one file after the other; only one need be held."""

    files: tuple[str, ...]
    read: Callable[[str, Report], Iterator[Placed]]
    """The records of a file with their lines or rows; other processes call it too."""

    def __call__(self, report: Report) -> Iterator[Placed]:
        for file in self.files:
            for number, record in self.read(file, report):
                yield PartLine(int(number), file), record


@dataclass(frozen=True)
class Test:
    """A test that can be read any number of times, record by record.

    ``stream`` gives each record with its place: a line number, or an id in a JSON document.
    """

    __test__ = False

    header: Header
    stream: Callable[[Report], Iterator[Placed]]
    file: str = "<memory>"
    whole: Test | None = field(default=None, repr=False, compare=False)
    """The test that this is a part of, where splits were selected."""
    selected: tuple[str | None, ...] = ()
    """The splits that were selected; none where this is a whole test."""
    unit_rows: Callable[[], Mapping[str, int]] | None = field(
        default=None, repr=False, compare=False
    )
    """The row of each unit by its id, in formats that have one for each."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The files of a test in several, in their order; none where it was changed."""
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
        """Refuse a test of another kind than those that a command takes."""
        if self.kind.name not in kinds:
            expected = " or ".join(kinds)
            raise UsageError(f"{self.file} is a {self.kind.name} test, expected {expected}")

    def changed(self, change: Callable[[Any], Any]) -> Test:
        """The test with every record as ``change`` makes it; None leaves a record out."""

        def stream(report: Report) -> Iterator[Placed]:
            for place, record in self.stream(report):
                made = change(record)
                if made is not None:
                    yield place, made

        return replace(self, stream=stream)

    def placed(
        self, report: Report = fail, *, among: Container[str] | None = None
    ) -> Iterator[Placed]:
        """Records with their places; ids of records and of units must not repeat.

        With ``among`` only those ids are looked at and held.
        """
        seen_records: dict[str, str | None] = {}
        seen_units: dict[str, str | None] = {}
        for place, record in self.stream(report):
            file = getattr(place, "file", None)
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
        """The records; a problem is raised, ids that occur twice by the end at the latest.

        What was surveyed is not checked again.
        """
        if "facts" in self.__dict__:
            for _, record in self.stream(fail):
                yield record
        else:
            for record, _ in unique_records(self):
                yield record

    def units(self) -> Iterator[Unit]:
        """The units of all records, in the order of the file."""
        for record in self.records():
            yield from self.kind.units(record)

    def paper(self) -> Test:
        """The test as a candidate may see it."""

        def papers(report: Report) -> Iterator[Placed]:
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
        files = file_states(self.parts or (self.file,))
        return replace(_survey(self), files=files)

    @property
    def language(self) -> str:
        """The header's language, else the language detected in the texts."""
        return primary(self.header.language) if self.header.language else self.facts.language

    def _duplicate(self, place: Place, what: str, first: str | None) -> Problem:
        elsewhere = first is not None and first != getattr(place, "file", None)
        also = f", also in {first}" if elsewhere else ""
        return Problem(self.file, place, "duplicate_id", f"{what} occurs twice{also}")


def in_memory(header: Header, records: Iterable[Any], *, file: str = "<memory>") -> Test:
    """A test of records that are already here; their places are their ids."""
    kept = tuple(records)

    def stream(_: Report) -> Iterator[Placed]:
        for record in kept:
            yield record.id, record

    return Test(header, stream, file)


def _survey(test: Test) -> Facts:
    survey = Survey(test)
    for place, record, asked in _unique_placed(test):
        survey.add(record, asked, getattr(place, "file", None))
    return survey.facts()


class Survey:
    """What is counted of a test while it is read; surveys of its parts add up to that of it."""

    def __init__(self, test: Test) -> None:
        self._kind, self._header, self._file = test.kind, test.header, test.file
        self._splits: dict[tuple[str | None, str | None], _SplitSurvey] = {}
        self._counts = dict.fromkeys(_COUNTED, 0)
        self._said: Counter[str] = Counter()
        self._faulty: dict[str, None] = {}
        self._letters = Letters()

    def add(self, record: Any, units: Sequence[Unit], part: str | None = None) -> None:
        """Take in a record with its units; ``part`` is the file where there are several."""
        kind, counts = self._kind, self._counts
        name = part, split_of(record)
        survey = self._splits.get(name)
        if survey is None:
            survey = self._splits[name] = _SplitSurvey()
        survey.records += 1
        survey.units += len(units)
        survey.paper.add(kind.paper_part(record))
        survey.key.add(kind.key_part(record))
        if self._header.language is None:
            self._letters.add(kind.texts(record))
        for owner, code, _ in kind.findings(record):
            if code == "offset":
                self._faulty[owner] = None
        for unit in units:
            people = kind.references(unit)
            said = kind.unit_facts(unit)
            self._said.update(said)
            counts["keyed"] += bool(people) or KEYED in said
            counts["referenced"] += bool(people)
            if len(people) > 1:
                counts["several"] += 1
                counts["attributed"] += sum(map(bool, map(named_annotator, people))) > 1

    def merge(self, other: Survey) -> None:
        """Take in the survey of the part that follows."""
        self._splits |= other._splits
        for name, count in other._counts.items():
            self._counts[name] += count
        self._said += other._said
        self._faulty |= other._faulty
        self._letters.merge(other._letters)

    def facts(self) -> Facts:
        """What was found out."""
        if not self._splits:
            raise DataError("the test has no records", file=self._file)
        parts: dict[str, Fingerprint] = {}
        splits: dict[str | None, _SplitSurvey] = {}
        whole = _SplitSurvey()
        for (part, name), survey in self._splits.items():
            splits.setdefault(name, _SplitSurvey()).merge(survey)
            whole.merge(survey)
            if part is not None:
                parts.setdefault(part, Fingerprint()).merge(survey.paper)
        return Facts(
            records=whole.records,
            units=whole.units,
            language=primary(self._header.language or self._letters.language),
            files={},
            **self._counts,
            counts={said: count for said, count in self._said.items() if said != KEYED},
            faulty=tuple(self._faulty),
            paper=whole.paper.hex(),
            key=whole.key.hex(),
            splits={name: survey.facts() for name, survey in splits.items()},
            parts=tuple(paper.hex() for paper in parts.values()),
        )


_COUNTED = ("keyed", "several", "attributed", "referenced")
KEYED = "keyed"
"""What a kind says of a unit that can be marked although it has no references."""


@dataclass(slots=True)
class _SplitSurvey:
    """What is counted of one split while a test is surveyed."""

    records: int = 0
    units: int = 0
    paper: Fingerprint = field(default_factory=Fingerprint)
    key: Fingerprint = field(default_factory=Fingerprint)

    def merge(self, other: _SplitSurvey) -> None:
        self.records += other.records
        self.units += other.units
        self.paper.merge(other.paper)
        self.key.merge(other.key)

    def facts(self) -> SplitFacts:
        return SplitFacts(self.records, self.units, self.paper.hex(), self.key.hex())


def split_of(record: Any) -> str | None:
    """A record's split; not every kind of record has one."""
    return getattr(record, "split", None) or None


BATCH = 4096
"""Ids that go through a sieve together."""
MOST_SUSPECTS = 1 << 16
"""Suspects that are held before they are looked at; only tests of many millions have so many."""


def unique_records(
    test: Test, *, words: int = WORDS, batch: int = BATCH, most: int = MOST_SUSPECTS
) -> Iterator[tuple[Any, tuple[Unit, ...]]]:
    """Records with their units; an id that occurs twice is raised, at the end if not before."""
    for _, record, units in _unique_placed(test, words=words, batch=batch, most=most):
        yield record, units


def _unique_placed(
    test: Test, *, words: int = WORDS, batch: int = BATCH, most: int = MOST_SUSPECTS
) -> Iterator[tuple[Place, Any, tuple[Unit, ...]]]:
    sieve: Sieve | None = None
    ids: list[str] = []
    parts: list[str] = []
    suspects: set[str] = set()
    read = 0

    def sift(size: int) -> None:
        nonlocal sieve
        sieve = sieve or Sieve(size)
        found = sieve.again(ids, parts)
        suspects.update(found, (id[1:] for id in found if id.startswith("\n")))
        ids.clear()
        parts.clear()

    def look() -> None:
        """Read once more what was read; suspects that occur once are dropped."""
        if suspects:
            for _ in islice(test.placed(among=suspects), read):
                pass
            suspects.clear()

    try:
        for place, record in test.stream(fail):
            read += 1
            units = tuple(test.kind.units(record))
            # Records and units may share ids: those of records are marked by a line feed.
            (parts if named_by_text(record) else ids).append(f"\n{record.id}")
            ids += [unit.id for unit in units]
            if len(ids) + len(parts) >= batch:
                sift(words)
                if len(suspects) >= most:
                    look()
            yield place, record, units
    except DataError:
        sift(1)
        look()  # what occurs twice before the fault is the first thing wrong
        raise
    sift(1)  # for a single batch any size will do
    look()


def named_by_text(record: Any) -> bool:
    """Whether a record's id is its text's: such records may be in parts, as in flat files."""
    text = getattr(record, "text", None)
    return isinstance(text, str) and len(record.id) == TEXT_ID and record.id == text_id(text)
