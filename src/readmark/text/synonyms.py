"""Chinese words that say the same, or speak of one thing: by lists, or by an English word."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib.resources import files

from readmark.text.bilingual import glosses, same_sense
from readmark.text.simplified import simplified

SOURCE = "synonyms-1"


def synonymous(one: str, other: str) -> str | None:
    """Why two words are synonyms: an English word for both, or the list; None when unknown."""
    if opposite(one, other):  # brother is 哥哥 and 弟弟
        return None
    english = same_sense(one, other)
    if english is not None:
        return english
    return SOURCE if _share("synonyms.zh.txt", one, other) else None


def akin(one: str, other: str) -> bool:
    """Whether two words are of one thing, its members or its doing: 军队, 士兵."""
    return _share("akin.zh.txt", one, other)


def opposite(one: str, other: str) -> bool:
    """Whether two words are listed as opposites, or as different ones of a kind: 之前, 之后."""
    return one != other and _share("opposites.zh.txt", one, other)


def unlike(one: str, other: str) -> bool:
    """Whether both words are known and have no English word in common: 父亲, 母亲."""
    if opposite(one, other):
        return True
    if synonymous(one, other):
        return False
    first, second = glosses(one), glosses(other)
    return bool(first) and bool(second) and not first & second


def _share(table: str, one: str, other: str) -> bool:
    groups, none = _groups(table), frozenset[int]()
    return bool(groups.get(simplified(one), none) & groups.get(simplified(other), none))


@functools.cache
def _groups(table: str) -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    source = files("readmark.text").joinpath("data", table).read_text("utf-8")
    for at, line in enumerate(source.splitlines()):
        if not line.startswith("#"):
            for word in line.split():
                found.setdefault(word, set()).add(at)
    return {word: frozenset(groups) for word, groups in found.items()}
