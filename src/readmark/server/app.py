"""The hall as an ASGI application."""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from functools import cache
from typing import Any
from urllib.parse import quote

import msgspec
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from sqlalchemy import exc
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from readmark.core.errors import ReadmarkError
from readmark.core.version import __version__
from readmark.server import full_disk
from readmark.server.access import Hall
from readmark.server.account_errors import AccountError
from readmark.server.boards.cache import BoardCache
from readmark.server.database import AWAY, DATABASE_ERRORS, Database
from readmark.server.fair_share import FairShare
from readmark.server.full_disk import is_disk_full
from readmark.server.operations.chores import keeping_house
from readmark.server.operations.logs import RequestRecorder, error_fields
from readmark.server.pages import ASSETS, is_api, language_of, load_pages, render, words
from readmark.server.program import load_program
from readmark.server.protection import Protection
from readmark.server.routes import ROUTERS
from readmark.server.settings import HallSettings
from readmark.works import HallBusy

LOG = logging.getLogger("readmark.hall")


def create_app(settings: HallSettings, database: Database) -> FastAPI:
    """The application on a database that `Database.upgrade` has brought up to date."""
    load_program()
    learn_structs()
    load_pages()
    hall = Hall(settings, database)
    app = FastAPI(
        lifespan=lambda _: keeping_house(hall),
        title="Readmark exam hall",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.hall = hall
    app.mount("/static", StaticFiles(directory=ASSETS / "static"), name="static")
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(ReadmarkError, _answer_bad_data)
    for error in (UnicodeEncodeError, OverflowError, RecursionError, exc.DataError):
        app.add_exception_handler(error, _answer_unstorable)
    app.add_exception_handler(exc.IntegrityError, _answer_conflict)
    for failure in DATABASE_ERRORS:
        app.add_exception_handler(failure, _answer_database_error)
    app.add_exception_handler(OSError, _answer_disk_error)
    app.add_middleware(BoardCache, hall=app.state.hall)
    app.add_middleware(Protection, settings=settings)
    app.add_middleware(FairShare, settings=settings)
    app.add_middleware(RequestRecorder, settings=settings)
    _declare_paths(app)
    _serve_schema(app)
    return app


def learn_structs() -> None:
    """Let msgspec take in every struct now: two threads that both use one first crash it."""
    waiting: list[type[msgspec.Struct]] = [msgspec.Struct]
    while waiting:
        for struct in waiting.pop().__subclasses__():
            waiting.append(struct)
            if struct.__module__.startswith("readmark."):
                with suppress(TypeError):  # one that is never read from JSON
                    msgspec.json.Decoder(struct)


def _declare_paths(app: FastAPI) -> None:
    """Add the parts of paths to the schema that rules read, and no function takes."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        schema = make()
        for path, methods in schema["paths"].items():
            for method in methods.values():
                declared = method.setdefault("parameters", [])
                names = {field["name"] for field in declared if field["in"] == "path"}
                declared += [
                    {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                    for name in re.findall(r"{(\w+)}", path)
                    if name not in names
                ]
        return schema

    app.openapi = openapi  # type: ignore[method-assign]


def _serve_schema(app: FastAPI) -> None:
    """Serve the schema as bytes that are made once.

    FastAPI writes it anew for each request, in the event loop: 400 at once held up all others for
    two seconds.
    """

    @cache
    def schema() -> bytes:
        return msgspec.json.encode(app.openapi())

    async def show_schema(_: Request) -> Response:
        return Response(schema(), media_type="application/json")

    app.add_route("/api/openapi.json", show_schema, include_in_schema=False)


def _answer(request: Request, status: int, message: str) -> Response:
    if is_api(request):
        return JSONResponse({"detail": message}, status)
    return render(request, "error.html", status, message=message, code=status)


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if is_disk_full(error):  # FastAPI calls whatever goes wrong with an upload a bad request
        return await _answer_disk_error(request, error)
    if error.status_code == 401 and not is_api(request) and request.method == "GET":
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/login?next={quote(request.url.path + query)}", 303)
    return _answer(request, error.status_code, str(error.detail))


async def _answer_invalid(request: Request, error: Exception) -> Response:
    """Say which field is wrong, and repeat nothing of what was sent."""
    assert isinstance(error, RequestValidationError)
    faults: list[dict[str, Any]] = [
        {"field": _printable(fault["loc"]), "message": fault["msg"]}
        for fault in error.errors()[:10]
    ]
    if is_api(request):
        return JSONResponse({"detail": "The request is not valid.", "faults": faults}, 422)
    return _answer(request, 422, f"{faults[0]['field']}: {faults[0]['message']}")


def _printable(parts: tuple[int | str, ...]) -> str:
    return ".".join(map(str, parts)).encode("utf-8", "replace").decode("utf-8")


async def _answer_bad_data(request: Request, error: Exception) -> Response:
    """The line that the command line would print."""
    if isinstance(error, AccountError):
        return _answer(request, 422, words(language_of(request))[error.word])
    if is_disk_full(error):
        return await _answer_disk_error(request, error)
    response = _answer(request, getattr(error, "status", 422), str(error))
    if isinstance(error, HallBusy):
        response.headers["retry-after"] = str(error.retry_after)
    return response


async def _answer_unstorable(request: Request, error: Exception) -> Response:
    """A character or number that the database has no place for."""
    return _answer(request, 422, "The request holds a character or number that is not stored.")


async def _answer_conflict(request: Request, error: Exception) -> Response:
    """Another request made or changed the same thing a moment before."""
    return _answer(request, 409, "This was changed at the same moment. Please try again.")


async def _answer_disk_error(request: Request, error: Exception) -> Response:
    """A full disk, of temporary files too; any other fault of the system is ours."""
    if not is_disk_full(error):
        raise error
    LOG.error("disk", extra=error_fields(error))
    response = _answer(request, 503, full_disk.MESSAGE)
    response.headers["retry-after"] = "60"
    return response


async def _answer_database_error(request: Request, error: Exception) -> Response:
    """A full disk or an unreachable database: nothing was saved, and nothing is lost."""
    LOG.error("database", extra=error_fields(getattr(error, "orig", error)))
    response = _answer(request, 503, AWAY)
    response.headers["retry-after"] = "5"
    return response
