"""The survey of a test: counts, language and fingerprints, from one reading of all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.core.errors import DataError
from readmark.core.fingerprint import Fingerprint
from readmark.core.language import Letters, primary
from readmark.core.problems import part_of
from readmark.core.record_members import split_of
from readmark.core.records import Unit, named_annotator
from readmark.core.test import Facts, SplitFacts, Test
from readmark.core.unique_ids import unique_placed

_COUNTED = ("keyed", "several", "attributed", "referenced")
KEYED = "keyed"
"""The one of a kind's ``unit_facts`` for units that can be marked without references."""


def survey_of(test: Test) -> Facts:
    """The facts of a test; an id that occurs twice is an error."""
    survey = Survey(test)
    for place, record, units in unique_placed(test):
        survey.add(record, units, part_of(place))
    return survey.facts()


class Survey:
    """Counts of a test while it is read; those of its parts add up to those of the whole."""

    def __init__(self, test: Test) -> None:
        self._kind, self._header, self._file = test.kind, test.header, test.file
        self._splits: dict[tuple[str | None, str | None], _SplitSurvey] = {}
        self._counts = dict.fromkeys(_COUNTED, 0)
        self._unit_facts: Counter[str] = Counter()
        self._faulty: dict[str, None] = {}
        self._letters = Letters()

    def add(self, record: Any, units: Sequence[Unit], part: str | None = None) -> None:
        """Count a record with its units; ``part`` is its file, if the test has several."""
        kind, counts = self._kind, self._counts
        name = part, split_of(record)
        split = self._splits.get(name)
        if split is None:
            split = self._splits[name] = _SplitSurvey()
        split.records += 1
        split.units += len(units)
        split.paper.add(kind.paper_part(record))
        split.key.add(kind.key_part(record))
        if self._header.language is None:
            self._letters.add(kind.texts(record))
        for owner, code, _ in kind.findings(record):
            if code == "offset":
                self._faulty[owner] = None
        for unit in units:
            people = kind.references(unit)
            unit_facts = kind.unit_facts(unit)
            self._unit_facts.update(unit_facts)
            counts["keyed"] += bool(people) or KEYED in unit_facts
            counts["referenced"] += bool(people)
            if len(people) > 1:
                counts["several"] += 1
                counts["attributed"] += sum(map(bool, map(named_annotator, people))) > 1

    def merge(self, other: Survey) -> None:
        """Add the survey of the part that follows."""
        self._splits |= other._splits
        for name, count in other._counts.items():
            self._counts[name] += count
        self._unit_facts += other._unit_facts
        self._faulty |= other._faulty
        self._letters.merge(other._letters)

    def facts(self) -> Facts:
        """The facts of all that was counted."""
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
            counts={fact: count for fact, count in self._unit_facts.items() if fact != KEYED},
            faulty=tuple(self._faulty),
            paper=whole.paper.hex(),
            key=whole.key.hex(),
            splits={name: survey.facts() for name, survey in splits.items()},
            parts=tuple(paper.hex() for paper in parts.values()),
        )


@dataclass(slots=True)
class _SplitSurvey:
    """Counts and fingerprints of one split, in one part of the test."""

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
