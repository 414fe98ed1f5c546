"""Everybody with an account, for the hall's owner: the list, shutting out, links for passwords."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, HTTPException, Query, Request
from pydantic import BaseModel
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse, Response

from readmark.server.access import (
    AtWork,
    Id,
    OwnerInBrowser,
    OwnerOnly,
    Permitted,
    Reading,
    hall_of,
)
from readmark.server.accounts import disable_person, enable_person
from readmark.server.bodies import HallRoute, Sent
from readmark.server.invitations import PASSWORD, invite
from readmark.server.routes.links import link_to
from readmark.server.routes.people_page import PersonShown, show_people, shown_people
from readmark.server.tables import Person

pages = APIRouter(route_class=HallRoute, prefix="/people", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api", tags=["people"])


class PeopleOrder(StrEnum):
    """What people can be sorted by."""

    LOGIN = "login"
    NAME = "name"
    CREATED = "created"


ORDER = {
    PeopleOrder.LOGIN: Person.login,
    PeopleOrder.NAME: Person.name,
    PeopleOrder.CREATED: Person.created,
}


@pages.get("")
def people_page(request: Request, session: Reading, permitted: OwnerOnly) -> HTMLResponse:
    """Everybody with an account, and the open invitations."""
    return show_people(request, session, permitted)


@api.get("/people")
def list_people(
    session: Reading,
    permitted: OwnerOnly,
    order: PeopleOrder = PeopleOrder.LOGIN,
    is_disabled: bool | None = None,
    offset: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[PersonShown]:
    """Everybody with an account; pupils have none."""
    query = select(Person).where(Person.class_id.is_(None)).order_by(ORDER[order], Person.id)
    if is_disabled is not None:
        query = query.where(Person.is_disabled == is_disabled)
    return shown_people(session, query.offset(offset).limit(limit))


@api.get("/me")
def me(session: Reading, permitted: AtWork) -> PersonShown:
    """The person behind the session or token."""
    return _shown(session, permitted.person)


def _shown(session: Session, person: Person) -> PersonShown:
    [shown] = shown_people(session, select(Person).where(Person.id == person.id))
    return shown


class PersonChange(Sent):
    """What an owner changes."""

    is_disabled: bool


@pages.post("/{person}/disable")
def disable(request: Request, person: Id, permitted: OwnerOnly) -> Response:
    """Shut a person out."""
    _change(request, permitted, person, is_disabled=True)
    return RedirectResponse("/people", 303)


@pages.post("/{person}/enable")
def enable(request: Request, person: Id, permitted: OwnerOnly) -> Response:
    """Let a person in again."""
    _change(request, permitted, person, is_disabled=False)
    return RedirectResponse("/people", 303)


@api.patch("/people/{person}")
def change_person(
    request: Request, person: Id, change: PersonChange, permitted: OwnerOnly
) -> PersonShown:
    """Shut a person out, or let them in again."""
    return _change(request, permitted, person, is_disabled=change.is_disabled)


def _change(
    request: Request, permitted: Permitted, person_id: str, *, is_disabled: bool
) -> PersonShown:
    with hall_of(request).database.writing() as session:
        person = _person(session, person_id)
        change = disable_person if is_disabled else enable_person
        change(session, person, permitted.person)
        session.flush()
        return _shown(session, person)


class LinkShown(BaseModel):
    """A one-time link."""

    link: str
    expires: float


@pages.post("/{person}/password")
def make_password_link_on_page(
    request: Request, person: Id, permitted: OwnerInBrowser
) -> HTMLResponse:
    """A link for somebody who has lost their password."""
    link = _password_link(request, permitted, person)
    with hall_of(request).database.reading() as fresh:
        return show_people(request, fresh, permitted, link=link.link)


@api.post("/people/{person}/password-link", status_code=201)
def make_password_link(request: Request, person: Id, permitted: OwnerInBrowser) -> LinkShown:
    """A link for somebody who has lost their password."""
    return _password_link(request, permitted, person)


def _password_link(request: Request, permitted: Permitted, person_id: str) -> LinkShown:
    hall = hall_of(request)
    with hall.database.writing() as session:
        person = _person(session, person_id)
        if person.class_id is not None:  # pupils have no password
            raise HTTPException(404, "Not found.")
        row, secret = invite(session, hall, PASSWORD, person_id=person.id, by=permitted.person)
        return LinkShown(link=link_to(request, secret), expires=row.expires)


def _person(session: Session, person_id: str) -> Person:
    """The person with an id, else 404."""
    person = session.get(Person, person_id)
    if person is None:
        raise HTTPException(404, "Not found.")
    return person
