"""What comparing people's work gives: the agreement of all of them, and of each two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from readmark.core.errors import DataError
from readmark.making.agreement.annotator import Annotator
from readmark.statistics.agreement.value import Agreement, Resampling

MOST_RESAMPLED = 10
"""Annotators of whom each pair gets intervals: more make so many pairs that nobody reads them."""


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
    nothing_shared: str,
    ids: Sequence[str] | None = None,
    confusion: Callable[[int, int], Mapping[str, Mapping[str, int]]] | None = None,
    **members: Any,
) -> AgreementComparison:
    """Compare each two annotators; ``work`` has what each of them did, by unit id.

    ``pair`` gives the figures of two, by their places among the annotators. ``nothing_shared`` ends
    the message where no two have a unit in common: "answered no question in common". ``members``
    are those of the comparison that are known already.
    """
    if not any(a.keys() & b.keys() for a, b in combinations(work, 2)):
        everybody = " and ".join(f"{annotator.name!r} ({annotator.file})" for annotator in people)
        raise DataError(f"{everybody} {nothing_shared}")
    units = units_of(work) if ids is None else ids
    names = tuple(annotator.name for annotator in people)
    who = {
        id: tuple(name for name, done in zip(names, work, strict=True) if id in done)
        for id in units
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
        **members,
    )


def units_of(work: Sequence[Mapping[str, object]]) -> list[str]:
    """The units that any annotator did, in the order met."""
    return list(dict.fromkeys(id for done in work for id in done))


def in_common(
    a: Mapping[str, object], b: Mapping[str, object], places: Mapping[str, int]
) -> list[str]:
    """The units that two annotators did, by their places among all."""
    return sorted(a.keys() & b.keys(), key=places.__getitem__)


def disagreed(ids: Sequence[str], rows: Sequence[Sequence[str | None]]) -> tuple[str, ...]:
    """The units whose values are not all equal; each row has a value of each annotator."""
    return tuple(id for id, row in zip(ids, rows, strict=True) if len({*row} - {None}) > 1)


def for_pairs(resampling: Resampling | None, people: Sequence[Annotator]) -> Resampling | None:
    """How pairs are resampled: not at all where there are too many of them."""
    return resampling if len(people) <= MOST_RESAMPLED else None
