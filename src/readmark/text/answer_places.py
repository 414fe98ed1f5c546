"""Where an answer stands in its passage: by its offsets, else wherever its words stand."""

from __future__ import annotations

import unicodedata

from readmark.corpus.spans import answer_spans, places
from readmark.corpus.values import Answer, Offsets


def answer_places(text: str, answer: Answer) -> list[Offsets]:
    """Every place where an answer may stand; none where its words are not in the passage.

    Offsets that point at the words tell the one place, and offsets that are astray the nearest.
    Without any it is every place of the words, as they are or but for spaces,
    capitals and width.
    """
    if answer.start is not None:
        found = list(answer_spans(text, [answer]))
        if found:
            return found
    words = answer.text.strip()
    if not words:
        return []
    exact = [(at, at + len(words)) for at in places(text, words)]
    return exact or _loosely(text, words)


def _loosely(text: str, words: str) -> list[Offsets]:
    """Places but for spaces, capitals and width: predictions are often put together of tokens."""
    kept = [at for at, sign in enumerate(text) if not sign.isspace()]
    squeezed = "".join(_small(text[at]) for at in kept)
    sought = "".join(_small(sign) for sign in words if not sign.isspace())
    return [(kept[at], kept[at + len(sought) - 1] + 1) for at in places(squeezed, sought)]


def _small(sign: str) -> str:
    """The small letter of common width, where that is one character too."""
    folded = unicodedata.normalize("NFKC", sign).lower()
    return folded if len(folded) == 1 else sign
