"""What a class found hard, question by question, with a machine next to the pupils."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from fastapi import APIRouter, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.reporting import ClassQuestion, ClassResults
from readmark.server.access import Id, MayOrganise, Reading
from readmark.server.bodies import HallRoute
from readmark.server.class_results import (
    FEWEST_KEPT,
    DatedResults,
    best_reader,
    class_results,
    machine_choices,
)
from readmark.server.classes import ClassState, class_state
from readmark.server.routes.classes_page import class_in_project
from readmark.server.routes.files import attachment
from readmark.server.routes.project_page import show_tab
from readmark.server.tables import Classroom

pages = APIRouter(
    route_class=HallRoute, prefix="/projects/{project}/class", include_in_schema=False
)
api = APIRouter(route_class=HallRoute, prefix="/api/projects/{project}/classes", tags=["classes"])

Order = Literal["paper", "hard"]


@dataclass(frozen=True, kw_only=True)
class ClassPage:
    """Who found what hard, question by question, and a machine next to the pupils."""

    classroom: Classroom
    dated: DatedResults
    machines: Mapping[str, str]
    """What can be shown next to the pupils, by the word that chooses it."""
    machine: str
    order: Order
    fewest_kept: int = FEWEST_KEPT

    @property
    def state(self) -> ClassState:
        """Whether pupils can join, or why not."""
        return class_state(self.classroom)

    @property
    def results(self) -> ClassResults:
        """What the class found hard."""
        return self.dated.results

    @property
    def questions(self) -> Sequence[ClassQuestion]:
        """The questions in the chosen order."""
        return self.results.hardest_first() if self.order == "hard" else self.results.questions

    @property
    def numbers(self) -> Mapping[str, int]:
        """The questions' numbers on the paper, by their ids."""
        return {question.id: number for number, question in enumerate(self.results.questions, 1)}


@pages.get("/{classroom}")
def show_class(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    classroom: Id,
    machine: str | None = None,
    order: Order = "paper",
) -> Response:
    """Who found what hard, question by question, and a machine next to the pupils."""
    row = class_in_project(session, permitted, classroom)
    if machine is None:
        machine = best_reader(session, permitted.project.id)
    view = ClassPage(
        classroom=row,
        dated=results_of(session, row, machine),
        machines=machine_choices(session, permitted.project.id),
        machine=machine,
        order=order,
    )
    return show_tab(request, session, permitted, "class", view=view, problem=view.results.problem)


@api.get("/{classroom}/results")
def class_figures(
    session: Reading, permitted: MayOrganise, classroom: Id, machine: str = ""
) -> dict[str, Any]:
    """Who found what hard, by question and by pupil."""
    return results_of(session, class_in_project(session, permitted, classroom), machine).as_json()


@pages.get("/{classroom}/results.csv")
def download_results(
    session: Reading, permitted: MayOrganise, classroom: Id, machine: str = ""
) -> Response:
    """The table of questions and pupils as a sheet."""
    row = class_in_project(session, permitted, classroom)
    text = results_of(session, row, machine).results.as_csv()
    return attachment(text.encode("utf-8-sig"), f"{permitted.project.slug}-class.csv")


@pages.get("/{classroom}/kept.json")
def download_kept(session: Reading, permitted: MayOrganise, classroom: Id) -> Response:
    """The figures that the teacher keeps, without pseudonyms; null where none are kept."""
    row = class_in_project(session, permitted, classroom)
    return attachment((row.results or "null").encode(), f"{permitted.project.slug}-class.json")


def results_of(session: Session, classroom: Classroom, machine: str) -> DatedResults:
    """The results of a class, next to a machine if there is one of that name."""
    choices = machine_choices(session, classroom.project_id)
    return class_results(session, classroom, machine if machine in choices else "")
