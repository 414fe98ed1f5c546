"""English passages by the classic formulas, with syllables and familiar words counted by rules.

The syllables are those of the CMU Pronouncing Dictionary, and rules for what it lacks; the data
file holds the dictionary's words for which the rules say something else.
"""

from __future__ import annotations

import functools
import gzip
import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from readmark.core.records import Offsets
from readmark.readability import prose
from readmark.text import sentences as sentence_rules

# Syllables.

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
    return sum(_of_part(part) for part in word.lower().replace("’", "'").split("-")) or 1


@functools.lru_cache(maxsize=1 << 16)
def _of_part(part: str) -> int:
    if is_numeral(part) or "." in part or not any(character.isalpha() for character in part):
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
    return max(1, len(_VOWELS.findall(sounded)) + len(_SEPARATE_VOWELS.findall(sounded)))


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


# What counts as a sentence, and as a word.


SENTENCE_RULES = f"{sentence_rules.RULES}+lower-1+{prose.RULES}"

_STOP = re.compile(r"((?<=\w\w)[.!?…]+[\"'”’)\]]*\s+[\"'“‘(\[]*)([A-Za-z])")


def sentences_as_counted(text: str) -> list[Offsets]:
    """The sentences; where most begin with a small letter, as in chats, small letters begin them.

    The rules of sentences want a capital, without which such a text would be a single sentence.
    """
    openings = [opening[2] for opening in _STOP.finditer(text)]
    small = sum(map(str.islower, openings))
    if small > 1 and 2 * small > len(openings):
        text = _STOP.sub(lambda opening: opening[1] + opening[2].upper(), text)
    return sentence_rules.sentences(text, "en")


WORD_RULES = "flesch-1"

_COUNTED_WORD = re.compile(
    r"[^\W\d_](?:\.[^\W\d_])+\b\.?"  # U.S., e.g., 7 a.m.
    r"|\d+(?:[.,]\d+)+\w*(?:['’-]\w+)*"  # 1,066, 3.5, 1,200-metre
    r"|\w+(?:['’-]\w+)*"
)


def words_as_counted(text: str) -> list[str]:
    """The words of a text in lower case; a figure or an abbreviation with points is one word.

    So Flesch counts: what white space surrounds is one word ("How to Write Plain English").
    """
    return _COUNTED_WORD.findall(text.lower())


# Which words Dale and Chall take as known: the list of about 3,000, its regular forms, names.


FAMILIAR_RULES = "textstat-0.7.13+inflections-2"

_OPENING = frozenset("\"“‘'(:[")
# What may have stood where an ending is taken off: stud-y, mak-e, larg-e.
_ENDINGS = {
    "y": ("ies", "ied", "ier", "iest", "ily"),
    "e": ("es", "ed", "ing", "er", "est"),
    "": ("es", "s", "ed", "ing", "er", "est", "ly", "n"),
}
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


def names_in(text: str, sentences: Sequence[Offsets]) -> frozenset[str]:
    """Words (in lower case) that always have a capital, also inside a sentence.

    Persons and places are meant; organisations are not distinguished. A sentence with capitals on
    over two thirds of its words, as a heading has, tells nothing.
    """
    found: set[str] = set()
    small: set[str] = set()
    for start, end in sentences:
        words = list(_COUNTED_WORD.finditer(text, start, end))
        capital = [word for word in words if word[0][0].isupper()]
        small.update(word[0].lower() for word in words if word[0][0].islower())
        if len(capital) * 3 > len(words) * 2:
            continue
        for word in capital:
            opens = word.start() == words[0].start() or text[word.start() - 1] in _OPENING
            if not opens:
                found.add(word[0].lower().replace("’", "'"))
    return frozenset(_CONTRACTED.sub("", name) for name in found - small)


def _bases(word: str) -> Iterator[str]:
    for before, endings in _ENDINGS.items():
        for ending in endings:
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


# Dale-Chall, as "Design and Development of a Bilingual Reading Comprehension Corpus" takes it
# from Dale and Chall, "A Formula for Predicting Readability" (1948).


_BOUNDS = (5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
GRADES = ("4 and below", "5–6", "7–8", "9–10", "11–12", "13–15", "16+")
"""School grades; a band begins at its bound (7.0 is grades 9–10) and ends before the next."""


def dale_chall(words_per_sentence: float, unfamiliar: float) -> float:
    """The raw score; ``unfamiliar`` is the percentage of words off the list, 0 to 100.

    The constant is always added, as in the document (some programs add it only above 5%).
    """
    return 0.0496 * words_per_sentence + 0.1579 * unfamiliar + 3.6365


def grades(score: float) -> str:
    """The school grades that a raw score corresponds to."""
    return GRADES[bisect_right(_BOUNDS, score)]


# Flesch's reading ease and its recalculation into school grades.


def flesch(words_per_sentence: float, syllables_per_word: float) -> float:
    """Flesch, "A New Readability Yardstick" (1948): about 0 to 100, higher is easier."""
    return 206.835 - 1.015 * words_per_sentence - 84.6 * syllables_per_word


def flesch_kincaid(words_per_sentence: float, syllables_per_word: float) -> float:
    """Kincaid et al., "Derivation of New Readability Formulas" (1975): a school grade."""
    return 0.39 * words_per_sentence + 11.8 * syllables_per_word - 15.59


# Gunning's fog index and McLaughlin's SMOG: what many words of three syllables cost.


def fog(words_per_sentence: float, complex_words: float) -> float:
    """Gunning, "The Technique of Clear Writing" (1952): years of school.

    ``complex_words`` is the percentage of words of three syllables or more without names,
    compounds of short words, and forms that -ed or -es made so long.
    """
    return 0.4 * (words_per_sentence + complex_words)


def smog(polysyllables: int, sentences: int) -> float:
    """McLaughlin, "SMOG Grading: a New Readability Formula" (1969): years of school.

    Made for 30 sentences; fewer are taken as if they went on alike.
    """
    return 1.0430 * math.sqrt(polysyllables * 30 / sentences) + 3.1291


# The two grade formulas that count letters instead of syllables.


def ari(characters_per_word: float, words_per_sentence: float) -> float:
    """Automated Readability Index, Smith and Senter (1967): a school grade; digits count."""
    return 4.71 * characters_per_word + 0.5 * words_per_sentence - 21.43


def coleman_liau(letters_per_100_words: float, sentences_per_100_words: float) -> float:
    """Coleman and Liau, "A Computer Readability Formula Designed for Machine Scoring" (1975)."""
    return 0.0588 * letters_per_100_words - 0.296 * sentences_per_100_words - 15.8


LONG = 3
"""Syllables that make a word long."""


@dataclass(frozen=True, slots=True)
class EnglishCounts:
    """What the formulas are computed from."""

    sentences: int
    words: int
    characters: int
    """Letters and digits."""
    letters: int
    syllables: int
    polysyllables: int
    complex: int
    """Long words as Gunning counts them."""
    unfamiliar: int


@dataclass(frozen=True, slots=True)
class EnglishReadability:
    """The formulas of one passage. Flesch: higher is easier; the others: higher is harder."""

    sentences: int
    words: int
    words_per_sentence: float
    syllables_per_word: float
    unfamiliar: float
    """Percentage of words that are off the Dale list."""
    dale_chall: float
    grades: str
    flesch: float
    flesch_kincaid: float
    fog: float
    smog: float
    ari: float
    coleman_liau: float


def english_readability(text: str, *, known_names: bool = True) -> EnglishReadability | None:
    """All formulas of a passage's running text; None where there is no word.

    Dale and Chall count names as familiar; without ``known_names`` those off the list are not.
    """
    counts = count_english(prose.running_text(text), known_names=known_names)
    if counts is None:
        return None
    words = counts.words
    length = words / counts.sentences
    syllabic = counts.syllables / words
    unfamiliar = 100 * counts.unfamiliar / words
    score = dale_chall(length, unfamiliar)
    return EnglishReadability(
        sentences=counts.sentences,
        words=words,
        words_per_sentence=length,
        syllables_per_word=syllabic,
        unfamiliar=unfamiliar,
        dale_chall=score,
        grades=grades(score),
        flesch=flesch(length, syllabic),
        flesch_kincaid=flesch_kincaid(length, syllabic),
        fog=fog(length, 100 * counts.complex / words),
        smog=smog(counts.polysyllables, counts.sentences),
        ari=ari(counts.characters / words, length),
        coleman_liau=coleman_liau(100 * counts.letters / words, 100 * counts.sentences / words),
    )


def count_english(
    text: str,
    spans: Sequence[Offsets] | None = None,
    *,
    split: Callable[[str], list[str]] = words_as_counted,
    known_names: bool = True,
) -> EnglishCounts | None:
    """Count a passage by its sentences; those without a word (a row of stars) are none."""
    spans = sentences_as_counted(text) if spans is None else spans
    names = names_in(text, spans)
    found = [split(text[start:end]) for start, end in spans]
    spoken = [words for words in found if words]
    words = [word for one in spoken for word in one]
    if not words:
        return None
    lengths = [syllables(word) for word in words]
    return EnglishCounts(
        sentences=len(spoken),
        words=len(words),
        characters=sum(character.isalnum() for word in words for character in word),
        letters=sum(character.isalpha() for word in words for character in word),
        syllables=sum(lengths),
        polysyllables=sum(length >= LONG for length in lengths),
        complex=sum(
            length >= LONG and _is_complex(word, names)
            for word, length in zip(words, lengths, strict=True)
        ),
        unfamiliar=sum(not is_familiar(word, names if known_names else ()) for word in words),
    )


def english_signature(*, known_names: bool = True) -> dict[str, str]:
    """Which rules and lists the numbers rest on."""
    return {
        "sentences": SENTENCE_RULES,
        "words": WORD_RULES,
        "syllables": SYLLABLE_RULES,
        "familiar": FAMILIAR_RULES,
        **({} if known_names else {"names": "unfamiliar"}),
    }


def _is_complex(word: str, names: frozenset[str]) -> bool:
    """Gunning leaves out names, compounds of short words, and what -ed or -es made long."""
    if word in names or word.removesuffix("'s") in names:
        return False
    if "-" in word:
        return any(syllables(part) >= LONG for part in word.split("-"))
    if word.endswith(("ed", "es")):
        return min(syllables(word[:-1]), syllables(word[:-2])) >= LONG
    return True
