"""What can go wrong below the hall: a full disk, a killed server, connections that are cut."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event, select, text

from disputed import disputed_hall
from halls import ADDRESS, OWN, add_person, hall_in, session_of, signed_in
from organised import TOWNS, answered, town_test, work_on
from readmark.server.disputes import dispute_states
from readmark.server.start import open_hall
from readmark.server.tables import Event, FrozenGold
from running_hall import RunningHall
from stub_work import add_stub, add_stub_project

BALLAST = "x" * 4000


def patient_client(running: RunningHall, headers: dict[str, str]) -> httpx.Client:
    """A client of a server whose first answer may take long on a busy machine."""
    address = running.address
    return httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=60)


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


def batch(sequence: int) -> dict[str, Any]:
    value = {"type": "note", "value": f"{sequence} {BALLAST}"}
    changes = [{"sequence": sequence, "object": f"n-{sequence}", "value": value, "base": None}]
    return {"client": "client-a", "events": changes}


def saved(app: Any) -> set[int]:
    with hall_in(app).database.reading() as session:
        return set(session.scalars(select(Event.sequence)))


def is_whole(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@contextmanager
def few_pages(app: Any, folder: Path) -> Iterator[None]:
    """A database that may grow by 40 pages only, on every connection."""
    engine = hall_in(app).database.engine
    with closing(sqlite3.connect(folder / "hall.db")) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()

    def limit(connection: Any, _: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages + 40}").close()

    event.listen(engine, "connect", limit)
    engine.dispose()
    yield
    event.remove(engine, "connect", limit)
    engine.dispose()


@contextmanager
def full_disk(app: Any, folder: Path) -> Iterator[None]:
    """Another file takes all that is left of the file system, except for a few pages."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        while file.write(bytes(4096)) == 4096 and shutil.disk_usage(folder).free > 64 * 1024:
            pass
    yield
    ballast.unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes; only root may make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        made = subprocess.run(mount, capture_output=True, check=False)
    except OSError:
        pytest.skip("needs mount")
    if made.returncode:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)  # a failed test has files open


@pytest.mark.parametrize("limit", [few_pages, full_disk])
def test_a_full_disk_refuses_and_resumes(
    limit: Any, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue("small_disk") if limit is full_disk else tmp_path
    app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
    _, person, (assignment, _) = add_stub_project(app)
    browser = signed_in(app, person)
    path = f"/api/assignments/{assignment}"
    acknowledged: set[int] = set()
    with limit(app, folder):
        for sequence in range(1, 500):
            response = browser.post(f"{path}/events", json=batch(sequence))
            if response.status_code != 200:
                break
            acknowledged.add(sequence)
        assert response.status_code == 503
        assert response.json()["detail"].startswith("The hall cannot save at the moment.")
        assert response.headers["retry-after"] == "5"
        # Reading goes on, and everything that was acknowledged is there.
        assert len(browser.get(path).json()["objects"]) == len(acknowledged)
        assert browser.post(f"{path}/events", json=batch(sequence)).status_code == 503
        assert saved(app) == acknowledged
    again = browser.post(f"{path}/events", json=batch(sequence))
    assert again.status_code == 200, again.text
    assert saved(app) == {*acknowledged, sequence}
    hall_in(app).database.close()
    assert is_whole(folder / "hall.db")


def test_a_server_that_is_killed_while_it_saves_has_all_that_it_acknowledged(
    tmp_path: Path,
) -> None:
    app = open_hall(f"sqlite:///{tmp_path}/hall.db", folder=tmp_path)
    people = [add_stub_project(app, login=f"p{number}") for number in range(4)]
    running = RunningHall(f"sqlite:///{tmp_path}/hall.db", tmp_path)
    running.start()
    enough, acknowledged = threading.Event(), set()

    def work(person: str, assignment: str) -> None:
        cookie = f"{hall_in(app).settings.cookie}={session_of(app, person)}"
        headers = {**OWN, "cookie": cookie}
        with patient_client(running, headers) as client:
            for sequence in range(1, 100_000):
                try:
                    path = f"/api/assignments/{assignment}/events"
                    response = client.post(path, json=batch(sequence))
                except httpx.HTTPError:
                    return
                assert response.status_code == 200, response.text
                acknowledged.add((assignment, sequence))
                if len(acknowledged) >= 60:
                    enough.set()

    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(work, person, assignment) for _, person, (assignment, _) in people]
        assert enough.wait(60)
        running.kill()
        for job in jobs:
            job.result()
    hall_in(app).database.close()
    assert is_whole(tmp_path / "hall.db")
    with hall_in(app).database.reading() as session:
        stored = {
            (row.assignment_id, row.sequence): json.loads(row.value)
            for row in session.scalars(select(Event))
        }
    assert acknowledged <= stored.keys()
    assert all(value["value"] == f"{sequence} {BALLAST}" for (_, sequence), value in stored.items())
    hall_in(app).database.close()


def test_a_server_that_is_killed_while_it_compares_and_freezes_leaves_whole_versions(
    tmp_path: Path,
) -> None:
    """Killed three times at other moments; what was acknowledged is there, and nothing half."""
    app = open_hall(f"sqlite:///{tmp_path}/hall.db", folder=tmp_path)
    hall = disputed_hall(app, "second_answers", town_test(tmp_path / "towns.jsonl"), "ann", "bob")
    for number, town in enumerate(TOWNS):
        for login, where in (("ann", town), ("bob", f"mill of {town}")):
            given = answered(number, where, str(1800 + number))
            fields = {id: one["fields"] for id, one in given.items() if "fields" in one}
            hall.hand_in(login, f"p{number}", fields)
    hall.open()
    hall.decide("p0", "Oxford")
    owner = add_person(app, "olga", is_owner=True)
    headers = {**OWN, "cookie": f"{hall_in(app).settings.cookie}={session_of(app, owner)}"}
    running = RunningHall(f"sqlite:///{tmp_path}/hall.db", tmp_path)
    acknowledged, has_frozen = 0, threading.Event()

    def organise() -> int:
        done = 0
        with patient_client(running, headers) as client:
            while True:
                try:
                    client.post("/api/projects/second-answers/adjudication")
                    frozen = client.post("/api/projects/second-answers/gold").status_code == 201
                    done += frozen
                    if frozen:
                        has_frozen.set()
                except httpx.HTTPError:
                    return done

    for pause in (0.03, 0.1, 0.2):
        has_frozen.clear()
        running.start()
        with ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(organise) for _ in range(2)]
            is_frozen = has_frozen.wait(60)
            threading.Event().wait(pause)
            running.kill()
            assert is_frozen
            acknowledged += sum(job.result() for job in jobs)
    hall_in(app).database.close()
    assert is_whole(tmp_path / "hall.db")
    with hall_in(app).database.reading() as session:
        versions = session.scalars(select(FrozenGold).order_by(FrozenGold.number)).all()
        assert len(versions) >= acknowledged >= 3
        assert [version.number for version in versions] == [*range(1, len(versions) + 1)]
        for version in versions:
            with zipfile.ZipFile(io.BytesIO(version.content)) as packed:
                assert packed.testzip() is None
        states = [state.state for state in dispute_states(session, hall.project)]
    assert sorted(states) == ["decided", "open", "open", "open"]
    assert hall.open().added == 0
    assert len(work_on(app, hall.people["judge"], "adjudication")) == len(TOWNS)
    hall_in(app).database.close()


FIRST_USE = """
import sys, threading
import readmark.llm.in_flight  # has a struct that msgspec cannot read
from readmark.server import app
from readmark.works import read_configuration
from readmark.server.shipped import shipped_configuration
text = shipped_configuration("second_answers")
app.learn_structs()
sys.setswitchinterval(1e-6)
start = threading.Barrier(8)
def work():
    start.wait()
    read_configuration(text)
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_structs_are_learnt_before_threads_use_them() -> None:
    """Without that, three in four of these processes die of a segmentation fault."""
    running = [subprocess.Popen([sys.executable, "-c", FIRST_USE]) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]


@pytest.mark.postgres
def test_connections_that_the_database_has_cut_are_made_again(
    postgres: Any, tmp_path: Path
) -> None:
    postgres.psql("CREATE DATABASE hall_cut;")
    url = str(postgres.get_uri("hall_cut")).replace("postgresql://", "postgresql+psycopg://")
    app = open_hall(url, folder=tmp_path)
    _, person, (assignment, _) = add_stub_project(app)
    browser = signed_in(app, person)
    path = f"/api/assignments/{assignment}/events"
    assert browser.post(path, json=batch(1)).status_code == 200
    with hall_in(app).database.writing() as session:
        session.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = 'hall_cut' AND pid <> pg_backend_pid()"
            )
        )
    codes = [browser.post(path, json=batch(2)).status_code for _ in range(2)]
    assert codes in ([200, 200], [503, 200])  # the client sends again after a 503
    assert saved(app) == {1, 2}
    hall_in(app).database.close()


def test_more_requests_than_threads_and_connections_are_all_answered(hall_app: Any) -> None:
    """Requests that wait for a thread hold no connection, or all would wait for each other."""
    _, person, (assignment, _) = add_stub_project(hall_app)
    cookies = {hall_in(hall_app).settings.cookie: session_of(hall_app, person)}
    path = f"/api/assignments/{assignment}/events"

    async def save_all(count: int) -> list[int]:
        transport = httpx.ASGITransport(hall_app)
        async with httpx.AsyncClient(
            transport=transport, base_url=ADDRESS, headers=OWN, cookies=cookies
        ) as client:
            requests = [client.post(path, json=batch(number + 1)) for number in range(count)]
            return [response.status_code for response in await asyncio.gather(*requests)]

    with ThreadPoolExecutor(1) as pool:  # the browser's loop may run in this thread
        codes = pool.submit(asyncio.run, save_all(200)).result()
    assert codes == [200] * 200
    assert saved(hall_app) == set(range(1, 201))
