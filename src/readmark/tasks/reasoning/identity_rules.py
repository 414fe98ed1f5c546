"""Keys and inverse functional properties of an ontology as rules that conclude sameAs."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.errors import DataError
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.ontology import SAME, TYPE, Ontology
from readmark.tasks.reasoning.rules.builtins import ORDERED
from readmark.tasks.reasoning.rules.reach import reach
from readmark.tasks.reasoning.rules.values import Builtin, Rule, Theory
from readmark.tasks.reasoning.terms import Variable

PREFIX = "identity:"
"""What the names of these rules start with."""

_A, _B = Variable("a"), Variable("b")


def identity_rules(ontology: Ontology) -> Iterator[Rule]:
    """A rule for each inverse functional property, then one for each key."""
    distinct = (Builtin(ORDERED, (_A, _B)),)
    same = (Pattern(_A, SAME, _B),)
    for prop in ontology.properties.values():
        if prop.identifies:
            value = Variable("v")
            patterns = (Pattern(_A, prop.name, value), Pattern(_B, prop.name, value))
            name = f"{PREFIX} {prop.name.text} is inverse functional"
            comment = f"What has the same {prop.name.text} is one entity."
            yield Rule(name, patterns, builtins=distinct, head=same, comment=comment)
    for class_ in ontology.classes.values():
        for key in class_.keys:
            typed = [Pattern(entity, TYPE, class_.name) for entity in (_A, _B)]
            values = [
                Pattern(entity, part, Variable(f"v{number}"))
                for number, part in enumerate(key, 1)
                for entity in (_A, _B)
            ]
            parts = ", ".join(part.text for part in key)
            name = f"{PREFIX} {class_.name.text} has the key {parts}"
            comment = f"Of the class {class_.name.text}, what has the same {parts} is one entity."
            yield Rule(name, (*typed, *values), builtins=distinct, head=same, comment=comment)


def require_undenied(theory: Theory) -> None:
    """Refuses an identity that rests on a denial: the links that follow from it could undo it."""
    rules = [rule for rule in theory.rules if rule.contradicts is None]
    for rule in rules:
        links = any(pattern.predicate == SAME for pattern in rule.head)
        if links and (rule.groups() or reach(rule, rules).denies):
            message = f"{rule.name}: what is concluded to be the same may not rest on :if-not"
            raise DataError(message, file=theory.file, where=rule.line or None)
