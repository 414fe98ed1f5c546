"""The first reading of a test in parts: its facts, and ids that occur in two parts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from readmark.core.processes import ordered_map
from readmark.core.survey import Survey
from readmark.core.test import Test, named_by_text
from readmark.core.unique_ids import unique_records

Digests = NDArray[np.uint64]
"""Ids in 8 bytes each: a process sends those of its part, and not the texts."""


@dataclass(frozen=True, slots=True)
class SurveyedPart:
    """What a process found in a part: its survey, and a digest of every id."""

    survey: Survey
    records: Digests
    units: Digests


def survey_parts(test: Test, *, workers: int) -> list[Digests] | None:
    """Give a test its facts; the digests of each part's units, or None where two ids share one."""
    parts = list(ordered_map(_survey_part, map(test.part, test.parts), workers=workers))
    whole = Survey(test)
    for part in parts:
        whole.merge(part.survey)
    is_distinct = all(
        _are_distinct(np.concatenate(digests))
        for digests in ([part.records for part in parts], [part.units for part in parts])
    )
    if not is_distinct:
        for _ in test.placed():  # raises where an id occurs twice, and names both parts
            pass
    test.__dict__["facts"] = whole.facts()  # cached_property: nobody has to read it all again
    return [part.units for part in parts] if is_distinct else None


def _survey_part(test: Test) -> SurveyedPart:
    """Read one part; an id that it has twice is an error."""
    survey = Survey(test)
    record_digests, unit_digests = bytearray(), bytearray()
    for record, units in unique_records(test):
        survey.add(record, units, test.file)
        if not named_by_text(record):
            record_digests += _digest(record.id)
        for unit in units:
            unit_digests += _digest(unit.id)
    return SurveyedPart(survey, _as_array(record_digests), _as_array(unit_digests))


def digests_of(ids: Iterable[str]) -> Digests:
    """A digest of each id, the same in every process."""
    return _as_array(b"".join(map(_digest, ids)))


def _digest(id: str) -> bytes:
    # Python's own hash differs from process to process.
    return hashlib.blake2b(id.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _as_array(digests: bytes | bytearray) -> Digests:
    return np.frombuffer(bytes(digests), dtype="<u8")


def _are_distinct(digests: Digests) -> bool:
    ordered = np.sort(digests)
    return not bool(np.any(ordered[1:] == ordered[:-1]))
