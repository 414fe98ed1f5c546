"""Numbers as the page writes them: those of `core.numbers`, with a true minus and in sentences."""

from __future__ import annotations

from readmark.core import numbers
from readmark.core.numbers import ABSENT as ABSENT
from readmark.core.numbers import p_value as p_value
from readmark.core.numbers import p_words as p_words
from readmark.core.numbers import ratio as ratio
from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.words import phrase


def mark(value: float | None, scale: float, *, signed: bool = False) -> str:
    """A mark, or with its sign a difference of marks."""
    return numbers.mark(value, scale, signed=signed).replace("-", "−")


def interval(
    low: float | None, high: float | None, scale: float, *, signed: bool = False
) -> Bilingual | str:
    """An interval in a table; a dash would be read as a minus where ends may be negative."""
    if low is None or high is None:
        return ABSENT
    ends = mark(low, scale, signed=signed), mark(high, scale, signed=signed)
    if signed or low < 0:
        return phrase("number.span", low=ends[0], high=ends[1])
    return "–".join(ends)


def with_count(interval: Bilingual | str, units: int | None) -> Bilingual | str:
    """An interval, and how many units its mark counts where that is not all of them."""
    if units is None:
        return interval
    return phrase("slices.own_count", interval=interval, count=f"{units:,}")


def spoken_interval(low: float | None, high: float | None, scale: float) -> Bilingual | None:
    """An interval in a sentence, with the decimals of its mark."""
    if low is None or high is None:
        return None
    return phrase("number.span", low=mark(low, scale), high=mark(high, scale))


def ratio_interval(low: float | None, high: float | None) -> str:
    """The interval of a ratio."""
    return numbers.ratio_interval(low, high, between="–")


def share(value: float) -> str:
    """A share as a whole per cent."""
    return numbers.percent(value, 0)
