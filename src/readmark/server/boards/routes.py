"""The board of a shared task: a page, and JSON, Markdown and CSV of it; the newest or any other."""

from __future__ import annotations

import json
from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Query, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.numbers import p_value
from readmark.reporting import metric_head
from readmark.server.access import Reading
from readmark.server.boards.cache import accepted_form, tagged
from readmark.server.boards.stored import StoredBoard, board_version, newest_board
from readmark.server.boards.view import (
    HISTORY,
    Baselines,
    BoardFilter,
    BoardView,
    Model,
    Phases,
    Shown,
    history_plot,
    rank_words,
    view_board,
)
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, render
from readmark.server.shared_tasks.access import TaskPermitted
from readmark.server.shared_tasks.routes.task_pages import Visitor
from readmark.works import in_language

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


# The API.


def _answer(
    request: Request, permitted: TaskPermitted, board: StoredBoard | None, chosen: BoardFilter
) -> Response:
    """The board in the form that the request accepts; JSON by default."""
    form = accepted_form(request.headers.get("accept", ""))
    return _file(request, permitted, board, chosen, form)


def _file(
    request: Request,
    permitted: TaskPermitted,
    board: StoredBoard | None,
    chosen: BoardFilter,
    ending: str,
) -> Response:
    slug = permitted.project.slug
    if board is None:
        content = json.dumps({"task": slug, "version": 0, "rows": []}) if ending == "json" else ""
    elif ending == "json":
        content = json.dumps(view_board(board, chosen).as_json(slug), ensure_ascii=False)
    else:
        view = view_board(board, chosen)
        content = view.as_csv() if ending == "csv" else view.as_markdown()
    return tagged(request, Response(content, media_type=MEDIA[ending]))


@api.get("", response_class=Response)
def get_board(request: Request, session: Reading, permitted: Visitor, chosen: Filter) -> Response:
    """The newest board: marks with their intervals, ranks and ties; slices of the field that
    ``table`` names. With ``Accept: text/csv`` or ``text/markdown`` it is a table. Version 0 is a
    board that nobody is on yet."""
    return _answer(request, permitted, _board(session, permitted), chosen)


@api.get("/{version}", response_class=Response)
def get_board_version(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A board as it was; a version never changes."""
    return _answer(request, permitted, _board(session, permitted, version), chosen)


# Pages and files.


@pages.get("/tasks/{task}/board.csv")
def download_csv(
    request: Request, session: Reading, permitted: Visitor, chosen: Filter
) -> Response:
    """The newest board with every digit."""
    return _file(request, permitted, _board(session, permitted), chosen, "csv")


@pages.get("/tasks/{task}/board.md")
def download_markdown(
    request: Request, session: Reading, permitted: Visitor, chosen: Filter
) -> Response:
    """The newest board as a Markdown table."""
    return _file(request, permitted, _board(session, permitted), chosen, "md")


@pages.get("/tasks/{task}/board/{version}/board.csv")
def download_version_csv(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A version of the board with every digit."""
    return _file(request, permitted, _board(session, permitted, version), chosen, "csv")


@pages.get("/tasks/{task}/board/{version}/board.md")
def download_version_markdown(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A version of the board as a Markdown table."""
    return _file(request, permitted, _board(session, permitted, version), chosen, "md")


@pages.get("/tasks/{task}/board")
def show_board(request: Request, session: Reading, permitted: Visitor, chosen: Filter) -> Response:
    """The newest board."""
    board = _board(session, permitted)
    return _page(request, permitted, board, chosen, "" if board is None else "newest")


@pages.get("/tasks/{task}/board/{version}")
def show_board_version(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A board as it was."""
    return _page(request, permitted, _board(session, permitted, version), chosen, "version")


def _page(
    request: Request,
    permitted: TaskPermitted,
    board: StoredBoard | None,
    chosen: BoardFilter,
    which: str,
) -> Response:
    language, slug = language_of(request), permitted.project.slug
    view: BoardView | None = None if board is None else view_board(board, chosen)
    if view is not None and chosen.table not in ("", HISTORY, *view.fields):
        raise HTTPException(404, "Not found.")
    own = f"/tasks/{slug}/board"
    number = "" if board is None else f"/{board.number}"
    page = render(
        request,
        "task_board.html",
        person=permitted.person,
        task={
            "task": slug,
            "name": in_language(permitted.configuration.project.name, language),
            "is_open": permitted.project.is_open,
            "team": permitted.team,
        },
        tab="board",
        is_organiser=permitted.is_organiser,
        view=view,
        chosen=chosen,
        which=which,
        address=own + number if which == "version" else own,
        permanent=own + number,
        plot=history_plot(view) if view is not None and chosen.table == HISTORY else None,
        metric_head=metric_head,
        p_value=p_value,
        rank_words=rank_words,
    )
    return tagged(request, page)
