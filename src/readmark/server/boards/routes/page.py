"""The page of a board: the newest one, or a version as it was."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from readmark.reporting import metric_head
from readmark.server.access import Reading
from readmark.server.boards.filter import HISTORY, BoardFilter
from readmark.server.boards.history_plot import HistoryPlot, history_plot
from readmark.server.boards.routes.chosen import Filter, chosen_board
from readmark.server.boards.stored import StoredBoard
from readmark.server.boards.tags import tagged
from readmark.server.boards.view import BoardView, view_board
from readmark.server.bodies import HallRoute
from readmark.server.shared_tasks.access import TaskPermitted, Visitor
from readmark.server.shared_tasks.routes.task_page import show_task_page

pages = APIRouter(route_class=HallRoute, prefix="/tasks/{task}/board", include_in_schema=False)


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


@pages.get("")
def show_board(request: Request, session: Reading, permitted: Visitor, chosen: Filter) -> Response:
    """The newest board."""
    return _page(request, permitted, chosen_board(session, permitted), chosen)


@pages.get("/{version}")
def show_board_version(
    request: Request, session: Reading, permitted: Visitor, version: str, chosen: Filter
) -> Response:
    """A board as it was."""
    board = chosen_board(session, permitted, version)
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
