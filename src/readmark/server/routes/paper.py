"""A project's test on paper, with its answer sheet or its key, to print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading
from readmark.server.answer_sheets import printed_paper
from readmark.server.bodies import HallRoute
from readmark.server.pages import render, words
from readmark.server.routes.project_page import back_to
from readmark.server.views import newest_configuration
from readmark.works import PrintedPaper, in_language

pages = APIRouter(route_class=HallRoute, prefix="/projects/{project}", include_in_schema=False)


@dataclass(frozen=True)
class PaperPage:
    """The paper and the answer sheet, or the key; in the language of the test."""

    paper: PrintedPaper
    name: str
    language: str
    with_key: bool

    @property
    def task(self) -> str:
        """What to do with the questions, where they do not say so themselves."""
        return in_language(self.paper.task, self.language)

    @property
    def instructions(self) -> str:
        """How the answer sheet is filled in."""
        return in_language(self.paper.instructions, self.language)

    @property
    def words(self) -> Mapping[str, str]:
        """The strings of the sheets, whatever the reader's language is."""
        return words(self.language)


@pages.get("/paper")
def show_paper(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The paper and the answer sheet, to print."""
    return _paper(request, session, permitted, with_key=False)


@pages.get("/paper/key")
def show_key(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The key sheet, for the teacher."""
    return _paper(request, session, permitted, with_key=True)


def _paper(request: Request, session: Session, permitted: Permitted, with_key: bool) -> Response:
    project = newest_configuration(session, permitted.project.id).project
    try:
        paper = printed_paper(session, permitted.project.id, with_key=with_key)
    except ReadmarkError:
        return back_to(permitted.project, "typing")  # which says why there is none
    language = "zh" if paper.language.startswith("zh") else "en"
    view = PaperPage(paper, in_language(project.name, language), language, with_key)
    return render(request, "paper.html", view=view)
