"""The hall's routes: a module for each part of it."""

from __future__ import annotations

from readmark.server.routes import front, people, people_api, work_api, work_pages

ROUTERS = (
    front.router,
    people.router,
    people_api.router,
    work_api.router,
    work_pages.router,
)
