"""How many passages of a test were in a candidate's training data, in headers and marks."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from readmark.core.counts import plural
from readmark.core.errors import DataError
from readmark.core.json_lines import in_words
from readmark.core.records import Value
from readmark.core.sitting import SittingHeader

FIELD = "seen"
"""The member of a sitting header's ``fields`` for it."""
PassageCount = Annotated[int, msgspec.Meta(ge=0)]


class SeenPassages(Value, frozen=True):
    """How many passages (series, documents) of a test a candidate was trained on."""

    passages: PassageCount
    of: PassageCount
    """How many the test has."""
    sources: tuple[str, ...] = ()
    """The sources of the candidate's training data that have them."""
    ids: tuple[str, ...] = ()
    """The ids of these passages; marksheets leave them out."""
    noun: str = "passage"
    """The noun for the test's records."""

    def as_json(self) -> dict[str, Any]:
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
    """What a sitting's header says; None if nothing was seen, or if that is not known."""
    if FIELD not in header.fields:
        return None
    try:
        seen = msgspec.convert(header.fields[FIELD], SeenPassages)
    except msgspec.ValidationError as error:
        raise DataError(f"the header's field {FIELD}: {in_words(error)}", file=file) from None
    return seen if seen.passages else None
