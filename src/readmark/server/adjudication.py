"""From people's versions to gold: disagreements for adjudicators, and gold as frozen versions."""

from __future__ import annotations

import hashlib
import io
import tempfile
import time
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError, UsageError
from readmark.hooks import Adjudication
from readmark.making import AgreementReport, agreement_of_files
from readmark.server.assignment import (
    DAY,
    Pair,
    people_per_item,
    plan_assignments,
    workers_of,
)
from readmark.server.audit import AuditAction, record
from readmark.server.log import (
    Change,
    append,
    done_in,
    last_erasure,
    last_event,
    objects_of,
    work_of_project,
)
from readmark.server.projects import items_of, newest_version
from readmark.server.tables import Assignment, FrozenGold, Item, Project
from readmark.server.views import (
    ADJUDICATION,
    adjudication_of,
    item_of,
    newest_configuration,
    work_named,
)
from readmark.works import PEOPLE, ProjectWork, WorkItem, carried_forms, decisions_in, undecided

DISPUTED = "disputed"
"""The lock on annotators' work that adjudicators compare, of `log.LOCKS`."""
CARRIED = "carried-decisions"
"""The client of decisions that were carried over from an earlier item."""
_encode = msgspec.json.Encoder(order="deterministic").encode


# What is ready, what differs, and what is decided of it.


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


@dataclass(frozen=True)
class OpenedDisputes:
    """What opening disagreements has changed."""

    added: int
    superseded: int
    """Items of which a version has changed since."""
    handed_out: int
    missing: int
    """Items that nobody can adjudicate: all adjudicators have worked on them, or there are none."""


@dataclass(frozen=True)
class ComparedWork:
    """Finished work on the items that enough people have handed in, and what differs."""

    project: ProjectWork
    adjudication: Adjudication
    disputes: Mapping[str, WorkItem]
    stored: Mapping[str, Item]
    """The newest adjudicator's item about each, by the name of the item that it is about."""
    crowded: tuple[str, ...]
    """Items that more people have handed in than can be compared."""
    state: tuple[Any, ...]
    """What it was made of: the last event, the configuration, assignments and their ends."""

    def current(self, name: str) -> Item | None:
        """The stored item of a dispute, if it is about the present versions."""
        made, stored = self.disputes.get(name), self.stored.get(name)
        if made is None or stored is None or stored.key != _text(made.key):
            return None
        return stored


def _text(value: Any) -> str:
    return _encode(value).decode()


def compare_work(session: Session, project: Project) -> ComparedWork:
    """Compare the work on all items that enough people have handed in."""
    state = _state(session, project.id)
    configuration = newest_configuration(session, project.id)
    adjudication = adjudication_of(configuration.project.work)
    if adjudication is None:
        raise UsageError(f"{configuration.project.work!r} is work that nobody adjudicates")
    work = work_of_project(session, project.id)
    needed = people_per_item(configuration, len(workers_of(session, project.id)))
    holders: dict[str, int] = {}
    rows = session.execute(
        select(Item.name, func.count())
        .join(Assignment, Assignment.item_id == Item.id)
        .where(Item.project_id == project.id, Item.purpose == "work")
        .where(Assignment.withdrawn.is_(None))
        .group_by(Item.name)
    )
    for name, count in rows:
        holders[name] = count
    names, crowded = set(), []
    for item in work.items:
        finished = sum(item.name in person.finished for person in work.people)
        if adjudication.most is not None and finished > adjudication.most:
            crowded.append(item.name)
        elif finished >= 2 and finished >= min(needed, holders.get(item.name, 0)):
            names.add(item.name)
    compared = work.finished_on(names)
    disputes = {made.name: made for made in adjudication.disputes(compared)}
    stored = _stored(session, project.id)
    return ComparedWork(compared, adjudication, disputes, stored, tuple(crowded), state)


def _stored(session: Session, project_id: str) -> dict[str, Item]:
    """The newest adjudicator's item about each item, by the name of that."""
    about = {item.id: item.name for item in items_of(session, project_id, "work")}
    rows = items_of(session, project_id, ADJUDICATION)
    return {about[row.about_id]: row for row in rows if row.about_id is not None}


def _state(session: Session, project_id: str) -> tuple[Any, ...]:
    held = select(
        func.count(), func.count(Assignment.withdrawn), func.max(Assignment.withdrawn)
    ).where(Assignment.project_id == project_id)
    adjudicated = select(func.count()).where(
        Item.project_id == project_id, Item.purpose == ADJUDICATION
    )
    version = newest_version(session, project_id).version
    counts = (*session.execute(held).one(), session.scalar(adjudicated))
    return (last_event(session, project_id), version, *counts)


def dispute_states(session: Session, project: Project) -> list[DisputeState]:
    """How far the adjudication of every item is that enough people have handed in."""
    if adjudication_of(newest_configuration(session, project.id).project.work) is None:
        return []
    ready = compare_work(session, project)
    decided = _decided_work(session, project, ready)
    done = {item.key["item"] for item in decided.items}
    begun = work_of_project(session, project.id, ADJUDICATION)
    counts: dict[str, int] = {}
    begun_items = {item.name: item for item in begun.items}
    for person in begun.people:
        for name, objects in person.objects.items():
            made = len(decisions_in(begun_items[name], objects))
            counts[name] = max(counts.get(name, 0), made)
    states = []
    for item in ready.project.items:
        dispute, stored = ready.disputes.get(item.name), ready.current(item.name)
        if dispute is None:
            states.append(DisputeState(item.name, 0, 0, "agreed"))
            continue
        places = len(dispute.key["lines"])
        if stored is None:
            states.append(DisputeState(item.name, places, 0, "new"))
        else:
            state = "decided" if item.name in done else "open"
            states.append(DisputeState(item.name, places, counts.get(stored.name, 0), state))
    return states + [DisputeState(name, 0, 0, "crowded") for name in ready.crowded]


# Opening disagreements.


def open_disputes(
    session: Session,
    project: Project,
    *,
    compared: ComparedWork | None = None,
    by: str | None = None,
) -> OpenedDisputes:
    """Make adjudicators' items of finished work that differs, and hand them out.

    Doing it again adds what is new. Where a version has changed since, a new item takes the
    place of the old one, with the decisions about versions that have not changed. ``compared``
    saves comparing while others wait to write; if anything has happened since, it is done again.
    """
    locked = session.get(Project, project.id, with_for_update=True)
    assert locked is not None
    if not locked.is_open:
        raise UsageError(f"the project {locked.slug!r} is closed: open it first")
    ready = compared
    if ready is None or ready.state != _state(session, locked.id):
        ready = compare_work(session, locked)
    else:
        ready = replace(ready, stored=_stored(session, locked.id))
    added = superseded = 0
    names = {item.name: item.id for item in items_of(session, locked.id, "work")}
    earlier = items_of(session, locked.id, ADJUDICATION)
    now = time.time()
    taken = {row.name for row in earlier}
    current: dict[str, Item] = {}
    for name, made in ready.disputes.items():
        item, before = ready.current(name), ready.stored.get(name)
        if item is None:
            item = Item(
                project_id=locked.id,
                position=len(earlier) + added,
                name=_free_name(name, taken),
                purpose=ADJUDICATION,
                paper=_text(made.paper),
                key=_text(made.key),
                about_id=names[name],
            )
            session.add(item)
            session.flush()
            added += 1
            if before is not None:
                superseded += 1
                _supersede(session, before, item, now)
        current[item.name] = item
    agreed = {item.name for item in ready.project.items if item.name not in ready.disputes}
    for name in agreed & ready.stored.keys():
        _withdraw_all(session, ready.stored[name], now)
    _lock_annotators(session, locked.id, [names[name] for name in ready.disputes])
    handed_out, missing = _hand_out(session, locked, current, now)
    counts = {"added": added, "handed_out": handed_out}
    if added or handed_out:
        record(session, AuditAction.DISPUTES_OPENED, by, locked.id, **counts)
    return OpenedDisputes(added, superseded, handed_out, missing)


def _free_name(name: str, taken: set[str]) -> str:
    """A name for a new item; another item may be called as a second version would be."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name[:290]} ({number})"
    taken.add(free)
    return free


def _lock_annotators(session: Session, project_id: str, items: Collection[str]) -> None:
    """Nobody takes back what adjudicators compare, unless an organiser reopens it."""
    done, wanted = done_in(session, project_id), {*items}
    held = select(Assignment).where(
        Assignment.project_id == project_id,
        Assignment.withdrawn.is_(None),
        Assignment.locked.is_(None),
    )
    for assignment in session.scalars(held):
        if assignment.item_id in wanted and assignment.id in done:
            assignment.locked = DISPUTED


def _withdraw_all(session: Session, item: Item, now: float) -> list[Assignment]:
    held = session.scalars(
        select(Assignment).where(Assignment.item_id == item.id, Assignment.withdrawn.is_(None))
    ).all()
    for assignment in held:
        assignment.withdrawn = now
    return list(held)


def _supersede(session: Session, before: Item, item: Item, now: float) -> None:
    """Give the new item to whoever had the old one, with the decisions that still hold."""
    old, new = item_of(before), item_of(item)
    for assignment in _withdraw_all(session, before, now):
        made = Assignment(
            project_id=assignment.project_id,
            item_id=item.id,
            person_id=assignment.person_id,
            position=assignment.position,
            due=assignment.due,
        )
        session.add(made)
        session.flush()
        objects = objects_of(session, assignment.id)
        changes = [
            Change(sequence=number, object=id, value=value)
            for number, (id, value) in enumerate(carried_forms(old, new, objects).items(), 1)
        ]
        if changes:
            append(session, made, CARRIED, changes)


def _hand_out(
    session: Session, project: Project, items: Mapping[str, Item], now: float
) -> tuple[int, int]:
    """Give each item, by name, to one adjudicator who has not worked on what it is about."""
    configuration = newest_configuration(session, project.id)
    people = {person.login: person for person in workers_of(session, project.id, ADJUDICATION)}
    logins = {person.id: login for login, person in people.items()}
    names = {item.id: item.name for item in items.values()}
    about = {item.about_id: item.name for item in items.values()}
    done = done_in(session, project.id)
    active: set[Pair] = set()
    barred: set[Pair] = set()
    positions: dict[str, int] = {}
    for held in session.scalars(select(Assignment).where(Assignment.project_id == project.id)):
        login = logins.get(held.person_id, held.person_id)
        positions[held.person_id] = max(positions.get(held.person_id, 0), held.position + 1)
        if held.item_id in about:
            barred.add((about[held.item_id], login))
        elif held.item_id in names:
            is_active = held.withdrawn is None and (login in people or held.id in done)
            (active if is_active else barred).add((names[held.item_id], login))
    seed, days = configuration.project.seed, configuration.project.days
    plan = plan_assignments(list(items), list(people), seed=seed, active=active, barred=barred)
    for name, login in plan.added:
        person = people[login].id
        positions.setdefault(person, 0)
        session.add(
            Assignment(
                project_id=project.id,
                item_id=items[name].id,
                person_id=person,
                position=positions[person],
                due=None if days is None else now + days * DAY,
                created=now,
            )
        )
        positions[person] += 1
    session.flush()
    return len(plan.added), len(plan.missing or {})


# Gold.


def _decided_work(session: Session, project: Project, ready: ComparedWork) -> ProjectWork:
    """The adjudicators' items about present versions that are handed in and decided in full."""
    work = work_of_project(session, project.id, ADJUDICATION)
    current = {row.name for name in ready.disputes if (row := ready.current(name)) is not None}
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
    whole = {name for person in people for name in person.finished}
    return replace(work, people=people).finished_on(whole)


def decided_work(session: Session, project: Project) -> ProjectWork:
    """The adjudicators' items and work that count: about present versions, decided in full."""
    return _decided_work(session, project, compare_work(session, project))


def write_gold(session: Session, project: Project, folder: Path) -> list[Path]:
    """Write the gold of all items that are agreed or decided, and what it was made of.

    ``people/`` has everybody's work on exactly those items: with the decisions, the commands of
    the library make the same gold of it. Nothing is written before anything is settled.
    """
    ready = compare_work(session, project)
    decided = _decided_work(session, project, ready)
    if not ready.project.items:
        return []
    done = {str(item.key["item"]) for item in decided.items}
    settled = {
        item.name
        for item in ready.project.items
        if item.name not in ready.disputes or item.name in done
    }
    if not settled:
        return []
    work = ready.project.finished_on(settled)
    made = work_named(work.configuration.project.work).write(work, folder)
    return [*made, *ready.adjudication.write(work, decided, folder)]


class ExportedFile(msgspec.Struct, frozen=True):
    """A file that was written, and its sum."""

    name: str
    sha256: str


def sums_of(folder: Path) -> tuple[ExportedFile, ...]:
    """The files of a folder with their sums, in the order of their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple(
        ExportedFile(
            path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()
        )
        for path in files
    )


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
            raise UsageError(_without(str(error), folder)) from None
        if not written:
            raise UsageError("no item is agreed or decided yet")
        wanted = newest_configuration(session, project.id).project.agree
        before, after, problem = _measured(folder, wanted)
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
        (folder / "version.json").write_bytes(msgspec.json.format(_encode(summary)) + b"\n")
        content = _zipped(folder)
    return FrozenGold(project_id=project.id, number=number, summary=_text(summary), content=content)


def freeze_gold(
    session: Session,
    project: Project,
    *,
    version: FrozenGold | None = None,
    by: str | None = None,
) -> FrozenGold:
    """Store a version that `make_gold` has made, by default of the present gold."""
    session.get(Project, project.id, with_for_update=True)
    made = make_gold(session, project) if version is None else version
    summary = msgspec.json.decode(made.summary, type=GoldSummary)
    if last_erasure(session, project.id) > summary.event:
        raise UsageError("somebody's work was erased meanwhile: freeze again")
    made.person_id = by
    session.add(made)
    record(session, AuditAction.GOLD_FROZEN, by, project.id, version=made.number)
    session.flush()
    return made


SETTLED = ("agreed", "decided")
GOLD = ("adjudicated", "gold")
"""What the file is called that is compared with people's: the first of these that there is."""


def _measured(
    folder: Path, wanted: Sequence[str]
) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...], str]:
    """Agreement of people's files with each other, then of each with the gold."""
    people = sorted(str(path) for path in (folder / PEOPLE).glob("*"))
    found = [path for name in GOLD for path in sorted(folder.glob(f"{name}.*"))]
    if not people or not found:
        return (), (), "nobody has handed in anything that can be compared"
    try:
        before = _documents(agreement_of_files(people, wanted))
        after = [
            document
            for person in people
            for document in _documents(agreement_of_files([person, str(found[0])], wanted))
        ]
    except ReadmarkError as error:
        return (), (), _without(str(error), folder)
    return tuple(before), tuple(after), ""


def _documents(reports: Mapping[str, AgreementReport]) -> list[dict[str, Any]]:
    return [{"side": side or None, **report.as_json()} for side, report in reports.items()]


def _without(message: str, folder: Path) -> str:
    return message.replace(f"{folder}/{PEOPLE}/", "").replace(f"{folder}/", "")


def _zipped(folder: Path) -> bytes:
    """The files of a folder as a zip; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return stream.getvalue()


def gold_versions(session: Session, project_id: str) -> list[tuple[FrozenGold, GoldSummary]]:
    """The frozen versions of a project, the newest first."""
    rows = session.scalars(
        select(FrozenGold)
        .where(FrozenGold.project_id == project_id)
        .order_by(FrozenGold.number.desc())
    )
    return [(row, msgspec.json.decode(row.summary, type=GoldSummary)) for row in rows]
