"""How many passages of a test were in a candidate's training data, as headers and marks say it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from readmark.core.counts import plural
from readmark.core.errors import DataError
from readmark.core.json_lines import in_words
from readmark.core.records import Value
from readmark.core.sitting import SittingHeader

FIELD = "seen"
"""The member of a sitting header's ``fields`` that has it."""
PassageCount = Annotated[int, msgspec.Meta(ge=0)]


class SeenPassages(Value, frozen=True):
    """Passages (series, documents) of a test that a candidate learnt from, and of how many."""

    passages: PassageCount
    of: PassageCount
    sources: tuple[str, ...] = ()
    """The sources of the candidate's training data that have them."""
    ids: tuple[str, ...] = ()
    """Which they are; marksheets leave this out."""
    noun: str = "passage"
    """What the test's records are called."""

    def as_json(self) -> dict[str, Any]:
        """For headers and for machines."""
        document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return document

    @property
    def words(self) -> str:
        """In a sentence."""
        were = "was" if self.passages == 1 else "were"
        count = f"{self.passages:,} of {self.of:,} {plural(self.noun)}"
        sources = f" ({', '.join(self.sources)})" if self.sources else ""
        return f"{count} {were} in this candidate's training data{sources}"


def seen_by(header: SittingHeader, file: str) -> SeenPassages | None:
    """What the header of a sitting says; None where nothing was seen or nobody knows."""
    if FIELD not in header.fields:
        return None
    try:
        seen = msgspec.convert(header.fields[FIELD], SeenPassages)
    except msgspec.ValidationError as error:
        raise DataError(f"the header's field {FIELD}: {in_words(error)}", file=file) from None
    return seen if seen.passages else None
