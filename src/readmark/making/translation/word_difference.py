"""The words by which two translations differ: of one only, paired, or elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from readmark.formats.text_versions import first_difference
from readmark.making.translation.chinese_words import (
    ChineseWord,
    chinese_words,
    cut_alike,
    texts,
    words_between_questions,
)
from readmark.making.translation.word_similarity import SURE, word_similarity


@dataclass(frozen=True, slots=True)
class WordPair:
    """Two words that stand for each other, and why."""

    a: ChineseWord
    b: ChineseWord
    why: str
    sure: bool = True
    """Whether more than the use of the words shows it."""


@dataclass(frozen=True, slots=True)
class WordDifference:
    """How two translations differ: words of one only, words paired, and words elsewhere."""

    words_a: tuple[ChineseWord, ...]
    words_b: tuple[ChineseWord, ...]
    a: tuple[ChineseWord, ...]
    """Words that only A has, pairs taken out."""
    b: tuple[ChineseWord, ...]
    pairs: tuple[WordPair, ...]
    moved: tuple[ChineseWord, ...]
    """Words of both that are in another order."""

    @property
    def content_a(self) -> list[ChineseWord]:
        """The words that only A has and that carry meaning."""
        return [word for word in self.a if not word.light]

    @property
    def content_b(self) -> list[ChineseWord]:
        """The words that only B has and that carry meaning."""
        return [word for word in self.b if not word.light]


def word_difference(a: str, b: str) -> WordDifference:
    """Align two translations word by word."""
    words_a, words_b = chinese_words(a), chinese_words(b)
    words_a, words_b = cut_alike(words_a, words_b), cut_alike(words_b, words_a)
    only_a: list[ChineseWord] = []
    only_b: list[ChineseWord] = []
    alignment = SequenceMatcher(None, texts(words_a), texts(words_b), autojunk=False)
    for operation, first_a, last_a, first_b, last_b in alignment.get_opcodes():
        if operation != "equal":
            differing_a, differing_b = _trimmed(words_a[first_a:last_a], words_b[first_b:last_b])
            only_a += differing_a
            only_b += differing_b
    in_both = Counter(texts(only_a)) & Counter(texts(only_b))
    moved = _take_out(only_a, in_both)
    _take_out(only_b, in_both)
    pairs = _take_out_pairs(only_a, only_b)
    return WordDifference(
        tuple(words_a), tuple(words_b), tuple(only_a), tuple(only_b), tuple(pairs), tuple(moved)
    )


def _trimmed(
    a: Sequence[ChineseWord], b: Sequence[ChineseWord]
) -> tuple[list[ChineseWord], list[ChineseWord]]:
    """Two stretches without what both begin and end with, where only the word borders differ."""
    for backward in (False, True):
        size = _common_size(a, b, backward=backward)
        a, b = (_without(side, size, backward=backward) for side in (a, b))
    return list(a), list(b)


def _common_size(a: Sequence[ChineseWord], b: Sequence[ChineseWord], *, backward: bool) -> int:
    """How many characters both begin or end with, up to an edge of words.

    It must be an edge on both sides, or on one side where the stretch is longer than any word, so
    that 购买 and 买 stay words.
    """
    step = -1 if backward else 1
    text_a, text_b = ("".join(texts(side))[::step] for side in (a, b))
    differs = first_difference(text_a, text_b)
    size = len(text_a) if differs is None else differs
    edges_a, edges_b = (
        {0, *accumulate(len(word.text) for word in side[::step])} for side in (a, b)
    )
    longest = max(map(len, texts((*a, *b))), default=0)
    return max(
        edge
        for edge in edges_a | edges_b
        if edge <= size and (edge in edges_a & edges_b or edge > longest)
    )


def _without(side: Sequence[ChineseWord], size: int, *, backward: bool) -> list[ChineseWord]:
    """The words beyond the first or last ``size`` characters."""
    rest = list(side)
    while rest and size:
        word = rest.pop(-1 if backward else 0)
        if len(word.text) > size:
            cut = word.text[:-size] if backward else word.text[size:]
            remainder = words_between_questions(cut)
            return [*rest, *remainder] if backward else [*remainder, *rest]
        size -= len(word.text)
    return rest


def _take_out(words: list[ChineseWord], counts: Counter[str]) -> list[ChineseWord]:
    """Take out of the words as many as are counted, the first ones."""
    left = Counter(counts)
    taken = []
    for word in list(words):
        if left[word.text] > 0:
            left[word.text] -= 1
            words.remove(word)
            taken.append(word)
    return taken


def _take_out_pairs(only_a: list[ChineseWord], only_b: list[ChineseWord]) -> list[WordPair]:
    """Pair words that stand for each other, the surest first, and take them out."""
    candidates = []
    for word in only_a:
        for other in only_b:
            if word.number is not None and word.number == other.number:
                candidates.append((1.0, word, other, "the same number"))
            elif word.number is not None or other.number is not None:
                continue
            elif similarity := word_similarity(word.text, other.text):
                candidates.append((similarity.strength, word, other, similarity.why))
    pairs = []
    for strength, word, other, why in sorted(candidates, key=lambda pair: -pair[0]):
        if word in only_a and other in only_b:
            only_a.remove(word)
            only_b.remove(other)
            pairs.append(WordPair(word, other, why, strength >= SURE))
    return pairs
