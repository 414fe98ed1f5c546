"""Readmark's own test files: JSON Lines, a header and then a record a line, streamed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import (
    decode,
    line,
    read_bytes,
    read_header,
    read_lines,
    read_records,
    writing,
)
from readmark.core.fingerprint import text_id
from readmark.core.kinds import KINDS, kind_named
from readmark.core.problems import Problem, Report, fail
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader, keep
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import SCHEMA, Header, Placed, Test
from readmark.hooks import Kind


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


# Sittings: Readmark's journal in JSON Lines, and the dictionaries that other scorers take.


ANSWERS = ("text", "rewrite", "rating", "bindings")


class NativeSitting:
    """A journal: the last row for an id and repeat wins; a torn last line is noted."""

    def recognises(self, source: Source) -> bool:
        """A header with a candidate."""
        return source.readmark_file == "sitting"

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """Every row that counts."""
        file = source.file
        header = read_header(file, SittingHeader)
        if header.kind not in (None, kind.name):
            raise DataError(
                f"is a sitting of a {header.kind} test, expected {kind.name}", file=file, where=1
            )
        rows = PackedRows()
        notes: list[str] = []
        torn: list[Problem] = []
        empty: dict[tuple[str, int], int] = {}
        decoder = msgspec.json.Decoder(Row)
        lines = read_lines(file)
        next(lines)
        for number, raw in lines:
            if torn:
                fail(torn[0])
            row = decode(file, number, raw, decoder, torn.append)
            if row is None:
                if torn[0].code != "json":
                    fail(torn[0])
                continue
            empty.pop((row.id, row.repeat), None)
            unset = getattr(row, kind.answer) is msgspec.UNSET
            if row.error is None and unset and row.no_answer_reason is None:
                empty[row.id, row.repeat] = number
            else:
                keep(rows, _sound(row, kind, f"{file}:{number}", notes))
        for (id, _), number in empty.items():  # nothing came after it that would win
            raise DataError(
                f"the row of {id!r} has neither {kind.answer!r} nor 'error'",
                file=file,
                where=number,
            )
        if torn:
            notes.append(f"{file}:{torn[0].where}: the last line is cut off and was left out")
        return Sitting(header, rows, file, tuple(notes))

    def write_sitting(self, sitting: Sitting, path: Path) -> list[str]:
        """Everything is kept."""
        header = {"readmark": SCHEMA, "file": "sitting", **msgspec.to_builtins(sitting.header)}
        with writing(path) as stream:
            stream.write(line({"candidate": "", **header}))
            for id in sitting:
                for row in sitting.of(id):
                    stream.write(line(row))
        return []


class Predictions:
    """A dictionary of predictions; its name is the candidate's, and it binds to no paper."""

    def recognises(self, source: Source) -> bool:
        """A JSON object that is no test."""
        document = source.document
        return isinstance(document, dict) and not isinstance(document.get("data"), list)

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """One row per prediction; a repeated id, or a value of another sort, is an error."""
        file = source.file
        pairs = json.loads(
            read_bytes(source.path), object_pairs_hook=lambda found: _no_twins(found, file)
        )
        name = source.path.name
        for suffix in (".gz", ".zst", ".json"):
            name = name.removesuffix(suffix)
        return self.sitting(pairs, kind, file=file, candidate=name)

    def sitting(
        self, answers: Mapping[str, Any], kind: Kind, *, file: str, candidate: str
    ) -> Sitting:
        """A dictionary of answers by id as a sitting."""
        rows = PackedRows()
        notes: list[str] = []
        for id, value in answers.items():
            try:
                row = msgspec.convert({"id": id, kind.answer: value}, Row)
                rows[id] = _sound(row, kind, file, notes)
            except msgspec.ValidationError as error:
                wanted = "expected " + ("a number" if "Expected `float`" in str(error) else "text")
                raise DataError(
                    f"the prediction is {clip(json.dumps(value, ensure_ascii=False))}, {wanted} "
                    "(leave the id out when there is no answer)",
                    file=file,
                    where=id,
                ) from None
        return Sitting(SittingHeader(candidate=candidate), rows, file, tuple(notes))

    def write_sitting(self, sitting: Sitting, path: Path) -> list[str]:
        """Answers alone: error rows, repeats, evidence and offsets are named and left out.

        So are replies in which nothing was said: an empty prediction means that there is no answer.
        """
        answers: dict[str, Any] = {}
        errors = unsaid = more = repeats = 0
        for id in sitting:
            rows = sitting.of(id)
            repeats += len(rows) > 1
            row = rows[0]
            if row.error is not None:
                errors += 1
                continue
            if row.no_answer_reason is not None:
                unsaid += 1
                continue
            said = msgspec.to_builtins(row)
            member = next(name for name in ANSWERS if name in said)
            answers[id] = said[member]
            more += bool(set(said) - {"id", member})
        with writing(path) as stream:
            stream.write(line(answers))
        lost = {
            "error rows were left out": errors,
            "replies in which nothing was said were left out": unsaid,
            "ids have repeats; the first was taken": repeats,
            "answers had offsets, scores or evidence that predictions cannot hold": more,
        }
        return [f"{count} {what}" for what, count in lost.items() if count]


def _sound(row: Row, kind: Kind, place: str, notes: list[str]) -> Row:
    """The row; one whose answers to a query cannot be read is an error row."""
    if kind.answer != "bindings" or row.error is not None:
        return row
    try:
        kind.read_answer(row)
    except DataError as wrong:
        notes.append(f"{place}: {wrong.message}")
        return Row(id=row.id, repeat=row.repeat, attempt=row.attempt, error=wrong.message)
    return row


def _no_twins(pairs: list[tuple[str, Any]], file: str) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twin = next(id for id, _ in pairs if id in seen or seen.add(id))  # type: ignore[func-returns-value]
        raise DataError("the id occurs twice among the predictions", file=file, where=twin)
    return found


NATIVE_SITTING = NativeSitting()
PREDICTIONS = Predictions()
