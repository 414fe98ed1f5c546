"""Readmark's own test files: JSON Lines, a header and then a record a line, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import writing
from readmark.corpus.fingerprint import text_id
from readmark.corpus.formats.lines import line, read_header, read_records
from readmark.corpus.kinds import KINDS, kind_named
from readmark.corpus.problems import Problem, Report
from readmark.corpus.source import Source
from readmark.corpus.test import Header, Placed, Test


class Native:
    """The format that holds everything."""

    def recognises(self, source: Source) -> bool:
        """A first line with a schema version that is no sitting's and no marksheet's."""
        return source.readmark_file == "test"

    def read(self, source: Source) -> Test:
        """Header now, records as they are asked for."""
        file = source.file
        header = read_header(file, Header)
        if header.kind not in KINDS:
            known = ", ".join(KINDS)
            raise DataError(f"kind {header.kind!r} is unknown; known: {known}", file=file, where=1)
        struct: type[Any] = kind_named(header.kind).record

        def stream(report: Report) -> Iterator[Placed]:
            for number, record in read_records(file, struct, report):
                if record.id == "" and not hasattr(record, "text"):
                    report(Problem(file, number, "schema", "the id is empty"))
                    continue
                yield number, with_id(record)

        return Test(header, stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Everything is kept."""
        with writing(path) as stream:
            stream.write(header_line(test.header))
            for record in test.records():
                stream.write(line(record))
        return []


def header_line(header: Header) -> bytes:
    """The first line. Defaults are left out of records, never of it: readers look for them."""
    said = {"readmark": header.readmark, "kind": header.kind}
    return line({**said, **msgspec.to_builtins(header)})


def with_id(record: Any) -> Any:
    """A passage without an id gets one from its text, so equal texts are one passage."""
    if getattr(record, "id", "-") != "":
        return record
    return msgspec.structs.replace(record, id=text_id(record.text))


NATIVE = Native()
