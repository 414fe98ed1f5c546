"""Where an answer occurs in its passage: by its offsets, else wherever its words occur."""

from __future__ import annotations

import bisect
import functools
import itertools
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from readmark.core.passage_parts import parts_of
from readmark.core.records import Answer, Offsets
from readmark.core.spans import answer_spans, places
from readmark.text.sentences import RULES, sentences
from readmark.text.word_edges import cuts_letter, cuts_word, is_mark, is_whole

_DISTINCT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")
"""Signs that are not their plain letters: 10² is not 102."""
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ′`´", "'"),
        **dict.fromkeys("“”„‟″«»「」『』", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_LONGER = 4
"""An answer that is so many times as long as the passage is not in it."""
_FIRST_LETTERS = 40
"""Letters of an answer among which a word must end, lest a passage of one word takes for ever."""


def answer_places(text: str, answer: Answer, *, parts: bool = False) -> list[Offsets]:
    """Every place where an answer may occur; none where its words are not in the passage.

    Offsets that point at the words give the one place, and offsets that are astray the nearest.
    Without any it is every place of the words, as they are or but for spaces, capitals, width,
    forms of quotation marks and dashes, and ways to write one letter. Where they are nowhere whole
    words, it is where their edge cuts one. A part of one word is no place for it, unless ``parts``
    are asked for: then half of the word or more is, from its beginning or up to its end.
    """
    if answer.start is not None:
        found = list(answer_spans(text, [answer]))
        if found:
            return found
    words = answer.text.strip()
    if not words:
        return []
    exact = [(place, place + len(words)) for place in places(text, words)]
    whole = [one for one in exact if is_whole(text, one)]
    if whole:
        return whole
    loose = _loosely(text, words)
    for found in ([one for one in loose if is_whole(text, one)], exact, loose):
        kept = [one for one in found if _is_enough(text, one, parts=parts)]
        if kept:
            return kept
    return []


def _is_enough(text: str, span: Offsets, *, parts: bool) -> bool:
    """Whether a stretch cuts no letter, and is more than a part of one word, or half of it."""
    if any(cuts_letter(text, at) for at in span):
        return False
    start, end = span
    inside = range(start + 1, min(end, start + _FIRST_LETTERS))
    if is_whole(text, span) or not all(cuts_word(text, at) for at in inside):
        return True
    if not parts or (cuts_word(text, start) and cuts_word(text, end)):
        return False
    while cuts_word(text, start):
        start -= 1
    while cuts_word(text, end):
        end += 1
    return 2 * (span[1] - span[0]) >= end - start


def _loosely(text: str, words: str) -> list[Offsets]:
    """Places but for how they are spelt: predictions are often put together of tokens."""
    words = "".join(words.split())
    if len(words) > _LONGER * len(text) + _LONGER:
        return []
    squeezed, spans = _squeezed(text)
    sought = "".join(sign for sign, _ in _signs(words))
    found = []
    for place in places(squeezed, sought):
        last = place + len(sought) - 1
        begins = place == 0 or spans[place - 1] != spans[place]
        ends = last + 1 == len(spans) or spans[last + 1] != spans[last]
        if begins and ends:
            found.append((spans[place][0], spans[last][1]))
    return found


@functools.lru_cache(maxsize=4)
def _squeezed(text: str) -> tuple[str, list[Offsets]]:
    """A text's signs without spaces, and the letter with its marks that each is of."""
    signs, spans = [], []
    for sign, span in _signs(text):
        signs.append(sign)
        spans.append(span)
    return "".join(signs), spans


def _signs(text: str) -> Iterator[tuple[str, Offsets]]:
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and is_mark(text[end]):
            end += 1
        for sign in _spelt(text[at:end]):
            yield sign, (at, end)
        at = end


@functools.lru_cache(maxsize=4096)
def _spelt(letter: str) -> str:
    """The small letters of common width that a letter is; nothing of a space or what is unseen."""
    if unicodedata.decomposition(letter[0]).startswith(_DISTINCT_FORMS):
        return letter
    plain = unicodedata.normalize("NFKD", letter).casefold().translate(_ALIKE)
    return "".join(
        one
        for one in plain
        if not one.isspace()
        and unicodedata.category(one) != "Cf"
        and not "\ufe00" <= one <= "\ufe0f"
    )


# Which sentence of a passage an answer occurs in, and which sentences are marked as answers.


SOURCE = f"file's, else {RULES}"


def passage_sentences(record: Any, language: str, *, story_only: bool = False) -> list[Offsets]:
    """The sentences that the passage's own layer gives, else those of the rules.

    A passage that says where its title, dateline and story occur (``fields["parts"]``) is cut
    part by part; ``story_only`` leaves title and dateline out.
    """
    parts = parts_of(record)
    story = parts.get("story")
    layer = record.layers.get("sentence")
    if layer is not None:
        found = list(layer.spans)
    elif parts:
        found = [
            (start + first, end + first)
            for first, last in parts.values()
            for start, end in sentences(record.text[first:last], language)
        ]
    else:
        found = sentences(record.text, language)
    if story_only and story is not None:
        return [one for one in found if one[0] >= story[0]]
    return found


def taken_by(span: Offsets, among: list[Offsets]) -> list[int]:
    """The sentences that a stretch covers by half or more, else the one it is most in."""
    shares = [_shared(span, one) for one in among]
    covered = [
        index
        for index, (start, end) in enumerate(among)
        if shares[index] and 2 * shares[index] >= end - start
    ]
    if covered:
        return covered
    most = max(shares, default=0)
    return [shares.index(most)] if most else []


def chosen_sentence(answer: Answer, text: str, among: list[Offsets]) -> int | None:
    """The one sentence that an answer chose; None when it is none, or several."""
    span = answer.sentence or answer.offsets
    if span is None:
        found = places(text, answer.text.strip())
        span = (found[0], found[0] + len(answer.text.strip())) if len(found) == 1 else None
    taken = taken_by(span, among) if span is not None else []
    return taken[0] if len(taken) == 1 else None


def holding(answers: Iterable[Answer], text: str, among: list[Offsets]) -> frozenset[int]:
    """The sentences that hold answers which are spans.

    Without offsets it is wherever the text occurs by itself: *six* is not in *sixth*.
    """
    sentences = _Sentences(among)
    found: set[int] = set()
    for answer in answers:
        spans = (
            [answer.offsets]
            if answer.offsets is not None
            else [
                (place, place + len(answer.text))
                for place in places(text, answer.text)
                if not _inside_a_word(text, place, place + len(answer.text))
            ]
        )
        for span in spans:
            overlaps = sentences.overlaps(span)
            if overlaps:
                found.add(min(overlaps, key=lambda index: (-overlaps[index], index)))
    return frozenset(found)


def recalled(keys: Sequence[frozenset[str]], sentences: Sequence[frozenset[str]]) -> list[float]:
    """How much of a key's words each sentence has, best over the key's alternatives."""
    known = [key for key in keys if key]
    return [
        max((len(sentence & key) / len(key) for key in known), default=0.0)
        for sentence in sentences
    ]


def _inside_a_word(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins or ends amid letters or digits; Han characters stand alone."""
    return any(
        0 < at < len(text) and _joined(text[at - 1]) and _joined(text[at]) for at in (start, end)
    )


def _joined(sign: str) -> bool:
    return sign.isalnum() and not "\u2e80" <= sign <= "\U0003ffff"


class _Sentences:
    """Sentences in the order of the text, so that a stretch is compared with its neighbours alone.

    A short answer may occur thousands of times in a long passage of thousands of sentences.
    """

    def __init__(self, spans: Sequence[Offsets]) -> None:
        self._spans = spans
        self._order = sorted(range(len(spans)), key=lambda index: spans[index])
        self._starts = [spans[index][0] for index in self._order]
        ends = (spans[index][1] for index in self._order)
        self._furthest = list(itertools.accumulate(ends, max))  # sentences of a layer may overlap

    def overlaps(self, span: Offsets) -> dict[int, int]:
        """The sentences that share characters with a stretch, and how many."""
        lengths = {}
        at = bisect.bisect_left(self._starts, span[1]) - 1
        while at >= 0 and self._furthest[at] > span[0]:
            if length := _shared(span, self._spans[self._order[at]]):
                lengths[self._order[at]] = length
            at -= 1
        return lengths


def _shared(one: Offsets, other: Offsets) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))
