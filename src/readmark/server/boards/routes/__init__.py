"""The routes of boards: a page, and files of them for programs and for download."""

from __future__ import annotations

from readmark.server.boards.routes import files, page

ROUTERS = (page.pages, files.pages, files.api)
