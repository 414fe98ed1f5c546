"""English words and their Chinese translations: a small list of common words, by sense.

It serves to see which of two Chinese texts is nearer to an English one, and which Chinese words
say the same. What is not on the list is unknown, not different.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from importlib.resources import files

from readmark.text.simplified import simplified
from readmark.text.stems import stem
from readmark.text.words import words

SOURCE = "english_chinese-1"

Sense = tuple[str, ...]
"""Chinese words that translate an English one in one of its meanings, the usual one first."""

LONGEST = 3
"""Words of the longest English phrase on the list."""


def translations(word: str) -> frozenset[str]:
    """The Chinese words for an English word or phrase in any of its forms; none when unknown."""
    return frozenset(one for sense in senses(word) for one in sense)


def senses(word: str) -> tuple[Sense, ...]:
    """The translations of an English word or phrase, a group a meaning; those of *left* are also
    those of *leave*."""
    small = " ".join(word.lower().replace("’", "'").split()).removesuffix("'s")
    found = (_table().get(form, ()) for form in _forms(small))
    return tuple(dict.fromkeys(sense for senses in found for sense in senses))


def glosses(word: str) -> frozenset[str]:
    """The English words that a Chinese word may translate."""
    return frozenset(english for english, _ in _back().get(simplified(word), ()))


def same_sense(one: str, other: str) -> str | None:
    """An English word that two Chinese words translate in the same meaning, if there is one."""
    shared = _back().get(simplified(one), frozenset()) & _back().get(simplified(other), frozenset())
    return min(shared)[0] if shared else None


def said(text: str) -> Iterator[tuple[str, tuple[Sense, ...]]]:
    """The words of an English text with their senses, phrases of the list whole; () if unknown."""
    tokens = words(text, "en")
    at = 0
    while at < len(tokens):
        for size in range(min(LONGEST, len(tokens) - at), 0, -1):
            phrase = " ".join(tokens[at : at + size])
            if (found := senses(phrase)) or size == 1:
                yield phrase, found
                at += size
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
        for at, sense in enumerate(found):
            for word in sense:
                back.setdefault(word, set()).add((english, at))
    return {word: frozenset(meanings) for word, meanings in back.items()}
