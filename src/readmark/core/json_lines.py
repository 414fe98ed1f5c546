"""Readmark's JSON Lines: a header, then one record per line, each decoded into its struct."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, json_fault, read_lines
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.test import SCHEMA

S = TypeVar("S", bound=msgspec.Struct)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


def read_header(file: str, struct: type[S]) -> S:
    """The first line of a file as its header; one with a newer schema is refused."""
    for number, line in read_lines(file):
        refuse_newer(line, SCHEMA, file=file, where=number)
        header = decode(file, number, line, msgspec.json.Decoder(struct), fail)
        if header is None:  # pragma: no cover - fail raises
            break
        return header
    raise DataError("the file is empty, expected a header line", file=file)


def refuse_newer(
    document: bytes | str,
    known: int,
    *,
    file: str | Path,
    where: int | None = None,
    member: str = "readmark",
) -> None:
    """Refuse what a later Readmark wrote, before its other members are looked at."""
    try:
        version = msgspec.json.decode(document).get(member)
    except (*JSON_ERRORS, AttributeError):
        return  # whoever reads it reports what is wrong
    if isinstance(version, int) and version > known:
        raise DataError(
            f"newer_schema: made for schema {version}, this Readmark reads up to {known}; "
            "install a newer one",
            file=file,
            where=where,
        )


def read_records(file: str, struct: type[S], report: ReportProblem) -> Iterator[tuple[int, S]]:
    """Every line after the header as a record, with its number; bad lines are reported."""
    decoder = msgspec.json.Decoder(struct)
    lines = read_lines(file)
    next(lines, None)
    for number, line in lines:
        record = decode(file, number, line, decoder, report)
        if record is not None:
            yield number, record


class LineDecoder(Protocol[T_co]):
    """Decodes a line of JSON, as msgspec's decoders do."""

    def decode(self, data: bytes, /) -> T_co: ...


def decode(
    file: str, number: int, line: bytes, decoder: LineDecoder[T], report: ReportProblem
) -> T | None:
    """One line as its struct, or a report of what is wrong with it."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        report(Problem(file, number, "schema", in_words(error)))
    except JSON_ERRORS as error:
        what, place = json_fault(line, error)
        report(Problem(file, number, "json", f"{what} at byte {place + 1} of the line"))
    return None


def in_words(error: msgspec.ValidationError) -> str:
    """A validation error in plain words, with a hint for the usual cause."""
    message = str(error).replace("`", "").replace("Expected str", "Expected text")
    if "unknown field" in message:
        message += "; fields of your own go under 'fields'"
    return message[:1].lower() + message[1:]


_encode = msgspec.json.Encoder().encode


def json_line(value: Any) -> bytes:
    """A value as a line of a file."""
    return _encode(value) + b"\n"
