"""Items with known answers, graded by the work itself: practice, qualifying and controls."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.hooks import Work
from readmark.server.database import Database
from readmark.server.handing_in import is_done
from readmark.server.items import items_of
from readmark.server.object_states import states_of
from readmark.server.tables import Assignment, Item, Membership, Person
from readmark.server.views import CONTROL, REPEAT, item_of, newest_configuration, work_named
from readmark.works import Configuration, HallBusy, Objects, WorkItem


@dataclass(frozen=True)
class TrainingResult:
    """How a person did on a project's practice or qualifying items."""

    right: int
    handed_in: int
    total: int

    @property
    def share(self) -> float:
        """The share of all items that are right; one that is not handed in is not."""
        return self.right / self.total if self.total else 0.0


def training_results(
    session: Session,
    project_id: str,
    configuration: Configuration,
    purpose: str = "qualifying",
    *,
    person: str | None = None,
) -> Mapping[str, TrainingResult]:
    """Everybody's results by person, or one person's, of those who have been given such items.

    An item is right when the work's own comparison with the key finds nothing.
    """
    items = {item.id: item_of(item) for item in items_of(session, project_id, purpose)}
    if not items:
        return {}
    work = work_named(configuration.project.work)
    chosen = [
        Assignment.project_id == project_id,
        Assignment.item_id.in_(list(items)),
        Assignment.withdrawn.is_(None),
    ]
    if person is not None:
        chosen.append(Assignment.person_id == person)
    assignments = session.scalars(select(Assignment).where(*chosen)).all()
    states = states_of(session, [assignment.id for assignment in assignments])
    right: dict[str, int] = {}
    handed_in: dict[str, int] = {}
    for assignment in assignments:
        holder, objects = assignment.person_id, states.get(assignment.id, {})
        right.setdefault(holder, 0)
        handed_in.setdefault(holder, 0)
        if not is_done(objects):
            continue
        handed_in[holder] += 1
        right[holder] += is_right(work, items[assignment.item_id], objects, configuration)
    return {
        holder: TrainingResult(right[holder], handed_in[holder], len(items)) for holder in right
    }


def is_right(work: Work, item: WorkItem, objects: Objects, configuration: Configuration) -> bool:
    """Whether there is nothing to find; what cannot be read is not right."""
    try:
        return not any(True for _ in work.grade(item, objects, configuration))
    except HallBusy:
        raise  # a hall that has no time for it knows nothing about it
    except ReadmarkError:
        return False


def results_to_hand_out_by(database: Database, project_id: str) -> Mapping[str, TrainingResult]:
    """Everybody's qualifying results, for `qualified_people` in a transaction that follows.

    Work of twenty thousand objects takes seconds to grade, and a formal reading task processes of
    its own. Nobody can save on SQLite while a transaction writes, so it is graded before.
    """
    with database.reading() as session:
        configuration = newest_configuration(session, project_id)
        if configuration.project.qualify is None:
            return {}
        return training_results(session, project_id, configuration)


def qualified_people(
    session: Session,
    project_id: str,
    configuration: Configuration,
    results: Mapping[str, TrainingResult] | None = None,
) -> frozenset[str]:
    """The members who may get real work: all, unless the project has a qualifying set.

    ``results`` are those of `results_to_hand_out_by`, where they were made before.
    """
    members = frozenset(
        session.scalars(select(Membership.person_id).where(Membership.project_id == project_id))
    )
    wanted = configuration.project.qualify
    if wanted is None or not items_of(session, project_id, "qualifying"):
        return members
    if results is None:
        results = training_results(session, project_id, configuration)
    return frozenset(
        person for person in members if person in results and results[person].share >= wanted
    )


# Controls and repeats: handed out among the work, and to people like any other item.


def hand_out_checks(
    session: Session,
    project_id: str,
    configuration: Configuration,
    people: Sequence[Person],
    *,
    controls: Sequence[Item],
    barred: Collection[tuple[str, str]],
    due: float | None,
    now: float,
) -> int:
    """Give people the controls, and the share of their items that they get again; how many.

    Controls come anywhere among somebody's items, repeats of the first half in the second half.
    ``barred`` are pairs of a control and the login of somebody who knows its key.
    """
    share, added = configuration.project.repeat, 0
    if not controls and not share:
        return 0
    kinds = ("work", CONTROL, REPEAT)
    query = (
        select(Assignment, Item.name, Item.purpose)
        .join(Item, Item.id == Assignment.item_id)
        .where(Assignment.project_id == project_id, Item.purpose.in_(kinds))
        .order_by(Assignment.position, Assignment.id)
    )
    own: dict[tuple[str, str], dict[str, Assignment]] = {}
    for assignment, name, purpose in session.execute(query):
        own.setdefault((assignment.person_id, purpose), {})[name] = assignment
    repeats = {item.name: item for item in items_of(session, project_id, REPEAT)}
    for person in people:
        held = own.get((person.id, "work"), {})
        work = {name: each for name, each in held.items() if each.withdrawn is None}
        if not work:
            continue
        draw = random.Random(f"{configuration.project.seed}:{person.login}:checks")
        places, half = list(work.values()), len(work) // 2
        has = own.get((person.id, CONTROL), {})
        wanted = [
            (item, draw.choice(places))
            for item in controls
            if item.name not in has and (item.name, person.login) not in barred
        ]
        again = own.get((person.id, REPEAT), {})
        for name, assignment in again.items():
            if name not in work and assignment.withdrawn is None:
                assignment.withdrawn = now  # the first time went to somebody else
        first = [name for name in list(work)[:half] if name not in again]
        count = int(share * len(work) + 1e-9) - sum(name in work for name in again)
        for name in draw.sample(first, min(max(count, 0), len(first))):
            if name not in repeats:
                repeats[name] = _repeated(session, work[name])
            wanted.append((repeats[name], draw.choice(places[half:])))
        for item, place in wanted:
            session.add(
                Assignment(
                    project_id=project_id,
                    item_id=item.id,
                    person_id=person.id,
                    position=place.position,
                    due=due,
                    created=now,
                )
            )
        added += len(wanted)
    session.flush()
    return added


def _repeated(session: Session, assignment: Assignment) -> Item:
    """The item of an assignment once more, for those who get it a second time."""
    first = session.get(Item, assignment.item_id)
    assert first is not None
    item = Item(
        project_id=first.project_id,
        position=first.position,
        name=first.name,
        purpose=REPEAT,
        paper=first.paper,
        key=first.key,
    )
    session.add(item)
    session.flush()
    return item
