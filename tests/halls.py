"""Builders of small halls: people, projects, items and assignments, straight into the tables."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fastapi.testclient import TestClient

from readmark.server.access import COOKIE, Hall
from readmark.server.tables import (
    Assignment,
    ConfigurationVersion,
    Item,
    LoginSession,
    Membership,
    Person,
    Project,
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
