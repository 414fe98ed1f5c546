"""Adjudication for organisers: what is in dispute, gold versions; pages and API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, HTTPException, Query, Request
from sqlalchemy.orm import Session
from starlette.responses import Response

from readmark.core.errors import ReadmarkError
from readmark.making import measure_name
from readmark.server.access import MayOrganise, Permitted, Reading, hall_of
from readmark.server.adjudication import OpenedDisputes, open_disputes
from readmark.server.bodies import HallRoute
from readmark.server.disputes import DisputeState, compare_work, dispute_states
from readmark.server.gold import GoldSummary, freeze_gold, gold_versions, make_gold
from readmark.server.routes.files import attachment
from readmark.server.routes.project_page import back_to, show_tab
from readmark.server.tables import FrozenGold
from readmark.server.views import ADJUDICATION
from readmark.server.workers import workers_of

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/projects", tags=["projects"])
Count = Annotated[int, Query(ge=0, le=10**9)]


@pages.get("/projects/{project}/adjudication")
def show_adjudication(
    request: Request,
    session: Reading,
    permitted: MayOrganise,
    added: Annotated[int | None, Query(ge=0, le=10**9)] = None,
    handed_out: Count = 0,
    superseded: Count = 0,
    missing: Count = 0,
    frozen: Count = 0,
) -> Response:
    """Items in dispute, open and decided, and the gold versions."""
    opened = None if added is None else OpenedDisputes(added, superseded, handed_out, missing)
    return _tab(request, session, permitted, opened=opened, frozen=frozen)


@dataclass(frozen=True)
class AdjudicationPage:
    """The items in dispute, the versions of the gold, and what a form has just done."""

    states: Sequence[DisputeState]
    """Without those on which everybody agrees."""
    counts: Mapping[str, int]
    """Items by their state."""
    adjudicators: int
    versions: Sequence[tuple[FrozenGold, GoldSummary]]
    opened: OpenedDisputes | None
    frozen: int
    """The number of the version that has just been made."""


def _tab(
    request: Request,
    session: Session,
    permitted: Permitted,
    status: int = 200,
    *,
    opened: OpenedDisputes | None = None,
    frozen: int = 0,
    problem: str = "",
) -> Response:
    states: list[DisputeState] = []
    try:
        states = dispute_states(session, permitted.project)
    except ReadmarkError as error:
        problem = problem or str(error)
    view = AdjudicationPage(
        states=[state for state in states if state.state != "agreed"],
        counts={name: sum(state.state == name for state in states) for name in STATES},
        adjudicators=len(workers_of(session, permitted.project.id, ADJUDICATION)),
        versions=gold_versions(session, permitted.project.id),
        opened=opened,
        frozen=frozen,
    )
    return show_tab(
        request,
        session,
        permitted,
        ADJUDICATION,
        status,
        view=view,
        problem=problem,
        figures=agreement_rows,
    )


STATES = ("agreed", "new", "open", "decided", "crowded")


def agreement_rows(document: dict[str, Any]) -> list[tuple[str, str, str, Any, Any]]:
    """The figures of a document of ``set agree``: what, between whom, measure, value and n."""
    rows = []
    for subject, comparison in document["what"].items():
        everybody, pairs = ", ".join(comparison["annotators"]), comparison["pairs"]
        sources = [(everybody, comparison["figures"])]
        if len(pairs) == 1:
            sources = [(everybody, {**comparison["figures"], **pairs[0]["figures"]})]
        else:
            sources += [(f"{pair['a']} – {pair['b']}", pair["figures"]) for pair in pairs]
        for names, figures in sources:
            for measure, figure in figures.items():
                if figure["value"] is not None:
                    name = measure_name(measure)
                    rows.append((subject, names, name, figure["value"], figure["n"]))
    return rows


@pages.post("/projects/{project}/adjudication")
def open_them(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Open what differs, and hand it out."""
    try:
        opened = _open(request, session, permitted)
    except ReadmarkError as error:
        return _tab(request, session, permitted, 422, problem=str(error))
    return back_to(
        permitted.project,
        ADJUDICATION,
        added=opened.added,
        superseded=opened.superseded,
        handed_out=opened.handed_out,
        missing=opened.missing,
    )


def _open(request: Request, session: Session, permitted: Permitted) -> OpenedDisputes:
    """Compare first, and store then: people who save do not wait for the comparison."""
    compared = compare_work(session, permitted.project)
    session.commit()  # gives the connection back before the writer takes one
    with hall_of(request).database.writing() as writing:
        by = permitted.person.id
        return open_disputes(writing, permitted.project, compared=compared, by=by)


def _freeze(request: Request, session: Session, permitted: Permitted) -> dict[str, Any]:
    """Make the gold first, and store it then."""
    gold = make_gold(session, permitted.project)
    session.commit()  # gives the connection back before the writer takes one
    with hall_of(request).database.writing() as writing:
        by = permitted.person.id
        version = freeze_gold(writing, permitted.project, version=gold, by=by)
        summary: dict[str, Any] = msgspec.json.decode(version.summary)
        return {"id": version.id, "created": version.created, **summary}


@pages.post("/projects/{project}/gold")
def freeze(request: Request, session: Reading, permitted: MayOrganise) -> Response:
    """Freeze the present gold as a version."""
    try:
        number = _freeze(request, session, permitted)["number"]
    except ReadmarkError as error:
        return _tab(request, session, permitted, 422, problem=str(error))
    return back_to(permitted.project, ADJUDICATION, frozen=number)


@pages.get("/projects/{project}/gold/{gold}")
def download_gold(session: Reading, permitted: MayOrganise, gold: str) -> Response:
    """A gold version as a zip of files."""
    return _zip(session, permitted, gold)


def _zip(session: Session, permitted: Permitted, gold: str) -> Response:
    row = session.get(FrozenGold, gold)
    if row is None or row.project_id != permitted.project.id:
        raise HTTPException(404, "Not found.")
    return attachment(row.content, f"{permitted.project.slug}-gold-{row.number}.zip")


@api.get("/{project}/adjudication")
def get_adjudication(session: Reading, permitted: MayOrganise) -> list[DisputeState]:
    """How far the adjudication of every item is that enough people have handed in."""
    return dispute_states(session, permitted.project)


@api.post("/{project}/adjudication")
def post_adjudication(request: Request, session: Reading, permitted: MayOrganise) -> OpenedDisputes:
    """Open what differs and hand it out; asking again changes nothing but what is new."""
    return _open(request, session, permitted)


@api.get("/{project}/gold")
def get_gold(session: Reading, permitted: MayOrganise) -> list[dict[str, Any]]:
    """The gold versions, with sums of files and agreement before and after."""
    return [
        {"id": row.id, "created": row.created, **msgspec.to_builtins(summary)}
        for row, summary in gold_versions(session, permitted.project.id)
    ]


@api.post("/{project}/gold", status_code=201)
def post_gold(request: Request, session: Reading, permitted: MayOrganise) -> dict[str, Any]:
    """Freeze the present gold as a version."""
    return _freeze(request, session, permitted)


@api.get(
    "/{project}/gold/{gold}",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def get_gold_files(session: Reading, permitted: MayOrganise, gold: str) -> Response:
    """A gold version as a zip of files."""
    return _zip(session, permitted, gold)
