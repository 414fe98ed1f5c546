"""Stars, ranks and seconds as people write them, and what is expected instead of a bad one."""

from __future__ import annotations

import math
import re
import unicodedata

from readmark.readability.scale import HIGHEST, LOWEST

_FULL, _HOLLOW = "★⭐*", "☆"
_UNITS = {
    "stars": re.compile(rf"\s*(?:/\s*{HIGHEST}|stars?|颗星|顆星|星|分)$", re.IGNORECASE),
    "seconds": re.compile(r"\s*(?:seconds?|secs?\.?|s|秒钟|秒鐘|秒)$", re.IGNORECASE),
}
"""What people write after the number."""


def number(text: str, name: str = "") -> float | None:
    """A number as people write it: with a decimal comma, a unit after it, or as a row of stars."""
    text = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").strip()
    if name in ("", "stars") and text.strip(_HOLLOW) and not text.strip(_FULL + _HOLLOW):
        full = len(text.rstrip(_HOLLOW))
        is_drawn_well = set(text[:full]) <= set(_FULL) and len(text) in (full, HIGHEST)
        return float(full) if is_drawn_well else None
    if name in _UNITS:
        text = _UNITS[name].sub("", text)
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def number_text(value: float) -> str:
    """A number that reads back as itself, a whole one without its point."""
    return str(int(value)) if value == int(value) else repr(float(value))


def expected_number(name: str, value: float | None, most: int, real: bool) -> str | None:
    """What was expected instead of a number that cannot be used; None if it can.

    ``most`` is the last rank; with ``real`` stars may be fractions.
    """
    whole = value is not None and value == int(value)
    if name == "stars":
        inside = value is not None and LOWEST <= value <= HIGHEST
        if real:
            return None if inside else f"a number from {LOWEST} to {HIGHEST}"
        return None if inside and whole else f"a whole number from {LOWEST} to {HIGHEST}"
    if name == "rank":
        ranked = value is not None and whole and 1 <= value <= most
        return None if ranked else f"a whole number from 1 to {most}"
    return None if value is not None and value >= 0 else "seconds, 0 or more"
