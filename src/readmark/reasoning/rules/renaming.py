"""The same rules with other spellings of names: ``nfl:gameDate`` and ``gameDate`` may be one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from readmark.reasoning.graphs import Pattern
from readmark.reasoning.rules.values import Builtin, Condition, Rule, Theory
from readmark.reasoning.terms import Name, Term

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
