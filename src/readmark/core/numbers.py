"""Numbers, p-values, counts and lists of ids, written alike in terminals, on pages and boards."""

from __future__ import annotations

import math
from collections.abc import Sequence

ABSENT = "–"
SHOWN = 5
"""Ids that a message names."""
_LONGEST_ID = 80
"""Characters of an id in a message; a longer one is cut."""


def finite(value: float) -> float | None:
    """A number as results have it: None where it is undefined."""
    return value if math.isfinite(value) else None


def places(scale: float) -> int:
    """How many decimals a mark has: three on a scale of 1, two on a larger one."""
    return 2 if scale > 1 else 3


def mark(value: float | None, scale: float, *, signed: bool = False) -> str:
    """A mark, or with its sign a difference of marks: two decimals of 100, three of 1."""
    return ABSENT if value is None else _decimals(value, places(scale), signed=signed)


def interval(
    low: float | None,
    high: float | None,
    scale: float,
    *,
    signed: bool = False,
    between: str = " to ",
) -> str:
    """The interval of a mark, with the decimals of the mark."""
    if low is None or high is None:
        return ABSENT
    return f"{mark(low, scale, signed=signed)}{between}{mark(high, scale, signed=signed)}"


def narrow_interval(low: float | None, high: float | None, scale: float) -> str:
    """The same for a narrow column; beside a minus sign a dash could be read as another one."""
    if low is None or high is None:
        return ABSENT
    between = "–" if low >= 0 else " to "
    return f"{mark(low, scale)}{between}{mark(high, scale)}"


def ratio(value: float | None) -> str:
    """A ratio of two marks."""
    return ABSENT if value is None else f"{value:.2f}"


def ratio_interval(low: float | None, high: float | None, *, between: str = " to ") -> str:
    """The interval of a ratio."""
    return ABSENT if low is None or high is None else f"{ratio(low)}{between}{ratio(high)}"


def decimal(value: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """A number other than a mark: a mean, a rating, a chi-square, a similarity."""
    return ABSENT if value is None else _decimals(value, digits, signed=signed)


def significant(value: float | None, digits: int = 4) -> str:
    """A number that may be very small, such as a probability or a price, by its first digits."""
    return ABSENT if value is None else f"{value:.{digits}g}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share of 1 in per cent; without decimals where it is a threshold or an estimate."""
    return ABSENT if share is None else f"{_decimals(100 * share, digits, signed=False)}%"


def percent_interval(low: float | None, high: float | None, digits: int = 1) -> str:
    """The interval of a share in per cent."""
    if low is None or high is None:
        return ABSENT
    return f"{percent(low, digits).removesuffix('%')}–{percent(high, digits)}"


def p_value(p: float | None) -> str:
    """A p-value with four decimals, never shown as zero."""
    if p is None:
        return ABSENT
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def p_words(p: float) -> str:
    """A p-value after the letter p."""
    shown = p_value(p)
    return shown if shown.startswith("<") else f"= {shown}"


def count(value: float) -> str:
    """A count; one decimal where it is a mean of counts."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def first_ids(
    ids: Sequence[str], shown: int = 3, *, quoted: bool = False, between: str = ", "
) -> str:
    """The first of several ids or names, for a message; in quotes where they may be any text."""
    named = [id if len(id) <= _LONGEST_ID else f"{id[:_LONGEST_ID]}…" for id in ids[:shown]]
    named = [repr(name) for name in named] if quoted else named
    return between.join([*named, *(["…"] if len(ids) > shown else [])])


def listed_ids(ids: Sequence[str], number: int | None = None, *, shown: int = SHOWN) -> str:
    """How many ids there are, and the first of them; ``number`` where ``ids`` are not all."""
    number = len(ids) if number is None else number
    more = ", …" if len(ids) <= shown < number else ""
    return f"{number:,} ({first_ids(ids, shown)}{more})"


def and_more(count: int, how: str = "") -> str:
    """The line after a list that was cut, and how to see the rest."""
    return f"… and {count:,} more{f'; {how}' if how else ''}"


def _decimals(value: float, digits: int, *, signed: bool) -> str:
    value = round(value, digits) + 0.0  # -0.0 becomes 0.0
    return f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
