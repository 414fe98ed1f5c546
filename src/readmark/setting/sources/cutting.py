"""Articles cut into passages at the borders of paragraphs, then of sentences, with offsets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from readmark.setting.sources.recipes import Recipe
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
TOO_SHORT, TOO_LONG = "too_short", "too_long"


def paragraphs(text: str, count: Count | None = None) -> list[Cut]:
    """The paragraphs of a text, which are its lines; without ``count`` in characters."""
    found: list[Cut] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        size = len(line)
        if line and not line.isspace():
            found.append(Cut(at, at + size, count(line) if count else size, number, number))
        at += size + 1
    return found


def cut(text: str, recipe: Recipe, language: str, count: Count | None = None) -> Pieces | str:
    """The passages of an article, or why it gives none: ``too_short`` or ``too_long``.

    ``count`` is None where characters are counted; line breaks are not.
    """
    if recipe.shortest_article is not None or recipe.longest_article is not None:
        most, least = recipe.longest_article, recipe.shortest_article
        length = len(text) - text.count("\n") if count is None else count(text)
        if least is not None and length < least:
            return TOO_SHORT
        if most is not None and length > most:
            return TOO_LONG
    blocks = paragraphs(text, count)
    left: list[tuple[str, Cut]] = []
    if not recipe.whole_paragraphs:
        blocks = _cuttable(text, blocks, recipe, language, count, left)
    passages = _joined(blocks, recipe, left, gaps={one.start for _, one in left})
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
    if all(block.length <= recipe.longest for block in blocks):
        return blocks
    found: list[Cut] = []
    for block in blocks:
        if block.length <= recipe.longest:
            found.append(block)
            continue
        for one in _sentences(text, block, language, count):
            if one.length <= recipe.longest:
                found.append(one)
            else:
                left.append((LONG_SENTENCE, one))
    return found


def _sentences(text: str, block: Cut, language: str, count: Count | None) -> Iterator[Cut]:
    said = text[block.start : block.end]
    for start, end in sentences(said, language):
        length = end - start if count is None else count(said[start:end])
        yield Cut(block.start + start, block.start + end, length, block.first, block.last)


def _joined(
    blocks: list[Cut], recipe: Recipe, left: list[tuple[str, Cut]], *, gaps: set[int]
) -> list[Cut]:
    """Neighbours joined in order: as long as they fit, or until there is enough.

    Nothing is joined across a gap, where a sentence was left out. A paragraph that must be cut
    begins a passage of its own when what stands before it is long enough.
    """
    enough = recipe.longest if recipe.fill else recipe.shortest
    in_sentences = {one.first for one, other in pairwise(blocks) if one.first == other.first}
    passages: list[Cut] = []
    start = end = length = first = last = 0
    begun = False

    def close() -> None:
        done = Cut(start, end, length, first, last)
        if length >= recipe.shortest:
            passages.append(done)
            return
        before = passages[-1] if passages else None
        # A rest is better kept with what stands before it than lost.
        fits = before is not None and before.length + length <= recipe.longest
        if before is not None and fits and not _gap(before.end, start, gaps):
            passages[-1] = Cut(before.start, end, before.length + length, before.first, last)
        else:
            left.append((SHORT_REST, done))

    for block in blocks:
        if begun and (
            length >= enough
            or length + block.length > recipe.longest
            or (block.first in in_sentences and block.first != last and length >= recipe.shortest)
            or _gap(end, block.start, gaps)
        ):
            close()
            begun = False
        if not begun:
            start, length, first, begun = block.start, 0, block.first, True
        end, last = block.end, block.last
        length += block.length
    if begun:
        close()
    return passages


def _gap(before: int, after: int, gaps: set[int]) -> bool:
    return bool(gaps) and any(before <= one < after for one in gaps)
