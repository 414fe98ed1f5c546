"""What a large project costs the exam hall: handing out, evening out loads, and the pages.

A project of 10,000 items for 50 people. The first half of the people gets everything; then the
others join and the loads are evened out. CPU seconds of this process, on SQLite.

Run: python benchmarks/hall_items.py [--items 10000] [--people 50] [--overlap 10]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import insert, select
from starlette.testclient import TestClient

from readmark.server.access import COOKIE, Hall
from readmark.server.handing_out import hand_out
from readmark.server.start import open_hall
from readmark.server.tables import (
    Assignment,
    ConfigurationVersion,
    Item,
    LoginSession,
    Membership,
    Person,
    Project,
)

CONFIGURATION = '[project]\nname = "Many"\nwork = "vetting"\noverlap = {overlap}\n'
PAPER = '{"record": {"id": "one", "text": "Wood burns."}, "language": "en"}'
SECRET = "benchmark"


@contextmanager
def measured(name: str) -> Iterator[None]:
    start = time.process_time()
    yield
    print(f"{name:<50} {time.process_time() - start:8.2f} s", flush=True)


def make_hall(hall: Hall, items: int, people: int, overlap: int) -> str:
    """A project with all its items, half of its people, and an owner who is logged in."""
    with hall.database.writing() as session:
        project = Project(slug="many", headers='[{"kind": "comprehension"}]')
        owner = Person(login="owner", name="Owner", password="!", is_owner=True, language="en")
        session.add_all([project, owner])
        session.flush()
        text = CONFIGURATION.format(overlap=overlap)
        session.add(ConfigurationVersion(project_id=project.id, version=1, text=text))
        session.execute(
            insert(Item),
            [
                {"project_id": project.id, "position": n, "name": f"i{n:05}", "paper": PAPER}
                for n in range(items)
            ],
        )
        log_in(session, hall, owner.id, SECRET)
        project_id = project.id
    add_people(hall, project_id, range(people // 2))
    return project_id


def log_in(session: object, hall: Hall, person_id: str, secret: str) -> None:
    until = time.time() + 3600
    row = LoginSession(secret=hall.hashed(secret), person_id=person_id, expires=until)
    session.add(row)  # type: ignore[attr-defined]


def add_people(hall: Hall, project_id: str, numbers: range) -> None:
    with hall.database.writing() as session:
        for number in numbers:
            person = Person(
                login=f"p{number:03}", name=f"P{number:03}", password="!", language="en"
            )
            session.add(person)
            session.flush()
            member = Membership(project_id=project_id, person_id=person.id, role="annotator")
            session.add(member)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--overlap", type=int, default=10)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
        hall: Hall = app.state.hall
        with measured("make the project"):
            project_id = make_hall(hall, arguments.items, arguments.people, arguments.overlap)
        with hall.database.writing() as session, measured("hand out to half of the people"):
            hand_out(session, session.get_one(Project, project_id))
        add_people(hall, project_id, range(arguments.people // 2, arguments.people))
        with hall.database.writing() as session, measured("even out for all of them"):
            hand_out(session, session.get_one(Project, project_id), balance=True)
        with hall.database.reading() as session:
            held = session.execute(
                select(Assignment.person_id, Assignment.id).where(Assignment.withdrawn.is_(None))
            ).all()
        loads = {person: 0 for person, _ in held}
        for person, _ in held:
            loads[person] += 1
        print(f"loads: {min(loads.values())} to {max(loads.values())} items a person")
        first, assignment = held[0]
        with hall.database.writing() as session:
            log_in(session, hall, first, SECRET + "2")
        client = TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False)
        client.get("/")  # templates
        client.cookies.set(COOKIE, SECRET)
        for path in ("", "/items", "/assignments", "/figures", "/quality", "/people"):
            with measured(f"page /projects/many{path}"):
                assert client.get(f"/projects/many{path}").status_code in (200, 303, 307)
        client.cookies.set(COOKIE, SECRET + "2")
        for path in ("/assignments", f"/api/assignments/{assignment}"):
            with measured(f"{path.replace(assignment, 'ID')} of a person with {loads[first]}"):
                assert client.get(path).status_code == 200
        hall.database.close()


if __name__ == "__main__":
    main()
