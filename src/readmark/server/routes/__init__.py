"""The hall's routes: a module for each part of it."""

from __future__ import annotations

from readmark.server.routes import (
    adjudicate,
    dashboard,
    organise,
    organise_api,
    organise_work,
    people,
    people_api,
    work_api,
    work_pages,
)

ROUTERS = (
    people.router,
    people_api.router,
    organise.router,
    organise_work.router,
    organise_api.router,
    adjudicate.pages,
    adjudicate.api,
    dashboard.router,
    dashboard.api,
    work_api.router,
    work_pages.router,
)
