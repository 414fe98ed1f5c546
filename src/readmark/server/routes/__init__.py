"""The hall's routes: a module for each part of it."""

from __future__ import annotations

from readmark.server.routes import (
    account,
    adjudicate,
    classes,
    dashboard,
    organise,
    organise_api,
    organise_work,
    panel,
    people,
    people_api,
    results,
    sit,
    sittings,
    work_api,
    work_pages,
)

ROUTERS = (
    account.router,
    people.router,
    people_api.router,
    organise.router,
    organise_work.router,
    organise_api.router,
    panel.router,
    panel.api,
    sittings.router,
    sittings.api,
    adjudicate.pages,
    adjudicate.api,
    dashboard.router,
    dashboard.api,
    work_api.router,
    sit.router,
    results.router,
    work_pages.router,
    classes.pages,
    classes.api,
)
