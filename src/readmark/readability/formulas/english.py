"""English passages by the classic formulas, each as its paper has it."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from readmark.core.records import Offsets
from readmark.readability import prose
from readmark.readability.formulas.english_words import (
    SENTENCE_RULES,
    WORD_RULES,
    sentences_as_counted,
    words_as_counted,
)
from readmark.readability.formulas.familiar import FAMILIAR_RULES, is_familiar, names_in
from readmark.readability.formulas.syllables import SYLLABLE_RULES, syllables

_BOUNDS = (5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
GRADES = ("4 and below", "5–6", "7–8", "9–10", "11–12", "13–15", "16+")
"""School grades; a band begins at its bound (7.0 is grades 9–10) and ends before the next."""


def dale_chall(words_per_sentence: float, unfamiliar: float) -> float:
    """Dale and Chall, "A Formula for Predicting Readability" (1948): the raw score.

    ``unfamiliar`` is the percentage of words off the list, 0 to 100. The constant is always added,
    as in "Design and Development of a Bilingual Reading Comprehension Corpus"; some programs add it
    only above 5%.
    """
    return 0.0496 * words_per_sentence + 0.1579 * unfamiliar + 3.6365


def grades(score: float) -> str:
    """The school grades that a raw score corresponds to."""
    return GRADES[bisect_right(_BOUNDS, score)]


def flesch(words_per_sentence: float, syllables_per_word: float) -> float:
    """Flesch, "A New Readability Yardstick" (1948): about 0 to 100, higher is easier."""
    return 206.835 - 1.015 * words_per_sentence - 84.6 * syllables_per_word


def flesch_kincaid(words_per_sentence: float, syllables_per_word: float) -> float:
    """Kincaid et al., "Derivation of New Readability Formulas" (1975): a school grade."""
    return 0.39 * words_per_sentence + 11.8 * syllables_per_word - 15.59


def fog(words_per_sentence: float, complex_words: float) -> float:
    """Gunning, "The Technique of Clear Writing" (1952): years of school.

    ``complex_words`` is the percentage of words of three syllables or more without names,
    compounds of short words, and forms that -ed or -es made so long.
    """
    return 0.4 * (words_per_sentence + complex_words)


def smog(polysyllables: int, sentences: int) -> float:
    """McLaughlin, "SMOG Grading: a New Readability Formula" (1969): years of school.

    Made for 30 sentences: the count of other numbers of sentences is scaled to that.
    """
    return 1.0430 * math.sqrt(polysyllables * 30 / sentences) + 3.1291


def ari(characters_per_word: float, words_per_sentence: float) -> float:
    """Automated Readability Index, Smith and Senter (1967): a school grade; digits count."""
    return 4.71 * characters_per_word + 0.5 * words_per_sentence - 21.43


def coleman_liau(letters_per_100_words: float, sentences_per_100_words: float) -> float:
    """Coleman and Liau, "A Computer Readability Formula Designed for Machine Scoring" (1975)."""
    return 0.0588 * letters_per_100_words - 0.296 * sentences_per_100_words - 15.8


LONG = 3
"""Syllables that make a word long, for Gunning as for McLaughlin."""


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
    words_per_sentence = words / counts.sentences
    syllables_per_word = counts.syllables / words
    unfamiliar = 100 * counts.unfamiliar / words
    score = dale_chall(words_per_sentence, unfamiliar)
    return EnglishReadability(
        sentences=counts.sentences,
        words=words,
        words_per_sentence=words_per_sentence,
        syllables_per_word=syllables_per_word,
        unfamiliar=unfamiliar,
        dale_chall=score,
        grades=grades(score),
        flesch=flesch(words_per_sentence, syllables_per_word),
        flesch_kincaid=flesch_kincaid(words_per_sentence, syllables_per_word),
        fog=fog(words_per_sentence, 100 * counts.complex / words),
        smog=smog(counts.polysyllables, counts.sentences),
        ari=ari(counts.characters / words, words_per_sentence),
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
    split_sentences = [split(text[start:end]) for start, end in spans]
    sentences = [sentence for sentence in split_sentences if sentence]
    words = [word for sentence in sentences for word in sentence]
    if not words:
        return None
    lengths = [syllables(word) for word in words]
    return EnglishCounts(
        sentences=len(sentences),
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
