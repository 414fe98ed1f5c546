"""Why two translations differ: the likeliest of the document's causes, with the words that show it.

What contradicts comes first, since a wrong translation may also be passive or have a pronoun.
"Synonyms" comes last: it is what remains when every other word has its counterpart.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from readmark.making.translation.causes import Confidence, Side, Suggestion, listed, other_side
from readmark.making.translation.chinese_words import ASK, PART, ChineseWord, folded, texts
from readmark.making.translation.contradictions import CONTRADICTIONS
from readmark.making.translation.english import EnglishWords
from readmark.making.translation.passive import passive_marks
from readmark.making.translation.pronouns import chinese_pronouns, demonstratives
from readmark.making.translation.word_difference import WordDifference, word_difference
from readmark.making.translation.word_similarity import cosine, related
from readmark.text.bilingual import glosses
from readmark.text.synonyms import akin
from readmark.text.wording import word_list

SPELT_OUT = 0.4
"""The cosine with a word of both from which a word beyond the other's adds no meaning."""
MOST_UNMATCHED = 3
"""More words without a counterpart than this make even a likely cause unsure."""


def likely_cause(english: str, a: str, b: str) -> tuple[Suggestion, WordDifference]:
    """The likeliest cause of a mismatch."""
    differing = word_difference(a, b)
    if folded(a) == folded(b):
        return Suggestion("synonym", "high", "only signs, width or script differ"), differing
    english_words = EnglishWords(english)
    for rule in (*CONTRADICTIONS, _voice, _anaphora, _unaccounted, _described):
        suggested = rule(english_words, a, b, differing)
        if suggested is not None:
            return suggested, differing
    return _synonym(differing), differing


def _voice(english: EnglishWords, a: str, b: str, differing: WordDifference) -> Suggestion | None:
    """A passive mark on one side only, while the rest says the same."""
    if _unaccounted_words(english, differing):
        return None
    for perhaps in (False, True):
        marks_a, marks_b = (
            passive_marks(texts(side), perhaps=perhaps)
            for side in (differing.words_a, differing.words_b)
        )
        if bool(marks_a) == bool(marks_b):
            continue
        content = set(texts((*differing.content_a, *differing.content_b)))
        only_marks_differ = content <= {*marks_a, *marks_b} and bool(differing.moved)
        if perhaps and not only_marks_differ:
            continue
        marked: Side = "a" if marks_a else "b"
        mark = (marks_a or marks_b)[0]
        return Suggestion("voice", "low" if perhaps else "high", f"{mark} in {marked} only", marked)
    return None


def _anaphora(
    english: EnglishWords, a: str, b: str, differing: WordDifference
) -> Suggestion | None:
    """A pronoun on one side where the other has a name, a noun or nothing."""
    sides: tuple[tuple[Side, Sequence[ChineseWord], Sequence[ChineseWord]], ...] = (
        ("a", differing.a, differing.b),
        ("b", differing.b, differing.a),
    )
    for marked, side, others in sides:
        names = [word for word in others if not word.light and _is_noun(word)]
        pronouns = chinese_pronouns(texts(side))
        pointing = demonstratives(texts(side)) if names else []
        if not (pronouns or pointing):
            continue
        rest = [word for word in side if not word.light and word.text not in pronouns + pointing]
        if any(not word.light and not _is_noun(word) for word in (*rest, *others)):
            continue
        if len(names) > MOST_UNMATCHED or not all(
            any(related(word.text, name.text) for name in names) for word in rest
        ):
            continue
        confidence: Confidence = "high" if len(names) == 1 and pronouns else "low"
        against = f"{listed(texts(names))} in {other_side(marked)}"
        why = f"{(pronouns or pointing)[0]} in {marked}, {against}"
        return Suggestion("anaphora", confidence, why, marked)
    return None


def _unaccounted(
    english: EnglishWords, a: str, b: str, differing: WordDifference
) -> Suggestion | None:
    """Words of meaning that neither the English nor the other translation has."""
    unaccounted = _unaccounted_words(english, differing)
    if not unaccounted:
        return None
    content = (*differing.content_a, *differing.content_b)
    supported = [word for word in content if english.source(word.text) is not None]
    in_list = [word for word in unaccounted if glosses(word.text)]
    share_characters = any(
        set(word.text) & set(other.text) for word in in_list for other in supported
    )
    confidence: Confidence = "high" if in_list and supported and not share_characters else "low"
    why = f"{listed(texts(unaccounted))} is neither in the English nor in the other"
    return Suggestion("different_meaning", confidence, why)


def _described(
    english: EnglishWords, a: str, b: str, differing: WordDifference
) -> Suggestion | None:
    """The same in other words or in another order, where no word stands for another."""
    content_a, content_b = differing.content_a, differing.content_b
    moved = [word for word in differing.moved if not word.light]
    if not content_a and not content_b and not moved:
        return None
    confidence: Confidence = "low" if len(content_a) + len(content_b) > MOST_UNMATCHED else "high"
    if content_a and content_b and not _is_backed(english, content_a, content_b):
        confidence = "low"
    if content_a or content_b:
        why = f"{listed(texts(content_a))} against {listed(texts(content_b))}"
    else:
        why = f"another order: {listed(texts(moved))}"
    return Suggestion("equivalent_description", confidence, why)


def _synonym(differing: WordDifference) -> Suggestion:
    if not (differing.a or differing.b or differing.pairs or differing.moved):  # 7:30 and 730
        why = "the same words with other signs between"
        return Suggestion("different_meaning", "low", why)
    pairs = [f"{pair.a.text} / {pair.b.text} ({pair.why})" for pair in differing.pairs]
    light = " ".join(texts((*differing.a, *differing.b)))
    confidence: Confidence = "high" if all(pair.sure for pair in differing.pairs) else "low"
    why = "; ".join(pairs) or f"only light words differ: {light}"
    return Suggestion("synonym", confidence, why)


def _unaccounted_words(english: EnglishWords, differing: WordDifference) -> list[ChineseWord]:
    """Words that only one has, and that neither the English nor the other's words account for."""
    marks = word_list("passive") | word_list("perhaps_passive") | word_list("pronouns")
    return [
        word
        for side, others in (
            (differing.content_a, differing.content_b),
            (differing.content_b, differing.content_a),
        )
        for word in side
        if word.text not in marks
        and word.tag not in (ASK, PART)  # what is asked was compared by the contradictions
        and english.source(word.text) is None
        and not any(related(word.text, other.text) for other in others)
        and (others or not _is_spelt_out(word, differing))
    ]


def _is_backed(
    english: EnglishWords, content_a: Sequence[ChineseWord], content_b: Sequence[ChineseWord]
) -> bool:
    """Whether the English or a list knows one of the words; use alone does not show opposites."""
    return any(english.source(word.text) is not None for word in (*content_a, *content_b)) or any(
        akin(word_a, word_b) for word_a, word_b in product(texts(content_a), texts(content_b))
    )


def _is_spelt_out(word: ChineseWord, differing: WordDifference) -> bool:
    """Whether a word beyond the other's only spells out what both say: 天气太冷 for 太冷."""
    content = {other.text for other in differing.words_a if not other.light}
    in_both = content & set(texts(differing.words_b))
    return any(cosine(word.text, other) >= SPELT_OUT for other in in_both)


def _is_noun(word: ChineseWord) -> bool:
    """Whether jieba's tag is one of names and nouns, with all that it calls idiom or unknown."""
    return word.tag.startswith(("n", "x", "eng")) or word.tag in ("s", "t", "zg", "j", "i", "l")
