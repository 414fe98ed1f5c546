"""Numbers as the page writes them: one decimal for hundredths, a true minus, no lone zero p."""

from __future__ import annotations

from readmark.reporting.html.words import Both, say

ABSENT = "–"


def mark(value: float | None, scale: float, *, signed: bool = False) -> str:
    """A mark: one decimal on a scale of a hundred, three on a scale of one."""
    if value is None:
        return ABSENT
    digits = 1 if scale >= 10 else 3
    return _minus(f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}")


def interval(
    low: float | None, high: float | None, scale: float, *, signed: bool = False
) -> Both | str:
    """An interval in a table."""
    if low is None or high is None:
        return ABSENT
    ends = mark(low, scale, signed=signed), mark(high, scale, signed=signed)
    if signed or low < 0:
        return say("number.span", low=ends[0], high=ends[1])
    return "–".join(ends)


def with_count(interval: Both | str, units: int | None) -> Both | str:
    """An interval, and how many units its mark counts where that is not all of them."""
    if units is None:
        return interval
    return say("slices.own_count", interval=interval, count=f"{units:,}")


def spoken_interval(low: float | None, high: float | None, scale: float) -> Both | None:
    """An interval in a sentence, with the decimals of its mark."""
    if low is None or high is None:
        return None
    return say("number.span", low=mark(low, scale), high=mark(high, scale))


def ratio(value: float | None) -> str:
    """A ratio with two decimals."""
    return ABSENT if value is None else f"{value:.2f}"


def ratio_interval(low: float | None, high: float | None) -> str:
    """The interval of a ratio."""
    return ABSENT if low is None or high is None else f"{low:.2f}–{high:.2f}"


def p_value(p: float | None) -> str:
    """A p-value in a table: four decimals, never zero."""
    if p is None:
        return ABSENT
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def p_words(p: float) -> str:
    """A p-value in a sentence, with its sign: two figures that count, three decimals at most."""
    if p < 0.001:
        return "< 0.001"
    return f"= {p:.2f}" if p >= 0.0995 else f"= {p:.3f}"


def share(value: float) -> str:
    """A share as a whole per cent."""
    return f"{100 * value:.0f}%"


def _minus(text: str) -> str:
    """A hyphen is no minus; and minus nought is nought."""
    if text.startswith(("-", "+")) and not text.strip("+-0."):
        text = text.replace("-", "+") if text.startswith("-") else text
    return text.replace("-", "−")
