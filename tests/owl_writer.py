"""An ontology as OWL, which ``read_ontology`` reads back as it was."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property, datatype
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
    for one in ontology.classes.values():
        yield Statement(one.name, TYPE, Name("owl:Class"))
        yield from _words(one)
        for above in one.superclasses:
            yield Statement(one.name, Name("rdfs:subClassOf"), above)
        for other in one.disjoint:
            yield Statement(one.name, Name("owl:disjointWith"), other)
    for number, prop in enumerate(ontology.properties.values(), 1):
        yield from _property(prop, number)


def _property(one: Property, number: int) -> Iterator[Statement]:
    kind = "DatatypeProperty" if one.range and datatype(one.range) else "ObjectProperty"
    yield Statement(one.name, TYPE, Name(f"owl:{kind}"))
    if one.functional:
        yield Statement(one.name, TYPE, Name("owl:FunctionalProperty"))
    yield from _words(one)
    if one.domain is not None:
        yield Statement(one.name, Name("rdfs:domain"), one.domain)
    if one.range is not None:
        yield Statement(one.name, Name("rdfs:range"), one.range)
    yield Statement(one.name, Name("rm:role"), Name(f"rm:{one.role}"))
    if one.domain is not None and (one.least or one.most is not None):
        node = Name(f"_:restriction{number}")
        yield Statement(one.domain, Name("rdfs:subClassOf"), node)
        yield Statement(node, TYPE, Name("owl:Restriction"))
        yield Statement(node, Name("owl:onProperty"), one.name)
        if one.least:
            yield Statement(node, Name("owl:minCardinality"), Literal(one.least))
        if one.most is not None:
            yield Statement(node, Name("owl:maxCardinality"), Literal(one.most))


def _words(one: OwlClass | Property) -> Iterator[Statement]:
    for field, name in _ABOUT.items():
        if said := getattr(one, field):
            yield Statement(one.name, name, Literal(said))
    for local, said in one.annotations.items():
        yield Statement(one.name, Name(f"rm:{local}"), Literal(said))
