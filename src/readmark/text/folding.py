"""Text reduced to what it says: letters and digits in lower case, half width and simplified.

For comparing texts, never for showing them.
"""

from __future__ import annotations

import functools
import re
import sys
from typing import TYPE_CHECKING

from readmark.text.simplified import pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NO_WORD = re.compile(r"[\W_]+")
_FULL_WIDTH, _HALF_WIDTH, _WIDTHS = 0xFF01, 0x21, 94
_CASED = 0x1F000  # no letter above has a case


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
    """The folded text, and where in the text each of its characters stands."""
    import numpy as np

    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    found = _table()[points]
    origins = np.flatnonzero(found)
    return found[origins].tobytes().decode("utf-32-le", "surrogatepass"), origins


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
    for at, letter in enumerate(every[:_CASED]):
        small = letter.lower()
        if small != letter and len(small) == 1:
            table[at] = ord(small)
    half = slice(_HALF_WIDTH, _HALF_WIDTH + _WIDTHS)
    table[_FULL_WIDTH : _FULL_WIDTH + _WIDTHS] = table[half]
    return table
