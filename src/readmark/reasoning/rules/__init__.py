"""Rules in the document's form: a grammar, checks, strata and a formatter."""

from readmark.reasoning.rules.formatting import format_rule, format_rules
from readmark.reasoning.rules.parsing import parse_query, parse_rules
from readmark.reasoning.rules.values import Builtin, Condition, Rule, Theory

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
