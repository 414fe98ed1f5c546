"""Chinese words that say the same, exclude each other, or speak of one thing.

By lists, or by an English word that both translate. What is in no list is unknown, not different.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from importlib.resources import files

from readmark.text.bilingual import glosses, same_sense
from readmark.text.script import simplified
from readmark.text.wording import word_list

SOURCE = "synonyms-1"

_INSIDE = "+"
"""What begins a line of opposites that hold inside words too."""


def synonymous(first: str, second: str) -> str | None:
    """Why two words are synonyms: an English word for both, or the list; None when unknown."""
    if opposite(first, second):  # brother is 哥哥 and 弟弟
        return None
    english = same_sense(first, second)
    if english is not None:
        return english
    return SOURCE if _share_a_line("synonyms.zh.txt", first, second) else None


def akin(first: str, second: str) -> bool:
    """Whether two words are of one thing, its members or its doing: 军队, 士兵."""
    return _share_a_line("akin.zh.txt", first, second)


def unlike(first: str, second: str) -> bool:
    """Whether both words are known and have no English word in common: 父亲, 母亲."""
    if opposite(first, second):
        return True
    if synonymous(first, second):
        return False
    first_glosses, second_glosses = glosses(first), glosses(second)
    return bool(first_glosses and second_glosses) and not first_glosses & second_glosses


def opposite(first: str, second: str) -> bool:
    """Whether two words are opposites, or different ones of a kind: 之前, 之后; 米, 厘米."""
    return contrast(first, second) is not None


def contrast(first: str, second: str) -> tuple[str, str] | None:
    """The parts by which two words exclude each other, whole words where the list has those.

    Inside words count listed words of two characters or more (平方公里, 平方英里), characters of
    the lines that say so, each in its place (南军, 北军), and a negation before the rest (不可能).
    """
    first, second = simplified(first), simplified(second)
    if first == second:
        return None
    if _on_different_sides(first, second, inside=False):
        return first, second
    if len(first) == len(second):
        differing = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
        if all(_on_different_sides(*pair, inside=True) for pair in differing):
            return "".join(left for left, _ in differing), "".join(right for _, right in differing)
    for left, right in _remainders(first, second):
        if len(left) > 1 and len(right) > 1 and _on_different_sides(left, right, inside=False):
            return left, right
    longer, shorter = (first, second) if len(first) > len(second) else (second, first)
    if len(shorter) > 1 and longer[0] in word_list("denials") and longer[1:] == shorter:
        return first, second
    return None


def _remainders(first: str, second: str) -> Iterator[tuple[str, str]]:
    """What is left of two words without some of what both begin and end with."""
    shorter = min(len(first), len(second))
    for start in range(shorter):
        for after in range(shorter - start):
            end, other_end = len(first) - after, len(second) - after
            if first[:start] == second[:start] and first[end:] == second[other_end:]:
                yield first[start:end], second[start:other_end]


def _on_different_sides(first: str, second: str, *, inside: bool) -> bool:
    """Whether a line of the opposites has one word on one side and one on another."""
    sides = _sides(inside)
    return any(
        line == other_line and side != other_side
        for line, side in sides.get(first, ())
        for other_line, other_side in sides.get(second, ())
    )


@functools.cache
def _sides(inside: bool) -> Mapping[str, frozenset[tuple[int, int]]]:
    """Words with the lines of the opposites that have them, and on which side of each.

    With ``inside`` only those of lines that hold inside words too. A line without sides is a list
    of words of which each excludes the others.
    """
    places: dict[str, set[tuple[int, int]]] = {}
    for number, line in _lines("opposites.zh.txt"):
        if line.startswith(_INSIDE) or not inside:
            words = line.removeprefix(_INSIDE)
            sides = words.split("/") if "/" in words else words.split()
            for side, alike in enumerate(sides):
                for word in alike.split():
                    places.setdefault(word, set()).add((number, side))
    return {word: frozenset(on) for word, on in places.items()}


def _share_a_line(table: str, first: str, second: str) -> bool:
    lines = _line_numbers(table)
    first_lines = lines.get(simplified(first), frozenset())
    return not first_lines.isdisjoint(lines.get(simplified(second), frozenset()))


@functools.cache
def _line_numbers(table: str) -> Mapping[str, frozenset[int]]:
    """The words of a table with the lines that have them."""
    numbers: dict[str, set[int]] = {}
    for number, line in _lines(table):
        for word in line.split():
            numbers.setdefault(word, set()).add(number)
    return {word: frozenset(lines) for word, lines in numbers.items()}


@functools.cache
def _lines(table: str) -> list[tuple[int, str]]:
    """The lines of a table by number, without comments."""
    source = files("readmark.text").joinpath("data", table).read_text("utf-8")
    return [
        (number, line)
        for number, line in enumerate(source.splitlines())
        if not line.startswith("#")
    ]
