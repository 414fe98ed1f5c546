"""The board of a shared task: a page, and JSON, Markdown and CSV of it; the newest or any other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.reporting import metric_head
from readmark.server.access import Reading
from readmark.server.boards.cache import accepted_form, tagged
from readmark.server.boards.filter import HISTORY, Baselines, BoardFilter, Model, Phases, Shown
from readmark.server.boards.history_plot import HistoryPlot, history_plot
from readmark.server.boards.stored import StoredBoard, board_version, newest_board
from readmark.server.boards.view import BoardView, view_board
from readmark.server.bodies import HallRoute
from readmark.server.shared_tasks.access import TaskPermitted, Visitor
from readmark.server.shared_tasks.routes.task_page import show_task_page

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks/{task}/board", tags=["shared tasks"])

BoardDay = Annotated[str, Query(max_length=10)]
MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
}


def asked_for(
    show: Shown = "systems",
    model: Model = "",
    phase: Phases = "",
    baselines: Baselines = "",
    team: Annotated[str, Query(max_length=100)] = "",
    since: BoardDay = "",
    until: BoardDay = "",
    sort: Annotated[str, Query(max_length=450)] = "",
    table: Annotated[str, Query(max_length=200)] = "",
) -> BoardFilter:
    """The filter of a query string."""
    return BoardFilter(show, model, phase, baselines, team, since, until, sort, table)


Filter = Annotated[BoardFilter, Depends(asked_for)]


def _board(session: Session, permitted: TaskPermitted, version: str = "") -> StoredBoard | None:
    """The newest board if there is one, or a version that there must be."""
    if not version:
        return newest_board(session, permitted.project.id)
    is_number = version.isascii() and version.isdecimal() and len(version) < 10
    board = board_version(session, permitted.project.id, int(version)) if is_number else None
    if board is None:
        raise HTTPException(404, "Not found.")
    return board


# Files: what the API sends, and what the page has to download.


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


@api.get("", response_class=Response)
def get_board(request: Request, session: Reading, permitted: Visitor, chosen: Filter) -> Response:
    """The newest board: marks with their intervals, ranks and ties; slices of the field that
    ``table`` names. With ``Accept: text/csv`` or ``text/markdown`` it is a table. Version 0 is a
    board that nobody is on yet."""
    form = accepted_form(request.headers.get("accept", ""))
    return _file(request, permitted, _board(session, permitted), chosen, form)


@api.get("/{version}", response_class=Response)
def get_board_version(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A board as it was; a version never changes."""
    form = accepted_form(request.headers.get("accept", ""))
    return _file(request, permitted, _board(session, permitted, version), chosen, form)


@pages.get("/tasks/{task}/board.{form}")
def download_board(
    request: Request, session: Reading, permitted: Visitor, form: str, chosen: Filter
) -> Response:
    """The newest board: as CSV with every digit, or as a Markdown table."""
    return _download(request, permitted, _board(session, permitted), chosen, form)


@pages.get("/tasks/{task}/board/{version}/board.{form}")
def download_board_version(
    request: Request,
    session: Reading,
    permitted: Visitor,
    version: str,
    form: str,
    chosen: Filter,
) -> Response:
    """A version of the board: as CSV with every digit, or as a Markdown table."""
    return _download(request, permitted, _board(session, permitted, version), chosen, form)


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


# The page.


@dataclass(frozen=True, kw_only=True)
class BoardPage:
    """A board, or none before anything is marked, with the filters that it is shown through."""

    board: BoardView | None
    filter: BoardFilter
    is_version: bool
    """Whether it is the board as it was, rather than the newest."""
    address: str
    """Where filters lead: to the newest board, or to the same version."""
    permanent: str
    """Where this version stays."""
    plot: HistoryPlot | None
    """The history, where it is asked for and long enough."""

    def head(self, metric: str) -> str:
        """A metric as tables head its columns."""
        return metric_head(metric)


@pages.get("/tasks/{task}/board")
def show_board(request: Request, session: Reading, permitted: Visitor, chosen: Filter) -> Response:
    """The newest board."""
    return _page(request, permitted, _board(session, permitted), chosen)


@pages.get("/tasks/{task}/board/{version}")
def show_board_version(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A board as it was."""
    board = _board(session, permitted, version)
    return _page(request, permitted, board, chosen, is_version=True)


def _page(
    request: Request,
    permitted: TaskPermitted,
    board: StoredBoard | None,
    chosen: BoardFilter,
    *,
    is_version: bool = False,
) -> Response:
    content = None if board is None else view_board(board, chosen)
    if content is not None and chosen.table not in ("", HISTORY, *content.fields):
        raise HTTPException(404, "Not found.")
    newest = f"/tasks/{permitted.project.slug}/board"
    permanent = newest if board is None else f"{newest}/{board.number}"
    view = BoardPage(
        board=content,
        filter=chosen,
        is_version=is_version,
        address=permanent if is_version else newest,
        permanent=permanent,
        plot=history_plot(content) if content is not None and chosen.table == HISTORY else None,
    )
    return tagged(
        request, show_task_page(request, permitted, "board", "task_board.html", view=view)
    )
