"""The services of reading tasks for programs: REST in place of the source document's SOAP."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
from fastapi import (
    APIRouter,
    Depends,
    File,
    Form,
    Header,
    HTTPException,
    Query,
    Request,
    UploadFile,
)
from pydantic import Field, TypeAdapter, WithJsonSchema
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)

from readmark.core.errors import UsageError
from readmark.server.access import (
    AccessRule,
    Hall,
    MayOrganise,
    Permitted,
    Reading,
    Scope,
    SignedIn,
    hall_of,
)
from readmark.server.answer_pool import pool_of
from readmark.server.bodies import HallRoute, Sent
from readmark.server.database import Database
from readmark.server.projects import uploaded
from readmark.server.reading_tasks.catalogue import (
    ServedTask,
    about_task,
    delete_task,
    offer_task,
    public_package,
    served_task,
    served_tasks,
    store_task,
)
from readmark.server.reading_tasks.confined import (
    NOTATIONS,
    QueryMaking,
    ReasonerInput,
    check_upload,
    make_task,
    reason,
)
from readmark.server.reading_tasks.graph import (
    GRAPH_TYPES,
    GRAPHS,
    GraphResponse,
    graph_stream,
    negotiate,
)
from readmark.server.reading_tasks.submissions import (
    LoggedSubmission,
    PulledSubmission,
    SubmissionLog,
    own_submission,
    own_submissions,
    pull_submissions,
    submission_log,
    submit,
)
from readmark.server.routes.files import attachment
from readmark.server.tables import Person
from readmark.server.views import newest_configuration
from readmark.tasks.service import GraphRequest, PartRequest, content, open_package, select_part
from readmark.works import HEAVY_CALLS

api = APIRouter(route_class=HallRoute, prefix="/api/reading-tasks", tags=["reading tasks"])
projects = APIRouter(
    route_class=HallRoute, prefix="/api/projects/{project}/reading-task", tags=["projects"]
)

SUBMITS = AccessRule("signed in, to submit", Scope.SUBMIT)
LONGEST_TEXT = 1 << 20
"""Characters of the statements of a call."""
Name = Annotated[str, Field(max_length=200)]
Names = Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=5000)]


@dataclass(frozen=True)
class TaskVisit:
    """Who asks for which task, in which hall."""

    hall: Hall
    permitted: Permitted
    task: ServedTask


def _visit(request: Request, session: Reading, permitted: Permitted) -> TaskVisit:
    hall = hall_of(request)
    with hall.database.glancing(session):
        task = served_task(session, permitted.person, request.path_params["reading_task"])
    if task is None:
        raise HTTPException(404, "Not found.")
    return TaskVisit(hall, permitted, task)


def visible_task(request: Request, session: Reading, permitted: SignedIn) -> TaskVisit:
    """The task that the path names, if the person may see it."""
    return _visit(request, session, permitted)


def used_task(
    request: Request, session: Reading, permitted: Annotated[Permitted, Depends(SUBMITS)]
) -> TaskVisit:
    """The same for what computes or is kept."""
    return _visit(request, session, permitted)


Visible = Annotated[TaskVisit, Depends(visible_task)]
Used = Annotated[TaskVisit, Depends(used_task)]


# Which tasks there are.


class ListedTask(Sent):
    """A reading task in the list."""

    id: str
    name: str
    sort: Literal["bundled", "project", "uploaded", "generated"]
    root: str
    is_own: bool


@api.get("")
def list_tasks(session: Reading, permitted: SignedIn) -> list[ListedTask]:
    """The tasks that ship, those that projects offer, and your own."""
    return [
        ListedTask(id=task.id, name=task.name, sort=_sort(task), root=task.root, is_own=task.is_own)
        for task in served_tasks(session, permitted.person)
    ]


def _sort(task: ServedTask) -> Any:
    return task.sort


class MadeQueries(Sent):
    """Queries to make from the ontology, in place of those of the task."""

    sorts: Annotated[
        list[Literal["property", "class", "joint"]], Field(min_length=1, max_length=3)
    ] = ["property", "class", "joint"]
    language: Literal["en", "zh"] = "en"
    attested: bool = False
    most: Annotated[int | None, Field(ge=1, le=1000)] = None


class GeneratedTask(Sent):
    """A part of a task: everything that fits all of it. Without anything, the whole task."""

    source: Annotated[str, Field(max_length=40)]
    name: Name = ""
    documents: Names = []
    splits: Names = []
    queries: Names = []
    properties: Names = []
    number: Annotated[int | None, Field(ge=1, le=1_000_000)] = None
    seed: Annotated[int, Field(ge=0, le=2**31)] = 1
    make: MadeQueries | None = None


@api.post("", status_code=201)
def generate_task(
    request: Request,
    session: Reading,
    permitted: Annotated[Permitted, Depends(SUBMITS)],
    wanted: GeneratedTask,
) -> dict[str, Any]:
    """Generate a task from another: some of its documents and queries, or queries made for them.

    ``number`` documents are drawn by ``seed``. Hidden documents are for those who organise the
    task. The part follows the gold of its source; a task with made queries has gold of its own.
    """
    source = served_task(session, permitted.person, wanted.source)
    session.commit()
    if source is None:
        raise UsageError("there is no task of this source that you may see")
    return generate_part(hall_of(request).database, permitted.person, source, wanted)


def generate_part(
    database: Database, person: Person, source: ServedTask, wanted: GeneratedTask
) -> dict[str, Any]:
    """Make and keep a part of a task; what it is then."""
    package = public_package(database, source)
    selection = select_part(
        open_package(package),
        source.selection,
        PartRequest(
            documents=wanted.documents,
            splits=wanted.splits,
            queries=wanted.queries,
            properties=wanted.properties,
            number=wanted.number,
            seed=wanted.seed,
        ),
        all=source.may_organise and wanted.make is None,
    )
    name = wanted.name.strip() or source.name
    made = None
    if wanted.make is not None:
        making = QueryMaking(**wanted.make.model_dump(), seed=wanted.seed)
        with HEAVY_CALLS.turn(person.id):
            made = make_task(package, selection.documents or (), making, name)
    with database.writing() as writing:
        if made is not None:
            row = store_task(writing, person, name=name, content=made, made_of=source.project_id)
        else:
            row = store_task(writing, person, name=name, source=source.root, selection=selection)
        task = served_task(writing, person, row.id)
    assert task is not None
    return about_task(database, task)


@api.post("/packages", status_code=201)
def upload_package(
    request: Request,
    permitted: Annotated[Permitted, Depends(SUBMITS)],
    file: Annotated[UploadFile, File()],
    name: Annotated[str, Form(max_length=200)] = "",
) -> dict[str, Any]:
    """Upload the zip of a task, packed or not, for yourself. An inconsistent one is refused."""
    with HEAVY_CALLS.turn(permitted.person.id):
        own_name, data = check_upload(file.file)
    database = hall_of(request).database
    with database.writing() as session:
        row = store_task(session, permitted.person, name=name.strip() or own_name, content=data)
        task = served_task(session, permitted.person, row.id)
    assert task is not None
    return about_task(database, task)


@api.get("/{reading_task}")
def read_task(visit: Visible) -> dict[str, Any]:
    """What the task is: documents and units by split, queries, licence, version of the gold."""
    return about_task(visit.hall.database, visit.task)


@api.delete("/{reading_task}", status_code=204)
def remove_task(visit: Used) -> Response:
    """Delete a task that you generated or uploaded. The log of submissions stays."""
    with visit.hall.database.writing() as session:
        delete_task(session, visit.task)
    return Response(status_code=204)


# Retrieving a task.


@api.get(
    "/{reading_task}/graph",
    response_class=Response,
    responses={
        200: {"content": {each.media_type: {} for each in GRAPH_TYPES}},
        406: {"description": "No format that is asked for: the list of those that there are."},
    },
)
def read_graph(
    visit: Visible,
    accept: Annotated[str, Header(max_length=2000)] = "",
    format: Annotated[str | None, Query(max_length=20)] = None,
) -> Response:
    """The task as one RDF graph, streamed: in the format of ``Accept``, or of ``?format=``."""
    chosen = negotiate(accept, format)
    if chosen is None:
        types = ", ".join(f"{each.media_type} (format={each.name})" for each in GRAPH_TYPES)
        return JSONResponse({"detail": f"Not acceptable: the graph comes as {types}."}, 406)
    database, task = visit.hall.database, visit.task
    with ExitStack() as turn:
        turn.enter_context(GRAPHS.turn(visit.permitted.person.id))
        gold = about_task(database, task)["gold"]
        graph = GraphRequest(public_package(database, task), task.id, task.name, gold)
        stream = graph_stream(graph, chosen)
        return GraphResponse(stream, chosen.media_type, turn.pop_all())


@api.get("/{reading_task}/documents")
def list_documents(visit: Visible) -> list[dict[str, Any]]:
    """The documents: id, split, size in bytes and SHA-256."""
    manifest = open_package(public_package(visit.hall.database, visit.task)).manifest
    return [
        {"id": file.id, "split": file.split, "bytes": file.bytes, "sha256": file.sha256}
        for file in manifest.of("document")
    ]


@api.get("/{reading_task}/document", response_class=PlainTextResponse)
def read_document(visit: Visible, id: Annotated[str, Query(max_length=300)]) -> Response:
    """The text of one document, exactly as it is."""
    package = open_package(public_package(visit.hall.database, visit.task))
    for file in package.manifest.of("document"):
        if file.id == id:
            return PlainTextResponse(content(package.folder, file.path, whole=True))
    raise HTTPException(404, "Not found.")


@api.get("/{reading_task}/queries")
def list_queries(visit: Visible) -> list[dict[str, Any]]:
    """The queries: graph, question, property and the variables that make an answer."""
    package = open_package(public_package(visit.hall.database, visit.task))
    return [
        {
            "id": row.id,
            "graph": row.graph,
            "text": row.text,
            "property": row.property,
            "documents": row.documents,
            "fields": row.fields,
        }
        for _, _, row in package.queries()
    ]


@api.get("/{reading_task}/package", response_class=FileResponse)
def read_package(visit: Visible) -> Response:
    """The package as a zip, without the gold of hidden splits."""
    path = public_package(visit.hall.database, visit.task)
    return FileResponse(path, media_type="application/zip", filename=f"{visit.task.id}.zip")


# The reasoner.


class SentStatements(Sent):
    """Statements to reason over, and whether the task's public ones are added to them."""

    statements: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    notation: Literal["statements", "graph", "turtle", "rdfxml", "ntriples", "nquads", "trig"] = (
        "statements"
    )
    document: Annotated[str, Field(max_length=300)] = ""
    with_task: bool = False
    documents: Names = []

    def given(self) -> ReasonerInput:
        """The same for the reasoner."""
        assert self.notation in NOTATIONS
        return ReasonerInput(
            text=self.statements,
            notation=self.notation,
            document=self.document,
            with_task=self.with_task,
            documents=self.documents,
        )


class ExplanationCall(SentStatements):
    """A statement to explain, or a graph with variables; without it, every contradiction."""

    statement: Annotated[str, Field(max_length=20_000)] = ""


class QueryCall(SentStatements):
    """One of: a query graph, the id of a query of the task, a SPARQL query."""

    query: Annotated[str, Field(max_length=20_000)] = ""
    id: Annotated[str, Field(max_length=300)] = ""
    sparql: Annotated[str, Field(max_length=20_000)] = ""
    explain: bool = False


class DecompositionCall(SentStatements):
    """Scores to take apart, or statements with totals."""

    scores: Annotated[list[Name], Field(max_length=100)] = []
    sides: Annotated[list[Name], Field(max_length=10)] = []
    known: Annotated[list[Name], Field(max_length=100)] = []
    running: bool = False
    most: Annotated[int, Field(ge=1, le=1000)] = 10


def _reason(visit: TaskVisit, call: str, sent: SentStatements, **wanted: Any) -> dict[str, Any]:
    with HEAVY_CALLS.turn(visit.permitted.person.id):
        package = public_package(visit.hall.database, visit.task)
        return reason(call, package, sent.given(), **wanted)


@api.post("/{reading_task}/consistency")
def check_consistency(visit: Used, sent: SentStatements) -> dict[str, Any]:
    """Whether statements contradict the theory, each contradiction with its derivation."""
    return _reason(visit, "consistency", sent)


@api.post("/{reading_task}/consequences")
def find_consequences(visit: Used, sent: SentStatements) -> dict[str, Any]:
    """What follows from statements, and what contradicts; as ``task infer --json``."""
    return _reason(visit, "consequences", sent)


@api.post("/{reading_task}/explanations")
def explain_statement(visit: Used, sent: ExplanationCall) -> dict[str, Any]:
    """Why statements hold, or how they contradict; as ``task explain --json``."""
    return _reason(visit, "explanations", sent, statement=sent.statement)


@api.post("/{reading_task}/query")
def ask_query(visit: Used, sent: QueryCall) -> dict[str, Any]:
    """What answers a query over statements and what follows from them; as ``task query --json``.

    Hidden gold is never among the statements.
    """
    if sum(map(bool, (sent.query, sent.id, sent.sparql))) != 1:
        raise UsageError("give one of query, id and sparql")
    query = sent.query
    if sent.id:
        with HEAVY_CALLS.turn(visit.permitted.person.id):
            package = open_package(public_package(visit.hall.database, visit.task))
            graphs = {row.id: row.graph for _, _, row in package.queries()}
        if sent.id not in graphs:
            raise UsageError("the task has no query of this id")
        query = graphs[sent.id]
    return _reason(visit, "query", sent, query=query, sparql=sent.sparql, explain=sent.explain)


@api.post("/{reading_task}/decompositions")
def decompose_scores(visit: Used, sent: DecompositionCall) -> dict[str, Any]:
    """What scores or stated totals can be made of; as ``task decompose --json``."""
    names = ("scores", "sides", "known", "running", "most")
    wanted: Mapping[str, Any] = {name: getattr(sent, name) for name in names}
    return _reason(visit, "decompositions", sent, **wanted)


# Submitting answers.


_ROWS = WithJsonSchema(TypeAdapter(dict[str, list[dict[str, Any]]]).json_schema())
"""Decoded as any JSON, and checked by the route: pydantic describes each of a million faults."""


class SubmittedRows(Sent):
    """Answers by unit: a list of bindings, each ``{"values": …}`` or ``{variable: value}``."""

    candidate: Name = ""
    answers: Annotated[dict[str, Any], Field(min_length=1, max_length=100_000), _ROWS]


@api.get("/{reading_task}/submissions")
def list_submissions(session: Reading, visit: Visible) -> list[LoggedSubmission]:
    """What you have submitted to the task, newest first."""
    return own_submissions(session, visit.permitted.person, visit.task.id)


@api.post("/{reading_task}/submissions", status_code=201)
def submit_rows(visit: Used, sent: SubmittedRows) -> LoggedSubmission:
    """Submit answers as JSON. They are scored by the newest gold, and kept in the log."""
    try:
        msgspec.convert(sent.answers, dict[str, list[dict[str, Any]]])
    except msgspec.ValidationError as error:
        raise HTTPException(422, f"The answers are not valid: {error}") from None
    data = json.dumps(sent.answers, ensure_ascii=False).encode("utf-8", "replace")
    with uploaded(io.BytesIO(data), "answers.json") as path:
        return submit(
            visit.hall.database, visit.permitted.person, visit.task, path, by_name=sent.candidate
        )


@api.post("/{reading_task}/submissions/file", status_code=201)
def submit_file(
    visit: Used,
    file: Annotated[UploadFile, File()],
    candidate: Annotated[str, Form(max_length=200)] = "",
) -> LoggedSubmission:
    """Submit a sitting of the task in any format that ``mark`` takes."""
    with uploaded(file.file, file.filename) as path:
        return submit(
            visit.hall.database, visit.permitted.person, visit.task, path, by_name=candidate
        )


def found_submission(session: Reading, visit: Visible, task_submission: str) -> Any:
    """A submission of one's own, with its sitting."""
    found = own_submission(session, visit.permitted.person, visit.task.id, task_submission)
    if found is None:
        raise HTTPException(404, "Not found.")
    return found


@api.get("/{reading_task}/submissions/{task_submission}")
def read_submission(session: Reading, visit: Visible, task_submission: str) -> LoggedSubmission:
    """A submission and its score, with the version of the gold."""
    entry: LoggedSubmission = found_submission(session, visit, task_submission)[0]
    return entry


@api.get("/{reading_task}/submissions/{task_submission}/sitting", response_class=Response)
def read_sitting(session: Reading, visit: Visible, task_submission: str) -> Response:
    """The submitted answers as a native sitting, which ``mark`` takes."""
    data: bytes = found_submission(session, visit, task_submission)[1]
    return attachment(data, f"{task_submission}.jsonl")


# What organisers of a judging project do.


class OfferedTask(Sent):
    """How a project offers its task to programs."""

    name: Name = ""
    feeds_pool: bool = False


def require_pooled(session: Reading, permitted: Permitted) -> None:
    """Refuse a project that does not judge answers of systems."""
    if pool_of(newest_configuration(session, permitted.project.id)) is None:
        raise UsageError("only projects that judge answers of systems offer a reading task")


@projects.get("")
def read_offer(session: Reading, permitted: MayOrganise) -> SubmissionLog:
    """Whether the project offers its task, and how many submissions the pool lacks."""
    return submission_log(session, permitted.project.id)


@projects.put("")
def put_offer(
    request: Request, session: Reading, permitted: MayOrganise, offer: OfferedTask
) -> SubmissionLog:
    """Offer the project's task to every program, with its newest gold.

    With ``feeds_pool`` every submission goes to the pool at once.
    """
    require_pooled(session, permitted)
    session.commit()
    with hall_of(request).database.writing() as writing:
        offer_task(
            writing,
            permitted.project,
            name=offer.name,
            feeds_pool=offer.feeds_pool,
            by=permitted.person.id,
        )
        return submission_log(writing, permitted.project.id)


@projects.post("/pull")
def pull_log(request: Request, session: Reading, permitted: MayOrganise) -> list[PulledSubmission]:
    """Add every submission that the pool lacks to the project's sittings."""
    require_pooled(session, permitted)
    session.commit()
    database = hall_of(request).database
    return pull_submissions(database, permitted.project, by=permitted.person.id)
