"""English words and their Chinese translations by sense, and Chinese synonyms and opposites.

It serves to see which of two Chinese texts is nearer to an English one, and which Chinese words
say the same. What is not on the list is unknown, not different.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from importlib.resources import files

from readmark.text.script import simplified
from readmark.text.words import listed, stem, words

SOURCE = "english_chinese-1"

Sense = tuple[str, ...]
"""Chinese words that translate an English one in one of its meanings, the usual one first."""

LONGEST = 3
"""Words of the longest English phrase on the list."""


def senses(word: str) -> tuple[Sense, ...]:
    """The translations of an English word or phrase, a group a meaning; those of *left* are also
    those of *leave*."""
    small = " ".join(word.lower().replace("’", "'").split()).removesuffix("'s")
    found = (_table().get(form, ()) for form in _forms(small))
    return tuple(dict.fromkeys(sense for senses in found for sense in senses))


def glosses(word: str) -> frozenset[str]:
    """The English words that a Chinese word may translate."""
    return frozenset(english for english, _ in _back().get(simplified(word), ()))


def same_sense(first: str, second: str) -> str | None:
    """An English word that two Chinese words translate in the same meaning, if there is one."""
    shared = _back().get(simplified(first), frozenset()) & _back().get(
        simplified(second), frozenset()
    )
    return min(shared)[0] if shared else None


def words_with_senses(text: str) -> Iterator[tuple[str, tuple[Sense, ...]]]:
    """The words of an English text with their senses, phrases of the list whole; () if unknown."""
    tokens = words(text, "en")
    index = 0
    while index < len(tokens):
        for size in range(min(LONGEST, len(tokens) - index), 0, -1):
            phrase = " ".join(tokens[index : index + size])
            if (found := senses(phrase)) or size == 1:
                yield phrase, found
                index += size
                break


def _forms(small: str) -> Iterator[str]:
    yield small
    before, _, last = small.rpartition(" ")
    if (base := stem(last)) != last:
        yield f"{before} {base}".strip()
    first, _, rest = small.partition(" ")
    if rest and (base := stem(first)) != first:  # took part in
        yield f"{base} {rest}"


@functools.cache
def _table() -> Mapping[str, tuple[Sense, ...]]:
    table: dict[str, tuple[Sense, ...]] = {}
    source = files("readmark.text").joinpath("data", "english_chinese.tsv").read_text("utf-8")
    for line in source.splitlines():
        if line.startswith("#"):
            continue
        english, _, chinese = line.partition("\t")
        found = tuple(tuple(sense.split()) for sense in chinese.split("|"))
        # May and may, March and march: one word to us, of several meanings.
        table[english.lower()] = table.get(english.lower(), ()) + found
    return table


@functools.cache
def _back() -> Mapping[str, frozenset[tuple[str, int]]]:
    """Chinese words with the English ones they translate, and in which of their senses."""
    back: dict[str, set[tuple[str, int]]] = {}
    for english, found in _table().items():
        for index, sense in enumerate(found):
            for word in sense:
                back.setdefault(word, set()).add((english, index))
    return {word: frozenset(meanings) for word, meanings in back.items()}


# Chinese words that say the same, or speak of one thing: by lists, or by an English word.


SYNONYMS_SOURCE = "synonyms-1"
INSIDE = "+"
"""What begins a line of opposites that hold inside words too."""


def synonymous(first: str, second: str) -> str | None:
    """Why two words are synonyms: an English word for both, or the list; None when unknown."""
    if opposite(first, second):  # brother is 哥哥 and 弟弟
        return None
    english = same_sense(first, second)
    if english is not None:
        return english
    return SYNONYMS_SOURCE if _share("synonyms.zh.txt", first, second) else None


def akin(first: str, second: str) -> bool:
    """Whether two words are of one thing, its members or its doing: 军队, 士兵."""
    return _share("akin.zh.txt", first, second)


def opposite(first: str, second: str) -> bool:
    """Whether two words are opposites, or different ones of a kind: 之前, 之后; 米, 厘米."""
    return contrast(first, second) is not None


def contrast(left: str, right: str) -> tuple[str, str] | None:
    """The parts by which two words exclude each other, whole words where the list has those.

    Inside words count listed words of two characters or more (平方公里, 平方英里), characters of
    the lines that say so, each in its place (南军, 北军), and a negation before the rest (不可能).
    """
    left, right = simplified(left), simplified(right)
    if left == right:
        return None
    if _apart(left, right, inside=False):
        return left, right
    if len(left) == len(right):
        differing = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
        if all(_apart(*pair, inside=True) for pair in differing):
            return "".join(first for first, _ in differing), "".join(last for _, last in differing)
    for first, last in _remainders(left, right):
        if len(first) > 1 and len(last) > 1 and _apart(first, last, inside=False):
            return first, last
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    if len(shorter) > 1 and longer[0] in listed("denials") and longer[1:] == shorter:
        return left, right
    return None


def unlike(left: str, right: str) -> bool:
    """Whether both words are known and have no English word in common: 父亲, 母亲."""
    if opposite(left, right):
        return True
    if synonymous(left, right):
        return False
    first, second = glosses(left), glosses(right)
    return bool(first) and bool(second) and not first & second


def _remainders(one: str, other: str) -> Iterator[tuple[str, str]]:
    """What is left of two words without some of what both begin and end with."""
    shorter = min(len(one), len(other))
    for start in range(shorter):
        for end in range(shorter - start):
            last_one, last_other = len(one) - end, len(other) - end
            if one[:start] == other[:start] and one[last_one:] == other[last_other:]:
                yield one[start:last_one], other[start:last_other]


def _apart(one: str, other: str, *, inside: bool) -> bool:
    sides = _sides(inside)
    return any(
        line == another and side != across
        for line, side in sides.get(one, ())
        for another, across in sides.get(other, ())
    )


def _share(table: str, first: str, second: str) -> bool:
    groups, none = _groups(table), frozenset[int]()
    return bool(groups.get(simplified(first), none) & groups.get(simplified(second), none))


@functools.cache
def _groups(table: str) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for at, line in _lines(table):
        for word in line.split():
            found.setdefault(word, set()).add(at)
    return {word: frozenset(groups) for word, groups in found.items()}


@functools.cache
def _sides(inside: bool) -> Mapping[str, frozenset[tuple[int, int]]]:
    """Words with their lines of the opposites and the sides they occur on there; with ``inside``
    those of lines that hold inside words too."""
    found: dict[str, set[tuple[int, int]]] = {}
    for at, line in _lines("opposites.zh.txt"):
        if line.startswith(INSIDE) or not inside:
            words = line.removeprefix(INSIDE)
            sides = words.split("/") if "/" in words else words.split()
            for number, side in enumerate(sides):
                for word in side.split():
                    found.setdefault(word, set()).add((at, number))
    return {word: frozenset(places) for word, places in found.items()}


@functools.cache
def _lines(table: str) -> list[tuple[int, str]]:
    source = files("readmark.text").joinpath("data", table).read_text("utf-8")
    return [
        (index, line) for index, line in enumerate(source.splitlines()) if not line.startswith("#")
    ]
