"""Queries: a graph with variables, answered by every instantiation that the statements hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.errors import DataError, did_you_mean
from readmark.reasoning.engine.bodies import Body
from readmark.reasoning.engine.inference import Inference
from readmark.reasoning.engine.limits import run_limited
from readmark.reasoning.engine.probabilities import product
from readmark.reasoning.graphs import Pattern, Statement, statement_of
from readmark.reasoning.rules.parsing import condition_of
from readmark.reasoning.rules.renaming import rename_condition
from readmark.reasoning.rules.safety import query_faults
from readmark.reasoning.rules.values import Condition, patterns_of
from readmark.reasoning.terms import Literal, Name, Term, Variable, written

SECONDS = 30.0
MOST = 1_000_000
LISTED = 20
"""Of at most so many graphs, the nearest to an unknown one is named."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A query's variables with values in one graph, and the statements that this makes."""

    graph: str
    bindings: Mapping[str, Name | Literal]
    statements: tuple[Statement, ...]
    probability: float
    inferred: bool
    """Whether a rule concluded any of the statements."""


def answer(
    inference: Inference,
    query: Iterable[Pattern | Condition],
    *,
    graphs: Iterable[str] | None = None,
    seconds: float | None = SECONDS,
    most: int = MOST,
) -> list[Answer]:
    """The answers in every graph, or in those named, sorted; at most so many and so long."""
    conditions = [_condition(one) for one in query]
    if inference.namespaces is not None:
        spell = inference.namespaces.canonical
        conditions = [rename_condition(one, spell) for one in conditions]
    for fault in query_faults(conditions):
        raise DataError(fault.message)
    store = inference.store
    body = Body(store)
    body.add(conditions)
    variables = sorted(body.codes)
    columns = [f"{body.graph} AS g", *(f"{body.codes[one]}" for one in variables)]
    aliases = body.aliases()
    columns.append(" OR ".join(f"{one}.round <> 0" for one in aliases) or "false")
    columns.append(product(aliases, body.atoms, store=store) if store.weighed else "1.0::DOUBLE")
    where = body.conditions()
    if graphs is not None:
        codes = ", ".join(str(one) for one in store.graph_codes(graphs)) or "NULL"
        where += f"{' AND' if where else ' WHERE'} {body.graph} IN ({codes})"
    sql = f"SELECT {', '.join(columns)} FROM {body.tables()}{where} LIMIT {most + 1}"
    rows = run_limited(store, sql, seconds)
    if len(rows) > most:
        raise DataError(f"the query has more than {most:,} answers")
    return _answers(inference, patterns_of(conditions), variables, rows)


def require_graphs(
    inference: Inference, graphs: Iterable[str], documents: Iterable[str] = ()
) -> None:
    """Refuses the name of a graph that is neither there nor a document without statements."""
    store, wanted = inference.store, list(dict.fromkeys(graphs))
    known = {*store.graph_names(store.graph_codes(wanted)).values(), *documents}
    for one in wanted:
        if one not in known:
            names = [text for (text,) in store.run("SELECT text FROM graphs ORDER BY id")]
            near = did_you_mean(one, names) if len(names) <= LISTED else f"{len(names):,} are known"
            raise DataError(f"there is no graph {one}: {near}")


def instantiate(condition: Pattern, bindings: Mapping[str, Name | Literal]) -> Pattern:
    """The pattern with values for those of its variables that have one."""
    return Pattern(
        *(
            bound(term, bindings)
            for term in (condition.subject, condition.predicate, condition.object)
        )
    )


def bound(term: Term, bindings: Mapping[str, Name | Literal]) -> Term:
    """The term, or the value of the variable that it is."""
    return bindings.get(term.text, term) if isinstance(term, Variable) else term


def _answers(
    inference: Inference,
    patterns: Sequence[Pattern],
    variables: Sequence[Variable],
    rows: Sequence[tuple[Any, ...]],
) -> list[Answer]:
    store = inference.store
    graphs = store.graph_names(row[0] for row in rows)
    terms = store.terms(code for row in rows for code in row[1:-2])
    found = []
    for graph, *codes, inferred, probability in rows:
        values = [terms[code] for code in codes]
        bindings = {one.text: value for one, value in zip(variables, values, strict=True)}
        statements = tuple(statement_of(instantiate(one, bindings)) for one in patterns)
        found.append(
            Answer(
                graphs[graph],
                bindings,
                statements,
                float(probability),
                bool(inferred),
            )
        )
    return sorted(found, key=_order)


def _order(one: Answer) -> tuple[str, list[str]]:
    return one.graph, [written(value) for value in one.bindings.values()]


def _condition(one: Pattern | Condition) -> Condition:
    if not isinstance(one, Pattern):
        return one
    return condition_of([one.subject, one.predicate, one.object])
