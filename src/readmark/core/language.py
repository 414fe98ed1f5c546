"""Whether texts are English or Chinese, where a test does not say it."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003347f]+")
_LETTERS = re.compile(r"[^\W\d_]+")
HAN_SHARE = 0.3
"""Share of Han letters above which texts are Chinese."""


def primary(tag: str) -> str:
    """The language that a tag begins with: zh for zh-Hant, zh_TW and ZH."""
    return re.split("[-_]", tag.strip(), maxsplit=1)[0].lower()


class Letters:
    """Counts letters as texts come by, to detect the language of them all."""

    def __init__(self) -> None:
        self._letters = self._han = 0

    def add(self, texts: Iterable[str]) -> None:
        for text in texts:
            self._letters += sum(map(len, _LETTERS.findall(text)))
            self._han += sum(map(len, _HAN.findall(text)))

    def merge(self, other: Letters) -> None:
        """Add the counts of another part of the texts."""
        self._letters += other._letters
        self._han += other._han

    @property
    def language(self) -> str:
        """``zh`` when over 30% of the letters are Han, else ``en``."""
        return "zh" if self._han > HAN_SHARE * self._letters else "en"


def language_of(texts: Iterable[str]) -> str:
    """The language of some texts."""
    letters = Letters()
    letters.add(texts)
    return letters.language
