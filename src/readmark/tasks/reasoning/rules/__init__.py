"""Rules in the document's form: a grammar, checks, strata and a formatter."""

from __future__ import annotations

from readmark.tasks.reasoning.rules.layout import format_rule, format_rules
from readmark.tasks.reasoning.rules.parser import parse_query, parse_rules
from readmark.tasks.reasoning.rules.values import Builtin, Condition, Rule, Theory

__all__ = [
    "Builtin",
    "Condition",
    "Rule",
    "Theory",
    "format_rule",
    "format_rules",
    "parse_query",
    "parse_rules",
]
