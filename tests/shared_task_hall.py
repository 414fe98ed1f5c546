"""Shared tasks for the tests: a hall with a published test, teams with tokens, and a worker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from halls import ADDRESS, add_member, add_person, add_to_team, hall_in, signed_in
from readmark.server.access import Scope
from readmark.server.api_tokens import create_token
from readmark.server.configurations import change_configuration
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shared_tasks.job_work import JobLimits
from readmark.server.shared_tasks.worker import Worker
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Project

HIDDEN = "test"


def task_configuration(**options: Any) -> str:
    """The configuration that ships, with other options."""
    shipped = shipped_configuration("shared_task").partition("[options]")[0]
    lines = [f"{name} = {_toml(value)}" for name, value in options.items()]
    return shipped + "[options]\n" + "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{name} = {_toml(part)}" for name, part in value.items())
        return f"{{ {inner} }}"
    return json.dumps(value, ensure_ascii=False)


def comprehension_test(path: Path, *, hidden: bool = True) -> Path:
    """Six questions in two splits, of which ``test`` is hidden."""
    header = {"readmark": 1, "kind": "comprehension", "name": "mills", "language": "en"}
    records = [
        {
            "id": f"{split}-{number}",
            "split": split,
            "text": f"The mill of {name} burned down in {year}. Nobody was hurt.",
            "questions": [
                {
                    "id": f"{split}-{number}-q",
                    "text": "When did the mill burn down?",
                    "key": {"answers": [{"text": str(year)}], "level": 1 + number % 2},
                }
            ],
        }
        for split, names in (("dev", ("Arle", "Benn", "Corr")), (HIDDEN, ("Dell", "Esk", "Fenn")))
        for number, (name, year) in enumerate(zip(names, (1861, 1872, 1883), strict=True))
    ]
    if hidden:
        header["hidden"] = [HIDDEN]  # type: ignore[assignment]
    path.write_text("".join(json.dumps(row) + "\n" for row in (header, *records)), "utf-8")
    return path


ANSWERS = {
    "dev-0-q": "1861",
    "dev-1-q": "in 1872",
    "dev-2-q": "never",
    "test-0-q": "1861",
    "test-1-q": "1872",
    "test-2-q": "never",
}
"""On dev: EM 1/3, F1 (1 + 2/3 + 0)/3. On test: EM 2/3, F1 2/3."""


@dataclass
class TaskHall:
    """A hall with one shared task."""

    app: Any
    slug: str
    project: Project
    teams: dict[str, str] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)

    @property
    def api(self) -> str:
        return f"/api/tasks/{self.slug}"

    def add_team(self, name: str, login: str = "") -> str:
        """A new team with a member of its name; the member's id."""
        login = login or name.lower()
        person = self.people.get(login) or add_person(self.app, login)
        self.people[login] = person
        self.teams[name] = add_to_team(self.app, self.project.id, person, name)
        return person

    def add_organiser(self, login: str = "olga") -> str:
        """Somebody who runs the task."""
        self.people[login] = add_person(self.app, login)
        add_member(self.app, self.project.id, self.people[login], "organiser")
        return self.people[login]

    def browser(self, login: str) -> TestClient:
        return signed_in(self.app, self.people[login])

    def token(self, login: str, *scopes: Scope) -> str:
        hall = hall_in(self.app)
        with hall.database.writing() as session:
            scopes = scopes or (Scope.SUBMIT,)
            person = self.people[login]
            return create_token(session, hall, person, name="x", scopes=[*scopes], days=1)[1]

    def program(self, login: str, *scopes: Scope) -> TestClient:
        """A client with a token, as programs have it."""
        headers = {"authorization": f"Bearer {self.token(login, *scopes)}"}
        return TestClient(self.app, base_url=ADDRESS, headers=headers, follow_redirects=False)

    def configure(self, **options: Any) -> None:
        with hall_in(self.app).database.writing() as session:
            change_configuration(session, self.project, task_configuration(**options))

    def work(self, limits: JobLimits | None = None) -> int:
        """Let a worker do everything that waits."""
        worker, count = Worker(hall_in(self.app).database, limits=limits), 0
        while worker.run_once():
            count += 1
        return count


def open_task(app: Any, test: Path, slug: str = "mills", **options: Any) -> TaskHall:
    """A hall with a published test."""
    new = prepare_project(task_configuration(**options), [ItemSource(test)])
    with hall_in(app).database.writing() as session:
        project = store_project(session, new, slug=slug)
    return TaskHall(app, slug, project)


# Workers for the tests.


def confined_here(work: Any, task: Mapping[str, Any], **_: Any) -> Any:
    """What a confined process replies, made in this one: it costs milliseconds."""
    return json.loads(json.dumps(work(json.loads(json.dumps(task)))))
