"""The reasoner of a reading task, for programs: what statements imply, contradict or answer."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from readmark.core.errors import UsageError
from readmark.server.bodies import HallRoute, Sent
from readmark.server.reading_tasks.packages import public_package
from readmark.server.reading_tasks.routes.visit import Name, Names, TaskVisit, Used, heavy_call
from readmark.tasks import Notation, ReasonerCall, ReasonerInput, reason

api = APIRouter(
    route_class=HallRoute, prefix="/api/reading-tasks/{reading_task}", tags=["reading tasks"]
)

LONGEST_TEXT = 1 << 20
"""Characters of the statements of a call."""


class SentStatements(Sent):
    """Statements to reason over, and whether the task's public ones are added to them."""

    statements: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    notation: Notation = "statements"
    document: Annotated[str, Field(max_length=300)] = ""
    with_task: bool = False
    documents: Names = []


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


def _reason(
    visit: TaskVisit, call: ReasonerCall, sent: SentStatements, **settings: Any
) -> dict[str, Any]:
    statements = ReasonerInput(
        text=sent.statements,
        notation=sent.notation,
        document=sent.document,
        with_task=sent.with_task,
        documents=sent.documents,
    )
    with heavy_call(visit.permitted.person.id):
        package = public_package(visit.hall.database, visit.task)
        return reason(call, package.path, statements, **settings)


@api.post("/consistency")
def check_consistency(visit: Used, sent: SentStatements) -> dict[str, Any]:
    """Whether statements contradict the theory, each contradiction with its derivation."""
    return _reason(visit, "consistency", sent)


@api.post("/consequences")
def find_consequences(visit: Used, sent: SentStatements) -> dict[str, Any]:
    """What follows from statements, and what contradicts; as ``task infer --json``."""
    return _reason(visit, "consequences", sent)


@api.post("/explanations")
def explain_statement(visit: Used, sent: ExplanationCall) -> dict[str, Any]:
    """Why statements hold, or how they contradict; as ``task explain --json``."""
    return _reason(visit, "explanations", sent, statement=sent.statement)


@api.post("/query")
def ask_query(visit: Used, sent: QueryCall) -> dict[str, Any]:
    """What answers a query over statements and what follows from them; as ``task query --json``.

    Hidden gold is never among the statements.
    """
    if sum(map(bool, (sent.query, sent.id, sent.sparql))) != 1:
        raise UsageError("give one of query, id and sparql")
    query = sent.query
    if sent.id:
        with heavy_call(visit.permitted.person.id):
            queries = public_package(visit.hall.database, visit.task).queries()
        graphs = {row["id"]: row["graph"] for row in queries}
        if sent.id not in graphs:
            raise UsageError("the task has no query of this id")
        query = graphs[sent.id]
    return _reason(visit, "query", sent, query=query, sparql=sent.sparql, explain=sent.explain)


@api.post("/decompositions")
def decompose_scores(visit: Used, sent: DecompositionCall) -> dict[str, Any]:
    """What scores or stated totals can be made of; as ``task decompose --json``."""
    return _reason(
        visit,
        "decompositions",
        sent,
        scores=sent.scores,
        sides=sent.sides,
        known=sent.known,
        running=sent.running,
        most=sent.most,
    )
