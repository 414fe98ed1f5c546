"""Why two translations differ: one of the document's five causes, with the words that show it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from readmark.making.translation.english import (
    EnglishWords,
    chinese_pronouns,
    demonstratives,
    english_passive,
    english_pronouns,
    passive_marks,
    pronouns_agree,
)
from readmark.making.translation.words import (
    ASK,
    PART,
    ChineseWord,
    WordDifference,
    cosine,
    difference,
    folded,
    related,
)
from readmark.settling import ChosenSide
from readmark.text.bilingual import glosses, words_with_senses
from readmark.text.questions.same_question import asked_in_chinese, asks_the_same
from readmark.text.synonyms import akin, contrast
from readmark.text.wording import word_list
from readmark.text.words import words

Side = Literal["a", "b"]
Cause = Literal["synonym", "equivalent_description", "voice", "anaphora", "different_meaning"]
CAUSES: tuple[Cause, ...] = (
    "synonym",
    "equivalent_description",
    "voice",
    "anaphora",
    "different_meaning",
)
"""In the order of "Design and Development of a Bilingual Reading Comprehension Corpus", 4.1."""
Confidence = Literal["high", "low"]

SPELT_OUT = 0.4
"""The cosine with a word of both from which a word beyond the other's adds no meaning."""
MOST_UNMATCHED = 3
"""So many words without a counterpart make even a likely cause unsure."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is suggested of a mismatch: a cause, how sure it is, why, and what to adopt."""

    cause: Cause
    confidence: Confidence
    why: str
    marked: Side | None = None
    """Which translation has the passive mark or the pronoun."""
    nearer: Side | None = None
    """Which agrees with the English, where a contradiction shows that."""
    adopt: ChosenSide | None = None
    """The version to adopt; None until it is chosen, or where nothing speaks for either."""


def _contradicts(why: str, nearer: Side | None = None) -> Suggestion:
    """Something that cannot be right in both."""
    return Suggestion("different_meaning", "high", why, nearer=nearer)


# What two translations cannot both be right about, and with which of them the English is.


_NO = frozenset({"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without"})
_DIGITS = re.compile(r"(?:(?<!\w)[-−])?\d+(?:,\d{3})*(?:\.\d+)?")
_BELOW = re.compile(r"\bminus\b|\bbelow zero\b", re.IGNORECASE)
_SCALE = 100
"""The least number that multiplies the one before it: two million."""
_DO = frozenset({"do", "does", "did"})


def _numbers(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    in_a, in_b = _counted(found.a), _counted(found.b)
    if not in_a or not in_b:
        return None
    known = _english_numbers(english.text)
    right = _more(len(known & set(in_a)), len(known & set(in_b)))
    return _contradicts(f"{_joined(in_a)} against {_joined(in_b)}", right)


def _negations(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    in_a, in_b = (
        [word.text for word in side if word.text in word_list("negations")]
        for side in (found.words_a, found.words_b)
    )
    if len(in_a) % 2 == len(in_b) % 2:
        return None
    denied = sum(word in _NO or word.endswith(("n't", "n’t")) for word in words(english.text, "en"))
    right: Side = "a" if len(in_a) % 2 == denied % 2 else "b"
    return _contradicts(f"{(in_a or in_b)[0]} in {'a' if in_a else 'b'} only", right)


def _questions(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    in_a, in_b = asked_in_chinese(a), asked_in_chinese(b)
    if asks_the_same(in_a, in_b):
        return None
    return _contradicts(f"a asks {'/'.join(sorted(in_a))}, b asks {'/'.join(sorted(in_b))}")


def _persons(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    in_a, in_b = (chinese_pronouns(word.text for word in side) for side in (found.a, found.b))
    if not in_a or not in_b:
        return None
    own = english_pronouns(english.text)
    fits_a, fits_b = (any(pronouns_agree(one, side[0]) for one in own) for side in (in_a, in_b))
    return _contradicts(f"{in_a[0]} against {in_b[0]}", _more(fits_a, fits_b))


def _opposites(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    for side, own in (("a", found.a), ("b", found.b)):
        for word in own:
            if word.denies:
                return _contradicts(f"{word.text} in {side} only")
    for one, other in product(_texts(found.a), _texts(found.b)):
        parts = contrast(one, other)
        if parts is not None:
            nearer = _sayer(english, *parts) if parts != (one, other) else None
            return _contradicts(f"{one} against {other}", nearer)
    return None


def _sayer(english: EnglishWords, part_a: str, part_b: str) -> Side | None:
    """Which of two parts of words occurs in a translation of a word of the English: 南 in 南方."""
    in_a, in_b = (
        any(part in one for _, chinese in english.words for one in chinese)
        for part in (part_a, part_b)
    )
    return _more(in_a, in_b)


def _roles(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    """Two words that are on different sides of a verb, each where the other was."""
    in_a, in_b = ([word.text for word in side] for side in (found.words_a, found.words_b))
    if passive_marks((*in_a, *in_b), perhaps=True):
        return None
    shared = [word for word in found.words_a if word.text in in_b]
    verbs = [word.text for word in shared if word.tag.startswith("v") and not word.light]
    things = [word for word in shared if word.tag.startswith(("n", "r")) or word.tag == ASK]
    at_a, at_b = in_a.index, in_b.index
    for verb, doer, other in product(verbs, things, things):
        first, last = doer.text, other.text
        if at_a(first) < at_a(verb) < at_a(last) and at_b(last) < at_b(verb) < at_b(first):
            return _contradicts(f"{first} and {last} changed sides", _doer(english, doer, other))
    return None


def _doer(english: EnglishWords, first: ChineseWord, last: ChineseWord) -> Side | None:
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
        own = {float(digit.replace(",", "").replace("−", "-")) for digit in digits}
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
        ChineseWord(chinese, "m").number
        for _, senses in words_with_senses(word)
        for sense in senses
        for chinese in sense
    )
    return {number for number in numbers if number is not None}


def _counted(side: Sequence[ChineseWord]) -> list[float]:
    return [word.number for word in side if word.number is not None]


def _more(a: int, b: int) -> Side | None:
    return None if a == b else "a" if a > b else "b"


def _joined(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.10g}" for number in numbers)


def suggest_cause(english: str, a: str, b: str) -> tuple[Suggestion, WordDifference]:
    """The likeliest cause of a mismatch."""
    differing = difference(a, b)
    if folded(a) == folded(b):
        return Suggestion("synonym", "high", "only signs, width or script differ"), differing
    source = EnglishWords(english)
    contradictions = (_numbers, _negations, _questions, _persons, _opposites, _roles)
    for rule in (*contradictions, _voice, _anaphora, _unaccounted, _described):
        suggested = rule(source, a, b, differing)
        if suggested is not None:
            return suggested, differing
    return _synonym(differing), differing


def _voice(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    """A passive mark on one side only, while the rest says the same."""
    if _astray(english, found):
        return None
    for perhaps in (False, True):
        marks_a, marks_b = (
            passive_marks(_texts(words), perhaps=perhaps)
            for words in (found.words_a, found.words_b)
        )
        if bool(marks_a) == bool(marks_b):
            continue
        own = _texts((*found.content_a, *found.content_b))
        alone = set(own) <= {*marks_a, *marks_b} and bool(found.moved)
        if perhaps and not alone:
            continue
        marked: Side = "a" if marks_a else "b"
        mark = (marks_a or marks_b)[0]
        return Suggestion("voice", "low" if perhaps else "high", f"{mark} in {marked} only", marked)
    return None


def _anaphora(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    """A pronoun on one side where the other has a name, a noun or nothing."""
    for marked, own, others in (("a", found.a, found.b), ("b", found.b, found.a)):
        named = [word for word in others if not word.light and _names(word)]
        pronouns = chinese_pronouns(_texts(own))
        pointing = demonstratives(_texts(own)) if named else []
        if not (pronouns or pointing):
            continue
        pronoun = (pronouns or pointing)[0]
        rest = [word for word in own if not word.light and word.text not in pronouns + pointing]
        if [word for word in (*rest, *others) if not word.light and not _names(word)]:
            continue
        paired = (any(related(word.text, other.text) for other in named) for word in rest)
        if len(named) > MOST_UNMATCHED or not all(paired):
            continue
        against = f"{_cause_joined(named) or 'nothing'} in {_other(marked)}"
        sure: Confidence = "high" if len(named) == 1 and pronouns else "low"
        side: Side = "a" if marked == "a" else "b"
        return Suggestion("anaphora", sure, f"{pronoun} in {marked}, {against}", side)
    return None


def _unaccounted(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    """Words of meaning that neither the English nor the other translation has."""
    astray = _astray(english, found)
    if not astray:
        return None
    own = (*found.content_a, *found.content_b)
    supported = [word for word in own if english.source(word.text) is not None]
    known = [word for word in astray if glosses(word.text)]
    touching = any(set(word.text) & set(other.text) for word in known for other in supported)
    sure: Confidence = "high" if known and supported and not touching else "low"
    return _differs(f"{_cause_joined(astray)} is neither in the English nor in the other", sure)


def _described(english: EnglishWords, a: str, b: str, found: WordDifference) -> Suggestion | None:
    """The same in other words or in another order, where no word stands for another."""
    own_a, own_b = found.content_a, found.content_b
    moved = [word for word in found.moved if not word.light]
    if not own_a and not own_b and not moved:
        return None
    sure: Confidence = "low" if len(own_a) + len(own_b) > MOST_UNMATCHED else "high"
    if own_a and own_b and not _backed(english, own_a, own_b):
        sure = "low"
    if own_a or own_b:
        against = f"{_cause_joined(own_a) or 'nothing'} against {_cause_joined(own_b) or 'nothing'}"
        return Suggestion("equivalent_description", sure, against)
    return Suggestion("equivalent_description", sure, f"another order: {_cause_joined(moved)}")


def _synonym(found: WordDifference) -> Suggestion:
    if not (found.a or found.b or found.pairs or found.moved):  # 7:30 and 730
        return _differs("the same words with other signs between", "low")
    pairs = [f"{pair.a.text} / {pair.b.text} ({pair.why})" for pair in found.pairs]
    light = _cause_joined((*found.a, *found.b))
    sure: Confidence = "high" if all(pair.sure for pair in found.pairs) else "low"
    return Suggestion("synonym", sure, "; ".join(pairs) or f"only light words differ: {light}")


def _astray(english: EnglishWords, found: WordDifference) -> list[ChineseWord]:
    """Words that only one has, and that neither the English nor the other's words account for."""
    marks = word_list("passive") | word_list("perhaps_passive") | word_list("pronouns")
    return [
        word
        for own, others in (
            (found.content_a, found.content_b),
            (found.content_b, found.content_a),
        )
        for word in own
        if word.text not in marks
        and word.tag not in (ASK, PART)  # what is asked was compared
        and english.source(word.text) is None
        and not any(related(word.text, other.text) for other in others)
        and (others or not _spelt_out(word, found))
    ]


def _backed(
    english: EnglishWords, own_a: Sequence[ChineseWord], own_b: Sequence[ChineseWord]
) -> bool:
    """Whether the English or a list knows one of the words; use alone does not show opposites."""
    return any(english.source(word.text) is not None for word in (*own_a, *own_b)) or any(
        akin(one, other) for one, other in product(_texts(own_a), _texts(own_b))
    )


def _spelt_out(word: ChineseWord, found: WordDifference) -> bool:
    """Whether a word beyond the other's only spells out what both say: 天气太冷 for 太冷."""
    heavy = (word.text for word in found.words_a if not word.light)
    common = set(heavy) & set(_texts(found.words_b))
    return any(cosine(word.text, one) >= SPELT_OUT for one in common)


def _names(word: ChineseWord) -> bool:
    return word.tag.startswith(("n", "x", "eng")) or word.tag in ("s", "t", "zg", "j", "i", "l")


def _differs(why: str, confidence: Confidence = "high") -> Suggestion:
    return Suggestion("different_meaning", confidence, why)


def _other(marked: str) -> str:
    return "b" if marked == "a" else "a"


def _cause_joined(words: Sequence[ChineseWord]) -> str:
    return " ".join(word.text for word in words)


def _texts(words: Sequence[ChineseWord]) -> list[str]:
    return [word.text for word in words]
