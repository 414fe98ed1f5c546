"""The versions of a project's configuration: the newest one counts, and every change adds one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import DataError, ReadmarkError
from readmark.hooks import hook
from readmark.server.audit import AuditAction, record
from readmark.server.stored_project import StoredInHall
from readmark.server.tables import ConfigurationVersion, Item, Project
from readmark.server.views import ADJUDICATION, item_of, newest_configuration
from readmark.works import Configuration, OptionFault, line_of, listing_of, read_project


class NewerConfiguration(ReadmarkError):
    """Somebody else has changed the configuration since a person began to edit it."""

    def __init__(self, newest: ConfigurationVersion) -> None:
        super().__init__(f"version {newest.version} has been saved in the meantime")
        self.version, self.text = newest.version, newest.text


def newest_version(session: Session, project_id: str) -> ConfigurationVersion:
    """The version that counts."""
    newest = session.scalar(
        select(ConfigurationVersion)
        .where(ConfigurationVersion.project_id == project_id)
        .order_by(ConfigurationVersion.version.desc())
        .limit(1)
    )
    assert newest is not None
    return newest


def configuration_version(session: Session, project_id: str, version: int) -> ConfigurationVersion:
    """A version of a project's configuration, by its number."""
    row = session.scalar(
        select(ConfigurationVersion).where(
            ConfigurationVersion.project_id == project_id, ConfigurationVersion.version == version
        )
    )
    if row is None:
        raise DataError(f"the project has no version {version} of its configuration")
    return row


def change_configuration(
    session: Session,
    project: Project,
    text: str,
    *,
    version: int | None = None,
    by: str | None = None,
) -> ConfigurationVersion:
    """Make a text the project's newest configuration; one that does not fit changes nothing.

    ``version`` is the one that was edited: if there is a newer one, that stays.
    """
    text = text.replace("\r\n", "\n")
    session.get(Project, project.id, with_for_update=True)  # one change after the other
    newest = newest_version(session, project.id)
    if text == newest.text:
        return newest
    if version is not None and version != newest.version:
        raise NewerConfiguration(newest)
    configuration, work = read_project(text)
    before = newest_configuration(session, project.id)
    if configuration.project.work != before.project.work:
        raise DataError(
            f"the project's items are made for {before.project.work!r}, not for "
            f"{configuration.project.work!r}: create another project for other work",
            file="project.toml",
            where=line_of(text, "project", "work"),
        )
    # The first item that people work on: those of adjudicators are not made for this view.
    item = session.scalar(
        select(Item)
        .where(Item.project_id == project.id, Item.purpose != ADJUDICATION)
        .order_by(Item.position)
        .limit(1)
    )
    if item is not None:
        work.view(item_of(item), configuration)
    if (follow := hook(work, "follow")) is not None:
        with naming_lines(text):
            follow(StoredInHall(session, project.id, configuration), before)
    row = add_version(session, project.id, newest.version + 1, text, configuration, by=by)
    record(session, AuditAction.CONFIGURATION_CHANGED, by, project.id, version=row.version)
    session.flush()
    return row


def add_version(
    session: Session,
    project_id: str,
    version: int,
    text: str,
    configuration: Configuration,
    *,
    by: str | None,
) -> ConfigurationVersion:
    """Store a version, with what lists of projects say of it."""
    row = ConfigurationVersion(
        project_id=project_id,
        version=version,
        text=text,
        listing=msgspec.json.encode(listing_of(configuration)).decode(),
        person_id=by,
    )
    session.add(row)
    return row


@contextmanager
def naming_lines(text: str) -> Iterator[None]:
    """Name the line of an option that does not fit the test."""
    try:
        yield
    except OptionFault as error:
        line = line_of(text, *error.path)
        raise DataError(str(error), file="project.toml", where=line) from error
