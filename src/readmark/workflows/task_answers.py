"""What follows, what answers a query and why, as values that print and go into JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.errors import UsageError
from readmark.corpus.files import writing
from readmark.reasoning.contradictions import Contradiction, contradictions
from readmark.reasoning.derivation_rdf import write_derivations
from readmark.reasoning.derivation_text import contradiction_text
from readmark.reasoning.engine.inference import Derived
from readmark.reasoning.explanations import Derivation, explain
from readmark.reasoning.graphs import Statement, Support, write_graph, write_triple
from readmark.reasoning.namespaces import document_iri
from readmark.reasoning.queries import Answer, answer
from readmark.reasoning.rdf import format_of, write_rdf
from readmark.reasoning.rules import parse_query
from readmark.reasoning.rules.formatting import write_condition
from readmark.reasoning.rules.renaming import rename_condition
from readmark.reasoning.terms import Literal, Name, written
from readmark.workflows.task_inference import Ground


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
    found = answer(ground.inference, conditions, graphs=graphs or None, seconds=seconds)
    if not explained:
        return [Explained(one, ()) for one in found]
    trees = iter(
        explain(ground.inference, [(one.graph, s) for one in found for s in one.statements])
    )
    return [Explained(one, tuple(next(trees) for _ in one.statements)) for one in found]


def why(
    ground: Ground, text: str, *, graphs: Sequence[str] | None, seconds: float
) -> list[Derivation]:
    """The derivations of every statement that instantiates a graph, each once."""
    answers = query(ground, text, graphs=graphs, seconds=seconds, explained=True)
    found = {(one.graph, one.statement): one for each in answers for one in each.derivations}
    return list(found.values())


def broken(ground: Ground, graphs: Sequence[str] | None = None) -> list[Contradiction]:
    """The contradictions, explained."""
    return contradictions(ground.inference, graphs=graphs or None)


def write_derived(ground: Ground, derived: Iterable[Derived], output: str) -> None:
    """The derived statements as RDF, or as a parenthesised graph in a ``.graph`` file."""
    told = list(derived)
    if output.endswith(".graph"):
        data = (write_graph(one.statement for one in told) + "\n").encode()
    else:
        format = format_of(output)
        pairs = [(document_iri(one.graph), one.statement) for one in told]
        data = write_rdf(pairs, format=format, namespaces=ground.namespaces, file=output)
    with writing(output) as file:
        file.write(data)


def write_why(ground: Ground, derivations: Sequence[Derivation], output: str) -> None:
    """The derivations as RDF in the format of the file's name."""
    format = format_of(output)
    if format in ("TRIG", "N_QUADS"):
        raise UsageError(f"{output}: derivations are written as .html, .rdf, .ttl or .nt")
    with writing(output) as file:
        file.write(write_derivations(derivations, namespaces=ground.namespaces, format=format))


def value_json(term: Name | Literal) -> str | int | float | bool:
    """Numbers and truth values as they are, everything else as the notation writes it."""
    if isinstance(term, Literal) and isinstance(term.value, bool | int | float):
        return term.value
    return written(term)


def bindings_json(bindings: Mapping[str, Name | Literal]) -> dict[str, Any]:
    """The values of variables."""
    return {name: value_json(value) for name, value in bindings.items()}


def derived_json(one: Derived) -> dict[str, Any]:
    """A derived statement."""
    return {"graph": one.graph, **_triple(one.statement), "probability": one.probability}


def answer_json(one: Explained) -> dict[str, Any]:
    """An answer, with its derivations where there are any."""
    found = {
        "graph": one.answer.graph,
        "bindings": bindings_json(one.answer.bindings),
        "statements": [write_triple(statement) for statement in one.answer.statements],
        "probability": one.answer.probability,
        "inferred": one.answer.inferred,
    }
    if one.derivations:
        found["derivations"] = [derivation_json(tree) for tree in one.derivations]
    return found


def contradiction_json(one: Contradiction) -> dict[str, Any]:
    """A contradiction with the inputs to repair and how it comes about."""
    return {
        "graph": one.graph,
        "theory": one.rule.contradicts,
        "rule": one.rule.name,
        "comment": one.rule.comment,
        "bindings": bindings_json(one.bindings),
        "inputs": [write_triple(statement) for statement in one.inputs],
        "probability": one.probability,
        "antecedents": [derivation_json(tree) for tree in one.antecedents],
        "text": contradiction_text(one),
    }


def derivation_json(one: Derivation) -> dict[str, Any]:
    """A derivation tree; deep ones repeat what they share."""
    found: dict[str, Any] = {
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
    found["antecedents"] = [derivation_json(tree) for tree in one.antecedents]
    found["held"] = [write_condition(builtin) for builtin in one.computed]
    found["denied"] = [[write_condition(each) for each in group] for group in one.denied]
    found["ways"] = one.ways
    return found


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
