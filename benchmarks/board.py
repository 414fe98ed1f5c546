"""How fast a board is answered, and how soon a new one shows.

A board of 100 systems is asked for 500 times a second, page and API in turn, by a client on this
machine that does not wait for answers before it asks again; times count from when a request was
due. Half-way a new version is stored by another process.

Run: python benchmarks/board.py [--db sqlite|postgres|both] [--seconds 30] [--rate 500]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

import aiohttp
from hall import Server, database

from readmark.reporting import (
    SplitMarks,
    Standing,
    StandingColumns,
    StandingMark,
    StandingMetric,
    StandingOrder,
    Standings,
    StandingSlice,
    StandingSplit,
)
from readmark.server.access import Hall
from readmark.server.boards.stored import Board, BoardSubmission, written_board
from readmark.server.start import open_hall
from readmark.server.tables import BoardVersion, ConfigurationVersion, Project

SYSTEMS = 100
MOST_P95 = 100.0
CONFIGURATION = '[project]\nname = "Load"\nwork = "shared_task"\n'
PATHS = ("/tasks/load/board", "/api/tasks/load/board")


def board(version: int) -> Board:
    """A board of 100 systems with two splits, three metrics and five levels."""
    chance = random.Random(1)
    metrics = ("em", "f1", "average")

    def marks() -> dict[str, StandingMark]:
        scores = {metric: chance.uniform(20, 95) for metric in metrics}
        return {
            metric: StandingMark(score=score, low=score - 1.3, high=score + 1.2)
            for metric, score in scores.items()
        }

    def levels() -> dict[str, StandingSlice]:
        return {str(level): StandingSlice(units=600, marks=marks()) for level in range(1, 6)}

    submissions = {
        f"id{number:010}": BoardSubmission(
            number=number + 1,
            team=f"Team {number // 3}",
            system=f"System {number}" if number else f"System of version {version}",
            description="A reader with a long description. " * 4,
            is_ensemble=number % 3 == 0,
            origin="file",
            phase="formal",
            received=1.8e9 + number,
            of_system=1,
        )
        for number in range(SYSTEMS)
    }
    rows = [
        Standing(
            key=id,
            name=entry.system,
            splits={
                split: SplitMarks(units=3000, answered=3000, marks=marks(), by={"level": levels()})
                for split in ("dev", "test")
            },
            ranks=(entry.number, entry.number),
        )
        for id, entry in submissions.items()
    ]
    columns = StandingColumns(
        splits=[
            StandingSplit(name=split, units=3000, is_hidden=split == "test")
            for split in ("dev", "test")
        ],
        metrics=[
            StandingMetric(name=name, scale=100.0, signatures=[f"metric:{name}"])
            for name in metrics
        ],
    )
    order = StandingOrder(split="test", metrics=["average"])
    return Board(
        kind="comprehension",
        standings=Standings(columns=columns, rows=rows, fields=["level"], order=order),
        submissions=submissions,
        alpha=0.05,
        ladder=False,
        smallest_slice=20,
        decided=[],
    )


def store(hall: Hall, version: int) -> None:
    """Store a version of the board, as a worker in another process does."""
    with hall.database.writing() as session:
        project = session.query(Project).filter_by(slug="load").one()
        content = written_board(board(version))
        session.add(BoardVersion(project_id=project.id, number=version, content=content))


def populate(hall: Hall) -> None:
    """A shared task with a board, straight into the tables."""
    with hall.database.writing() as session:
        session.add(project := Project(slug="load"))
        session.flush()
        session.add(ConfigurationVersion(project_id=project.id, version=1, text=CONFIGURATION))
    store(hall, 1)


@dataclass
class Answers:
    """What the client has seen."""

    latencies: list[float] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    newest: float | None = None
    """When the second version was first seen."""
    oldest: float = 0.0
    """When a request was sent that still got the first version."""


async def ask(
    http: aiohttp.ClientSession, address: str, path: str, due: float, seen: Answers
) -> None:
    """One request; its time counts from the moment at which it was due."""
    sent = time.monotonic()
    try:
        async with http.get(address + path) as response:
            body = await response.read()
            if response.status != 200:
                seen.errors[str(response.status)] = seen.errors.get(str(response.status), 0) + 1
                return
    except (aiohttp.ClientError, TimeoutError) as error:
        name = type(error).__name__
        seen.errors[name] = seen.errors.get(name, 0) + 1
        return
    seen.latencies.append((time.monotonic() - due) * 1000)
    seen.sizes[path] = len(body)
    if b"System of version 2" in body:
        seen.newest = min(seen.newest or sent, sent)
    else:
        seen.oldest = max(seen.oldest, sent)


async def measure(server: Server, hall: Hall, seconds: float, rate: float) -> tuple[Answers, float]:
    """Ask at a steady rate; give the answers, and when the second version was stored."""
    server.start()
    while not server.is_up():
        await asyncio.sleep(0.1)
    seen, stored = Answers(), 0.0
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=30)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as http:
        begin = time.monotonic()
        tasks = set()
        for number in range(int(seconds * rate)):
            due = begin + number / rate
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            if not stored and number >= seconds * rate / 2:
                await asyncio.to_thread(store, hall, 2)
                stored = time.monotonic()
            path = PATHS[number % len(PATHS)]
            tasks.add(asyncio.create_task(ask(http, server.address, path, due, seen)))
        await asyncio.gather(*tasks)
    server.kill()
    return seen, stored


def report(kind: str, seconds: float, rate: float) -> bool:
    """Measure one database, print the figures, and say whether they are good enough."""
    with (
        tempfile.TemporaryDirectory(prefix="readmark-board-") as folder,
        database(kind, folder) as url,
    ):
        app = open_hall(url, folder=Path(folder))
        hall: Hall = app.state.hall
        populate(hall)
        load = os.getloadavg()[0]
        server = Server(url, folder)
        seen, stored = asyncio.run(measure(server, hall, seconds, rate))
        hall.database.close()
    cuts, longest = quantiles(seen.latencies, n=100), max(seen.latencies)
    errors = ", ".join(f"{count} {reason}" for reason, count in sorted(seen.errors.items()))
    sizes = ", ".join(f"{path} {size / 1024:.0f} KiB" for path, size in seen.sizes.items())
    shows = "never" if seen.newest is None else f"{max(0.0, seen.newest - stored):.2f} s"
    late = max(0.0, seen.oldest - stored)
    print(
        f"{kind}: {rate:g} requests a second for {seconds:g} s ({sizes}): "
        f"{len(seen.latencies)} answers, p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, "
        f"p99 {cuts[98]:.1f} ms, longest {longest:.0f} ms; errors: {errors or 'none'}; "
        f"a new version shows after {shows}, the last answer with the old one was asked for "
        f"{late:.2f} s after it (processor time of the server: "
        f"{1000 * server.processor / len(seen.latencies):.2f} ms an answer, its start included; "
        f"load before {load:.1f} and after {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    )
    return cuts[94] < MOST_P95 and not seen.errors and seen.newest is not None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--db", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=500.0)
    options = parser.parse_args()
    kinds = ("sqlite", "postgres") if options.db == "both" else (options.db,)
    good = [report(kind, options.seconds, options.rate) for kind in kinds]
    raise SystemExit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
