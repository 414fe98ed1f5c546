"""Nouns of kinds of tests with their numbers: English plurals, Chinese measure words."""

from __future__ import annotations

from readmark.reporting.page.bilingual import Bilingual
from readmark.reporting.page.words import strings


class ChineseNoun(str):
    """A Chinese noun with its measure word, for texts such as ``{records.measure}``."""

    measure: str

    def __new__(cls, measure: str, noun: str) -> ChineseNoun:
        word = super().__new__(cls, noun)
        word.measure = measure
        return word

    @property
    def measured(self) -> str:
        """The noun after its measure word, which alone stands for 篇章: 三篇, not 三篇篇章."""
        if self.startswith(self.measure):
            return self.measure
        return f"{self.measure} {self}" if self.isascii() else f"{self.measure}{self}"


def counted(count: int, name: str) -> Bilingual:
    """A number with its noun: English singular and plural, Chinese with its measure word."""
    english, chinese = _noun(name, several=count != 1)
    return Bilingual(f"{count:,} {english}", f"{count:,} {chinese.measured}")


def noun(name: str, *, several: bool = False) -> Bilingual:
    """A noun by itself: the Chinese one without its measure word."""
    return Bilingual(*_noun(name, several=several))


def _noun(name: str, *, several: bool) -> tuple[str, ChineseNoun]:
    spelling = strings()["noun"].get(name)
    if spelling is None:  # a plug-in's kind: its noun is English in Chinese texts too
        plural = name if name.endswith("s") else f"{name}s"
        return plural if several else name, ChineseNoun("个", name)
    singular, _, plural = spelling[0].partition("|")
    measure, chinese = spelling[1].split(" ")
    return plural if several else singular, ChineseNoun(measure, chinese)
