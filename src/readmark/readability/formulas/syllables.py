"""How many syllables an English word has: those of the CMU Pronouncing Dictionary, else by rules.

The data file holds only the dictionary's words for which the rules say something else.
"""

from __future__ import annotations

import functools
import gzip
import re
import unicodedata
from importlib.resources import files

SYLLABLE_RULES = "cmudict+rules-2"

_NUMERAL = re.compile(r"\d[\d.,]*(?:st|nd|rd|th|['’]?s)?")
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(
    r"(?<![aeiouyl])e$|(?<=[aeiouy]l)e$|(?<=[^aeioutdlry])ed$|(?<=[aeiouyl][lr])ed$"
    r"|(?<=[^aeiouscgzxhl])es$|(?<=[aeiouy]l)es$|(?<=th)es$|e(?=ly$|ful|less|ment|ness)"
)
_NO_VOWEL = re.compile(r"([qg])u(?=[aeiouy])")  # queen, guest
# Two vowels in separate syllables.
_SEPARATE_VOWELS = re.compile(
    r"(?<![tcsg])i[aou](?!us$)|ii|eo(?!us$|n$|p)|ua(?!r[dt])|uo|ying|sms?$|iu|oing|eing"
)


def syllables(word: str) -> int:
    """How many syllables a word has: a compound's parts together, a numeral or abbreviation one.

    One syllable for figures and abbreviations is Flesch's own rule ("How to Write Plain English").
    """
    return sum(_part_syllables(part) for part in word.lower().replace("’", "'").split("-")) or 1


@functools.lru_cache(maxsize=1 << 16)
def _part_syllables(part: str) -> int:
    if is_numeral(part) or "." in part or not any(character.isalpha() for character in part):
        return 1 if part else 0
    part = without_accents(part)
    pronounced = _spoken().get(part)
    if pronounced is not None:
        return pronounced
    base, ending, _ = part.rpartition("'s")
    if ending:
        hissing = base.endswith(("s", "x", "z", "ch", "sh", "ce", "ge", "se"))
        return _part_syllables(base) + hissing
    return by_rules(part)


def is_numeral(word: str) -> bool:
    """Whether a word is figures: 1,066, 3rd, 21st, 1990s."""
    return _NUMERAL.fullmatch(word) is not None


def without_accents(word: str) -> str:
    """The bare letters, as the dictionary has them: cafe for café."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFKD", word)
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def by_rules(word: str) -> int:
    """Runs of vowels, less the silent e, and one more for vowels that are spoken apart."""
    decomposed = unicodedata.normalize("NFKD", word)
    letters = "".join(character for character in decomposed if character.isalpha()).lower()
    sounded = _SILENT.sub("", _NO_VOWEL.sub(r"\1w", letters))
    return max(1, len(_VOWELS.findall(sounded)) + len(_SEPARATE_VOWELS.findall(sounded)))


@functools.cache
def _spoken() -> dict[str, int]:
    """Syllables by word, from the dictionary's first pronunciation, where the rules differ."""
    data = files("readmark.text").joinpath("data/syllables.txt.gz").read_bytes()
    counts: dict[str, int] = {}
    for line in gzip.decompress(data).decode("utf-8").splitlines():
        if not line.startswith("#"):
            count, *words = line.split(" ")
            counts.update(dict.fromkeys(words, int(count)))
    return counts
