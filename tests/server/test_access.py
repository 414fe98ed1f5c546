"""Who may call what: every route, for every role, on own and foreign objects.

The table is made of the app's routes and their rules, so a new route is in it at once.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import select

from hall_scene import MEMBERS, PARAMETERS, PUPIL, TEAM, Scene, build
from halls import client_of, routes_of, signed_in
from readmark.server.access import AccessRule, Scope
from readmark.server.api_tokens import create_token
from readmark.server.shared_tasks.access import TaskRule
from readmark.server.tables import HallTable, LoginSession, Person

pytestmark = pytest.mark.usefixtures("quick_passwords")

PUBLIC = {
    ("GET", "/"),
    ("GET", "/api/openapi.json"),
    ("GET", "/health"),
    ("GET", "/api/tasks"),
    ("GET", "/invitation/{secret}"),
    ("GET", "/join/{link}"),
    ("GET", "/language/{language}"),
    ("GET", "/login"),
    ("GET", "/ready"),
    ("GET", "/static"),
    ("GET", "/tasks"),
    ("POST", "/invitation/{secret}"),
    ("POST", "/join/{link}"),
    ("POST", "/login"),
    ("POST", "/logout"),
}
"""What anybody may ask for: a link's secret is its own key, and lists have what the caller sees."""

ALLOWED: dict[str, tuple[str, ...]] = {
    "signed in": (*MEMBERS, TEAM, "owner"),
    "signed in, in a browser": (*MEMBERS, TEAM, "owner"),
    "owner": ("owner",),
    "owner, in a browser": ("owner",),
    "signed in, or a pupil": (*MEMBERS, TEAM, "owner", PUPIL),
    "metrics": ("owner",),
    "member": (*MEMBERS, "owner", PUPIL),
    "organiser": ("organiser", "owner"),
    "own assignment": (*MEMBERS, "owner", PUPIL),
    "visitor of a task": ("organiser", TEAM, "owner"),
    "visitor of a task, in a browser": ("organiser", TEAM, "owner"),
    "member of a team": (TEAM,),
    "team or organiser of a task": ("organiser", TEAM, "owner"),
    "organiser of a task": ("organiser", "owner"),
    "member of a team, in a browser": (TEAM,),
    "signed in, to submit": (*MEMBERS, TEAM, "owner"),
}
"""Who passes each rule on objects of the own project, written down once more."""
OF_PERSON = ("token", "assignment", "reading_task", "task_submission")
"""Objects that belong to one person: nobody else reaches them, whatever their role."""


def rules_of(route: Any) -> list[AccessRule]:
    """The rules that a route depends on."""
    if not isinstance(route, APIRoute):
        return []
    waiting, found = list(route.dependant.dependencies), []
    while waiting:
        dependant = waiting.pop()
        waiting += dependant.dependencies
        if isinstance(dependant.call, AccessRule):
            found.append(dependant.call)
        elif isinstance(dependant.call, TaskRule):
            found.append(dependant.call.rule)
    return found


@pytest.fixture
def scene(hall_app: Any) -> Scene:
    return build(hall_app)


def content_of(scene: Scene) -> dict[str, list[tuple[Any, ...]]]:
    """Everything in the database but sessions."""
    with scene.hall.database.reading() as session:
        return {
            table.name: sorted(map(repr, session.execute(select(table))))  # type: ignore[misc]
            for table in HallTable.metadata.sorted_tables
            if table.name != LoginSession.__tablename__
        }


BODIES: dict[tuple[str, str], Any] = {
    ("PATCH", "/api/people/{person}"): {"is_disabled": True},
}
"""Bodies that pass the schema, where the route looks for the object and not the rule."""


def ask(client: TestClient, method: str, path: str, values: dict[str, str]) -> Any:
    """Send a request; without a body of its own, one that the schema refuses."""
    sent: dict[str, Any] = {}
    if method in ("POST", "PUT", "PATCH"):
        body = BODIES.get((method, path), {"unknown": "x"})
        sent = {"json" if path.startswith("/api/") else "data": body}
    return client.request(method, path.format(form="csv", **values), **sent)


def table_of(app: Any) -> list[tuple[str, str, AccessRule]]:
    """Every route that has a rule."""
    return [
        (method, path, rules_of(route)[0])
        for method, path, route in routes_of(app)
        if rules_of(route)
    ]


def parameters_of(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def test_every_route_has_one_rule_or_is_public_on_purpose(hall_app: Any) -> None:
    seen = set()
    for method, path, route in routes_of(hall_app):
        rules = rules_of(route)
        if (method, path) in PUBLIC:
            assert rules == [], f"{method} {path} is public and has a rule"
            seen.add((method, path))
        else:
            assert len(rules) == 1, f"{method} {path} has {len(rules)} rules: give it one"
            assert rules[0].name in ALLOWED, f"{rules[0].name}: add it to ALLOWED"
            for name in parameters_of(path):
                assert name in PARAMETERS, f"{method} {path}: add {{{name}}} to PARAMETERS"
    assert seen == PUBLIC
    assert len(table_of(hall_app)) > 25


def refused(answer: Any, method: str, path: str) -> bool:
    """Whether nobody who is not logged in gets anything but the way to log in."""
    if method == "GET" and not path.startswith("/api/"):
        return answer.status_code == 303 and answer.headers["location"].startswith("/login?next=")
    return bool(answer.status_code == 401)


def test_anonymous_callers_pass_no_rule(scene: Scene) -> None:
    before = content_of(scene)
    for method, path, _ in table_of(scene.app):
        for values in (scene.own["organiser"], scene.foreign, dict.fromkeys(PARAMETERS, "none")):
            answer = ask(client_of(scene.app), method, path, values)
            assert refused(answer, method, path), f"{method} {path}: {answer.status_code}"
    assert content_of(scene) == before


@pytest.mark.parametrize("role", ["owner", *MEMBERS, TEAM, PUPIL])
def test_what_somebody_may_not_see_does_not_exist(scene: Scene, role: str) -> None:
    """Own objects without the role, foreign ones, those of others, and unknown ones: all 404."""
    client = signed_in(scene.app, scene.people[role])
    other = "organiser" if role != "organiser" else "annotator"
    before, count = content_of(scene), 0
    for method, path, rule in table_of(scene.app):
        names = parameters_of(path)
        cases: list[tuple[str, dict[str, str]]] = []
        if role not in ALLOWED[rule.name]:
            cases.append(("own", scene.own[role]))
        if names and (role != "owner" or set(names) & set(OF_PERSON)):
            cases.append(("foreign", scene.foreign))
        cases += [
            (f"{other}'s {name}", {**scene.own[role], name: scene.own[other][name]})
            for name in names
            if name in OF_PERSON
        ]
        cases += [
            (f"{name} of another project", {**scene.own[role], name: scene.foreign[name]})
            for name in names
            if role != "owner" or name in OF_PERSON or len(names) > 1
        ]
        cases += [(f"no {name}", {**scene.own[role], name: "none"}) for name in names]
        for what, values in cases:
            answer = ask(client, method, path, values)
            count += 1
            assert answer.status_code == 404, (
                f"{role} gets {answer.status_code} for {method} {path} ({what}); "
                "422: add a body to BODIES"
            )
            for text in ("outsider", "stone"):
                assert text not in answer.text, f"{method} {path} ({what}) names {text}"
    assert content_of(scene) == before
    assert count > 10


@pytest.mark.parametrize("role", ["owner", *MEMBERS, TEAM, PUPIL])
def test_who_may_gets_through(scene: Scene, tmp_path: Path, role: str) -> None:
    """A request with the role is answered, or refused for what it says; never as unknown."""
    file, copy = tmp_path / "hall.db", tmp_path / "copy.db"
    scene.hall.database.close()  # folds the log into the file
    shutil.copy(file, copy)
    for method, path, rule in table_of(scene.app):
        if role not in ALLOWED[rule.name]:
            continue
        client = signed_in(scene.app, scene.people[role])
        answer = ask(client, method, path, scene.own[role])
        assert answer.status_code not in (401, 403, 404, 500, 503), (
            f"{role} gets {answer.status_code} for {method} {path}"
        )
        if method != "GET":
            scene.hall.database.close()
            for log in (".db-wal", ".db-shm"):
                file.with_suffix(log).unlink(missing_ok=True)
            shutil.copy(copy, file)


def test_an_owner_reaches_every_project(scene: Scene) -> None:
    client = signed_in(scene.app, scene.people["owner"])
    for method, path, rule in table_of(scene.app):
        names = parameters_of(path)
        is_of_teams = rule.name.startswith("member of a team")
        if method == "GET" and names and not set(names) & set(OF_PERSON) and not is_of_teams:
            assert "owner" in ALLOWED[rule.name]
            answer = ask(client, method, path, scene.foreign)
            assert answer.status_code < 400, f"{method} {path}: {answer.status_code}"


@pytest.mark.parametrize("scope", list(Scope))
def test_a_token_passes_the_rules_of_its_scope_only(scene: Scene, scope: Scope) -> None:
    owner = scene.people["owner"]
    with scene.hall.database.writing() as session:
        _, secret = create_token(session, scene.hall, owner, name="x", scopes=[scope], days=1)
    client = client_of(scene.app)
    client.headers["authorization"] = f"Bearer {secret}"
    before = content_of(scene)
    for method, path, rule in table_of(scene.app):
        if rule.scope == scope and not rule.in_browser:
            continue
        answer = ask(client, method, path, scene.own["owner"])
        assert answer.status_code == 403, f"{scope} token: {method} {path} {answer.status_code}"
    assert content_of(scene) == before


def test_who_has_left_a_project_sees_nothing_of_it(scene: Scene) -> None:
    organiser = signed_in(scene.app, scene.people["organiser"])
    annotator = scene.people["annotator"]
    removed = organiser.delete(f"/api/projects/wood/members/{annotator}")
    assert removed.status_code == 204
    client = signed_in(scene.app, annotator)
    assert client.get("/api/me").json()["memberships"] == []
    for method, path, rule in table_of(scene.app):
        if {"project", "assignment"} & set(parameters_of(path)):
            answer = ask(client, method, path, scene.own["annotator"])
            assert answer.status_code == 404, f"{method} {path}: {answer.status_code} ({rule.name})"
    with scene.hall.database.reading() as session:
        assert session.get(Person, annotator) is not None


def test_bodies_reach_nothing_of_another_project(scene: Scene) -> None:
    """Ids in a body are looked for in the project that the path names."""
    foreign, worker = scene.foreign, scene.own["organiser"]["person"]
    assignment = {"action": "withdraw", "assignment": foreign["assignment"]}
    attempts: list[tuple[str, dict[str, str]]] = [
        ("/api/projects/wood/assignments", {"item": "three", "person": worker}),
        ("/api/projects/wood/assignments", {"item": "one", "person": foreign["person"]}),
        ("/api/projects/wood/withdrawals", {"assignment": foreign["assignment"]}),
        ("/projects/wood/assignments", assignment),
        ("/projects/wood/assignments", {**assignment, "action": "reassign", "person": worker}),
        (
            "/projects/wood/assignments",
            {"action": "assign", "item": "one", "person": foreign["person"]},
        ),
        ("/projects/wood/assignments", {"action": "assign", "item": "three", "person": worker}),
    ]
    before = content_of(scene)
    for role in ("organiser", "owner"):
        client = signed_in(scene.app, scene.people[role])
        for path, body in attempts:
            name = "json" if path.startswith("/api/") else "data"
            answer = client.post(path, **{name: body})  # type: ignore[arg-type]
            assert answer.status_code in (404, 422), f"{path} {body}: {answer.status_code}"
    assert content_of(scene) == before
