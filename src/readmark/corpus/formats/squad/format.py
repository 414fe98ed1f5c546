"""SQuAD 1.1, SQuAD 2.0, DRCD and SMART: four formats of one shape, told apart by content."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from readmark.corpus.formats.squad.shape import Shape, read_squad, survey
from readmark.corpus.formats.squad.writing import write_squad
from readmark.corpus.source import Source
from readmark.corpus.test import Test

SAMPLE = 20


@dataclass(frozen=True, slots=True)
class Squad:
    """A format of the shape."""

    shape: Shape

    def recognises(self, source: Source) -> bool:
        """A document of the shape whose features are this format's."""
        return source.once(_format_of) == self.shape.name

    def read(self, source: Source) -> Test:
        """The test in a document."""
        return read_squad(source, self.shape)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a document; what was lost is named."""
        return write_squad(test, path, self.shape)


def _format_of(source: Source) -> str | None:
    """The one format of a document, or None when it is not of the shape."""
    document = source.document
    if not isinstance(document, dict) or not _has_the_shape(document.get("data")):
        return None
    found = source.once(survey)
    return found.traits.format(found.document.get("version"))


def _has_the_shape(data: Any) -> bool:
    """Articles with paragraphs; data without a single object is left to the reader's errors."""
    if not isinstance(data, list):
        return False
    articles = [one for one in islice(data, SAMPLE) if isinstance(one, dict)]
    return not articles or any("paragraphs" in article for article in articles)


SQUAD = Squad(Shape("squad", version="1.1", impossible="never"))
SQUAD2 = Squad(Shape("squad2", version="v2.0", impossible="always"))
DRCD = Squad(Shape("drcd", version="1.3", annotators=True))
SMART = Squad(Shape("smart", version="1.0", profile="smart", annotators=True, levels=True))
