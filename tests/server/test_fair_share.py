"""One person's requests wait for each other, and nobody else's for them."""

from __future__ import annotations

import asyncio
import inspect
import threading
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx
import pytest
from fastapi.routing import APIRoute

from halls import ADDRESS, OWN
from readmark.server import browser_sessions, fair_share
from readmark.server.access import COOKIE, PERSON
from readmark.server.fair_share import SHARE, DownloadRoute, FairShare, PasswordRoute
from readmark.server.routes import ROUTERS
from readmark.server.settings import HallSettings
from readmark.server.shared_tasks import publication
from shared_task_hall import comprehension_test, open_task

SETTINGS = HallSettings(url="", secret=b"")
MANY = 60


PEOPLE = {
    f"{COOKIE}=s1": "mallory",
    f"{COOKIE}=s2": "bob",
    "Bearer t1": "mallory",
    **{f"{COOKIE}=m{number}": "mallory" for number in range(20)},
}
"""Whose a session or token is, by the beginning of the header that has it."""


class Hall:
    """An application whose requests take until they are let go; it finds out who sends them."""

    def __init__(self) -> None:
        self.is_open = asyncio.Event()
        self.served: list[str] = []
        self.at_work: dict[str, int] = {}
        self.most: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        who = scope["path"]
        for _, value in scope["headers"]:
            if own := [part for part in value.decode().split("; ") if part in PEOPLE]:
                scope[PERSON] = PEOPLE[own[0]]
        self.at_work[who] = self.at_work.get(who, 0) + 1
        self.most[who] = max(self.most.get(who, 0), self.at_work[who])
        try:
            if who == "/mallory":
                await self.is_open.wait()
            if scope.get("fails"):
                raise ValueError("a fault of the route")
        finally:
            self.at_work[who] -= 1
        self.served.append(who)


def scope(who: str, header: str = "", value: str = "", **more: Any) -> dict[str, Any]:
    headers = [(header.encode(), value.encode())] if header else []
    return {"type": "http", "path": who, "headers": headers, **more}


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("cookie", f"{COOKIE}=s1; x=y"),
        ("cookie", f"x=z; {COOKIE}=s1"),
        ("authorization", "Bearer t1"),
    ],
)
def test_a_session_has_its_share_and_others_go_on(header: str, value: str) -> None:
    async def attack() -> tuple[Hall, FairShare]:
        hall = Hall()
        front = FairShare(hall, SETTINGS)
        junk = iter(range(MANY))

        def sent() -> dict[str, Any]:
            extra = f"; j={next(junk)}" if header == "cookie" else ""
            return scope("/mallory", header, value + extra)

        await front(scope("/before", header, value), None, None)  # type: ignore[arg-type]
        hall.served.clear()
        calls = [asyncio.create_task(front(sent(), None, None)) for _ in range(MANY)]  # type: ignore[arg-type]
        await asyncio.sleep(0)
        for other in (scope("/bob", "cookie", f"{COOKIE}=s2"), scope("/stranger")):
            async with asyncio.timeout(5):
                await front(other, None, None)  # type: ignore[arg-type]
        assert hall.served == ["/bob", "/stranger"]
        hall.is_open.set()
        await asyncio.gather(*calls)
        return hall, front

    hall, front = asyncio.run(attack())
    assert hall.served.count("/mallory") == MANY
    assert hall.most["/mallory"] == SHARE
    assert front._lines == {}


def test_sessions_and_tokens_of_a_person_share_one_share() -> None:
    async def attack() -> tuple[Hall, int, int]:
        hall = Hall()
        front = FairShare(hall, SETTINGS)
        calls = [
            asyncio.create_task(
                front(scope("/mallory", "cookie", f"{COOKIE}=m{number % 20}"), None, None)  # type: ignore[arg-type]
            )
            for number in range(10 * 20)
        ]
        await asyncio.sleep(0)
        unknown = hall.at_work["/mallory"]  # nobody knows yet whose the sessions are
        hall.most["/mallory"] = 0
        hall.is_open.set()
        while hall.served.count("/mallory") < 20:
            await asyncio.sleep(0)
        hall.is_open.clear()
        for _ in range(100):
            await asyncio.sleep(0)
        known = hall.at_work["/mallory"]
        hall.is_open.set()
        await asyncio.gather(*calls)
        assert front._lines == {}
        return hall, unknown, known

    hall, unknown, known = asyncio.run(attack())
    assert hall.served.count("/mallory") == 200
    assert (unknown, known) == (20, SHARE)


def test_nobody_gets_into_the_line_of_a_person_by_calling_a_session_like_them() -> None:
    async def attack() -> list[str]:
        hall = Hall()
        front = FairShare(hall, SETTINGS)
        await front(scope("/before", "cookie", f"{COOKIE}=s2"), None, None)  # type: ignore[arg-type]
        blocked = [
            asyncio.create_task(front(scope("/mallory", "cookie", f"{COOKIE}=bob"), None, None))  # type: ignore[arg-type]
            for _ in range(MANY)
        ]
        await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await front(scope("/bob", "cookie", f"{COOKIE}=s2"), None, None)  # type: ignore[arg-type]
        hall.is_open.set()
        await asyncio.gather(*blocked)
        return hall.served

    assert asyncio.run(attack())[:2] == ["/before", "/bob"]


def test_only_so_many_sessions_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_share, "_MOST_KNOWN", 5)

    async def visit() -> FairShare:
        front = FairShare(Hall(), SETTINGS)
        for number in range(20):
            await front(scope("/x", "cookie", f"{COOKIE}=m{number}"), None, None)  # type: ignore[arg-type]
            await front(scope("/x", "cookie", f"{COOKIE}=junk{number}"), None, None)  # type: ignore[arg-type]
        return front

    assert list(asyncio.run(visit())._people) == [f"m{number}" for number in range(15, 20)]


def test_strangers_do_not_wait_for_each_other_and_faults_end_a_turn() -> None:
    async def visit() -> tuple[Hall, FairShare]:
        hall = Hall()
        front = FairShare(hall, SETTINGS)
        strangers = [asyncio.create_task(front(scope("/mallory"), None, None)) for _ in range(MANY)]  # type: ignore[arg-type]
        await asyncio.sleep(0)
        hall.is_open.set()
        await asyncio.gather(*strangers)
        failing = scope("/ann", "cookie", f"{COOKIE}=s3", fails=True)
        for _ in range(2 * SHARE):
            with pytest.raises(ValueError, match="a fault of the route"):
                await front(failing, None, None)  # type: ignore[arg-type]
        return hall, front

    hall, front = asyncio.run(visit())
    assert hall.most["/mallory"] == MANY
    assert front._lines == {}


def test_many_passwords_at_once_keep_nobody_else_waiting(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = 8
    hashed = threading.Event()
    monkeypatch.setattr(browser_sessions, "is_password", lambda *_: not hashed.wait(60))

    async def attack() -> tuple[int, set[int]]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = threads
        transport = httpx.ASGITransport(app=hall_app)
        async with httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, headers=OWN, timeout=None
        ) as client:
            forms = [{"login": f"p{number}", "password": "wrong"} for number in range(3 * threads)]
            log_ins = [asyncio.create_task(client.post("/login", data=form)) for form in forms]
            try:
                async with asyncio.timeout(20):
                    other = await client.get("/tasks")
            finally:
                hashed.set()
                answers = await asyncio.gather(*log_ins)
            return other.status_code, {answer.status_code for answer in answers}

    assert asyncio.run(attack()) == (200, {401})


def test_every_route_that_takes_a_password_waits_in_that_line() -> None:
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    taking = {
        route.path: type(route)
        for route in routes
        if "password" in inspect.signature(route.endpoint).parameters
    }
    assert taking == dict.fromkeys(
        ("/login", "/account/password", "/invitation/{secret}", "/tasks/{task}/register"),
        PasswordRoute,
    )
    downloads = {route.path for route in routes if isinstance(route, DownloadRoute)}
    assert downloads == {"/tasks/{task}/data", "/api/tasks/{task}/data"}


def test_strangers_who_ask_for_data_that_takes_long_to_make_keep_nobody_waiting(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_task(hall_app, comprehension_test(tmp_path / "mills.jsonl"))
    threads = 8
    made = threading.Event()
    write = publication.write_data
    monkeypatch.setattr(
        publication, "write_data", lambda *some, **more: (made.wait(60), write(*some, **more))
    )

    async def attack() -> tuple[int, set[int]]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = threads
        transport = httpx.ASGITransport(app=hall_app)
        async with httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, headers=OWN, timeout=None
        ) as client:
            path = "/api/tasks/mills/data"
            downloads = [asyncio.create_task(client.get(path)) for _ in range(3 * threads)]
            try:
                async with asyncio.timeout(20):
                    other = await client.get("/tasks")
            finally:
                made.set()
                answers = await asyncio.gather(*downloads)
            return other.status_code, {answer.status_code for answer in answers}

    assert asyncio.run(attack()) == (200, {200})
