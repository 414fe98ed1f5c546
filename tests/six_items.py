"""A project with six items, for tests of who gets which."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from halls import add_member, add_person, add_project, hall_in
from readmark.server.changes import Change
from readmark.server.log import append
from readmark.server.tables import Assignment, Project
from saving_browser import DONE
from stub_work import CONFIGURATION, add_stub

ITEMS = [f"i{number}" for number in range(6)]


def new_hall(
    app: Any,
    monkeypatch: pytest.MonkeyPatch,
    *logins: str,
    settings: str = "overlap = 2",
    keys: Any = None,
) -> tuple[Project, dict[str, str]]:
    """A project with six items and people who are annotators."""
    add_stub(monkeypatch)
    text = CONFIGURATION.replace('work = "stub"', f'work = "stub"\n{settings}')
    project = add_project(app, "six", text, {i: {"text": f"Text {i}."} for i in ITEMS}, keys=keys)
    people = {login: add_person(app, login) for login in logins}
    for person in people.values():
        add_member(app, project, person, "annotator")
    with hall_in(app).database.reading() as session:
        return session.get_one(Project, project), people


def assignments_of(session: Any, person: str) -> list[Assignment]:
    return list(
        session.scalars(
            select(Assignment)
            .where(Assignment.person_id == person, Assignment.withdrawn.is_(None))
            .order_by(Assignment.position)
        )
    )


def finish(session: Any, assignment: Assignment, *more: Change, seconds: float = 60.0) -> None:
    change = Change(9, "status", DONE, seconds=seconds)
    append(session, assignment, "client-of-test", [*more, change])
