"""An ontology as OWL, which ``read_ontology`` reads back as it was."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.tasks.reasoning.datatypes import datatype
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property
from readmark.tasks.reasoning.rdf import write_rdf
from readmark.tasks.reasoning.terms import Literal, Name

TYPE = Name("type")
_ABOUT = {"label": Name("rdfs:label"), "comment": Name("rdfs:comment")}


def write_ontology(ontology: Ontology, *, format: str = "TURTLE") -> bytes:
    """The ontology as a file: cardinalities become restrictions on the domain."""
    return write_rdf(_statements(ontology), format=format, namespaces=ontology.namespaces)


def _statements(ontology: Ontology) -> Iterator[Statement]:
    if ontology.iri:
        yield Statement(Name(ontology.iri), TYPE, Name("owl:Ontology"))
        if ontology.label:
            yield Statement(Name(ontology.iri), _ABOUT["label"], Literal(ontology.label))
    for class_ in ontology.classes.values():
        yield Statement(class_.name, TYPE, Name("owl:Class"))
        yield from _texts(class_)
        for superclass in class_.superclasses:
            yield Statement(class_.name, Name("rdfs:subClassOf"), superclass)
        for other in class_.disjoint:
            yield Statement(class_.name, Name("owl:disjointWith"), other)
    for number, prop in enumerate(ontology.properties.values(), 1):
        yield from _property(prop, number)


def _property(prop: Property, number: int) -> Iterator[Statement]:
    kind = "DatatypeProperty" if prop.range and datatype(prop.range) else "ObjectProperty"
    yield Statement(prop.name, TYPE, Name(f"owl:{kind}"))
    if prop.functional:
        yield Statement(prop.name, TYPE, Name("owl:FunctionalProperty"))
    yield from _texts(prop)
    if prop.domain is not None:
        yield Statement(prop.name, Name("rdfs:domain"), prop.domain)
    if prop.range is not None:
        yield Statement(prop.name, Name("rdfs:range"), prop.range)
    yield Statement(prop.name, Name("rm:role"), Name(f"rm:{prop.role}"))
    if prop.domain is not None and (prop.least or prop.most is not None):
        node = Name(f"_:restriction{number}")
        yield Statement(prop.domain, Name("rdfs:subClassOf"), node)
        yield Statement(node, TYPE, Name("owl:Restriction"))
        yield Statement(node, Name("owl:onProperty"), prop.name)
        if prop.least:
            yield Statement(node, Name("owl:minCardinality"), Literal(prop.least))
        if prop.most is not None:
            yield Statement(node, Name("owl:maxCardinality"), Literal(prop.most))


def _texts(described: OwlClass | Property) -> Iterator[Statement]:
    for field, name in _ABOUT.items():
        if text := getattr(described, field):
            yield Statement(described.name, name, Literal(text))
    for local, text in described.annotations.items():
        yield Statement(described.name, Name(f"rm:{local}"), Literal(text))
