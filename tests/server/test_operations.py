"""Running a hall: readiness, metrics, logs, chores, retention, quotas, and several processes."""

from __future__ import annotations

import io
import json
import logging
import os
import platform
import queue
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import func, select

from command_line import in_process
from halls import ADDRESS, add_person, client_of, hall_in, signed_in
from readmark.core.errors import DataError, UsageError
from readmark.server.access import Hall
from readmark.server.accounts import add_owner
from readmark.server.api_tokens import create_token
from readmark.server.app import create_app
from readmark.server.database import Database
from readmark.server.days import DAY
from readmark.server.operations import chores
from readmark.server.operations.chores import keep_house, lead
from readmark.server.operations.logs import JsonLines
from readmark.server.operations.quotas import require_space, stored_bytes
from readmark.server.operations.retention import prune
from readmark.server.serve_options import Running
from readmark.server.settings import HallSettings, Retention, read_rules
from readmark.server.start import application, open_hall
from readmark.server.tables import (
    ApiToken,
    ClockCheck,
    Invitation,
    Job,
    LoginAttempt,
    LoginSession,
    Person,
    Project,
    WorkerHeartbeat,
)
from readmark.server.throttle import MOST_BY_LOGIN
from stored_halls import CONFIGURATION, COOKIE, FIRST, SECRET, fill_hall, hashed, rows_of

Run = Callable[..., subprocess.CompletedProcess[str]]
CANARIES = ("mill", "olga", "安静的鹭", "红队", "quiet-heron", "bow", "no answer", "aa-about")
"""Names, ids and texts of the filled hall."""


@pytest.fixture
def full_app(tmp_path: Path) -> Iterator[Any]:
    """A hall with rows in every table."""
    fill_hall(Database(f"sqlite:///{tmp_path}/hall.db"), tmp_path)
    app = open_hall(f"sqlite:///{tmp_path}/hall.db")
    yield app
    app.state.hall.database.close()


def nearby(app: Any, **options: Any) -> TestClient:
    """A program on the hall's machine."""
    return TestClient(app, base_url=ADDRESS, client=("127.0.0.1", 5), **options)


def scrape(client: Any, path: str = "/metrics") -> dict[tuple[str, ...], float]:
    """The samples by name and the values of their labels."""
    answer = client.get(path)
    assert answer.status_code == 200
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


# Health and readiness.


def test_a_hall_is_ready_when_its_jobs_have_a_worker(hall_app: Any) -> None:
    client, database = client_of(hall_app), hall_in(hall_app).database
    assert client.get("/health").json() == {"status": "ok"}
    checks = {"ready": True, "database": "ok", "schema": "ok", "disk": "ok"}
    assert client.get("/ready").json() == {**checks, "worker": "none needed"}
    with database.writing() as session:
        session.add(Job(kind="mark", subject="x"))
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert answer.json() == {**checks, "ready": False, "worker": "missing"}
    with database.writing() as session:
        session.add(WorkerHeartbeat(name="w", started=0.0, seen=time.time() - 20))
        session.add(WorkerHeartbeat(name="old", started=0.0, seen=time.time() - 120))
    assert client.get("/ready").json() == {**checks, "worker": "ok"}
    assert scrape(nearby(hall_app))[("readmark_workers",)] == 1


@pytest.mark.postgres
def test_without_its_database_a_hall_lives_and_is_not_ready(hall_app: Any) -> None:
    away = Database("postgresql+psycopg://nobody@127.0.0.1:1/none")
    hall_app.state.hall = Hall(hall_in(hall_app).settings, away)
    client = client_of(hall_app)
    assert client.get("/health").status_code == 200
    answer = client.get("/ready")
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"
    assert scrape(nearby(hall_app))[("readmark_database_up",)] == 0


# Metrics.


def test_metrics_count_requests_by_route_and_what_the_database_has(full_app: Any) -> None:
    client, program = client_of(full_app), nearby(full_app)
    client.cookies.set("readmark_session", COOKIE)
    before = scrape(program)
    for _ in range(3):
        assert client.get("/projects/mill").status_code == 200
    client.get("/projects/none")
    client.get("/no/such/page")
    client.request("BREW", "/no/such/page")
    after = scrape(program)

    def grown(*name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    route = "/projects/{project}"
    assert grown("readmark_requests_total", "GET", route, "200") == 3
    assert grown("readmark_requests_total", "GET", route, "404") == 1
    assert grown("readmark_requests_total", "GET", "none", "404") == 1
    assert grown("readmark_requests_total", "other", "none", "404") == 1
    assert grown("readmark_request_seconds_count", "GET", route) == 4
    assert grown("readmark_request_seconds_bucket", "+Inf", "GET", route) == 4
    assert after[("readmark_jobs", "mark", "failed")] == 1
    assert after[("readmark_submissions", "marked")] == 1
    assert after[("readmark_submissions", "failed")] == 1
    assert after[("readmark_jobs_oldest_waiting_seconds",)] == 0
    assert after[("readmark_erasures_overdue",)] == 0
    process = str(os.getpid())
    assert after[("readmark_process_resident_bytes", process)] > 1 << 20
    assert after[("readmark_process_cpu_seconds_total", process)] > 0
    with hall_in(full_app).database.writing() as session:
        session.add(Job(kind="board", subject="project", created=time.time() - 100))
    waited = scrape(program)[("readmark_jobs_oldest_waiting_seconds",)]
    assert 100 <= waited < 200


def test_metrics_and_readiness_name_nothing_of_the_hall(full_app: Any) -> None:
    program = nearby(full_app)
    for path in ("/projects/mill?name=olga", "/olga", "/assignments/aa-about"):
        program.get(path)
    for path in ("/metrics", "/ready", "/health"):
        text = program.get(path).text
        assert [canary for canary in CANARIES if canary in text] == []


@pytest.mark.parametrize(
    ("client", "headers", "passes"),
    [
        ("127.0.0.1", {}, True),
        ("::ffff:127.0.0.1", {}, True),  # a socket for both versions
        ("::ffff:10.1.2.3", {"host": "hall.example"}, True),
        ("::ffff:192.0.2.7", {}, False),
        ("::1", {"host": "[::1]:8000"}, True),
        ("127.0.0.1", {"host": "hall.example"}, False),  # a proxy on this machine
        ("127.0.0.1", {"x-forwarded-for": "192.0.2.7"}, False),
        ("127.0.0.1", {"forwarded": "for=192.0.2.7"}, False),
        ("192.0.2.7", {}, False),
        ("10.1.2.3", {"host": "hall.example"}, True),  # in a network that is named
        ("10.1.2.3", {"via": "1.1 proxy"}, False),
        ("10.2.0.1", {}, False),
    ],
)
def test_metrics_are_for_this_machine_and_named_networks(
    hall_app: Any, client: str, headers: dict[str, str], passes: bool
) -> None:
    hall = hall_in(hall_app)
    hosts = (*HallSettings.hosts, "hall.example")
    settings = replace(hall.settings, metrics_from=("10.1.0.0/16",), hosts=hosts)
    app = create_app(settings, hall.database)
    asking = TestClient(app, base_url=ADDRESS, client=(client, 5), follow_redirects=False)
    assert asking.get("/metrics", headers=headers).status_code == (200 if passes else 303)


@pytest.mark.parametrize(("networks", "status"), [((), 303), (("127.0.0.1",), 200)])
def test_behind_a_proxy_that_names_nobody_metrics_are_not_public(
    hall_app: Any, networks: tuple[str, ...], status: int
) -> None:
    """It asks from this machine, by the hall's own address, and says no more of whom it asks for:
    so does a program on this machine, which must be named then."""
    hall = hall_in(hall_app)
    settings = replace(hall.settings, origin="https://hall.example.org", metrics_from=networks)
    asking = TestClient(
        create_app(settings, hall.database),
        base_url=ADDRESS,
        client=("127.0.0.1", 5),
        follow_redirects=False,
    )
    assert asking.get("/metrics").status_code == status
    assert asking.get("/metrics", headers={"x-forwarded-for": "192.0.2.7"}).status_code == 303


@pytest.mark.parametrize(
    ("is_owner", "scope", "status"),
    [(True, "metrics", 200), (True, "read", 403), (False, "metrics", 404)],
)
def test_an_owner_s_token_reads_metrics(
    hall_app: Any, is_owner: bool, scope: str, status: int
) -> None:
    hall = hall_in(hall_app)
    person = add_person(hall_app, "ada", is_owner=is_owner)
    with hall.database.writing() as session:
        _, secret = create_token(session, hall, person, name="p", scopes=[scope], days=1)  # type: ignore[list-item]
    client = client_of(hall_app)
    answer = client.get("/metrics", headers={"authorization": f"Bearer {secret}"})
    assert answer.status_code == status


def test_a_network_that_is_none_is_refused() -> None:
    Running(metrics_from=("10.0.0.0/8", "192.0.2.7")).check()
    with pytest.raises(UsageError, match="--metrics-from ten: expected an address"):
        Running(metrics_from=("ten",)).check()


# Logs.


@contextmanager
def logged() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """What the hall logs as JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("readmark")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


def test_a_request_is_one_line_with_the_id_that_the_client_gets(full_app: Any) -> None:
    client = client_of(full_app)
    client.cookies.set("readmark_session", COOKIE)
    with logged() as lines:
        sent = {"login": "canary-login", "password": "canary-password"}
        headers = {"authorization": "Bearer canary-token", "x-request-id": "canary-id"}
        answers = [
            client.get("/assignments/own?canary-query=1"),
            client.post("/login", data=sent, headers={"user-agent": "canary-agent"}),
            client.get("/api/me", headers=headers),
            client.get("/canary-path"),
            client.get("/health", headers={"host": "canary.example"}),
        ]
        entries = lines()
    expected = [
        ("GET", "/assignments/{assignment}", 200),
        ("POST", "/login", 401),
        ("GET", "/api/me", 401),
        ("GET", "none", 404),
        ("GET", "none", 400),
    ]
    assert [(entry["method"], entry["route"], entry["status"]) for entry in entries] == expected
    for entry, answer in zip(entries, answers, strict=True):
        assert entry.keys() == {
            "time",
            "level",
            "event",
            "method",
            "route",
            "status",
            "ms",
            "request",
            "worker",
        }
        assert entry["request"] == answer.headers["x-request-id"]
        assert (entry["event"], entry["level"]) == ("request", "info")
        assert entry["worker"] == f"{platform.node()}:{os.getpid()}"
    assert "canary" not in json.dumps(entries)


def test_addresses_are_logged_only_when_asked_for(hall_app: Any) -> None:
    hall = hall_in(hall_app)
    app = create_app(replace(hall.settings, logs_addresses=True), hall.database)
    with logged() as lines:
        nearby(hall_app).get("/health")
        nearby(app).get("/health")
        assert [entry.get("client") for entry in lines()] == [None, "127.0.0.1"]


def test_an_exception_is_logged_without_its_message() -> None:
    try:
        raise ValueError("canary")
    except ValueError:
        record = logging.LogRecord(
            "asyncio", logging.ERROR, "", 1, "Task failed: canary", None, sys.exc_info()
        )
    entry = json.loads(JsonLines().format(record))
    assert (entry["event"], entry["error"]) == ("asyncio", "ValueError")
    assert "test_an_exception_is_logged" in entry["places"][0]
    assert "canary" not in json.dumps(entry)


# Chores.


def test_one_of_several_processes_does_the_chores(database_url: str, tmp_path: Path) -> None:
    first, second = (open_hall(database_url, folder=tmp_path).state.hall for _ in range(2))
    stop = threading.Event()
    with lead(first.database) as leads:
        assert leads()
        with lead(second.database) as other:
            assert not other()
        with second.database.writing() as session:
            person = Person(login="x", name="X", password="!")
            session.add(person)
            session.flush()
            session.add(LoginSession(secret="s", person_id=person.id, expires=1.0))
        thread = keep_house(second, stop)
        thread.join(0.5)
        assert len(rows_of(first.database)["sessions"]) == 1  # left to the other one
        stop.set()
        thread.join()
    stop.clear()
    thread = keep_house(second, stop)
    while rows_of(first.database)["sessions"]:
        assert thread.is_alive()
        time.sleep(0.02)
    stop.set()
    thread.join()
    with lead(first.database) as leads:
        assert leads()
    for hall in (first, second):
        hall.database.close()


@pytest.mark.postgres
def test_chores_go_on_when_the_database_was_restarted(
    postgres: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"hall_{secrets.token_hex(6)}"
    postgres.psql(f"CREATE DATABASE {name};")
    url = str(postgres.get_uri(name)).replace("postgresql://", "postgresql+psycopg://")
    hall = open_hall(url, folder=tmp_path).state.hall
    rounds: queue.SimpleQueue[int] = queue.SimpleQueue()
    monkeypatch.setattr(chores, "ROUND", 0.02)
    monkeypatch.setattr(chores, "_do", lambda _: rounds.put(1))
    stop = threading.Event()
    thread = keep_house(hall, stop)
    rounds.get(timeout=30)
    postgres.psql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE datname = '{name}' AND pid <> pg_backend_pid();"
    )
    while not rounds.empty():
        rounds.get()
    for _ in range(5):
        rounds.get(timeout=30)
    assert thread.is_alive()
    stop.set()
    thread.join()
    hall.database.close()


# Retention and quotas.


def test_only_what_has_expired_is_deleted(database_url: str, tmp_path: Path) -> None:
    database, now = Database(database_url), time.time()
    fill_hall(database, tmp_path)
    with database.writing() as session:
        for days in (0.5, 20, 40):  # since it has expired
            then, name = now - days * DAY, f"expired-{days}"
            session.add(LoginSession(secret=name, person_id="owner", expires=then))
            invited = {"role": "novice", "project_id": "project"}
            session.add(Invitation(secret=name, expires=then, **invited))
            session.add(
                Invitation(secret=f"accepted-{days}", expires=then, accepted_by="owner", **invited)
            )
            token = {"person_id": "owner", "name": "t", "scopes": "read"}
            session.add(ApiToken(secret=name, expires=then, **token))
            session.add(ApiToken(secret=f"r-{days}", expires=now + DAY, revoked=then, **token))
            session.add(LoginAttempt(who=name, time=then))
            session.add(Job(kind="mark", subject=name[:16], state="done", finished=then))
            session.add(Job(kind="mark", subject=f"w{days}", created=then))
    before = {name: len(rows) for name, rows in rows_of(database).items()}
    # The filled hall has an attempt and a job of 2023; its worker's sign of life is as old.
    default = {
        "sessions": 3,
        "invitations": 1,
        "tokens": 2,
        "login_attempts": 3,
        "jobs": 2,
        "workers": 1,
    }
    dry = prune(database, Retention(), dry_run=True, now=now)
    assert dry.counts == default
    assert {name: len(rows) for name, rows in rows_of(database).items()} == before
    assert prune(database, Retention(), now=now).counts == default
    after = {name: len(rows) for name, rows in rows_of(database).items()}
    assert {name: before[name] - after[name] for name in default} == default
    assert all(after[name] == before[name] for name in before.keys() - default.keys())
    assert set(prune(database, Retention(), now=now).counts.values()) == {0}

    owners = Retention(failed_submissions=30, boards=30, audit=30)
    assert {
        name: count for name, count in prune(database, owners, now=now).counts.items() if count
    } == {
        "failed_submissions": 1,
        "failed_answers": 1,
        "boards": 1,
        "audit": 1,
    }
    assert [row[2] for row in rows_of(database)["board_versions"]] == [2]
    assert len(rows_of(database)["submissions"]) == 2
    kept = Retention(**dict.fromkeys(Retention.__struct_fields__))
    assert prune(database, kept, now=now + 1000 * DAY).counts == {}
    database.close()


def look_at_the_clock(app: Any, then: float) -> None:
    """The hall has looked at its clock, and what it was."""
    with hall_in(app).database.writing() as session:
        session.merge(ClockCheck(id=1, seen=then, doubted_since=None))


def test_prune_and_the_settings_file(readmark_cli: Run, full_app: Any, tmp_path: Path) -> None:
    look_at_the_clock(full_app, time.time())
    (tmp_path / "hall.toml").write_text("[retention]\nboards = 30\n", "utf-8")
    prunes = ("hall", "prune", "--db", "sqlite:///hall.db")
    dry = readmark_cli(*prunes, "--settings", "hall.toml", "--dry-run", "--json", cwd=tmp_path)
    counts = json.loads(dry.stdout)
    assert counts["dry_run"] is True
    assert {name: count for name, count in counts["deleted"].items() if count} == {
        "login_attempts": 1,
        "jobs": 1,
        "workers": 1,
        "boards": 1,
    }
    done = readmark_cli(*prunes, cwd=tmp_path)
    assert (
        done.stdout
        == "login_attempts: 1 row deleted\njobs: 1 row deleted\nworkers: 1 row deleted\n"
    )
    assert readmark_cli(*prunes, cwd=tmp_path).stdout == "Nothing has expired.\n"


def test_prune_deletes_nothing_by_a_clock_that_has_jumped(
    full_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    look_at_the_clock(full_app, time.time() - 20 * DAY)
    database = hall_in(full_app).database
    before = {name: len(rows) for name, rows in rows_of(database).items()}
    prunes = ("hall", "prune", "--db", "sqlite:///hall.db")
    for _ in range(2):
        done = in_process(*prunes)
        assert done.returncode == 1
        assert "the clock is more than a day later than when the hall last looked" in done.stderr
    assert {name: len(rows) for name, rows in rows_of(database).items()} == before
    assert in_process(*prunes, "--dry-run").returncode == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[limits]\nuploads = 3\n", "object contains unknown field uploads - at $.limits"),
        ("[limits]\nupload_mb = 0\n", "expected int >= 1 - at $.limits.upload_mb"),
        ("[retention]\nboards = -1\n", "expected int >= 0 - at $.retention.boards"),
        ("[retention\n", "not valid TOML"),
    ],
)
def test_a_settings_file_with_a_fault_is_one_line(tmp_path: Path, text: str, line: str) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(DataError) as error:
        read_rules(file)
    assert str(error.value).startswith(str(file))
    assert line in str(error.value)


def test_a_project_takes_no_more_than_its_quota(full_app: Any, tmp_path: Path) -> None:
    hall = hall_in(full_app)
    with hall.database.reading() as session:
        project = session.get_one(Project, "project")
        stored = stored_bytes(session, "project")
        [item] = [row for row in FIRST["items"] if row["name"] == "p1" and "about_id" not in row]
        # The other item has "{}" and "null", the files 256 and 3 bytes.
        assert stored == len(item["paper"]) + len(item["key"]) + 6 + 256 + 3
        limited = replace(hall.settings, largest_project=stored + 100)
        require_space(session, limited, project, 100, None)
        with pytest.raises(DataError, match=r"there is no room for 0\.0 MB more"):
            require_space(session, limited, project, 101)
    app = create_app(replace(hall.settings, largest_project=1 << 20), hall.database)
    client = signed_in(app, "owner")
    test = json.dumps({"readmark": 1, "kind": "comprehension", "language": "en"}) + "\n"
    record = json.dumps({"id": "p2", "text": "x" * (1 << 20), "questions": []}) + "\n"
    for path in ("/api/projects/mill/items", "/projects/mill/items"):
        name = "test"
        answer = client.post(path, files={name: ("t.jsonl", test + record)})
        assert answer.status_code == 422
        assert "the project may store 1 MB" in answer.text
    small = test + record.replace("x" * (1 << 20), "A short text.")
    added = client.post("/api/projects/mill/items", files={"test": ("t.jsonl", small)})
    assert added.status_code == 201, added.text
    with hall.database.reading() as session:
        assert stored_bytes(session, "project") > stored


# An owner without a browser.


def test_an_owner_is_created_where_no_browser_is(readmark_cli: Run, tmp_path: Path) -> None:
    creates = ("hall", "owner", "--login", "ada", "--name", "Ada")
    short = readmark_cli(*creates, stdin="short\n", cwd=tmp_path)
    assert (short.returncode, short.stderr.count("\n")) == (2, 1)
    assert "at least 10 characters" in short.stderr
    done = readmark_cli(*creates, stdin="a long password\n", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "ada: an owner of the hall\n")
    again = readmark_cli(*creates, stdin="a long password\n", cwd=tmp_path)
    assert again.returncode == 2
    app = open_hall(f"sqlite:///{tmp_path}/readmark.db")
    client = client_of(app)
    entered = client.post("/login", data={"login": "ada", "password": "a long password"})
    assert entered.status_code == 303
    assert client.get("/api/me").json()["is_owner"] is True
    app.state.hall.database.close()


# Several processes.


def test_two_halls_on_one_file_lose_nothing(tmp_path: Path) -> None:
    """SQLite with several processes is slow, and correct: one writes, the others wait."""
    halls = [open_hall(f"sqlite:///{tmp_path}/hall.db").state.hall for _ in range(2)]

    def write(hall: Hall, number: int) -> None:
        for count in range(25):
            with hall.database.writing() as session:
                session.add(Person(login=f"{number}-{count}", name="X", password="!"))

    writers = [
        threading.Thread(target=write, args=(hall, number)) for number, hall in enumerate(halls * 2)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with halls[0].database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Person)) == 100
    for hall in halls:
        hall.database.close()


class Workers:
    """A hall behind uvicorn with two processes, and its log."""

    def __init__(self, url: str, folder: Path) -> None:
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        self.address = f"http://127.0.0.1:{port}"
        (folder / "metrics").mkdir()
        self._log = folder / "log"
        settings = {
            "READMARK_DB": url,
            "READMARK_SECRET_FILE": str(folder / "readmark.secret"),
            "READMARK_LOG_FORMAT": "json",
            "READMARK_LOG_LEVEL": "info",
            "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
        }
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "uvicorn", "--factory"),
                    *("readmark.server.start:application", "--workers", "2", "--port", str(port)),
                ],
                env={**os.environ, **settings},
                stderr=log,
                stdout=log,
            )

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A request on a connection of its own, which either process may take."""
        headers = {"origin": self.address, **options.pop("headers", {})}
        return httpx.request(method, self.address + path, headers=headers, **options)

    def entries(self) -> list[dict[str, Any]]:
        lines = self._log.read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def until_ready(self) -> None:
        while True:
            assert self.process.poll() is None, self._log.read_text("utf-8")
            try:
                if self.ask("GET", "/ready").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)

    def everywhere(self, method: str, path: str, **options: Any) -> set[tuple[int, str]]:
        """What both processes answer: status and text."""
        answers, seen = set(), set()
        for _ in range(200):
            answer = self.ask(method, path, **options)
            answers.add((answer.status_code, answer.text))
            request = answer.headers["x-request-id"]
            while not (found := [e for e in self.entries() if e.get("request") == request]):
                time.sleep(0.01)
            seen.add(found[0]["worker"])
            if len(seen) == 2:
                return answers
        raise AssertionError("one process takes every request")


@pytest.mark.postgres
@pytest.mark.process
def test_two_processes_are_one_hall(postgres: Any, tmp_path: Path) -> None:
    postgres.psql("CREATE DATABASE two_processes;")
    url = str(postgres.get_uri("two_processes")).replace("postgresql://", "postgresql+psycopg://")
    database = Database(url)
    fill_hall(database, tmp_path)
    add_owner(database, name="Ada", login="ada", password="a long password", language="en")
    workers = Workers(url, tmp_path)
    try:
        workers.until_ready()
        cookie = {"cookies": {"readmark_session": COOKIE}}
        page = "/api/projects/mill/configuration"
        [(status, text)] = workers.everywhere("GET", page, **cookie)
        assert (status, json.loads(text)["version"]) == (200, 1)
        new = CONFIGURATION.replace("The mill", "The old mill")
        assert workers.ask("PUT", page, json={"text": new}, **cookie).status_code == 200
        [(_, text)] = workers.everywhere("GET", page, **cookie)
        assert json.loads(text)["version"] == 2
        for _, text in workers.everywhere("GET", "/api/assignments/own", **cookie):
            assert "The old mill" in text  # both had opened the item before

        # Failed log-ins count together; most of them are in the table already.
        with database.writing() as session:
            who = hashed("login ada from 127.0.0.1")
            session.add_all(LoginAttempt(who=who) for _ in range(MOST_BY_LOGIN - 2))
        login = {"login": "ada", "password": "wrong"}
        statuses = [workers.ask("POST", "/login", data=login).status_code for _ in range(6)]
        assert statuses == [401, 401, 429, 429, 429, 429]

        # A session that ends, ends everywhere.
        assert workers.ask("POST", "/logout", **cookie).status_code == 303
        assert {status for status, _ in workers.everywhere("GET", "/api/me", **cookie)} == {401}

        entries = workers.entries()
        chores = [entry["chore"] for entry in entries if entry["event"] == "chore done"]
        assert sorted(chores) == ["erasure", "retention"]  # by one of them
        counts = Counter(
            (entry["method"], entry["route"], str(entry["status"]))
            for entry in entries
            if entry["event"] == "request" and entry["route"] != "/ready"
        )
        with httpx.Client(base_url=workers.address, timeout=60) as client:
            samples = scrape(client)
        assert counts == {
            name[1:]: value
            for name, value in samples.items()
            if name[0] == "readmark_requests_total" and name[2] != "/ready"
        }
        resident = [name for name in samples if name[0] == "readmark_process_resident_bytes"]
        assert len(resident) == 2
    finally:
        workers.process.send_signal(signal.SIGTERM)
        workers.process.wait(30)
        database.close()
    log = (tmp_path / "log").read_text("utf-8")
    assert [text for text in (COOKIE, "a long password", SECRET.hex()) if text in log] == []


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({}, "the hall has no owner yet: readmark hall owner creates one"),
        ({"READMARK_LOG_LEVEL": "loud"}, "Invalid value for '--log-level'"),
        ({"READMARK_METRICS_FROM": "10.0.0.0/8 ten"}, "--metrics-from ten: expected an address"),
        ({"READMARK_SETTINGS": "none.toml"}, "none.toml: "),
    ],
)
def test_an_asgi_server_says_in_a_line_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in {"READMARK_DB": "sqlite:///hall.db", **settings}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        application()
    message = str(ended.value)
    assert message.startswith(f"readmark: {line}")
    assert "\n" not in message
    assert in_process("serve", "-h").returncode == 0
