"""Text reduced to what it says: letters and digits in lower case, half width and simplified.

For comparing texts, never for showing them.
"""

from __future__ import annotations

import functools
import math
import re
import sys
import unicodedata
from typing import TYPE_CHECKING

from readmark.text.script import pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_NO_WORD = re.compile(r"[\W_]+")
_FULL_WIDTH, _HALF_WIDTH, _WIDTHS = 0xFF01, 0x21, 94
_CASED = 0x1F000  # no letter above has a case
_SYMBOLS = 0x20000  # nor is there a mark or symbol above
_MARKS = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Cc", "Cf", "Zs", "Zl", "Zp"})
_MEANINGFUL = "#%&*/@\\§¶†‡‰‱′″"
"""Punctuation by its class that says something: 5% is not 5."""
MINUS = "-\u2212\ufe63\uff0d"
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\W_]+(?=\d)")
_BEFORE_DIGIT = re.compile(rf"(?<![a-zA-Z\d])[{re.escape(MINUS)}](?=\d)|(?<!\w)\.(?=\d)")


def folded(text: str) -> str:
    """The letters and digits of a text, folded."""
    return folded_points(text).tobytes().decode("utf-32-le", "surrogatepass")


def folded_points(text: str) -> NDArray[np.uint32]:
    """The same as code points."""
    import numpy as np

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    found: NDArray[np.uint32] = _table()[points]
    kept: NDArray[np.uint32] = found[found != 0]
    return kept


def folded_with_places(text: str) -> tuple[str, NDArray[np.intp]]:
    """A text but for spaces, punctuation, case, width and script, and where each character occurs.

    Unlike in ``folded`` a number stays one: a sign before it, what comes between digits, and
    symbols are kept. 2.5, 25 and -25 are three answers, and so are 5% and 5.
    """
    import numpy as np

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    found = _spelling()[points]
    for gap in _BETWEEN_DIGITS.finditer(text):
        marks = [index for index in range(*gap.span()) if not text[index].isspace()]
        for mark in marks:
            found[mark] = _half_width(points[mark])
        if not marks:
            found[gap.start()] = ord(" ")
    for sign in _BEFORE_DIGIT.finditer(text):
        found[sign.start()] = ord("." if sign[0] == "." else "-")
    origins = np.flatnonzero(found)
    return found[origins].tobytes().decode("utf-32-le", "surrogatepass"), origins


@functools.cache
def _spelling() -> NDArray[np.uint32]:
    """What each code point becomes where symbols count."""
    table = _table().copy()
    for index in range(_SYMBOLS):
        if table[index] == 0:
            small = chr(_half_width(index))
            if small in _MEANINGFUL or unicodedata.category(small) not in _MARKS:
                table[index] = ord(small)
    table[list(map(ord, MINUS))] = 0
    return table


def _half_width(point: int) -> int:
    full = _FULL_WIDTH <= point < _FULL_WIDTH + _WIDTHS
    return int(point) - _FULL_WIDTH + _HALF_WIDTH if full else int(point)


@functools.cache
def _table() -> NDArray[np.uint32]:
    """What each code point becomes; 0 for what is dropped."""
    import numpy as np

    table = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    every = table.tobytes().decode("utf-32-le", "surrogatepass")
    for match in _NO_WORD.finditer(every):
        table[match.start() : match.end()] = 0
    before, after = pairs()
    table[list(map(ord, before))] = list(map(ord, after))
    for index, letter in enumerate(every[:_CASED]):
        small = letter.lower()
        if small != letter and len(small) == 1:
            table[index] = table[ord(small)] = ord(small)  # circled letters are no words, but cased
    half = slice(_HALF_WIDTH, _HALF_WIDTH + _WIDTHS)
    table[_FULL_WIDTH : _FULL_WIDTH + _WIDTHS] = table[half]
    return table[table]  # one simplified character has a simpler one


# Numbers as Chinese writes them: digits, numerals, both; percentages.


NUMERALS = "0-9零〇一二两三四五六七八九十百千万亿"
"""The signs that numbers are made of, as a class of a regular expression."""

_DECIMAL = re.compile(r"\d+(?:\.\d+)?")
_SCALED = re.compile(r"(\d+(?:\.\d+)?)([十百千万亿]+)")
_PERCENT = re.compile(rf"百分之([{NUMERALS}]+)")
_DIGITS = {sign: index for index, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_GREAT = {"万": 10_000, "亿": 100_000_000}


def number_of(text: str) -> float | None:
    """The number in digits or Chinese numerals; None for what is none."""
    if text.startswith("-"):
        size = number_of(text[1:])
        return None if size is None else -size
    if text.isascii():
        return float(text) if _DECIMAL.fullmatch(text) else None
    if (scaled := _SCALED.fullmatch(text)) is not None:
        powers = (_POWERS.get(sign) or _GREAT[sign] for sign in scaled[2])
        return float(scaled[1]) * math.prod(powers)
    yi = wan = section = digit = 0  # the parts of 三亿两千万五百六: multiplied by 亿, by 万, below
    for sign in text:
        if sign in _DIGITS:
            digit = digit * 10 + _DIGITS[sign] if digit else _DIGITS[sign]
        elif sign in _POWERS:
            section += (digit or 1) * _POWERS[sign]
            digit = 0
        elif sign == "万":
            wan = (wan + section + digit or 1) * _GREAT[sign]
            section = digit = 0
        elif sign == "亿":
            count = wan + section + digit  # none in 亿亿
            yi = yi + count * _GREAT[sign] if count else (yi or 1) * _GREAT[sign]
            wan = section = digit = 0
        elif sign.isdigit():
            digit = digit * 10 + int(sign)
        else:
            return None
    if len(text) > 1 and digit < 10:  # 一百五 is 150, 一百零五 is not
        power = _POWERS.get(text[-2]) or _GREAT.get(text[-2])
        digit *= power // 10 if power else 1
    return yi + wan + section + digit


def with_percent_signs(text: str) -> str:
    """A text whose 百分之五 is 5%."""
    return _PERCENT.sub(lambda found: f"{number_of(found[1]):.10g}%", text)
