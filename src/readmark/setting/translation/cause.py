"""Why two translations differ: one of the document's five causes, with the words that tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from readmark.setting.translation.contradiction import contradiction
from readmark.setting.translation.cutting import ASK, PART, Word, folded
from readmark.setting.translation.difference import Difference, difference
from readmark.setting.translation.likeness import cosine, related
from readmark.setting.translation.nearness import English
from readmark.text.anaphora import chinese_pronouns, demonstratives
from readmark.text.bilingual import glosses
from readmark.text.synonyms import akin
from readmark.text.voice import passive_marks
from readmark.text.wording import listed

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
MANY = 3
"""So many words without a counterpart make even a likely cause unsure."""


@dataclass(frozen=True, slots=True)
class Suggested:
    """A cause, how sure it is, and the words that speak for it."""

    cause: Cause
    confidence: Confidence
    why: str
    marked: Literal["a", "b"] | None = None
    """Which translation has the passive mark or the pronoun."""
    nearer: Literal["a", "b"] | None = None
    """Which agrees with the English, where a contradiction tells that."""


def suggest_cause(english: str, a: str, b: str) -> tuple[Suggested, Difference]:
    """The likeliest cause of a mismatch."""
    found = difference(a, b)
    if folded(a) == folded(b):
        return Suggested("synonym", "high", "only signs, width or script differ"), found
    source = English(english)
    for rule in (_contradiction, _voice, _anaphora, _unaccounted, _described):
        suggested = rule(source, a, b, found)
        if suggested is not None:
            return suggested, found
    return _synonym(found), found


def _contradiction(english: English, a: str, b: str, found: Difference) -> Suggested | None:
    """Something that cannot be right in both."""
    found_out = contradiction(english, a, b, found)
    if found_out is None:
        return None
    return Suggested("different_meaning", "high", found_out.why, nearer=found_out.nearer)


def _voice(english: English, a: str, b: str, found: Difference) -> Suggested | None:
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
        marked: Literal["a", "b"] = "a" if marks_a else "b"
        mark = (marks_a or marks_b)[0]
        return Suggested("voice", "low" if perhaps else "high", f"{mark} in {marked} only", marked)
    return None


def _anaphora(english: English, a: str, b: str, found: Difference) -> Suggested | None:
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
        if len(named) > MANY or (rest and not all(_paired(word, named) for word in rest)):
            continue
        against = (
            f"{_joined(named)} in {_other(marked)}" if named else f"nothing in {_other(marked)}"
        )
        sure: Confidence = "high" if len(named) == 1 and pronouns else "low"
        side: Literal["a", "b"] = "a" if marked == "a" else "b"
        return Suggested("anaphora", sure, f"{pronoun} in {marked}, {against}", side)
    return None


def _unaccounted(english: English, a: str, b: str, found: Difference) -> Suggested | None:
    """Words of meaning that neither the English nor the other translation has."""
    astray = _astray(english, found)
    if not astray:
        return None
    own = (*found.content_a, *found.content_b)
    supported = [word for word in own if english.source(word.text) is not None]
    known = [word for word in astray if glosses(word.text)]
    touching = [word for word in known if any(set(word.text) & set(one.text) for one in supported)]
    sure: Confidence = "high" if known and supported and not touching else "low"
    return _differs(f"{_joined(astray)} is neither in the English nor in the other", sure)


def _described(english: English, a: str, b: str, found: Difference) -> Suggested | None:
    """The same in other words or in another order, where no word stands for another."""
    own_a, own_b = found.content_a, found.content_b
    moved = [word for word in found.moved if not word.light]
    if not own_a and not own_b and not moved:
        return None
    sure: Confidence = "low" if len(own_a) + len(own_b) > MANY else "high"
    if own_a and own_b and not _backed(english, own_a, own_b):
        sure = "low"
    if own_a or own_b:
        said = f"{_joined(own_a) or 'nothing'} against {_joined(own_b) or 'nothing'}"
        return Suggested("equivalent_description", sure, said)
    return Suggested("equivalent_description", sure, f"another order: {_joined(moved)}")


def _synonym(found: Difference) -> Suggested:
    if not (found.a or found.b or found.pairs or found.moved):  # 7:30 and 730
        return _differs("the same words with other signs between", "low")
    pairs = [f"{one.a.text} / {one.b.text} ({one.why})" for one in found.pairs]
    light = _joined((*found.a, *found.b))
    sure: Confidence = "high" if all(one.sure for one in found.pairs) else "low"
    return Suggested("synonym", sure, "; ".join(pairs) or f"only light words differ: {light}")


def _astray(english: English, found: Difference) -> list[Word]:
    """Words that only one has, and that neither the English nor the other's words account for."""
    marks = listed("passive") | listed("perhaps_passive") | listed("pronouns")
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


def _backed(english: English, own_a: Sequence[Word], own_b: Sequence[Word]) -> bool:
    """Whether the English or a list knows one of the words; use alone does not tell opposites."""
    return any(english.source(word.text) is not None for word in (*own_a, *own_b)) or any(
        akin(one.text, other.text) for one in own_a for other in own_b
    )


def _spelt_out(word: Word, found: Difference) -> bool:
    """Whether a word beyond the other's only spells out what both say: 天气太冷 beside 太冷."""
    common = {one.text for one in found.words_a if not one.light} & set(_texts(found.words_b))
    return any(cosine(word.text, one) >= SPELT_OUT for one in common)


def _names(word: Word) -> bool:
    return word.tag.startswith(("n", "x", "eng")) or word.tag in ("s", "t", "zg", "j", "i", "l")


def _paired(word: Word, others: Sequence[Word]) -> bool:
    return any(related(word.text, other.text) for other in others)


def _differs(why: str, confidence: Confidence = "high") -> Suggested:
    return Suggested("different_meaning", confidence, why)


def _other(marked: str) -> str:
    return "b" if marked == "a" else "a"


def _joined(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _texts(words: Sequence[Word]) -> list[str]:
    return [word.text for word in words]
