"""Words by plain rules: runs of letters and digits in English, characters in Chinese."""

from __future__ import annotations

import re

RULES = "rules-1"

_ENGLISH = re.compile(r"\w+(?:['’-]\w+)*")
_CHINESE = re.compile(
    r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]|[a-z0-9]+"
)


def words(text: str, language: str) -> list[str]:
    """The words of a text in lower case; Han characters stand for words in Chinese."""
    pattern = _CHINESE if language == "zh" else _ENGLISH
    return pattern.findall(text.lower())
