"""The format: what is taken for it, which kind of test its columns tell, what it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from readmark.corpus.errors import DataError
from readmark.corpus.formats.flat.reading import passages, series
from readmark.corpus.formats.flat.recognition import kind_of
from readmark.corpus.formats.flat.writing import write_flat
from readmark.corpus.problems import Report
from readmark.corpus.source import Source
from readmark.corpus.test import Header, Placed, Test

_READERS: dict[str, Callable[[str, Report], Iterator[Placed]]] = {
    "comprehension": passages,
    "series": series,
}


class Flat:
    """A question a line; the passage stands again in each of its questions."""

    def recognises(self, source: Source) -> bool:
        """JSON Lines without a header whose first line has the columns of either kind."""
        return kind_of(source) is not None

    def read(self, source: Source) -> Test:
        """The test in a file; the lines are gathered into records as these are asked for."""
        file = source.file
        kind = kind_of(source)
        if kind is None:
            raise DataError(
                "expected lines with id, context, question and answers, or with id, target, "
                "question and rewrites",
                file=file,
                where=1,
            )
        read = _READERS[kind]
        return Test(Header(kind=kind, name=_name(source)), lambda report: read(file, report), file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a line a question; what the columns cannot hold is named."""
        return write_flat(test, path)


def _name(source: Source) -> str:
    name = source.path.name
    for suffix in (".gz", ".zst", ".jsonl", ".ndjson", ".json"):
        name = name.removesuffix(suffix)
    return name


FLAT = Flat()
