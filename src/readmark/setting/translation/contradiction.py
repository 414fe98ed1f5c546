"""What two translations cannot both be right about, and with which of them the English is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Literal, NamedTuple

from readmark.setting.translation.cutting import ASK, Word
from readmark.setting.translation.difference import Difference
from readmark.setting.translation.nearness import English
from readmark.text.anaphora import chinese_pronouns, english_pronouns, says
from readmark.text.bilingual import said
from readmark.text.synonyms import contrast
from readmark.text.voice import english_passive, passive_marks
from readmark.text.wording import asked_in_chinese, asks_the_same, listed
from readmark.text.words import words

Side = Literal["a", "b"]

_NO = frozenset({"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without"})
_DIGITS = re.compile(r"(?:(?<!\w)[-−])?\d+(?:,\d{3})*(?:\.\d+)?")
_BELOW = re.compile(r"\bminus\b|\bbelow zero\b", re.IGNORECASE)
_SCALE = 100
"""The least number that multiplies the one before it: two million."""
_DO = frozenset({"do", "does", "did"})


class Contradiction(NamedTuple):
    """What contradicts, and the translation that agrees with the English where that is told."""

    why: str
    nearer: Side | None = None


def contradiction(english: English, a: str, b: str, found: Difference) -> Contradiction | None:
    """Numbers, negations, questions, persons, opposites or roles that cannot agree."""
    for rule in (_numbers, _negations, _questions, _persons, _opposites, _roles):
        contradicts = rule(english, a, b, found)
        if contradicts is not None:
            return contradicts
    return None


def _numbers(english: English, a: str, b: str, found: Difference) -> Contradiction | None:
    in_a, in_b = _counted(found.a), _counted(found.b)
    if not in_a or not in_b:
        return None
    known = _english_numbers(english.text)
    right = _more(len(known & set(in_a)), len(known & set(in_b)))
    return Contradiction(f"{_joined(in_a)} against {_joined(in_b)}", right)


def _negations(english: English, a: str, b: str, found: Difference) -> Contradiction | None:
    in_a, in_b = (
        [word.text for word in side if word.text in listed("negations")]
        for side in (found.words_a, found.words_b)
    )
    if len(in_a) % 2 == len(in_b) % 2:
        return None
    denied = sum(word in _NO or word.endswith(("n't", "n’t")) for word in words(english.text, "en"))
    right: Side = "a" if len(in_a) % 2 == denied % 2 else "b"
    return Contradiction(f"{(in_a or in_b)[0]} in {'a' if in_a else 'b'} only", right)


def _questions(english: English, a: str, b: str, found: Difference) -> Contradiction | None:
    in_a, in_b = asked_in_chinese(a), asked_in_chinese(b)
    if asks_the_same(in_a, in_b):
        return None
    return Contradiction(f"a asks {'/'.join(sorted(in_a))}, b asks {'/'.join(sorted(in_b))}")


def _persons(english: English, a: str, b: str, found: Difference) -> Contradiction | None:
    in_a, in_b = (chinese_pronouns(word.text for word in side) for side in (found.a, found.b))
    if not in_a or not in_b:
        return None
    own = english_pronouns(english.text)
    fits_a, fits_b = (any(says(one, side[0]) for one in own) for side in (in_a, in_b))
    return Contradiction(f"{in_a[0]} against {in_b[0]}", _more(fits_a, fits_b))


def _opposites(english: English, a: str, b: str, found: Difference) -> Contradiction | None:
    for side, own in (("a", found.a), ("b", found.b)):
        for word in own:
            if word.denies:
                return Contradiction(f"{word.text} in {side} only")
    for one, other in product(found.a, found.b):
        parts = contrast(one.text, other.text)
        if parts is not None:
            inside = parts != (one.text, other.text)
            nearer = _sayer(english, *parts) if inside else None
            return Contradiction(f"{one.text} against {other.text}", nearer)
    return None


def _sayer(english: English, part_a: str, part_b: str) -> Side | None:
    """Which of two parts of words stands in a translation of a word of the English: 南 in 南方."""
    in_a, in_b = (
        any(part in one for _, chinese in english.words for one in chinese)
        for part in (part_a, part_b)
    )
    return _more(in_a, in_b)


def _roles(english: English, a: str, b: str, found: Difference) -> Contradiction | None:
    """Two words that stand on different sides of a verb, each where the other was."""
    in_a, in_b = ([word.text for word in side] for side in (found.words_a, found.words_b))
    if passive_marks((*in_a, *in_b), perhaps=True):
        return None
    shared = [word for word in found.words_a if word.text in in_b]
    verbs = [word.text for word in shared if word.tag.startswith("v") and not word.light]
    things = [word for word in shared if word.tag.startswith(("n", "r")) or word.tag == ASK]
    for verb, one, other in product(verbs, things, things):
        first, last = one.text, other.text
        if in_a.index(first) < in_a.index(verb) < in_a.index(last) and in_b.index(
            last
        ) < in_b.index(verb) < in_b.index(first):
            return Contradiction(f"{first} and {last} changed sides", _doer(english, one, other))
    return None


def _doer(english: English, first: Word, last: Word) -> Side | None:
    """With which translation the English is when ``first`` is the one who does it in A."""
    tokens = words(english.text, "en")
    passive = english_passive(english.text) is not None
    if ASK in (first.tag, last.tag):
        # "Whom did he call", "who was called": who is asked for is not who does it.
        asked_is_other = bool(_DO & set(tokens)) or passive
        return "a" if (last.tag == ASK) == asked_is_other else "b"
    places = english.source(first.text), english.source(last.text)
    if places[0] is None or places[1] is None or places[0] == places[1]:
        return None
    return "a" if (places[0] < places[1]) != passive else "b"


def _english_numbers(text: str) -> set[float]:
    """The numbers of an English text, in digits or in words of the list."""
    found: set[float] = set()
    before: set[float] = set()
    for word in text.split():
        digits = _DIGITS.findall(word)
        own = {float(one.replace(",", "").replace("−", "-")) for one in digits}
        own = own or _number_word(word)
        before = {one * by for one in before for by in own if by >= _SCALE} or own
        found |= own | before
    return {-one for one in found} if _BELOW.search(text) else found


def _number_word(word: str) -> set[float]:
    """The numbers that an English word of the list may be: two, million, twenty-five."""
    tens, _, ones = word.partition("-")
    if ones:
        return {ten + one for ten in _number_word(tens) for one in _number_word(ones)}
    numbers = (
        Word(chinese, "m").number
        for _, senses in said(word)
        for sense in senses
        for chinese in sense
    )
    return {number for number in numbers if number is not None}


def _counted(side: Sequence[Word]) -> list[float]:
    return [word.number for word in side if word.number is not None]


def _more(a: int, b: int) -> Side | None:
    return None if a == b else "a" if a > b else "b"


def _joined(numbers: Sequence[float]) -> str:
    return " ".join(f"{one:.10g}" for one in numbers)
