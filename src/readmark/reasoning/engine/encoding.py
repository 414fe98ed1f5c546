"""Terms as 64-bit numbers: whole numbers and dates stand for themselves, in their own order.

So most comparisons and sums need no look-up. The ranges, from below: integers, dates, names,
other literals (by a hash of kind and value, so that computed ones need no counter).
"""

from __future__ import annotations

import datetime

from readmark.reasoning.terms import Literal

ZERO = -(2**62)
"""The code of the integer 0."""
WIDEST = 2**60
"""Integers from here on are kept as other literals."""
DATES = -(2**61)
"""Where the codes of dates begin."""
EPOCH = -(2**60)
"""The code of 1970-01-01."""
LITERALS = 2**61
"""Where the codes of other literals begin; names lie between 0 and here."""
FALSE = LITERALS
TRUE = LITERALS + 1
_FIRST_HASHED = LITERALS + 2
_HASHED = 2**61 - 4
_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()

MACROS = f"""
CREATE MACRO literal_code(kind, lexical) AS
    ({_FIRST_HASHED} + (hash(kind || ' ' || lexical) % {_HASHED})::BIGINT);
CREATE MACRO float_code(value) AS
    ({_FIRST_HASHED} + (hash(value::DOUBLE) % {_HASHED})::BIGINT);
CREATE MACRO integer_code(value) AS
    CASE WHEN abs(value) < {WIDEST} THEN value + ({ZERO})
    ELSE error('an integer beyond ' || {WIDEST})::BIGINT END;
"""
"""The same codes inside the database, for values that rules compute."""


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
        return Literal(datetime.datetime.fromisoformat(lexical))
    return Literal(lexical)


def universal(moment: datetime.datetime) -> str:
    """A time in UTC, as the database reads it; one without a zone stays as it is."""
    try:
        plain = moment if moment.tzinfo is None else moment.astimezone(datetime.UTC)
    except OverflowError:  # A zone that leads out of the calendar.
        plain = moment
    return plain.replace(tzinfo=None).isoformat(sep=" ")
