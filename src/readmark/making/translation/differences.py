"""The words by which two Chinese translations differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate

from readmark.formats.returned_work import first_difference
from readmark.making.translation.words import SURE, Word, cut, likeness, plain, split_by


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two words that stand for each other, and why."""

    a: Word
    b: Word
    why: str
    sure: bool = True
    """Whether more than the use of the words tells it."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How two translations differ: words of one only, words paired, and words elsewhere."""

    words_a: tuple[Word, ...]
    words_b: tuple[Word, ...]
    a: tuple[Word, ...]
    """Words that only A has, pairs taken out."""
    b: tuple[Word, ...]
    pairs: tuple[Pairing, ...]
    moved: tuple[Word, ...]
    """Words of both that stand in another order."""

    @property
    def content_a(self) -> list[Word]:
        """The words that only A has and that carry meaning."""
        return [word for word in self.a if not word.light]

    @property
    def content_b(self) -> list[Word]:
        """The words that only B has and that carry meaning."""
        return [word for word in self.b if not word.light]


def difference(a: str, b: str) -> Difference:
    """Align two translations word by word."""
    words_a, words_b = cut(a), cut(b)
    words_a, words_b = split_by(words_a, words_b), split_by(words_b, words_a)
    left_a: list[Word] = []
    left_b: list[Word] = []
    aligned = SequenceMatcher(None, _texts(words_a), _texts(words_b), autojunk=False)
    for what, first_a, last_a, first_b, last_b in aligned.get_opcodes():
        if what != "equal":
            own, other = _trimmed(words_a[first_a:last_a], words_b[first_b:last_b])
            left_a += own
            left_b += other
    common = Counter(_texts(left_a)) & Counter(_texts(left_b))
    moved = _take(left_a, common)
    _take(left_b, common)
    pairs = _pair(left_a, left_b)
    return Difference(
        tuple(words_a), tuple(words_b), tuple(left_a), tuple(left_b), tuple(pairs), tuple(moved)
    )


def _trimmed(a: Sequence[Word], b: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Two stretches without what both begin and end with, where they are only cut otherwise."""
    for backward in (False, True):
        size = _common(a, b, backward=backward)
        a, b = (_without(side, size, backward=backward) for side in (a, b))
    return list(a), list(b)


def _common(a: Sequence[Word], b: Sequence[Word], *, backward: bool) -> int:
    """How many characters both begin or end with: up to an edge of words on both sides, or on one
    side where that is longer than any word, so that 购买 and 买 stay words."""
    step = -1 if backward else 1
    one, other = ("".join(_texts(side))[::step] for side in (a, b))
    differs = first_difference(one, other)
    size = len(one) if differs is None else differs
    edges_a, edges_b = (
        {0, *accumulate(len(word.text) for word in side[::step])} for side in (a, b)
    )
    longest = max(map(len, _texts((*a, *b))), default=0)
    both, either = edges_a & edges_b, edges_a | edges_b
    return max(at for at in either if at <= size and (at in both or at > longest))


def _without(side: Sequence[Word], size: int, *, backward: bool) -> list[Word]:
    """The words beyond the first or last ``size`` characters."""
    kept = list(side)
    while kept and size:
        word = kept.pop(-1 if backward else 0)
        if len(word.text) > size:
            rest = plain(word.text[:-size] if backward else word.text[size:])
            return [*kept, *rest] if backward else [*rest, *kept]
        size -= len(word.text)
    return kept


def _take(left: list[Word], common: Counter[str]) -> list[Word]:
    """Take out the words that both have."""
    wanted = Counter(common)
    taken = []
    for word in list(left):
        if wanted[word.text] > 0:
            wanted[word.text] -= 1
            left.remove(word)
            taken.append(word)
    return taken


def _pair(left_a: list[Word], left_b: list[Word]) -> list[Pairing]:
    """Pair words that stand for each other, the surest first, and take them out."""
    found = []
    for word in left_a:
        for other in left_b:
            if word.number is not None and word.number == other.number:
                found.append((1.0, word, other, "the same number"))
            elif word.number is not None or other.number is not None:
                continue
            elif alike := likeness(word.text, other.text):
                found.append((alike.strength, word, other, alike.why))
    pairs = []
    for strength, word, other, why in sorted(found, key=lambda one: -one[0]):
        if word in left_a and other in left_b:
            left_a.remove(word)
            left_b.remove(other)
            pairs.append(Pairing(word, other, why, strength >= SURE))
    return pairs


def _texts(words: Iterable[Word]) -> list[str]:
    return [word.text for word in words]
