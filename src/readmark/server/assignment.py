"""Giving people items and taking them back: handing out by plan, by hand, and deadlines.

`assignment_plan` decides who gets what. Whoever plans locks the project first, so that no two plans
give the same item away.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Select, exists, func, select, update
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.formats.people_names import folded_name
from readmark.hooks import hook
from readmark.server.access import WORKERS, HallRole
from readmark.server.assignment_plan import Pair, plan_assignments
from readmark.server.audit import AuditAction, record
from readmark.server.changes import Change
from readmark.server.database import store_rows
from readmark.server.handing_in import STATUS, done_in, is_done_value
from readmark.server.items import items_of
from readmark.server.log import BY_THE_HALL, append, last_sequence
from readmark.server.object_states import object_states
from readmark.server.tables import (
    Assignment,
    AuditEntry,
    Event,
    Item,
    Membership,
    Person,
    Project,
    new_ids,
)
from readmark.server.training import TrainingResult, hand_out_checks, qualified_people
from readmark.server.views import ADJUDICATION, CONTROL, item_of, newest_configuration, work_named
from readmark.works import Configuration

DAY = 86_400.0
BATCH = 500
"""Ids in one statement."""


NothingHandedOut = Literal["no_people", "no_items", "waiting", "too_few_people", "complete"]
"""Nobody can work, nothing is to do, nobody has qualified, nobody is left for what is missing, or
everybody has everything."""


@dataclass(frozen=True)
class HandOut:
    """What was handed out: new assignments, those taken back, and items that lack people."""

    added: int
    removed: int = 0
    missing: int = 0
    waiting: tuple[str, ...] = ()
    """People who have not qualified yet."""
    reason: NothingHandedOut | None = None
    """Why nothing was handed out, where nothing was."""


def hand_out(
    session: Session,
    project: Project,
    *,
    balance: bool = False,
    due: float | None = None,
    by: str | None = None,
    now: float | None = None,
    is_top_up: bool = False,
    results: Mapping[str, TrainingResult] | None = None,
) -> HandOut:
    """Give people what they should have: training items at once, work when they qualify.

    ``balance`` also moves what nobody has begun from those with most to those with least. ``due``
    takes the place of the configuration's days. ``results`` are those of `results_to_hand_out_by`:
    without them, other writers wait until everybody's qualifying items are graded.
    """
    now = time.time() if now is None else now
    project = _open(session, project.id)
    configuration = newest_configuration(session, project.id)
    training = _hand_out_training(session, project, configuration)
    people = {person.login: person for person in workers_of(session, project.id)}
    qualified = qualified_people(session, project.id, configuration, results)
    ready = [login for login, person in people.items() if person.id in qualified]
    items = {row.name: row.id for row in session.execute(_names(project.id, "work"))}
    names = {id: name for name, id in items.items()}
    logins = {row.id: row.login for row in session.execute(select(Person.id, Person.login))}
    assignments: list[tuple[Pair, Any]] = [
        ((names[row.item_id], logins[row.person_id]), row)
        for row in _assignments(session, project.id)
        if row.item_id in names
    ]
    handed_in = done_in(session, project.id)
    # Somebody who left counts for the items that they finished, and gives the others back.
    active = {
        pair: row
        for pair, row in assignments
        if row.withdrawn is None and (pair[1] in people or row.id in handed_in)
    }
    begun = _begun(session, project.id) if balance else set()
    plan = plan_assignments(
        list(items),
        ready,
        overlap=people_per_item(configuration, len(ready)),
        overlaps=overlaps_in(session, project.id, configuration),
        seed=configuration.project.seed,
        active=active,
        barred={pair for pair, _ in assignments if pair not in active}
        | _knowing(session, project.id, "work", people.values()),
        movable={pair for pair, row in active.items() if row.id not in begun} if balance else (),
    )
    # Not deleted: a browser that is offline may have begun it, and sends if it is given back.
    withdrawn = [active[pair].id for pair in plan.removed]
    for start in range(0, len(withdrawn), BATCH):
        in_batch = Assignment.id.in_(withdrawn[start : start + BATCH])
        session.execute(update(Assignment).where(in_batch).values(withdrawn=now))
    positions = _next_positions(session, project.id)
    days = configuration.project.days
    work = work_named(configuration.project.work)
    added_pairs = list(plan.added)
    if (order := hook(work, "order")) is not None:
        places = {
            (name, login): place
            for login in people
            for place, name in enumerate(order(list(items), configuration, login))
        }
        added_pairs.sort(key=lambda pair: (pair[1], places[pair]))
    until = due if due is not None else None if days is None else now + days * DAY
    project_id, ids = project.id, {login: person.id for login, person in people.items()}
    rows = []
    for name, login in added_pairs:
        person_id = ids[login]
        position = positions.get(person_id, 0)
        positions[person_id] = position + 1
        rows.append((items[name], person_id, position))
    # There may be hundreds of thousands. In the order of the indexes, the database need not read
    # and write their pages again and again.
    rows.sort()
    columns = ("id", "item_id", "person_id", "position", "project_id", "due", "created")
    store_rows(
        session,
        "assignments",
        columns,
        [
            (id, *row, project_id, until, now)
            for id, row in zip(new_ids(len(rows)), rows, strict=True)
        ],
    )
    checks = hand_out_checks(
        session,
        project.id,
        configuration,
        [people[login] for login in ready],
        controls=items_of(session, project.id, CONTROL),
        barred=_knowing(session, project.id, CONTROL, people.values()),
        due=until,
        now=now,
    )
    waiting = tuple(sorted(people[login].name for login in people if login not in ready))
    added = training + checks + len(plan.added) - len(plan.removed)
    if added or plan.removed or not is_top_up:  # `top_up` looks for the first one
        detail = {"added": added, "moved": len(plan.removed)}
        record(session, AuditAction.ASSIGNED, by, project.id, **detail)
    missing = sum((plan.missing or {}).values())
    reason: NothingHandedOut | None = None
    if not added and not plan.removed:
        if not people:
            reason = "no_people"
        elif not items:
            reason = "no_items"
        elif not ready:
            reason = "waiting"
        else:
            reason = "too_few_people" if missing else "complete"
    return HandOut(added, len(plan.removed), missing, waiting, reason)


def top_up(
    session: Session, project_id: str, results: Mapping[str, TrainingResult] | None = None
) -> int:
    """Hand out what a newcomer or somebody who has just qualified should have; how much.

    Before the organiser hands out work for the first time, only training items are. ``results``
    are as for `hand_out`.
    """
    project = _locked(session, project_id)
    if not project.is_open:
        return 0
    has_begun = session.scalar(
        select(
            exists().where(
                AuditEntry.project_id == project_id, AuditEntry.action == AuditAction.ASSIGNED
            )
        )
    )
    configuration = newest_configuration(session, project_id)
    if has_begun and not _is_handed_out(session, project_id, configuration):
        return hand_out(session, project, is_top_up=True, results=results).added
    return _hand_out_training(session, project, configuration)


def _is_handed_out(session: Session, project_id: str, configuration: Configuration) -> bool:
    """Whether the database alone can tell that nobody is to get anything but training.

    A plan for 300,000 assignments takes seconds, in which nobody else saves, and in a project
    that is handed out a newcomer changes nothing.
    """
    overlap = configuration.project.overlap
    if overlap == "all" or configuration.project.repeat:
        return False
    if hook(work_named(configuration.project.work), "people_for") is not None:
        return False
    if items_of(session, project_id, CONTROL):
        return False
    is_active = [Assignment.project_id == project_id, Assignment.withdrawn.is_(None)]
    holders = set(session.scalars(select(Assignment.person_id).where(*is_active).distinct()))
    if holders - {person.id for person in workers_of(session, project_id)}:
        return False  # somebody who left holds items only if they are finished
    by_item = select(Assignment.item_id).where(*is_active).group_by(Assignment.item_id)
    lacking = select(Item.id).where(
        Item.project_id == project_id,
        Item.purpose == "work",
        Item.id.not_in(by_item.having(func.count() >= overlap)),
    )
    return session.scalar(select(lacking.exists())) is False


def assign_item(
    session: Session,
    project: Project,
    item: Item,
    person: Person,
    *,
    due: float | None = None,
    by: str | None = None,
) -> Assignment:
    """Give a person an item by hand; one that was withdrawn from them comes back as it was."""
    _open(session, project.id)
    workers = workers_of(session, project.id, item.purpose)
    if person.id not in {worker.id for worker in workers}:
        raise UsageError(f"{person.name} has no role in the project that items are handed out to")
    assignment = session.scalar(
        select(Assignment).where(Assignment.item_id == item.id, Assignment.person_id == person.id)
    )
    if assignment is not None and assignment.withdrawn is None:
        raise UsageError(f"{person.name} has {item.name} already")
    if assignment is None:
        if (item.name, person.login) in _knowing(session, project.id, item.purpose, [person]):
            raise UsageError(f"{person.name} knows the key of {item.name}")
        position = _next_positions(session, project.id).get(person.id, 0)
        assignment = Assignment(
            project_id=project.id, item_id=item.id, person_id=person.id, position=position
        )
        session.add(assignment)
    assignment.withdrawn = None
    assignment.due = due if due is not None else assignment.due
    session.flush()
    record(session, AuditAction.ASSIGNED, by, project.id, item=item.id, person=person.id)
    return assignment


def withdraw(
    session: Session, assignment: Assignment, *, by: str | None = None, now: float | None = None
) -> None:
    """Take an item back from a person; what they made of it stays in the log."""
    row = session.get(Assignment, assignment.id)  # the given one may be of another session
    assert row is not None
    if row.withdrawn is None:
        row.withdrawn = time.time() if now is None else now
        detail = {"item": row.item_id, "person": row.person_id}
        record(session, AuditAction.WITHDRAWN, by, row.project_id, **detail)


def reassign(
    session: Session, assignment: Assignment, person: Person, *, by: str | None = None
) -> Assignment:
    """Take an item from a person and give it to another, with the same deadline."""
    item = session.get(Item, assignment.item_id)
    project = session.get(Project, assignment.project_id)
    assert item is not None
    assert project is not None
    # Given first: if the other person cannot have it, nothing is taken back.
    reassigned = assign_item(session, project, item, person, due=assignment.due, by=by)
    withdraw(session, assignment, by=by)
    return reassigned


def reopen(session: Session, assignment: Assignment, *, by: str) -> None:
    """Let a person change an item again that was handed in or locked; ``by`` is the organiser."""
    _open(session, assignment.project_id)
    row = session.get(Assignment, assignment.id)  # the given one may be of another session
    assert row is not None
    status = object_states(session, row.id, {STATUS}).get(STATUS)
    is_done = status is not None and is_done_value(status.value)
    if not is_done and row.locked is None and row.ends is None:
        raise UsageError("the item is not handed in")
    row.locked = row.ends = None
    if status is not None and is_done:
        sequence = last_sequence(session, row.id, BY_THE_HALL) + 1
        change = Change(sequence, STATUS, {"type": STATUS, "done": False}, status.event)
        append(session, row, BY_THE_HALL, [change], by=by)
    detail = {"item": row.item_id, "person": row.person_id}
    record(session, AuditAction.REOPENED, by, row.project_id, **detail)


def set_due(
    session: Session,
    project_id: str,
    due: float | None,
    *,
    person_id: str | None = None,
    by: str | None = None,
) -> int:
    """Change the deadline of everybody's work, or of one person's; the number of items."""
    conditions = [Assignment.project_id == project_id, Assignment.withdrawn.is_(None)]
    if person_id is not None:
        conditions.append(Assignment.person_id == person_id)
    count = session.scalar(select(func.count()).select_from(Assignment).where(*conditions)) or 0
    session.execute(update(Assignment).where(*conditions).values(due=due))
    detail = {"due": due, "person": person_id, "items": count}
    record(session, AuditAction.DEADLINE_CHANGED, by, project_id, **detail)
    return count


def people_per_item(configuration: Configuration, people: int) -> int:
    """How many people each item goes to, of as many as there are."""
    overlap = configuration.project.overlap
    return people if overlap == "all" else overlap


def overlaps_in(session: Session, project_id: str, configuration: Configuration) -> dict[str, int]:
    """Items of work by name that go to another number of people than the project's others."""
    work = work_named(configuration.project.work)
    people_for = hook(work, "people_for")
    if people_for is None:
        return {}
    overlaps = {
        item.name: people_for(item_of(item), configuration)
        for item in items_of(session, project_id, "work")
    }
    return {name: count for name, count in overlaps.items() if count is not None}


def _names(project_id: str, purpose: str) -> Select[str, str]:
    """Selects the names and ids of a project's items in order, and none of their papers."""
    return (
        select(Item.name, Item.id)
        .where(Item.project_id == project_id, Item.purpose == purpose)
        .order_by(Item.position)
    )


def roles_for(configuration: Configuration, purpose: str = "work") -> tuple[str, ...]:
    """The roles that get items of a purpose."""
    if purpose == ADJUDICATION:
        return (HallRole.ADJUDICATOR,)
    return working_roles(configuration.project.roles)


def working_roles(roles: Sequence[str]) -> tuple[str, ...]:
    """The roles that get a project's work: those that its configuration names, or all but one."""
    others = tuple(str(role) for role in WORKERS if role != HallRole.ADJUDICATOR)
    return tuple(roles) or others


def workers_of(session: Session, project_id: str, purpose: str = "work") -> list[Person]:
    """The people of a project whom items of a purpose are handed out to, by login."""
    roles = roles_for(newest_configuration(session, project_id), purpose)
    return list(
        session.scalars(
            select(Person)
            .where(
                Person.id.in_(
                    select(Membership.person_id).where(
                        Membership.project_id == project_id,
                        Membership.role.in_([str(role) for role in roles]),
                    )
                ),
                Person.is_disabled.is_(False),
            )
            .order_by(Person.login)
        )
    )


def _locked(session: Session, project_id: str) -> Project:
    """The project, whose plans are made one after the other."""
    project = session.get(Project, project_id, with_for_update=True)
    assert project is not None
    return project


def _open(session: Session, project_id: str) -> Project:
    project = _locked(session, project_id)
    if not project.is_open:
        raise UsageError(f"the project {project.slug!r} is closed: open it first")
    return project


def _hand_out_training(session: Session, project: Project, configuration: Configuration) -> int:
    """Practice and qualifying items for everybody who does not have them yet, in their order."""
    items = [
        item
        for purpose in ("practice", "qualifying")
        for item in items_of(session, project.id, purpose)
    ]
    if not items:
        return 0
    # Withdrawn ones too: they do not come again by themselves.
    assigned = {(row.item_id, row.person_id) for row in _assignments(session, project.id)}
    positions = _next_positions(session, project.id)
    added = 0
    for person in workers_of(session, project.id):
        for item in items:
            if (item.id, person.id) in assigned:
                continue
            position = positions.get(person.id, 0)
            positions[person.id] = position + 1
            session.add(
                Assignment(
                    project_id=project.id, item_id=item.id, person_id=person.id, position=position
                )
            )
            added += 1
    session.flush()
    return added


def _assignments(session: Session, project_id: str) -> Sequence[Any]:
    """What is needed of a project's assignments; there may be a million of them."""
    return session.execute(
        select(Assignment.id, Assignment.item_id, Assignment.person_id, Assignment.withdrawn).where(
            Assignment.project_id == project_id
        )
    ).all()


def _next_positions(session: Session, project_id: str) -> dict[str, int]:
    """The first free position in everybody's list."""
    newest = session.execute(
        select(Assignment.person_id, func.max(Assignment.position))
        .where(Assignment.project_id == project_id)
        .group_by(Assignment.person_id)
    )
    return {person: position + 1 for person, position in newest}


def _begun(session: Session, project_id: str) -> set[str]:
    """The assignments that somebody has begun."""
    return set(
        session.scalars(
            select(Event.assignment_id)
            .join(Assignment, Assignment.id == Event.assignment_id)
            .where(Assignment.project_id == project_id)
            .distinct()
        )
    )


def _knowing(
    session: Session, project_id: str, purpose: str, people: Collection[Person]
) -> set[Pair]:
    """The pairs of an item and a person who wrote or answered what is in its key."""
    by_name: dict[str, list[str]] = {}
    for person in people:
        for name in {folded_name(person.name), folded_name(person.login)}:
            by_name.setdefault(name, []).append(person.login)
    keys = session.execute(
        select(Item.name, Item.key).where(
            Item.project_id == project_id,
            Item.purpose == purpose,
            Item.key.contains('"known_by"', autoescape=True),
        )
    )
    pairs: set[Pair] = set()
    for item, text in keys:
        key = json.loads(text)
        known_by = key.get("known_by", ()) if isinstance(key, dict) else ()
        for name in known_by:
            pairs |= {(item, login) for login in by_name.get(folded_name(str(name)), ())}
    return pairs
