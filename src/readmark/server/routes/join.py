"""The page by which pupils join a class and come back; programs do not join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Path, Request
from sqlalchemy.orm import Session
from starlette.responses import RedirectResponse, Response

from readmark.server.access import Asking, Reading, hall_of
from readmark.server.account_errors import AccountError, Throttled
from readmark.server.addresses import address_of
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, render
from readmark.server.pupils import (
    draw_pseudonyms,
    find_class,
    join_class,
    require_code,
    return_to_class,
)
from readmark.server.routes.login import start_session
from readmark.server.tables import Classroom, Person
from readmark.server.views import newest_configuration
from readmark.works import in_language

pages = APIRouter(route_class=HallRoute, prefix="/join/{link}", include_in_schema=False)

ClassLink = Annotated[str, Path(max_length=64)]
Code = Annotated[str, Form(max_length=40)]
Step = Literal["over", "code", "name", "joined", "inside"]


@dataclass(frozen=True, kw_only=True)
class JoinPage:
    """How far somebody is with joining a class."""

    link: str
    step: Step
    project: str = ""
    """Its name in the reader's language."""
    erased: date | None = None
    """The day on which everything of the pupils is deleted."""
    code: str = ""
    names: Sequence[str] = ()
    """Pseudonyms to choose from."""
    return_code: str = ""
    """What lets the pupil in again, shown this once."""
    fault: str = ""
    """The word for what was wrong with a form."""


@pages.get("")
def show_join(
    request: Request, link: ClassLink, session: Reading, caller: Asking, code: str = ""
) -> Response:
    """The form for the code; a longer link brings it along."""
    return _page(request, session, link, caller.person, code=code[:40])


def _page(
    request: Request,
    session: Session,
    link: str,
    person: Person | None,
    status: int = 200,
    *,
    step: Step | None = None,
    **values: Any,
) -> Response:
    """The step that is named; else the first, which whoever has joined has behind them."""
    classroom = find_class(session, hall_of(request), link)
    if classroom is None:
        view = JoinPage(link=link, step="over")
        return render(request, "join.html", 404, person=person, view=view)
    about = newest_configuration(session, classroom.project_id).project
    is_inside = person is not None and person.class_id == classroom.id
    view = JoinPage(
        link=link,
        step=step or ("inside" if is_inside else "code"),
        project=in_language(about.name, language_of(request)),
        erased=datetime.fromtimestamp(classroom.erase, UTC).date(),
        **values,
    )
    return render(request, "join.html", status, person=person, view=view)


@pages.post("")
def join(
    request: Request,
    link: ClassLink,
    session: Reading,
    caller: Asking,
    how: Annotated[Literal["code", "join", "return"] | None, Form()] = None,
    code: Code = "",
    name: Annotated[str, Form(max_length=100)] = "",
    return_code: Code = "",
) -> Response:
    """Check the code and offer pseudonyms, join under one of them, or come back."""
    hall, address, language = hall_of(request), address_of(request), language_of(request)
    session.commit()  # gives the connection back before the writer takes one
    try:
        if how == "return":
            person = return_to_class(hall, link, return_code, address)
            return _inside(request, session, RedirectResponse("/assignments", 303), person)
        if how == "join" and name:
            person, new_code = join_class(
                hall, link, code, name, language=language, address=address
            )
            page = _page(request, session, link, person, step="joined", return_code=new_code)
            return _inside(request, session, page, person)
        classroom: Classroom | None = require_code(hall, link, code, address)
        fault = "pseudonym_missing" if how == "join" else ""
    except Throttled as error:
        refusal = _page(request, session, link, caller.person, 429, fault="class_too_many")
        refusal.headers["retry-after"] = str(error.seconds)
        return refusal
    except AccountError as error:
        if error.word != "pseudonym_taken":
            return _page(request, session, link, caller.person, 422, code=code, fault=error.word)
        fault = error.word  # the code is right, and other names are offered
        classroom = find_class(session, hall, link)
    names = draw_pseudonyms(session, classroom.project_id if classroom else "", language)
    return _page(
        request,
        session,
        link,
        caller.person,
        422 if fault else 200,
        step="name",
        names=names,
        code=code,
        fault=fault,
    )


def _inside(request: Request, session: Session, response: Response, person: Person) -> Response:
    """Sign the pupil's browser in, for as long as the class lasts."""
    session.commit()
    classroom = session.get_one(Classroom, person.class_id)
    start_session(request, response, person, until=classroom.until)
    return response
