"""Whether triples keep to an ontology's vocabulary, each for itself.

What takes several statements to see (cardinality, domain, disjointness) is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from readmark.core.errors import did_you_mean
from readmark.tasks.reasoning.datatypes import datatype, literal_fits
from readmark.tasks.reasoning.graphs import Pattern, Statement
from readmark.tasks.reasoning.ontology import SAME, THING, TYPE, Ontology
from readmark.tasks.reasoning.terms import Literal, Name, Variable, written

Finding = tuple[str, str]
"""A code and a line of prose."""

CONTRADICTS = Name("contradicts")
_BUILTIN_PREFIX = "mrq:"
_LONGEST_LITERAL = 40  # characters that fit a message


@dataclass(frozen=True)
class Vocabulary:
    """The names that an ontology knows."""

    ontology: Ontology

    def findings(self, triple: Pattern | Statement, *, asserted: bool) -> Iterator[Finding]:
        """Unknown classes and properties, values outside the range, built-ins that are asserted."""
        if isinstance(triple.predicate, Variable):
            return
        name = self._canonical(triple.predicate)
        if name == TYPE:
            yield from self._class_findings(triple.object)
        elif name.text.startswith(_BUILTIN_PREFIX) or name in (SAME, CONTRADICTS):
            if asserted and name != SAME:
                yield "builtin", f"{name.text} cannot be stated: queries and rules compute it"
        elif name not in self.ontology.properties:
            hint = did_you_mean(name.text, [known.text for known in self.ontology.properties])
            yield "unknown_property", f"{name.text} is not a property of the ontology; {hint}"
        else:
            prop = self.ontology.properties[name]
            if asserted and prop.role == "builtin":
                yield "builtin", f"{name.text} cannot be stated: it is for queries and rules only"
            if prop.range is not None:
                yield from _range_findings(name, triple.object, prop.range)

    def _class_findings(self, term: object) -> Iterator[Finding]:
        if isinstance(term, Literal):
            yield "unknown_class", f"{written(term)} is a literal, expected a class"
        elif isinstance(term, Name):
            name = self._canonical(term)
            if name not in self.ontology.classes and name != THING:
                hint = did_you_mean(name.text, [known.text for known in self.ontology.classes])
                yield "unknown_class", f"{name.text} is not a class of the ontology; {hint}"

    def _canonical(self, term: object) -> Name:
        if not isinstance(term, Name):
            return Name(str(term))
        return self.ontology.namespaces.canonical(term)


def _range_findings(name: Name, value: object, range: Name) -> Iterator[Finding]:
    type = datatype(range)
    if isinstance(value, Literal):
        if type is None:
            yield (
                "range",
                f"{name.text} has an entity ({range.text}), not the literal {_short(value)}",
            )
        elif not literal_fits(value, type):
            yield "range", f"{_short(value)} is not of type {range.text}, the range of {name.text}"
    elif isinstance(value, Name) and type is not None:
        yield "range", f"{name.text} has a literal ({range.text}), not the entity {value.text}"


def _short(literal: Literal) -> str:
    text = written(literal)
    return text if len(text) <= _LONGEST_LITERAL else text[: _LONGEST_LITERAL - 1] + "…"
