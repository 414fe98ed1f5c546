"""Practice and qualifying: items with known answers, graded by the work itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.core.errors import ReadmarkError
from readmark.server.configuration import Configuration
from readmark.server.log import is_done, states_of
from readmark.server.projects import items_of
from readmark.server.tables import Assignment, Membership
from readmark.server.views import item_of, work_named
from readmark.server.works.work import Objects, Work, WorkItem


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
    session: Session, project_id: str, configuration: Configuration, purpose: str = "qualifying"
) -> Mapping[str, TrainingResult]:
    """Everybody's results by person, of those who have been given such items.

    An item is right when the work's own comparison with the key finds nothing.
    """
    items = {item.id: item_of(item) for item in items_of(session, project_id, purpose)}
    if not items:
        return {}
    work = work_named(configuration.project.work)
    assignments = session.scalars(
        select(Assignment).where(
            Assignment.project_id == project_id,
            Assignment.item_id.in_(list(items)),
            Assignment.withdrawn.is_(None),
        )
    ).all()
    states = states_of(session, [assignment.id for assignment in assignments])
    right: dict[str, int] = {}
    handed_in: dict[str, int] = {}
    for assignment in assignments:
        person, objects = assignment.person_id, states.get(assignment.id, {})
        right.setdefault(person, 0)
        handed_in.setdefault(person, 0)
        if not is_done(objects):
            continue
        handed_in[person] += 1
        right[person] += _is_right(work, items[assignment.item_id], objects, configuration)
    return {
        person: TrainingResult(right[person], handed_in[person], len(items)) for person in right
    }


def _is_right(work: Work, item: WorkItem, objects: Objects, configuration: Configuration) -> bool:
    """Whether there is nothing to find; what cannot be read is not right."""
    try:
        return not any(True for _ in work.grade(item, objects, configuration))
    except ReadmarkError:
        return False


def qualified_people(
    session: Session, project_id: str, configuration: Configuration
) -> frozenset[str]:
    """The members who may get real work: all, unless the project has a qualifying set."""
    members = frozenset(
        session.scalars(select(Membership.person_id).where(Membership.project_id == project_id))
    )
    wanted = configuration.project.qualify
    if wanted is None or not items_of(session, project_id, "qualifying"):
        return members
    results = training_results(session, project_id, configuration)
    return frozenset(
        person for person in members if person in results and results[person].share >= wanted
    )
