"""What two translations cannot both be right about, and with which of them the English is.

Numbers, negations, questions, persons, opposites, and who does what to whom: each of them changes
the meaning, however alike the other words are.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

from readmark.making.translation.causes import Side, Suggestion
from readmark.making.translation.chinese_words import ASK, ChineseWord, texts
from readmark.making.translation.english import EnglishWords
from readmark.making.translation.passive import english_passive, passive_marks
from readmark.making.translation.pronouns import (
    chinese_pronouns,
    english_pronouns,
    pronouns_agree,
)
from readmark.making.translation.word_difference import WordDifference
from readmark.text.bilingual import words_with_senses
from readmark.text.questions.same_question import asked_in_chinese, asks_the_same
from readmark.text.synonyms import contrast
from readmark.text.wording import word_list
from readmark.text.words import words

ContradictionRule = Callable[[EnglishWords, str, str, WordDifference], Suggestion | None]
"""What a rule makes of the English, translation A, translation B and the words that differ."""

_NO = frozenset({"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without"})
_DIGITS = re.compile(r"(?:(?<!\w)[-−])?\d+(?:,\d{3})*(?:\.\d+)?")
_BELOW = re.compile(r"\bminus\b|\bbelow zero\b", re.IGNORECASE)
_SCALE = 100
"""The least number that multiplies the one before it: two million."""
_DO = frozenset({"do", "does", "did"})


def _contradiction(why: str, nearer: Side | None = None) -> Suggestion:
    return Suggestion("different_meaning", "high", why, nearer=nearer)


def _more(a: int, b: int) -> Side | None:
    return None if a == b else "a" if a > b else "b"


def _numbers(english: EnglishWords, a: str, b: str, differing: WordDifference) -> Suggestion | None:
    numbers_a, numbers_b = (
        [word.number for word in side if word.number is not None]
        for side in (differing.a, differing.b)
    )
    if not numbers_a or not numbers_b:
        return None
    expected = _english_numbers(english.text)
    nearer = _more(len(expected & set(numbers_a)), len(expected & set(numbers_b)))
    written_a, written_b = (
        " ".join(f"{number:.10g}" for number in numbers) for numbers in (numbers_a, numbers_b)
    )
    return _contradiction(f"{written_a} against {written_b}", nearer)


def _english_numbers(text: str) -> set[float]:
    """The numbers of an English text, in digits or in words of the list."""
    numbers: set[float] = set()
    before: set[float] = set()
    for word in text.split():
        digits = _DIGITS.findall(word)
        values = {float(digit.replace(",", "").replace("−", "-")) for digit in digits}
        values = values or _number_word(word)
        multiplied = {first * scale for first in before for scale in values if scale >= _SCALE}
        before = multiplied or values
        numbers |= values | before
    return {-number for number in numbers} if _BELOW.search(text) else numbers


def _number_word(word: str) -> set[float]:
    """The numbers that an English word of the list may be: two, million, twenty-five."""
    tens, _, ones = word.partition("-")
    if ones:
        return {ten + unit for ten in _number_word(tens) for unit in _number_word(ones)}
    numbers = (
        ChineseWord(chinese, "m").number
        for _, senses in words_with_senses(word)
        for sense in senses
        for chinese in sense
    )
    return {number for number in numbers if number is not None}


def _negations(
    english: EnglishWords, a: str, b: str, differing: WordDifference
) -> Suggestion | None:
    negations_a, negations_b = (
        [word.text for word in side if word.text in word_list("negations")]
        for side in (differing.words_a, differing.words_b)
    )
    # Two negations are none: only an odd one makes the contrary.
    if len(negations_a) % 2 == len(negations_b) % 2:
        return None
    in_english = sum(
        word in _NO or word.endswith(("n't", "n’t")) for word in words(english.text, "en")
    )
    nearer: Side = "a" if len(negations_a) % 2 == in_english % 2 else "b"
    negation = (negations_a or negations_b)[0]
    return _contradiction(f"{negation} in {'a' if negations_a else 'b'} only", nearer)


def _questions(
    english: EnglishWords, a: str, b: str, differing: WordDifference
) -> Suggestion | None:
    asked_a, asked_b = asked_in_chinese(a), asked_in_chinese(b)
    if asks_the_same(asked_a, asked_b):
        return None
    return _contradiction(f"a asks {'/'.join(sorted(asked_a))}, b asks {'/'.join(sorted(asked_b))}")


def _persons(english: EnglishWords, a: str, b: str, differing: WordDifference) -> Suggestion | None:
    pronouns_a, pronouns_b = (chinese_pronouns(texts(side)) for side in (differing.a, differing.b))
    if not pronouns_a or not pronouns_b:
        return None
    in_english = english_pronouns(english.text)
    agrees_a, agrees_b = (
        any(pronouns_agree(pronoun, side[0]) for pronoun in in_english)
        for side in (pronouns_a, pronouns_b)
    )
    return _contradiction(f"{pronouns_a[0]} against {pronouns_b[0]}", _more(agrees_a, agrees_b))


def _opposites(
    english: EnglishWords, a: str, b: str, differing: WordDifference
) -> Suggestion | None:
    for side, side_words in (("a", differing.a), ("b", differing.b)):
        for word in side_words:
            if word.denies:
                return _contradiction(f"{word.text} in {side} only")
    for word_a, word_b in product(texts(differing.a), texts(differing.b)):
        parts = contrast(word_a, word_b)
        if parts is not None:
            # Where parts of the words are opposites, as 南 in 南方, the English may have one.
            nearer = _with_part(english, *parts) if parts != (word_a, word_b) else None
            return _contradiction(f"{word_a} against {word_b}", nearer)
    return None


def _with_part(english: EnglishWords, part_a: str, part_b: str) -> Side | None:
    """Which of two parts of words occurs in a translation of a word of the English."""
    translations = [form for _, forms in english.words for form in forms]
    in_a, in_b = (any(part in form for form in translations) for part in (part_a, part_b))
    return _more(in_a, in_b)


def _roles(english: EnglishWords, a: str, b: str, differing: WordDifference) -> Suggestion | None:
    """Two words that are on different sides of a verb, each where the other was."""
    texts_a, texts_b = texts(differing.words_a), texts(differing.words_b)
    if passive_marks((*texts_a, *texts_b), perhaps=True):
        return None  # the passive puts who does it after 被: that is a matter of voice
    shared = [word for word in differing.words_a if word.text in texts_b]
    verbs = [word.text for word in shared if word.tag.startswith("v") and not word.light]
    things = [word for word in shared if word.tag.startswith(("n", "r")) or word.tag == ASK]
    for verb, first, last in product(verbs, things, things):
        is_first_in_a = texts_a.index(first.text) < texts_a.index(verb) < texts_a.index(last.text)
        if is_first_in_a and (
            texts_b.index(last.text) < texts_b.index(verb) < texts_b.index(first.text)
        ):
            nearer = _with_doer(english, first, last)
            return _contradiction(f"{first.text} and {last.text} changed sides", nearer)
    return None


def _with_doer(english: EnglishWords, first: ChineseWord, last: ChineseWord) -> Side | None:
    """With which translation the English is when ``first`` is the one who does it in A."""
    passive = english_passive(english.text) is not None
    if ASK in (first.tag, last.tag):
        # "Whom did he call", "who was called": who is asked for is not who does it.
        asked_is_other = bool(_DO & set(words(english.text, "en"))) or passive
        return "a" if (last.tag == ASK) == asked_is_other else "b"
    place_first, place_last = english.source(first.text), english.source(last.text)
    if place_first is None or place_last is None or place_first == place_last:
        return None
    return "a" if (place_first < place_last) != passive else "b"


CONTRADICTIONS: tuple[ContradictionRule, ...] = (
    _numbers,
    _negations,
    _questions,
    _persons,
    _opposites,
    _roles,
)
"""The rules, those whose evidence is plainest first."""
