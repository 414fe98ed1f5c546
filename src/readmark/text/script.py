"""Chinese characters: which are Han, and traditional ones as simplified ones, one for one.

The table keeps every text's length, so offsets stay. A conversion that reads words, and may alter
lengths, is in ``script_conversion``.
"""

from __future__ import annotations

import functools
import re
import sys
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE = "t2s"
"""How signatures name the table: OpenCC's, for single characters."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f]")
_NAMES_WITH_QIAN = re.compile("干(?=[隆坤])")
"""The table makes 干 (dry) of every 乾; read *qián*, as in 乾隆 and 乾坤, it is not simplified."""


def is_han(character: str) -> bool:
    """Whether a character is a Han character."""
    return _HAN.match(character) is not None


def simplified(text: str) -> str:
    """The text in simplified characters; the text itself where none is traditional."""
    # A search is several times as fast as a translation, and most texts need no more.
    if traditional_pattern().search(text) is None:
        return text
    import numpy as np

    # Five times as fast as str.translate, which makes a string of every character.
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    translated = _table()[points].tobytes().decode("utf-32-le", "surrogatepass")
    return _NAMES_WITH_QIAN.sub("乾", translated) if "乾" in text else translated


@functools.cache
def pairs() -> tuple[str, str]:
    """The traditional characters of the table, and what each of them becomes."""
    source = files("readmark.text").joinpath("data", "simplified.txt").read_text("utf-8")
    traditional, plain = source.split()
    return traditional, plain


@functools.cache
def traditional_pattern() -> re.Pattern[str]:
    """Any traditional character of the table."""
    return re.compile(f"[{pairs()[0]}]")


@functools.cache
def _table() -> NDArray[np.uint32]:
    """What each code point becomes."""
    import numpy as np

    table = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    traditional, plain = pairs()
    table[list(map(ord, traditional))] = list(map(ord, plain))
    return table
