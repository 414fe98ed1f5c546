"""What was found by characters of a Chinese text, reported in whole words."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from readmark.comprehension.levels.passages import tagged
from readmark.text.questions.phrases import between_words
from readmark.text.segmenter import Tagged

_SMALL = ("p", "c", "u", "y", "d", "f", "v", "r", "w", "e", "o")
"""Tags of words that say little at the ends of a stretch, if they have one character."""
_BREAKS = ("p", "c", "u", "y", "w")
"""Tags of words that no stretch goes over: prepositions, conjunctions, particles, marks."""


def with_noun(text: str, start: int, end: int) -> str:
    """A determiner with the whole of its noun: 该画院 for 该画, 这张专辑 for 这张."""
    ends_in_measure = text[end - 1] in between_words("zh")
    for first, last, tag in tagged(text):
        is_next_noun = first == end and ends_in_measure and tag.startswith("n")
        if first < end < last or is_next_noun:
            return text[start:last]
    return text[start:end]


def longest_stretch(text: str, is_lost: Callable[[int, int], bool], folded: str = "") -> str:
    """The longest stretch of whole words that are lost, less small words at its ends.

    ``folded`` is the text in simplified characters, if it is another.
    """
    stretches = [text[run[0][0] : run[-1][1]] for run in _lost_runs(folded or text, is_lost)]
    return max(stretches, key=len, default="")


def _lost_runs(text: str, is_lost: Callable[[int, int], bool]) -> Iterator[list[Tagged]]:
    run: list[Tagged] = []
    end_of_text = (len(text), len(text), "w")
    for word in [*tagged(text), end_of_text]:
        if not word[2].startswith(_BREAKS) and is_lost(word[0], word[1]):
            run.append(word)
            continue
        while run and _is_small(run[0]):
            del run[0]
        while run and _is_small(run[-1]):
            run.pop()
        if run:
            yield run
        run = []


def _is_small(word: Tagged) -> bool:
    return word[1] - word[0] == 1 and word[2].startswith(_SMALL)
