"""A text folded for comparing: tokens with their places, what glosses in brackets say left out.

Chinese goes by characters, so that a name counts however a segmenter would cut it; English by
words in their base form.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.corpus.values import Offsets
from readmark.text.reasoning_cues import cues
from readmark.text.simplified import simplified
from readmark.text.stems import stem

_HAN = r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]"
_NUMBER = r"\d+(?:[.,:]\d+)*"
_CHINESE = re.compile(rf"{_HAN}|[^\W\d_\u2e80-\U0003fffd]+|{_NUMBER}")
_ENGLISH = re.compile(rf"{_NUMBER}|(?!(?<=['’])s\b)[^\W_]+(?:['’](?!s\b)[^\W_]+)*")
_GLOSS = re.compile(
    r"（[^（）]{0,160}）|\([^()]{0,160}\)|\[[^\[\]]{0,60}\]|【[^【】]{0,60}】|-\{(?:zh[^}]*)?|\}-"
)


@dataclass(frozen=True, slots=True)
class Token:
    """Where a token stands, and what equal tokens share."""

    start: int
    end: int
    key: str


def folded(text: str, language: str) -> str:
    """The text as tokens and cues are looked up in it; offsets stay as they are."""
    return simplified(text) if language == "zh" else text


def glosses(text: str) -> list[Offsets]:
    """Bracketed glosses, which a match may pass over."""
    return [found.span() for found in _GLOSS.finditer(text)]


def holding_stretch(stretches: Sequence[Offsets], start: int, end: int) -> Offsets | None:
    """The one of some stretches, in order and apart, that holds a place whole."""
    at = bisect_right(stretches, start, key=lambda one: one[0]) - 1
    return stretches[at] if at >= 0 and end <= stretches[at][1] else None


def tokens(text: str, language: str, *, without: Sequence[Offsets] = ()) -> list[Token]:
    """The tokens of a folded text, except those in the stretches left out."""
    pattern = _CHINESE if language == "zh" else _ENGLISH
    closed = cues(language).closed
    found: list[Token] = []
    left = iter(without)
    skipped = next(left, None)
    for match in pattern.finditer(text):
        start, end = match.span()
        while skipped is not None and skipped[1] <= start:
            skipped = next(left, None)
        if skipped is not None and skipped[0] <= start:
            continue
        spelt = match[0].lower()
        # What is closed-class stays as it is: the base form of "does" is no "doe" here.
        bare = language == "zh" or spelt in closed
        found.append(Token(start, end, spelt if bare else stem(spelt)))
    return found


def keys(of: Sequence[Token]) -> list[str]:
    """What the tokens are compared by."""
    return [token.key for token in of]
