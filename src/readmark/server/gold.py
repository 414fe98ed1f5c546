"""Gold: what people agree on or adjudicators have decided, as files and as frozen versions."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.making import AgreementReport, agreement_of_files
from readmark.server.audit import AuditAction, record
from readmark.server.configurations import newest_version
from readmark.server.disputes import (
    SETTLED,
    compare_work,
    decided_work,
    dispute_states,
    stored_json,
)
from readmark.server.exported_files import ExportedFile, sums_of, without_folder, zipped
from readmark.server.project_work import last_erasure, last_event
from readmark.server.tables import FrozenGold, Project
from readmark.server.views import newest_configuration, work_named
from readmark.works import PEOPLE

GOLD_NAMES = ("adjudicated", "gold")
"""What works call the file of the gold; the first that there is, is compared with people's."""


def write_gold(session: Session, project: Project, folder: Path) -> list[Path]:
    """Write the gold of all items that are agreed or decided, and what it was made of.

    ``people/`` has everybody's work on exactly those items: with the decisions, the commands of
    the library make the same gold of it. Nothing is written before anything is settled.
    """
    compared = compare_work(session, project)
    decided = decided_work(session, project, compared=compared)
    decided_names = {str(item.key["item"]) for item in decided.items}
    settled = {
        item.name
        for item in compared.project.items
        if item.name not in compared.disputes or item.name in decided_names
    }
    if not settled:
        return []
    work = compared.project.finished_on(settled)
    people_files = work_named(work.configuration.project.work).write(work, folder)
    return [*people_files, *compared.adjudication.write(work, decided, folder)]


class GoldSummary(msgspec.Struct, frozen=True):
    """What a gold version was made of, and how far people agreed with each other and with it."""

    number: int
    event: int
    configuration: int
    items: int
    files: tuple[ExportedFile, ...]
    before: tuple[dict[str, Any], ...] = ()
    """Agreement of the people with each other, as ``set agree --json`` has it, a side each."""
    after: tuple[dict[str, Any], ...] = ()
    """Agreement of each person with the gold."""
    problem: str = ""
    """Why agreement cannot be measured."""


def make_gold(session: Session, project: Project) -> FrozenGold:
    """The present gold as a version that is not stored yet; nothing is written to the database."""
    newest = select(func.max(FrozenGold.number)).where(FrozenGold.project_id == project.id)
    number = 1 + (session.scalar(newest) or 0)
    with tempfile.TemporaryDirectory(prefix="readmark-gold-") as name:
        folder = Path(name)
        try:
            written = write_gold(session, project, folder)
        except ReadmarkError as error:
            raise UsageError(without_folder(str(error), folder)) from None
        if not written:
            raise UsageError("no item is agreed or decided yet")
        measures = newest_configuration(session, project.id).project.agree
        before, after, problem = _agreement_with(folder, measures)
        summary = GoldSummary(
            number=number,
            event=last_event(session, project.id),
            configuration=newest_version(session, project.id).version,
            items=sum(state.state in SETTLED for state in dispute_states(session, project)),
            files=sums_of(folder),
            before=before,
            after=after,
            problem=problem,
        )
        text = stored_json(summary)
        (folder / "version.json").write_bytes(msgspec.json.format(text.encode()) + b"\n")
        content = zipped(folder)
    return FrozenGold(project_id=project.id, number=number, summary=text, content=content)


def _agreement_with(
    folder: Path, measures: Sequence[str]
) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...], str]:
    """Agreement of people's files with each other, of each with the gold, or why there is none."""
    people_files = sorted(str(path) for path in (folder / PEOPLE).glob("*"))
    gold_files = [path for name in GOLD_NAMES for path in sorted(folder.glob(f"{name}.*"))]
    if not people_files or not gold_files:
        return (), (), "nobody has handed in anything that can be compared"
    try:
        before = _as_json(agreement_of_files(people_files, measures))
        after = [
            report
            for file in people_files
            for report in _as_json(agreement_of_files([file, str(gold_files[0])], measures))
        ]
    except ReadmarkError as error:
        return (), (), without_folder(str(error), folder)
    return tuple(before), tuple(after), ""


def _as_json(reports: Mapping[str, AgreementReport]) -> list[dict[str, Any]]:
    return [{"side": side or None, **report.as_json()} for side, report in reports.items()]


def freeze_gold(
    session: Session,
    project: Project,
    *,
    version: FrozenGold | None = None,
    by: str | None = None,
) -> FrozenGold:
    """Store a version that `make_gold` has made, by default of the present gold.

    The server makes it before it locks the project, so that people can save meanwhile.
    """
    session.get(Project, project.id, with_for_update=True)
    version = make_gold(session, project) if version is None else version
    summary = msgspec.json.decode(version.summary, type=GoldSummary)
    # Otherwise a version made before the erasure would bring the erased work back.
    if last_erasure(session, project.id) > summary.event:
        raise UsageError("somebody's work was erased meanwhile: freeze again")
    version.person_id = by
    session.add(version)
    record(session, AuditAction.GOLD_FROZEN, by, project.id, version=version.number)
    session.flush()
    return version


def gold_versions(session: Session, project_id: str) -> list[tuple[FrozenGold, GoldSummary]]:
    """The frozen versions of a project, the newest first."""
    rows = session.scalars(
        select(FrozenGold)
        .where(FrozenGold.project_id == project_id)
        .order_by(FrozenGold.number.desc())
    )
    return [(row, msgspec.json.decode(row.summary, type=GoldSummary)) for row in rows]
