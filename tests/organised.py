"""Halls for the tests of the organiser's part: a small test, an owner, and people who answer it."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from sqlalchemy import select

from halls import add_member, add_person, hall_in, signed_in
from made import asked, comprehension, passage
from readmark.core.records import Answer, Passage
from readmark.formats.registry import save_test
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Assignment, Item, Project

TOWNS = ("Oxford", "Leeds", "Dover", "Bath")

TABS = ("items", "configuration", "people", "assignments", "quality", "agreement", "export")
"""Pages of a project besides its overview."""


def town_passage(number: int, split: str | None = None) -> Passage:
    """A passage with two questions and their key."""
    town, year = TOWNS[number % len(TOWNS)], 1800 + number
    text = f"The mill of {town} was built in {year} by two brothers."
    where = Answer(text=town, start=text.index(town), annotator="r1")
    when = Answer(text=str(year), start=text.index(str(year)), annotator="r1")
    first = asked(f"p{number}-where", text="Where does the mill stand?", level=1)
    second = asked(f"p{number}-when", text="When was it built?", level=2)
    questions = [
        type(question)(
            id=question.id,
            text=question.text,
            key=type(question.key)(answers=(answer,), level=level),
        )
        for question, answer, level in ((first, where, 1), (second, when, 2))
    ]
    return passage(f"p{number}", *questions, text=text, split=split)


def town_test(path: Path, *, count: int = 4, hidden: int = 0) -> Path:
    """A file of passages; the last ones may be of a hidden split."""
    splits = ["dev"] * (count - hidden) + ["test"] * hidden if hidden else [None] * count
    passages = [town_passage(number, split) for number, split in enumerate(splits)]
    header: dict[str, Any] = {"language": "en", "hidden": ("test",) if hidden else ()}
    save_test(comprehension(*passages, **header), path)
    return path


def chinese_test(path: Path, *, count: int = 2) -> Path:
    """A file of Chinese passages, for what is done on Chinese words."""
    passages = [
        passage(f"p{number}", text=f"第{number + 1}座磨坊建于{1800 + number}年。")
        for number in range(count)
    ]
    save_test(comprehension(*passages, language="zh"), path)
    return path


def answers_project(
    app: Any, file: Path, *, settings: str = "overlap = 2", **more: Path
) -> Project:
    """A stored project of second answers to the questions of a file."""
    text = shipped_configuration("second_answers")
    lines = [line for line in text.split("\n") if not line.startswith("overlap")]
    text = "\n".join(lines).replace("[project]", f"[project]\n{settings}", 1)
    sources = [ItemSource(path, purpose) for purpose, path in more.items()]
    new = prepare_project(text, [*sources, ItemSource(file)])
    with hall_in(app).database.writing() as session:
        return store_project(session, new, slug="answers")


def add_annotators(app: Any, project: Project, *logins: str) -> dict[str, str]:
    """New annotators, with the items that they should have."""
    people = {login: add_person(app, login) for login in logins}
    for person in people.values():
        add_member(app, project.id, person, "annotator")
    with hall_in(app).database.writing() as session:
        hand_out(session, project)
    return people


def work_on(app: Any, person: str, purpose: str = "work") -> dict[str, str]:
    """A person's assignments by the item's name."""
    with hall_in(app).database.reading() as session:
        rows = session.execute(
            select(Item.name, Assignment.id)
            .join(Assignment, Assignment.item_id == Item.id)
            .where(Assignment.person_id == person, Item.purpose == purpose)
            .order_by(Assignment.position)
        )
        return {row.name: row.id for row in rows}


def answered(number: int, *quotes: str) -> dict[str, dict[str, Any]]:
    """The answers of a form to the questions of a passage, and that the item is finished."""
    text = town_passage(number).text
    questions = town_passage(number).questions
    objects: dict[str, dict[str, Any]] = {}
    for index, quote in enumerate(quotes):
        start = text.index(quote)
        span = {"text": "passage", "start": start, "end": start + len(quote), "quote": quote}
        objects[f"q-{index + 1}"] = {
            "type": "entry",
            "entry": "answer",
            "order": index + 1.0,
            "prompt": questions[index].text,
            "fields": {"answer": span},
        }
    return {**objects, "status": {"type": "status", "done": True}}


def send(app: Any, person: str, assignment: str, objects: Any, *, seconds: float = 30.0) -> Any:
    """Save objects as a browser does."""
    events = [
        {"sequence": number, "object": id, "value": value, "seconds": seconds}
        for number, (id, value) in enumerate(objects.items(), 1)
    ]
    body = {"client": str(uuid.uuid4()), "events": events}
    response = signed_in(app, person).post(f"/api/assignments/{assignment}/events", json=body)
    assert response.status_code == 200, response.text
    return response.json()
