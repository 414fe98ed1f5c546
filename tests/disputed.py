"""Halls in which people have handed in different versions of an item, for adjudication."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halls import add_member, add_person, hall_in, signed_in
from organised import work_on
from readmark.server.adjudication import OpenedDisputes, open_disputes
from readmark.server.assignment import reopen
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Assignment, Project
from readmark.server.work_export import export_project

DONE = {"status": {"type": "status", "done": True}}


@dataclass
class DisputedHall:
    """A project with its annotators and an adjudicator who has no other work."""

    app: Any
    project: Project
    people: dict[str, str]

    def page(self, login: str, item: str, purpose: str = "work") -> dict[str, Any]:
        """What a person's page is made of."""
        assignment = work_on(self.app, self.people[login], purpose)[item]
        client = signed_in(self.app, self.people[login])
        response = client.get(f"/api/assignments/{assignment}")
        assert response.status_code == 200, response.text
        found: dict[str, Any] = response.json()
        return found

    def hand_in(self, login: str, item: str, fields: Mapping[str, Any], **more: Any) -> None:
        """Fill in an annotator's forms, by id, and hand the item in; ``more`` are whole objects."""
        view = self.page(login, item)
        known = view["objects"]
        objects = {id: {**known[id]["value"], "fields": own} for id, own in fields.items()}
        self.save(login, view, {**objects, **more, **DONE})

    def save(self, login: str, view: Mapping[str, Any], objects: Mapping[str, Any]) -> None:
        """Save objects as the page does that has shown them."""
        events = [
            {"sequence": number, "object": id, "value": value, "seconds": 10.0}
            | {"base": view["objects"].get(id, {}).get("event")}
            for number, (id, value) in enumerate(objects.items(), 1)
        ]
        path = f"/api/assignments/{view['assignment']['id']}/events"
        body = {"client": str(uuid.uuid4()), "events": events}
        response = signed_in(self.app, self.people[login]).post(path, json=body)
        assert response.status_code == 200, response.text
        assert {each["status"] for each in response.json()["results"]} == {"saved"}

    def reopen(self, login: str, item: str) -> None:
        """Let an annotator change what was handed in."""
        with hall_in(self.app).database.writing() as session:
            row = session.get(Assignment, work_on(self.app, self.people[login])[item])
            assert row is not None
            reopen(session, row, by=self.people["judge"])

    def open(self) -> OpenedDisputes:
        """Compare, and hand out."""
        with hall_in(self.app).database.writing() as session:
            return open_disputes(session, self.project)

    def decide(self, item: str, *decisions: Any, done: bool = True) -> dict[str, Any]:
        """Decide each place of an item in its order: the words of a version, or whole fields."""
        view = self.page("judge", item, "adjudication")
        objects = {}
        for number, decision in enumerate(decisions, 1):
            form = view["objects"][f"d-{number}"]["value"]
            fields = decision
            if isinstance(decision, str):
                choices = form["choices"]["decision"]
                fields = {"decision": next(c for c, text in choices.items() if decision in text)}
            objects[f"d-{number}"] = {**form, "fields": fields}
        self.save("judge", view, {**objects, **(DONE if done else {})})
        return view

    def export(self, folder: Path) -> Path:
        """The folder with the gold of an export."""
        with hall_in(self.app).database.reading() as session:
            done = export_project(session, self.project, folder)
        assert not done.manifest.problem, done.manifest.problem
        return folder / "gold"


def disputed_hall(
    app: Any, configuration: str, file: Path, *annotators: str, **replaced: str
) -> DisputedHall:
    """A project of a shipped configuration, handed out; the adjudicator is ``judge``."""
    text = shipped_configuration(configuration)
    for line, other in replaced.items():
        text = text.replace(line, other)
    new = prepare_project(text, [ItemSource(file)])
    with hall_in(app).database.writing() as session:
        project = store_project(session, new, slug=configuration.replace("_", "-"))
    people = {login: add_person(app, login) for login in (*annotators, "judge")}
    for login, person in people.items():
        add_member(app, project.id, person, "adjudicator" if login == "judge" else "annotator")
    with hall_in(app).database.writing() as session:
        hand_out(session, project)
    return DisputedHall(app, project, people)
