"""A readability panel in the hall: a project with judges, who rate as the tests want."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import select

from halls import add_member, add_person, hall_in, signed_in
from panel_judges import panel_test
from readmark.core.test import Test
from readmark.formats.registry import save_test
from readmark.readability.hall.judgements import order_words
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Assignment, Item, Project

Stars = Callable[[str, str], int]
"""The stars of a judge for a passage, by login and code."""


@dataclass
class PanelScene:
    """A project of the work ``panel`` and its people."""

    app: Any
    slug: str
    project: str
    organiser: str
    judges: dict[str, str] = field(default_factory=dict)
    """People's ids by login."""

    def assignments(self, login: str) -> dict[str, str]:
        """A judge's assignments by the names of their rounds, in the judge's order."""
        with hall_in(self.app).database.reading() as session:
            rows = session.execute(
                select(Item.name, Assignment.id)
                .join(Item, Item.id == Assignment.item_id)
                .where(Assignment.person_id == self.judges[login])
                .order_by(Assignment.position)
            )
            return {row.name: row.id for row in rows}

    def rate(self, login: str, stars: Stars, *, seconds: float = 30.5, criteria: str = "") -> None:
        """Rate all rounds through the API, put them in the order of the stars, and hand in."""
        client = signed_in(self.app, self.judges[login])
        for assignment in self.assignments(login).values():
            address = f"/api/assignments/{assignment}"
            objects = {
                id: kept["value"] for id, kept in client.get(address).json()["objects"].items()
            }
            given = {id: stars(login, id) for id in objects if objects[id]["entry"] == "passage"}
            filled: dict[str, dict[str, Any]] = {
                id: {"stars": count, "seconds": seconds} for id, count in given.items()
            }
            ranks = {id: float(-count) for id, count in given.items()}
            filled["order"] = {"order": order_words(ranks)}
            if criteria and "criteria" in objects:
                filled["criteria"] = {"criteria": criteria}
            values = {id: {**objects[id], "fields": fields} for id, fields in filled.items()}
            values["status"] = {"type": "status", "done": True}
            events = [
                {"sequence": sequence, "object": id, "value": value}
                for sequence, (id, value) in enumerate(values.items(), 1)
            ]
            response = client.post(
                f"{address}/events", json={"client": "panel-tests", "events": events}
            )
            assert response.status_code == 200, response.text


def add_panel(
    app: Any,
    folder: Path,
    judges: Mapping[str, str],
    *,
    slug: str = "panel",
    test: Test | None = None,
    round: int = 10,
) -> PanelScene:
    """A panel of people with a role each, to whom everything is handed out."""
    file = folder / f"{slug}.jsonl"
    save_test(panel_test() if test is None else test, file)
    text = shipped_configuration("panel").replace("round = 10", f"round = {round}")
    new = prepare_project(text, [ItemSource(file)])
    with hall_in(app).database.writing() as session:
        project = store_project(session, new, slug=slug).id
    organiser = add_person(app, f"{slug}-organiser")
    add_member(app, project, organiser, "organiser")
    scene = PanelScene(app, slug, project, organiser)
    for login, role in judges.items():
        scene.judges[login] = add_person(app, login)
        add_member(app, project, scene.judges[login], role)
    with hall_in(app).database.writing() as session:
        row = session.get(Project, project)
        assert row is not None
        hand_out(session, row)
    return scene
