"""What was found by characters, told in whole words of a Chinese text.

For the reader of a reason only: nothing is judged by it, since a segmenter may cut a name wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from readmark.setting.levels.passages import tagged
from readmark.text.reasoning_cues import cues
from readmark.text.segmenter import Tagged

_SMALL = ("p", "c", "u", "y", "d", "f", "v", "r", "w", "e", "o")
_BREAKS = ("p", "c", "u", "y", "w")


def with_noun(text: str, start: int, end: int) -> str:
    """A determiner with the whole of its noun: 该画院 for 该画, 这张专辑 for 这张."""
    measured = text[end - 1] in cues("zh").quantity
    for first, last, tag in tagged(text):
        if first < end < last or (first == end and measured and tag.startswith("n")):
            return text[start:last]
    return text[start:end]


def longest_stretch(text: str, lost: Callable[[int, int], bool]) -> str:
    """The longest stretch of whole words that are lost, less small words at its ends."""
    found = [text[run[0][0] : run[-1][1]] for run in _runs(text, lost)]
    return max(found, key=len, default="")


def _runs(text: str, lost: Callable[[int, int], bool]) -> Iterator[list[Tagged]]:
    run: list[Tagged] = []
    for word in [*tagged(text), (len(text), len(text), "w")]:
        if not word[2].startswith(_BREAKS) and lost(word[0], word[1]):
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
