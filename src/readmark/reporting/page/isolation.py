"""Texts from outside Readmark, which may run from right to left, among texts of the page."""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup

_TURNING = frozenset(("R", "AL", "RLE", "RLO", "LRE", "LRO", "PDF"))
"""Bidirectional classes of characters that run from right to left, or turn what follows."""
_ISOLATES = re.compile("[\u2066-\u2069]")


class Isolated(str):
    """A text from outside Readmark; whatever its direction, the text after it keeps its own.

    In markup it is a ``bdi`` element, in plain text it is between U+2068 and U+2069.
    """

    __slots__ = ()

    def __html__(self) -> str:
        return Markup("<bdi>{}</bdi>").format(str(self))

    def __format__(self, spec: str) -> str:
        turning = any(unicodedata.bidirectional(character) in _TURNING for character in self)
        return f"\u2068{self!s}\u2069" if turning else str(self)


def isolated(text: str) -> Isolated:
    """A text from outside Readmark without isolates of its own, which could end ours."""
    return Isolated(_ISOLATES.sub("", text))
