"""The definite and demonstrative phrases of a question: the company, this person, the two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from readmark.series.guided.parses import NOUNS, ParsedText, ParsedWord
from readmark.series.guided.word_tables import listed

_DEMONSTRATIVES = ("this", "that", "these", "those")
_AFTER = ("of", "that", "who", "which", "whose", "where", "for", "between", "against", "whom")
"""Words after a phrase that go on with it."""
_WITHIN = (*NOUNS, "JJ", "JJS", "JJR", "CD", "VBN", "VBG", "HYPH", "``", "''")
"""Tags of the words between the article and the noun."""


@dataclass(frozen=True, slots=True)
class Nominal:
    """A definite phrase: the, or a demonstrative, with the words up to its noun."""

    first: int
    last: int
    """The index of its noun."""
    pointing: bool
    """Begins with a demonstrative."""
    bare: bool
    """Nothing but the article and the noun."""
    modifies: bool
    """Stands before another noun: the company fortune."""
    followed: bool
    """Goes on with of or a clause, and so may be definite by itself."""
    owns: bool = False
    """A possessive whose apostrophe was left out: this persons relationship."""


def nominals(asked: ParsedText) -> Iterator[Nominal]:
    """The definite phrases of a question; of several nouns in a row, the first may be one too."""
    words = asked.words
    for first, word in enumerate(words):
        pointing = word.lower in _DEMONSTRATIVES
        if not (pointing or word.lower == "the") or first + 1 >= len(words):
            continue
        last = asked.run_end(first, _WITHIN)
        while last > first and not words[last].is_noun:
            last -= 1
        if last == first and _is_number(words[first + 1]):
            last += 1  # the two
        if last == first:
            continue
        after = words[last + 1].lower if last + 1 < len(words) else ""
        followed = after in _AFTER or _is_explained(words, first, last)
        bare = last == first + 1
        nouns = [index for index in range(first + 1, last + 1) if words[index].is_noun]
        noun = nouns[0] if len(nouns) > 1 else None  # the first of several
        if noun is not None and word.lower in ("this", "that") and words[noun].tag == "NNS":
            # A plural does not agree with this: an apostrophe is missing.
            yield Nominal(first, noun, True, noun == first + 1, False, False, owns=True)
        yield Nominal(first, last, pointing, bare, False, followed)
        if noun is not None and noun == first + 1 and not _is_name(words[noun : last + 1]):
            yield Nominal(first, noun, pointing, True, True, False)


def _is_number(word: ParsedWord) -> bool:
    return word.tag == "CD" and word.lower in listed("people", "together")


def _is_explained(words: tuple[ParsedWord, ...], first: int, last: int) -> bool:
    """Who is the woman in the picture: the phrase after it says who is meant."""
    if first != 2 or words[1].lemma != "be" or last + 2 >= len(words) or words[last + 2].tag == ".":
        return False
    return words[last + 1].tag == "IN" and words[last + 1].head == last


def _is_name(words: tuple[ParsedWord, ...]) -> bool:
    return all(word.text[:1].isupper() for word in words)


def is_deictic(noun: str) -> bool:
    """Whether a noun is definite without a word before: the world, the Internet."""
    return noun in listed("deictic", "words")
