"""Practice and qualifying: items with known answers, graded by the work itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.hooks import Work
from readmark.server.database import Database
from readmark.server.handing_in import is_done
from readmark.server.items import items_of
from readmark.server.object_states import states_of
from readmark.server.tables import Assignment, Membership
from readmark.server.views import item_of, newest_configuration, work_named
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
    conditions = [
        Assignment.project_id == project_id,
        Assignment.item_id.in_(list(items)),
        Assignment.withdrawn.is_(None),
    ]
    if person is not None:
        conditions.append(Assignment.person_id == person)
    assignments = session.scalars(select(Assignment).where(*conditions)).all()
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
    least_share = configuration.project.qualify
    if least_share is None or not items_of(session, project_id, "qualifying"):
        return members
    if results is None:
        results = training_results(session, project_id, configuration)
    return frozenset(
        person for person in members if person in results and results[person].share >= least_share
    )
