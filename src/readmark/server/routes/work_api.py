"""The API of work: an item with its state, changes to it, and what the library says of them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Depends, HTTPException, Query, Request
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from readmark.core.errors import DataError, ReadmarkError
from readmark.server.access import OwnWork, Permitted, Reading, hall_of
from readmark.server.bodies import HallRoute
from readmark.server.changes import (
    LONGEST_PAUSE,
    MOST_CHANGES,
    Change,
    ChangeRefused,
    ChangeResult,
    ClientId,
)
from readmark.server.clock import GRACE, is_waiting
from readmark.server.conflicts import Conflict, conflicts_of
from readmark.server.database import Database
from readmark.server.handing_in import STATUS, WorkClosed, is_done, is_done_value, is_final, lock_of
from readmark.server.handing_out import top_up
from readmark.server.log import save_changes
from readmark.server.object_states import events_after, last_of, object_states
from readmark.server.objects import check_object
from readmark.server.pages import language_of, words
from readmark.server.tables import Assignment, Item
from readmark.server.training import results_to_hand_out_by, training_results
from readmark.server.views import (
    SHOWN_AS_WORK,
    OpenItem,
    newest_configuration,
    open_item,
    view_for,
    work_named,
)
from readmark.server.workers import roles_for
from readmark.works import (
    CallLimit,
    Configuration,
    EntryField,
    FormEntry,
    HallBusy,
    MarkAttribute,
    MarkRelation,
    ProjectCategory,
    TextView,
    Viewer,
    WorkFinding,
    WorkItem,
    in_language,
)

LOG = logging.getLogger("readmark.hall")
LARGEST_BODY = 1 << 20
MOST_OBJECTS = 5000
CHECKS = CallLimit(8)
"""Checks of work in progress. Most take milliseconds, and a page that is refused comes again."""
_TRIES = 3
"""Of grading somebody's qualifying items while other calls keep the hall busy."""

PREVIEW = "preview"
"""The id of an assignment that is not stored: an organiser looks at an item."""

router = APIRouter(route_class=HallRoute, prefix="/api/assignments/{assignment}", tags=["work"])


class ChangeBatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Changes of one client: a tab of a browser, or a program."""

    client: ClientId
    events: Annotated[list[Change], msgspec.Meta(min_length=1, max_length=MOST_CHANGES)]


class ChangeReply(msgspec.Struct, frozen=True):
    """What became of each change, and the place of the assignment's last event."""

    results: list[ChangeResult]
    last: int


class CheckedObjects(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Work in progress that is checked and not stored."""

    objects: Annotated[dict[str, dict[str, Any]], msgspec.Meta(max_length=MOST_OBJECTS)]


class SentEvent(msgspec.Struct, frozen=True):
    """A change of the state that a client may not have seen."""

    event: int
    object: str
    value: Any
    client: str


class News(msgspec.Struct, frozen=True):
    """What has happened to an assignment since an event."""

    events: list[SentEvent]
    conflicts: list[Conflict]
    last: int


class SentFinding(msgspec.Struct, frozen=True):
    """Something to look at in an item."""

    code: str
    message: str
    severity: str
    object: str | None
    detail: str


class CheckReply(msgspec.Struct, frozen=True):
    """What the library says of work in progress."""

    findings: list[SentFinding]


# Bodies are decoded by msgspec, which is quick and refuses NaN and broken text.

T = TypeVar("T")


async def _body(request: Request) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect:  # a tab was closed while it was sending; nobody hears the answer
        raise HTTPException(400, "The request was cut off.") from None


RequestBody = Annotated[bytes, Depends(_body)]


def _decode(body: bytes, type: type[T]) -> T:
    if len(body) > LARGEST_BODY:
        raise HTTPException(413, f"The request is larger than {LARGEST_BODY >> 20} MB.")
    try:
        return msgspec.json.decode(body, type=type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HTTPException(422, f"The request is not valid: {error}") from None
    except RecursionError:
        raise HTTPException(422, "The request is not valid: nested too deep") from None


def _schema(type: Any) -> dict[str, Any]:
    """A JSON schema without references, as OpenAPI takes it in place."""
    (schema,), parts = msgspec.json.schema_components([type], ref_template="{name}")

    def inline(node: Any) -> Any:
        if isinstance(node, Mapping):
            if "$ref" in node:
                return inline(parts[node["$ref"]])
            return {name: inline(member) for name, member in node.items()}
        return [inline(member) for member in node] if isinstance(node, list) else node

    found: dict[str, Any] = inline(schema)
    return found


def _described(takes: Any, returns: Any) -> dict[str, Any]:
    """What OpenAPI says of a route that decodes and encodes by itself."""
    answer = {"description": "Done", "content": {"application/json": {"schema": _schema(returns)}}}
    described: dict[str, Any] = {"responses": {200: answer}}
    if takes is not None:
        body = {"required": True, "content": {"application/json": {"schema": _schema(takes)}}}
        described["openapi_extra"] = {"requestBody": body}
    return described


def _json(value: Any) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")


@router.get("", **_described(None, dict[str, Any]))
def show(request: Request, permitted: OwnWork, session: Reading) -> Response:
    """An item as its annotator sees it: texts, forms, categories, and the person's own work."""
    configuration = newest_configuration(session, permitted.project.id)
    _require_started(request, session, permitted, configuration)
    return _json(page_data(session, permitted, language_of(request)))


def _require_started(
    request: Request, session: Session, permitted: Permitted, configuration: Configuration
) -> None:
    """Show, check and save nothing of a timed sitting before its clock runs."""
    if is_waiting(session, permitted.assignment, configuration):
        raise HTTPException(409, words(language_of(request))["sit_not_started"])


def page_data(session: Session, permitted: Permitted, language: str) -> dict[str, Any]:
    """Everything that the page of an assignment is made of."""
    assignment, project, now = permitted.assignment, permitted.project, time.time()
    opened = open_item(session, project.id, assignment.item_id)
    states = object_states(session, assignment.id)
    view = view_for(opened, Viewer(permitted.person.login, permitted.roles))
    objects: dict[str, Any] = {
        id: {"value": value, "event": None} for id, value in view.objects.items()
    }
    for id, state in states.items():
        objects.pop(id, None)
        if state.value is not None:
            objects[id] = {"value": state.value, "event": state.event}
    has_handed_in = is_done({id: object["value"] for id, object in objects.items()})
    lock = lock_of(assignment, is_final=is_final(opened), is_done=has_handed_in, now=now)
    return {
        "assignment": {
            **_place(session, assignment, opened.purpose),
            "item": opened.item.name,
            "due": assignment.due,
            "done": has_handed_in,
            "lock": lock,
            "ends": assignment.ends,
            # The browser's clock may be wrong: it counts these seconds.
            "left": None if assignment.ends is None else max(0, assignment.ends - GRACE - now),
        },
        "project": _project(project.slug, opened, language),
        "entries": {
            name: _entry(_with_used_fields(name, entry, objects), language)
            for name, entry in opened.configuration.entry.items()
        },
        "categories": {
            name: _category(category, language)
            for name, category in opened.configuration.category.items()
            if not category.given
        },
        "given": {
            name: _category(category, language)
            for name, category in opened.configuration.category.items()
            if category.given
        },
        "texts": [_text(text) for text in view.texts],
        "objects": objects,
        "drafts": {
            id: [{"label": in_language(own.label, language), "text": own.text} for own in drafts]
            for id, drafts in view.drafts.items()
        },
        "conflicts": [
            msgspec.to_builtins(conflict)
            for conflict in conflicts_of(session, assignment.id, states)
        ],
        "last": last_of(session, assignment.id),
    }


def preview_data(
    session: Session, permitted: Permitted, item: Item, language: str
) -> dict[str, Any]:
    """An item as somebody sees it who gets it now; nothing can be changed or stored."""
    assignment = Assignment(
        id=PREVIEW,
        project_id=permitted.project.id,
        item_id=item.id,
        person_id=permitted.person.id,
        position=0,
        locked=PREVIEW,
    )
    configuration = newest_configuration(session, permitted.project.id)
    roles = frozenset(roles_for(configuration, item.purpose))
    viewer = Permitted(permitted.person, permitted.project, assignment, roles)
    return page_data(session, viewer, language)


@router.post("/events", **_described(ChangeBatch, ChangeReply))
def save(request: Request, permitted: OwnWork, session: Reading, body: RequestBody) -> Response:
    """Append changes. Sending them again changes nothing, and answers the same."""
    assignment, database = permitted.assignment, hall_of(request).database
    batch = _decode(body, ChangeBatch)
    with database.glancing(session):
        opened = open_item(session, assignment.project_id, assignment.item_id)
        _require_started(request, session, permitted, opened.configuration)
    events = [
        msgspec.structs.replace(change, seconds=min(change.seconds, LONGEST_PAUSE))
        for change in batch.events
    ]
    for change in events:
        try:
            check_object(change.object, change.value, opened.texts)
        except DataError as error:
            return _refusal(change.sequence, error)
    try:
        results, last = save_changes(
            database,
            session,
            assignment,
            batch.client,
            events,
            is_final=is_final(opened),
            most_bytes=hall_of(request).settings.largest_assignment,
        )
    except WorkClosed as error:
        return JSONResponse({"detail": str(error), "reason": error.reason}, error.status)
    except ChangeRefused as error:
        return _refusal(error.sequence, error)
    saved = {result.sequence for result in results if result.status == "saved"}
    if opened.purpose == "qualifying" and any(
        change.object == STATUS and is_done_value(change.value)
        for change in batch.events
        if change.sequence in saved  # handed in now: sent again, it would stop others' saves
    ):
        _hand_out_more(database, permitted)
    return _json(ChangeReply(results, last))


def _hand_out_more(database: Database, permitted: Permitted) -> None:
    """Real work for somebody who qualifies now; what was saved is saved, whatever happens here."""
    for _ in range(_TRIES):
        try:
            _hand_out_if_qualified(database, permitted.project.id, permitted.person.id)
            return
        except HallBusy as error:
            time.sleep(error.retry_after)
        except Exception as error:
            LOG.error("handing out after qualifying: %s", type(error).__name__)
            return
    LOG.error("handing out after qualifying: the hall is busy; hand out by hand")


def _hand_out_if_qualified(database: Database, project: str, person: str) -> None:
    with database.reading() as session:
        configuration = newest_configuration(session, project)
        own = training_results(session, project, configuration, person=person).get(person)
    wanted = configuration.project.qualify
    if wanted is None or own is None or own.share < wanted:
        return
    results = results_to_hand_out_by(database, project)
    with database.writing() as session:
        top_up(session, project, results)


def _refusal(sequence: int, error: ReadmarkError) -> Response:
    """One line, and which change it is about, so that the client can send the others."""
    return JSONResponse({"detail": str(error), "sequence": sequence}, 422)


@router.get("/events", **_described(None, News))
def show_events(
    permitted: OwnWork,
    session: Reading,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> Response:
    """What other tabs and devices of the same person have changed since an event."""
    assignment = permitted.assignment.id
    last = last_of(session, assignment)
    rows, are_all = events_after(session, assignment, after)
    if not are_all:
        last = rows[-1].place
    events = [
        SentEvent(row.place, row.object, msgspec.Raw(row.value.encode()), row.client)
        for row in rows
    ]
    return _json(News(events, conflicts_of(session, assignment), last))


@router.post("/check", **_described(CheckedObjects, CheckReply))
def check(request: Request, permitted: OwnWork, session: Reading, body: RequestBody) -> Response:
    """What the library says of work in progress; on a practice item also what is not right yet."""
    objects = _decode(body, CheckedObjects).objects
    assignment, language = permitted.assignment, language_of(request)
    with hall_of(request).database.glancing(session):
        opened = open_item(session, assignment.project_id, assignment.item_id)
        _require_started(request, session, permitted, opened.configuration)
    item, configuration = opened.item, opened.configuration
    paper = WorkItem(item.name, item.paper)
    with CHECKS.turn(permitted.person.id):
        for id, value in objects.items():
            check_object(id, value, opened.texts)
        found = _findings(lambda: opened.work.check(paper, objects, configuration), language)
        if opened.purpose == "practice":
            work = work_named(configuration.project.work)
            graded = _findings(lambda: work.grade(item, objects, configuration), language)
            # The page shows these only when somebody asks for them.
            found += [msgspec.structs.replace(own, code=f"practice.{own.code}") for own in graded]
    return _json(CheckReply(found))


def _findings(check: Callable[[], Iterable[WorkFinding]], language: str) -> list[SentFinding]:
    """What a check says in the person's language; what it cannot read is a finding too."""
    try:
        return [
            SentFinding(
                str(finding.code),  # a plug-in's may be of a class of its own
                in_language(finding.message, language),
                finding.severity,
                finding.object,
                in_language(finding.detail, language),
            )
            for finding in check()
        ]
    except HallBusy:
        raise
    except ReadmarkError as error:
        return [SentFinding("unreadable", str(error), "error", None, "")]


# The view in the person's language.


def _place(session: Session, assignment: Assignment, purpose: str) -> dict[str, Any]:
    """Where an assignment is in the person's own order of them; the first has position 1."""
    own = list(
        session.scalars(
            select(Assignment.id)
            .join(Item, Item.id == Assignment.item_id)
            .where(
                Assignment.person_id == assignment.person_id,
                Assignment.project_id == assignment.project_id,
                Assignment.withdrawn.is_(None),
                Item.purpose.in_(SHOWN_AS_WORK if purpose == "work" else [purpose]),
            )
            .order_by(Assignment.position, Assignment.id)
        )
    )
    if assignment.id == PREVIEW:
        own = [PREVIEW]
    index = own.index(assignment.id)
    return {
        "id": assignment.id,
        "position": index + 1,
        "count": len(own),
        "previous": own[index - 1] if index else None,
        "next": own[index + 1] if index + 1 < len(own) else None,
    }


def _project(slug: str, opened: OpenItem, language: str) -> dict[str, Any]:
    project = opened.configuration.project
    return {
        "slug": slug,
        "name": in_language(project.name, language),
        "description": in_language(project.description, language),
        "guidelines": in_language(project.guidelines, language),
        "examples": [
            {
                "title": in_language(example.title, language),
                "text": example.text,
                "comment": in_language(example.comment, language),
            }
            for example in opened.configuration.example
        ],
        "purpose": opened.purpose,
        "is_final": is_final(opened),
        "version": opened.version,
    }


def _choices(choices: Any, language: str) -> list[dict[str, Any]]:
    labels = choices if isinstance(choices, dict) else {value: str(value) for value in choices}
    return [
        {"value": value, "label": in_language(label, language) or str(value)}
        for value, label in labels.items()
    ]


def _with_used_fields(name: str, entry: FormEntry, objects: Mapping[str, Any]) -> FormEntry:
    """A form without the fields that none of the item's own entries has."""
    values = [object["value"] for object in objects.values()]
    own = [value for value in values if value.get("entry") == name]
    if not entry.fixed or not own or not all(isinstance(v.get("only"), list) for v in own):
        return entry
    used = {field for value in own for field in value["only"] if isinstance(field, str)}
    fields = {field: made for field, made in entry.fields.items() if field in used}
    return msgspec.structs.replace(entry, fields=fields)


def _entry(entry: FormEntry, language: str) -> dict[str, Any]:
    return {
        "label": in_language(entry.label, language),
        "guideline": in_language(entry.guideline, language),
        "shortcut": entry.shortcut,
        "single": entry.single,
        "fixed": entry.fixed,
        "advance": entry.advance,
        "fields": {
            name: _field(EntryField(widget=field) if isinstance(field, str) else field, language)
            for name, field in entry.fields.items()
        },
    }


def _field(field: EntryField, language: str) -> dict[str, Any]:
    return {
        "widget": field.widget,
        "label": in_language(field.label, language),
        "guideline": in_language(field.guideline, language),
        "choices": _choices(field.choices, language),
        "shortcut": field.shortcut,
        "optional": field.optional,
        "default": field.default,
    }


def _category(category: ProjectCategory, language: str) -> dict[str, Any]:
    return {
        "label": in_language(category.label, language),
        "shortcut": category.shortcut,
        "colour": category.colour,
        "guideline": in_language(category.guideline, language),
        "tiles": category.tiles,
        "attributes": {
            name: _attribute(
                MarkAttribute(type=attribute) if isinstance(attribute, str) else attribute,  # type: ignore[arg-type]
                language,
            )
            for name, attribute in category.attributes.items()
        },
        "relations": {
            name: _relation(
                MarkRelation(to=relation) if isinstance(relation, str) else relation, language
            )
            for name, relation in category.relations.items()
        },
    }


def _attribute(attribute: MarkAttribute, language: str) -> dict[str, Any]:
    return {
        "type": attribute.type,
        "label": in_language(attribute.label, language),
        "guideline": in_language(attribute.guideline, language),
        "words": attribute.words,
        "choices": _choices(attribute.choices, language),
        "default": attribute.default,
        "optional": attribute.optional,
    }


def _relation(relation: MarkRelation, language: str) -> dict[str, Any]:
    return {
        "to": list(relation.targets),
        "label": in_language(relation.label, language),
        "guideline": in_language(relation.guideline, language),
        "optional": relation.optional,
    }


def _text(text: TextView) -> dict[str, Any]:
    return {
        "id": text.id,
        "text": text.text,
        "language": text.language,
        "title": text.title,
        "marks": [dict(mark) for mark in text.marks],
        "is_editable": text.is_editable,
    }
