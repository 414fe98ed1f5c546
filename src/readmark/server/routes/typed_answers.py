"""Answers from paper: a form in which somebody types what others wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.answer_sheets import (
    TypedIn,
    last_typed,
    people_to_type_for,
    printed_paper,
    type_in,
    typed_before,
)
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, words
from readmark.server.routes.project_page import show_tab
from readmark.server.tables import Person
from readmark.works import PrintedPaper

pages = APIRouter(route_class=HallRoute, prefix="/projects/{project}", include_in_schema=False)

MOST_FIELDS = 20_000
"""Answers in one form."""


@dataclass(frozen=True, kw_only=True)
class TypingPage:
    """The form for answers from paper, and what became of those that it has just sent."""

    paper: PrintedPaper | None = None
    """None where people do not sit a test."""
    people: Sequence[Person] = ()
    chosen: str = ""
    """The id of the person whose answers are shown."""
    new_name: str = ""
    typed: Mapping[int, str]
    """The answers by the numbers of the paper."""
    seen: int = 0
    """The last event of the answers that are shown."""
    result: TypedIn | None = None


@pages.get("/typing")
def show_typing(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    person: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """The form for answers from paper, empty or with what was typed in for a person."""
    return _show_form(request, session, permitted, chosen=person)


def _show_form(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    chosen: str = "",
    new_name: str = "",
    typed: Mapping[int, str] | None = None,
    seen: int | None = None,
    result: TypedIn | None = None,
    problem: str = "",
) -> Response:
    """The form with what was typed; else with what is stored of the person chosen, if it can be."""
    project = permitted.project.id
    try:
        paper = printed_paper(session, project)
        people = people_to_type_for(session, project)
        is_known = chosen in {person.id for person in people}
        if not typed:
            typed = typed_before(session, project, chosen) if is_known else {}
        if seen is None:
            seen = last_typed(session, project, chosen) if is_known else 0
        view = TypingPage(
            paper=paper,
            people=people,
            chosen=chosen,
            new_name=new_name,
            typed=typed,
            seen=seen,
            result=result,
        )
    except ReadmarkError:
        view = TypingPage(typed={})
        problem = problem or words(language_of(request))["res_not_sat"]
    return show_tab(request, session, permitted, "typing", status, view=view, problem=problem)


async def _answers(request: Request) -> dict[str, str]:
    """The fields of a form with an unknown number of them."""
    form = await request.form(max_fields=MOST_FIELDS)
    return {name: value for name, value in form.items() if isinstance(value, str)}


@pages.post("/typing")
def save_typed(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    form: Annotated[dict[str, str], Depends(_answers)],
) -> Response:
    """Store what somebody wrote on paper as their work."""
    answers = {
        int(match[1]): answer
        for name, answer in form.items()
        if (match := re.fullmatch(r"q([0-9]{1,6})", name))
    }
    person, name = form.get("person", ""), form.get("name", "")[:200]
    # Longer numbers than these are none of ours, and would not fit into the database.
    seen = int(form["seen"]) if re.fullmatch(r"[0-9]{1,16}", form.get("seen", "")) else 0
    try:
        with hall_of(request).database.writing() as writing:
            result = type_in(
                writing,
                permitted.project,
                answers,
                by=permitted.person.id,
                person_id="" if name.strip() else person,
                name=name,
                seen=0 if name.strip() else seen,
            )
    except ReadmarkError as error:
        return _show_form(
            request,
            session,
            permitted,
            422,
            chosen=person,
            new_name=name,
            typed=answers,
            seen=seen,
            problem=str(error),
        )
    if result.problems:
        return _show_form(
            request, session, permitted, chosen=result.person, typed=answers, result=result
        )
    return _show_form(request, session, permitted, result=result)
