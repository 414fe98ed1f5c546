"""Who answers the units of a run: the candidate in this process, or workers that have it."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec

from readmark.core.progress import Tell
from readmark.core.sitting import Row, SittingHeader
from readmark.sitting.candidates import begin_repeat
from readmark.sitting.cluster import as_cluster
from readmark.sitting.messages import Begin
from readmark.sitting.pipes import Pipes
from readmark.sitting.preparation import Preparation
from readmark.sitting.requests import Ask, OnUnit, answers
from readmark.sitting.settings import SitSettings
from readmark.sitting.workers import AHEAD, Crew, OpenLine, Pool


class Engine(Protocol):
    """Answers papers, a repeat at a time."""

    @property
    def header(self) -> SittingHeader:
        """The header of the sitting, with the candidate's signature where it runs."""

    @property
    def workers(self) -> int:
        """How many processes have the candidate."""

    def answer(self, asks: Iterable[Ask], repeat: int) -> Generator[Row, None, None]:
        """The rows of a repeat as they come; closing it stops the workers."""


@contextlib.contextmanager
def open_engine(
    ready: Preparation, settings: SitSettings, *, on_unscored: OnUnit, tell: Tell
) -> Iterator[Engine]:
    """The engine that the settings ask for; its workers end with the block.

    A time limit for a unit needs a worker, since only a process can be stopped at any moment.
    """
    cluster = as_cluster(settings.engine)
    workers = settings.workers or 1
    if cluster is None and workers == 1 and settings.unit_timeout is None:
        yield InProcess(ready, on_unscored)
        return
    test = ready.test
    begin = Begin(
        sys.path,
        ready.name,
        test.kind.name,
        test.language,
        materials=dict(ready.run.materials),
        languages=ready.run.languages,
    )
    header, ahead = ready.header, AHEAD
    with contextlib.ExitStack() as stack:
        open_line: OpenLine = partial(Pipes.open, begin)
        if cluster is not None:
            connection = stack.enter_context(cluster.connect(tell))
            room = connection.room()
            workers, ahead = settings.workers or room, cluster.batch
            header = connection.with_signature(header, begin)
            begin = msgspec.structs.replace(begin, signature=header.signature)
            open_line = partial(connection.open_line, begin)
        pool = stack.enter_context(contextlib.closing(Pool(open_line)))
        yield WithWorkers(header, workers, pool, ahead, settings.unit_timeout, on_unscored)


@dataclass(frozen=True, slots=True)
class InProcess:
    """The candidate answers in this process."""

    ready: Preparation
    on_unscored: OnUnit

    @property
    def header(self) -> SittingHeader:
        return self.ready.header

    @property
    def workers(self) -> int:
        return 1

    def answer(self, asks: Iterable[Ask], repeat: int) -> Generator[Row, None, None]:
        """The candidate's rows."""
        ready = self.ready
        begin_repeat(ready.name, ready.candidate, repeat)
        yield from answers(ready.candidate, ready.test.kind, asks, on_unscored=self.on_unscored)


@dataclass(frozen=True, slots=True)
class WithWorkers:
    """Workers answer, in processes of this machine or of a cluster."""

    header: SittingHeader
    workers: int
    pool: Pool
    ahead: int
    unit_timeout: float | None
    on_unscored: OnUnit

    def answer(self, asks: Iterable[Ask], repeat: int) -> Generator[Row, None, None]:
        """The rows of all workers."""
        crew = Crew(
            self.pool,
            self.workers,
            repeat=repeat,
            ahead=self.ahead,
            unit_timeout=self.unit_timeout,
            on_unscored=self.on_unscored,
        )
        return crew.answer(asks)
