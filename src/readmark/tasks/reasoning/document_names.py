"""Whose names are: those of a document are marked with it, those of the domain are shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from readmark.tasks.names import escaped
from readmark.tasks.reasoning.blank_nodes import scopes
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.ontology import TYPE, Ontology
from readmark.tasks.reasoning.rdf_terms import BLANK
from readmark.tasks.reasoning.rules.values import Condition, Theory, terms_of
from readmark.tasks.reasoning.terms import Name


def with_document_names(
    asserted: Sequence[Asserted], theory: Theory, ontology: Ontology | None
) -> Iterator[Asserted]:
    """The statements with the names of each document's own entities marked by the document.

    Shared are names with a prefix, those of the ontology and the rules, and those of entities of
    classes with ``same_name``.
    """
    shared = set(_names_of_rules(theory))
    shared_in_document: set[tuple[str, Name]] = set()
    if ontology is not None:
        shared |= {*ontology.classes, *ontology.properties, *ontology.individuals}
        shared_in_document = set(_entities_with_same_name(asserted, ontology))
    scope_of = scopes(dict.fromkeys(each.graph for each in asserted))

    def in_document(name: Name, document: str) -> Name:
        text = name.text
        if text.startswith(BLANK):
            return Name(f"{BLANK}{scope_of[document]}{text[len(BLANK) :]}")
        if ":" in text or name in shared or (document, name) in shared_in_document:
            return name
        return Name(f"{text}@{escaped(document)}")

    for each in asserted:
        statement, document = each.statement, each.graph
        object_ = statement.object
        if isinstance(object_, Name) and statement.predicate != TYPE:
            object_ = in_document(object_, document)
        subject = in_document(statement.subject, document)
        yield replace(each, statement=Statement(subject, statement.predicate, object_))


def _names_of_rules(theory: Theory) -> Iterator[Name]:
    for rule in theory.rules:
        conditions: list[Condition] = [*rule.positive, *rule.builtins]
        conditions += [condition for group in rule.negative for condition in group]
        if rule.contradicts is None:
            conditions += rule.head
        for condition in conditions:
            yield from (term for term in terms_of(condition) if isinstance(term, Name))


def _entities_with_same_name(
    asserted: Iterable[Asserted], ontology: Ontology
) -> Iterator[tuple[str, Name]]:
    """Documents and names of entities of classes with ``same_name``, or of classes below them.

    What they are is stated, or follows from the domain or range of a property.
    """
    declared = {class_.name for class_ in ontology.classes.values() if class_.same_name}
    classes = {
        name for name in ontology.classes if not declared.isdisjoint(ontology.ancestors(name))
    }
    for each in asserted:
        statement = each.statement
        prop = ontology.properties.get(statement.predicate)
        if statement.predicate == TYPE and statement.object in classes:
            yield each.graph, statement.subject
        if prop is not None and prop.domain in classes:
            yield each.graph, statement.subject
        if prop is not None and prop.range in classes and isinstance(statement.object, Name):
            yield each.graph, statement.object
