"""An ontology: classes with superclasses, properties with domain, range and cardinality.

Besides reading targets it holds properties that the reasoner takes or infers, and built-ins that
only queries and rule bodies may use ("The DARPA Machine Reading Program", Table 2).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from readmark.tasks.reasoning.graphs import Namespaces
from readmark.tasks.reasoning.terms import Literal, Name, ZonedDate

ROLES = ("target", "inferred", "auxiliary", "builtin")
"""Read from text; taken as input or inferred; the same, but never asked; only in rule bodies."""

TYPE = Name("type")
SAME = Name("sameAs")
THING = Name("owl:Thing")

INTEGERS: dict[str, tuple[int | None, int | None]] = {
    "integer": (None, None),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-128, 127),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 255),
}
"""XML Schema's whole numbers with their bounds."""
FRACTIONS = ("double", "float", "decimal")
TEXTS = ("string", "normalizedString", "token", "anyURI", "language")


@dataclass(frozen=True, slots=True)
class OwlClass:
    """A class of entities."""

    name: Name
    superclasses: tuple[Name, ...] = ()
    disjoint: tuple[Name, ...] = ()
    label: str = ""
    comment: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    line: int = 0
    keys: tuple[tuple[Name, ...], ...] = ()
    """Properties whose values tell its entities apart, across documents."""
    same_name: bool = False
    """Whether a name is the same entity in every document."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property with what its statements must keep to; ``range`` is a class or a datatype.

    ``least`` and ``most`` count the distinct values of one subject of the domain.
    """

    name: Name
    domain: Name | None = None
    range: Name | None = None
    least: int = 0
    most: int | None = None
    role: str = "target"
    functional: bool = False
    label: str = ""
    comment: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    line: int = 0
    identifies: bool = False
    """Whether it is inverse functional: across documents, entities with a common value are one."""

    @property
    def greatest(self) -> int | None:
        """The most values a subject may have, by cardinality and by being functional."""
        if not self.functional:
            return self.most
        return 1 if self.most is None else min(1, self.most)


@dataclass(frozen=True)
class Ontology:
    """The classes and properties of a domain, by name."""

    classes: Mapping[Name, OwlClass] = field(default_factory=dict)
    properties: Mapping[Name, Property] = field(default_factory=dict)
    namespaces: Namespaces = field(default_factory=Namespaces)
    iri: str = ""
    label: str = ""
    file: str = ""
    language: str = "en"
    """The language of labels and questions."""
    individuals: frozenset[Name] = frozenset()
    """Entities that the ontology itself names, which are the same in every document."""

    @cached_property
    def _above(self) -> dict[Name, frozenset[Name]]:
        return {name: frozenset(self._walk(name)) for name in self.classes}

    def ancestors(self, name: Name) -> frozenset[Name]:
        """The class and everything above it."""
        return self._above.get(name, frozenset({name}))

    def is_a(self, one: Name, other: Name) -> bool:
        """Whether a class is another or lies below it; everything is an owl:Thing."""
        return other == THING or other in self.ancestors(one)

    def disjoint(self, one: Name, other: Name) -> bool:
        """Whether nothing may be of both classes, by what is said of them or above them."""
        a, b = self.ancestors(one), self.ancestors(other)
        return any(not b.isdisjoint(self._apart(low)) for low in a) or any(
            not a.isdisjoint(self._apart(low)) for low in b
        )

    def empty_by(self, name: Name) -> Name | None:
        """The class above a class, or itself, that makes it empty by being disjoint with it."""
        above = self.ancestors(name)
        apart: set[Name] = set()
        for low in above:
            for high in self._apart(low):
                if high in above:
                    apart |= {low, high}
        if not apart:
            return None
        return next(other for other in above if not apart.isdisjoint(self.ancestors(other)))

    def with_role(self, *roles: str) -> Iterator[Property]:
        """The properties of these roles, in the order of the file."""
        return (one for one in self.properties.values() if one.role in roles)

    def _apart(self, name: Name) -> tuple[Name, ...]:
        return self.classes[name].disjoint if name in self.classes else ()

    def _walk(self, name: Name) -> Iterator[Name]:
        todo, seen = [name], {name}
        while todo:
            one = todo.pop()
            yield one
            for above in self.classes[one].superclasses if one in self.classes else ():
                if above not in seen:
                    seen.add(above)
                    todo.append(above)


def datatype(name: Name) -> str | None:
    """The local name of an XML Schema datatype (or rdfs:Literal); None for a class."""
    prefix, _, local = name.text.partition(":")
    return local if prefix == "xsd" or name.text == "rdfs:Literal" else None


def literal_fits(literal: Literal, type: str) -> bool:
    """Whether a literal is a value of a datatype; an unknown datatype takes anything."""
    value = literal.value
    if type in INTEGERS:
        least, most = INTEGERS[type]
        whole = isinstance(value, int) and not isinstance(value, bool)
        return (
            whole
            and (least is None or value >= least)  # type: ignore[operator]
            and (most is None or value <= most)  # type: ignore[operator]
        )
    if type in FRACTIONS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if type == "boolean":
        return isinstance(value, bool)
    if type == "dateTime":
        return isinstance(value, datetime.datetime)
    if type == "date":
        plain = isinstance(value, datetime.date) and not isinstance(value, datetime.datetime)
        return plain or isinstance(value, ZonedDate)
    if type in TEXTS:
        return isinstance(value, str)
    return True


# What is inconsistent in an ontology itself: names that nothing declares, classes in a circle.


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
                    message = f"{predicate} of {name.text} names {other.text}, which is no class"
                    yield name, predicate, other, "unknown_class", message
        for above in one.superclasses:
            if name in ontology.ancestors(above):
                message = f"the class {name.text} lies above itself, by {above.text}"
                yield name, "rdfs:subClassOf", above, "cycle", message
                break
        apart = ontology.empty_by(name)
        if apart is not None:
            message = f"nothing can be a {name.text}, which is disjoint with {apart.text}"
            yield name, "owl:disjointWith", apart, "empty_class", message
    for name, prop in ontology.properties.items():
        for predicate, named in (("rdfs:domain", prop.domain), ("rdfs:range", prop.range)):
            if named is None or named in classes or named == THING:
                continue
            if predicate == "rdfs:domain" or not datatype(named):
                message = f"the {predicate} of {name.text} is {named.text}, which is no class"
                yield name, predicate, named, "unknown_class", message
        greatest = prop.greatest
        if greatest is not None and prop.least > greatest:
            message = f"{name.text} has at least {prop.least} values and at most {greatest}"
            yield name, "type", name, "cardinality", message
