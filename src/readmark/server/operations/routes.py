"""Health, readiness and metrics: what load balancers, container runtimes and Prometheus ask for."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from sqlalchemy import select
from starlette.responses import JSONResponse, Response

from readmark.server.access import METRICS, Permitted, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.database import DATABASE_ERRORS, Database, known_revisions
from readmark.server.engine import sqlite_file
from readmark.server.full_disk import has_room
from readmark.server.operations.metrics import CONTENT_TYPE, render_metrics, workers_alive
from readmark.server.tables import Job

router = APIRouter(route_class=HallRoute, include_in_schema=False)
OK = "ok"


@dataclass(frozen=True)
class Readiness:
    """What was checked, in words that name nothing of what the hall stores."""

    checks: dict[str, str]
    is_ready: bool


def check_readiness(database: Database) -> Readiness:
    """Ask the database, compare its version, look for a worker if there are jobs, and for room.

    A hall without jobs needs no worker, so there a missing one is reported and is not a fault. Room
    is needed where SQLite's file is, and for uploads where temporary files are.
    """
    checks = {"database": "unreachable", "schema": "unknown", "worker": "unknown", "disk": OK}
    file = sqlite_file(database.engine.url.render_as_string(hide_password=False))
    folders = [Path(tempfile.gettempdir()), *([Path(file).absolute().parent] if file else [])]
    if not all(has_room(folder) for folder in folders):
        checks["disk"] = "full"
    try:
        revision = database.revision()
        checks["database"] = OK
        checks["schema"] = OK if revision == known_revisions()[0] else "not the newest"
        if checks["schema"] == OK:
            with database.reading() as session:
                if workers_alive(session):
                    checks["worker"] = OK
                else:
                    open_jobs = select(Job.number).where(Job.state.in_(("waiting", "running")))
                    has_jobs = session.scalar(open_jobs.limit(1)) is not None
                    checks["worker"] = "missing" if has_jobs else "none needed"
    except DATABASE_ERRORS:
        pass
    needed = ("database", "schema", "disk")
    is_ready = all(checks[name] == OK for name in needed) and checks["worker"] != "missing"
    return Readiness(checks, is_ready)


@router.get("/health")
async def show_health() -> dict[str, str]:
    """Whether the process answers; it asks nothing of the database."""
    return {"status": "ok"}


@router.get("/ready")
def show_readiness(request: Request) -> JSONResponse:
    """Whether the hall can do its work: 503 where it cannot."""
    readiness = check_readiness(hall_of(request).database)
    answer: dict[str, Any] = {"ready": readiness.is_ready, **readiness.checks}
    return JSONResponse(answer, 200 if readiness.is_ready else 503)


@router.get("/metrics")
def show_metrics(request: Request, _: Annotated[Permitted, Depends(METRICS)]) -> Response:
    """Counts and times for Prometheus."""
    return Response(render_metrics(hall_of(request).database), media_type=CONTENT_TYPE)
