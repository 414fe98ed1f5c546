"""What a rule rests on: the rules that conclude its conditions, theirs, and so on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from readmark.tasks.reasoning.rules.values import Rule, patterns_of


class Reach(NamedTuple):
    """The properties and rules that a rule rests on, itself included; whether one denies anything.

    What the rule itself denies does not count: whoever asks has its values, and looks at it alone.
    """

    properties: frozenset[str]
    rules: tuple[Rule, ...]
    denies: bool


def reach(top: Rule, rules: Iterable[Rule]) -> Reach:
    """What a rule rests on, through those rules that conclude it."""
    concluding: dict[str, list[Rule]] = {}
    for rule in rules:
        for head in rule.head:
            concluding.setdefault(head.property_name, []).append(rule)
    properties: set[str] = set()
    reached = {top.name: top}
    stack = [top]
    denies = False
    while stack:
        rule = stack.pop()
        denies = denies or (rule is not top and bool(rule.groups()))
        denied = (pattern for group in rule.groups() for pattern in patterns_of(group))
        for name in {each.property_name for each in (*rule.positive, *denied)} - properties:
            properties.add(name)
            for lower in concluding.get(name, ()):
                if lower.name not in reached:
                    reached[lower.name] = lower
                    stack.append(lower)
    return Reach(frozenset(properties), tuple(reached.values()), denies)
