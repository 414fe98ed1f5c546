"""Which language a text is in, as far as a test must know: English or Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f]")
_LETTER = re.compile(r"[^\W\d_]")
HAN_SHARE = 0.3
ENOUGH_LETTERS = 20_000


def primary(tag: str) -> str:
    """The language that a tag begins with: zh for zh-Hant, zh_TW and ZH."""
    return re.split("[-_]", tag.strip(), maxsplit=1)[0].lower()


def language_of(texts: Iterable[str]) -> str:
    """``zh`` when over 30% of the letters are Han, else ``en``; a long test is judged early."""
    letters = han = 0
    for text in texts:
        letters += len(_LETTER.findall(text))
        han += len(_HAN.findall(text))
        if letters >= ENOUGH_LETTERS:
            break
    return "zh" if han > HAN_SHARE * letters else "en"
