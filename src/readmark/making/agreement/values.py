"""What people's work is compared as: annotators, and comparisons of one sort of work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.record_members import questions_of, text_of
from readmark.core.records import Answer
from readmark.core.test import Test
from readmark.formats.text_versions import require_same_text
from readmark.statistics.agreement.value import Agreement, Resampling
from readmark.tasks import Asserted

Labels = dict[str, dict[str, str]]
"""Unit ids, and of each the labels by field."""
MOST_RESAMPLED = 10
"""Annotators of whom each pair gets intervals."""


@dataclass(frozen=True, slots=True)
class Annotator:
    """One person's work: an annotated test, a sitting, or labels by id."""

    name: str
    file: str
    records: Mapping[str, Any] = field(default_factory=dict)
    labels: Labels = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    """The fields that are compared when none is asked for: those of the key, or of a label file."""
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


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators' figures, and for labels how often each label met each."""

    a: str
    b: str
    figures: tuple[Agreement, ...]
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DifferingRewrites:
    """What each person made of a question on which not all agree."""

    id: str
    score: float
    """How alike they are."""
    asked: str
    texts: tuple[tuple[str, ...], ...]
    """In the order of the annotators."""


@dataclass(frozen=True, slots=True)
class AgreementComparison:
    """The agreement on one sort of work: of all annotators together, and of each two."""

    what: str
    sort: str
    """labels, spans, segmentation, coreference, answers or rewrites."""
    noun: str
    """What the units are: questions, passages, ids."""
    annotators: tuple[str, ...]
    units: int
    """Units that all of these annotators have."""
    ids: tuple[str, ...]
    """Every unit that was compared, those of only some included."""
    partial: Mapping[str, tuple[str, ...]]
    """Units that only some have, and who."""
    figures: tuple[Agreement, ...]
    pairs: tuple[PairAgreement, ...]
    scale: str | None = None
    labels: tuple[str, ...] = ()
    """Every label that was given, in order."""
    disagreed: tuple[str, ...] = ()
    """Units whose labels or answers are not all equal."""
    differing_rewrites: tuple[DifferingRewrites, ...] = ()
    """Rewrites that are not equal, the least alike first."""
    notes: tuple[str, ...] = ()

    @property
    def all_figures(self) -> list[Agreement]:
        """Those of all annotators together, then those of each two."""
        return [*self.figures, *(figure for pair in self.pairs for figure in pair.figures)]


def compare_work(
    people: Sequence[Annotator],
    what: str,
    work: Sequence[Mapping[str, object]],
    pair: Callable[[int, int], tuple[Agreement, ...]],
    *,
    did: str,
    ids: Sequence[str] | None = None,
    confusion: Callable[[int, int], Mapping[str, Mapping[str, int]]] | None = None,
    **about: Any,
) -> AgreementComparison:
    """Compare each two annotators; ``work`` has what each of them did, by unit id.

    ``pair`` gives the figures of two, by their places among the annotators. Where no two have a
    unit in common, ``did`` says so: "answered no question in common".
    """
    if not any(a.keys() & b.keys() for a, b in combinations(work, 2)):
        everybody = " and ".join(f"{annotator.name!r} ({annotator.file})" for annotator in people)
        raise DataError(f"{everybody} {did}")
    units = units_of(work) if ids is None else ids
    names = tuple(annotator.name for annotator in people)
    who = {
        id: tuple(name for name, own in zip(names, work, strict=True) if id in own) for id in units
    }
    return AgreementComparison(
        what=what,
        annotators=names,
        units=sum(len(having) == len(people) for having in who.values()),
        ids=tuple(units),
        partial={id: having for id, having in who.items() if len(having) < len(people)},
        pairs=tuple(
            PairAgreement(
                names[a], names[b], pair(a, b), confusion(a, b) if confusion is not None else {}
            )
            for a, b in combinations(range(len(people)), 2)
        ),
        **about,
    )


def units_of(work: Sequence[Mapping[str, object]]) -> list[str]:
    """The units that any annotator did, in the order met."""
    return list(dict.fromkeys(id for own in work for id in own))


def in_common(
    a: Mapping[str, object], b: Mapping[str, object], places: Mapping[str, int]
) -> list[str]:
    """The units that two annotators did, by their places among all."""
    return sorted(a.keys() & b.keys(), key=places.__getitem__)


def groups_of(people: Sequence[Annotator]) -> dict[str, str]:
    """The passage of each unit, where any file says so."""
    return {id: group for annotator in people for id, group in annotator.groups.items()}


def for_pairs(resampling: Resampling | None, people: Sequence[Annotator]) -> Resampling | None:
    """How pairs are resampled: not at all where there are so many that nobody reads them."""
    return resampling if len(people) <= MOST_RESAMPLED else None


# Whether annotators can be compared: people who differ, texts and papers that do not.


def require_distinct(people: Sequence[Annotator]) -> None:
    """Two files of one name may be one person's."""
    seen: dict[str, str] = {}
    for annotator in people:
        if annotator.name in seen:
            files = " and ".join(dict.fromkeys((seen[annotator.name], annotator.file)))
            raise UsageError(
                f"two annotators are called {annotator.name!r}, in {files}; "
                "distinguish them with --names"
            )
        seen[annotator.name] = annotator.file


def require_same_texts(people: Sequence[Annotator]) -> None:
    """Offsets of two versions of a text cannot be compared."""
    first: dict[str, str] = {}
    for annotator in people:
        for record in annotator.records.values():
            for id, text in _texts(record):
                require_same_text(first.setdefault(id, text), text, file=annotator.file, id=id)


def require_same_paper(people: Sequence[Annotator]) -> None:
    """Answers to other questions may have the same ids: a sitting is of one paper only."""
    sat = [annotator for annotator in people if annotator.paper is not None]
    for one in sat[1:]:
        if one.paper != sat[0].paper:
            raise DataError(
                f"is a sitting of another paper ({one.paper}); {sat[0].file} is of {sat[0].paper}",
                file=one.file,
            )
    tests = [annotator.test for annotator in people if annotator.test is not None]
    # Tests may have more or fewer passages than one another: their texts have been compared.
    if sat and tests and all(test.facts.paper != sat[0].paper for test in tests):
        raise DataError(
            f"is a sitting of another paper ({sat[0].paper}); "
            f"{tests[0].file} has {tests[0].facts.paper}",
            file=sat[0].file,
        )


def _texts(record: Any) -> Iterator[tuple[str, str]]:
    text = text_of(record)
    if text is not None:
        yield record.id, text
    for question in questions_of(record):
        yield f"{record.id}:{question.id}", question.text
