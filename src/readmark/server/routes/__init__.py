"""The hall's routes: a module for each part of it."""

from __future__ import annotations

from readmark.server.routes import (
    adjudicate,
    classes,
    organise,
    organise_api,
    organise_work,
    people,
    people_api,
    results,
    sit,
    sittings,
    work_api,
    work_pages,
)

ROUTERS = (
    people.router,
    people_api.router,
    organise.router,
    organise_work.router,
    organise_api.router,
    sittings.router,
    sittings.api,
    adjudicate.pages,
    adjudicate.api,
    work_api.router,
    sit.router,
    results.router,
    work_pages.router,
    classes.pages,
    classes.api,
)
