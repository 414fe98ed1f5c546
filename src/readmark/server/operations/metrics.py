"""Metrics in Prometheus' text format: counts, times and sizes; no names, no texts, no keys.

A process counts its own requests. Several processes add up through files in the folder that
``PROMETHEUS_MULTIPROC_DIR`` names, as prometheus-client does it. What the database knows is asked
when somebody scrapes.
"""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from sqlalchemy.pool import QueuePool
from starlette.types import Scope

from readmark.core.version import __version__
from readmark.server.database import DATABASE_ERRORS, Database
from readmark.server.operations.processes import is_alive, usage_of
from readmark.server.tables import Classroom, Job, Submission, WorkerHeartbeat

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SEEN_SECONDS = 60.0
"""A worker that was seen within this time is alive."""
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_OWN = CollectorRegistry()
disable_created_metrics()  # type: ignore[no-untyped-call]

_REQUESTS = Counter(
    "readmark_requests",
    "Requests that were answered",
    ("route", "method", "status"),
    registry=_OWN,
)
_SECONDS = Histogram(
    "readmark_request_seconds",
    "Seconds from a request to the end of its answer",
    ("route", "method"),
    buckets=_BUCKETS,
    registry=_OWN,
)
_CONNECTIONS = Gauge(
    "readmark_database_connections",
    "Connections to the database that are open, and those in use after the last request",
    ("state",),
    registry=_OWN,
    multiprocess_mode="livesum",
)


def observe_request(scope: Scope, *, route: str, method: str, status: int, seconds: float) -> None:
    """Count and time a request by its route's template, and look at the pool of connections."""
    _REQUESTS.labels(route, method, str(status)).inc()
    _SECONDS.labels(route, method).observe(seconds)
    app = scope.get("app")
    pool = app.state.hall.database.engine.pool if app is not None else None
    if isinstance(pool, QueuePool):
        in_use = pool.checkedout()
        _CONNECTIONS.labels("in_use").set(in_use)
        _CONNECTIONS.labels("open").set(in_use + pool.checkedin())


def render_metrics(database: Database) -> bytes:
    """Everything that a scrape gets."""
    folder, registry = os.environ.get(FOLDER), _OWN
    if folder:
        registry = CollectorRegistry()
        for process in _processes(folder):
            if not is_alive(process):
                mark_process_dead(process, folder)  # type: ignore[no-untyped-call]
        MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    whole = CollectorRegistry()
    whole.register(_HallCollector(database, _processes(folder) if folder else [os.getpid()]))
    return generate_latest(registry) + generate_latest(whole)


def forget_process() -> None:
    """Let the sizes of this process end with it; what it counted stays in the sums."""
    if folder := os.environ.get(FOLDER):
        mark_process_dead(os.getpid(), folder)  # type: ignore[no-untyped-call]


def workers_alive(session: Any) -> int:
    """How many worker processes were seen a moment ago."""
    seen = select(func.count()).where(WorkerHeartbeat.seen > time.time() - SEEN_SECONDS)
    return int(session.scalar(seen))


class _HallCollector(Collector):
    """What the database and the operating system know."""

    def __init__(self, database: Database, processes: list[int]) -> None:
        self._database = database
        self._processes = processes

    def collect(self) -> Iterator[Metric]:
        """The families with their samples."""
        about = {
            "version": __version__,
            "python": platform.python_version(),
            "database": self._database.engine.dialect.name,
        }
        yield InfoMetricFamily("readmark_build", "Versions", value=about)
        yield from _process_families(self._processes)
        try:
            families = list(_database_families(self._database))
        except DATABASE_ERRORS:
            families = []
        up = 1.0 if families else 0.0
        yield GaugeMetricFamily("readmark_database_up", "Whether the database answers", value=up)
        yield from families


def _database_families(database: Database) -> Iterator[Metric]:
    now = time.time()
    with database.reading() as session:
        jobs = GaugeMetricFamily("readmark_jobs", "Jobs", labels=("kind", "state"))
        rows = select(Job.kind, Job.state, func.count()).group_by(Job.kind, Job.state)
        for kind, state, count in session.execute(rows):
            jobs.add_metric((kind, state), count)
        yield jobs
        oldest = session.scalar(select(func.min(Job.created)).where(Job.state == "waiting"))
        yield GaugeMetricFamily(
            "readmark_jobs_oldest_waiting_seconds",
            "How long the oldest waiting job has waited",
            value=0.0 if oldest is None else max(0.0, now - oldest),
        )
        submissions = GaugeMetricFamily("readmark_submissions", "Submissions", labels=("state",))
        states = select(Submission.state, func.count()).group_by(Submission.state)
        for state, count in session.execute(states):
            submissions.add_metric((state,), count)
        yield submissions
        yield GaugeMetricFamily(
            "readmark_workers", "Worker processes seen a moment ago", value=workers_alive(session)
        )
        overdue = session.scalar(
            select(func.count()).where(Classroom.erased.is_(None), Classroom.erase <= now)
        )
        yield GaugeMetricFamily(
            "readmark_erasures_overdue",
            "Classes with a day of erasure that has passed",
            value=float(overdue or 0),
        )


def _processes(folder: str) -> list[int]:
    """The processes that have counted something into a folder."""
    matches = (re.search(r"_(\d+)\.db$", path.name) for path in Path(folder).glob("*.db"))
    return sorted({int(match[1]) for match in matches if match})


def _process_families(processes: list[int]) -> Iterator[Metric]:
    memory = GaugeMetricFamily(
        "readmark_process_resident_bytes", "Memory of a process", labels=("process",)
    )
    cpu = CounterMetricFamily(
        "readmark_process_cpu_seconds", "CPU time of a process", labels=("process",)
    )
    for process in processes:
        if (usage := usage_of(process)) is not None:
            memory.add_metric((str(process),), usage.resident_bytes)
            cpu.add_metric((str(process),), usage.cpu_seconds)
    yield memory
    yield cpu
