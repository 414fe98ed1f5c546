"""Traditional Chinese as simplified, word by word, by OpenCC; and which of the two a text is in.

Unlike the one-for-one table of ``text.simplified``, OpenCC looks at words: 乾 in 乾隆 stays. What
it makes of a text is a new text, and who keeps both can show what was changed.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from importlib.metadata import version

from readmark.corpus.errors import UsageError
from readmark.text.simplified import pairs

CONFIGURATION = "t2s"


def has_traditional(text: str) -> bool:
    """Whether any character is one that the table of traditional ones has."""
    return _traditional()(text) is not None


def script_of(text: str) -> str:
    """``traditional`` where one character or more is, else ``simplified``."""
    return "traditional" if has_traditional(text) else "simplified"


def to_simplified(text: str) -> str:
    """The text in simplified characters; the text itself where nothing changes."""
    # Looking is many times as fast as converting.
    if not has_traditional(text):
        return text
    found = _converter()(text)
    return text if found == text else found


def converter_name() -> str:
    """Which converter that is, for the record: library, version, configuration."""
    return f"opencc-{version('opencc')}({CONFIGURATION})"


@functools.cache
def _converter() -> Callable[[str], str]:
    try:
        from opencc import OpenCC
    except ImportError:
        raise UsageError(
            "simplified Chinese needs opencc: pip install opencc (see readmark doctor)"
        ) from None
    convert: Callable[[str], str] = OpenCC(CONFIGURATION).convert
    return convert


@functools.cache
def _traditional() -> Callable[[str], re.Match[str] | None]:
    return re.compile(f"[{pairs()[0]}]").search
