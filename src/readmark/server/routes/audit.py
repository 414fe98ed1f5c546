"""The audit log: who did what, in the hall for its owner, in a project for its organisers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse

from readmark.server.access import MayOrganise, OwnerOnly, Permitted, Reading
from readmark.server.audit import AUDIT_PAGE, AuditAction, audit_rows
from readmark.server.bodies import HallRoute
from readmark.server.pages import render
from readmark.server.tables import Project

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api", tags=["people"])

Before = Annotated[int | None, Query(ge=1, le=2**62)]


class AuditShown(BaseModel):
    """An entry of the audit log."""

    number: int
    time: float
    person: str | None
    project: str | None
    action: str
    detail: dict[str, Any]


@dataclass(frozen=True)
class AuditPage:
    """Entries of the whole hall or of a project, newest first, all or those of an action."""

    project: str
    entries: Sequence[AuditShown]
    action: AuditAction | None
    actions: Sequence[AuditAction]

    @property
    def older(self) -> int | None:
        """The entry before which there may be more."""
        return self.entries[-1].number if len(self.entries) == AUDIT_PAGE else None


def _entries(
    session: Session, project: Project | None, action: AuditAction | None, before: int | None
) -> list[AuditShown]:
    rows = audit_rows(session, project.id if project else None, action, before)
    return [AuditShown(**row) for row in rows]


@pages.get("/audit")
def audit_page(
    request: Request,
    session: Reading,
    permitted: OwnerOnly,
    action: AuditAction | None = None,
    before: Before = None,
) -> HTMLResponse:
    """Who did what in the whole hall."""
    return _page(request, session, permitted, action, before)


@pages.get("/projects/{project}/audit")
def project_audit_page(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    action: AuditAction | None = None,
    before: Before = None,
) -> HTMLResponse:
    """Who did what in a project."""
    return _page(request, session, permitted, action, before)


def _page(
    request: Request,
    session: Session,
    permitted: Permitted,
    action: AuditAction | None,
    before: int | None,
) -> HTMLResponse:
    project = permitted.project
    entries = _entries(session, project, action, before)
    view = AuditPage(project.slug if project else "", entries, action, list(AuditAction))
    return render(request, "audit.html", person=permitted.person, view=view)


@api.get("/audit")
def audit(
    session: Reading,
    permitted: OwnerOnly,
    action: AuditAction | None = None,
    before: Before = None,
) -> list[AuditShown]:
    """Who did what in the whole hall, newest first."""
    return _entries(session, None, action, before)


@api.get("/projects/{project}/audit")
def project_audit(
    session: Reading,
    permitted: MayOrganise,
    action: AuditAction | None = None,
    before: Before = None,
) -> list[AuditShown]:
    """Who did what in the project, newest first."""
    return _entries(session, permitted.project, action, before)
