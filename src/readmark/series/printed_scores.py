"""Similarities from 0 to 1, and their differences, as tables of rewriters print them."""

from __future__ import annotations

from readmark.core import numbers

_PLACES = 3  # as many as numbers.mark prints on a scale from 0 to 1


def score(value: float | None) -> str:
    """A similarity as tables print it; a dash for none."""
    return numbers.mark(value, 1)


def difference(value: float | None) -> str:
    """A difference of similarities as tables print it, with its sign."""
    return numbers.mark(value, 1, signed=True)


def printed_difference(mark: float | None, other: float | None) -> float | None:
    """The difference of two marks as printed, so that a reader who subtracts gets the same."""
    return None if mark is None or other is None else round(mark, _PLACES) - round(other, _PLACES)
