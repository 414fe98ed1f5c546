"""Health, readiness and metrics: what load balancers, container runtimes and Prometheus ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, TimeoutError
from starlette.responses import JSONResponse, Response

from readmark.server.access import METRICS, Permitted, hall_of
from readmark.server.database import Database, known_revisions
from readmark.server.operations.metrics import CONTENT_TYPE, render_metrics, workers_alive
from readmark.server.tables import Job

router = APIRouter(include_in_schema=False)
OK = "ok"


@dataclass(frozen=True)
class Readiness:
    """What was checked, in words that name nothing of what the hall stores."""

    checks: dict[str, str]
    is_ready: bool


def check_readiness(database: Database) -> Readiness:
    """Ask the database, compare its version, and look for a worker if there are jobs.

    A hall without jobs needs no worker, so there a missing one is reported and is not a fault.
    """
    checks = {"database": "unreachable", "schema": "unknown", "worker": "unknown"}
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
    except (DBAPIError, TimeoutError):
        pass
    is_ready = checks["database"] == checks["schema"] == OK and checks["worker"] != "missing"
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
