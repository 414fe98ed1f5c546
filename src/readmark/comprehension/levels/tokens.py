"""A text folded for comparing: tokens with their places, without what glosses in brackets say."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.cues import cues
from readmark.core.records import Offsets
from readmark.text.script import simplified
from readmark.text.stems import stem

_HAN = r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]"
_NUMBER = r"\d+(?:[.,:]\d+)*"
_CHINESE = re.compile(rf"{_HAN}|[^\W\d_\u2e80-\U0003fffd]+|{_NUMBER}")
_ENGLISH = re.compile(rf"{_NUMBER}|(?!(?<=['’])s\b)[^\W_]+(?:['’](?!s\b)[^\W_]+)*")
_GLOSS = re.compile(
    r"（[^（）]{0,160}）|\([^()]{0,160}\)|\[[^\[\]]{0,60}\]|【[^【】]{0,60}】|-\{(?:zh[^}]*)?|\}-"
)
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True)
class PassageToken:
    """Where a token occurs, and its key: what equal tokens share."""

    start: int
    end: int
    key: str


def folded(text: str, language: str) -> str:
    """The text as tokens and cues are looked up in it; offsets stay as they are."""
    return simplified(text) if language == "zh" else text


def glosses(text: str) -> list[Offsets]:
    """Bracketed glosses, which a match may pass over."""
    return [match.span() for match in _GLOSS.finditer(text)]


def stretch_around(stretches: Sequence[Offsets], start: int, end: int) -> Offsets | None:
    """The one of some stretches, in order and apart, that a span lies in."""
    index = bisect_right(stretches, start, key=lambda stretch: stretch[0]) - 1
    return stretches[index] if index >= 0 and end <= stretches[index][1] else None


def tokens(text: str, language: str, *, without: Sequence[Offsets] = ()) -> list[PassageToken]:
    """The tokens of a folded text, except those in the stretches left out."""
    pattern = _CHINESE if language == "zh" else _ENGLISH
    closed = cues(language).closed
    passage_tokens: list[PassageToken] = []
    left_out = iter(without)
    skipped = next(left_out, None)
    for match in pattern.finditer(text):
        start, end = match.span()
        while skipped is not None and skipped[1] <= start:
            skipped = next(left_out, None)
        if skipped is not None and skipped[0] <= start:
            continue
        key = match[0].lower()
        # What is closed-class stays as it is: the base form of "does" is no "doe" here.
        if language != "zh" and key not in closed:
            key = stem(key)
        passage_tokens.append(PassageToken(start, end, key))
    return passage_tokens


def keys(tokens: Sequence[PassageToken]) -> list[str]:
    """What the tokens are compared by."""
    return [token.key for token in tokens]


def joined(run: Sequence[str]) -> str:
    """Keys in one string, with a mark around each, so that runs of keys are substrings."""
    return f"{_SEPARATOR}{_SEPARATOR.join(run)}{_SEPARATOR}"
