"""How long a text is: in characters, words or tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_TOKEN = re.compile(r"[A-Za-z0-9]+|[^\sA-Za-z0-9]")


def count_words(text: str) -> int:
    """What white space separates; where there are Chinese characters, the segmenter's words."""
    if not _HAN.search(text):
        return len(text.split())
    from readmark.text.segmenter import segmenter

    return sum(any(map(str.isalnum, word)) for word in segmenter().words(text))


LENGTHS: Mapping[str, Callable[[str], int]] = {
    "characters": len,
    "words": count_words,
    "tokens": lambda text: len(_TOKEN.findall(text)),
}
"""What lengths are counted in. Tokens are those of CMRC 2018's Table 1, as near as its figures
tell: runs of Latin letters and digits are one, any other character but white space is one."""


def length_unit(language: str) -> str:
    """Characters for Chinese, words for any other language."""
    return "characters" if language == "zh" else "words"
