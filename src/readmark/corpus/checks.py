"""Structural checks of a test: everything that can be told without knowing the language."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.corpus.errors import DataError
from readmark.corpus.formats import open_test
from readmark.corpus.problems import Problem


def check(path: str, *, format: str | None = None) -> Iterator[Problem]:
    """Every problem of a test file, in the order of the file."""
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
            for owner, code, message in test.kind.findings(record):
                if isinstance(place, int):
                    yield Problem(test.file, place, code, f"{owner}: {message}")
                else:
                    yield Problem(test.file, owner, code, message)
        sound = sound and not waiting
        yield from waiting
        for name in test.header.hidden:
            if name not in splits:
                yield Problem(test.file, 1, "hidden", f"no record is of the hidden split {name!r}")
        if records and not units and sound:
            yield Problem(test.file, 1, "empty", "the test has nothing to answer")
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
