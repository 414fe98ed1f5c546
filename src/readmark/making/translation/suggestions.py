"""Which of two translations to adopt: the document's rule for each cause, against the English.

"Design and Development of a Bilingual Reading Comprehension Corpus", 4.1: of synonyms "either
translation is acceptable"; the voice is the English question's; a name is adopted where the English
has the name; otherwise "the translation with the equivalent meaning to the English question".
"""

from __future__ import annotations

from dataclasses import replace

from readmark.making.translation.causes import Suggestion, other_side
from readmark.making.translation.chinese_words import texts
from readmark.making.translation.english import EnglishWords, match_english
from readmark.making.translation.likely_cause import likely_cause
from readmark.making.translation.passive import english_passive
from readmark.making.translation.pronouns import (
    chinese_pronouns,
    english_pronouns,
    pronouns_agree,
)
from readmark.making.translation.word_difference import WordDifference
from readmark.settling import ChosenSide


def suggest(english: str, a: str, b: str) -> Suggestion:
    """Suggest the cause of a mismatch and the translation to adopt."""
    suggestion, differing = likely_cause(english, a, b)
    if suggestion.cause == "synonym":
        return replace(suggestion, adopt="either")
    if suggestion.cause == "voice":
        return _by_voice(english, suggestion)
    if suggestion.cause == "anaphora":
        return _by_reference(english, a, b, suggestion, differing)
    return _by_meaning(english, a, b, suggestion, differing)


def _by_voice(english: str, suggestion: Suggestion) -> Suggestion:
    """The passive one if the English is passive, else the active one."""
    passive = english_passive(english)
    marked = suggestion.marked or "a"  # a cause of voice always says which one is marked
    voice = f"passive ({passive})" if passive else "active"
    adopt = marked if passive else other_side(marked)
    return replace(suggestion, adopt=adopt, why=f"{suggestion.why}; the English is {voice}")


def _by_reference(
    english: str, a: str, b: str, suggestion: Suggestion, differing: WordDifference
) -> Suggestion:
    """The one with about as many pronouns as the English has."""
    pronouns = english_pronouns(english)
    marked = suggestion.marked or "a"
    only_marked = differing.a if marked == "a" else differing.b
    pronoun = next(iter(chinese_pronouns(texts(only_marked))), None)
    if pronoun is None:  # 该, 此: as the English names or points
        return _by_meaning(english, a, b, suggestion, differing)
    distance_a, distance_b = (
        abs(len(pronouns) - len(chinese_pronouns(texts(side))))
        for side in (differing.words_a, differing.words_b)
    )
    adopt: ChosenSide = "a" if distance_a < distance_b else "b"
    if distance_a == distance_b:
        agrees = any(pronouns_agree(in_english, pronoun) for in_english in pronouns)
        adopt = marked if agrees else other_side(marked)
    listed = ", ".join(dict.fromkeys(pronouns)) or "no pronoun"
    return replace(suggestion, adopt=adopt, why=f"{suggestion.why}; the English has {listed}")


def _by_meaning(
    english: str, a: str, b: str, suggestion: Suggestion, differing: WordDifference
) -> Suggestion:
    """The one that has more of the English and less that the English has not."""
    if suggestion.nearer is not None:
        why = f"{suggestion.why}; {suggestion.nearer} agrees with the English"
        return replace(suggestion, adopt=suggestion.nearer, why=why)
    english_words = EnglishWords(english)
    score_a, matched_a = match_english(english_words, a, differing.words_a, differing.a)
    score_b, matched_b = match_english(english_words, b, differing.words_b, differing.b)
    if score_a == score_b:
        why = f"{suggestion.why}; by the word list both are as near to the English"
        if suggestion.cause == "different_meaning":
            return replace(suggestion, confidence="low", why=why)
        return replace(suggestion, adopt="either", why=why)
    adopt: ChosenSide = "a" if score_a > score_b else "b"
    matched, matched_by_other = (matched_a, matched_b) if adopt == "a" else (matched_b, matched_a)
    more = [word for word in matched if word not in matched_by_other]
    reason = f"{adopt} has more of the English: {', '.join(more)}" if more else f"{adopt} is nearer"
    return replace(suggestion, adopt=adopt, why=f"{suggestion.why}; {reason}")
