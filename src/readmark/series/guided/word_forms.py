"""Forms of English words: the number of nouns, the past tense, and which words can be verbs."""

from __future__ import annotations

import functools

from readmark.series.guided.word_tables import table
from readmark.text.stems import stem

_VOWELS = "aeiou"


def singular(noun: str) -> str:
    """A noun in the singular, by its ending."""
    for ending, single in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh")):
        if noun.endswith(ending):
            return noun[: -len(ending)] + single
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def same_noun(noun: str, other: str) -> bool:
    """Whether two words are one noun but for number."""
    return noun == other or singular(noun) == singular(other)


def past(verb: str) -> str:
    """The past tense of a verb."""
    irregular = _irregular().get(verb)
    if irregular is not None:
        return irregular
    if verb.endswith("e"):
        return f"{verb}d"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ied"
    return f"{verb}{verb[-1]}ed" if _doubles(verb) else f"{verb}ed"


@functools.lru_cache(maxsize=20_000)
def can_be_verb(word: str) -> bool:
    """Whether a word in its base form can be a verb."""
    return word in _irregular() or any(stem(f"{word}{end}") == word for end in ("ed", "d", "ing"))


def _doubles(verb: str) -> bool:
    """clip, clipped: one short syllable that ends in one consonant."""
    body = verb[:-1]
    return (
        len(verb) > 2
        and verb[-1] not in f"{_VOWELS}wxy"
        and body[-1] in _VOWELS
        and sum(letter in _VOWELS for letter in verb) == 1
    )


@functools.cache
def _irregular() -> dict[str, str]:
    forms: dict[str, str] = table()["verbs"]["past"]
    return forms
