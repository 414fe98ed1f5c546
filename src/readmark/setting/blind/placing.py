"""Where an answer in words stands in a passage: as written, or but for spaces and punctuation."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from readmark.corpus.spans import places
from readmark.corpus.values import Answer, Offsets
from readmark.text.folding import MINUS, folded_with_places
from readmark.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

How = Literal["given", "exact", "folded", "absent"]

_CLOSING = dict(zip('([{（［｛「『《〈【〔“‘«"', ')]}）］｝」』》〉】〕”’»"', strict=True))
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
_MARK = re.compile(r"[^\w\s]")


class Stood(NamedTuple):
    """An answer as the passage spells it, and how its place was found."""

    answer: Answer
    how: How
    several: bool = False
    """Whether it stands at other places as well, and nobody said which is meant."""


def placed(
    text: str,
    said: str,
    start: int | None,
    annotator: str,
    *,
    language: str = "en",
    beside: Sequence[Offsets] = (),
) -> Stood:
    """The span of a passage that somebody's answer is; ``start`` is trusted where it fits.

    Of several places the nearest to ``start`` is taken, else the nearest to what others answered,
    ``beside``, else the first. Words and numbers are never cut: art does not stand in party.
    """
    bare = said.strip()
    if start is not None:
        for at in {start, start + len(said) - len(said.lstrip())}:
            if bare and text[at : at + len(bare)] == bare:
                return Stood(_answer(text, (at, at + len(bare)), annotator), "given")
    ends = ((at, at + len(bare)) for at in places(text, bare))
    found = [span for span in ends if not _cut(text, span)]
    how: How = "exact"
    if not found:
        found, how = _folded_places(text, bare, language), "folded"
    if not found:
        return Stood(Answer(text=bare, annotator=annotator), "absent")
    best = min(found, key=lambda span: _distance(span, start, beside))
    return Stood(_answer(text, best, annotator), how, len(found) > 1 and start is None)


def _answer(text: str, span: Offsets, annotator: str) -> Answer:
    return Answer(text=text[span[0] : span[1]], start=span[0], annotator=annotator)


def _distance(span: Offsets, start: int | None, beside: Sequence[Offsets]) -> int:
    """How far a place is from where it is expected; characters that lie between count."""
    if start is not None:
        return abs(span[0] - start)
    return sum(max(0, one[0] - span[1], span[0] - one[1]) for one in beside)


def _folded_places(text: str, said: str, language: str) -> list[Offsets]:
    """Places that differ in spaces, punctuation, case, width or script; each in one sentence."""
    wanted = folded_with_places(said)[0]
    spelt, origins = _spelt(text)
    found: list[Offsets] = []
    for at in places(spelt, wanted):
        span = int(origins[at]), int(origins[at + len(wanted) - 1]) + 1
        if not _cut(text, span) and _in_one(text, span, language):
            grown = _closed(text, span)
            found.append(grown if _in_one(text, grown, language) else span)
    return found


@functools.lru_cache(maxsize=2)
def _spelt(text: str) -> tuple[str, NDArray[np.intp]]:
    """Kept, since many answers are on one passage."""
    return folded_with_places(text)


@functools.lru_cache(maxsize=2)
def _sentences(text: str, language: str) -> list[Offsets]:
    return sentences(text, language)


def _in_one(text: str, span: Offsets, language: str) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in _sentences(text, language))


def _closed(text: str, span: Offsets) -> Offsets:
    """A span with the marks around it that pair with one inside: 说「你好 takes its 」."""
    start, end = span
    waiting: list[str] = []
    unopened: list[str] = []
    for mark in text[start:end]:
        if waiting and mark == waiting[-1]:
            waiting.pop()
        elif mark in _CLOSING:
            waiting.append(_CLOSING[mark])
        elif mark in _OPENING:
            unopened.append(_OPENING[mark])
    at = end
    while waiting and at < len(text) and _MARK.match(text[at]):
        at += 1
        if text[at - 1] == waiting[-1]:  # a stop before it, as in 说「你好！」, comes along
            waiting.pop()
            end = at
    at = start
    for mark in unopened:
        if at and text[at - 1] == mark:
            at -= 1
    return at, end


def _cut(text: str, span: Offsets) -> bool:
    """Whether a span begins or ends within a word of letters that have case, or a number."""
    return any(_within(text, at) for at in span)


def _within(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _cased(before) and _cased(after):
        return True
    digit = str.isdecimal
    if digit(after):
        earlier = text[at - 2] if at > 1 else ""
        return (
            digit(before)
            or (before in ".," and digit(earlier))
            or (before in MINUS and not digit(earlier) and not _cased(earlier))
        )
    return digit(before) and after in ".," and digit(text[at + 1 : at + 2])


def _cased(letter: str) -> bool:
    return letter.lower() != letter.upper()
