"""Connections to the database: whoever waits for a thread, or for a client, holds none."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx
import pytest

from halls import ADDRESS, OWN, add_person, add_task, hall_in, session_of
from readmark.server import engine
from readmark.server.access import COOKIE
from readmark.server.start import open_hall
from shared_task_hall import task_configuration

MANY = 15
"""Visitors, each with a request for several pages: more than there are threads and connections."""


@pytest.fixture
def small_app(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A hall with a dozen connections, of which nobody waits for one longer than half a second."""
    monkeypatch.setattr(engine, "THREADS", 1)
    app = open_hall(database_url, folder=tmp_path)
    hall_in(app).database.engine.pool._timeout = 0.5  # type: ignore[attr-defined]
    yield app
    hall_in(app).database.close()


def statuses_at_once(app: Any, visits: Sequence[tuple[str, str]]) -> list[tuple[str, int]]:
    """The different answers to requests for pages with cookies, all at once, with two threads."""

    async def ask() -> list[httpx.Response]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = 2
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, headers=OWN, timeout=None
        ) as client:
            calls = [client.get(path, headers={"cookie": cookie}) for path, cookie in visits]
            return await asyncio.gather(*calls)

    return sorted({(answer.url.path, answer.status_code) for answer in asyncio.run(ask())})


def test_strangers_who_come_at_once_are_all_answered(small_app: Any) -> None:
    add_task(small_app, "mills", task_configuration())
    answers = {"/api/tasks": 200, "/invitation/none": 404, "/tasks": 200, "/tasks/mills": 200}
    assert statuses_at_once(small_app, [(path, "") for path in answers] * MANY) == [
        *answers.items()
    ]


def test_people_who_come_at_once_are_all_answered(small_app: Any) -> None:
    paths = ["/account", "/api/projects", "/assignments", "/projects"]
    visits = []
    for number in range(MANY):
        secret = session_of(small_app, add_person(small_app, f"p{number}", is_owner=True))
        visits += [(path, f"{COOKIE}={secret}") for path in paths]
    assert statuses_at_once(small_app, visits) == [(path, 200) for path in paths]


@pytest.mark.parametrize("path", ["/tasks", "/api/tasks"])
def test_a_client_that_reads_slowly_holds_no_connection(hall_app: Any, path: str) -> None:
    add_task(hall_app, "mills", task_configuration())
    pool: Any = hall_in(hall_app).database.engine.pool
    held = []

    async def visit() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            held.append((message["type"], pool.checkedout()))

        headers = [(b"host", b"127.0.0.1:8000")]
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "query_string": b"",
            "headers": headers,
        }
        await hall_app(scope, receive, send)

    asyncio.run(visit())
    assert held == [("http.response.start", 0), ("http.response.body", 0)]
