"""Terms as 64-bit numbers: whole numbers and dates stand for themselves, in their own order.

Names are numbered as they come, and other literals have a hash of their text.
"""

from __future__ import annotations

import datetime
from typing import NamedTuple

from readmark.tasks.reasoning.dates import ZONELESS, read_date, read_moment
from readmark.tasks.reasoning.terms import LARGEST, Literal

ZERO = -(2**62)
"""The code of the integer 0."""
WIDEST = 2**60
"""Larger integers have no code of their own: they are looked up."""
DATES = -(2**61)
"""Where the codes of dates begin."""
EPOCH = -(2**60)
"""The code of 1970-01-01, the day from which the database counts."""
LITERALS = 2**61
"""Where the codes of other literals begin; names lie between 0 and this."""
FALSE = LITERALS
TRUE = LITERALS + 1
_FIRST_HASHED = LITERALS + 2
_HASHED = 2**61 - 4  # codes of hashed literals end before 2**62
_ZEROS = "0" * 12  # before each number in a text, so that "week 9" comes before "week 10"
_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()

MACROS = f"""
CREATE MACRO literal_code(kind, lexical) AS
    ({_FIRST_HASHED} + (hash(kind || ' ' || lexical) % {_HASHED})::BIGINT);
CREATE MACRO float_code(value) AS CASE WHEN value = 0 AND signbit(value::DOUBLE)
    THEN literal_code('float', '-0.0')
    ELSE {_FIRST_HASHED} + (hash(value::DOUBLE) % {_HASHED})::BIGINT END;
CREATE MACRO integer_code(value) AS
    CASE WHEN abs(value) < {WIDEST} THEN (value + ({ZERO}))::BIGINT
    ELSE error('an integer beyond ' || {WIDEST})::BIGINT END;
CREATE MACRO real_order(one, other) AS
    CASE WHEN one < other THEN -1 WHEN one > other THEN 1 WHEN one = other THEN 0 END;
CREATE MACRO mixed_order(whole, real) AS
    CASE WHEN abs(real) >= {float(LARGEST)!r} THEN CASE WHEN real > 0 THEN -1 ELSE 1 END
    WHEN whole <> floor(real)::HUGEINT THEN real_order(whole, floor(real)::HUGEINT)
    WHEN whole = floor(real)::HUGEINT THEN CASE WHEN real > floor(real) THEN -1 ELSE 0 END END;
CREATE MACRO number_order(whole, real, other_whole, other_real) AS
    CASE WHEN whole IS NOT NULL AND other_whole IS NOT NULL THEN real_order(whole, other_whole)
    WHEN whole IS NOT NULL THEN mixed_order(whole, other_real)
    WHEN other_whole IS NOT NULL THEN -mixed_order(other_whole, real)
    ELSE real_order(real, other_real) END;
CREATE MACRO moment_order(one, zoned, other, other_zoned) AS
    CASE WHEN zoned = other_zoned THEN real_order(one, other)
    WHEN one < other - INTERVAL {ZONELESS} HOURS THEN -1
    WHEN one > other + INTERVAL {ZONELESS} HOURS THEN 1 END;
CREATE MACRO natural_key(text) AS regexp_replace(
    regexp_replace(text, '([0-9]+)', '{_ZEROS}\\1', 'g'),
    '0*([0-9]{{{len(_ZEROS)},}})', '\\1', 'g');
"""
"""Functions inside the database.

``*_code`` are the same codes, for values that rules compute. ``*_order`` is -1, 0 or 1: numbers
compare exactly, each an integer or else a real number; times are NULL if it depends on the zone
that one of them lacks. ``natural_key`` orders texts as people do.
"""


def inline_code(literal: Literal) -> int | None:
    """The code of a literal that stands for itself; None for one that must be looked up."""
    value = literal.value
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        return value + ZERO if abs(value) < WIDEST else None
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.toordinal() - _FIRST_DAY + EPOCH
    return None


def inline_literal(code: int) -> Literal | None:
    """The literal that a code stands for by itself."""
    if code < DATES:
        return Literal(code - ZERO)
    if code < 0:
        return Literal(datetime.date.fromordinal(code - EPOCH + _FIRST_DAY))
    if code in (FALSE, TRUE):
        return Literal(code == TRUE)
    return None


def stored_literal(kind: str, lexical: str, number: float | None) -> Literal:
    """The literal that the table of other literals holds."""
    if kind == "float":
        return Literal(float(number if number is not None else "nan"))
    if kind == "int":
        return Literal(int(lexical))
    if kind == "datetime":
        return Literal(read_moment(lexical))
    if kind == "date":
        return Literal(read_date(lexical))
    return Literal(lexical, kind.partition("@")[2])


def is_name(sql: str) -> str:
    """The condition that a code is a name's."""
    return f"({sql} >= 0 AND {sql} < {LITERALS})"


class StatementKey(NamedTuple):
    """A statement in codes."""

    graph: int
    predicate: str
    subject: int
    object: int
