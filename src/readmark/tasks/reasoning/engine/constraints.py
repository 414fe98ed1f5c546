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

_S, _V, _C, _D, _X = (Variable(one) for one in ("s", "v", "c", "d", "inputGraph"))
_KINDS = {"boolean": "boolean", "dateTime": "time", "date": "date"}


def constraint_rules(
    ontology: Ontology, theory: str, *, complete: bool = False
) -> tuple[Rule, ...]:
    """The rules that the ontology stands for; contradictions contradict the theory's name.

    Of ``complete`` statements, too few values contradict too.
    """
    return (*_hierarchy(ontology, theory), *_properties(ontology, theory, complete))


def is_minimum(rule: Rule) -> bool:
    """Whether a rule asks for values that are not there."""
    return rule.name.startswith(PREFIX) and " has at least " in rule.name


def _hierarchy(ontology: Ontology, theory: str) -> Iterator[Rule]:
    apart: set[frozenset[Name]] = set()
    for one in ontology.classes.values():
        for above in one.superclasses:
            if above not in (THING, one.name):
                yield Rule(
                    f"{PREFIX} {one.name.text} lies below {above.text}",
                    (Pattern(_S, TYPE, one.name),),
                    head=(Pattern(_S, TYPE, above),),
                )
        for other in one.disjoint:
            pair = frozenset({one.name, other})
            if pair not in apart and len(pair) == 2:
                apart.add(pair)
                body = (Pattern(_S, TYPE, one.name), Pattern(_S, TYPE, other))
                name = f"{one.name.text} and {other.text} are disjoint"
                comment = f"Nothing is both {one.name.text} and {other.text}."
                yield _contradiction(theory, name, body, comment=comment)


def _properties(ontology: Ontology, theory: str, complete: bool) -> Iterator[Rule]:
    for one in ontology.properties.values():
        if one.role == "builtin" or one.name == TYPE:
            continue
        if one.domain not in (None, THING):
            yield _of_class(theory, one, _S, one.domain, "domain")
        yield from _range(theory, one)
        if one.greatest is not None:
            yield _at_most(theory, one, one.greatest)
        if complete and one.least and one.domain is not None:
            yield _at_least(theory, one)


def _of_class(theory: str, one: Property, entity: Variable, wanted: Name, side: str) -> Rule:
    """An entity that has classes, but not this one; one of its classes is shown, the first."""
    body = (Pattern(_S, one.name, _V), Pattern(entity, TYPE, _C))
    earlier = (Pattern(entity, TYPE, _D), Builtin(ORDERED, (_D, _C)))
    name = f"the {side} of {one.name.text} is {wanted.text}"
    what = "What has" if side == "domain" else "A value of"
    comment = f"{what} {one.name.text} is of the class {wanted.text}, if of any."
    denied = ((Pattern(entity, TYPE, wanted),), earlier)
    return _contradiction(theory, name, body, denied, comment=comment)


def _range(theory: str, one: Property) -> Iterator[Rule]:
    if one.range in (None, THING):
        return
    wanted: Name = one.range
    body = (Pattern(_S, one.name, _V),)
    name = f"the range of {one.name.text} is {wanted.text}"
    type_ = datatype(wanted)
    if type_ is None:
        yield _of_class(theory, one, _V, wanted, "range")
        literal = Builtin("mrq:lacksKind", (_V, Name("name")))
        yield _contradiction(theory, f"{name}, not a literal", body, builtins=(literal,))
        return
    if type_ == "Literal":
        kind = Builtin("mrq:hasKind", (_V, Name("name")))
        yield _contradiction(theory, name, body, builtins=(kind,))
        return
    least, most = INTEGERS.get(type_, (None, None))
    known = _kind(type_)
    if known is not None:
        kind = Builtin("mrq:lacksKind", (_V, Name(known)))
        yield _contradiction(theory, name, body, builtins=(kind,))
    for bound, sign in ((least, "mrq:lessThan"), (most, "mrq:greaterThan")):
        if bound is not None:
            beyond = Builtin(sign, (_V, Literal(bound)))
            which = "at least" if sign == "mrq:lessThan" else "at most"
            text = f"{one.name.text} is {which} {bound}"
            yield _contradiction(theory, text, body, builtins=(beyond,))


def _kind(type_: str) -> str | None:
    if type_ in INTEGERS:
        return "integer"
    if type_ in FRACTIONS:
        return "number"
    return "string" if type_ in TEXTS else _KINDS.get(type_)


def _at_most(theory: str, one: Property, most: int) -> Rule:
    """One contradiction a subject, with as many values as are too many."""
    body, smallest = _different(one, most + 1)
    name = f"{one.name.text} has at most {most}"
    comment = f"Nothing has more than {_values(one, most)}."
    return _contradiction(theory, name, body, builtins=smallest, comment=comment)


def _at_least(theory: str, one: Property) -> Rule:
    patterns, smallest = _different(one, one.least)
    domain = one.domain or THING
    body = (Pattern(_S, TYPE, domain),)
    name = f"{one.name.text} has at least {one.least}"
    comment = f"What is of the class {domain.text} has at least {_values(one, one.least)}."
    return _contradiction(theory, name, body, ((*patterns, *smallest),), comment=comment)


def _values(one: Property, count: int) -> str:
    return f"{counted(count, 'value')} of {one.name.text}"


def _different(one: Property, count: int) -> tuple[tuple[Pattern, ...], tuple[Builtin, ...]]:
    """Patterns for so many values, and the condition that they are different ones."""
    values = [Variable(f"v{number}") for number in range(1, count + 1)]
    patterns = tuple(Pattern(_S, one.name, value) for value in values)
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
