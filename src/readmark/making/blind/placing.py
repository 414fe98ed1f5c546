"""Where an answer in words occurs in a passage: exactly, or but for spaces and punctuation."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from readmark.core.records import Answer, Offsets
from readmark.core.spans import places
from readmark.text.folding import MINUS, folded_with_places
from readmark.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


How = Literal["given", "exact", "folded", "absent"]

_CLOSING = dict(zip('([{（［｛「『《〈【〔“‘«"', ')]}）］｝」』》〉】〕”’»"', strict=True))
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}
_MARK = re.compile(r"[^\w\s]")


class PlacedAnswer(NamedTuple):
    """An answer as the passage spells it, and how its place was found."""

    answer: Answer
    how: How
    several: bool = False
    """Whether it occurs at other places as well, and the annotator gave no start."""


def placed(
    text: str,
    answer: str,
    start: int | None,
    annotator: str,
    *,
    language: str = "en",
    near: Sequence[Offsets] = (),
) -> PlacedAnswer:
    """The span of a passage that an answer stands for; ``start`` is trusted if it fits.

    Of several places the nearest to ``start`` is taken, else those with the nearest spelling, and
    of them the nearest to what others answered, ``near``, else the first. Words and numbers are
    never cut: art does not occur in party.
    """
    bare = answer.strip()
    if start is not None:
        # The start may be that of the answer as typed, with its leading spaces, or without them.
        for begin in {start, start + len(answer) - len(answer.lstrip())}:
            if bare and text[begin : begin + len(bare)] == bare:
                return PlacedAnswer(_answer(text, (begin, begin + len(bare)), annotator), "given")
    occurrences = ((place, place + len(bare)) for place in places(text, bare))
    spans = [span for span in occurrences if not _cuts_word(text, span)]
    how: How = "exact"
    if not spans:
        spans, how = _folded_places(text, bare, language), "folded"
    if not spans:
        return PlacedAnswer(Answer(text=bare, annotator=annotator), "absent")
    if how == "folded" and start is None and len(spans) > 1:
        from rapidfuzz.distance import Levenshtein

        edits = [Levenshtein.distance(bare, text[slice(*span)]) for span in spans]
        fewest = min(edits)
        spans = [span for span, count in zip(spans, edits, strict=True) if count == fewest]
    best = min(spans, key=lambda span: _distance(span, start, near))
    return PlacedAnswer(_answer(text, best, annotator), how, len(spans) > 1 and start is None)


def _answer(text: str, span: Offsets, annotator: str) -> Answer:
    return Answer(text=text[span[0] : span[1]], start=span[0], annotator=annotator)


def _distance(span: Offsets, start: int | None, near: Sequence[Offsets]) -> int:
    """How many characters lie between a place and where it is expected."""
    if start is not None:
        return abs(span[0] - start)
    return sum(max(0, span_near[0] - span[1], span[0] - span_near[1]) for span_near in near)


def _folded_places(text: str, answer: str, language: str) -> list[Offsets]:
    """Places that differ in spaces, punctuation, case, width or script; each in one sentence."""
    folded_answer = folded_with_places(answer)[0]
    folded_text, origins = _folded(text)
    spans: list[Offsets] = []
    for place in places(folded_text, folded_answer):
        span = int(origins[place]), int(origins[place + len(folded_answer) - 1]) + 1
        if not _cuts_word(text, span) and _in_one_sentence(text, span, language):
            with_marks = _with_paired_marks(text, span)
            spans.append(with_marks if _in_one_sentence(text, with_marks, language) else span)
    return spans


@functools.lru_cache(maxsize=2)  # many answers are on one passage
def _folded(text: str) -> tuple[str, NDArray[np.intp]]:
    return folded_with_places(text)


@functools.lru_cache(maxsize=2)
def _sentences(text: str, language: str) -> list[Offsets]:
    return sentences(text, language)


def _in_one_sentence(text: str, span: Offsets, language: str) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in _sentences(text, language))


def _with_paired_marks(text: str, span: Offsets) -> Offsets:
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
    position = end
    while waiting and position < len(text) and _MARK.match(text[position]):
        position += 1
        if text[position - 1] == waiting[-1]:  # a stop before it, as in 说「你好！」, comes along
            waiting.pop()
            end = position
    for mark in unopened:
        if start and text[start - 1] == mark:
            start -= 1
    return start, end


def _cuts_word(text: str, span: Offsets) -> bool:
    """Whether a span begins or ends within a word of letters that have case, or a number."""
    return any(_is_within_word(text, offset) for offset in span)


def _is_within_word(text: str, offset: int) -> bool:
    if not 0 < offset < len(text):
        return False
    before, after = text[offset - 1], text[offset]
    if _cased(before) and _cased(after):
        return True
    digit = str.isdecimal
    if digit(after):
        earlier = text[offset - 2] if offset > 1 else ""
        # Within 12, 1.5 and 1,000; and within -5, unless the mark joins as in 3-5 or Covid-19.
        return (
            digit(before)
            or (before in ".," and digit(earlier))
            or (before in MINUS and not digit(earlier) and not _cased(earlier))
        )
    return digit(before) and after in ".," and digit(text[offset + 1 : offset + 2])


def _cased(letter: str) -> bool:
    return letter.lower() != letter.upper()
