"""Asking a candidate: units go out as a stream, rows come back as they are ready."""

from __future__ import annotations

import os
import threading
import time
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.core.ending import Terminated
from readmark.core.error_rows import error_line, failure
from readmark.core.errors import ReadmarkError
from readmark.core.numbers import SHOWN, listed_ids
from readmark.core.records import Unit
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Row
from readmark.core.spans import is_astray
from readmark.hooks import Candidate, Kind
from readmark.sitting.messages import LARGEST_ROW

OnUnit = Callable[[str], None]
"""Called with the id of a unit."""

Exceptions = tuple[type[BaseException], ...]

INTERRUPTS: Exceptions = (KeyboardInterrupt, Terminated)
"""What ends a sitting from outside, wherever the candidate is; all else that it raises is a row."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A record as the candidate may see it, and the ids of its units that are to be answered."""

    record: Any
    wanted: tuple[str, ...]
    alone: bool = False
    """Whether a worker asks its units by themselves: one of them may have ended another worker."""


def answers(
    candidate: Candidate,
    kind: Kind,
    asks: Iterable[Ask],
    *,
    on_taken: OnUnit | None = None,
    on_unscored: OnUnit | None = None,
    interrupts: Exceptions = INTERRUPTS,
) -> Iterator[Row]:
    """A candidate's rows with their seconds; ``on_taken`` is called with every unit it takes.

    When a candidate breaks off, the units that it holds are error rows, and it goes on with
    the next ones. ``on_unscored`` is told of a score that is no finite number and is left out.
    """
    units = (unit for ask in asks for unit in wanted_units(kind, ask))
    ending: Exceptions = (ReadmarkError, *interrupts)
    held: dict[str, float] = {}
    own = os.getpid()

    def handed() -> Iterator[Unit]:
        for unit in units:
            _end_a_fork(own)
            if on_taken is not None:
                on_taken(unit.id)
            held[unit.id] = time.perf_counter()
            yield unit

    rows: Iterator[Any] | None = None
    while True:
        failed: BaseException | None = None
        try:
            if rows is None:
                rows = iter(candidate.answer(handed()))
            row = next(rows, _NO_MORE)
            if row is not _NO_MORE and not isinstance(row, Row):
                raise TypeError(f"the candidate gave a {type(row).__name__}, expected a Row")
            since = None if row is _NO_MORE else held.pop(row.id, None)
        except ending:
            raise
        except BaseException as error:  # a library that exits must not end the sitting
            failed = error
        finally:
            _end_a_fork(own)
        if failed is not None:
            if not held:
                raise ReadmarkError(f"the candidate failed: {error_line(failed)}") from failed
            rows = None
            yield from [failure(id, failed) for id in held]
            held.clear()
        elif row is _NO_MORE:
            return
        elif since is None:
            raise unrequested_answer(row.id)
        else:
            yield _sound(row, kind, time.perf_counter() - since, on_unscored)


def unrequested_answer(id: object) -> ReadmarkError:
    """A candidate that answers more than it was asked is stopped: nothing of it can be trusted."""
    shown = id[:200] if isinstance(id, str) else id
    return ReadmarkError(
        f"the candidate answered {shown!r}, which it was not asked or had answered"
    )


def _end_a_fork(own: int) -> None:
    """A process that the candidate forked and that came back here would sit with its parent."""
    if os.getpid() != own:
        os._exit(1)


def wanted_units(kind: Kind, ask: Ask) -> Iterator[Unit]:
    wanted = frozenset(ask.wanted)
    return (unit for unit in kind.units(ask.record) if unit.id in wanted)


def _sound(row: Any, kind: Kind, seconds: float, on_unscored: OnUnit | None) -> Row:
    """The row as it will be read back; one that could not be is an error row."""
    lines = row_lines(kind)
    try:
        if len(row.text) > LARGEST_ROW:
            return _too_large(row.id)  # before it is copied
        data = lines.encode(row)
        if len(data) > LARGEST_ROW:
            return _too_large(row.id)
        read = lines.decode(data)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        return Row(id=row.id, error=f"the answer cannot be journalled: {error_line(error)}")
    if read.error is None and not read.states_answer:
        return Row(id=row.id, error=f"the candidate gave a row without {kind.answer!r}")
    # JSON has no NaN and no infinity: such a score is read back as none.
    if on_unscored is not None and read.score is None and getattr(row, "score", None) is not None:
        on_unscored(read.id)
    if read.seconds is not None:
        return read
    return msgspec.structs.replace(read, seconds=round(seconds, 6))


def _too_large(id: str) -> Row:
    return Row(id=id, error=f"the answer is larger than {LARGEST_ROW >> 20} MiB as JSON")


_NO_MORE: Any = object()


# What the runner notices in passing and reports at the end, in memory that does not grow.

MOST_CHARACTERS = 2**24
"""How much of the passages is held for a look at offsets; beyond it the oldest go unlooked at."""


class UnitCount:
    """How many units something was seen with, and the first of their ids, whoever came first."""

    def __init__(self) -> None:
        self.count = 0
        self._first: list[str] = []
        self._lock = threading.Lock()

    def add(self, id: str) -> None:
        """One more; workers' threads may say so at once."""
        with self._lock:
            self.count += 1
            insort(self._first, id, key=lambda id: (len(id), id))  # q2 before q10
            del self._first[SHOWN:]

    def __str__(self) -> str:
        return listed_ids(self._first, self.count)


class Passages:
    """The passages of what is being asked, until the answers are there.

    A candidate that passes units over would let them pile up, so there is a most.
    """

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self.astray = UnitCount()
        self._most = most
        self._held = 0
        self._texts: dict[str, str] = {}
        self._lock = threading.Lock()

    def ask(self, passage: object, ids: Sequence[str]) -> None:
        """Units of a passage go out."""
        if not isinstance(passage, str):
            return
        with self._lock:
            for id in ids:
                self._texts[id] = passage
                self._held += len(passage)
            while self._held > self._most:
                self._take(next(iter(self._texts)))

    def look(self, row: Row) -> None:
        """An answer came: do its offsets point at it?"""
        with self._lock:
            passage = self._take(row.id)
        if is_astray(row, passage):
            self.astray.add(row.id)

    def _take(self, id: str) -> str | None:
        passage = self._texts.pop(id, None)
        self._held -= len(passage or "")
        return passage
