"""Syllables of English words: the CMU Pronouncing Dictionary, and rules for what it lacks.

The data file holds the dictionary's words for which the rules say something else.
"""

from __future__ import annotations

import functools
import gzip
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files

from readmark.core.records import Offsets

RULES = "rules-2"

_NUMERAL = re.compile(r"\d[\d.,]*(?:st|nd|rd|th|['’]?s)?")
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(
    r"(?<![aeiouyl])e$|(?<=[aeiouy]l)e$|(?<=[^aeioutdlry])ed$|(?<=[aeiouyl][lr])ed$"
    r"|(?<=[^aeiouscgzxhl])es$|(?<=[aeiouy]l)es$|(?<=th)es$|e(?=ly$|ful|less|ment|ness)"
)
_NO_VOWEL = re.compile(r"([qg])u(?=[aeiouy])")  # queen, guest
# Two vowels that are spoken apart.
_APART = re.compile(
    r"(?<![tcsg])i[aou](?!us$)|ii|eo(?!us$|n$|p)|ua(?!r[dt])|uo|ying|sms?$|iu|oing|eing"
)


def syllables(word: str) -> int:
    """How many syllables a word has: a compound's parts together, a numeral one.

    One syllable for figures is Flesch's own rule ("How to Write Plain English").
    """
    return sum(_of_part(part) for part in word.lower().replace("’", "'").split("-")) or 1


@functools.lru_cache(maxsize=1 << 16)
def _of_part(part: str) -> int:
    if is_numeral(part) or not any(character.isalpha() for character in part):
        return 1 if part else 0
    part = without_accents(part)
    known = _spoken().get(part)
    if known is not None:
        return known
    base, found, _ = part.rpartition("'s")
    if found:
        hissing = base.endswith(("s", "x", "z", "ch", "sh", "ce", "ge", "se"))
        return _of_part(base) + hissing
    return by_rules(part)


def is_numeral(word: str) -> bool:
    """Whether a word is figures: 1,066, 3rd, 21st, 1990s."""
    return _NUMERAL.fullmatch(word) is not None


def without_accents(word: str) -> str:
    """The bare letters, as the dictionary has them: cafe for café."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFKD", word)
    return "".join(one for one in apart if not unicodedata.combining(one))


def by_rules(word: str) -> int:
    """Runs of vowels, less the silent e, and one more for vowels that are spoken apart."""
    plain = unicodedata.normalize("NFKD", word)
    letters = "".join(character for character in plain if character.isalpha()).lower()
    sounded = _SILENT.sub("", _NO_VOWEL.sub(r"\1w", letters))
    return max(1, len(_VOWELS.findall(sounded)) + len(_APART.findall(sounded)))


def source() -> str:
    """Who counts, for signatures."""
    return f"cmudict+{RULES}"


@functools.cache
def _spoken() -> dict[str, int]:
    """Syllables by word, from the dictionary's first pronunciation, where the rules differ."""
    data = files("readmark.text").joinpath("data/syllables.txt.gz").read_bytes()
    found: dict[str, int] = {}
    for line in gzip.decompress(data).decode("utf-8").splitlines():
        if not line.startswith("#"):
            count, *words = line.split(" ")
            found.update(dict.fromkeys(words, int(count)))
    return found


# Which words Dale and Chall take as known: the list of about 3,000, its regular forms, names.


FAMILIAR_RULES = "inflections-2"

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_OPENING = frozenset("\"“‘'(:[")
# What is taken off, and what may have stood there before: studi-es, mak-ing, larg-er.
_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("ier", "y"),
    ("iest", "y"),
    ("ily", "y"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("est", "e"),
    ("ly", ""),
    ("n", ""),
)
_DOUBLED = frozenset({"ed", "ing", "er", "est"})  # stopp-ed, bigg-er
_CONTRACTED = re.compile(r"(?:n't|'(?:s|d|ll|ve|re|m)|')$")


def is_familiar(word: str, names: Collection[str] = ()) -> bool:
    """Whether a word (in lower case) counts as known; ``names`` are the passage's own names."""
    word = word.replace("’", "'")
    if word in _listed() or word in names:
        return True
    if "-" in word:
        return all(is_familiar(part, names) for part in word.split("-"))
    base = _CONTRACTED.sub("", word)
    if base != word:
        return base == "" or is_familiar(base, names)
    if is_numeral(word) or not any(character.isalpha() for character in word):
        return True
    return any(form in _listed() for form in _bases(word))


def names(text: str, sentences: Sequence[Offsets]) -> frozenset[str]:
    """Words (in lower case) that only stand with a capital, and do so inside a sentence.

    Persons and places are meant; organisations are not told apart. A sentence with capitals on
    over two thirds of its words, as a heading has, tells nothing.
    """
    found: set[str] = set()
    small: set[str] = set()
    for start, end in sentences:
        words = list(_WORD.finditer(text, start, end))
        capital = [word for word in words if word[0][0].isupper()]
        small.update(word[0].lower() for word in words if word[0][0].islower())
        if len(capital) * 3 > len(words) * 2:
            continue
        for word in capital:
            opens = word.start() == words[0].start() or text[word.start() - 1] in _OPENING
            if not opens:
                found.add(word[0].lower().replace("’", "'"))
    return frozenset(_CONTRACTED.sub("", name) for name in found - small)


def familiar_source() -> str:
    """The list and the rules, for signatures."""
    return f"textstat-0.7.13+{FAMILIAR_RULES}"


def _bases(word: str) -> Iterator[str]:
    for ending, before in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        yield stem + before
        if ending in _DOUBLED and stem[-1] == stem[-2]:
            yield stem[:-1]


@functools.cache
def _listed() -> frozenset[str]:
    text = files("readmark.text").joinpath("data/familiar_words.txt").read_text("utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
