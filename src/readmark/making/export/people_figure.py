"""People's figure on what is published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.marksheet import AUTHORS
from readmark.core.test import Test
from readmark.formats.inputs import SittingInput
from readmark.formats.tables.columns import SPLIT
from readmark.making.export.published_parts import PublishedPart
from readmark.marking import MarkSettings, PeopleMarks, people
from readmark.statistics.interval_methods import suitable_method


@dataclass(frozen=True, slots=True)
class PeopleFigure:
    """People's marks, without anybody's name."""

    marks: PeopleMarks
    people: int
    """How many people the marks are of; answers per unit where nobody is named."""
    named: bool
    authors: bool
    """Whether the test's authors wrote the references, so that nobody was studied."""

    def as_json(self) -> dict[str, Any]:
        """What `people --json` prints, except the names and the classes of wrong answers."""
        document = self.marks.as_json()
        for member in ("test", "each", "error_classes"):
            document.pop(member, None)
        return {"people": self.people, "named": self.named, "authors": self.authors, **document}


def people_figure(
    test: Test, parts: Sequence[PublishedPart], sittings: Sequence[SittingInput]
) -> PeopleFigure | None:
    """How well people do on what is published: by their sittings, else by the key's annotators.

    None where no sittings are given and no unit has answers of two people.
    """
    if not sittings and not (test.kind.people_from_key and test.facts.several):
        return None
    keyed = [part for part in parts if not part.hidden]
    # One method for all splits, which suits the one with the fewest passages.
    fewest = min((part.records for part in keyed), default=0)
    settings = MarkSettings(interval=suitable_method(fewest))
    marks = people(test, *sittings, by=[SPLIT] if len(keyed) > 1 else [], settings=settings)
    authors = test.header.fields.get("people") == AUTHORS and not sittings
    named = bool(sittings) or not all(name.startswith("answer ") for name in marks.each)
    return PeopleFigure(marks, len(marks.each), named, authors)
