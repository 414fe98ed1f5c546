"""What is compared: words in lower case without punctuation, and the plain form made of them."""

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
    """The words of a text in a language with spaces."""
    text = text.lower()
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_UNIFORM)
    return _WORD.findall(text)


def plain(text: str) -> str:
    """A text as measures of characters see it: its words with one space between them."""
    return " ".join(words(text))


def chinese_words(text: str) -> list[str]:
    """The words of a Chinese text: the same stretches, cut by the dictionary."""
    from readmark.text.segmenter import segmenter

    cut = segmenter().words
    # What the rules take for one word and the dictionary does not know stays whole.
    return [
        word
        for stretch in words(text)
        for word in ([stretch] if stretch.isascii() else cut(stretch))
    ]


@functools.cache
def grammar_words(purpose: str) -> dict[str, frozenset[str]]:
    """The words of grammar by language, as ``rules`` or the judging of ``failures`` see them."""
    path = files("readmark.series") / "data" / "grammar.toml"
    more = tomllib.loads(path.read_text(encoding="utf-8"))[purpose]
    return {
        language: words | frozenset(more[language].split())
        for language, words in STOP_WORDS.items()
    }


def cutter(language: str) -> Cutter:
    """The words of a text of that language."""
    return chinese_words if language == "zh" else words


def signature(language: str) -> str:
    """Which rules cut words of that language."""
    from readmark.text.segmenter import segmenter

    return f"{RULES},{segmenter().signature()}" if language == "zh" else RULES
