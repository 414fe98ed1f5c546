"""Readmark's JSON Lines: a header, then a record a line, each decoded into its struct."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from readmark.corpus.errors import DataError
from readmark.corpus.files import JSON_ERRORS, json_fault, read_lines
from readmark.corpus.problems import Problem, Report, fail
from readmark.corpus.test import SCHEMA

S = TypeVar("S", bound=msgspec.Struct)
T = TypeVar("T")


def read_header(file: str, struct: type[S]) -> S:
    """The first line of a file as its header; a newer schema is refused in words."""
    for number, line in read_lines(file):
        try:
            version = msgspec.json.decode(line).get("readmark")
        except (*JSON_ERRORS, AttributeError):
            version = None
        if isinstance(version, int) and version > SCHEMA:
            raise DataError(
                f"newer_schema: made for schema {version}, this Readmark reads up to {SCHEMA}; "
                "install a newer one",
                file=file,
                where=number,
            )
        header = decode(file, number, line, msgspec.json.Decoder(struct), fail)
        if header is None:  # pragma: no cover - fail raises
            break
        return header
    raise DataError("the file is empty, expected a header line", file=file)


def read_records(file: str, struct: type[S], report: Report) -> Iterator[tuple[int, S]]:
    """Every line after the header as a record, with its number; bad lines are reported."""
    decoder = msgspec.json.Decoder(struct)
    lines = read_lines(file)
    next(lines, None)
    for number, line in lines:
        record = decode(file, number, line, decoder, report)
        if record is not None:
            yield number, record


def decode(
    file: str, number: int, line: bytes, decoder: msgspec.json.Decoder[T], report: Report
) -> T | None:
    """One line as its struct, or a report of what is wrong with it."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        report(Problem(file, number, "schema", in_words(error)))
    except JSON_ERRORS as error:
        what, at = json_fault(line, error)
        report(Problem(file, number, "json", f"{what} at byte {at + 1} of the line"))
    return None


def in_words(error: msgspec.ValidationError) -> str:
    """A validation error with the member named and a hint for the usual cause."""
    message = str(error).replace("`", "").replace("Expected str", "Expected text")
    if "unknown field" in message:
        message += "; fields of your own go under 'fields'"
    return message[:1].lower() + message[1:]


_encode = msgspec.json.Encoder().encode


def line(value: Any) -> bytes:
    """A value as a line of a file."""
    return _encode(value) + b"\n"
