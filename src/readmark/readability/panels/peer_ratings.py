"""The ratings of people without experts: of sittings or of a test's key, as a table of raters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from readmark.core.arrays import Bools, Floats
from readmark.core.binding import sat_splits
from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.records import Unit
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.formats.people_names import folded_name
from readmark.readability.kind import Rating
from readmark.readability.metrics.ratings import rating_of
from readmark.readability.panels.rating_sittings import OUTSIDE, outside_scale, spelt_otherwise

FEWEST = 3
"""Raters of a passage: where one is left out, two others must be there to make a reference of."""
REFERENCES: Mapping[str, Callable[[Floats], float]] = {
    "mean": lambda ratings: float(ratings.mean()),
    "median": lambda ratings: float(np.median(ratings)),
}


@dataclass(frozen=True, slots=True)
class PeerRatings:
    """Passages in the order of their ids, and each rater's ratings; NaN where one is missing."""

    units: Sequence[Unit]
    names: Sequence[str]
    ratings: Floats
    """(passages, raters)"""
    reference: str = "mean"
    """How the ratings of the others are combined."""

    @property
    def rated(self) -> Bools:
        """(passages, raters): who rated what."""
        return np.isfinite(self.ratings)

    def of_passages(self, chosen: Sequence[int]) -> PeerRatings:
        """The same on some passages, with the raters who rated any of them."""
        part = self.ratings[list(chosen)]
        present = np.flatnonzero(np.isfinite(part).any(axis=0)).tolist()
        names = [self.names[index] for index in present]
        units = [self.units[index] for index in chosen]
        return PeerRatings(units, names, part[:, present], self.reference)

    def gold(self, passage: int, rater: int) -> Rating:
        """The ratings that the other raters gave a passage, combined to one."""
        others = np.delete(self.ratings[passage], rater)
        value = REFERENCES[self.reference](others[np.isfinite(others)])
        return Rating(rating=value, annotator="the other raters")


def read_peers(
    test: Test, people: Sequence[Sitting], *, reference: str
) -> tuple[PeerRatings, list[str]]:
    """The raters by name, on the passages that enough of them rated, and notes on what is left out.

    Without ``people`` the raters are those of the key.
    """
    ratings, notes = _from_sittings(test, people) if people else (_from_key(test), [])
    names = sorted(ratings)
    if len(names) < FEWEST:
        raise DataError(
            f"comparing with raters takes {FEWEST} raters or more, found {len(names)} "
            f"({', '.join(names)})",
            file=test.file,
        )
    units = sorted(test.units(), key=lambda unit: unit.id)
    table = np.array([[ratings[name].get(unit.id, math.nan) for name in names] for unit in units])
    raters_of = np.isfinite(table).sum(axis=1).tolist()
    chosen = [index for index, raters in enumerate(raters_of) if raters >= FEWEST]
    if len(chosen) < 2:
        raise DataError(
            f"{counted(len(chosen), 'passage has', 'passages have')} {FEWEST} raters or more, "
            "expected 2 or more: the raters rated different passages "
            f"(at most {max(raters_of)} the same)",
            file=test.file,
        )
    few = [unit.id for unit, raters in zip(units, raters_of, strict=True) if raters < FEWEST]
    if few:
        notes.append(f"{test.file}: left out, fewer than {FEWEST} raters: {listed_ids(few)}")
    peers = PeerRatings(units, names, table, reference).of_passages(chosen)
    for name in names:
        if name not in peers.names:
            notes.append(f"{test.file}: {name} rated none of the passages that count")
    for rater, name in enumerate(peers.names):
        unrated = np.flatnonzero(~peers.rated[:, rater]).tolist()
        missing = [peers.units[index].id for index in unrated]
        if missing:
            notes.append(f"{test.file}: {name} did not rate {listed_ids(missing)}; the rest counts")
    return peers, notes


def _from_sittings(
    test: Test, sittings: Sequence[Sitting]
) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Ratings by rater and passage, and notes on those off the scale."""
    units = {unit.id: unit for unit in test.units()}
    sitting_of: dict[str, Sitting] = {}
    ratings: dict[str, dict[str, float]] = {}
    notes: list[str] = []
    for sitting in sittings:
        name = sitting.candidate
        sat_splits(test, sitting)
        if other := sitting_of.get(folded_name(name)):
            raise DataError(
                f"{name!r} is also the rater of {other.file}"
                f"{spelt_otherwise(other.candidate, name)}; each rater counts once",
                file=sitting.file,
            )
        if sitting.header.repeats > 1:
            raise DataError(
                "a person rates a passage once, this sitting has repeats", file=sitting.file
            )
        sitting_of[folded_name(name)] = sitting
        ratings[name] = {
            id: rating_of(units[id], test.kind.read_answer(row))
            for id in sitting
            if id in units
            for row in sitting.of(id)[:1]
            if row.answered
        }
        if not ratings[name]:
            raise DataError(f"{name!r} rated no passage of {test.file}", file=sitting.file)
        outside = list(outside_scale(sitting, ratings[name]))
        if outside:
            notes.append(f"{sitting.file}: {OUTSIDE}: {listed_ids(outside)}")
    return ratings, notes


def _from_key(test: Test) -> dict[str, dict[str, float]]:
    """Ratings by rater and passage."""
    ratings: dict[str, dict[str, float]] = {}
    for unit in test.units():
        for [rating] in test.kind.references(unit):
            by_passage = ratings.setdefault(rating.annotator, {})
            if unit.id in by_passage:
                raise DataError(f"{unit.id}: {rating.annotator} rated it twice", file=test.file)
            by_passage[unit.id] = rating_of(unit, rating)
    if not ratings:
        raise UsageError(
            f"{test.file} has no ratings in its key: give people's sittings as `novices`"
        )
    return ratings
