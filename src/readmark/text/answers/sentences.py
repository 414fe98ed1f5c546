"""The sentences of a passage, and which of them an answer occurs in or was marked as."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from readmark.core.passage_parts import parts_of
from readmark.core.records import Answer, Offsets
from readmark.core.spans import places
from readmark.text.sentences import RULES, sentences

SOURCE = f"file's, else {RULES}"


def passage_sentences(record: Any, language: str, *, story_only: bool = False) -> list[Offsets]:
    """The sentences that the passage's own layer gives, else those of the rules.

    A passage that says where its title, dateline and story occur (``fields["parts"]``) is cut
    part by part; ``story_only`` leaves title and dateline out.
    """
    parts = parts_of(record)
    layer = record.layers.get("sentence")
    if layer is not None:
        spans = list(layer.spans)
    elif parts:
        spans = [
            (start + part_start, end + part_start)
            for part_start, part_end in parts.values()
            for start, end in sentences(record.text[part_start:part_end], language)
        ]
    else:
        spans = sentences(record.text, language)
    story = parts.get("story")
    if story_only and story is not None:
        return [span for span in spans if span[0] >= story[0]]
    return spans


def sentences_of_span(span: Offsets, sentences: list[Offsets]) -> list[int]:
    """The sentences that a stretch covers by half or more, else the one it is most in."""
    lengths = [_shared_length(span, sentence) for sentence in sentences]
    covered = [
        index
        for index, (start, end) in enumerate(sentences)
        if lengths[index] and 2 * lengths[index] >= end - start
    ]
    if covered:
        return covered
    longest = max(lengths, default=0)
    return [lengths.index(longest)] if longest else []


def chosen_sentence(answer: Answer, text: str, sentences: list[Offsets]) -> int | None:
    """The one sentence that an answer chose; None when it chose none, or several."""
    span = answer.sentence or answer.offsets
    if span is None:
        words = answer.text.strip()
        starts = places(text, words)
        if len(starts) != 1:
            return None
        span = (starts[0], starts[0] + len(words))
    chosen = sentences_of_span(span, sentences)
    return chosen[0] if len(chosen) == 1 else None


def sentences_of_answers(
    answers: Iterable[Answer], text: str, sentences: list[Offsets]
) -> frozenset[int]:
    """The sentences that hold answers which are spans.

    Without offsets it is wherever the text occurs by itself: *six* is not in *sixth*.
    """
    index = _SentenceIndex(sentences)
    holding: set[int] = set()
    for answer in answers:
        if answer.offsets is not None:
            spans = [answer.offsets]
        else:
            ends = ((place, place + len(answer.text)) for place in places(text, answer.text))
            spans = [span for span in ends if not _cuts_letters_or_digits(text, span)]
        for span in spans:
            lengths = index.shared_lengths(span)
            if lengths:
                holding.add(min(lengths, key=lambda sentence: (-lengths[sentence], sentence)))
    return frozenset(holding)


def key_recall(keys: Sequence[frozenset[str]], sentences: Sequence[frozenset[str]]) -> list[float]:
    """How much of a key's words each sentence has, best over the key's alternatives."""
    keys = [key for key in keys if key]
    return [
        max((len(sentence & key) / len(key) for key in keys), default=0.0) for sentence in sentences
    ]


def _cuts_letters_or_digits(text: str, span: Offsets) -> bool:
    """Whether a stretch begins or ends amid letters or digits; Han characters stand alone."""
    return any(
        0 < edge < len(text) and _joins(text[edge - 1]) and _joins(text[edge]) for edge in span
    )


def _joins(character: str) -> bool:
    return character.isalnum() and not "\u2e80" <= character <= "\U0003ffff"


class _SentenceIndex:
    """Sentences in the order of the text, so that a stretch is compared with its neighbours alone.

    A short answer may occur thousands of times in a long passage of thousands of sentences.
    """

    def __init__(self, spans: Sequence[Offsets]) -> None:
        self._spans = spans
        self._order = sorted(range(len(spans)), key=lambda index: spans[index])
        self._starts = [spans[index][0] for index in self._order]
        ends = (spans[index][1] for index in self._order)
        # The furthest end so far: sentences of a layer may overlap.
        self._furthest = list(itertools.accumulate(ends, max))

    def shared_lengths(self, span: Offsets) -> dict[int, int]:
        """The sentences that share characters with a stretch, and how many."""
        lengths = {}
        place = bisect.bisect_left(self._starts, span[1]) - 1
        while place >= 0 and self._furthest[place] > span[0]:
            sentence = self._order[place]
            if length := _shared_length(span, self._spans[sentence]):
                lengths[sentence] = length
            place -= 1
        return lengths


def _shared_length(first: Offsets, second: Offsets) -> int:
    return max(0, min(first[1], second[1]) - max(first[0], second[0]))
