"""The same rules with other spellings of names: ``nfl:gameDate`` and ``gameDate`` may be one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from readmark.tasks.reasoning.graphs import Pattern, write_triple
from readmark.tasks.reasoning.rules.values import (
    SMALLEST,
    Builtin,
    Condition,
    Rule,
    Theory,
    is_internal,
)
from readmark.tasks.reasoning.terms import Literal, Name, Term, written

# Rules written in one layout, which parses back to the same rules.


def format_rules(theory: Theory) -> str:
    """The theory as a rule file: one condition a line, sections aligned."""
    parts = [f"(:theory {written(Name(theory.name))})"]
    parts.extend(format_rule(rule) for rule in theory.rules)
    return "\n\n".join(parts) + "\n"


def format_rule(rule: Rule) -> str:
    """One rule, opened by its name."""
    return "(" + "\n ".join(_clauses(rule)) + ")"


def write_condition(condition: Condition) -> str:
    """``(?N mrq:lessThanOrEqualTo 4)`` or ``(?g hasOvertimePlay true)``."""
    if not isinstance(condition, Builtin):
        return write_triple(condition)
    first, *rest = (written(one) for one in condition.arguments)
    return f"({' '.join([first, condition.name, *rest])})"


def write_denied(group: Iterable[Condition]) -> str:
    """A denied group as people read it: what the engine adds to it is told in words."""
    several = list(group)
    shown = [
        write_condition(one)
        for one in several
        if not (isinstance(one, Builtin) and is_internal(one.name))
    ]
    counted = any(isinstance(one, Builtin) and one.name == SMALLEST for one in several)
    before = f"{len(shown)} different " if counted and len(shown) > 1 else ""
    return before + " ".join(shown)


def _clauses(rule: Rule) -> Iterator[str]:
    yield f":rule {written(Name(rule.name))}"
    if rule.comment:
        yield f":comment {json.dumps(rule.comment, ensure_ascii=False)}"
    if rule.default:
        yield ":default"
    if rule.probability != 1:
        yield f":probability {written(Literal(rule.probability))}"
    if rule.positive or rule.builtins:
        yield _section(":if", [*rule.positive, *rule.builtins])
    for group in rule.negative:
        yield _section(":if-not", group)
    yield _section(":then", rule.head)


def _section(keyword: str, conditions: Iterable[Condition]) -> str:
    indent = "\n" + " " * (len(keyword) + 2)
    return f"{keyword} {indent.join(write_condition(one) for one in conditions)}"


Rename = Callable[[Name], Name]


def rename_theory(theory: Theory, rename: Rename) -> Theory:
    """Every name of every rule, but those of rules and built-ins."""
    return replace(theory, rules=tuple(_rule(rule, rename) for rule in theory.rules))


def rename_condition(condition: Condition, rename: Rename) -> Condition:
    """The names of one condition."""
    if isinstance(condition, Pattern):
        return _pattern(condition, rename)
    return _builtin(condition, rename)


def _rule(rule: Rule, rename: Rename) -> Rule:
    return replace(
        rule,
        positive=tuple(_pattern(one, rename) for one in rule.positive),
        negative=tuple(
            tuple(rename_condition(one, rename) for one in group) for group in rule.negative
        ),
        builtins=tuple(_builtin(one, rename) for one in rule.builtins),
        head=rule.head
        if rule.contradicts is not None
        else tuple(_pattern(one, rename) for one in rule.head),
    )


def _pattern(pattern: Pattern, rename: Rename) -> Pattern:
    return Pattern(
        _term(pattern.subject, rename),
        _term(pattern.predicate, rename),
        _term(pattern.object, rename),
    )


def _builtin(builtin: Builtin, rename: Rename) -> Builtin:
    if builtin.name.endswith("Kind"):
        return builtin
    return Builtin(builtin.name, tuple(_term(one, rename) for one in builtin.arguments))


def _term(term: Term, rename: Rename) -> Term:
    return rename(term) if isinstance(term, Name) else term
