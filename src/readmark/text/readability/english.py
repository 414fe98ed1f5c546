"""English passages by the classic formulas."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.text import sentences as sentence_rules
from readmark.text import words as word_rules
from readmark.text.readability import familiar
from readmark.text.readability import syllables as syllable_rules
from readmark.text.readability.dale_chall import dale_chall, grades
from readmark.text.readability.flesch import flesch, flesch_kincaid
from readmark.text.readability.fog import fog, smog
from readmark.text.readability.letters import ari, coleman_liau
from readmark.text.readability.syllables import syllables

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
        "familiar": familiar.source(),
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
