"""One person's work, and whether several people's can be compared: texts and papers that agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.record_members import questions_of, text_of
from readmark.core.records import Answer
from readmark.core.test import Test
from readmark.formats.text_versions import require_same_text
from readmark.tasks import Asserted

Labels = dict[str, dict[str, str]]
"""Unit ids, each with its labels by field."""


@dataclass(frozen=True, slots=True)
class Annotator:
    """One person's work: an annotated test, a sitting, or labels by id."""

    name: str
    file: str
    records: Mapping[str, Any] = field(default_factory=dict)
    labels: Labels = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    """The fields that are compared when none is named: those of the key, or of a label file."""
    answers: Mapping[str, Answer] = field(default_factory=dict)
    rewrites: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """All golds of each question in a series; an answer is but the first of them."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """The passage that each unit is about, where that is known."""
    passages: Mapping[str, str] = field(default_factory=dict)
    """The texts of passages."""
    statements: Mapping[str, Sequence[Asserted]] = field(default_factory=dict)
    """What was stated of each document of a reading task."""
    unsigned: int = 0
    """Statements of the same task that nobody signed."""
    paper: str | None = None
    """The paper that a sitting says it sat."""
    test: Test | None = None
    """The test that contains the work."""


def groups_of(people: Sequence[Annotator]) -> dict[str, str]:
    """The passage of each unit, where any file says so."""
    return {id: group for annotator in people for id, group in annotator.groups.items()}


def require_distinct(people: Sequence[Annotator]) -> None:
    """Two files of one name may be one person's."""
    files: dict[str, str] = {}
    for annotator in people:
        if annotator.name in files:
            both = " and ".join(dict.fromkeys((files[annotator.name], annotator.file)))
            raise UsageError(
                f"two annotators are called {annotator.name!r}, in {both}; "
                "distinguish them with --names"
            )
        files[annotator.name] = annotator.file


def require_same_texts(people: Sequence[Annotator]) -> None:
    """Offsets of two versions of a text cannot be compared."""
    texts: dict[str, str] = {}
    for annotator in people:
        for record in annotator.records.values():
            for id, text in _texts(record):
                require_same_text(texts.setdefault(id, text), text, file=annotator.file, id=id)


def _texts(record: Any) -> Iterator[tuple[str, str]]:
    text = text_of(record)
    if text is not None:
        yield record.id, text
    for question in questions_of(record):
        yield f"{record.id}:{question.id}", question.text


def require_same_paper(people: Sequence[Annotator]) -> None:
    """Answers to other questions may have the same ids: a sitting is of one paper only."""
    sittings = [annotator for annotator in people if annotator.paper is not None]
    for sitting in sittings[1:]:
        if sitting.paper != sittings[0].paper:
            raise DataError(
                f"is a sitting of another paper ({sitting.paper}); "
                f"{sittings[0].file} is of {sittings[0].paper}",
                file=sitting.file,
            )
    tests = [annotator.test for annotator in people if annotator.test is not None]
    # Tests may have more or fewer passages than one another: their texts have been compared.
    if sittings and tests and all(test.facts.paper != sittings[0].paper for test in tests):
        raise DataError(
            f"is a sitting of another paper ({sittings[0].paper}); "
            f"{tests[0].file} has {tests[0].facts.paper}",
            file=sittings[0].file,
        )
