"""Projects: made of a configuration and tests, found by a short name, opened and closed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import UsageError, did_you_mean
from readmark.hooks import hook
from readmark.server.audit import AuditAction, record
from readmark.server.clock import close_overdue
from readmark.server.configurations import add_version, naming_lines
from readmark.server.items import ItemSource, ReadItems, add_items, open_tests, read_items
from readmark.server.stored_project import StoredInHall
from readmark.server.tables import Project, ProjectFile
from readmark.server.views import CONTROL, work_named
from readmark.works import MATERIALS, WORKS, Configuration, read_configuration, read_project

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")
_RESERVED = frozenset({"new"})
"""What stands in addresses in the place of a slug."""
_ORDER = ("practice", "qualifying", "work", CONTROL)
"""The purposes of items in the order of their positions: people practise and qualify first."""


@dataclass(frozen=True)
class NewProject:
    """A project before it is stored: a configuration, and everything that is worked on."""

    configuration: str
    sources: tuple[ReadItems, ...]


def prepare_project(configuration: str, sources: Sequence[ItemSource]) -> NewProject:
    """Read everything that a new project needs; the work may complete the configuration."""
    configuration = configuration.replace("\r\n", "\n")
    draft = read_configuration(configuration)
    main = next((source for source in sources if source.purpose == "work"), None)
    if main is None:
        raise UsageError("a project needs a test to work on")
    if draft.project.work in WORKS:
        complete = hook(work_named(draft.project.work), "complete")
        if complete is not None:  # categories that come from a task or its domain
            tests, _ = open_tests(main, hidden=False)
            configuration = complete(configuration, tests, draft)
    parsed, _ = read_project(configuration)
    with naming_lines(configuration):
        return NewProject(configuration, tuple(read_items(source, parsed) for source in sources))


def store_project(
    session: Session,
    new: NewProject,
    *,
    slug: str = "",
    by: str | None = None,
) -> Project:
    """Store a new project."""
    configuration, work = read_project(new.configuration)
    slug = _require_free(session, slug) if slug else _free_slug(session, configuration)
    headers = [
        header for source in new.sources if source.purpose == "work" for header in source.headers
    ]
    project = Project(slug=slug, headers=msgspec.json.encode(headers).decode())
    session.add(project)
    session.flush()
    add_version(session, project.id, 1, new.configuration, configuration, by=by)
    for source in sorted(new.sources, key=lambda source: _ORDER.index(source.purpose)):
        if source.kept is None:
            add_items(session, project, source, by=by)
        else:
            task = ProjectFile(
                project_id=project.id,
                person_id=by,
                role="task",
                name=source.kept.name,
                content=source.kept.content,
                about=msgspec.json.encode(source.kept.about).decode(),
            )
            session.add(task)
        if source.materials is not None:
            materials = ProjectFile(
                project_id=project.id,
                person_id=by,
                role="materials",
                name=MATERIALS,
                content=source.materials,
            )
            session.add(materials)
    work_name = configuration.project.work
    record(session, AuditAction.PROJECT_CREATED, by, project.id, slug=slug, work=work_name)
    if (follow := hook(work, "follow")) is not None:
        follow(StoredInHall(session, project.id, configuration), None)
    return project


def set_open(session: Session, project: Project, is_open: bool, *, by: str | None = None) -> None:
    """Open a project for work, or close it; a closed one can be read and exported."""
    row = session.get_one(Project, project.id)  # the given one may be of another session
    if row.is_open != is_open:
        close_overdue(session, row.id)  # while it is open: a closed project takes no event
        row.is_open = is_open
        action = AuditAction.PROJECT_OPENED if is_open else AuditAction.PROJECT_CLOSED
        record(session, action, by, project.id)


def project_named(session: Session, slug: str) -> Project:
    """The project of a slug."""
    project = session.scalar(select(Project).where(Project.slug == slug))
    if project is None:
        known = list(session.scalars(select(Project.slug).order_by(Project.slug)))
        raise UsageError(f"unknown project {slug!r}; {did_you_mean(slug, known)}")
    return project


def _require_free(session: Session, slug: str) -> str:
    if not _SLUG.fullmatch(slug) or slug in _RESERVED:
        raise UsageError(
            f"{slug[:60]!r} cannot be a short name: expected lower-case letters, digits and hyphens"
        )
    if session.scalar(select(Project.id).where(Project.slug == slug)) is not None:
        raise UsageError(f"there is a project {slug!r} already")
    return slug


def _free_slug(session: Session, configuration: Configuration) -> str:
    """A short name made of the project's name, or of its work where that has no Latin letters."""
    name = configuration.project.name
    text = name if isinstance(name, str) else name.get("en", "")
    words = re.findall(r"[a-z0-9]+", text.lower())
    base = "-".join(words)[:50].strip("-") or configuration.project.work.replace("_", "-")
    taken = set(session.scalars(select(Project.slug).where(Project.slug.startswith(base))))
    taken |= _RESERVED
    slug, number = base, 1
    while slug in taken:
        number += 1
        slug = f"{base}-{number}"
    return slug
