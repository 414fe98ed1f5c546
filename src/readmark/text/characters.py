"""What the characters of a text are, counted in one look at each.

One table gives the class of every code point, so that many texts together are a few calls of numpy.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, starmap
from typing import TYPE_CHECKING

from readmark.text.classical import WEIGHTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PUNCTUATION = "。、…—–·•‧・“”‘’「」『』《》〈〉【】〔〕～﹑﹐" + ",.;:?!'\"()-/%&"
"""What running text is punctuated with, Chinese or English; full width as well where it is ASCII.
Any other sign is a symbol."""

_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3347F), (0x3005, 0x3007))
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]+")
_SPACE, _LETTER, _DIGIT = re.compile(r"\s+"), re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
_MIXED = ((0x80, 0x3400), (0xA4D0, 0xAC00), (0xFB00, 0x12000))
"""Where marks and number forms stand; letters only, or nothing of a living script, elsewhere."""
_ABOVE = 0x40000  # no plane from here on has a letter, a digit or a space
_FULL_WIDTH, _HALF_WIDTH, _WIDTHS = 0xFF01, 0x21, 94
SPACE, SYMBOL, PUNCTUATED, DIGIT, LATIN, OTHER, HAN = range(7)
"""Classes; after them come the Han characters of each weight of the classical style."""
_CLASSES = HAN + 1 + len(WEIGHTS)


@dataclass(frozen=True, slots=True)
class Characters:
    """How many characters of each class a text has."""

    size: int
    """All but white space."""
    han: int
    latin: int
    """Latin letters, with or without accents."""
    other: int
    """Letters of any other script."""
    digits: int
    punctuation: int
    symbols: int
    classical: float
    """The weights of the classical style, added up."""


def characters(text: str) -> Characters:
    """Count the characters of a text."""
    return characters_of([text])[0]


def characters_of(texts: Sequence[str]) -> list[Characters]:
    """Count the characters of each of some texts; together is faster, where they are short."""
    import numpy as np

    encoded = "".join(texts).encode("utf-32-le", "surrogatepass")
    classes = _table()[np.frombuffer(encoded, dtype=np.uint32)].astype(np.intp)
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    classes += np.repeat(np.arange(0, len(texts) * _CLASSES, _CLASSES), lengths)
    counts = np.bincount(classes, minlength=len(texts) * _CLASSES).reshape(len(texts), _CLASSES)
    weighed = counts[:, HAN + 1 :]
    columns = (
        lengths - counts[:, SPACE],
        counts[:, HAN] + weighed.sum(axis=1),
        counts[:, LATIN],
        counts[:, OTHER],
        counts[:, DIGIT],
        counts[:, PUNCTUATED],
        counts[:, SYMBOL],
        weighed @ np.array(list(WEIGHTS)),
    )
    return list(map(Characters, *(column.tolist() for column in columns)))


@functools.cache
def _table() -> NDArray[np.uint8]:
    """The class of every code point; what is none of the others is a symbol."""
    import numpy as np

    table = np.full(sys.maxunicode + 1, SYMBOL, np.uint8)
    every = np.arange(_ABOVE, dtype=np.uint32).tobytes()
    text = every.decode("utf-32-le", "surrogatepass")
    for kind, pattern in (
        (OTHER, _LETTER),
        (DIGIT, _DIGIT),
        (LATIN, _LATIN),
        (SPACE, _SPACE),
    ):
        for match in pattern.finditer(text):
            table[match.start() : match.end()] = kind
    for at in chain.from_iterable(starmap(range, _MIXED)):
        category = unicodedata.category(text[at])
        if category in ("Nl", "No"):  # ½, ² and Ⅳ: letters to an expression, signs to a reader
            table[at] = SYMBOL
        elif category[0] == "M":
            table[at] = OTHER
    for start, end in _HAN:
        table[start : end + 1] = HAN
    table[list(map(ord, PUNCTUATION))] = PUNCTUATED
    table[_FULL_WIDTH : _FULL_WIDTH + _WIDTHS] = table[_HALF_WIDTH : _HALF_WIDTH + _WIDTHS]
    table[ord("～")] = PUNCTUATED
    for order, group in enumerate(WEIGHTS.values()):
        table[list(map(ord, group))] = HAN + 1 + order
    return table
