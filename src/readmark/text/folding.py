"""Text reduced to what it says: letters and digits in lower case, half width and simplified.

For comparing texts, never for showing them.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from typing import TYPE_CHECKING

from readmark.text.script import pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MINUS = "-\u2212\ufe63\uff0d"
"""Hyphen-minus, the minus sign, and their small and full-width forms."""

_NO_WORD = re.compile(r"[\W_]+")
# Unicode repeats the 94 visible characters of ASCII, from ! on, in full width from U+FF01 on.
_HALF_WIDTH, _FULL_WIDTH, _WIDTHS = 0x21, 0xFF01, 94
# Tables of all code points are made by loops that stop where nothing is left to look at.
_CASED = 0x1F000  # no letter above has a case
_SYMBOLS = 0x20000  # no punctuation mark or symbol is above
_DROPPED = frozenset({"Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Cc", "Cf", "Zs", "Zl", "Zp"})
"""Unicode's categories of punctuation, control characters and separators."""
_MEANINGFUL = "#%&*/@\\§¶†‡‰‱′″"
"""Punctuation by its category that says something: 5% is not 5."""
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\W_]+(?=\d)")
_SIGN_OR_POINT = re.compile(rf"(?<![a-zA-Z\d])[{re.escape(MINUS)}](?=\d)|(?<!\w)\.(?=\d)")
"""The sign of a number, unlike the hyphen of COVID-19; and the point of .5, unlike a full stop."""


def folded(text: str) -> str:
    """The letters and digits of a text, folded."""
    return folded_points(text).tobytes().decode("utf-32-le", "surrogatepass")


def folded_points(text: str) -> NDArray[np.uint32]:
    """The letters and digits of a text, folded, as code points."""
    import numpy as np

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    codes: NDArray[np.uint32] = _letters_and_digits()[points]
    letters: NDArray[np.uint32] = codes[codes != 0]
    return letters


def folded_with_places(text: str) -> tuple[str, NDArray[np.intp]]:
    """A text but for spaces, punctuation, case, width and script, and where each character occurs.

    Unlike in ``folded`` a number stays one: a sign before it, what comes between digits, and
    symbols are kept. 2.5, 25 and -25 are three answers, and so are 5% and 5.
    """
    import numpy as np

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    spelling = _with_symbols()[points]
    for gap in _BETWEEN_DIGITS.finditer(text):
        marks = [index for index in range(*gap.span()) if not text[index].isspace()]
        for mark in marks:
            spelling[mark] = _half_width(points[mark])
        if not marks:
            spelling[gap.start()] = ord(" ")  # a space may part two numbers
    for match in _SIGN_OR_POINT.finditer(text):
        spelling[match.start()] = ord("." if match[0] == "." else "-")
    places = np.flatnonzero(spelling)
    return spelling[places].tobytes().decode("utf-32-le", "surrogatepass"), places


def _half_width(point: int) -> int:
    is_wide = _FULL_WIDTH <= point < _FULL_WIDTH + _WIDTHS
    return int(point) - _FULL_WIDTH + _HALF_WIDTH if is_wide else int(point)


@functools.cache
def _letters_and_digits() -> NDArray[np.uint32]:
    """What each code point becomes; 0 for what is dropped."""
    import numpy as np

    table = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    characters = table.tobytes().decode("utf-32-le", "surrogatepass")
    for match in _NO_WORD.finditer(characters):
        table[match.start() : match.end()] = 0
    traditional, simplified = pairs()
    table[list(map(ord, traditional))] = list(map(ord, simplified))
    for index, letter in enumerate(characters[:_CASED]):
        small = letter.lower()
        if small != letter and len(small) == 1:
            # Circled letters have a case and are not word characters: both cases are kept.
            table[index] = table[ord(small)] = ord(small)
    half_width = slice(_HALF_WIDTH, _HALF_WIDTH + _WIDTHS)
    table[_FULL_WIDTH : _FULL_WIDTH + _WIDTHS] = table[half_width]
    return table[table]  # twice, for one simplified character has a simpler one


@functools.cache
def _with_symbols() -> NDArray[np.uint32]:
    """What each code point becomes where symbols count; 0 for what is dropped."""
    table = _letters_and_digits().copy()
    for point in range(_SYMBOLS):
        if table[point] == 0:
            character = chr(_half_width(point))
            if character in _MEANINGFUL or unicodedata.category(character) not in _DROPPED:
                table[point] = ord(character)
    table[list(map(ord, MINUS))] = 0  # a symbol too, but it says something only before a number
    return table
