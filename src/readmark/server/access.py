"""Who is asking, and what they may do. Every route names one rule of this module.

What somebody may not see does not exist for them: the answer is 404, never 403, wherever the
object belongs to another project or another person.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import inspect
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import anyio.to_thread
from anyio import CapacityLimiter
from fastapi import Depends, HTTPException, Path, Request
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from readmark.server.addresses import is_nearby
from readmark.server.database import Database
from readmark.server.settings import COOKIE as COOKIE
from readmark.server.settings import HallSettings
from readmark.server.tables import (
    ApiToken,
    Assignment,
    Invitation,
    LoginSession,
    Membership,
    Person,
    Project,
)
from readmark.works import WORKERS as WORKERS
from readmark.works import HallRole as HallRole


class Scope(StrEnum):
    """What an API token may be used for."""

    READ = "read"
    WORK = "work"
    SUBMIT = "submit"
    ORGANISE = "organise"
    METRICS = "metrics"


@dataclass(frozen=True)
class Hall:
    """What every request can reach."""

    settings: HallSettings
    database: Database

    def hashed(self, secret: str) -> str:
        """The keyed hash under which a secret is stored and looked up."""
        return hmac.new(self.settings.secret, secret.encode(), hashlib.sha256).hexdigest()


def hall_of(request: Request) -> Hall:
    """The hall that a request is sent to."""
    hall: Hall = request.app.state.hall
    return hall


async def reading(request: Request) -> AsyncIterator[Session]:
    """A session for one request; `giving_back` ends it."""
    with hall_of(request).database.reading() as session:
        yield session
        if session.in_transaction():  # an answer that is made while it is sent has used it again
            # Without a place among the threads that may be waiting for this connection.
            await anyio.to_thread.run_sync(session.rollback, limiter=CapacityLimiter(1))


Reading = Annotated[Session, Depends(reading)]


def giving_back(endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """A route's function, which gives its connection back in the thread that it has.

    To check and send an answer takes another thread and the client's patience. A hundred requests
    that waited for either held every connection, and every thread was waiting for one of those.
    """
    if inspect.iscoroutinefunction(endpoint):
        return endpoint

    @functools.wraps(endpoint)
    def closing(*arguments: Any, **options: Any) -> Any:
        try:
            return endpoint(*arguments, **options)
        finally:
            for value in options.values():
                if isinstance(value, Session):
                    value.close()

    return closing


@dataclass(frozen=True)
class Caller:
    """Who sent a request: a person, with the scopes of the token if it was not a browser."""

    person: Person | None
    scopes: frozenset[str] | None = None
    session: str = ""
    """The key of the browser's session, which is a keyed hash."""

    def can(self, scope: Scope) -> bool:
        """Whether the token allows it; a browser's session allows everything."""
        return self.scopes is None or scope in self.scopes


# Every request runs these. They are built once, which saves most of what a query costs.
_SIGNED_IN = (
    select(Person, LoginSession.secret)
    .join(LoginSession, LoginSession.person_id == Person.id)
    .where(LoginSession.secret == bindparam("hashed"), LoginSession.expires > bindparam("now"))
)
_ASSIGNED = (
    select(Assignment, Project)
    .join(Project, Project.id == Assignment.project_id)
    .where(Assignment.id == bindparam("id"))
)
_ROLES = select(Membership.role).where(
    Membership.project_id == bindparam("project"), Membership.person_id == bindparam("person")
)


PERSON = "readmark.person"
"""The member of a request's scope that has the id of its person, once that is known."""


def caller_of(request: Request, session: Reading) -> Caller:
    """The person behind a request's cookie or token, else nobody."""
    with hall_of(request).database.glancing(session):
        return _caller(request, session)


def _caller(request: Request, session: Session) -> Caller:
    """The caller, whose id then stands in the request's scope."""
    caller = _caller_of_secret(request, session)
    if caller.person is not None:
        request.scope[PERSON] = caller.person.id
    return caller


def _caller_of_secret(request: Request, session: Session) -> Caller:
    """The person whose token or session the request has; a token that is not valid is a 401."""
    hall, now = hall_of(request), time.time()
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and secret:
        token = session.scalar(select(ApiToken).where(ApiToken.secret == hall.hashed(secret)))
        if token is None or token.revoked is not None or (token.expires or now) < now:
            raise HTTPException(401, "The API token is not valid.")
        person = session.get(Person, token.person_id)
        return Caller(_enabled(person), frozenset(token.scopes.split()))
    if secret := request.cookies.get(hall.settings.cookie, ""):
        row = session.execute(_SIGNED_IN, {"hashed": hall.hashed(secret), "now": now}).one_or_none()
        if row is not None:
            return Caller(_enabled(row[0]), session=row[1])
    return Caller(None)


def _enabled(person: Person | None) -> Person | None:
    return None if person is None or person.is_disabled else person


Asking = Annotated[Caller, Depends(caller_of)]


@dataclass(frozen=True)
class Permitted:
    """What a rule found: the person, and the project and assignment that the path names."""

    person: Person
    project: Any = None
    assignment: Any = None
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True)
class AccessRule:
    """Who may call a route. ``roles`` are roles in the project that the path names; an owner has
    them all. An assignment is open to its own person, and to ``roles``."""

    name: str
    scope: Scope = Scope.READ
    roles: tuple[HallRole, ...] = ()
    of_hall: bool = False
    in_browser: bool = False
    """Whether a session is needed: no token changes passwords or makes tokens."""
    pupils: bool = False
    """Whether pupils pass, who see nothing of the hall but their own work."""
    nearby: bool = False
    """Whether programs on this machine, and in networks that the settings name, pass as nobody."""

    def __call__(self, request: Request, session: Reading) -> Permitted:
        """Let the request pass, or answer 401 or 404; 410 if the person's work was withdrawn."""
        if self.nearby and is_nearby(request):
            return Permitted(None)  # type: ignore[arg-type]
        with hall_of(request).database.glancing(session):
            return self._permitted(request, _caller(request, session), session)

    def _permitted(self, request: Request, caller: Caller, session: Session) -> Permitted:
        person = caller.person
        if person is None:
            raise HTTPException(401, "Please log in.")
        if not caller.can(self.scope):
            raise HTTPException(403, f"The API token lacks the scope {self.scope}.")
        if self.in_browser and caller.scopes is not None:
            raise HTTPException(403, "This needs a browser, not an API token.")
        if person.class_id is not None and not (self.pupils and caller.scopes is None):
            raise HTTPException(404, "Not found.")
        if self.of_hall and not person.is_owner:
            raise HTTPException(404, "Not found.")
        parameters = request.path_params
        assignment: Assignment | None = None
        project: Project | None
        if "assignment" in parameters:
            row = session.execute(_ASSIGNED, {"id": parameters["assignment"]}).one_or_none()
            if row is None:
                raise HTTPException(404, "Not found.")
            assignment, project = row
        elif "invitation" in parameters:
            invitation = session.get(Invitation, parameters["invitation"])
            if invitation is None or (invitation.project_id is None and not person.is_owner):
                raise HTTPException(404, "Not found.")
            if invitation.project_id is None:
                return Permitted(person)
            project = session.get(Project, invitation.project_id)
        elif "project" in parameters:
            project = session.scalar(select(Project).where(Project.slug == parameters["project"]))
            if project is None:
                raise HTTPException(404, "Not found.")
        else:
            return Permitted(person)
        assert project is not None
        if project.slug != parameters.get("project", project.slug):
            raise HTTPException(404, "Not found.")
        roles = roles_in(session, project, person)
        is_own = assignment is not None and assignment.person_id == person.id and bool(roles)
        if is_own and assignment is not None and assignment.withdrawn is not None:
            raise HTTPException(410, "This work was withdrawn. Nothing more is saved.")
        if not is_own and not (roles & {*self.roles}):
            raise HTTPException(404, "Not found.")
        return Permitted(person, project, assignment, roles)


def roles_in(session: Session, project: Project, person: Person) -> frozenset[str]:
    """What a person is in a project; an owner is everything."""
    if person.is_owner:
        return frozenset(HallRole)
    rows = session.connection().execute(_ROLES, {"project": project.id, "person": person.id})
    return frozenset(row.role for row in rows)


SIGNED_IN = AccessRule("signed in")
IN_BROWSER = AccessRule("signed in, in a browser", in_browser=True)
OWNER = AccessRule("owner", Scope.ORGANISE, of_hall=True)
OWNER_IN_BROWSER = AccessRule("owner, in a browser", Scope.ORGANISE, of_hall=True, in_browser=True)
"""For links that lead to an owner's account or to anybody's password: no token makes them."""
AT_WORK = AccessRule("signed in, or a pupil", pupils=True)
METRICS = AccessRule("metrics", Scope.METRICS, of_hall=True, nearby=True)
"""For programs that watch the hall: on this machine, or with an owner's token of that scope."""
MEMBER = AccessRule("member", Scope.READ, (HallRole.ORGANISER, *WORKERS), pupils=True)
"""For pages of a project that show nothing but the person's own work."""
ORGANISER = AccessRule("organiser", Scope.ORGANISE, (HallRole.ORGANISER,))
OWN_WORK = AccessRule("own assignment", Scope.WORK, pupils=True)
"""The assignment's own person; not even an organiser writes in their name."""


# What routes take: each alias is a parameter that lets in those whom its rule names.

SignedIn = Annotated[Permitted, Depends(SIGNED_IN)]
InBrowser = Annotated[Permitted, Depends(IN_BROWSER)]
AtWork = Annotated[Permitted, Depends(AT_WORK)]
OwnerOnly = Annotated[Permitted, Depends(OWNER)]
OwnerInBrowser = Annotated[Permitted, Depends(OWNER_IN_BROWSER)]
MayOrganise = Annotated[Permitted, Depends(ORGANISER)]
OwnWork = Annotated[Permitted, Depends(OWN_WORK)]
Id = Annotated[str, Path(max_length=64)]
"""The id of something in a path."""
