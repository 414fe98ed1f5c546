"""English words and their Chinese translations by sense.

It serves to see which of two Chinese texts is nearer to an English one. What is not in the list is
unknown, not different.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from importlib.resources import files

from readmark.text.script import simplified
from readmark.text.stems import stem
from readmark.text.words import words

SOURCE = "english_chinese-1"

Sense = tuple[str, ...]
"""Chinese words that translate an English one in one of its meanings, the usual one first."""

LONGEST = 3
"""Words of the longest English phrase in the list."""


def senses(word: str) -> tuple[Sense, ...]:
    """The translations of an English word or phrase, a group for each meaning.

    Those of *left* are also those of *leave*.
    """
    small = " ".join(word.lower().replace("’", "'").split()).removesuffix("'s")
    by_form = (_table().get(form, ()) for form in _forms(small))
    return tuple(dict.fromkeys(sense for senses in by_form for sense in senses))


def glosses(word: str) -> frozenset[str]:
    """The English words that a Chinese word may translate."""
    return frozenset(english for english, _ in _meanings().get(simplified(word), ()))


def same_sense(first: str, second: str) -> str | None:
    """An English word that two Chinese words translate in the same meaning, if there is one."""
    meanings = _meanings()
    first_meanings = meanings.get(simplified(first), frozenset())
    shared = first_meanings & meanings.get(simplified(second), frozenset())
    return min(shared)[0] if shared else None


def words_with_senses(text: str) -> Iterator[tuple[str, tuple[Sense, ...]]]:
    """The words of an English text with their senses; phrases of the list are kept whole.

    A word that is not in the list has no senses.
    """
    tokens = words(text, "en")
    index = 0
    while index < len(tokens):
        for size in range(min(LONGEST, len(tokens) - index), 0, -1):
            phrase = " ".join(tokens[index : index + size])
            if (translations := senses(phrase)) or size == 1:
                yield phrase, translations
                index += size
                break


def _forms(phrase: str) -> Iterator[str]:
    """A phrase as it is, then with its last word and with its first word in the base form."""
    yield phrase
    before, _, last = phrase.rpartition(" ")
    if (base := stem(last)) != last:
        yield f"{before} {base}".strip()
    first, _, rest = phrase.partition(" ")
    if rest and (base := stem(first)) != first:  # took part in
        yield f"{base} {rest}"


@functools.cache
def _table() -> Mapping[str, tuple[Sense, ...]]:
    """English words in small letters with their senses."""
    table: dict[str, tuple[Sense, ...]] = {}
    source = files("readmark.text").joinpath("data", "english_chinese.tsv").read_text("utf-8")
    for line in source.splitlines():
        if line.startswith("#"):
            continue
        english, _, chinese = line.partition("\t")
        translations = tuple(tuple(sense.split()) for sense in chinese.split("|"))
        # May and may, March and march: one word to us, of several meanings.
        table[english.lower()] = table.get(english.lower(), ()) + translations
    return table


@functools.cache
def _meanings() -> Mapping[str, frozenset[tuple[str, int]]]:
    """Chinese words with the English ones that they translate, and the number of the sense."""
    meanings: dict[str, set[tuple[str, int]]] = {}
    for english, translations in _table().items():
        for number, sense in enumerate(translations):
            for word in sense:
                meanings.setdefault(word, set()).add((english, number))
    return {word: frozenset(numbered) for word, numbered in meanings.items()}
