"""Opening disagreements: what differs becomes items for adjudicators, who are handed them."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.assignment import lock_project, require_open
from readmark.server.assignment_plan import Pair, plan_assignments
from readmark.server.audit import AuditAction, record
from readmark.server.changes import Change
from readmark.server.days import DAY
from readmark.server.disputes import (
    ComparedWork,
    compare_work,
    compared_state,
    stored_disputes,
    stored_json,
)
from readmark.server.handing_in import done_in
from readmark.server.items import items_of
from readmark.server.log import append
from readmark.server.object_states import objects_of
from readmark.server.tables import Assignment, Item, Project
from readmark.server.views import ADJUDICATION, item_of, newest_configuration
from readmark.server.workers import workers_of
from readmark.works import carried_forms

DISPUTED = "disputed"
"""The lock on annotators' work that adjudicators compare, one of `handing_in.LOCKS`."""
CARRIED = "carried-decisions"
"""The client of decisions that were carried over from an earlier item."""


@dataclass(frozen=True)
class OpenedDisputes:
    """What opening disagreements has changed."""

    added: int
    superseded: int
    """Items of which a version has changed since."""
    handed_out: int
    missing: int
    """Items that nobody can adjudicate: all adjudicators have worked on them, or there are none."""


def open_disputes(
    session: Session,
    project: Project,
    *,
    compared: ComparedWork | None = None,
    by: str | None = None,
) -> OpenedDisputes:
    """Make adjudicators' items of finished work that differs, and hand them out.

    Doing it again adds what is new. Where a version has changed since, a new item takes the
    place of the old one, with the decisions about versions that have not changed. ``compared`` is
    a comparison made before the lock, so that nobody waits for it to save; it is made again here
    if anything has happened since.
    """
    locked = lock_project(session, project.id)
    require_open(locked)
    if compared is None or compared.state != compared_state(session, locked.id):
        compared = compare_work(session, locked)
    else:
        # Items of the reading session cannot be used in this one.
        compared = replace(compared, stored=stored_disputes(session, locked.id))
    added = superseded = 0
    ids = {item.name: item.id for item in items_of(session, locked.id, "work")}
    earlier = items_of(session, locked.id, ADJUDICATION)
    now = time.time()
    taken = {row.name for row in earlier}
    current: dict[str, Item] = {}
    for name, dispute in compared.disputes.items():
        item, previous = compared.current(name), compared.stored.get(name)
        if item is None:
            item = Item(
                project_id=locked.id,
                position=len(earlier) + added,
                name=_free_name(name, taken),
                purpose=ADJUDICATION,
                paper=stored_json(dispute.paper),
                key=stored_json(dispute.key),
                about_id=ids[name],
            )
            session.add(item)
            session.flush()
            added += 1
            if previous is not None:
                superseded += 1
                _supersede(session, previous, item, now)
        current[item.name] = item
    agreed = {item.name for item in compared.project.items if item.name not in compared.disputes}
    for name in agreed & compared.stored.keys():
        _withdraw_all(session, compared.stored[name], now)
    _lock_annotators(session, locked.id, {ids[name] for name in compared.disputes})
    handed_out, missing = _hand_out(session, locked, current, now)
    if added or handed_out:
        counts = {"added": added, "handed_out": handed_out}
        record(session, AuditAction.DISPUTES_OPENED, by, locked.id, **counts)
    return OpenedDisputes(added, superseded, handed_out, missing)


def _free_name(name: str, taken: set[str]) -> str:
    """A name for a new item; another item may be called as a second version would be."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name[:290]} ({number})"  # names of items have up to 300 characters
    taken.add(free)
    return free


def _lock_annotators(session: Session, project_id: str, item_ids: Collection[str]) -> None:
    """Nobody takes back what adjudicators compare, unless an organiser reopens it."""
    handed_in = done_in(session, project_id)
    unlocked = select(Assignment).where(
        Assignment.project_id == project_id,
        Assignment.withdrawn.is_(None),
        Assignment.locked.is_(None),
    )
    for assignment in session.scalars(unlocked):
        if assignment.item_id in item_ids and assignment.id in handed_in:
            assignment.locked = DISPUTED


def _withdraw_all(session: Session, item: Item, now: float) -> list[Assignment]:
    """Withdraw an item from everybody who has it; their assignments."""
    assignments = session.scalars(
        select(Assignment).where(Assignment.item_id == item.id, Assignment.withdrawn.is_(None))
    ).all()
    for assignment in assignments:
        assignment.withdrawn = now
    return list(assignments)


def _supersede(session: Session, previous: Item, item: Item, now: float) -> None:
    """Give the new item to whoever had the old one, with the decisions that still hold."""
    old, new = item_of(previous), item_of(item)
    for withdrawn in _withdraw_all(session, previous, now):
        assignment = Assignment(
            project_id=withdrawn.project_id,
            item_id=item.id,
            person_id=withdrawn.person_id,
            position=withdrawn.position,
            due=withdrawn.due,
        )
        session.add(assignment)
        session.flush()
        decisions = carried_forms(old, new, objects_of(session, withdrawn.id))
        changes = [
            Change(sequence=number, object=id, value=value)
            for number, (id, value) in enumerate(decisions.items(), 1)
        ]
        if changes:
            append(session, assignment, CARRIED, changes)


def _hand_out(
    session: Session, project: Project, items: Mapping[str, Item], now: float
) -> tuple[int, int]:
    """Give each item, by name, to one adjudicator who has not worked on what it is about.

    How many were handed out, and how many nobody can take.
    """
    configuration = newest_configuration(session, project.id)
    workers = workers_of(session, project.id, ADJUDICATION)
    adjudicators = {person.login: person for person in workers}
    logins = {person.id: login for login, person in adjudicators.items()}
    names = {item.id: item.name for item in items.values()}
    names_by_subject = {item.about_id: item.name for item in items.values()}
    handed_in = done_in(session, project.id)
    active: set[Pair] = set()
    barred: set[Pair] = set()
    positions: dict[str, int] = {}
    """The next position in each person's list."""
    for row in session.scalars(select(Assignment).where(Assignment.project_id == project.id)):
        login = logins.get(row.person_id, row.person_id)
        positions[row.person_id] = max(positions.get(row.person_id, 0), row.position + 1)
        if row.item_id in names_by_subject:
            barred.add((names_by_subject[row.item_id], login))
        elif row.item_id in names:
            # Somebody who left keeps what they finished; nothing that was withdrawn comes back.
            is_active = row.withdrawn is None and (login in adjudicators or row.id in handed_in)
            (active if is_active else barred).add((names[row.item_id], login))
    plan = plan_assignments(
        list(items),
        list(adjudicators),
        seed=configuration.project.seed,
        active=active,
        barred=barred,
    )
    days = configuration.project.days
    for name, login in plan.added:
        person_id = adjudicators[login].id
        position = positions.setdefault(person_id, 0)
        session.add(
            Assignment(
                project_id=project.id,
                item_id=items[name].id,
                person_id=person_id,
                position=position,
                due=None if days is None else now + days * DAY,
                created=now,
            )
        )
        positions[person_id] += 1
    session.flush()
    return len(plan.added), len(plan.missing or {})
