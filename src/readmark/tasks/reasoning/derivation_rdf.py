"""Derivations as RDF: PROV-O activities that use antecedents and generate conclusions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.graphs import Asserted, Statement, write_triple
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.provenance import STATEMENT, content_digest, provenance_of, reified
from readmark.tasks.reasoning.rdf import write_rdf
from readmark.tasks.reasoning.rules.values import Rule, write_condition, write_denied
from readmark.tasks.reasoning.terms import Literal, Name, written

APPLICATION = "urn:readmark:application:"
GENERATED, USED = Name("prov:wasGeneratedBy"), Name("prov:used")
DERIVED = Name("prov:wasDerivedFrom")
RULE, BINDING = Name("rm:rule"), Name("rm:binding")
HELD, DENIED = Name("rm:held"), Name("rm:denied")


def write_derivations(
    derivations: Iterable[Derivation], *, namespaces: Namespaces, format: str = "RDF_XML"
) -> bytes:
    """The derivations and everything they rest on as a file, each statement once."""
    return write_rdf(_statements(derivations), format=format, namespaces=namespaces)


def _statements(derivations: Iterable[Derivation]) -> Iterator[Statement]:
    # A stack of its own: derivations of thousands of steps are deeper than Python's.
    stack = list(derivations)[::-1]
    seen: set[Name] = set()
    agents: set[str] = set()
    while stack:
        derivation = stack.pop()
        node = _node(derivation)
        if node in seen:
            continue
        seen.add(node)
        yield from reified(node, derivation.statement)
        for asserted in _assertions(derivation):
            yield from provenance_of(node, asserted, agents)
        if derivation.rule is None:
            for link in derivation.links:
                yield Statement(node, DERIVED, _node(link))
            stack.extend(reversed(derivation.links))
        else:
            yield from _application(node, derivation, derivation.rule)
            stack.extend(reversed(derivation.antecedents))


def _assertions(derivation: Derivation) -> Iterator[Asserted]:
    """An input as each annotator stated it in each document; a conclusion as a statement."""
    graph, statement = derivation.graph, derivation.statement
    if derivation.rule is not None:
        yield Asserted(graph, statement, probability=derivation.probability)
        return
    annotators: tuple[str | None, ...] = derivation.annotators or (None,)
    probability = derivation.probability if derivation.stated is None else derivation.stated
    for annotator, document in product(annotators, derivation.documents or (graph,)):
        yield Asserted(document, statement, derivation.support, probability, annotator)


def _application(node: Name, derivation: Derivation, rule: Rule) -> Iterator[Statement]:
    activity = Name(APPLICATION + node.text.removeprefix(STATEMENT))
    yield Statement(node, GENERATED, activity)
    yield Statement(activity, TYPE, Name("prov:Activity"))
    yield Statement(activity, RULE, Literal(rule.name))
    for name, value in derivation.bindings.items():
        yield Statement(activity, BINDING, Literal(f"?{name} {written(value)}"))
    for antecedent in derivation.antecedents:
        yield Statement(activity, USED, _node(antecedent))
    for builtin in derivation.computed:
        yield Statement(activity, HELD, Literal(write_condition(builtin)))
    for group in derivation.denied:
        yield Statement(activity, DENIED, Literal(write_denied(group)))


def _node(derivation: Derivation) -> Name:
    content = f"{derivation.graph}\n{write_triple(derivation.statement)}"
    return Name(STATEMENT + content_digest(content))
