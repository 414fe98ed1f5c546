"""Values as the graph notation writes them: numbers, truth values, dates and strings."""

from __future__ import annotations

import decimal
import functools
import math
import re

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE][+-]?[0-9]+)?")
"""A number of the graph notation."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})?)?")
_WORDS = frozenset({"true", "false", "INF", "-INF", "NaN"})
_WRITTEN_OUT = 400  # places: 1e-400 written out fits a line, 1e999999 would fill the memory


def token(value: str | int | float | bool) -> str:
    """A value as the graph notation writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
    return str(value)


def is_value(text: str) -> bool:
    """Whether a token is a number, a truth value, a date or a string, and so no entity."""
    if text[:1] == '"' or text in _WORDS or _NUMBER.fullmatch(text):
        return True
    return bool(_DATE.fullmatch(text))


@functools.lru_cache(maxsize=2**14)
def plain(text: str) -> str:
    """A value's token; numbers of one value have one, whatever zeros or exponent they have."""
    if not _NUMBER.fullmatch(text):
        return text
    exact = decimal.Context(prec=len(text) + 1)
    try:
        number = decimal.Decimal(text, exact).normalize(exact)
    except decimal.DecimalException:
        return text  # the exponent is larger than decimals can have
    if not number:
        return "0"
    return f"{number:f}" if abs(number.adjusted()) <= _WRITTEN_OUT else str(number)
