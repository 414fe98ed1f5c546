"""`llm` against an endpoint that misbehaves, is busy, or takes other parameters."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from llm_endpoint import (
    Answer,
    Body,
    Endpoint,
    Misdeed,
    Says,
    completion,
    first_words,
    in_turn,
    passage_of,
)
from llm_papers import BUNDLE, says, sit_paper
from readmark.sitting.runner import sit

pytestmark = pytest.mark.server

MISDEEDS = {
    "429": Misdeed(429, b'{"error": {"message": "slow down"}}'),
    "500": Misdeed(500, b"oops"),
    "html": Misdeed(200, b"<html>hello</html>"),
    "invalid json": Misdeed(200, b'{"choices": [{"mess'),
    "no message": Misdeed(200, b'{"choices": []}'),
    "cut": Misdeed(200, completion("x" * 500, {"messages": []}), cut=True),
    "encoding": Misdeed(200, b'{"choices": "\xff\xfe"}'),
    "hangs": Misdeed(200, b"{}", wait=0.6),
    "slow": Misdeed(200, completion("x", {"messages": []}), slow=0.05),
}


class TimeoutsAtWill:
    """Timeouts that run out when the test says so: on a busy machine a good reply may take long."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._latest: asyncio.Timeout | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

        def never(_: float | None) -> asyncio.Timeout:
            self._loop = asyncio.get_running_loop()
            self._latest = asyncio.timeout(None)
            return self._latest

        # Only for that module: the HTTP client has timeouts of its own.
        module = SimpleNamespace(**{**vars(asyncio), "timeout": never})
        monkeypatch.setattr("readmark.llm.exchange.asyncio", module)

    def run_out(self) -> None:
        """The time of the request that was sent last is over; called by the server's thread."""
        assert self._latest is not None
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._latest.reschedule, 0.0)


@pytest.mark.parametrize("name", MISDEEDS)
def test_misdeeds_of_the_wire_are_tried_again(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Once wrong, then right: every unit is answered; always wrong: every unit is an error row."""
    timeouts = TimeoutsAtWill(monkeypatch)
    good, misdeed = says("Tom"), MISDEEDS[name]
    if name in ("hangs", "slow"):
        misdeed = replace(misdeed, begun=timeouts.run_out)
    with Endpoint(in_turn(misdeed, good)) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "a.jsonl", parallel=1)
        assert [row.error for row in rows.values()] == [None] * 3
        assert sum(row.usage.get("attempts", 1) for row in rows.values()) == 4
    with Endpoint(in_turn(*[misdeed] * 9, good)) as endpoint:
        out = tmp_path / "b.jsonl"
        rows = sit_paper(paper, endpoint, out, parallel=1)
        assert all("(3 attempts)" in row.error for row in rows.values())
        assert len(endpoint.asked) == 9
        rows = sit_paper(paper, endpoint, out, parallel=1)
        assert [row.error for row in rows.values()] == [None] * 3


def test_a_server_that_always_says_later_is_left(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readmark.llm.attempts._LONGEST_PAUSE", 20.0)
    later = Misdeed(429, b"later", {"Retry-After": "0"})
    with Endpoint(lambda body: later) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "a.jsonl", parallel=1)
        assert all("HTTP 429: 'later'; asked to wait" in row.error for row in rows.values())
        assert len(endpoint.asked) == 3 * 5


@pytest.mark.slow
def test_a_strict_server_is_sat_to_the_end(tmp_path: Path) -> None:
    """Ten requests in each half second, and true words about when the next may come."""
    window = [0.0, 0]
    lock = threading.Lock()

    def reply(body: Body) -> Answer:
        with lock:
            now = time.monotonic()
            if now - window[0] > 0.5:
                window[:] = [now, 0]
            window[1] += 1
            if window[1] > 10:
                wait = str(window[0] + 0.5 - now)
                return Misdeed(429, b"slow down", {"Retry-After": wait})
        return first_words(body)

    with Endpoint(reply) as endpoint:
        rows = sit_paper(
            BUNDLE / "reading.en.jsonl", endpoint, tmp_path / "s.jsonl", parallel=64, attempts=2
        )
    assert [row.error for row in rows.values()] == [None] * 80


@pytest.mark.parametrize(
    "misdeed",
    [
        Misdeed(400, b'{"error": {"message": "Input may contain inappropriate information."}}'),
        Misdeed(400, b'{"error": {"message": "max_tokens or max_completion_tokens too large"}}'),
        Misdeed(403, b'{"error": {"message": "your input was flagged"}}'),
        Says('{"answer": "\u0130"}'),
        Says('{"answer": "half \\ud83d"}'),
    ],
)
def test_one_odd_unit_is_one_row(tmp_path: Path, misdeed: Answer) -> None:
    """And none of the others is asked otherwise than before."""

    def reply(body: Body) -> Answer:
        return misdeed if "odd one" in passage_of(body) else says("A")

    path = tmp_path / "t.jsonl"
    header = {"readmark": 1, "kind": "comprehension", "language": "en"}
    records = [
        {
            "id": f"p{at}",
            "text": "This is the odd one." if at == 3 else f"This is number {at}.",
            "questions": [{"id": f"q{at}", "text": "Which?", "options": ["this", "that"]}],
        }
        for at in range(12)
    ]
    path.write_text("\n".join(map(json.dumps, (header, *records))), "utf-8")
    with Endpoint(reply) as endpoint:
        rows = sit_paper(path, endpoint, tmp_path / "s.jsonl", parallel=1)
        others = [row for id, row in rows.items() if id != "q3"]
        assert [row.text for row in others] == ["this"] * 11
        assert {row.evidence["shape"] for row in others} == {"schema"}
        assert all("max_tokens" in one for one in endpoint.asked)


def test_a_huge_reply_is_left_off(paper: Path, tmp_path: Path) -> None:
    huge = Misdeed(200, b" " * (9 * 1024 * 1024))
    with Endpoint(lambda body: huge) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "a.jsonl")
    assert {row.error for row in rows.values()} == {"the reply is longer than 8 MB"}


@pytest.mark.parametrize(
    "content", ["{" * 3_000_000, '{"answer":' * 300_000, "x" * 2_000_000, says("Tom") * 100_000]
)
def test_a_reply_of_millions_of_braces_is_refused(
    paper: Path, tmp_path: Path, content: str
) -> None:
    """It is an empty answer with a reason; the journal keeps how it began."""
    with Endpoint(lambda body: content) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "a.jsonl")
    for row in rows.values():
        assert (row.text, row.error, row.no_answer_reason) == ("", None, "unreadable")
        assert row.evidence["said"] == content[:200]


@pytest.mark.parametrize("body", [b"{" * 4_000_000, b'{"choices":' + b"[" * 4_000_000])
def test_a_body_of_millions_of_braces_is_an_error(paper: Path, tmp_path: Path, body: bytes) -> None:
    with Endpoint(lambda _: Misdeed(200, body)) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "a.jsonl", attempts=1)
    assert all(row.error.startswith("the reply is not JSON: ") for row in rows.values())
    assert all(len(row.error) < 200 for row in rows.values())


def test_retry_after_is_honoured(paper: Path, tmp_path: Path) -> None:
    times: list[float] = []

    def reply(body: Body) -> Answer:
        times.append(time.monotonic())
        return Misdeed(429, b"", {"Retry-After": "0.4"}) if len(times) == 1 else says("Tom")

    with Endpoint(reply) as endpoint:
        sit_paper(paper, endpoint, tmp_path / "a.jsonl", parallel=1)
    assert times[1] - times[0] >= 0.4


def test_repeats_are_asked_apart(paper: Path, tmp_path: Path) -> None:
    with Endpoint(first_words) as endpoint:
        name = f'llm(model=m,base_url="{endpoint.url}")'
        sit(str(paper), name, str(tmp_path / "s.jsonl"), repeats=2)
        assert len(endpoint.asked) == 6


def test_no_more_are_under_way_than_allowed(tmp_path: Path) -> None:
    with Endpoint(first_words, delay=0.03) as endpoint:
        sit_paper(BUNDLE / "reading.en.jsonl", endpoint, tmp_path / "s.jsonl", parallel=5)
        assert endpoint.most_at_once == 5
        assert len(endpoint.asked) == 80
