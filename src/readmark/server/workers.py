"""Whom items are handed out to, and how many people get each."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.hooks import hook
from readmark.server.access import WORKERS, HallRole
from readmark.server.items import items_of
from readmark.server.tables import Membership, Person
from readmark.server.views import ADJUDICATION, item_of, newest_configuration, work_named
from readmark.works import Configuration


def workers_of(session: Session, project_id: str, purpose: str = "work") -> list[Person]:
    """The people of a project whom items of a purpose are handed out to, by login."""
    roles = roles_for(newest_configuration(session, project_id), purpose)
    members = select(Membership.person_id).where(
        Membership.project_id == project_id, Membership.role.in_([str(role) for role in roles])
    )
    people = session.scalars(
        select(Person)
        .where(Person.id.in_(members), Person.is_disabled.is_(False))
        .order_by(Person.login)
    )
    return list(people)


def roles_for(configuration: Configuration, purpose: str = "work") -> tuple[str, ...]:
    """The roles that get items of a purpose."""
    if purpose == ADJUDICATION:
        return (HallRole.ADJUDICATOR,)
    return working_roles(configuration.project.roles)


def working_roles(roles: Sequence[str]) -> tuple[str, ...]:
    """The roles that get a project's work: those that its configuration names, or all but one.

    Adjudicators decide about others' work, so they get none where nobody says so.
    """
    others = tuple(str(role) for role in WORKERS if role != HallRole.ADJUDICATOR)
    return tuple(roles) or others


def people_per_item(configuration: Configuration, people: int) -> int:
    """How many people each item goes to, of as many as there are."""
    overlap = configuration.project.overlap
    return people if overlap == "all" else overlap


def overlaps_in(session: Session, project_id: str, configuration: Configuration) -> dict[str, int]:
    """Items of work by name that go to another number of people than the project's others."""
    people_for = hook(work_named(configuration.project.work), "people_for")
    if people_for is None:
        return {}
    overlaps = {
        item.name: people_for(item_of(item), configuration)
        for item in items_of(session, project_id, "work")
    }
    return {name: count for name, count in overlaps.items() if count is not None}
