"""What is inconsistent in an ontology itself: names that nothing declares, classes in a circle."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.reasoning.ontology import THING, Ontology, datatype
from readmark.reasoning.terms import Name

Finding = tuple[Name, str, Name, str, str]
"""Of what, under which predicate, which value; a code and a line of prose."""


def ontology_findings(ontology: Ontology) -> Iterator[Finding]:
    """Everything that is wrong, in the order of the file."""
    classes = ontology.classes
    for name, one in classes.items():
        for predicate, wanted in (
            ("rdfs:subClassOf", one.superclasses),
            ("owl:disjointWith", one.disjoint),
        ):
            for other in wanted:
                if other not in classes:
                    said = f"{predicate} of {name.text} names {other.text}, which is no class"
                    yield name, predicate, other, "unknown_class", said
        for above in one.superclasses:
            if name in ontology.ancestors(above):
                said = f"the class {name.text} lies above itself, by {above.text}"
                yield name, "rdfs:subClassOf", above, "cycle", said
                break
        apart = next((x for x in ontology.ancestors(name) if ontology.disjoint(name, x)), None)
        if apart is not None:
            said = f"nothing can be a {name.text}, which is disjoint with {apart.text}"
            yield name, "owl:disjointWith", apart, "empty_class", said
    for name, prop in ontology.properties.items():
        for predicate, named in (("rdfs:domain", prop.domain), ("rdfs:range", prop.range)):
            if named is None or named in classes or named == THING:
                continue
            if predicate == "rdfs:domain" or not datatype(named):
                said = f"the {predicate} of {name.text} is {named.text}, which is no class"
                yield name, predicate, named, "unknown_class", said
        greatest = prop.greatest
        if greatest is not None and prop.least > greatest:
            said = f"{name.text} has at least {prop.least} values and at most {greatest}"
            yield name, "type", name, "cardinality", said
