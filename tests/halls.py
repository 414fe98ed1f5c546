"""Builders of small halls: people, projects, items and assignments, straight into the tables."""

from __future__ import annotations

import functools
import itertools
import json
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import event

from readmark.server.access import COOKIE, Hall
from readmark.server.items import ItemSource
from readmark.server.projects import NewProject, prepare_project, store_project
from readmark.server.shipped import bundled_test
from readmark.server.tables import (
    Assignment,
    ConfigurationVersion,
    Item,
    LoginSession,
    Membership,
    Person,
    Project,
    Team,
    TeamMember,
)

ADDRESS = "http://127.0.0.1:8000"
OWN = {"sec-fetch-site": "same-origin"}
"""What a browser adds to requests from the hall's own pages."""


def hall_in(app: Any) -> Hall:
    """What the app's requests can reach."""
    hall: Hall = app.state.hall
    return hall


def client_of(app: Any) -> TestClient:
    """A browser without an account."""
    return TestClient(app, base_url=ADDRESS, headers=OWN, follow_redirects=False)


def statements_of(app: Any, call: Callable[[], Any]) -> list[str]:
    """What the database is asked during a call."""
    engine, statements = hall_in(app).database.engine, []

    def note_statement(*parts: Any) -> None:
        statements.append(parts[2])

    event.listen(engine, "before_cursor_execute", note_statement)
    try:
        call()
    finally:
        event.remove(engine, "before_cursor_execute", note_statement)
    return statements


def add_person(app: Any, login: str, *, is_owner: bool = False, password: str = "!") -> str:
    """The id of a new person."""
    with hall_in(app).database.writing() as session:
        person = Person(
            login=login, name=login.title(), password=password, is_owner=is_owner, language="en"
        )
        session.add(person)
        session.flush()
        return person.id


def session_of(app: Any, person_id: str) -> str:
    """The secret of a new session, as the cookie holds it."""
    secret, hall = secrets.token_urlsafe(32), hall_in(app)
    with hall.database.writing() as session:
        session.add(
            LoginSession(
                secret=hall.hashed(secret), person_id=person_id, expires=time.time() + 3600
            )
        )
    return secret


def signed_in(app: Any, person_id: str) -> TestClient:
    """The browser of a person."""
    client = client_of(app)
    client.cookies.set(COOKIE, session_of(app, person_id))
    return client


def add_project(
    app: Any,
    slug: str,
    configuration: str,
    papers: Mapping[str, Any],
    *,
    keys: Mapping[str, Any] | None = None,
    header: Mapping[str, Any] | None = None,
) -> str:
    """The id of a new project with an item for each paper."""
    with hall_in(app).database.writing() as session:
        project = Project(slug=slug, headers=json.dumps([header or {"kind": "comprehension"}]))
        session.add(project)
        session.flush()
        session.add(ConfigurationVersion(project_id=project.id, version=1, text=configuration))
        for position, (name, paper) in enumerate(papers.items()):
            session.add(
                Item(
                    project_id=project.id,
                    position=position,
                    name=name,
                    paper=json.dumps(paper, ensure_ascii=False),
                    key=json.dumps((keys or {}).get(name), ensure_ascii=False),
                )
            )
        return project.id


def add_task(app: Any, slug: str, configuration: str, test: str = "reading.en.jsonl") -> str:
    """The id of a new shared task of a test that comes with Readmark."""
    with hall_in(app).database.writing() as session:
        return store_project(session, _prepared_task(configuration, test), slug=slug).id


@functools.cache
def _prepared_task(configuration: str, test: str) -> NewProject:
    """A shared task before it is stored: reading its test takes longer than storing it."""
    with bundled_test(test) as path:
        return prepare_project(configuration, [ItemSource(path)])


def add_to_team(app: Any, project_id: str, person_id: str, name: str) -> str:
    """The id of a team of a shared task that a person is in now; it is made if it is new."""
    with hall_in(app).database.writing() as session:
        team = session.query(Team).filter_by(project_id=project_id, name=name).one_or_none()
        if team is None:
            team = Team(project_id=project_id, name=name)
            session.add(team)
            session.flush()
        member = {"project_id": project_id, "person_id": person_id}
        session.add_all([TeamMember(**member, team_id=team.id), Membership(**member, role="team")])
        return team.id


def add_member(app: Any, project_id: str, person_id: str, *roles: str) -> None:
    """Give a person roles in a project."""
    with hall_in(app).database.writing() as session:
        for role in roles:
            session.add(Membership(project_id=project_id, person_id=person_id, role=role))


def assign(app: Any, project_id: str, person_id: str, items: Sequence[str] = ()) -> list[str]:
    """The ids of new assignments of a project's items, all of them by default."""
    with hall_in(app).database.writing() as session:
        every = session.query(Item).filter(Item.project_id == project_id).order_by(Item.position)
        made = [
            Assignment(
                project_id=project_id, item_id=item.id, person_id=person_id, position=position
            )
            for position, item in enumerate(
                item for item in every if not items or item.name in items
            )
        ]
        session.add_all(made)
        session.flush()
        return [assignment.id for assignment in made]


def routes_of(app: Any) -> Iterator[tuple[str, str, Any]]:
    """Every method and path that the app answers."""

    def walk(routes: Any, prefix: str = "") -> Iterator[tuple[str, str, Any]]:
        for route in routes:
            if (inner := getattr(route, "original_router", None)) is not None:
                yield from walk(inner.routes, prefix + route.include_context.prefix)
            elif methods := getattr(route, "methods", None):
                for method in sorted(set(methods) - {"HEAD"}):
                    yield method, prefix + route.path, route
            else:
                yield "GET", prefix + route.path, route

    yield from walk(app.routes)


def every_path(app: Any, values: Mapping[str, Sequence[str]], method: str = "GET") -> list[str]:
    """The addresses of all routes of a method, with every value of their parameters."""
    paths = []
    for own, path, _ in routes_of(app):
        names = re.findall(r"{(\w+)}", path)
        for chosen in itertools.product(*(values.get(name, ["nothing"]) for name in names)):
            if own == method:
                paths.append(path.format(**dict(zip(names, chosen, strict=True))))
    return paths
