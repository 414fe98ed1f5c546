"""The hall's routes: a module for each part of it."""

from __future__ import annotations

from readmark.server.routes import (
    front,
    organise,
    organise_api,
    people,
    people_api,
    work_api,
    work_pages,
)

ROUTERS = (
    front.router,
    people.router,
    people_api.router,
    organise.router,
    organise_api.router,
    work_api.router,
    work_pages.router,
)
