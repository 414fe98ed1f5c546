"""Bodies of requests: what is large is decoded and checked outside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import urlencode

import pytest
from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field

from halls import add_person, signed_in
from readmark.server import bodies, protection
from readmark.server.bodies import MOST_FAULTS, QUICK_BODY, HallRoute
from readmark.server.limited_body import LimitedBody, UploadParts
from readmark.server.routes import ROUTERS
from served_tasks import Services


class Order(BaseModel):
    """What a test posts."""

    model_config = ConfigDict(extra="forbid")
    lines: list[int] = []
    note: Annotated[str, Field(max_length=1 << 20)] = ""


def with_routes(app: Any) -> Any:
    router = APIRouter(route_class=HallRoute)

    @router.post("/api/orders")
    def order(wanted: Order) -> int:
        return len(wanted.lines)

    @router.post("/api/forms")
    async def form(request: Request) -> list[tuple[str, Any]]:
        return (await request.form()).multi_items()

    app.include_router(router)
    return app


@pytest.fixture
def ann(hall_app: Any) -> Any:
    return signed_in(with_routes(hall_app), add_person(hall_app, "ann"))


def in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def noting(places: list[tuple[str, bool]], name: str, call: Callable[..., Any]) -> Any:
    def noted(*arguments: Any, **options: Any) -> Any:
        places.append((name, in_loop()))
        return call(*arguments, **options)

    return noted


def test_every_route_of_the_hall_decodes_large_bodies_in_a_thread() -> None:
    others = [
        route
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute) and not isinstance(route, HallRoute)
    ]
    assert others == []


def test_json_is_decoded_and_checked_in_a_thread(ann: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    places: list[tuple[str, bool]] = []
    monkeypatch.setattr(bodies, "decode_json", noting(places, "json", bodies.decode_json))
    monkeypatch.setattr(bodies, "_check", noting(places, "check", bodies._check))
    monkeypatch.setattr(protection, "fault_of", noting(places, "fault", protection.fault_of))
    assert ann.post("/api/orders", json={"lines": [1, 2]}).json() == 2
    assert places == [("fault", True), ("json", True)]
    places.clear()
    assert ann.post("/api/orders", json={"lines": [1] * 50_000}).json() == 50_000
    assert places == [("fault", False), ("json", False), ("check", False)]


def test_a_large_body_with_faults_never_reaches_the_checks_in_the_loop(
    ann: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fastapi import routing

    monkeypatch.setattr(routing, "solve_dependencies", None)  # FastAPI checks bodies in there
    few = ann.post("/api/orders", json={"lines": ["x", "y"], "note": " " * QUICK_BODY})
    assert few.status_code == 422
    assert [fault["field"] for fault in few.json()["faults"]] == ["body.lines.0", "body.lines.1"]
    many = ann.post("/api/orders", json={f"key{number}": 1 for number in range(20_000)})
    assert many.status_code == 422
    assert many.json()["faults"] == [{"field": "body", "message": "20,000 members are not valid"}]
    broken = ann.post(
        "/api/orders",
        content='{"note": "' + " " * QUICK_BODY + '",}',
        headers={"content-type": "application/json"},
    )
    assert broken.status_code == 422
    assert broken.json()["faults"][0]["message"] == "JSON decode error"


def test_answers_with_a_million_faults_are_refused_at_the_first(hall_app: Any) -> None:
    services = Services(hall_app)
    answers = {"a": [1] * (20 * MOST_FAULTS)} | {f"b{number}": 1 for number in range(QUICK_BODY)}
    refused = services.post("task.en/submissions", candidate="x", answers=answers)
    assert refused.status_code == 422
    assert refused.json()["detail"] == (
        "The answers are not valid: Expected `object`, got `int` - at `$[...][0]`"
    )


FIELDS = [
    ("name", "a b+c"),
    ("名字", "两千九百 & 50%"),
    ("empty", ""),
    ("name", "again"),
    ("x", "="),
]


def test_a_large_form_is_decoded_in_a_thread_as_a_small_one_is(
    ann: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[tuple[str, bool]] = []
    monkeypatch.setattr(bodies, "parse_qsl", noting(places, "form", bodies.parse_qsl))
    headers = {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}

    def send(*fields: tuple[str, str]) -> Any:
        return ann.post("/api/forms", content=urlencode(fields), headers=headers)

    assert send(*FIELDS).json() == [[*field] for field in FIELDS]
    assert places == []
    long = ("long", "长" * QUICK_BODY)
    assert send(*FIELDS, long).json() == [[*field] for field in (*FIELDS, long)]
    assert places == [("form", False)]
    assert send(*[("x", " " * 30)] * 1001).status_code == 400
    assert send(("x", "x" * (1 << 20) + "x")).status_code == 400


def test_an_upload_is_parsed_in_pieces_with_other_work_in_between() -> None:
    size, sent = 20 * QUICK_BODY + 5, []

    async def receive() -> Any:
        more = not sent
        sent.append(more)
        return {"type": "http.request", "body": b"-" * size if more else b"", "more_body": more}

    async def count_turns(turns: list[int]) -> None:
        while True:
            turns.append(len(turns))
            await asyncio.sleep(0)

    async def read() -> tuple[list[int], list[int]]:
        turns: list[int] = []
        pieces: list[int] = []
        other = asyncio.create_task(count_turns(turns))
        body = LimitedBody(receive, 2 * size, UploadParts(b"edge", size))
        while (message := await body.receive())["more_body"]:
            pieces.append(len(message["body"]))
        other.cancel()
        return pieces, turns

    pieces, turns = asyncio.run(read())
    assert sum(pieces) == size
    assert max(pieces) == QUICK_BODY
    assert len(turns) >= len(pieces) - 1


@pytest.mark.parametrize("depth", [100, 900])
def test_a_nul_is_refused_however_deep_it_is(ann: Any, depth: int) -> None:
    body = '{"a":' * depth + '"\\u0000"' + "}" * depth
    answer = ann.post("/api/orders", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert "NUL" in answer.text
