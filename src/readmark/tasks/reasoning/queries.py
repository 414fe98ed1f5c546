"""Queries: a graph with variables, answered by every instantiation that the statements hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from readmark.core.errors import DataError, did_you_mean
from readmark.tasks.names import SHORT
from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.conditions import Body
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.limits import run_limited
from readmark.tasks.reasoning.graphs import Pattern, Statement, statement_of
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology
from readmark.tasks.reasoning.rules.faults import query_faults
from readmark.tasks.reasoning.rules.values import (
    Condition,
    Theory,
    binding,
    condition_of,
    patterns_of,
    rename_condition,
)
from readmark.tasks.reasoning.terms import Literal, Name, Variable, written

SECONDS = 30.0
MOST = 1_000_000
LISTED = 20
"""Of at most so many graphs, the nearest to an unknown one is named."""


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
    """The answers in every graph, or in those named, sorted; at most so many and so long."""
    conditions = [_condition(one) for one in query]
    if inference.namespaces is not None:
        spell = inference.namespaces.canonical
        conditions = [rename_condition(condition, spell) for condition in conditions]
    for fault in query_faults(conditions):
        raise DataError(fault.message)
    store = inference.store
    body = Body(store)
    body.add(conditions)
    variables = sorted(body.codes)
    columns = [f"{body.graph} AS g", *(f"{body.codes[variable]}" for variable in variables)]
    columns.append(_inferred(inference, body))
    where = body.conditions()
    if graphs is not None:
        codes = ", ".join(str(graph_code) for graph_code in store.graph_codes(graphs)) or "NULL"
        where += f"{' AND' if where else ' WHERE'} {body.graph} IN ({codes})"
    listed = ", ".join(columns)
    sql = f"SELECT {listed} FROM {body.tables(listed + where)}{where} LIMIT {most + 1}"
    rows = run_limited(store, sql, seconds)
    if len(rows) > most:
        raise DataError(f"the query has more than {most:,} answers")
    return _answers(inference, patterns_of(conditions), variables, rows)


def _inferred(inference: Inference, body: Body) -> str:
    """Whether any statement is concluded, in SQL; what follows from the taxonomy is as stated."""
    sources = _type_sources(inference.theory)
    parts = []
    for alias, pattern in zip(body.aliases(), body.atoms, strict=True):
        concluded = f"{alias}.round <> 0"
        if pattern.predicate == TYPE:
            classes = sources if isinstance(pattern.object, Variable) else [pattern.object]
            for name in classes:
                if isinstance(name, Name) and (known := sources.get(name)):
                    same = f"{alias}.o = {inference.store.code(name)}"
                    concluded += f" AND NOT ({same} AND ({_is_asserted(inference, alias, known)}))"
        parts.append(f"({concluded})")
    return " OR ".join(parts) or "false"


def _is_asserted(inference: Inference, alias: str, sources: Iterable[TypeSource]) -> str:
    store, joined = inference.store, f"t.g = {alias}.g AND t.round = 0 AND"
    classes = [source.object for source in sources if source.object is not None]
    others = {(source.predicate, source.column) for source in sources if source.object is None}
    found = [
        f"EXISTS (SELECT 1 FROM {store.table(predicate.text)} t "
        f"WHERE {joined} t.{column} = {alias}.s)"
        for predicate, column in sorted(others)
    ]
    if classes:
        codes = ", ".join(str(store.code(name)) for name in classes)
        type_table = store.table(TYPE.text)
        found.append(
            f"EXISTS (SELECT 1 FROM {type_table} t "
            f"WHERE {joined} t.s = {alias}.s AND t.o IN ({codes}))"
        )
    return " OR ".join(found)


class TypeSource(NamedTuple):
    """A statement from which an entity's class follows by the taxonomy alone."""

    predicate: Name
    column: str
    """s or o: which side of the statement is the entity."""
    object: Name | None
    """The asserted class, where the statement is of a type."""


def _type_sources(theory: Theory) -> dict[Name, set[TypeSource]]:
    """For each class, every statement that makes an entity one of it without other conditions.

    A step of the taxonomy is a rule with one condition that concludes types only: a superclass, or
    the class of whatever has a property.
    """
    steps: dict[Name, set[TypeSource]] = defaultdict(set)
    for rule in theory.rules:
        if len(rule.positive) != 1 or rule.groups() or rule.builtins or rule.probability != 1:
            continue
        [condition] = rule.positive
        for pattern in rule.head:
            if pattern.predicate != TYPE or not isinstance(pattern.object, Name):
                continue
            for column, term in (("s", condition.subject), ("o", condition.object)):
                if term != pattern.subject or not isinstance(condition.predicate, Name):
                    continue
                if condition.predicate != TYPE:
                    steps[pattern.object].add(TypeSource(condition.predicate, column, None))
                elif column == "s" and isinstance(condition.object, Name):
                    steps[pattern.object].add(TypeSource(TYPE, "s", condition.object))
    every: dict[Name, set[TypeSource]] = {}
    for name in steps:
        found: set[TypeSource] = set()
        waiting = [name]
        while waiting:
            new = steps.get(waiting.pop(), set()) - found
            found |= new
            waiting += [source.object for source in new if source.object is not None]
        every[name] = found
    return every


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


def _answers(
    inference: Inference,
    patterns: Sequence[Pattern],
    variables: Sequence[Variable],
    rows: Sequence[tuple[Any, ...]],
) -> list[GraphAnswer]:
    store = inference.store
    graphs = store.graph_names(row[0] for row in rows)
    terms = store.terms(code for row in rows for code in row[1:-1])
    code_of = {term: code for code, term in terms.items()}

    def key(graph: int, statement: Statement) -> StatementKey:
        subject, object_ = (
            code_of[term] if term in code_of else store.code(term)
            for term in (statement.subject, statement.object)
        )
        return StatementKey(graph, statement.predicate.text, subject, object_)

    found: list[tuple[int, dict[str, Name | Literal], tuple[Statement, ...], bool]] = []
    for graph, *codes, inferred in rows:
        values = [terms[code] for code in codes]
        bindings = {variable.text: value for variable, value in zip(variables, values, strict=True)}
        change = binding(bindings)
        statements = tuple(statement_of(pattern.with_terms(change)) for pattern in patterns)
        found.append((graph, bindings, statements, bool(inferred)))
    chances = inference.chances.joint(
        [[key(graph, statement) for statement in statements] for graph, _, statements, _ in found]
        if store.weighed
        else [()] * len(found)
    )
    return sorted(
        (
            GraphAnswer(graphs[graph], bindings, statements, chance.low, inferred, chance.bound)
            for (graph, bindings, statements, inferred), chance in zip(found, chances, strict=True)
        ),
        key=_order,
    )


def _order(one: GraphAnswer) -> tuple[str, list[str]]:
    return one.graph, [written(value) for value in one.bindings.values()]


def _condition(one: Pattern | Condition) -> Condition:
    if not isinstance(one, Pattern):
        return one
    return condition_of([one.subject, one.predicate, one.object])


# Names of a query that nothing knows, which would only ever give no answers.


def require_known(
    conditions: Iterable[Condition], ontology: Ontology, inference: Inference
) -> None:
    """Refuses a property or class that neither the ontology nor any statement has."""
    for pattern in patterns_of(conditions):
        predicate = pattern.predicate
        if isinstance(predicate, Name) and not _is_property(predicate, ontology, inference):
            hint = did_you_mean(predicate.text, (name.text for name in ontology.properties))
            raise DataError(f"there is no property {predicate.text}: {hint}", file="query")
        wanted = pattern.object
        if (
            predicate == TYPE
            and isinstance(wanted, Name)
            and wanted != THING
            and wanted not in ontology.classes
            and not _is_used(wanted, inference)
        ):
            hint = did_you_mean(wanted.text, (name.text for name in ontology.classes))
            raise DataError(f"there is no class {wanted.text}: {hint}", file="query")


def _is_property(name: Name, ontology: Ontology, inference: Inference) -> bool:
    return name in ontology.properties or name.text in SHORT or name.text in inference.store.tables


def _is_used(wanted: Name, inference: Inference) -> bool:
    store = inference.store
    return bool(
        store.run(
            f"SELECT 1 FROM {store.table(TYPE.text)} JOIN names ON names.id = o "
            "WHERE names.text = ? LIMIT 1",
            [wanted.text],
        )
    )
