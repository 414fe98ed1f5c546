"""The built-in conditions: their names, how many terms they take, and which of them compute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

PREFIX = "mrq:"
"""What the name of every built-in starts with, as in the document's Table 3."""


@dataclass(frozen=True, slots=True)
class BuiltinMeaning:
    """How many terms a built-in takes, whether its first one is its result, and its sense."""

    least: int
    most: int | None
    computes: bool
    sense: str


def _test(sense: str) -> BuiltinMeaning:
    return BuiltinMeaning(2, 2, False, sense)


def _result_of(count: int, sense: str) -> BuiltinMeaning:
    return BuiltinMeaning(count + 1, count + 1, True, sense)


def _result_of_many(sense: str) -> BuiltinMeaning:
    return BuiltinMeaning(3, None, True, sense)


MEANINGS: Mapping[str, BuiltinMeaning] = {
    "mrq:lessThan": _test("the first is less than the second: numbers, strings or dates"),
    "mrq:lessThanOrEqualTo": _test("less than or equal to"),
    "mrq:greaterThan": _test("greater than"),
    "mrq:greaterThanOrEqualTo": _test("greater than or equal to"),
    "mrq:equalTo": _test("the same term, or numbers of the same value"),
    "mrq:notEqualTo": _test("not equal to"),
    "mrq:sum": _result_of_many("the first is the sum of the rest"),
    "mrq:difference": _result_of(2, "the second less the third"),
    "mrq:product": _result_of_many("the product of the rest"),
    "mrq:quotient": _result_of(2, "the second divided by the third, as a real number"),
    "mrq:integerQuotient": _result_of(2, "the second divided by the third, rounded down"),
    "mrq:remainder": _result_of(2, "what integerQuotient leaves"),
    "mrq:minimum": _result_of_many("the least of the rest"),
    "mrq:maximum": _result_of_many("the greatest of the rest"),
    "mrq:absolute": _result_of(1, "the number without its sign"),
    "mrq:contains": _test("the first string contains the second"),
    "mrq:startsWith": _test("the first string starts with the second"),
    "mrq:endsWith": _test("the first string ends with the second"),
    "mrq:matches": _test("the regular expression (RE2) matches somewhere in the string"),
    "mrq:sameLetters": _test("equal strings when case is ignored"),
    "mrq:lengthOf": _result_of(1, "the code points of a string"),
    "mrq:lowerCase": _result_of(1, "the string in lower case"),
    "mrq:upperCase": _result_of(1, "the string in upper case"),
    "mrq:concatenation": _result_of_many("the strings one after the other"),
    "mrq:before": _test("the first date or time is before the second"),
    "mrq:after": _test("the first date or time is after the second"),
    "mrq:yearOf": _result_of(1, "the year of a date or time"),
    "mrq:monthOf": _result_of(1, "the month, 1 to 12"),
    "mrq:dayOf": _result_of(1, "the day of the month"),
    "mrq:daysBetween": _result_of(2, "days from the second to the third"),
    "mrq:hasKind": _test("the term is a name, string, number, integer, count, boolean, date, time"),
    "mrq:lacksKind": _test("the term is none of that kind"),
}
"""Every built-in that a rule or a query may use."""

KINDS = ("name", "string", "number", "integer", "count", "boolean", "date", "time")
"""What ``mrq:hasKind`` may ask for: a count is an integer of 0 or more."""

ORDERED = "#ordered"
"""Internal: the terms are distinct and in the engine's own order, so that a set comes once."""

SMALLEST = "#smallest"
"""Internal: the terms are the first values, in the engine's order, of the patterns they are in.

So a subject with too many values comes once, and is found in one pass.
"""


def is_internal(name: str) -> bool:
    """Whether a condition is one that no rule file can write."""
    return name.startswith("#")


def is_builtin(name: str) -> bool:
    """Whether a predicate is computed instead of stored."""
    return name.startswith(PREFIX)
