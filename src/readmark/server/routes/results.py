"""Results of a test that people sat; its paper to print, and answers typed in from it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Form, Query, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.answer_sheets import (
    last_typed,
    people_to_type_for,
    printed_paper,
    type_in,
    typed_before,
)
from readmark.server.bodies import HallRoute
from readmark.server.clock import close_overdue
from readmark.server.pages import language_of, render, words
from readmark.server.projects import uploaded
from readmark.server.results import (
    SittingResults,
    add_machine,
    machines_of,
    quick_candidates,
    remove_machine,
    report_page,
    sat_by_machine,
    sitting_results,
)
from readmark.server.routes.files import Upload, attachment
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.views import newest_configuration
from readmark.works import in_language

router = APIRouter(route_class=HallRoute)
MOST_FIELDS = 20_000
"""Answers in one form."""


# Results.


def _closed(request: Request, session: Session, permitted: Permitted) -> None:
    """Hand in what people with no time left have answered: it counts."""
    session.commit()  # gives the connection back before the writer takes one
    with hall_of(request).database.writing() as writing:
        close_overdue(writing, permitted.project.id)


def _results(request: Request, session: Session, permitted: Permitted) -> SittingResults:
    _closed(request, session, permitted)
    return sitting_results(session, permitted.project.id)


@router.get("/api/projects/{project}/results", tags=["projects"])
def send_results(request: Request, session: Reading, permitted: MayOrganise) -> dict[str, Any]:
    """How people and machines did in the test, as ``people --json`` and ``mark --json`` say it."""
    found: dict[str, Any] = msgspec.to_builtins(_results(request, session, permitted).as_json())
    return found


@router.get("/projects/{project}/results", include_in_schema=False)
def show_results(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """How people did, and machines next to them."""
    return _page(request, session, permitted)


def _page(
    request: Request, session: Session, permitted: Permitted, status: int = 200, **values: Any
) -> Response:
    found, of_page = _results(request, session, permitted), words(language_of(request))
    return show_tab(
        request,
        session,
        permitted,
        "results",
        status,
        results=found,
        why=of_page.get(found.problem, found.problem),
        machines=machines_of(session, permitted.project.id),
        quick=quick_candidates(session, permitted.project.id),
        **values,
    )


@router.get("/projects/{project}/results.json", include_in_schema=False)
def download_json(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Every figure with its signature."""
    found = _results(request, session, permitted).as_json()
    content = msgspec.json.format(msgspec.json.encode(found))
    return attachment(content, f"{permitted.project.slug}-results.json")


@router.get("/projects/{project}/results.csv", include_in_schema=False)
def download_csv(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Every figure as a row of a table."""
    found = _results(request, session, permitted)
    return attachment(found.as_csv(), f"{permitted.project.slug}-results.csv")


@router.get("/projects/{project}/report.html", include_in_schema=False)
def download_report(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The HTML report, with people in it."""
    _closed(request, session, permitted)
    try:
        content = report_page(session, permitted.project, language_of(request))
    except ReadmarkError:
        return back_to(permitted.project, "results")  # which says why there is none
    return attachment(content, f"{permitted.project.slug}-report.html")


@router.post("/projects/{project}/results/machines", include_in_schema=False)
def upload_machine(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    file: Upload = None,
    candidate: Annotated[str, Form()] = "",
    remove: Annotated[int, Form(ge=0, le=2**53)] = 0,
) -> Response:
    """Add a machine's sitting: an uploaded file, or one of our own candidates; or remove one."""
    database, by = hall_of(request).database, permitted.person.id
    try:
        if remove:
            with database.writing() as writing:
                remove_machine(writing, permitted.project, remove)
        elif candidate or (file is not None and file.filename):
            with ExitStack() as stack:
                source: str | Path = candidate
                if file is not None and file.filename:
                    source = stack.enter_context(uploaded(file.file, file.filename))
                sat = sat_by_machine(session, permitted.project, source)
            session.commit()  # gives the connection back before the writer takes one
            with database.writing() as writing:
                add_machine(writing, permitted.project, sat, by=by)
        else:
            raise DataError("no file was chosen")
    except ReadmarkError as error:
        return _page(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, "results")


# The paper.


@router.get("/projects/{project}/paper", include_in_schema=False)
def show_paper(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The paper and the answer sheet, to print."""
    return _paper(request, session, permitted, with_key=False)


@router.get("/projects/{project}/paper/key", include_in_schema=False)
def show_key(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """The key sheet, for the teacher."""
    return _paper(request, session, permitted, with_key=True)


def _paper(request: Request, session: Session, permitted: Permitted, with_key: bool) -> Response:
    configuration = newest_configuration(session, permitted.project.id)
    try:
        paper = printed_paper(session, permitted.project.id, with_key=with_key)
    except ReadmarkError:
        return back_to(permitted.project, "typing")  # which says why there is none
    of_test = "zh" if paper.language.startswith("zh") else "en"
    return render(
        request,
        "paper.html",
        paper=paper,
        name=in_language(configuration.project.name, of_test),
        p=words(of_test),
        of_test=of_test,
        with_key=with_key,
    )


# Typing answers in.


@router.get("/projects/{project}/typing", include_in_schema=False)
def show_typing(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    person: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """The form for answers from paper, empty or with what was typed in for a person."""
    return _typing(request, session, permitted, chosen=person)


def _typing(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    chosen: str = "",
    typed: Mapping[int, str] | None = None,
    **values: Any,
) -> Response:
    project = permitted.project.id
    try:
        paper = printed_paper(session, project)
        people = people_to_type_for(session, project)
        known = chosen in {person.id for person in people}
        typed = typed or (typed_before(session, project, chosen) if known else {})
        values.setdefault("seen", last_typed(session, project, chosen) if known else 0)
    except ReadmarkError:
        paper, people, typed = None, [], {}
        values = {"problem": words(language_of(request))["res_not_sat"], **values}
    return show_tab(
        request,
        session,
        permitted,
        "typing",
        status,
        paper=paper,
        people=people,
        chosen=chosen,
        typed=typed,
        **{"new_name": "", "result": None, "seen": 0, **values},
    )


async def _answers(request: Request) -> dict[str, str]:
    """The fields of a form with an unknown number of them."""
    form = await request.form(max_fields=MOST_FIELDS)
    return {name: value for name, value in form.items() if isinstance(value, str)}


@router.post("/projects/{project}/typing", include_in_schema=False)
def save_typed(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    form: Annotated[dict[str, str], Depends(_answers)],
) -> Response:
    """Store what somebody wrote on paper as their work."""
    answers = {
        int(number): words
        for name, words in form.items()
        if (number := name.removeprefix("q")) != name and number.isdecimal() and len(number) < 7
    }
    person, name = form.get("person", ""), form.get("name", "")[:200]
    number = form.get("seen", "")
    seen = int(number) if number.isdecimal() and len(number) < 17 else 0
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
        return _typing(
            request,
            session,
            permitted,
            422,
            chosen=person,
            typed=answers,
            new_name=name,
            seen=seen,
            problem=str(error),
        )
    shown = answers if result.problems else None
    return _typing(
        request,
        session,
        permitted,
        chosen=result.person if result.problems else "",
        typed=shown,
        result=result,
    )
