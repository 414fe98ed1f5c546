"""Traditional characters as simplified ones, one for one: lengths and offsets stay as they are."""

from __future__ import annotations

import functools
import re
from importlib.resources import files

TABLE = "t2s"
"""How signatures name the table: OpenCC's, for single characters."""

_KEPT = re.compile("干(?=[隆坤])")
"""乾 is 干 but in names that simplified texts write so too: 乾隆, 乾坤."""


def simplified(text: str) -> str:
    """The text in simplified characters; the text itself where none is traditional."""
    traditional, table = _table()
    # Looking is several times as fast as translating, and most texts need no more.
    if traditional.search(text) is None:
        return text
    found = text.translate(table)
    return _KEPT.sub("乾", found) if "乾" in text else found


@functools.cache
def _table() -> tuple[re.Pattern[str], dict[int, int]]:
    source = files("readmark.text").joinpath("data", "simplified.txt").read_text("utf-8")
    before, after = source.split()
    return re.compile(f"[{before}]"), str.maketrans(before, after)
