"""Structural checks of a test: everything that can be told without knowing the language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from readmark.corpus.annotation import annotation_findings
from readmark.corpus.errors import DataError
from readmark.corpus.formats import open_test, sides_of
from readmark.corpus.kinds import Finding
from readmark.corpus.kinds.readability import language_findings
from readmark.corpus.problems import Problem, of_owner
from readmark.corpus.sides import side_findings
from readmark.corpus.test import Test
from readmark.corpus.values import Passage, RatedPassage


def check(path: str, *, format: str | None = None) -> Iterator[Problem]:
    """Every problem of a test file, in the order of the file; of both sides where it holds two."""
    formats = _formats(path, format)
    if len(formats) == 1:
        yield from _check(path, formats[0])
        return
    told: dict[Problem, None] = {}
    for one in formats:
        for problem in _check(path, one):
            if problem not in told:
                told[problem] = None
                yield problem
    yield from side_findings(open_test(path, format=one) for one in formats)


def check_together(paths: Sequence[str], *, format: str | None = None) -> Iterator[Problem]:
    """What only shows between files: the sides of a parallel corpus that are far apart."""
    if len(paths) > 1:
        tests = []
        for path in dict.fromkeys(paths):
            with suppress(DataError):  # the check of that file tells it
                tests += [open_test(path, format=one) for one in _formats(path, format)]
        yield from side_findings(tests, across=True)


def _formats(path: str, format: str | None) -> list[str | None]:
    try:
        return sides_of(path, format=format)
    except DataError:
        return [format]


def _check(path: str, format: str | None) -> Iterator[Problem]:
    waiting: list[Problem] = []
    try:
        test = open_test(path, format=format)
        records = units = 0
        sound = True
        splits: set[str | None] = set()
        for place, record in test.placed(waiting.append):
            records += 1
            splits.add(getattr(record, "split", None))
            units += sum(1 for _ in test.kind.units(record))
            sound = sound and not waiting
            yield from waiting
            waiting.clear()
            for owner, code, message in _findings(test, record):
                yield of_owner(test.file, place, owner, code, message)
        sound = sound and not waiting
        yield from waiting
        for name in test.header.hidden:
            if name not in splits:
                yield Problem(test.file, 1, "hidden", f"no record is of the hidden split {name!r}")
        if records and not units and sound:
            yield Problem(test.file, 1, "no_questions", "the test has nothing to answer")
        if not records and not waiting:
            yield Problem(test.file, 1, "empty", "the test has no records")
    except DataError as error:
        yield from waiting
        code, _, message = error.message.partition(": ")
        if not code.isidentifier():
            code, message = "unreadable", error.message
        where = error.where or 1
        where = where if isinstance(where, int) else str(where)
        yield Problem(str(error.file or path), where, code, message)


def _findings(test: Test, record: Any) -> Iterator[Finding]:
    yield from test.kind.findings(record)
    if isinstance(record, RatedPassage):
        yield from language_findings(record, test.language)
    if isinstance(record, Passage):
        yield from annotation_findings(record, hidden=record.split in test.header.hidden)
