"""How well a slow endpoint is kept busy, and how fast cached replies come.

    python benchmarks/llm.py [--quick]

A server in a process of its own answers every request after 50 ms. Of the 64 requests that may be
under way, how many were, on average, from the sitting's first moment to its last? Client and server
have a core each where the machine has two. The server's own lateness counts against the client;
what the server saw is told beside it, so that a server without a free core is not overlooked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import selectors
import socket
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from figures import Figure

PARALLEL, DELAY = 64, 0.05
REPLY = json.dumps(
    {
        "model": "slow",
        "choices": [
            {
                "message": {
                    "role": "assistant",
                    "content": '{"answer": "kite", "evidence": "Mina mended the red kite."}',
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 300, "completion_tokens": 20},
    }
).encode()


def serve(ready: Any, core: int | None) -> None:
    """The endpoint: aiohttp's own server, one process."""
    from aiohttp import web

    if core is not None:
        os.sched_setaffinity(0, {core})
    seen = {"asked": 0, "held": 0.0}

    async def reply(request: web.Request) -> web.Response:
        began = time.perf_counter()
        await request.read()
        await asyncio.sleep(DELAY)
        seen["asked"] += 1
        seen["held"] += time.perf_counter() - began
        return web.Response(body=REPLY, content_type="application/json")

    async def report(request: web.Request) -> web.Response:
        return web.json_response({**seen, "own": time.process_time()})

    async def main() -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", reply)
        app.router.add_get("/v1/seen", report)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        listening = socket.create_server(("127.0.0.1", 0), backlog=256)
        await web.SockSite(runner, listening).start()
        ready.send(listening.getsockname()[1])
        await asyncio.Event().wait()

    # epoll counts in whole milliseconds, and 50 ms would be 51: select does not.
    def loop() -> asyncio.AbstractEventLoop:
        return asyncio.SelectorEventLoop(selectors.SelectSelector())

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.run(main())


def make_test(path: Path, units: int) -> None:
    """Passages of five questions."""
    text = "Mina mended the red kite. Her brother Tom flew it on Sunday. " * 8
    with path.open("w", encoding="utf-8") as file:
        file.write('{"readmark": 1, "kind": "comprehension", "language": "en"}\n')
        for at in range(units // 5):
            questions = [
                {"id": f"{at}-{one}", "text": f"What did Mina mend on day {one}?"}
                for one in range(5)
            ]
            record = {"id": str(at), "text": f"{at}. {text}", "questions": questions}
            file.write(json.dumps(record) + "\n")


def sat(test: Path, url: str, out: Path, cache: Path) -> tuple[float, float]:
    """Wall and processor seconds of one sitting through the runner, journal included."""
    from readmark.core.traffic import Traffic
    from readmark.formats.inputs import load
    from readmark.sitting.runner import sit

    paper = load(test)
    _ = paper.facts  # read before the clock starts
    wall, own = time.perf_counter(), time.process_time()
    sit(
        paper,
        f'llm(model=slow,base_url="{url}")',
        out,
        traffic=Traffic(parallel=PARALLEL, cache=str(cache)),
    )
    return time.perf_counter() - wall, time.process_time() - own


def measure(*, quick: bool = False) -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    cores = sorted(os.sched_getaffinity(0))
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(
        target=serve, args=(there, cores[-1]), daemon=True
    )
    server.start()
    url = f"http://127.0.0.1:{here.recv()}/v1"
    units = 4000 if quick else 20000
    try:
        os.sched_setaffinity(0, {cores[0]})
        with tempfile.TemporaryDirectory() as folder:
            return _measured(Path(folder), url, units)
    finally:
        os.sched_setaffinity(0, cores)
        server.terminate()


def seen_at(url: str) -> dict[str, float]:
    """What the server has had in its hands so far."""
    with urllib.request.urlopen(f"{url}/seen") as reply:
        told: dict[str, float] = json.load(reply)
        return told


def _measured(base: Path, url: str, units: int) -> list[Figure]:
    make_test(base / "test.jsonl", units)
    make_test(base / "warm.jsonl", 500)
    sat(base / "warm.jsonl", url, base / "w.jsonl", base / "w.sqlite")
    before = seen_at(url)
    wall, own = sat(base / "test.jsonl", url, base / "a.jsonl", base / "c.sqlite")
    seen = {name: value - before[name] for name, value in seen_at(url).items()}
    busy = units * DELAY / wall / PARALLEL
    print(
        f"{units} requests of {DELAY * 1000:g} ms, {PARALLEL} at a time: {wall:.1f} s, "
        f"{own / units * 1000:.2f} ms of processor each"
    )
    print(
        f"the server: {seen['held'] / wall:.1f} in its hands, "
        f"{(seen['held'] / seen['asked'] - DELAY) * 1000:.1f} ms late, "
        f"{seen['own'] / seen['asked'] * 1000:.2f} ms of processor each"
    )
    cached, own = sat(base / "test.jsonl", url, base / "b.jsonl", base / "c.sqlite")
    print(f"from the cache: {units / own:,.0f} units a processor second")
    return [
        Figure("requests under way, of those allowed", 100 * busy, "%", least=90),
        Figure("cached replies", units / cached, "units a second", least=5000),
    ]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer requests")
    for one in measure(quick=parser.parse_args().quick):
        print(one)


if __name__ == "__main__":
    main()
