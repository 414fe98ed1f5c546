"""What the lists of a large exam hall cost: 1,000 projects, one of them with 100,000 items.

Half of the projects are shared tasks. Everything is in the database before the clock starts, and
every page is asked for once, as an owner who has just started the hall. Processor time of this
process, which is the server, and the number of queries. On SQLite, in process.

Run: python benchmarks/hall_scale.py [--projects 1000] [--items 100000] [--people 50]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import event, insert
from starlette.testclient import TestClient

from readmark.server.access import COOKIE, Hall
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import bundled_test, shipped_configuration
from readmark.server.start import open_hall
from readmark.server.tables import Item, LoginSession, Membership, Person, Team

TASK = '[project]\nname = "Task {number}"\nwork = "shared_task"\n'
SECRET = "benchmark"
WORDS = "The old mill by the river burnt down in the dry summer of that year. " * 20
PAPER = '{"record": {"id": "i%d", "text": "' + WORDS + '"}, "language": "en"}'
LIMITS = {"hand out": 5.0}
"""Seconds, where they are not `LIMIT`."""
LIMIT = 1.0


def populate(hall: Hall, projects: int, items: int, people: int) -> None:
    """Projects with a few items each, shared tasks with a team, and one project with many items."""
    vetting = shipped_configuration("vetting").replace("name = ", "# {}\nname = ", 1)
    with bundled_test("reading.en.jsonl") as path:
        new = prepare_project(vetting, [ItemSource(path)])
        task = prepare_project(TASK.replace("{number}", "0"), [ItemSource(path)])
    with hall.database.writing() as session:
        owner = Person(login="owner", name="Owner", password="!", is_owner=True, language="en")
        crowd = [
            Person(login=f"p{number:03}", name=f"P{number:03}", password="!", language="en")
            for number in range(people)
        ]
        session.add_all([owner, *crowd])
        session.flush()
        session.add(
            LoginSession(secret=hall.hashed(SECRET), person_id=owner.id, expires=time.time() + 3600)
        )
        for number in range(projects):
            is_task = number % 2 == 1
            made = task if is_task else new
            text = made.configuration.replace("Task 0", f"Task {number}") + f"\n# {number}\n"
            project = store_project(
                session, type(made)(text, made.sources), slug=f"project-{number}", by=owner.id
            )
            if is_task:
                session.add(Team(project_id=project.id, name="A team"))
        many = store_project(session, type(new)(new.configuration, ()), slug="many", by=owner.id)
        for person in crowd:
            session.add(Membership(project_id=many.id, person_id=person.id, role="annotator"))
        rows = [
            {
                "project_id": many.id,
                "position": number,
                "name": f"i{number:06}",
                "paper": PAPER % number,
            }
            for number in range(items)
        ]
        for start in range(0, len(rows), 10_000):
            session.execute(insert(Item), rows[start : start + 10_000])


def measure(hall: Hall, name: str, call: Callable[[], Any], statuses: Sequence[int]) -> bool:
    """Print what a request costs; whether that is within its limit."""
    queries = 0

    def count(*_: Any) -> None:
        nonlocal queries
        queries += 1

    event.listen(hall.database.engine, "before_cursor_execute", count)
    begun = time.process_time()
    response = call()
    spent = time.process_time() - begun
    event.remove(hall.database.engine, "before_cursor_execute", count)
    assert response.status_code in statuses, (name, response.status_code, response.text[:300])
    limit = LIMITS.get(name, LIMIT)
    size = len(response.content) / 1000
    print(
        f"{name:<34} {spent:7.2f} s {queries:>7,} queries {size:>9,.0f} KB"
        f"{'' if spent <= limit else f'   over {limit:g} s'}",
        flush=True,
    )
    return spent <= limit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=int, default=1000)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=50)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="readmark-scale-") as folder:
        app = open_hall(f"sqlite:///{folder}/hall.db", folder=Path(folder))
        hall: Hall = app.state.hall
        populate(hall, options.projects, options.items, options.people)
        client = TestClient(
            app,
            base_url="http://127.0.0.1:8000",
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )
        client.cookies.set(COOKIE, SECRET)
        client.get("/account")  # templates and words are read
        own = "/projects/many"
        newcomer = TestClient(
            app,
            base_url="http://127.0.0.1:8000",
            headers={"sec-fetch-site": "same-origin"},
            follow_redirects=False,
        )
        invited = client.post(f"/api{own}/invitations", json={"role": "annotator"}).json()
        link = urlsplit(invited["link"]).path
        form = {"how": "new", "name": "New", "login": "new", "password": "correct horse battery"}
        results = [
            measure(hall, "hand out", lambda: client.post(f"{own}/hand-out"), (303,)),
            measure(hall, "a newcomer joins", lambda: newcomer.post(link, data=form), (303,)),
            *(
                measure(hall, path, lambda path=path: client.get(path), (200,))  # type: ignore[misc]
                for path in (
                    "/projects",
                    "/projects?page=5",
                    "/api/projects",
                    "/tasks",
                    "/api/tasks",
                    f"{own}/items",
                    f"{own}/items?page=900",
                    f"/api{own}/items",
                    f"{own}/assignments",
                    f"{own}/assignments?order=item",
                    f"/api{own}/assignments",
                )
            ),
        ]
        hall.database.close()
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
