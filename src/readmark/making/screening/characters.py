"""What the characters of a text are, counted in one look at each.

One table gives the class of every code point, so that many texts together are a few calls of numpy.
The weights of classical Chinese are classes as well: they cost no second look.
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

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CLASSICAL_WEIGHTS = {
    3.0: "曰矣焉哉兮汝吾毋歟欤豈岂朕",
    1.0: "之也其乃遂乎耳輒辄孰俟",
    0.5: "者而以於于則则故皆亦詔诏遣卒勿欲惟諸诸既",
    -0.5: "我就都過过會会",
    -1.0: "了是在個个他被著着把沒没到和說说那",
    -2.0: "的這这們们很嗎吗呢吧她它",
}
"""Characters by weight, set by hand: both scripts, and none that transcribes foreign names (尔, 弗,
夫, 耶) or occurs in as many modern texts as classical ones (不, 为, 有)."""

PUNCTUATION = "。、…—–·•‧・“”‘’「」『』《》〈〉【】〔〕～﹑﹐°′″℃" + ",.;:?!'\"()-/%&"
"""What running text is punctuated with, Chinese or English; full width as well where it is ASCII.
Any other sign is a symbol."""

_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3347F), (0x3005, 0x3007))
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]+")
_SPACE, _LETTER, _DIGIT = re.compile(r"\s+"), re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
_MIXED = ((0x80, 0x3400), (0xA4D0, 0xAC00), (0xFB00, 0x12000))
"""Where marks and number forms occur; letters only, or nothing of a living script, elsewhere."""
_ABOVE = 0x40000  # no plane from here on has a letter, a digit or a space
_FULL_WIDTH, _HALF_WIDTH, _WIDTHS = 0xFF01, 0x21, 94
SPACE, SYMBOL, PUNCTUATED, DIGIT, LATIN, OTHER, HAN = range(7)
"""Classes; after them come the Han characters of each weight of the classical style."""
_CLASSES = HAN + 1 + len(CLASSICAL_WEIGHTS)


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


def count_characters(text: str) -> Characters:
    """Count the characters of a text."""
    return count_characters_of([text])[0]


def count_characters_of(texts: Sequence[str]) -> list[Characters]:
    """Count the characters of several texts: short ones are faster together."""
    import numpy as np

    encoded = "".join(texts).encode("utf-32-le", "surrogatepass")
    classes = _table()[np.frombuffer(encoded, dtype=np.uint32)].astype(np.intp)
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    classes += np.repeat(np.arange(0, len(texts) * _CLASSES, _CLASSES), lengths)
    counts = np.bincount(classes, minlength=len(texts) * _CLASSES).reshape(len(texts), _CLASSES)
    weighted = counts[:, HAN + 1 :]
    columns = (
        lengths - counts[:, SPACE],
        counts[:, HAN] + weighted.sum(axis=1),
        counts[:, LATIN],
        counts[:, OTHER],
        counts[:, DIGIT],
        counts[:, PUNCTUATED],
        counts[:, SYMBOL],
        weighted @ np.array(list(CLASSICAL_WEIGHTS)),
    )
    return list(map(Characters, *(column.tolist() for column in columns)))


@functools.cache
def _table() -> NDArray[np.uint8]:
    """The class of every code point; what is none of the others is a symbol."""
    import numpy as np

    table = np.full(sys.maxunicode + 1, SYMBOL, np.uint8)
    code_points = np.arange(_ABOVE, dtype=np.uint32).tobytes()
    text = code_points.decode("utf-32-le", "surrogatepass")
    for kind, pattern in (
        (OTHER, _LETTER),
        (DIGIT, _DIGIT),
        (LATIN, _LATIN),
        (SPACE, _SPACE),
    ):
        for match in pattern.finditer(text):
            table[match.start() : match.end()] = kind
    for code_point in chain.from_iterable(starmap(range, _MIXED)):
        category = unicodedata.category(text[code_point])
        if category in ("Nl", "No"):  # ½, ² and Ⅳ: letters to an expression, signs to a reader
            table[code_point] = SYMBOL
        elif category[0] == "M":
            table[code_point] = OTHER
    for start, end in _HAN:
        table[start : end + 1] = HAN
    table[list(map(ord, PUNCTUATION))] = PUNCTUATED
    table[_FULL_WIDTH : _FULL_WIDTH + _WIDTHS] = table[_HALF_WIDTH : _HALF_WIDTH + _WIDTHS]
    table[ord("～")] = PUNCTUATED
    for order, group in enumerate(CLASSICAL_WEIGHTS.values()):
        table[list(map(ord, group))] = HAN + 1 + order
    return table
