"""Articles cut into passages at the borders of paragraphs, then of sentences, with offsets."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from readmark.making.sources.openings import opens
from readmark.making.sources.recipes import Recipe
from readmark.text.headings import LONGEST_HEADING, MOST_HEADINGS, is_heading
from readmark.text.sentences import sentences

Count = Callable[[str], int]
"""How long a text is, in the recipe's unit."""


class Cut(NamedTuple):
    """A stretch of an article: offsets in its text, length, first and last paragraph from 1."""

    start: int
    end: int
    length: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """The passages of an article, and the stretches that were left out, each with its reason."""

    passages: tuple[Cut, ...]
    omissions: tuple[tuple[str, Cut], ...] = ()


SHORT_REST, LONG_SENTENCE = "short_rest", "long_sentence"
HEADING, NO_SUBJECT = "heading", "no_subject"
"""Why a stretch is left out. One without a subject says "he" of somebody named before it."""
TOO_SHORT, TOO_LONG = "too_short", "too_long"
"""Why an article gives no passage."""

_LENGTH = operator.attrgetter("length")


def paragraphs(text: str, count: Count | None = None) -> list[Cut]:
    """The paragraphs of a text, which are its lines; without ``count`` in characters."""
    cuts: list[Cut] = []
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        end = start + len(line)
        if line and not line.isspace():
            cuts.append(Cut(start, end, count(line) if count else end - start, number, number))
        start = end + 1
    return cuts


def cut(text: str, recipe: Recipe, language: str, count: Count | None = None) -> Pieces | str:
    """The passages of an article, or why it gives none: ``too_short`` or ``too_long``.

    ``count`` is None where characters are counted; line breaks are not.
    """
    shortest, longest, whole = (
        recipe.shortest_article,
        recipe.longest_article,
        recipe.shortest_whole,
    )
    if (shortest, longest, whole) != (None, None, None):  # counting words takes long
        length = len(text) - text.count("\n") if count is None else count(text)
        if length < (shortest or 0):
            return TOO_SHORT
        if longest is not None and length > longest:
            return TOO_LONG
        if whole is not None and length < recipe.shortest:
            recipe = replace(recipe, shortest=whole, enough=length)
    blocks = paragraphs(text, count)
    headings = {
        block.start
        for block in blocks
        if block.end - block.start <= LONGEST_HEADING
        and is_heading(text[block.start : block.end], language)
    }
    omissions: list[tuple[str, Cut]] = []
    if not recipe.whole_paragraphs:
        blocks = _without_long_blocks(text, blocks, recipe, language, count, omissions)
    dependent = _dependent_blocks(text, blocks, headings, language)
    passages = _Joining(recipe, omissions, headings, dependent).passages(blocks)
    omissions.sort(key=lambda omission: omission[1].start)
    return Pieces(tuple(passages), tuple(omissions))


def _dependent_blocks(text: str, blocks: list[Cut], headings: set[int], language: str) -> set[int]:
    """Where blocks begin that cannot open a passage, since they need what stands before them."""
    dependent = {
        block.start
        for block in blocks[1:]
        if not opens(text[block.start : block.end], language)
        and (block.start not in headings or text[block.end - 1] in ":：")
    }
    for block, following in pairwise(blocks):
        # A line that announces something, such as "He wrote:", goes with what it announces.
        if block.start in headings and block.start in dependent:
            dependent.add(following.start)
    for following, block in pairwise(reversed(blocks)):
        # A heading names no subject, so it cannot open a passage before such a paragraph.
        if block.start in headings and following.start in dependent:
            dependent.add(block.start)
    dependent.discard(blocks[0].start if blocks else 0)
    return dependent


def _without_long_blocks(
    text: str,
    blocks: list[Cut],
    recipe: Recipe,
    language: str,
    count: Count | None,
    omissions: list[tuple[str, Cut]],
) -> list[Cut]:
    """The paragraphs, those that are too long as sentences; a sentence too long is omitted."""
    if not blocks or max(map(_LENGTH, blocks)) <= recipe.longest:
        return blocks
    cuts: list[Cut] = []
    for block in blocks:
        if block.length <= recipe.longest:
            cuts.append(block)
            continue
        for sentence in _sentences(text, block, language, count):
            if sentence.length <= recipe.longest:
                cuts.append(sentence)
            else:
                omissions.append((LONG_SENTENCE, sentence))
    return cuts


def _sentences(text: str, block: Cut, language: str, count: Count | None) -> Iterator[Cut]:
    paragraph = text[block.start : block.end]
    for start, end in sentences(paragraph, language):
        length = end - start if count is None else count(paragraph[start:end])
        yield Cut(block.start + start, block.start + end, length, block.first, block.last)


class _Joining:
    """Joins neighbouring blocks, paragraphs or sentences, in order until there is enough.

    Nothing is joined across a gap, where something was left out. A paragraph that must be cut is
    cut evenly, and begins a passage of its own when what comes before it is long enough. A heading
    goes with what follows it: no passage ends on one. What is ``dependent`` begins no passage.
    """

    def __init__(
        self,
        recipe: Recipe,
        omissions: list[tuple[str, Cut]],
        headings: set[int],
        dependent: set[int],
    ) -> None:
        self._recipe = recipe
        self._omissions = omissions
        self._gaps = {cut.start for _, cut in omissions}
        self._headings = headings
        self._dependent = dependent
        self._passages: list[Cut] = []

    def passages(self, blocks: list[Cut]) -> list[Cut]:
        """The passages; what is left out on the way is added to the omissions."""
        shortest, longest = self._recipe.shortest, self._recipe.longest
        even_lengths = self._even_lengths(blocks)
        open_blocks: list[Cut] = []
        length = 0
        for block in blocks:
            is_dependent = block.start in self._dependent
            if open_blocks:
                last = open_blocks[-1]
                solid = length  # without the headings at the end, which go to the next passage
                if last.start in self._headings:
                    count = self._trailing_headings(open_blocks)
                    solid -= _length(open_blocks[len(open_blocks) - count :])
                begins_cut_paragraph = block.first in even_lengths and block.first != last.last
                enough = even_lengths.get(last.last) or max(shortest, self._recipe.enough)
                is_complete = solid >= enough or (begins_cut_paragraph and solid >= shortest)
                is_after_gap = bool(self._gaps) and self._has_gap(last.end, block.start)
                is_full = length + block.length > longest
                if (is_complete and not is_dependent) or is_full or is_after_gap:
                    open_blocks = self._close(open_blocks)
                    is_full = _length(open_blocks) + block.length > longest
                    if is_after_gap or is_dependent or is_full:
                        self._omit(open_blocks, NO_SUBJECT if is_dependent else HEADING)
                        open_blocks = []
                    length = _length(open_blocks)
            if is_dependent and not open_blocks:
                self._omit([block], NO_SUBJECT)
                continue
            open_blocks.append(block)
            length += block.length
        self._omit(self._close(open_blocks))
        return self._passages

    def _even_lengths(self, blocks: list[Cut]) -> dict[int, int]:
        """How long a passage should be of each paragraph that is cut into sentences.

        The shares of as few passages as the paragraph needs, so that no short rest is left.
        """
        lengths: dict[int, int] = {}
        for block, following in pairwise(blocks):
            if block.first == following.first:
                lengths[block.first] = lengths.get(block.first, block.length) + following.length
        return {
            paragraph: math.ceil(length / math.ceil(length / self._recipe.longest))
            for paragraph, length in lengths.items()
        }

    def _trailing_headings(self, blocks: list[Cut]) -> int:
        """How many headings are at the end; more than the most are the lines of a list, so none."""
        count = 0
        while count < len(blocks) and blocks[-1 - count].start in self._headings:
            count += 1
            if count > MOST_HEADINGS:
                return 0
        return count

    def _close(self, blocks: list[Cut]) -> list[Cut]:
        """Make a passage of the blocks; the headings at its end come back, for the next one."""
        end = len(blocks) - self._trailing_headings(blocks)
        blocks, headings = blocks[:end], blocks[end:]
        if not blocks:
            return headings
        first, last = blocks[0], blocks[-1]
        passage = Cut(first.start, last.end, _length(blocks), first.first, last.last)
        before = self._passages[-1] if self._passages else None
        if passage.length >= self._recipe.shortest:
            self._passages.append(passage)
        elif (
            # A rest is better kept with what comes before it than lost.
            before is not None
            and before.length + passage.length <= self._recipe.longest
            and not self._has_gap(before.end, passage.start)
        ):
            length = before.length + passage.length
            self._passages[-1] = Cut(before.start, passage.end, length, before.first, passage.last)
        else:
            self._omit([passage], SHORT_REST)
        return headings

    def _omit(self, cuts: list[Cut], reason: str = HEADING) -> None:
        self._omissions += [(reason, cut) for cut in cuts]
        self._gaps.update(cut.start for cut in cuts)

    def _has_gap(self, end: int, start: int) -> bool:
        """Whether something was left out between two offsets."""
        return any(end <= gap < start for gap in self._gaps)


def _length(cuts: list[Cut]) -> int:
    return sum(map(_LENGTH, cuts))
