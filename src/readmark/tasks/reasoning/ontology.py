"""An ontology: classes with superclasses, properties with domain, range and cardinality.

Besides reading targets it holds properties that the reasoner takes or infers, and built-ins that
only queries and rule bodies may use ("The DARPA Machine Reading Program", Table 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.terms import Name

ROLES = ("target", "inferred", "auxiliary", "builtin")
"""In their order: read from text; taken as input or inferred; the same, but never asked for; only
in queries and rule bodies."""

TYPE = Name("type")
SAME = Name("sameAs")
THING = Name("owl:Thing")


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
    """Of each key, the properties whose values tell its entities apart, across documents."""
    same_name: bool = False
    """Whether equal names in several documents are one entity."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property and what its statements must fulfil; ``range`` is a class or a datatype.

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
    def _ancestors(self) -> dict[Name, frozenset[Name]]:
        return {name: frozenset(self._walk_up(name)) for name in self.classes}

    def _walk_up(self, name: Name) -> Iterator[Name]:
        waiting, seen = [name], {name}
        while waiting:
            class_name = waiting.pop()
            yield class_name
            class_ = self.classes.get(class_name)
            for superclass in class_.superclasses if class_ is not None else ():
                if superclass not in seen:  # An ontology with a cycle is reported, after this.
                    seen.add(superclass)
                    waiting.append(superclass)

    def ancestors(self, name: Name) -> frozenset[Name]:
        """The class and everything above it."""
        return self._ancestors.get(name, frozenset({name}))

    def is_a(self, lower: Name, upper: Name) -> bool:
        """Whether a class is another or lies below it; everything is an owl:Thing."""
        return upper == THING or upper in self.ancestors(lower)

    def disjoint(self, first: Name, second: Name) -> bool:
        """Whether nothing may be of both classes, by an axiom about them or about classes above."""
        a, b = self.ancestors(first), self.ancestors(second)
        return any(not b.isdisjoint(self._disjoint_with(name)) for name in a) or any(
            not a.isdisjoint(self._disjoint_with(name)) for name in b
        )

    def _disjoint_with(self, name: Name) -> tuple[Name, ...]:
        return self.classes[name].disjoint if name in self.classes else ()

    def empty_by(self, name: Name) -> Name | None:
        """A class that makes the class empty: it lies above it, and is disjoint with it."""
        above = self.ancestors(name)
        conflicting: set[Name] = set()
        for first in above:
            for second in self._disjoint_with(first):
                if second in above:
                    conflicting |= {first, second}
        # The class itself is named only where it is declared disjoint with itself.
        return min(conflicting, key=lambda other: (other == name, other), default=None)

    def with_role(self, *roles: str) -> Iterator[Property]:
        """The properties of these roles, in the order of the file."""
        return (prop for prop in self.properties.values() if prop.role in roles)
