"""What follows, what answers a query and why, as values that print and go into JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.files import writing
from readmark.tasks.ground import Ground
from readmark.tasks.reasoning.contradictions import (
    MOST,
    Contradiction,
    contradiction_text,
    contradictions,
)
from readmark.tasks.reasoning.derivations import Derivation, explain
from readmark.tasks.reasoning.engine.inference import Derived
from readmark.tasks.reasoning.graphs import (
    Asserted,
    Namespaces,
    Statement,
    Support,
    write_graph,
    write_triple,
)
from readmark.tasks.reasoning.provenance import write_derivations, write_provenance
from readmark.tasks.reasoning.queries import Answer, answer, require_graphs, require_known
from readmark.tasks.reasoning.rdf import DATASETS, format_of, write_rdf
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import rename_condition, write_condition
from readmark.tasks.reasoning.sparql import Result, sparql
from readmark.tasks.reasoning.terms import Literal, Name, written
from readmark.tasks.records import document_iri

LINE_FORMATS = ("N_QUADS",)
"""Formats with graphs in which a file may be written bit by bit."""


@dataclass(frozen=True)
class Explained:
    """An answer with the derivations of its statements."""

    answer: Answer
    derivations: tuple[Derivation, ...]


def query(
    ground: Ground, text: str, *, graphs: Sequence[str] | None, seconds: float, explained: bool
) -> list[Explained]:
    """The answers of a query graph, with their derivations where asked for."""
    spell = ground.namespaces.canonical
    conditions = [rename_condition(one, spell) for one in parse_query(text, "query")]
    require_graphs(ground.inference, graphs or (), ground.documents)
    if ground.meaning is not None:
        require_known(conditions, ground.meaning, ground.inference)
    found = answer(ground.inference, conditions, graphs=graphs or None, seconds=seconds)
    if not explained:
        return [Explained(one, ()) for one in found]
    wanted = [(one.graph, s) for one in found for s in one.statements]
    trees = iter(explain(ground.inference, wanted, seconds=seconds))
    return [Explained(one, tuple(next(trees) for _ in one.statements)) for one in found]


def why(
    ground: Ground, text: str, *, graphs: Sequence[str] | None, seconds: float
) -> list[Derivation]:
    """The derivations of every statement that instantiates a graph, each once."""
    answers = query(ground, text, graphs=graphs, seconds=seconds, explained=True)
    found = {(one.graph, one.statement): one for each in answers for one in each.derivations}
    return list(found.values())


@dataclass(frozen=True)
class Inferred:
    """What followed in all, the first or every derived statement, and the contradictions."""

    counts: Mapping[str, int]
    derived: Sequence[Derived]
    broken: Sequence[Contradiction]


def run_rules(
    grounds: Iterable[Ground],
    *,
    output: str | None = None,
    show: int | None = None,
    most: int = MOST,
) -> Inferred:
    """Runs through grounds, one at a time; all that is derived goes to a file, whole or not at all.

    ``show`` limits how many derived statements are given back, ``most`` how many contradictions.
    """
    counts: Counter[str] = Counter()
    kept: list[Derived] = []
    broken: list[Contradiction] = []
    format = None if output is None or output.endswith(".graph") else format_of(output)
    waiting: list[Derived] = []
    namespaces = Namespaces()
    with ExitStack() as stack:
        file = stack.enter_context(writing(output)) if output is not None else None
        for ground in grounds:
            namespaces = ground.namespaces
            counts.update(ground.inference.counts())
            if len(broken) < most:
                broken += contradictions(ground.inference, most=most - len(broken))
            missing = None if show is None else max(show - len(kept), 0)
            kept.extend(islice(ground.inference.derived(), missing))
            if file is not None:
                waiting.extend(ground.inference.derived())
                if format in LINE_FORMATS:
                    file.write(_derived_data(waiting, format, namespaces, output))
                    waiting.clear()
        if file is not None and format not in LINE_FORMATS:
            file.write(_derived_data(waiting, format, namespaces, output))
    return Inferred(dict(counts), kept, broken)


def _derived_data(
    derived: Sequence[Derived], format: str | None, namespaces: Namespaces, output: str | None
) -> bytes:
    """The statements as RDF, or without a format as a parenthesised graph.

    Where plain triples would lose graphs or probabilities, each statement is told with its own.
    """
    graphs = {one.graph for one in derived}
    unsure = any(one.probability != 1 for one in derived)
    if format is None:
        if len(graphs) > 1 or unsure:
            said = f"are of {len(graphs)} graphs" if len(graphs) > 1 else "have probabilities"
            hint = "write .trig, .nq, .ttl, .rdf or .nt"
            raise DataError(f"the notation has one graph, and these {said}: {hint}", file=output)
        return (write_graph(one.statement for one in derived) + "\n").encode()
    if unsure or (len(graphs) > 1 and format not in DATASETS):
        told = [Asserted(one.graph, one.statement, probability=one.probability) for one in derived]
        return write_provenance(told, format=format, namespaces=namespaces, file=output)
    pairs = [(document_iri(one.graph), one.statement) for one in derived]
    return write_rdf(pairs, format=format, namespaces=namespaces, file=output)


def write_why(ground: Ground, derivations: Sequence[Derivation], output: str) -> None:
    """The derivations as RDF in the format of the file's name."""
    format = format_of(output)
    if format in ("TRIG", "N_QUADS"):
        raise UsageError(f"{output}: derivations are written as .html, .rdf, .ttl or .nt")
    with writing(output) as file:
        file.write(write_derivations(derivations, namespaces=ground.namespaces, format=format))


def value_json(term: Name | Literal) -> str | int | float | bool:
    """Numbers and truth values as they are, everything else as the notation writes it.

    JSON has no INF and no NaN, which are therefore written too.
    """
    if isinstance(term, Literal) and isinstance(term.value, bool | int | float):
        return term.value if math.isfinite(term.value) else written(term)
    return written(term)


def bindings_json(bindings: Mapping[str, Name | Literal]) -> dict[str, Any]:
    """The values of variables."""
    return {name: value_json(value) for name, value in bindings.items()}


def derived_json(one: Derived) -> dict[str, Any]:
    """A derived statement."""
    return {"graph": one.graph, **_triple(one.statement), "probability": one.probability}


class Steps:
    """Derivations for JSON: every statement once, its antecedents by their numbers."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._numbers: dict[tuple[str, Statement], int] = {}

    def add(self, trees: Iterable[Derivation]) -> list[int]:
        """The numbers of derivations; what is new is added, with all it rests on."""
        roots = list(trees)
        new: list[Derivation] = []
        stack = roots[::-1]
        while stack:
            one = stack.pop()
            key = (one.graph, one.statement)
            if key not in self._numbers:
                self._numbers[key] = len(self._numbers)
                new.append(one)
                stack.extend(reversed(one.antecedents))
        self.nodes.extend(self._node(one) for one in new)
        return [self._number(one) for one in roots]

    def _number(self, one: Derivation) -> int:
        return self._numbers[one.graph, one.statement]

    def _node(self, one: Derivation) -> dict[str, Any]:
        found: dict[str, Any] = {
            "id": self._number(one),
            "graph": one.graph,
            **_triple(one.statement),
            "probability": one.probability,
        }
        if one.rule is None:
            if one.annotators:
                found["annotators"] = list(one.annotators)
            found["excerpts"] = _excerpts(one.support)
            return found
        found["rule"] = one.rule.name
        found["comment"] = one.rule.comment
        found["default"] = one.rule.assumes
        found["bindings"] = bindings_json(one.bindings)
        found["antecedents"] = [self._number(each) for each in one.antecedents]
        found["held"] = [write_condition(builtin) for builtin in one.computed]
        found["denied"] = [[write_condition(each) for each in group] for group in one.denied]
        found["ways"] = one.ways
        return found


def answers_json(answers: Iterable[Explained]) -> dict[str, Any]:
    """The answers, each with the numbers of its derivations, and the derivations once."""
    steps = Steps()
    told = []
    for one in answers:
        found: dict[str, Any] = {
            "graph": one.answer.graph,
            "bindings": bindings_json(one.answer.bindings),
            "statements": [write_triple(statement) for statement in one.answer.statements],
            "probability": one.answer.probability,
            "inferred": one.answer.inferred,
        }
        if one.derivations:
            found["derivations"] = steps.add(one.derivations)
        told.append(found)
    return {"answers": told, **({"derivations": steps.nodes} if steps.nodes else {})}


def why_json(trees: Sequence[Derivation]) -> dict[str, Any]:
    """The numbers of the derivations that were asked for, and all derivations once."""
    steps = Steps()
    return {"explained": steps.add(trees), "derivations": steps.nodes}


def inferred_json(found: Inferred) -> dict[str, Any]:
    """Counts, derived statements, and contradictions with what they rest on."""
    steps = Steps()
    return {
        **found.counts,
        "statements": [derived_json(one) for one in found.derived],
        "contradicting": [_contradiction(one, steps) for one in found.broken],
        "not_listed": found.counts.get("contradictions", 0) - len(found.broken),
        "derivations": steps.nodes,
    }


def _contradiction(one: Contradiction, steps: Steps) -> dict[str, Any]:
    """A contradiction with the inputs to repair and how it comes about."""
    return {
        "graph": one.graph,
        "theory": one.rule.contradicts,
        "rule": one.rule.name,
        "comment": one.rule.comment,
        "bindings": bindings_json(one.bindings),
        "inputs": [write_triple(statement) for statement in one.inputs],
        "probability": one.probability,
        "antecedents": steps.add(one.antecedents),
        "text": contradiction_text(one),
    }


def _triple(statement: Statement) -> dict[str, Any]:
    return {
        "statement": write_triple(statement),
        "subject": statement.subject.text,
        "predicate": statement.predicate.text,
        "object": value_json(statement.object),
    }


def _excerpts(support: Support) -> list[dict[str, Any]]:
    return [
        {
            "part": part,
            "document": one.document,
            "start": one.start,
            "end": one.end,
            "quote": one.quote,
        }
        for part in ("statement", "subject", "predicate", "object")
        for one in getattr(support, part)
    ]


# SPARQL over the ground of a task.


def run(
    ground: Ground,
    query: str,
    *,
    graphs: Sequence[str] | None = None,
    seconds: float,
    memory: int | None = None,
) -> Result:
    """Runs a read-only query over everything stated and inferred, or over some graphs."""
    require_graphs(ground.inference, graphs or (), ground.documents)
    return sparql(
        ground.inference,
        query,
        namespaces=ground.namespaces,
        graphs=graphs or None,
        seconds=seconds,
        memory=memory,
    )


def result_json(result: Result) -> dict[str, Any]:
    """Rows, a truth value or statements."""
    if result.truth is not None:
        return {"truth": result.truth}
    if result.variables:
        rows = [bindings_json(row) for row in result.rows]
        return {"variables": list(result.variables), "rows": rows}
    return {"statements": [write_triple(one) for one in result.statements]}
