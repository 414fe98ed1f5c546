"""Results of projects that are kept until somebody does something in the project."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.server.configurations import newest_version
from readmark.server.project_work import last_event
from readmark.server.tables import Assignment

PATIENCE = 20.0
"""A patient caller takes an older result for this many times the seconds that it took to make. So a
page that asks again and again takes up a twentieth of a processor at most."""


@dataclass(frozen=True)
class ResultState:
    """What results of a project depend on: if it is equal, so are they."""

    project: str
    event: int
    version: int
    """Of the configuration."""
    assignments: tuple[float | None, ...]
    """Handing out, withdrawing and deadlines leave no event."""
    moment: int = 0
    """For results that change with time."""


def state_of(session: Session, project_id: str) -> ResultState:
    """The present state of a project."""
    row = session.execute(
        select(
            func.count(Assignment.id),
            func.max(Assignment.created),
            func.count(Assignment.withdrawn),
            func.max(Assignment.withdrawn),
            func.sum(Assignment.due),
        ).where(Assignment.project_id == project_id)
    ).one()
    event, version = last_event(session, project_id), newest_version(session, project_id).version
    return ResultState(project_id, event, version, tuple(row))


Value = TypeVar("Value")


@dataclass(frozen=True)
class _Timing:
    """A project's newest result: its state, when it was ready, and the seconds it took."""

    state: ResultState
    ready: float
    seconds: float


class ByState(Generic[Value]):
    """Results of projects, each made once for a state. At most ``most`` are kept, the newest."""

    def __init__(
        self, make: Callable[[Session, str, ResultState], Value], *, most: int = 32
    ) -> None:
        self._make, self._most = make, most
        self._results: OrderedDict[ResultState, Value] = OrderedDict()
        self._newest: dict[str, _Timing] = {}
        """By project."""
        self._making: dict[str, threading.Lock] = {}
        """By project, so that several who ask at once wait for one result."""
        self._lock = threading.Lock()

    def find(
        self, session: Session, project_id: str, *, is_patient: bool = False, moment: int = 0
    ) -> Value:
        """The result of the present state; with ``is_patient`` an older one does for a while."""
        state = replace(state_of(session, project_id), moment=moment)
        with self._lock:
            one_at_a_time = self._making.setdefault(project_id, threading.Lock())
        with one_at_a_time:
            if (result := self.stored(state, is_patient=is_patient)) is not None:
                return result
            return self._add(session, state)

    def stored(self, state: ResultState, *, is_patient: bool = False) -> Value | None:
        """The result of a state, if it is made already."""
        with self._lock:
            newest = self._newest.get(state.project)
            if (
                is_patient
                and newest is not None
                and time.monotonic() < newest.ready + PATIENCE * newest.seconds
            ):
                state = newest.state
            return self._results.get(state)

    def _add(self, session: Session, state: ResultState) -> Value:
        start = time.monotonic()
        # Outside the lock, which all projects share: it may take long.
        result = self._make(session, state.project, state)
        with self._lock:
            self._results[state] = result
            ready = time.monotonic()
            self._newest[state.project] = _Timing(state, ready, ready - start)
            while len(self._results) > self._most:
                oldest, _ = self._results.popitem(last=False)
                newest = self._newest.get(oldest.project)
                if newest is not None and newest.state == oldest:
                    del self._newest[oldest.project]
        return result
