"""A theory run by Nemo, an independent rule engine: the same rules in its language.

Only what random programs need: triples, comparisons of integers, sums, and negated patterns,
whose own variables Nemo wants projected away first.
"""

from __future__ import annotations

from collections.abc import Iterable

from readmark.tasks.reasoning.graphs import Asserted, Pattern
from readmark.tasks.reasoning.rules.values import Builtin, Rule, patterns_of, variables_of
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable

_SIGNS = {
    "mrq:lessThan": "<",
    "mrq:lessThanOrEqualTo": "<=",
    "mrq:greaterThan": ">",
    "mrq:greaterThanOrEqualTo": ">=",
    "mrq:notEqualTo": "!=",
}


def nemo_derives(rules: Iterable[Rule], asserted: Iterable[Asserted]) -> set[tuple[str, ...]]:
    """Every statement that holds, as (graph, property, subject, object)."""
    import nmo_python

    lines: list[str] = []
    properties: set[str] = set()
    for one in asserted:
        told = one.statement
        properties.add(told.predicate.text)
        terms = f"{one.graph}, {_term(told.subject)}, {_term(told.object)}"
        lines.append(f"{told.predicate.text}({terms}) .")
    for number, rule in enumerate(rules):
        lines.extend(_rule(rule, f"helper{number}"))
        properties.update(_name(one) for one in rule.head)
    lines.extend(f"@output {one} ." for one in sorted(properties))
    engine = nmo_python.NemoEngine(nmo_python.load_string("\n".join(lines)))
    engine.reason()
    return {
        (_bare(row[0]), one, _bare(row[1]), _bare(row[2]))
        for one in properties
        for row in engine.result(one)
    }


def _rule(rule: Rule, helper: str) -> Iterable[str]:
    body = [_atom(one) for one in rule.positive]
    known = set(variables_of(rule.positive))
    bound = {}
    for builtin in rule.builtins:
        if builtin.name == "mrq:sum":
            target, first, second = builtin.arguments
            bound[target] = f"{_term(first)} + {_term(second)}"
        else:
            body.append(_comparison(builtin))
    for at, group in enumerate(rule.negative):
        (pattern,) = patterns_of(group)
        shared = sorted({one for one in variables_of([pattern]) if one in known})
        terms = ", ".join(["?graph", *(_term(one) for one in shared)])
        yield f"{helper}x{at}({terms}) :- {_atom(pattern)} ."
        body.append(f"~{helper}x{at}({terms})")
    for head in rule.head:
        value = bound.get(head.object, _term(head.object))
        yield f"{_name(head)}(?graph, {_term(head.subject)}, {value}) :- {', '.join(body)} ."


def _atom(pattern: Pattern) -> str:
    return f"{_name(pattern)}(?graph, {_term(pattern.subject)}, {_term(pattern.object)})"


def _comparison(builtin: Builtin) -> str:
    first, second = (_term(one) for one in builtin.arguments)
    return f"{first} {_SIGNS[builtin.name]} {second}"


def _name(pattern: Pattern) -> str:
    assert isinstance(pattern.predicate, Name)
    return pattern.predicate.text


def _term(term: Term) -> str:
    if isinstance(term, Variable):
        return f"?{term.text}"
    return str(term.value) if isinstance(term, Literal) else term.text


def _bare(value: object) -> str:
    return str(value).removeprefix("<").removesuffix(">")
