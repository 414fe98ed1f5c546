"""Stars, ranks and seconds as people write them, and what was expected where they are none."""

from __future__ import annotations

import math
import re
import unicodedata

LOWEST, HIGHEST = 1, 5
_FULL, _HOLLOW = "★⭐*", "☆"
_UNITS = {
    "stars": re.compile(rf"\s*(?:/\s*{HIGHEST}|stars?|颗星|顆星|星|分)$", re.IGNORECASE),
    "seconds": re.compile(r"\s*(?:seconds?|secs?\.?|s|秒钟|秒鐘|秒)$", re.IGNORECASE),
}
"""What people write after the number."""


def number(said: str, name: str = "") -> float | None:
    """A number as people write it: with a decimal comma, its unit after it, or as so many stars."""
    said = unicodedata.normalize("NFKC", said).replace("\ufe0f", "").strip()
    if name in ("", "stars") and said.strip(_HOLLOW) and not said.strip(_FULL + _HOLLOW):
        full = len(said.rstrip(_HOLLOW))
        drawn = set(said[:full]) <= set(_FULL) and len(said) in (full, HIGHEST)
        return float(full) if drawn else None
    if name in _UNITS:
        said = _UNITS[name].sub("", said)
    try:
        value = float(said.replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def spelt(value: float) -> str:
    """A number that reads back as itself, a whole one without its point."""
    return str(int(value)) if value == int(value) else repr(float(value))


def wanted(name: str, value: float | None, most: int, real: bool) -> str | None:
    """What was expected, where a number cannot be used."""
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
