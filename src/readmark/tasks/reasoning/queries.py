"""Queries: a graph with variables, answered by every instantiation that the statements hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.conditions import Body
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.limits import run_limited
from readmark.tasks.reasoning.graphs import Pattern, Statement, statement_of
from readmark.tasks.reasoning.rules.faults import query_faults
from readmark.tasks.reasoning.rules.values import (
    Condition,
    binding,
    condition_of,
    patterns_of,
    rename_condition,
)
from readmark.tasks.reasoning.taxonomy import inferred_sql
from readmark.tasks.reasoning.terms import Literal, Name, Variable, written

SECONDS = 30.0
MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """A query's variables with values in one graph, and the statements that this makes."""

    graph: str
    bindings: Mapping[str, Name | Literal]
    statements: tuple[Statement, ...]
    probability: float
    inferred: bool
    """Whether a rule concluded any of the statements; steps of the taxonomy alone do not count."""
    bound: float | None = None
    """The most that the probability can be, where only bounds are known."""


def answer(
    inference: Inference,
    query: Iterable[Pattern | Condition],
    *,
    graphs: Iterable[str] | None = None,
    seconds: float | None = SECONDS,
    most: int = MOST,
) -> list[GraphAnswer]:
    """The answers in every graph, or in those named, sorted.

    More than ``most`` answers, or more than so many seconds, are a DataError.
    """
    conditions = [
        condition_of([each.subject, each.predicate, each.object])  # It may be a built-in.
        if isinstance(each, Pattern)
        else each
        for each in query
    ]
    if inference.namespaces is not None:
        spell = inference.namespaces.canonical
        conditions = [rename_condition(condition, spell) for condition in conditions]
    fault = next(query_faults(conditions), None)
    if fault is not None:
        raise DataError(fault.message)
    store = inference.store
    body = Body(store)
    body.add(conditions)
    variables = sorted(body.codes)
    columns = [f"{body.graph} AS g", *(f"{body.codes[variable]}" for variable in variables)]
    columns.append(inferred_sql(inference, body))
    where = body.conditions()
    if graphs is not None:
        codes = ", ".join(map(str, store.graph_codes(graphs))) or "NULL"
        where += f"{' AND' if where else ' WHERE'} {body.graph} IN ({codes})"
    listed = ", ".join(columns)
    sql = f"SELECT {listed} FROM {body.tables(listed + where)}{where} LIMIT {most + 1}"
    rows = run_limited(store, sql, seconds)
    if len(rows) > most:
        raise DataError(f"the query has more than {most:,} answers")
    return _answers(inference, patterns_of(conditions), variables, rows)


class _Match(NamedTuple):
    """A row of a query in terms."""

    graph: int
    bindings: dict[str, Name | Literal]
    statements: tuple[Statement, ...]
    inferred: bool


def _answers(
    inference: Inference,
    patterns: Sequence[Pattern],
    variables: Sequence[Variable],
    rows: Sequence[tuple[Any, ...]],
) -> list[GraphAnswer]:
    store = inference.store
    graphs = store.graph_names(row[0] for row in rows)
    terms = store.terms(code for row in rows for code in row[1:-1])
    matches = []
    for graph, *codes, inferred in rows:
        values = [terms[code] for code in codes]
        bindings = {variable.text: value for variable, value in zip(variables, values, strict=True)}
        change = binding(bindings)
        statements = tuple(statement_of(pattern.with_terms(change)) for pattern in patterns)
        matches.append(_Match(graph, bindings, statements, bool(inferred)))
    code_of = {term: code for code, term in terms.items()}

    def key(graph: int, statement: Statement) -> StatementKey:
        subject, object_ = (
            code_of[term] if term in code_of else store.code(term)
            for term in (statement.subject, statement.object)
        )
        return StatementKey(graph, statement.predicate.text, subject, object_)

    keys: list[list[StatementKey]] = [[] for _ in matches]
    if store.weighed:  # Otherwise everything is certain.
        keys = [
            [key(match.graph, statement) for statement in match.statements] for match in matches
        ]
    answers = [
        GraphAnswer(
            graphs[match.graph],
            match.bindings,
            match.statements,
            chance.low,
            match.inferred,
            chance.bound,
        )
        for match, chance in zip(matches, inference.chances.joint(keys), strict=True)
    ]
    return sorted(answers, key=_order)


def _order(answer: GraphAnswer) -> tuple[str, list[str]]:
    return answer.graph, [written(value) for value in answer.bindings.values()]
