"""Articles cut into passages at the borders of paragraphs, then of sentences, with offsets."""

from __future__ import annotations

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
    """What an article was cut into, and what was left out of it, by reason."""

    passages: tuple[Cut, ...]
    left: tuple[tuple[str, Cut], ...] = ()


SHORT_REST = "short_rest"
LONG_SENTENCE = "long_sentence"
HEADING = "heading"
NO_SUBJECT = "no_subject"
TOO_SHORT, TOO_LONG = "too_short", "too_long"


def paragraphs(text: str, count: Count | None = None) -> list[Cut]:
    """The paragraphs of a text, which are its lines; without ``count`` in characters."""
    cuts: list[Cut] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        end = at + len(line)
        if line and not line.isspace():
            cuts.append(Cut(at, end, count(line) if count else end - at, number, number))
        at = end + 1
    return cuts


def cut(text: str, recipe: Recipe, language: str, count: Count | None = None) -> Pieces | str:
    """The passages of an article, or why it gives none: ``too_short`` or ``too_long``.

    ``count`` is None where characters are counted; line breaks are not.
    """
    least, most = recipe.shortest_article, recipe.longest_article
    if not (least is most is recipe.shortest_whole is None):
        length = len(text) - text.count("\n") if count is None else count(text)
        if length < (least or 0):
            return TOO_SHORT
        if most is not None and length > most:
            return TOO_LONG
        if recipe.shortest_whole is not None and length < recipe.shortest:
            recipe = replace(recipe, shortest=recipe.shortest_whole, enough=length)
    blocks = paragraphs(text, count)
    headings = {
        block.start
        for block in blocks
        if block.end - block.start <= LONGEST_HEADING
        and is_heading(text[block.start : block.end], language)
    }
    left: list[tuple[str, Cut]] = []
    if not recipe.whole_paragraphs:
        blocks = _cuttable(text, blocks, recipe, language, count, left)
    dependent = {
        block.start
        for block in blocks[1:]
        if not opens(text[block.start : block.end], language)
        and (block.start not in headings or text[block.end - 1] in ":：")
    }
    for block, following in pairwise(blocks):  # what is announced goes with the announcement
        if block.start in headings and block.start in dependent:
            dependent.add(following.start)
    for following, block in pairwise(reversed(blocks)):  # a heading is no subject
        if block.start in headings and following.start in dependent:
            dependent.add(block.start)
    dependent.discard(blocks[0].start if blocks else 0)
    passages = _Joining(recipe, left, headings, dependent).passages(blocks)
    left.sort(key=lambda one: one[1].start)
    return Pieces(tuple(passages), tuple(left))


def _cuttable(
    text: str,
    blocks: list[Cut],
    recipe: Recipe,
    language: str,
    count: Count | None,
    left: list[tuple[str, Cut]],
) -> list[Cut]:
    """The paragraphs, those that are too long in sentences; a sentence too long goes to left."""
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
                left.append((LONG_SENTENCE, sentence))
    return cuts


def _sentences(text: str, block: Cut, language: str, count: Count | None) -> Iterator[Cut]:
    said = text[block.start : block.end]
    for start, end in sentences(said, language):
        length = end - start if count is None else count(said[start:end])
        yield Cut(block.start + start, block.start + end, length, block.first, block.last)


class _Joining:
    """Neighbours joined in order, until there is enough.

    Nothing is joined across a gap, where something was left out. A paragraph that must be cut is
    cut evenly, and begins a passage of its own when what comes before it is long enough. A heading
    goes with what follows it: no passage ends on one. What is ``dependent`` begins no passage.
    """

    def __init__(
        self,
        recipe: Recipe,
        left: list[tuple[str, Cut]],
        headings: set[int],
        dependent: set[int],
    ) -> None:
        self._recipe = recipe
        self._left = left
        self._gaps = {cut.start for _, cut in left}
        self._headings = headings
        self._dependent = dependent
        self._passages: list[Cut] = []

    def passages(self, blocks: list[Cut]) -> list[Cut]:
        shortest, longest = self._recipe.shortest, self._recipe.longest
        shares = self._shares(blocks)
        cuts: list[Cut] = []
        length = 0
        for block in blocks:
            start, _, size, paragraph, _ = block
            dependent = start in self._dependent
            if cuts:
                before = cuts[-1]
                solid = length
                if before.start in self._headings:
                    solid -= _length(cuts[len(cuts) - self._trailing(cuts) :])
                begins = paragraph in shares and paragraph != before.last
                enough = shares.get(before.last) or max(shortest, self._recipe.enough)
                gap = bool(self._gaps) and self._gap(before.end, start)
                complete = solid >= enough or (begins and solid >= shortest)
                if (complete and not dependent) or length + size > longest or gap:
                    cuts = self._close(cuts)
                    if gap or dependent or _length(cuts) + size > longest:
                        self._leave(cuts, NO_SUBJECT if dependent else HEADING)
                        cuts = []
                    length = _length(cuts)
            if dependent and not cuts:
                self._leave([block], NO_SUBJECT)
                continue
            cuts.append(block)
            length += size
        self._leave(self._close(cuts))
        return self._passages

    def _shares(self, blocks: list[Cut]) -> dict[int, int]:
        """Of the paragraphs that are cut into sentences: how long a passage of each is to be."""
        lengths: dict[int, int] = {}
        for block, other in pairwise(blocks):
            if block.first == other.first:
                lengths[block.first] = lengths.get(block.first, block.length) + other.length
        longest = self._recipe.longest
        return {number: -(-size // -(-size // longest)) for number, size in lengths.items()}

    def _trailing(self, held: list[Cut]) -> int:
        """How many headings are at the end; a list's lines are none."""
        count = 0
        while count < len(held) and held[-1 - count].start in self._headings:
            count += 1
            if count > MOST_HEADINGS:
                return 0
        return count

    def _close(self, held: list[Cut]) -> list[Cut]:
        """Take a passage in; the headings at its end come back, for the next one."""
        following = len(held) - self._trailing(held)
        held, headings = held[:following], held[following:]
        if not held:
            return headings
        done = Cut(held[0].start, held[-1].end, _length(held), held[0].first, held[-1].last)
        before = self._passages[-1] if self._passages else None
        if done.length >= self._recipe.shortest:
            self._passages.append(done)
        elif (
            # A rest is better kept with what comes before it than lost.
            before is not None
            and before.length + done.length <= self._recipe.longest
            and not self._gap(before.end, done.start)
        ):
            length = before.length + done.length
            self._passages[-1] = Cut(before.start, done.end, length, before.first, done.last)
        else:
            self._left.append((SHORT_REST, done))
            self._gaps.add(done.start)
        return headings

    def _leave(self, cuts: list[Cut], reason: str = HEADING) -> None:
        self._left += [(reason, cut) for cut in cuts]
        self._gaps.update(cut.start for cut in cuts)

    def _gap(self, before: int, after: int) -> bool:
        return any(before <= gap < after for gap in self._gaps)


_LENGTH = operator.attrgetter("length")


def _length(held: list[Cut]) -> int:
    return sum(map(_LENGTH, held))
