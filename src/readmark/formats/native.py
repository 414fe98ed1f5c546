"""Readmark's own test files: JSON Lines, a header and then a record a line, streamed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import json_line, read_records
from readmark.core.kinds import KINDS, kind_named
from readmark.core.problems import Problem, ReportProblem
from readmark.core.source import Source
from readmark.core.test import Header, PartStream, Placed, Test
from readmark.core.writing import writing
from readmark.formats.parts import part_names, shared_header


class Native:
    """The format that holds everything."""

    def recognises(self, source: Source) -> bool:
        """A first line with a schema version that is no sitting's and no marksheet's."""
        return source.readmark_file == "test"

    def read(self, source: Source) -> Test:
        """Header now, records as they are asked for."""
        file, files = source.file, part_names(source)
        header = shared_header(files, Header)
        if header.kind not in KINDS:
            known = ", ".join(KINDS)
            raise DataError(
                f"kind {header.kind!r} is unknown; known: {known}", file=files[0], where=1
            )
        struct: type[Any] = kind_named(header.kind).record
        if source.parts:
            return Test(header, PartStream(tuple(files), partial(_records, struct)), file)
        return Test(header, partial(_records, struct, file), file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Everything is kept."""
        with writing(path) as stream:
            stream.write(header_line(test.header))
            for record in test.records():
                stream.write(json_line(record))
        return []


def _records(struct: type[Any], file: str, report: ReportProblem) -> Iterator[Placed]:
    """The records of one file with the numbers of their lines."""
    has_text = "text" in struct.__struct_fields__
    for number, record in read_records(file, struct, report):
        if record.id == "" and not has_text:
            report(Problem(file, number, "schema", "the id is empty"))
            continue
        yield number, with_id(record)


def header_line(header: Header) -> bytes:
    """The first line. Its defaults are not left out, as those of records are.

    Readers of any version know a file by its schema version and kind.
    """
    required = {"readmark": header.readmark, "kind": header.kind}
    return json_line({**required, **msgspec.to_builtins(header)})


def with_id(record: Any) -> Any:
    """A passage without an id gets one from its text, so equal texts are one passage."""
    if getattr(record, "id", "-") != "":
        return record
    return msgspec.structs.replace(record, id=text_id(record.text))


NATIVE = Native()
