"""Handing out: everybody gets the items that they should have, as `assignment_plan` decides.

Whoever plans locks the project first, so that no two plans give the same item away.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import exists, func, select, update
from sqlalchemy.orm import Session

from readmark.hooks import hook
from readmark.server.assignment import lock_project, next_positions, pairs_knowing, require_open
from readmark.server.assignment_plan import AssignmentPlan, Pair, plan_assignments
from readmark.server.audit import AuditAction, record
from readmark.server.control_items import hand_out_checks
from readmark.server.database import store_rows
from readmark.server.days import DAY
from readmark.server.handing_in import done_in
from readmark.server.items import items_of
from readmark.server.tables import Assignment, AuditEntry, Event, Item, Person, Project, new_ids
from readmark.server.training import TrainingResult, qualified_people
from readmark.server.views import CONTROL, newest_configuration, work_named
from readmark.server.workers import overlaps_in, people_per_item, workers_of
from readmark.works import Configuration

_IDS_A_STATEMENT = 500

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
    project = lock_project(session, project.id)
    require_open(project)
    configuration = newest_configuration(session, project.id)
    days = configuration.project.days
    if due is None and days is not None:
        due = now + days * DAY
    training = _hand_out_training(session, project.id)
    people = {person.login: person for person in workers_of(session, project.id)}
    qualified = qualified_people(session, project.id, configuration, results)
    ready = [login for login, person in people.items() if person.id in qualified]
    items = _work_items(session, project.id)
    plan, assignments = _plan(
        session, project.id, configuration, items, people, ready, balance=balance
    )
    # Not deleted: a browser that is offline may have begun it, and sends if it is given back.
    withdrawn = [assignments[pair] for pair in plan.removed]
    for start in range(0, len(withdrawn), _IDS_A_STATEMENT):
        in_batch = Assignment.id.in_(withdrawn[start : start + _IDS_A_STATEMENT])
        session.execute(update(Assignment).where(in_batch).values(withdrawn=now))
    pairs = _in_order_of_work(plan.added, configuration, list(items))
    _store(session, project.id, pairs, items, people, due=due, now=now)
    checks = hand_out_checks(
        session,
        project.id,
        configuration,
        [people[login] for login in ready],
        controls=items_of(session, project.id, CONTROL),
        barred=pairs_knowing(session, project.id, CONTROL, people.values()),
        due=due,
        now=now,
    )
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
    waiting = tuple(sorted(people[login].name for login in people if login not in ready))
    return HandOut(added, len(plan.removed), missing, waiting, reason)


def _work_items(session: Session, project_id: str) -> dict[str, str]:
    """The ids of a project's items of work by name, in their order, and none of their papers."""
    rows = session.execute(
        select(Item.name, Item.id)
        .where(Item.project_id == project_id, Item.purpose == "work")
        .order_by(Item.position)
    )
    return {row.name: row.id for row in rows}


def _plan(
    session: Session,
    project_id: str,
    configuration: Configuration,
    items: Mapping[str, str],
    people: Mapping[str, Person],
    ready: Sequence[str],
    *,
    balance: bool,
) -> tuple[AssignmentPlan, Mapping[Pair, str]]:
    """Who is to get what, and the ids of the assignments that count already."""
    names = {id: name for name, id in items.items()}
    logins = {row.id: row.login for row in session.execute(select(Person.id, Person.login))}
    assignments = [
        ((names[row.item_id], logins[row.person_id]), row)
        for row in _assignments(session, project_id)
        if row.item_id in names
    ]
    handed_in = done_in(session, project_id)
    # Somebody who left counts for the items that they finished, and gives the others back.
    active = {
        pair: row.id
        for pair, row in assignments
        if row.withdrawn is None and (pair[1] in people or row.id in handed_in)
    }
    given_back = {pair for pair, _ in assignments if pair not in active}
    movable: set[Pair] = set()
    if balance:
        begun = _begun(session, project_id)
        movable = {pair for pair, id in active.items() if id not in begun}
    plan = plan_assignments(
        list(items),
        ready,
        overlap=people_per_item(configuration, len(ready)),
        overlaps=overlaps_in(session, project_id, configuration),
        seed=configuration.project.seed,
        active=active,
        barred=given_back | pairs_knowing(session, project_id, "work", people.values()),
        movable=movable,
    )
    return plan, active


def _in_order_of_work(
    pairs: Sequence[Pair], configuration: Configuration, items: Sequence[str]
) -> Sequence[Pair]:
    """Pairs in the order that the work gives everybody, if it gives one."""
    order = hook(work_named(configuration.project.work), "order")
    if order is None:
        return pairs
    places = {
        (name, login): place
        for login in {login for _, login in pairs}
        for place, name in enumerate(order(list(items), configuration, login))
    }
    return sorted(pairs, key=lambda pair: (pair[1], places[pair]))


def _store(
    session: Session,
    project_id: str,
    pairs: Collection[Pair],
    items: Mapping[str, str],
    people: Mapping[str, Person],
    *,
    due: float | None,
    now: float,
) -> None:
    """Store an assignment for each pair, after what its person has already."""
    positions = next_positions(session, project_id)
    person_ids = {login: person.id for login, person in people.items()}
    rows = []
    for name, login in pairs:
        person_id = person_ids[login]
        position = positions.get(person_id, 0)
        positions[person_id] = position + 1
        rows.append((items[name], person_id, position))
    # There may be hundreds of thousands. In the order of the indexes, the database need not read
    # and write their pages again and again.
    rows.sort()
    columns = ("id", "item_id", "person_id", "position", "project_id", "due", "created")
    ids = new_ids(len(rows))
    values = [(id, *row, project_id, due, now) for id, row in zip(ids, rows, strict=True)]
    store_rows(session, "assignments", columns, values)


def top_up(
    session: Session, project_id: str, results: Mapping[str, TrainingResult] | None = None
) -> int:
    """Hand out what a newcomer or somebody who has just qualified should have; how much.

    Before the organiser hands out work for the first time, only training items are. ``results``
    are as for `hand_out`.
    """
    project = lock_project(session, project_id)
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
    return _hand_out_training(session, project.id)


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


def _hand_out_training(session: Session, project_id: str) -> int:
    """Practice and qualifying items for everybody who does not have them yet, in their order."""
    items = [
        item
        for purpose in ("practice", "qualifying")
        for item in items_of(session, project_id, purpose)
    ]
    if not items:
        return 0
    # Withdrawn ones too: they do not come again by themselves.
    assigned = {(row.item_id, row.person_id) for row in _assignments(session, project_id)}
    positions = next_positions(session, project_id)
    added = 0
    for person in workers_of(session, project_id):
        for item in items:
            if (item.id, person.id) in assigned:
                continue
            position = positions.get(person.id, 0)
            positions[person.id] = position + 1
            session.add(
                Assignment(
                    project_id=project_id, item_id=item.id, person_id=person.id, position=position
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
