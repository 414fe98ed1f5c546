"""What people's work is compared as: annotators, and comparisons of one sort of work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer
from readmark.core.test import Test
from readmark.formats.returned_work import require_same_text
from readmark.stats.agreement.value import Agreement, Resampling

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
    """The passage that each unit stands on, where that is known."""
    passages: Mapping[str, str] = field(default_factory=dict)
    """The texts of passages."""
    paper: str | None = None
    """The paper that a sitting says it sat."""
    test: Test | None = None
    """The test that the work stands in."""


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators' figures, and for labels how often each label met each."""

    a: str
    b: str
    figures: tuple[Agreement, ...]
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Beside:
    """What each person made of a question on which not all agree."""

    id: str
    score: float
    """How alike they are."""
    asked: str
    texts: tuple[tuple[str, ...], ...]
    """In the order of the annotators."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything said of one sort of work: of all annotators together, and of each two."""

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
    beside: tuple[Beside, ...] = ()
    """Rewrites that are not equal, the least alike first."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """All comparisons, and how the intervals were made."""

    annotators: tuple[Annotator, ...]
    comparisons: tuple[Comparison, ...]
    seed: int
    draws: int
    level: float

    def document(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "annotators": [{"name": one.name, "file": one.file} for one in self.annotators],
            "seed": self.seed,
            "draws": self.draws,
            "confidence": self.level,
            "what": {one.what: _comparison(one) for one in self.comparisons},
        }


def for_pairs(resampling: Resampling | None, people: Sequence[Annotator]) -> Resampling | None:
    """How pairs are resampled: not at all where there are so many that nobody reads them."""
    return resampling if len(people) <= MOST_RESAMPLED else None


def _comparison(one: Comparison) -> dict[str, Any]:
    pairs = []
    for pair in one.pairs:
        about: dict[str, Any] = {"a": pair.a, "b": pair.b, "figures": _figures(pair.figures)}
        if pair.confusion:
            about["confusion"] = pair.confusion
        pairs.append(about)
    return {
        "sort": one.sort,
        "units": one.units,
        "unit": one.noun,
        "annotators": one.annotators,
        "ids": one.ids,
        "partial": one.partial,
        **({"scale": one.scale, "labels": one.labels} if one.sort == "labels" else {}),
        "figures": _figures(one.figures),
        "pairs": pairs,
        **({"disagreed": one.disagreed} if one.sort in _EQUAL_OR_NOT else {}),
        **({"beside": [_beside(each, one) for each in one.beside]} if one.beside else {}),
        "notes": one.notes,
    }


_EQUAL_OR_NOT = ("labels", "answers", "rewrites")
"""Sorts of work in which two are either equal or not."""


def _beside(each: Beside, one: Comparison) -> dict[str, Any]:
    texts = dict(zip(one.annotators, each.texts, strict=True))
    return {"id": each.id, "score": each.score, "asked": each.asked, "rewrites": texts}


def _figures(figures: tuple[Agreement, ...]) -> dict[str, Any]:
    return {
        one.measure: {
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "n": one.n,
            "observed": one.observed,
            "expected": one.expected,
            "reason": one.reason,
            "no_interval": one.no_interval,
            "undefined_draws": one.undefined_draws,
        }
        for one in figures
    }


# Whether annotators can be compared: people who differ, texts and papers that do not.


def require_distinct(people: Sequence[Annotator]) -> None:
    """Two files of one name may be one person's."""
    seen: dict[str, str] = {}
    for one in people:
        if one.name in seen:
            both = f"{seen[one.name]} and {one.file}"
            where = f"in {one.file}" if seen[one.name] == one.file else f"in {both}"
            raise UsageError(
                f"two annotators are called {one.name!r}, {where}; distinguish them with --names"
            )
        seen[one.name] = one.file


def require_same_texts(people: Sequence[Annotator]) -> None:
    """Offsets of two versions of a text cannot be compared."""
    first: dict[str, str] = {}
    for one in people:
        for record in one.records.values():
            for id, text in _texts(record):
                require_same_text(first.setdefault(id, text), text, file=one.file, id=id)


def require_same_paper(people: Sequence[Annotator]) -> None:
    """Answers to other questions may have the same ids: a sitting is of one paper only."""
    sat = [one for one in people if one.paper is not None]
    for one in sat[1:]:
        if one.paper != sat[0].paper:
            raise DataError(
                f"is a sitting of another paper ({one.paper}); {sat[0].file} is of {sat[0].paper}",
                file=one.file,
            )
    tests = [one.test for one in people if one.test is not None]
    # Tests may have more or fewer passages than one another: their texts have been compared.
    if sat and tests and all(test.facts.paper != sat[0].paper for test in tests):
        raise DataError(
            f"is a sitting of another paper ({sat[0].paper}); "
            f"{tests[0].file} has {tests[0].facts.paper}",
            file=sat[0].file,
        )


def _texts(record: Any) -> Iterator[tuple[str, str]]:
    text = getattr(record, "text", None)
    if isinstance(text, str):
        yield record.id, text
    for question in getattr(record, "questions", ()):
        yield f"{record.id}:{question.id}", question.text
