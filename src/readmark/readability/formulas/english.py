"""English passages by the classic formulas."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from readmark.readability.formulas import english_words as familiar
from readmark.readability.formulas import english_words as syllable_rules
from readmark.readability.formulas.english_words import syllables
from readmark.text import sentences as sentence_rules
from readmark.text import words as word_rules

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
    """The school grades that a raw score stands for."""
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


def english_readability(text: str) -> EnglishReadability | None:
    """All formulas of a passage; None where there is no word."""
    counts = count_english(text)
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


def count_english(text: str) -> EnglishCounts | None:
    """Count a passage; sentences without a word (a row of stars) are none."""
    spans = sentence_rules.sentences(text, "en")
    names = familiar.names(text, spans)
    found = [word_rules.words(text[start:end], "en") for start, end in spans]
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
        unfamiliar=sum(not familiar.is_familiar(word, names) for word in words),
    )


def english_signature() -> dict[str, str]:
    """Which rules and lists the numbers rest on."""
    return {
        "sentences": sentence_rules.RULES,
        "words": word_rules.RULES,
        "syllables": syllable_rules.source(),
        "familiar": familiar.familiar_source(),
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
