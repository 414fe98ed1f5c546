"""Asking a candidate: units go out as a stream, rows come back as they are ready."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.corpus.errors import ReadmarkError
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import Candidate, failure


@dataclass(frozen=True, slots=True)
class Ask:
    """A record as the candidate may see it, and the ids of its units that are to be answered."""

    record: Any
    wanted: tuple[str, ...]


def answers(candidate: Candidate, kind: Kind, asks: Iterable[Ask]) -> Iterator[Row]:
    """A candidate's rows with their seconds.

    When a candidate breaks off, the units that it holds are error rows, and it goes on with
    the next ones.
    """
    units = (unit for ask in asks for unit in _wanted(kind, ask))
    held: dict[str, float] = {}

    def handed() -> Iterator[Unit]:
        for unit in units:
            held[unit.id] = time.perf_counter()
            yield unit

    while True:
        try:
            for row in candidate.answer(handed()):
                if row.id not in held:
                    raise ReadmarkError(f"the candidate answered {row.id!r} unasked")
                seconds = time.perf_counter() - held.pop(row.id)
                yield row if row.seconds is not None else _timed(row, seconds)
            return
        except ReadmarkError:
            raise
        except Exception as error:
            if not held:
                raise ReadmarkError(f"the candidate failed: {failure('', error).error}") from error
            yield from [failure(id, error) for id in held]
            held.clear()


def _wanted(kind: Kind, ask: Ask) -> Iterator[Unit]:
    wanted = frozenset(ask.wanted)
    return (unit for unit in kind.units(ask.record) if unit.id in wanted)


def _timed(row: Row, seconds: float) -> Row:
    return msgspec.structs.replace(row, seconds=round(seconds, 6))
