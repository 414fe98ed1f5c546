"""Articles cut into passages at the borders of paragraphs, then of sentences, with offsets."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from readmark.core.errors import UsageError
from readmark.text.markup import LONGEST, MOST_HEADINGS, is_heading
from readmark.text.sentences import sentences

# How articles become passages: the recipes of the SMART and CMRC 2018 documents, with numbers.


UNITS = ("characters", "words")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Bounds of articles and passages, all in one unit; None is no bound."""

    name: str
    unit: str
    shortest: int
    """A passage has at least this; a rest that does not is left out, and listed."""
    longest: int
    """A passage has at most this."""
    shortest_article: int | None = None
    longest_article: int | None = None
    whole_paragraphs: bool = True
    """Whether a paragraph is never cut, even one that is longer than the longest passage."""
    fill: bool = False
    """Whether paragraphs are joined as long as they fit, and not only until there are enough."""


SMART = Recipe(
    "smart",
    "characters",
    shortest=200,
    longest=1000,
    shortest_article=1000,
    longest_article=3000,
)
CMRC = Recipe("cmrc", "words", shortest=100, longest=500, whole_paragraphs=False, fill=True)
RECIPES = {"smart": SMART, "cmrc": CMRC}

CHARACTERS_A_WORD = 2
"""About as many as a Chinese word has with its share of punctuation: 2.17 in CMRC 2018."""
BOUNDS = ("shortest", "longest", "shortest_article", "longest_article")


def recipe(name: str, language: str, *, unit: str | None = None, **bounds: int | None) -> Recipe:
    """A recipe for a language, with those of its `BOUNDS` replaced that are given.

    SMART's bounds are Chinese characters: where words are counted (English always is), they are
    half as many. CMRC's are words: where characters are counted, twice as many.
    """
    chosen = RECIPES[name]
    wanted = unit or ("words" if language != "zh" else chosen.unit)
    if wanted not in UNITS:
        raise UsageError(f"no unit {wanted!r}; known: {', '.join(UNITS)}")
    if wanted != chosen.unit:
        chosen = _in_unit(chosen, wanted)
    given: dict[str, Any] = {bound: value for bound, value in bounds.items() if value is not None}
    chosen = replace(chosen, **given)
    if chosen.shortest > chosen.longest:
        raise UsageError(f"--min {chosen.shortest} is more than --max {chosen.longest}")
    least, most = chosen.shortest_article, chosen.longest_article
    if least is not None and most is not None and least > most:
        raise UsageError(f"--article-min {least} is more than --article-max {most}")
    return chosen


def _in_unit(recipe: Recipe, unit: str) -> Recipe:
    def scaled(bound: int) -> int:
        return bound // CHARACTERS_A_WORD if unit == "words" else bound * CHARACTERS_A_WORD

    bounds: dict[str, Any] = {
        name: scaled(bound) for name in BOUNDS if (bound := getattr(recipe, name)) is not None
    }
    return replace(recipe, unit=unit, **bounds)


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
    if recipe.shortest_article is not None or recipe.longest_article is not None:
        most, least = recipe.longest_article, recipe.shortest_article
        length = len(text) - text.count("\n") if count is None else count(text)
        if least is not None and length < least:
            return TOO_SHORT
        if most is not None and length > most:
            return TOO_LONG
    blocks = paragraphs(text, count)
    headings = {
        block.start
        for block in blocks
        if block.end - block.start <= LONGEST
        and is_heading(text[block.start : block.end], language)
    }
    left: list[tuple[str, Cut]] = []
    if not recipe.whole_paragraphs:
        blocks = _cuttable(text, blocks, recipe, language, count, left)
    passages = _Joining(recipe, left, headings).passages(blocks)
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
    """Neighbours joined in order: as long as they fit, or until there is enough.

    Nothing is joined across a gap, where something was left out. A paragraph that must be cut
    begins a passage of its own when what comes before it is long enough. A heading goes with what
    follows it: no passage ends on one.
    """

    def __init__(self, recipe: Recipe, left: list[tuple[str, Cut]], headings: set[int]) -> None:
        self._recipe = recipe
        self._left = left
        self._gaps = {cut.start for _, cut in left}
        self._headings = headings
        self._passages: list[Cut] = []

    def passages(self, blocks: list[Cut]) -> list[Cut]:
        recipe = self._recipe
        shortest, longest = recipe.shortest, recipe.longest
        enough = longest if recipe.fill else shortest
        in_sentences = {cut.first for cut, other in pairwise(blocks) if cut.first == other.first}
        cuts: list[Cut] = []
        length = 0
        for block in blocks:
            start, _, size, paragraph, _ = block
            if cuts:
                before = cuts[-1]
                solid = length
                if before.start in self._headings:
                    solid -= _length(cuts[len(cuts) - self._trailing(cuts) :])
                begins = paragraph in in_sentences and paragraph != before.last
                gap = bool(self._gaps) and self._gap(before.end, start)
                too_long = length + size > longest
                if solid >= enough or too_long or (begins and solid >= shortest) or gap:
                    cuts = self._close(cuts)
                    if gap or _length(cuts) + size > longest:
                        self._leave(cuts)
                        cuts = []
                    length = _length(cuts)
            cuts.append(block)
            length += size
        self._leave(self._close(cuts))
        return self._passages

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

    def _leave(self, headings: list[Cut]) -> None:
        self._left += [(HEADING, cut) for cut in headings]
        self._gaps.update(cut.start for cut in headings)

    def _gap(self, before: int, after: int) -> bool:
        return any(before <= gap < after for gap in self._gaps)


_LENGTH = operator.attrgetter("length")


def _length(held: list[Cut]) -> int:
    return sum(map(_LENGTH, held))
