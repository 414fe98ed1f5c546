"""Whether triples keep to an ontology's vocabulary, taken one by one.

What takes several statements to see (cardinality, domain, disjointness) is the engine's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from readmark.corpus.errors import did_you_mean
from readmark.reasoning.graphs import Pattern, Statement
from readmark.reasoning.ontology import SAME, THING, TYPE, Ontology, datatype, literal_fits
from readmark.reasoning.terms import Literal, Name, Variable, written

Finding = tuple[str, str]
"""A code and a line of prose."""
MRQ = "mrq:"
CONTRADICTS = Name("contradicts")


@dataclass(frozen=True)
class Vocabulary:
    """The names that an ontology knows."""

    ontology: Ontology

    def findings(self, triple: Pattern | Statement, *, asserted: bool) -> Iterator[Finding]:
        """Unknown classes and properties, values outside the range, built-ins that are asserted."""
        predicate, object_ = triple.predicate, triple.object
        if isinstance(predicate, Variable):
            return
        name = self._name(predicate)
        if name == TYPE:
            yield from self._class(object_)
        elif name.text.startswith(MRQ) or name in (SAME, CONTRADICTS):
            if asserted and name != SAME:
                yield "builtin", f"{name.text} cannot be stated: queries and rules compute it"
        elif name not in self.ontology.properties:
            known = [one.text for one in self.ontology.properties]
            hint = did_you_mean(name.text, known)
            yield "unknown_property", f"{name.text} is no property of the ontology; {hint}"
        else:
            prop = self.ontology.properties[name]
            if asserted and prop.role == "builtin":
                yield "builtin", f"{name.text} cannot be stated: it is for queries and rules only"
            if prop.range is not None:
                yield from self._value(name, object_, prop.range)

    def _class(self, object_: object) -> Iterator[Finding]:
        if isinstance(object_, Variable):
            return
        if isinstance(object_, Literal):
            yield "unknown_class", f"{written(object_)} is a literal, expected a class"
        elif isinstance(object_, Name):
            name = self._name(object_)
            if name not in self.ontology.classes and name != THING:
                hint = did_you_mean(name.text, [one.text for one in self.ontology.classes])
                yield "unknown_class", f"{name.text} is no class of the ontology; {hint}"

    def _value(self, name: Name, object_: object, range: Name) -> Iterator[Finding]:
        type = datatype(range)
        if isinstance(object_, Variable):
            return
        if type is None and isinstance(object_, Literal):
            said = f"{name.text} has an entity ({range.text}), not the literal {_short(object_)}"
            yield "range", said
        elif type is not None and isinstance(object_, Name):
            yield (
                "range",
                f"{name.text} has a literal ({range.text}), not the entity {object_.text}",
            )
        elif type is not None and isinstance(object_, Literal) and not literal_fits(object_, type):
            yield "range", f"{_short(object_)} is no {range.text}, the range of {name.text}"

    def _name(self, term: object) -> Name:
        if not isinstance(term, Name):
            return Name(str(term))
        return self.ontology.namespaces.canonical(term)


def _short(literal: Literal) -> str:
    text = written(literal)
    return text if len(text) <= 40 else text[:39] + "…"
