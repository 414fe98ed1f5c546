"""Readability: the classic formulas for English, a documented measure for Chinese."""

from __future__ import annotations

from readmark.core.language import primary
from readmark.readability.formulas.chinese import (
    ChineseReadability,
    chinese_readability,
    chinese_signature,
)
from readmark.readability.formulas.english import (
    EnglishReadability,
    english_readability,
    english_signature,
)

LANGUAGES = ("en", "zh")

Readability = EnglishReadability | ChineseReadability


def readability(text: str, language: str) -> Readability | None:
    """The measures of a passage in its language; None where it has no word to measure.

    What is not Chinese is measured as English: ask ``LANGUAGES`` first.
    """
    if primary(language) == "zh":
        return chinese_readability(text)
    return english_readability(text)


def signature(language: str) -> dict[str, str]:
    """What the measures of a language rest on."""
    return chinese_signature() if primary(language) == "zh" else english_signature()
