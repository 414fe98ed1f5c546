"""Asking a candidate: units go out as a stream, rows come back as they are ready."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.corpus.errors import ReadmarkError
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import Candidate, failure, in_one_line


@dataclass(frozen=True, slots=True)
class Ask:
    """A record as the candidate may see it, and the ids of its units that are to be answered."""

    record: Any
    wanted: tuple[str, ...]


def answers(
    candidate: Candidate,
    kind: Kind,
    asks: Iterable[Ask],
    *,
    on_taken: Callable[[str], None] | None = None,
) -> Iterator[Row]:
    """A candidate's rows with their seconds; ``on_taken`` is told of every unit it takes.

    When a candidate breaks off, the units that it holds are error rows, and it goes on with
    the next ones.
    """
    units = (unit for ask in asks for unit in _wanted(kind, ask))
    held: dict[str, float] = {}

    def handed() -> Iterator[Unit]:
        for unit in units:
            if on_taken is not None:
                on_taken(unit.id)
            held[unit.id] = time.perf_counter()
            yield unit

    while True:
        try:
            for row in candidate.answer(handed()):
                if row.id not in held:
                    raise ReadmarkError(
                        f"the candidate answered {row.id!r}, which it was not asked or had answered"
                    )
                seconds = time.perf_counter() - held.pop(row.id)
                yield _sound(row, kind, seconds)
            return
        except ReadmarkError:
            raise
        except (Exception, SystemExit) as error:  # a library that exits must not end the sitting
            if not held:
                raise ReadmarkError(f"the candidate failed: {in_one_line(error)}") from error
            yield from [failure(id, error) for id in held]
            held.clear()


def _wanted(kind: Kind, ask: Ask) -> Iterator[Unit]:
    wanted = frozenset(ask.wanted)
    return (unit for unit in kind.units(ask.record) if unit.id in wanted)


def _sound(row: Row, kind: Kind, seconds: float) -> Row:
    """The row as it will be read back; one that could not be is an error row."""
    try:
        read = _READ.decode(_WRITE.encode(row))
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        return Row(id=row.id, error=f"the answer cannot be journalled: {in_one_line(error)}")
    if read.error is None and getattr(read, kind.answer) is msgspec.UNSET:
        return Row(id=row.id, error=f"the candidate gave a row without {kind.answer!r}")
    if read.seconds is not None:
        return read
    return msgspec.structs.replace(read, seconds=round(seconds, 6))


_WRITE = msgspec.json.Encoder()
_READ = msgspec.json.Decoder(Row)
