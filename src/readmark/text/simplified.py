"""Traditional characters as simplified ones, one for one: lengths and offsets stay as they are."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TABLE = "t2s"
"""How signatures name the table: OpenCC's, for single characters."""

_KEPT = re.compile("干(?=[隆坤])")
"""乾 is 干 but in names that simplified texts write so too: 乾隆, 乾坤."""


def simplified(text: str) -> str:
    """The text in simplified characters; the text itself where none is traditional."""
    # Looking is several times as fast as translating, and most texts need no more.
    if _traditional()(text) is None:
        return text
    import numpy as np

    table = _table()
    # Five times as fast as str.translate, which makes a string of every character.
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    found = table[points].tobytes().decode("utf-32-le", "surrogatepass")
    return _KEPT.sub("乾", found) if "乾" in text else found


@functools.cache
def pairs() -> tuple[str, str]:
    """The traditional characters of the table, and what each of them becomes."""
    source = files("readmark.text").joinpath("data", "simplified.txt").read_text("utf-8")
    before, after = source.split()
    return before, after


@functools.cache
def _traditional() -> Callable[[str], re.Match[str] | None]:
    return re.compile(f"[{pairs()[0]}]").search


@functools.cache
def _table() -> NDArray[np.uint32]:
    import numpy as np

    table = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    before, after = pairs()
    table[list(map(ord, before))] = list(map(ord, after))
    return table
