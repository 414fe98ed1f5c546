"""An ontology as rules: superclasses are derived, everything else it forbids contradicts it.

An entity with classes is of no others; one without any fits every domain and range. What a subject
lacks may only not be stated: it contradicts nothing, unless the statements are said to be complete.
"""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.counts import counted
from readmark.tasks.reasoning.datatypes import FRACTIONS, INTEGERS, TEXTS, datatype
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology, Property
from readmark.tasks.reasoning.rules.builtins import ORDERED, SMALLEST
from readmark.tasks.reasoning.rules.values import CONTRADICTS, Builtin, Condition, Rule
from readmark.tasks.reasoning.terms import Literal, Name, Variable

PREFIX = "ontology:"
"""What the names of these rules start with."""

_S, _V, _C, _D, _X = map(Variable, ("s", "v", "c", "d", "inputGraph"))
# What mrq:hasKind calls the values of datatypes that are neither numbers nor texts.
_KINDS = {"boolean": "boolean", "dateTime": "time", "date": "date"}


def constraint_rules(
    ontology: Ontology, theory: str, *, complete: bool = False
) -> tuple[Rule, ...]:
    """The rules that the ontology stands for; contradictions contradict the theory's name.

    If the statements are said to be ``complete``, too few values contradict too.
    """
    return (*_hierarchy(ontology, theory), *_properties(ontology, theory, complete))


def is_minimum(rule: Rule) -> bool:
    """Whether a rule asks for values that are not there."""
    return rule.name.startswith(PREFIX) and " has at least " in rule.name


def _hierarchy(ontology: Ontology, theory: str) -> Iterator[Rule]:
    pairs: set[frozenset[Name]] = set()
    for class_ in ontology.classes.values():
        for superclass in class_.superclasses:
            if superclass not in (THING, class_.name):
                yield Rule(
                    f"{PREFIX} {class_.name.text} lies below {superclass.text}",
                    (Pattern(_S, TYPE, class_.name),),
                    head=(Pattern(_S, TYPE, superclass),),
                )
        for other in class_.disjoint:
            pair = frozenset({class_.name, other})
            if pair not in pairs and len(pair) == 2:
                pairs.add(pair)
                body = (Pattern(_S, TYPE, class_.name), Pattern(_S, TYPE, other))
                name = f"{class_.name.text} and {other.text} are disjoint"
                comment = f"Nothing is both {class_.name.text} and {other.text}."
                yield _contradiction(theory, name, body, comment=comment)


def _properties(ontology: Ontology, theory: str, complete: bool) -> Iterator[Rule]:
    for prop in ontology.properties.values():
        if prop.role == "builtin" or prop.name == TYPE:
            continue
        if prop.domain not in (None, THING):
            yield _of_class(theory, prop, _S, prop.domain, "domain")
        yield from _range(theory, prop)
        if prop.greatest is not None:
            yield _at_most(theory, prop, prop.greatest)
        if complete and prop.least and prop.domain is not None:
            yield _at_least(theory, prop, prop.domain)


def _of_class(theory: str, prop: Property, entity: Variable, class_: Name, side: str) -> Rule:
    """An entity that has classes, but not this one; the first of its classes is shown."""
    body = (Pattern(_S, prop.name, _V), Pattern(entity, TYPE, _C))
    earlier = (Pattern(entity, TYPE, _D), Builtin(ORDERED, (_D, _C)))
    name = f"the {side} of {prop.name.text} is {class_.text}"
    subject = "What has" if side == "domain" else "A value of"
    comment = f"{subject} {prop.name.text} is of the class {class_.text}, if of any."
    denied = ((Pattern(entity, TYPE, class_),), earlier)
    return _contradiction(theory, name, body, denied, comment=comment)


def _range(theory: str, prop: Property) -> Iterator[Rule]:
    if prop.range in (None, THING):
        return
    range: Name = prop.range
    body = (Pattern(_S, prop.name, _V),)
    name = f"the range of {prop.name.text} is {range.text}"
    type = datatype(range)
    if type is None:
        yield _of_class(theory, prop, _V, range, "range")
        is_literal = Builtin("mrq:lacksKind", (_V, Name("name")))
        yield _contradiction(theory, f"{name}, not a literal", body, builtins=(is_literal,))
        return
    if type == "Literal":
        is_name = Builtin("mrq:hasKind", (_V, Name("name")))
        yield _contradiction(theory, name, body, builtins=(is_name,))
        return
    kind = _kind(type)
    if kind is not None:
        is_of_another_kind = Builtin("mrq:lacksKind", (_V, Name(kind)))
        yield _contradiction(theory, name, body, builtins=(is_of_another_kind,))
    least, most = INTEGERS.get(type, (None, None))
    if least is not None:
        is_less = Builtin("mrq:lessThan", (_V, Literal(least)))
        name = f"{prop.name.text} is at least {least}"
        yield _contradiction(theory, name, body, builtins=(is_less,))
    if most is not None:
        is_greater = Builtin("mrq:greaterThan", (_V, Literal(most)))
        name = f"{prop.name.text} is at most {most}"
        yield _contradiction(theory, name, body, builtins=(is_greater,))


def _kind(type: str) -> str | None:
    """What ``mrq:hasKind`` calls the values of a datatype; None if it has no word for them."""
    if type in INTEGERS:
        return "integer"
    if type in FRACTIONS:
        return "number"
    return "string" if type in TEXTS else _KINDS.get(type)


def _at_most(theory: str, prop: Property, most: int) -> Rule:
    """One contradiction for each subject, with one value too many."""
    body, smallest = _different(prop, most + 1)
    name = f"{prop.name.text} has at most {most}"
    comment = f"Nothing has more than {_values(prop, most)}."
    return _contradiction(theory, name, body, builtins=smallest, comment=comment)


def _at_least(theory: str, prop: Property, domain: Name) -> Rule:
    patterns, smallest = _different(prop, prop.least)
    body = (Pattern(_S, TYPE, domain),)
    name = f"{prop.name.text} has at least {prop.least}"
    comment = f"What is of the class {domain.text} has at least {_values(prop, prop.least)}."
    return _contradiction(theory, name, body, ((*patterns, *smallest),), comment=comment)


def _values(prop: Property, count: int) -> str:
    return f"{counted(count, 'value')} of {prop.name.text}"


def _different(prop: Property, count: int) -> tuple[tuple[Pattern, ...], tuple[Builtin, ...]]:
    """Patterns for so many values, and the condition that they are different."""
    values = [Variable(f"v{number}") for number in range(1, count + 1)]
    patterns = tuple(Pattern(_S, prop.name, value) for value in values)
    return patterns, (Builtin(SMALLEST, tuple(values)),)


def _contradiction(
    theory: str,
    name: str,
    positive: tuple[Pattern, ...],
    negative: tuple[tuple[Condition, ...], ...] = (),
    builtins: tuple[Builtin, ...] = (),
    comment: str = "",
) -> Rule:
    return Rule(
        f"{PREFIX} {name}",
        positive,
        negative,
        builtins,
        (Pattern(_X, CONTRADICTS, Name(theory)),),
        contradicts=theory,
        comment=comment,
    )
