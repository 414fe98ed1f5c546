"""One person's requests wait for each other, and nobody else's for them."""

from __future__ import annotations

import asyncio
import inspect
import threading
from typing import Any

import anyio.to_thread
import httpx
import pytest
from fastapi.routing import APIRoute

from halls import ADDRESS, OWN
from readmark.server import accounts
from readmark.server.access import COOKIE
from readmark.server.fair_share import SHARE, FairShare, PasswordRoute
from readmark.server.routes import ROUTERS
from readmark.server.settings import HallSettings

SETTINGS = HallSettings(url="", secret=b"")
MANY = 60


class Hall:
    """An application whose requests take until they are let go."""

    def __init__(self) -> None:
        self.is_open = asyncio.Event()
        self.served: list[str] = []
        self.at_work: dict[str, int] = {}
        self.most: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        who = scope["path"]
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
    monkeypatch.setattr(accounts, "_is_password", lambda *_: not hashed.wait(60))

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
