"""Requests under way: each outcome comes back once, whatever became of it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import pytest

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.redaction import Secrets
from readmark.llm.endpoint import Request, Worded
from readmark.llm.in_flight import InFlight, Outcome, Rest
from readmark.llm.replies import Reply, RequestFailure


def worded(at: int) -> Worded:
    return Worded(Request(str(at), ()), "text", {}, b"")


@pytest.mark.parametrize("parallel", [1, 2, 64])
def test_every_outcome_comes_back_once(parallel: int) -> None:
    async def ask(_: Any, one: Worded, rest: Rest) -> Outcome:
        await asyncio.sleep(0.001 * (int(one.request.unit) % 7))
        return Reply(content=one.request.unit)

    running = InFlight(ask, parallel)
    found = []
    try:
        for at in range(300):
            running.start(worded(at))
            while running.count > 2 * parallel:
                found.append(running.next())
        while running.count:
            found.append(running.next())
    finally:
        running.end()
    assert sorted(int(one.request.unit) for one in found) == list(range(300))
    assert all(one.outcome == Reply(content=one.request.unit) for one in found)


def test_what_a_library_raises_is_that_requests_failure() -> None:
    async def ask(_: Any, one: Worded, rest: Rest) -> Outcome:
        if one.request.unit == "1":
            raise KeyError("odd")
        return Reply()

    running = InFlight(ask, 4)
    try:
        for at in range(3):
            running.start(worded(at))
        found = {one.request.unit: one.outcome for one in (running.next() for _ in range(3))}
    finally:
        running.end()
    assert found == {"0": Reply(), "1": RequestFailure("KeyError: 'odd'"), "2": Reply()}


def test_what_libraries_raise_or_log_is_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    async def ask(_: Any, one: Worded, rest: Rest) -> Outcome:
        logging.getLogger("aiohttp.internal").warning("bad cookie %r", "x-secret-key")
        raise KeyError("x" * 280 + "x-secret-key")

    running = InFlight(ask, 1, Secrets("x-secret-key"))
    try:
        running.start(worded(0))
        outcome = running.next().outcome
    finally:
        running.end()
    assert outcome == RequestFailure(f"KeyError: '{'x' * 280}[key]'")
    assert "bad cookie '[key]'" in caplog.text
    logging.getLogger("aiohttp.internal").warning("afterwards x-secret-key")
    assert "afterwards x-secret-key" in caplog.text


def test_what_is_our_own_ends_the_asking() -> None:
    async def ask(_: Any, one: Worded, rest: Rest) -> Outcome:
        if one.request.unit == "0":
            raise DataError("the file is broken")
        return RequestFailure("no credit", fatal=True)

    for at, words in ((0, "the file is broken"), (1, "no credit")):
        running = InFlight(ask, 4)
        try:
            running.start(worded(at))
            with pytest.raises(ReadmarkError, match=words):
                running.next()
        finally:
            running.end()


def test_leaving_off_ends_what_is_under_way() -> None:
    begun, ended = [], []

    async def ask(_: Any, one: Worded, rest: Rest) -> Outcome:
        begun.append(one.request.unit)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append(one.request.unit)
            raise
        return Reply()

    InFlight(ask, 1).end()  # nothing was begun
    running = InFlight(ask, 4)
    for at in range(3):
        running.start(worded(at))
    while len(begun) < 3:
        time.sleep(0.005)
    running.end()
    assert sorted(begun) == sorted(ended) == ["0", "1", "2"]
