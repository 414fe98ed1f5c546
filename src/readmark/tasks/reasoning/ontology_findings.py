"""What is inconsistent in an ontology: names that nothing declares, cycles, empty classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from readmark.tasks.reasoning.datatypes import datatype
from readmark.tasks.reasoning.ontology import THING, Ontology, OwlClass, Property
from readmark.tasks.reasoning.terms import Name


class OntologyFinding(NamedTuple):
    """A problem, and the triple in whose line it is reported."""

    subject: Name
    predicate: str
    object: Name
    code: str
    message: str


def ontology_findings(ontology: Ontology) -> Iterator[OntologyFinding]:
    """Everything that is wrong: of the classes in their order, then of the properties."""
    for class_ in ontology.classes.values():
        yield from _class_findings(class_, ontology)
    for prop in ontology.properties.values():
        yield from _property_findings(prop, ontology)


def _class_findings(class_: OwlClass, ontology: Ontology) -> Iterator[OntologyFinding]:
    name = class_.name
    for predicate, named_classes in (
        ("rdfs:subClassOf", class_.superclasses),
        ("owl:disjointWith", class_.disjoint),
    ):
        for named in named_classes:
            if named not in ontology.classes:
                message = f"{predicate} of {name.text} names {named.text}, which is no class"
                yield OntologyFinding(name, predicate, named, "unknown_class", message)
    for superclass in class_.superclasses:
        if name in ontology.ancestors(superclass):
            message = f"the class {name.text} lies above itself, by {superclass.text}"
            yield OntologyFinding(name, "rdfs:subClassOf", superclass, "cycle", message)
            break
    disjoint = ontology.empty_by(name)
    if disjoint is not None:
        message = f"nothing can be a {name.text}, which is disjoint with {disjoint.text}"
        yield OntologyFinding(name, "owl:disjointWith", disjoint, "empty_class", message)


def _property_findings(prop: Property, ontology: Ontology) -> Iterator[OntologyFinding]:
    name = prop.name
    for predicate, named in (("rdfs:domain", prop.domain), ("rdfs:range", prop.range)):
        if named is None or named in ontology.classes or named == THING:
            continue
        if predicate == "rdfs:domain" or not datatype(named):
            message = f"the {predicate} of {name.text} is {named.text}, which is no class"
            yield OntologyFinding(name, predicate, named, "unknown_class", message)
    greatest = prop.greatest
    if greatest is not None and prop.least > greatest:
        message = f"{name.text} has at least {prop.least} values and at most {greatest}"
        yield OntologyFinding(name, "type", name, "cardinality", message)
