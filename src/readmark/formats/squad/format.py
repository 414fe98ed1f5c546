"""The formats of SQuAD's shape: which one a document is in, reading it and writing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from readmark.core.problems import ReportProblem
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.core.writing import writing
from readmark.formats.losses import only_comprehension
from readmark.formats.members import name_of
from readmark.formats.native import with_id
from readmark.formats.squad.reading import SquadReading, survey
from readmark.formats.squad.shapes import SquadShape
from readmark.formats.squad.writing import SquadWriter

_SAMPLE = 20
"""How many articles are looked at before a whole document is surveyed."""


@dataclass(frozen=True, slots=True)
class SquadFormat:
    """A format of the shape."""

    shape: SquadShape

    def recognises(self, source: Source) -> bool:
        """A document of the shape whose features are this format's."""
        return source.once(_format_of) == self.shape.name

    def read(self, source: Source) -> Test:
        """The test in a document; records are made as they are asked for."""
        surveyed = source.once(survey)
        header = Header(
            name=name_of(source),
            profile=surveyed.profile(self.shape),
            fields=surveyed.header_fields(),
        )

        def stream(report: ReportProblem) -> Iterator[Placed]:
            reading = SquadReading(source.file, self.shape, surveyed.labelled, report)
            for passage in map(with_id, reading.passages(surveyed.document["data"])):
                yield passage.id, passage

        return Test(header, stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a comprehension test as one document and name what was lost."""
        only_comprehension(test, self.shape.name)
        with writing(path) as stream:
            writer = SquadWriter(test, self.shape)
            stream.writelines(writer.document())
        lines = writer.losses.lines()
        if writer.format != self.shape.name:
            lines.append(f"nothing in it says {self.shape.name}: it reads as {writer.format}")
        return lines


def _format_of(source: Source) -> str | None:
    """The one format of a document, or None when it is not of the shape."""
    document = source.document
    data = document.get("data") if isinstance(document, dict) else None
    if not isinstance(data, list):
        return None
    # Data without a single object is left to the reader, which says what is wrong with it.
    articles = [article for article in islice(data, _SAMPLE) if isinstance(article, dict)]
    if articles and not any("paragraphs" in article for article in articles):
        return None
    return source.once(survey).format


SQUAD = SquadFormat(SquadShape("squad", version="1.1", impossible="never"))
SQUAD2 = SquadFormat(SquadShape("squad2", version="v2.0", impossible="always"))
DRCD = SquadFormat(SquadShape("drcd", version="1.3", annotators=True))
SMART = SquadFormat(
    SquadShape("smart", version="1.0", profile="smart", annotators=True, levels=True)
)
