"""The hall's routes: a module for each part of it."""

from __future__ import annotations

from readmark.server.routes import front, work_api, work_pages

ROUTERS = (front.router, work_api.router, work_pages.router)
