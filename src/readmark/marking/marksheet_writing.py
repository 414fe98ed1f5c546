"""Marksheets written while a sitting is marked: a row for each unit, then the marks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from readmark.core.binding import MOST_SPLITS
from readmark.core.distinct_files import require_distinct_files
from readmark.core.marksheet import (
    PEOPLE,
    UNATTRIBUTED,
    Alone,
    ErrorNames,
    MarkedClasses,
    MarkedSplit,
    MarkedTest,
    MarkedUnit,
    MarksheetHeader,
    MarksheetWriter,
    writing_marksheet,
)
from readmark.core.seen import SeenPassages
from readmark.core.sitting import Row, SittingHeader
from readmark.core.test import Test
from readmark.marking.binding import Marking
from readmark.marking.columns import UnitClasses
from readmark.marking.notes import coverage_words
from readmark.marking.settings import MarkSettings
from readmark.marking.signatures import metric_signatures
from readmark.marking.unit_marks import UnitMarks
from readmark.marking.vectors import LeftOutVectors, UnitVector


@contextlib.contextmanager
def open_sheet(
    path: str | Path | None,
    marking: Marking,
    settings: MarkSettings,
    *,
    seen: SeenPassages | None = None,
) -> Iterator[Sheet | None]:
    """Open a marksheet for a sitting, or for people when there is none; None where none is asked.

    It replaces the file of its name only when it is closed with its marks.
    """
    if path is None:
        yield None
        return
    test, sitting, classifier = marking.test, marking.sitting, marking.classifier
    sat = SittingHeader() if sitting is None else sitting.header
    inputs = [test.file, *(member.file for member in marking.panel)]
    require_distinct_files([path], inputs if sitting is None else [*inputs, sitting.file])
    header = MarksheetHeader(
        kind=test.kind.name,
        test=marked_test(test),
        candidate=PEOPLE if sitting is None else sitting.candidate,
        registered=sat.candidate if sat.name else None,
        signature=sat.signature,
        metrics=metric_signatures(marking.metrics, test.kind, settings),
        settings=settings.recorded(),
        classes=None
        if classifier is None
        else ErrorNames(names=tuple(classifier.names), signature=classifier.signature()),
        panel=tuple(member.candidate for member in marking.panel),
        covers=coverage_words(sat),
        limit=sat.limit,
        without=sat.without,
        cross=sat.cross,
        rewrite=sat.rewrite,
        shuffle_options=sat.shuffle_options,
        repeats=sat.repeats,
        seen=seen,
    )
    with writing_marksheet(path, header) as writer:
        yield Sheet(writer, marking, redact=settings.redact)


class Sheet:
    """A marksheet being written: takes units as they are marked, then the marks."""

    def __init__(self, writer: MarksheetWriter, marking: Marking, *, redact: bool) -> None:
        self._writer = writer
        self._marking = marking
        self._kind = marking.test.kind
        self._redact = redact
        self._pseudonyms: dict[str, str] = {}

    def add(self, marked: UnitMarks) -> None:
        """A unit's row, after its record's."""
        unit = marked.unit
        self._writer.record(unit.group, self._kind.show_record(unit.record))
        vectors = marked.vectors if self._marking.sitting is not None else {}
        gold = () if self._redact else tuple(tuple(person) for person in marked.references)
        self._writer.unit(
            MarkedUnit(
                id=unit.id,
                group=unit.group,
                shown=tuple(self._kind.show(unit)),
                fields=self._fields(marked),
                vectors={name: tuple(vector) for name, vector in vectors.items()},
                alone={name: _alone(left) for name, left in (marked.left_out or {}).items()},
                panel={
                    name: tuple(map(_optional, members))
                    for name, members in (marked.panel or {}).items()
                },
                classes=None if marked.classes is None else _classes(marked.classes),
                annotators=tuple(map(self._annotator, marked.annotators)),
                answers=tuple(marked.rows),
                people=self._people(marked),
                gold=gold,
            )
        )

    def close(self, marks: Mapping[str, Any]) -> None:
        """The marks, with nobody's name that the units do not have."""
        if "each" in marks:
            each = marks["each"].items()
            names = self._pseudonyms
            marks = {**marks, "each": {names.get(name, name): mark for name, mark in each}}
        self._writer.marks(marks)

    def _fields(self, marked: UnitMarks) -> dict[str, Any]:
        """Every scalar field of a unit, and what was derived to slice by."""
        unit, fields = marked.unit, self._marking.fields
        derived = {
            name: value for name in fields.names if (value := fields.value(unit, name)) is not None
        }
        if not self._redact:
            return {**unit.scalars(), **derived}
        papers = self._kind.units(self._kind.paper(unit.record))
        paper = next(paper for paper in papers if paper.id == unit.id)
        return {**paper.scalars(), **derived}

    def _annotator(self, name: str) -> str:
        """Who wrote an answer of the key; when redacted a number, the same in every unit."""
        if not self._redact:
            return name
        return self._pseudonyms.setdefault(name, f"annotator {len(self._pseudonyms) + 1}")

    def _people(self, marked: UnitMarks) -> tuple[tuple[Row, ...], ...]:
        """What the panel's members answered, as far as they were to sit the unit."""
        if self._redact or not marked.panel:
            return ()
        vectors = next(iter(marked.panel.values()))
        return tuple(
            () if vector is None else tuple(person.of(marked.unit.id))
            for person, vector in zip(self._marking.panel, vectors, strict=True)
        )


def _alone(vectors: LeftOutVectors) -> Alone:
    return Alone(
        machine=tuple(vectors.machine),
        people=tuple(vectors.people),
        each=tuple(map(tuple, vectors.each)),
    )


def _optional(vector: UnitVector | None) -> tuple[float, ...] | None:
    return None if vector is None else tuple(vector)


def _classes(classes: UnitClasses) -> MarkedClasses:
    """The vectors of a unit's error classes; each person's own are not recorded."""
    left_out, panel = classes.left_out, classes.panel
    return MarkedClasses(
        own=_optional(classes.machine),
        alone=None if left_out is None else _alone(left_out._replace(each=())),
        panel=None if panel is None else tuple(map(_optional, panel)),
    )


def marked_test(test: Test) -> MarkedTest:
    """The test as marks name it."""
    facts, fields = test.facts, test.header.fields
    people = _text(fields.get("people"))
    if not people and facts.attributed < facts.several:
        people = UNATTRIBUTED  # several answers are several people's only where they name them
    split, splits = None, {}
    if len(facts.splits) == 1:
        split = next(iter(facts.splits))
    elif len(facts.splits) <= MOST_SPLITS:
        splits = {
            name or "": MarkedSplit(paper=split_facts.paper, key=split_facts.key)
            for name, split_facts in facts.splits.items()
        }
    return MarkedTest(
        name=test.header.name or Path(test.file).name,
        paper=facts.paper,
        key=facts.key,
        language=test.language,
        licence=test.header.licence,
        note=_text(fields.get("note")),
        people=people,
        preparation=_preparation(fields.get("preparation")),
        split=split,
        splits=splits,
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _preparation(value: Any) -> str | None:
    """The time and effort behind a test, as its header has it: ``hours 3, people 2``."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {amount}" for name, amount in value.items()) or None
    return _text(value)
