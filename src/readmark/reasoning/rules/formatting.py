"""Rules written in one layout, which parses back to the same rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from readmark.reasoning.graphs import write_triple
from readmark.reasoning.rules.builtins import SMALLEST, is_internal
from readmark.reasoning.rules.values import Builtin, Condition, Rule, Theory
from readmark.reasoning.terms import Literal, Name, written


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
