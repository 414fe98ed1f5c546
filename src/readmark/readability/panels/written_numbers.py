"""Stars, ranks and seconds as people write them, and what is expected instead of a bad one."""

from __future__ import annotations

import math
import re
import unicodedata

from readmark.readability.scale import HIGHEST, LOWEST

_DRAWN = re.compile(r"([★⭐*]+)(☆*)")
"""Full stars, and the hollow ones that may follow them."""
_UNITS = {
    "stars": re.compile(rf"\s*(?:/\s*{HIGHEST}|stars?|颗星|顆星|星|分)$", re.IGNORECASE),
    "seconds": re.compile(r"\s*(?:seconds?|secs?\.?|s|秒钟|秒鐘|秒)$", re.IGNORECASE),
}
"""What people write after the number."""


def number(text: str, name: str = "") -> float | None:
    """A number as people write it: with a decimal comma, a unit after it, or as a row of stars.

    ``name`` is the column, which decides what the unit may be and whether stars may be drawn.
    """
    # NFKC makes digits of full width plain; U+FE0F only asks for an emoji's look.
    text = unicodedata.normalize("NFKC", text).replace("\ufe0f", "").strip()
    if name in ("", "stars") and (drawn := _DRAWN.fullmatch(text)):
        full, hollow = len(drawn[1]), len(drawn[2])
        return float(full) if not hollow or full + hollow == HIGHEST else None
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


def expected_number(name: str, value: float | None, last_rank: int, real: bool) -> str | None:
    """What was expected in a column instead of a number that cannot be used; None if it can.

    With ``real`` stars may be fractions.
    """
    if name == "seconds":
        least, most, is_whole = 0, math.inf, False
        expected = "seconds, 0 or more"
    elif name == "rank":
        least, most, is_whole = 1, last_rank, True
        expected = f"a whole number from 1 to {last_rank}"
    else:
        least, most, is_whole = LOWEST, HIGHEST, not real
        expected = f"a {'number' if real else 'whole number'} from {LOWEST} to {HIGHEST}"
    if value is None or not least <= value <= most or (is_whole and value != int(value)):
        return expected
    return None
