"""Where people's versions of an item differ, and how much of that adjudicators have decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError
from readmark.hooks import Adjudication
from readmark.server.configurations import newest_version
from readmark.server.items import items_of
from readmark.server.project_work import last_event, work_of_project
from readmark.server.tables import Assignment, Item, Project
from readmark.server.views import ADJUDICATION, adjudication_of, newest_configuration
from readmark.server.workers import people_per_item, workers_of
from readmark.works import ProjectWork, WorkItem, decisions_in, undecided

_encoder = msgspec.json.Encoder(order="deterministic")


@dataclass(frozen=True)
class ComparedWork:
    """Finished work on the items that enough people have handed in, and what differs."""

    project: ProjectWork
    adjudication: Adjudication
    disputes: Mapping[str, WorkItem]
    """What the adjudicators' item about each item would be now, by the name of that item."""
    stored: Mapping[str, Item]
    """The newest adjudicators' item that the hall has about each, by the same names."""
    crowded: tuple[str, ...]
    """Items that more people have handed in than can be compared."""
    state: tuple[Any, ...]
    """The `compared_state` that it was made in."""

    def current(self, name: str) -> Item | None:
        """The stored item of a dispute, if it is about the present versions."""
        dispute, stored = self.disputes.get(name), self.stored.get(name)
        if dispute is None or stored is None or stored.key != stored_json(dispute.key):
            return None
        return stored


def stored_json(value: Any) -> str:
    """JSON as items store it: equal values are equal texts, so that texts can be compared."""
    return _encoder.encode(value).decode()


def compare_work(session: Session, project: Project) -> ComparedWork:
    """Compare the work on all items that enough people have handed in."""
    # The state is read first: what happens during the comparison then makes it look out of date.
    state = compared_state(session, project.id)
    configuration = newest_configuration(session, project.id)
    adjudication = adjudication_of(configuration.project.work)
    if adjudication is None:
        raise UsageError(f"projects of the work {configuration.project.work!r} are not adjudicated")
    work = work_of_project(session, project.id)
    needed = people_per_item(configuration, len(workers_of(session, project.id)))
    assignments = session.execute(
        select(Item.name, func.count().label("people"))
        .join(Assignment, Assignment.item_id == Item.id)
        .where(Item.project_id == project.id, Item.purpose == "work")
        .where(Assignment.withdrawn.is_(None))
        .group_by(Item.name)
    )
    people_assigned = {row.name: row.people for row in assignments}
    comparable, crowded = set(), []
    for item in work.items:
        finished = sum(item.name in person.finished for person in work.people)
        if adjudication.most is not None and finished > adjudication.most:
            crowded.append(item.name)
        # An item that fewer people have than the project asks for does not wait for the others.
        elif finished >= 2 and finished >= min(needed, people_assigned.get(item.name, 0)):
            comparable.add(item.name)
    compared = work.finished_on(comparable)
    disputes = {dispute.name: dispute for dispute in adjudication.disputes(compared)}
    stored = stored_disputes(session, project.id)
    return ComparedWork(compared, adjudication, disputes, stored, tuple(crowded), state)


def stored_disputes(session: Session, project_id: str) -> dict[str, Item]:
    """The newest adjudicators' item about each item, by the name of the item that it is about."""
    names = {item.id: item.name for item in items_of(session, project_id, "work")}
    rows = items_of(session, project_id, ADJUDICATION)
    return {names[row.about_id]: row for row in rows if row.about_id is not None}


def compared_state(session: Session, project_id: str) -> tuple[Any, ...]:
    """What a comparison depends on; if it is equal later, so is the comparison.

    Handing out and withdrawing leave no event, so assignments are counted.
    """
    assignments = select(
        func.count(), func.count(Assignment.withdrawn), func.max(Assignment.withdrawn)
    ).where(Assignment.project_id == project_id)
    disputes = select(func.count()).where(
        Item.project_id == project_id, Item.purpose == ADJUDICATION
    )
    version = newest_version(session, project_id).version
    counts = (*session.execute(assignments).one(), session.scalar(disputes))
    return (last_event(session, project_id), version, *counts)


def decided_work(
    session: Session, project: Project, *, compared: ComparedWork | None = None
) -> ProjectWork:
    """The adjudicators' work that counts: handed in, decided in full, about present versions."""
    compared = compare_work(session, project) if compared is None else compared
    work = work_of_project(session, project.id, ADJUDICATION)
    current = {
        stored.name for name in compared.disputes if (stored := compared.current(name)) is not None
    }
    items = {item.name: item for item in work.items if item.name in current}
    # Of two adjudicators of an item, only those who decided everything count.
    people = [
        replace(
            person,
            finished=frozenset(
                name
                for name in person.finished & items.keys()
                if not undecided(items[name], person.objects[name])
            ),
        )
        for person in work.people
    ]
    decided = {name for person in people for name in person.finished}
    return replace(work, people=people).finished_on(decided)


@dataclass(frozen=True)
class DisputeState:
    """An item that enough people have handed in, and how far it is adjudicated."""

    name: str
    places: int
    """Places that differ."""
    decided: int
    state: str
    """``agreed``, ``new`` (not yet handed out), ``open``, ``decided``, or ``crowded``: more people
    have handed it in than can be compared."""


SETTLED = ("agreed", "decided")
"""The states of items that are in the gold."""


def dispute_states(session: Session, project: Project) -> list[DisputeState]:
    """How far the adjudication is of every item that enough people have handed in."""
    if adjudication_of(newest_configuration(session, project.id).project.work) is None:
        return []
    compared = compare_work(session, project)
    decided = decided_work(session, project, compared=compared)
    decided_names = {item.key["item"] for item in decided.items}
    adjudicated = work_of_project(session, project.id, ADJUDICATION)
    items = {item.name: item for item in adjudicated.items}
    # Of two adjudicators of an item, the one who has decided more is shown.
    decisions: dict[str, int] = {}
    for person in adjudicated.people:
        for name, objects in person.objects.items():
            count = len(decisions_in(items[name], objects))
            decisions[name] = max(decisions.get(name, 0), count)
    states = []
    for item in compared.project.items:
        dispute, stored = compared.disputes.get(item.name), compared.current(item.name)
        if dispute is None:
            states.append(DisputeState(item.name, 0, 0, "agreed"))
            continue
        places = len(dispute.key["lines"])
        if stored is None:
            states.append(DisputeState(item.name, places, 0, "new"))
        else:
            state = "decided" if item.name in decided_names else "open"
            states.append(DisputeState(item.name, places, decisions.get(stored.name, 0), state))
    return states + [DisputeState(name, 0, 0, "crowded") for name in compared.crowded]
