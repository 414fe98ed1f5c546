"""Provisional: replaced by the log's own module."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.test import Header
from readmark.server.projects import configuration_of, items_of, stored_item
from readmark.server.tables import Assignment, Event, Item, Person, Project
from readmark.server.works.work import PersonsWork, ProjectWork


def states_of(session: Session, assignment_ids: Sequence[str]) -> dict[str, dict[str, Any]]:
    states: dict[str, dict[str, Any]] = {}
    for event in session.scalars(
        select(Event)
        .where(Event.assignment_id.in_(assignment_ids), Event.is_conflict.is_(False))
        .order_by(Event.number)
    ):
        value = json.loads(event.value)
        state = states.setdefault(event.assignment_id, {})
        if value is None:
            state.pop(event.object, None)
        else:
            state[event.object] = value
    return states


def objects_in(session: Session, project_id: str, purpose: str = "work") -> dict[str, Any]:
    ids = session.scalars(
        select(Assignment.id)
        .join(Item, Item.id == Assignment.item_id)
        .where(
            Assignment.project_id == project_id,
            Assignment.withdrawn.is_(None),
            Item.purpose == purpose,
        )
    ).all()
    return states_of(session, ids)


def last_event_in(session: Session, project_id: str) -> int:
    return (
        session.scalar(
            select(func.max(Event.number))
            .join(Assignment, Assignment.id == Event.assignment_id)
            .where(Assignment.project_id == project_id)
        )
        or 0
    )


def work_of_project(session: Session, project_id: str) -> ProjectWork:
    project = session.get(Project, project_id)
    assert project is not None
    items = {item.id: stored_item(item) for item in items_of(session, project_id, "work")}
    assignments = [
        one
        for one in session.scalars(
            select(Assignment).where(
                Assignment.project_id == project_id, Assignment.withdrawn.is_(None)
            )
        )
        if one.item_id in items
    ]
    states = states_of(session, [one.id for one in assignments])
    seconds = dict(
        session.execute(
            select(Event.assignment_id, func.sum(Event.seconds)).group_by(Event.assignment_id)
        )
        .tuples()
        .all()
    )
    people = []
    for person in session.scalars(select(Person).order_by(Person.name)):
        own = [one for one in assignments if one.person_id == person.id and one.id in states]
        if own:
            people.append(
                PersonsWork(
                    person.name,
                    {items[one.item_id].name: states[one.id] for one in own},
                    {items[one.item_id].name: seconds.get(one.id, 0.0) for one in own},
                    frozenset(
                        items[one.item_id].name
                        for one in own
                        if states[one.id].get("status", {}).get("done")
                    ),
                )
            )
    headers = tuple(msgspec.convert(header, Header) for header in json.loads(project.headers))
    return ProjectWork(configuration_of(session, project_id), headers, list(items.values()), people)


class Change(msgspec.Struct, frozen=True):
    sequence: int
    object: str
    value: dict[str, Any] | None
    base: int | None = None
    resolves: int | None = None
    seconds: float = 0.0


class ObjectState(msgspec.Struct, frozen=True):
    event: int
    value: Any
    client: str


def object_states(session: Session, assignment: str) -> dict[str, ObjectState]:
    return {
        event.object: ObjectState(event.number, json.loads(event.value), event.client)
        for event in session.scalars(
            select(Event)
            .where(Event.assignment_id == assignment, Event.is_conflict.is_(False))
            .order_by(Event.number)
        )
    }


def append(
    session: Session, assignment: str, person: str, client: str, changes: Sequence[Change]
) -> list[Any]:
    states = object_states(session, assignment)
    results: list[Any] = []
    for change in changes:
        if session.scalar(
            select(Event.number).where(Event.client == client, Event.sequence == change.sequence)
        ):
            results.append(SimpleNamespace(status="repeated"))
            continue
        state = states.get(change.object)
        session.add(
            event := Event(
                assignment_id=assignment,
                person_id=person,
                client=client,
                sequence=change.sequence,
                object=change.object,
                value=json.dumps(change.value),
                base=change.base,
                is_conflict=state is not None
                and state.event != change.base
                and state.value != change.value,
                seconds=change.seconds,
            )
        )
        session.flush()
        results.append(SimpleNamespace(status="conflict" if event.is_conflict else "saved"))
    return results


def is_done(objects: Any) -> bool:
    return bool(objects.get("status", {}).get("done"))


def seconds_of(session: Session, project: str) -> dict[str, float]:
    rows = session.execute(
        select(Event.assignment_id, func.sum(Event.seconds))
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(Assignment.project_id == project)
        .group_by(Event.assignment_id)
    )
    return {assignment: float(seconds) for assignment, seconds in rows}


def done_in(session: Session, project: str) -> dict[str, float]:
    newest = (
        select(func.max(Event.number))
        .join(Assignment, Assignment.id == Event.assignment_id)
        .where(
            Assignment.project_id == project,
            Event.object == "status",
            Event.is_conflict.is_(False),
        )
        .group_by(Event.assignment_id)
    )
    rows = session.execute(
        select(Event.assignment_id, Event.value, Event.received).where(Event.number.in_(newest))
    )
    return {
        row.assignment_id: row.received
        for row in rows
        if (json.loads(row.value) or {}).get("done") is True
    }
