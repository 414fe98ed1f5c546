"""What is in a reading task, for programs: the graph, documents, queries, the package."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Query
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response

from readmark.server.bodies import HallRoute
from readmark.server.reading_tasks.graph import GRAPHS, GraphResponse, graph_stream
from readmark.server.reading_tasks.graph_formats import GRAPH_TYPES, negotiate
from readmark.server.reading_tasks.packages import about_task, public_package
from readmark.server.reading_tasks.routes.visit import TaskVisit, Visible
from readmark.tasks import TaskPackage

api = APIRouter(
    route_class=HallRoute, prefix="/api/reading-tasks/{reading_task}", tags=["reading tasks"]
)


def _package(visit: TaskVisit) -> TaskPackage:
    return public_package(visit.hall.database, visit.task)


@api.get(
    "/graph",
    response_class=Response,
    responses={
        200: {"content": {graph_type.media_type: {} for graph_type in GRAPH_TYPES}},
        406: {"description": "No format that is asked for: the list of those that there are."},
    },
)
def read_graph(
    visit: Visible,
    accept: Annotated[str, Header(max_length=2000)] = "",
    format: Annotated[str | None, Query(max_length=20)] = None,
) -> Response:
    """The task as one RDF graph, streamed: in the format of ``Accept``, or of ``?format=``."""
    chosen = negotiate(accept, format)
    if chosen is None:
        types = ", ".join(
            f"{graph_type.media_type} (format={graph_type.name})" for graph_type in GRAPH_TYPES
        )
        return JSONResponse({"detail": f"Not acceptable: the graph comes as {types}."}, 406)
    task = visit.task
    with ExitStack() as turn:
        turn.enter_context(GRAPHS.turn(visit.permitted.person.id))
        gold = about_task(visit.hall.database, task)["gold"]
        write = partial(_package(visit).write_graph, id=task.id, name=task.name, gold=gold)
        return GraphResponse(graph_stream(write, chosen), chosen.media_type, turn.pop_all())


@api.get("/documents")
def list_documents(visit: Visible) -> list[dict[str, Any]]:
    """The documents: id, split, size in bytes and SHA-256."""
    return _package(visit).documents()


@api.get("/document", response_class=PlainTextResponse)
def read_document(visit: Visible, id: Annotated[str, Query(max_length=300)]) -> Response:
    """The text of one document, exactly as it is."""
    text = _package(visit).document(id)
    if text is None:
        raise HTTPException(404, "Not found.")
    return PlainTextResponse(text)


@api.get("/queries")
def list_queries(visit: Visible) -> list[dict[str, Any]]:
    """The queries: graph, question, property and the variables that make an answer."""
    return _package(visit).queries()


@api.get("/package", response_class=FileResponse)
def read_package(visit: Visible) -> Response:
    """The package as a zip, without the gold of hidden splits."""
    path = _package(visit).path
    return FileResponse(path, media_type="application/zip", filename=f"{visit.task.id}.zip")
