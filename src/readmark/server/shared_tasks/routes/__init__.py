"""The routes of shared tasks: their pages, organising one, and what teams submit."""

from __future__ import annotations

from readmark.server.shared_tasks.routes import (
    organise,
    sittings,
    submission_pages,
    submissions,
    task_pages,
)

ROUTERS = (
    task_pages.router,
    task_pages.api,
    organise.pages,
    organise.api,
    submission_pages.router,
    submissions.api,
    sittings.api,
)
