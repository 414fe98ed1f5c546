"""Asking a candidate: units go out as a stream, rows come back as they are ready."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.core.ending import Terminated
from readmark.core.error_rows import error_line, failure
from readmark.core.errors import ReadmarkError
from readmark.core.records import Unit
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Row
from readmark.hooks import Candidate, Kind
from readmark.sitting.messages import LARGEST_ROW

OnUnit = Callable[[str], None]
"""Called with the id of a unit."""

Exceptions = tuple[type[BaseException], ...]

INTERRUPTS: Exceptions = (KeyboardInterrupt, Terminated)
"""What ends a sitting from outside; whatever else a candidate raises becomes a row."""

_NO_MORE: Any = object()


@dataclass(frozen=True, slots=True)
class Ask:
    """A record as the candidate may see it, and the ids of its units that are to be answered."""

    record: Any
    wanted: tuple[str, ...]
    alone: bool = False
    """Whether a worker asks its units by themselves: one of them may have ended another worker."""


def wanted_units(kind: Kind, ask: Ask) -> Iterator[Unit]:
    """The units of a record that are to be answered."""
    wanted = frozenset(ask.wanted)
    return (unit for unit in kind.units(ask.record) if unit.id in wanted)


def answers(
    candidate: Candidate,
    kind: Kind,
    asks: Iterable[Ask],
    *,
    on_taken: OnUnit | None = None,
    on_unscored: OnUnit | None = None,
    interrupts: Exceptions = INTERRUPTS,
) -> Iterator[Row]:
    """A candidate's rows, timed where they do not say their seconds.

    When the candidate raises, the units that it holds become error rows, and it goes on with the
    next ones. ``on_taken`` is called with every unit that it takes, ``on_unscored`` with one whose
    score is not a finite number and is left out.
    """
    units = (unit for ask in asks for unit in wanted_units(kind, ask))
    since: dict[str, float] = {}
    """When each unit went out that the candidate has not answered yet."""
    process = os.getpid()
    ending: Exceptions = (ReadmarkError, *interrupts)

    def hand_out() -> Iterator[Unit]:
        for unit in units:
            _exit_if_forked(process)
            if on_taken is not None:
                on_taken(unit.id)
            since[unit.id] = time.perf_counter()
            yield unit

    rows: Iterator[Any] | None = None
    while True:
        error: BaseException | None = None
        try:
            if rows is None:
                rows = iter(candidate.answer(hand_out()))
            row = next(rows, _NO_MORE)
            if row is not _NO_MORE and not isinstance(row, Row):
                raise TypeError(f"the candidate gave a {type(row).__name__}, expected a Row")
            began = None if row is _NO_MORE else since.pop(row.id, None)
        except ending:
            raise
        except BaseException as caught:  # a library that exits must not end the sitting
            error = caught
        finally:
            _exit_if_forked(process)
        if error is not None:
            if not since:
                raise ReadmarkError(f"the candidate failed: {error_line(error)}") from error
            rows = None  # it is called again, with the units that follow
            yield from [failure(id, error) for id in since]
            since.clear()
        elif row is _NO_MORE:
            return
        elif began is None:
            raise unrequested_answer(row.id)
        else:
            yield _readable_row(row, kind, time.perf_counter() - began, on_unscored)


def unrequested_answer(id: object) -> ReadmarkError:
    """The end of a candidate that answers more than it was asked: no row of it can be trusted."""
    quoted = id[:200] if isinstance(id, str) else id
    return ReadmarkError(
        f"the candidate answered {quoted!r}, which it was not asked or had already answered"
    )


def _exit_if_forked(process: int) -> None:
    """End a process that the candidate forked: it would sit the same test beside its parent."""
    if os.getpid() != process:
        os._exit(1)


def _readable_row(row: Any, kind: Kind, seconds: float, on_unscored: OnUnit | None) -> Row:
    """The row as it will be read back from a journal; one that cannot be is an error row."""
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
