"""Rule-based provenance as RDF: PROV-O activities that use antecedents and generate conclusions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from readmark.reasoning.explanations import Derivation
from readmark.reasoning.graphs import Asserted, Statement, write_triple
from readmark.reasoning.namespaces import Namespaces
from readmark.reasoning.provenance_rdf import STATEMENT, provenance_of, reified
from readmark.reasoning.rdf import write_rdf
from readmark.reasoning.rules.formatting import write_condition, write_denied
from readmark.reasoning.terms import Literal, Name, written

APPLICATION = "urn:readmark:application:"
TYPE = Name("type")
GENERATED, USED = Name("prov:wasGeneratedBy"), Name("prov:used")
RULE, BINDING, HELD, DENIED = (Name(f"rm:{one}") for one in ("rule", "binding", "held", "denied"))


def write_derivations(
    derivations: Iterable[Derivation], *, namespaces: Namespaces, format: str = "RDF_XML"
) -> bytes:
    """The derivations and everything they rest on as a file, each statement once."""
    return write_rdf(_statements(derivations), format=format, namespaces=namespaces)


def _statements(derivations: Iterable[Derivation]) -> Iterator[Statement]:
    stack = list(derivations)[::-1]
    seen: set[str] = set()
    agents: set[str] = set()
    while stack:
        one = stack.pop()
        node = _node(one)
        if node.text in seen:
            continue
        seen.add(node.text)
        yield from reified(node, one.statement)
        if one.rule is None:
            annotators: tuple[str | None, ...] = one.annotators or (None,)
            for annotator in annotators:
                told = Asserted(one.graph, one.statement, one.support, one.probability, annotator)
                yield from provenance_of(node, told, agents)
            continue
        yield from provenance_of(
            node, Asserted(one.graph, one.statement, probability=one.probability), agents
        )
        yield from _application(node, one)
        stack.extend(reversed(one.antecedents))


def _application(node: Name, one: Derivation) -> Iterator[Statement]:
    activity = Name(APPLICATION + node.text.removeprefix(STATEMENT))
    yield Statement(node, GENERATED, activity)
    yield Statement(activity, TYPE, Name("prov:Activity"))
    if one.rule is not None:
        yield Statement(activity, RULE, Literal(one.rule.name))
    for name, value in one.bindings.items():
        yield Statement(activity, BINDING, Literal(f"?{name} {written(value)}"))
    for antecedent in one.antecedents:
        yield Statement(activity, USED, _node(antecedent))
    for builtin in one.computed:
        yield Statement(activity, HELD, Literal(write_condition(builtin)))
    for group in one.denied:
        yield Statement(activity, DENIED, Literal(write_denied(group)))


def _node(one: Derivation) -> Name:
    told = f"{one.graph}\n{write_triple(one.statement)}"
    return Name(STATEMENT + hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16])
