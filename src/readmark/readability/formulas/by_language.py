"""The measures of a passage in whichever language it is: English formulas or the Chinese index."""

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


def readability(text: str, language: str, *, known_names: bool = True) -> Readability | None:
    """The measures of a passage in its language; None where it has no word to measure.

    What is not Chinese is measured as English: ask ``LANGUAGES`` first. ``known_names`` is whether
    Dale-Chall counts names as familiar.
    """
    if primary(language) == "zh":
        return chinese_readability(text)
    return english_readability(text, known_names=known_names)


def hardness(text: str, language: str) -> float | None:
    """How hard a passage is: Dale-Chall's raw score, or the Chinese index; higher is harder.

    None where there is no word to measure.
    """
    measures = readability(text, language)
    if isinstance(measures, EnglishReadability):
        return measures.dale_chall
    return measures.index if measures is not None else None


def signature(language: str, *, known_names: bool = True) -> dict[str, str]:
    """What the measures of a language rest on."""
    if primary(language) == "zh":
        return chinese_signature()
    return english_signature(known_names=known_names)
