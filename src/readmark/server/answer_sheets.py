"""A test on paper: numbered questions to print, their key, and answers typed back in.

Typed answers go through the event log as the person's own work; the client of the events names who
typed them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.formats.people_names import require_name
from readmark.server.audit import AuditAction, record
from readmark.server.changes import Change
from readmark.server.clock import required_exam
from readmark.server.handing_in import STATUS
from readmark.server.items import items_of
from readmark.server.log import append, last_sequence
from readmark.server.object_states import object_states, state_with, states_of
from readmark.server.objects import check_object
from readmark.server.people_of_files import (
    assignment_for,
    is_placeholder,
    people_by_label,
    placeholder,
)
from readmark.server.tables import Assignment, Event, Item, Person, Project
from readmark.server.views import headers_of, item_of, newest_configuration, open_item
from readmark.server.workers import workers_of
from readmark.works import PrintedPaper, ProjectWork

TYPED = "typed-"
"""How the client of typed answers begins; the id of who typed them follows."""


def printed_paper(session: Session, project_id: str, *, with_key: bool = False) -> PrintedPaper:
    """The paper of a project's test; keys are in it only where they are asked for."""
    configuration = newest_configuration(session, project_id)
    exam = required_exam(configuration)
    headers = headers_of(session.get_one(Project, project_id))
    items = [item_of(item) for item in items_of(session, project_id, "work")]
    return exam.paper(ProjectWork(configuration, headers, items, ()), with_key=with_key)


@dataclass(frozen=True)
class TypedIn:
    """What became of typed answers: how many are stored, and what to look at, by number."""

    person: str
    name: str
    count: int
    problems: Mapping[int, str]


def people_to_type_for(session: Session, project_id: str) -> list[Person]:
    """People of a project whose answers can be typed in, by name."""
    people = people_by_label(session, project_id).values()
    assigned = select(Assignment.person_id).where(Assignment.project_id == project_id).distinct()
    events = assigned.join(Event, Event.assignment_id == Assignment.id)
    # Nobody types over what somebody is answering in the hall.
    begun = {
        *session.scalars(events.where(~Event.client.startswith(TYPED))),
        *session.scalars(assigned.where(Assignment.ends.is_not(None))),  # their clock runs
    }
    sitters = {person.id for person in workers_of(session, project_id)} - begun
    eligible = (person for person in people if person.id in sitters or is_placeholder(person))
    return sorted(eligible, key=lambda person: person.name)


def last_typed(session: Session, project_id: str, person_id: str) -> int:
    """The last event of a person's answers: a form that shows them says which it has seen."""
    assignments = select(Assignment.id).where(
        Assignment.project_id == project_id, Assignment.person_id == person_id
    )
    last = session.scalar(
        select(func.max(Event.number)).where(Event.assignment_id.in_(assignments))
    )
    return last or 0


def typed_before(session: Session, project_id: str, person_id: str) -> dict[int, str]:
    """What was typed in for a person, by the numbers of the paper."""
    rows = session.execute(
        select(Item.name, Assignment.id)
        .join(Item, Item.id == Assignment.item_id)
        .where(Assignment.project_id == project_id, Assignment.person_id == person_id)
    ).all()
    states = states_of(session, [row.id for row in rows])
    objects = {row.name: states.get(row.id, {}) for row in rows}
    return {
        question.number: words
        for question in printed_paper(session, project_id).questions
        if (words := question.typed(objects.get(question.item, {})))
    }


def type_in(
    session: Session,
    project: Project,
    answers: Mapping[int, str],
    *,
    by: str,
    person_id: str = "",
    name: str = "",
    seen: int = 0,
) -> TypedIn:
    """Store typed answers as a person's work, and hand them in.

    The person has not begun or cannot log in; a new ``name`` gets an account that nobody can use.
    Nothing takes the place of answers that the form did not show: ``seen`` is their last event.
    """
    session.get(Project, project.id, with_for_update=True)
    person = _person(session, project, person_id, name.strip())
    if last_typed(session, project.id, person.id) != seen:
        message = f"{person.name} already has answers: choose Show to see and change them"
        raise UsageError(message)
    items = {item.name: item for item in items_of(session, project.id, "work")}
    problems: dict[int, str] = {}
    values: dict[str, dict[str, dict[str, Any] | None]] = {name: {} for name in items}
    unread: set[str] = set()
    count = 0
    for question in printed_paper(session, project.id).questions:
        opened = open_item(session, project.id, items[question.item].id)
        entry = opened.view.objects[question.entry]
        answer = question.read(answers.get(question.number, ""), entry)
        if answer.problem:
            problems[question.number] = answer.problem
        if answer.problem == "unreadable":
            unread.add(question.item)
        count += bool(answer.count)
        values[question.item] |= answer.objects
    for item_name, item in items.items():
        done = {"type": "status", "done": item_name not in unread}
        assignment = assignment_for(session, project, item.id, person)
        _store(session, assignment, by, {**values[item_name], STATUS: done})
    detail = {"person": person.id, "typed": count}
    record(session, AuditAction.IMPORTED, by, project.id, **detail)
    return TypedIn(person.id, person.name, count, problems)


def _person(session: Session, project: Project, person_id: str, name: str) -> Person:
    """Whose answers are typed: somebody of the list, or a new person of a name."""
    if person_id:
        for person in people_to_type_for(session, project.id):
            if person.id == person_id:
                return person
        raise UsageError("this person works in the hall: nobody types answers in their place")
    if not name:
        raise UsageError("choose a person, or give a name or number")
    require_name(name, "person's", is_file=True)
    taken = {
        taken_name.casefold()
        for label, person in people_by_label(session, project.id).items()
        for taken_name in (label, person.name)
    }
    if name.casefold() in taken:
        raise UsageError(f"there is somebody called {name!r} already: choose them from the list")
    return placeholder(session, project, name)


def _store(
    session: Session,
    assignment: Assignment,
    by: str,
    values: Mapping[str, dict[str, Any] | None],
) -> None:
    """Append what differs from what is stored; further answers that are no longer typed go."""
    client = f"{TYPED}{by}"[:40]
    opened = open_item(session, assignment.project_id, assignment.item_id)
    states = object_states(session, assignment.id)
    present = state_with(opened.view.objects, states)
    # The id of a further answer is that of its question, a dot and a number.
    removed = [id for id in present if "." in id and id not in values]
    new_values: dict[str, dict[str, Any] | None] = {**values, **dict.fromkeys(removed)}
    last = last_sequence(session, assignment.id, client)
    changes: list[Change] = []
    for id, value in new_values.items():
        if present.get(id) == value:
            continue
        check_object(id, value, opened.texts)
        base = states[id].event if id in states else None
        changes.append(Change(last + len(changes) + 1, id, value, base))
    if changes:
        append(session, assignment, client, changes, by=by)
