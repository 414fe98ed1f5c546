"""The terms of built-ins as SQL: the code of each, and its value as number, text or moment.

Small integers and dates are their codes, so comparing those needs no table; only other literals
are looked up in ``literals``.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable
from dataclasses import dataclass

from readmark.tasks.reasoning.dates import ZonedDate, canonical_text, is_zoned, universal_text
from readmark.tasks.reasoning.engine.codes import DATES, EPOCH, FALSE, LITERALS, TRUE, ZERO
from readmark.tasks.reasoning.terms import Literal, Name

NONE = "NULL"
_ZONE = "(Z|[+-][0-9]{2}:[0-9]{2})$"  # how the canonical text of a time with a zone ends


@dataclass(frozen=True, slots=True)
class Operand:
    """SQL expressions; each of number, text and moment is NULL where the term has none."""

    code: str
    whole: str
    """A BIGINT, NULL unless the term is an integer that fits."""
    number: str
    text: str
    moment: str
    """A TIMESTAMP: a date's midnight or a time; in UTC where it has a zone."""
    kind: str
    """For other literals, their kind; NULL where the code itself shows it."""
    only_whole: bool = False
    """Whether the term, if a number at all, is an integer that fits."""
    large: str = ""
    """A HUGEINT where the term is any integer; empty where none can be too large for a BIGINT."""
    day: str = NONE
    """A TIMESTAMP: the midnight of a date or time as its own zone has it."""
    zoned: str = NONE
    """Whether the moment has a zone; the word NULL where it can only be a date without one."""

    @property
    def integer(self) -> str:
        """A HUGEINT, NULL unless the term is an integer."""
        return self.large or f"({self.whole})::HUGEINT"


def stored(code: str, look_up: Callable[[], str] | None, kinds: set[str]) -> Operand:
    """A variable's operand; look_up gives the alias of its joined row of ``literals``.

    ``kinds`` are those that the table has: expressions for others are left out.
    """
    whole = f"CASE WHEN {code} < {DATES} THEN {code} - ({ZERO}) END"
    number = f"({whole})::DOUBLE"
    day = moment = (
        f"CASE WHEN {code} >= {DATES} AND {code} < 0 "
        f"THEN TIMESTAMP '1970-01-01' + to_days(({code} - ({EPOCH}))::INTEGER) END"
    )
    if look_up is None or not kinds:
        return Operand(code, whole, number, NONE, moment, NONE, only_whole=True, day=day)
    row = look_up()
    text, large, zoned = NONE, "", NONE
    only_whole = not kinds & {"float", "int"}
    if not only_whole:
        number = f"COALESCE({number}, {row}.number)"
    if "int" in kinds:
        looked_up = f"CASE WHEN {row}.kind = 'int' THEN {row}.text::HUGEINT END"
        large = f"COALESCE(({whole})::HUGEINT, {looked_up})"
    if any(kind.startswith("str") for kind in kinds):
        text = f"CASE WHEN starts_with({row}.kind, 'str') THEN {row}.text END"
    if kinds & {"date", "datetime"}:
        is_timed = f"{row}.kind IN ('date', 'datetime')"
        zoned = (
            f"CASE WHEN {day} IS NOT NULL THEN false WHEN {is_timed} "
            f"THEN regexp_matches({row}.text, '{_ZONE}') END"
        )
        moment = f"COALESCE({day}, {row}.moment)"
        day = f"COALESCE({day}, CASE WHEN {is_timed} THEN {row}.text[:10]::TIMESTAMP END)"
    return Operand(code, whole, number, text, moment, f"{row}.kind", only_whole, large, day, zoned)


def constant(term: Name | Literal, code: int) -> Operand:
    """A term that the rule itself names."""
    whole = number = text = moment = kind = day = zoned = NONE
    only_whole, large = True, ""
    if isinstance(term, Literal):
        value = term.value
        if isinstance(value, bool):  # Which is an int in Python, and here only a code.
            pass
        elif isinstance(value, int):
            if code < DATES:
                whole = f"{value}::BIGINT"
            else:
                only_whole, kind, large = False, "'int'", f"{value}::HUGEINT"
            number = f"{value}::DOUBLE"
        elif isinstance(value, float):
            only_whole, kind = False, "'float'"
            number = NONE if math.isnan(value) else f"'{value!r}'::DOUBLE"
        elif isinstance(value, str):
            text, kind = quoted(value), quoted(term.kind)
        else:
            moment = f"TIMESTAMP '{universal_text(value)}'"
            day = f"DATE '{canonical_text(value)[:10]}'"
            if isinstance(value, datetime.datetime | ZonedDate):
                kind, zoned = quoted(term.kind), str(is_zoned(value)).lower()
    return Operand(str(code), whole, number, text, moment, kind, only_whole, large, day, zoned)


def computed_whole(whole: str) -> Operand:
    """The result of arithmetic on integers."""
    return Operand(f"integer_code({whole})", whole, f"({whole})::DOUBLE", NONE, NONE, NONE, True)


def computed_number(whole: str, number: str) -> Operand:
    """A result that is an integer where all its terms are, and a real number elsewhere."""
    number = f"NULLIF({number}, 'NaN'::DOUBLE)"
    whole_or_real = f"COALESCE(({whole})::DOUBLE, {number})"
    code = (
        f"CASE WHEN ({whole}) IS NOT NULL THEN integer_code({whole}) ELSE float_code({number}) END"
    )
    kind = f"CASE WHEN ({whole}) IS NULL AND ({number}) IS NOT NULL THEN 'float' END"
    return Operand(code, whole, whole_or_real, NONE, NONE, kind)


def computed_text(text: str) -> Operand:
    """A string that a built-in makes."""
    return Operand(f"literal_code('str', {text})", NONE, NONE, text, NONE, "'str'")


def has_kind(operand: Operand, kind: str) -> str:
    """The condition that the term is of a kind that rules can ask for."""
    code = operand.code
    whole = f"{code} < {DATES}"
    date = f"({code} >= {DATES} AND {code} < 0)"
    if operand.kind != NONE:
        whole = f"({whole} OR {operand.kind} = 'int')"
        date = f"{date} OR {operand.kind} = 'date'"
    tests = {
        "name": f"{code} >= 0 AND {code} < {LITERALS}",
        "integer": whole,
        "count": f"({operand.number}) >= 0 AND {whole}",
        "number": f"({operand.number}) IS NOT NULL",
        "boolean": f"{code} IN ({FALSE}, {TRUE})",
        "date": date,
        "string": f"starts_with({operand.kind}::VARCHAR, 'str')",
        "time": f"{operand.kind} = 'datetime'",
    }
    return f"COALESCE({tests[kind]}, false)"


def quoted(text: str) -> str:
    """A string as an SQL literal."""
    return "'" + text.replace("'", "''").replace("\0", "") + "'"
