"""A board as a file: what the API sends, and what the page has to download."""

from __future__ import annotations

import json

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from readmark.server.access import Reading
from readmark.server.boards.filter import BoardFilter
from readmark.server.boards.routes.chosen import Filter, chosen_board
from readmark.server.boards.stored import StoredBoard
from readmark.server.boards.tags import accepted_form, tagged
from readmark.server.boards.view import view_board
from readmark.server.bodies import HallRoute
from readmark.server.shared_tasks.access import TaskPermitted, Visitor

pages = APIRouter(route_class=HallRoute, prefix="/tasks/{task}", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks/{task}/board", tags=["shared tasks"])

MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
}


@api.get("", response_class=Response)
def get_board(request: Request, session: Reading, permitted: Visitor, chosen: Filter) -> Response:
    """The newest board: marks with their intervals, ranks and ties; slices of the field that
    ``table`` names. With ``Accept: text/csv`` or ``text/markdown`` it is a table. Version 0 is a
    board that nobody is on yet."""
    form = accepted_form(request.headers.get("accept", ""))
    return _file(request, permitted, chosen_board(session, permitted), chosen, form)


@api.get("/{version}", response_class=Response)
def get_board_version(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A board as it was; a version never changes."""
    form = accepted_form(request.headers.get("accept", ""))
    return _file(request, permitted, chosen_board(session, permitted, version), chosen, form)


@pages.get("/board.{form}")
def download_board(
    request: Request, session: Reading, permitted: Visitor, form: str, chosen: Filter
) -> Response:
    """The newest board: as CSV with every digit, or as a Markdown table."""
    return _download(request, permitted, chosen_board(session, permitted), chosen, form)


@pages.get("/board/{version}/board.{form}")
def download_board_version(
    request: Request,
    session: Reading,
    permitted: Visitor,
    version: str,
    form: str,
    chosen: Filter,
) -> Response:
    """A version of the board: as CSV with every digit, or as a Markdown table."""
    return _download(request, permitted, chosen_board(session, permitted, version), chosen, form)


def _download(
    request: Request,
    permitted: TaskPermitted,
    board: StoredBoard | None,
    chosen: BoardFilter,
    form: str,
) -> Response:
    if form not in ("csv", "md"):
        raise HTTPException(404, "Not found.")
    return _file(request, permitted, board, chosen, form)


def _file(
    request: Request,
    permitted: TaskPermitted,
    board: StoredBoard | None,
    chosen: BoardFilter,
    form: str,
) -> Response:
    """The board as a file, for ``json``, ``csv`` or ``md``."""
    slug = permitted.project.slug
    if board is None:
        content = json.dumps({"task": slug, "version": 0, "rows": []}) if form == "json" else ""
    elif form == "json":
        content = json.dumps(view_board(board, chosen).as_json(slug), ensure_ascii=False)
    else:
        view = view_board(board, chosen)
        content = view.as_csv() if form == "csv" else view.as_markdown()
    return tagged(request, Response(content, media_type=MEDIA[form]))
