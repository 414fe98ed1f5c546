"""The words that rewrites are compared by: lower case, without punctuation, in two languages."""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from collections.abc import Callable
from importlib.resources import files

from readmark.text.stop_words import STOP_WORDS

RULES = "words-1"
"""The name of these rules in signatures; another number means other tokens."""

# An underscore, hyphen or apostrophe counts inside a word only: PREVIOUS_ANSWER is one.
_WORD = re.compile(r"[^\W_]+(?:[-'_][^\W_]+)*")
_UNIFORM = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-"})

Cutter = Callable[[str], list[str]]


def words(text: str) -> list[str]:
    """The words of a text in a language that writes spaces."""
    text = text.lower()
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_UNIFORM)
    return _WORD.findall(text)


def plain(text: str) -> str:
    """A text's words with single spaces between them, for measures of characters."""
    return " ".join(words(text))


def chinese_words(text: str) -> list[str]:
    """The words of a Chinese text: stretches as `words` finds them, cut by the dictionary."""
    from readmark.text.segmenter import segmenter

    cut = segmenter().words
    # A stretch in Latin letters stays whole: the dictionary would cut o'neil into three.
    return [
        word
        for stretch in words(text)
        for word in ([stretch] if stretch.isascii() else cut(stretch))
    ]


@functools.cache
def grammar_words(purpose: str) -> dict[str, frozenset[str]]:
    """The words of grammar by language, for the purpose ``rules`` or ``failures``."""
    path = files("readmark.series") / "data" / "grammar.toml"
    additions = tomllib.loads(path.read_text(encoding="utf-8"))[purpose]
    return {
        language: stop_words | frozenset(additions[language].split())
        for language, stop_words in STOP_WORDS.items()
    }


def cutter(language: str) -> Cutter:
    """The function that cuts texts of a language into words."""
    return chinese_words if language == "zh" else words


def signature(language: str) -> str:
    """The rules that cut texts of a language into words, with their versions."""
    from readmark.text.segmenter import segmenter

    return f"{RULES},{segmenter().signature()}" if language == "zh" else RULES
