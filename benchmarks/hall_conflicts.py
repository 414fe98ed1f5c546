"""What somebody with thousands of open conflicts costs everybody else in the exam hall.

An annotator has stored conflicts and sends 200 of them again, as a browser does that has heard no
answer. Other people's saves wait for that request on SQLite, so it must cost no more than any
other request of 200 changes, however many conflicts there are. In process, in processor time.

Run: python benchmarks/hall_conflicts.py [--conflicts 1000 4000 16000] [--limit 3]
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from hall import CONFIGURATION
from sqlalchemy import insert

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
from readmark.works.work import WORKS

CHANGES = 200
MOST_RATIO = 5.0
"""At 16,000 conflicts that were stored before there was a limit of open ones."""
MOST_SECONDS = 60.0
"""Of a request; larger numbers of conflicts are left out then."""


def populate(hall: Hall, conflicts: int) -> tuple[str, str]:
    """An annotator of one item, whose second tab has overlooked the changes of the first."""
    with hall.database.writing() as session:
        session.add(project := Project(slug=secrets.token_hex(8)))
        session.add(person := Person(login=secrets.token_hex(8), name="P", password="!"))
        session.flush()
        session.add(ConfigurationVersion(project_id=project.id, version=1, text=CONFIGURATION))
        session.add(
            item := Item(project_id=project.id, position=0, name="i", paper='{"text": "A text."}')
        )
        session.flush()
        secret = secrets.token_urlsafe(32)
        session.add_all(
            [
                Membership(project_id=project.id, person_id=person.id, role="annotator"),
                LoginSession(
                    secret=hall.hashed(secret), person_id=person.id, expires=time.time() + 86400
                ),
                assignment := Assignment(
                    project_id=project.id, item_id=item.id, person_id=person.id, position=0
                ),
            ]
        )
        session.flush()
        for client, is_conflict in (("client-a", False), ("client-b", True)):
            value = '{"type":"note","value":"late"}' if is_conflict else '{"type":"note"}'
            rows = [
                {
                    "assignment_id": assignment.id,
                    "person_id": person.id,
                    "client": client,
                    "sequence": number,
                    "place": number + is_conflict * conflicts,
                    "object": f"n{number}",
                    "value": value,
                    "is_conflict": is_conflict,
                }
                for number in range(1, conflicts + 1)
            ]
            session.execute(insert(Event), rows)
        return assignment.id, secret


def seconds_of(call: Callable[[], Any]) -> float:
    """Processor time of a request that must succeed."""
    begun = time.process_time()
    response = call()
    spent = time.process_time() - begun
    assert response.status_code == 200, response.text
    return spent


def report(app: Any, conflicts: int) -> tuple[float, float]:
    """Print the figures of one annotator; the ratio, and the seconds of the repeated request."""
    hall: Hall = app.state.hall
    assignment, secret = populate(hall, conflicts)
    client = TestClient(
        app, base_url="http://127.0.0.1:8000", headers={"sec-fetch-site": "same-origin"}
    )
    client.cookies.set(hall.settings.cookie, secret)
    path = f"/api/assignments/{assignment}"

    def send(name: str, first: int, prefix: str) -> Any:
        value = {"type": "note", "value": "late"}
        events = [
            {"sequence": number, "object": f"{prefix}{number}", "value": value}
            for number in range(first, first + CHANGES)
        ]
        return client.post(f"{path}/events", json={"client": name, "events": events})

    seconds_of(lambda: send("client-c", 1, "other"))  # the hall opens the item
    fresh = seconds_of(lambda: send("client-c", 1 + CHANGES, "other"))
    repeated = seconds_of(lambda: send("client-b", 1, "n"))
    look = seconds_of(lambda: client.get(path))
    print(
        f"{conflicts:>6,} open conflicts: {CHANGES} new changes {fresh:.3f} s, "
        f"{CHANGES} repeated conflicts {repeated:.3f} s, ratio {repeated / fresh:.2f}; "
        f"the page {look:.3f} s",
        flush=True,
    )
    return repeated / fresh, repeated


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conflicts", type=int, nargs="+", default=[1000, 4000, 16000])
    parser.add_argument("--limit", type=float, default=MOST_RATIO, help="the largest good ratio")
    options = parser.parse_args()
    WORKS.builtin["load"] = Entry("hall:LoadWork")  # type: ignore[index]
    ratios = []
    with tempfile.TemporaryDirectory(prefix="readmark-conflicts-") as folder:
        app = open_hall(f"sqlite:///{folder}/hall.db", folder=Path(folder))
        for conflicts in options.conflicts:
            ratio, seconds = report(app, conflicts)
            ratios.append(ratio)
            if seconds > MOST_SECONDS:
                print("larger numbers would take minutes and are left out")
                break
        app.state.hall.database.close()
    sys.exit(0 if max(ratios) <= options.limit else 1)


if __name__ == "__main__":
    main()
