"""Which of two translations to adopt: the document's rules for each cause, against the English."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.setting.adjudication import Choice
from readmark.setting.translation.cause import Cause, Confidence, Suggested, suggest_cause
from readmark.setting.translation.difference import Difference
from readmark.setting.translation.nearness import English, Nearness, nearness
from readmark.text.anaphora import chinese_pronouns, english_pronouns, says
from readmark.text.voice import english_passive


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What is suggested of a mismatch: cause, adoption, how sure, and why."""

    cause: Cause
    adopt: Choice | None
    confidence: Confidence
    why: str


def suggest(english: str, a: str, b: str) -> Suggestion:
    """Suggest the cause of a mismatch and the translation to adopt."""
    found, differing = suggest_cause(english, a, b)
    if found.cause == "synonym":
        return Suggestion("synonym", "either", found.confidence, found.why)
    if found.cause == "voice":
        return _by_voice(english, found)
    if found.cause == "anaphora":
        return _by_reference(english, a, b, found, differing)
    return _by_meaning(english, a, b, found, differing)


def _by_voice(english: str, found: Suggested) -> Suggestion:
    passive = english_passive(english)
    marked = found.marked or "a"
    adopt: Choice = marked if passive else _other(marked)
    voice = f"passive ({passive})" if passive else "active"
    return Suggestion("voice", adopt, found.confidence, f"{found.why}; the English is {voice}")


def _by_reference(
    english: str, a: str, b: str, found: Suggested, differing: Difference
) -> Suggestion:
    """The one with about as many pronouns as the English has."""
    pronouns = english_pronouns(english)
    marked = found.marked or "a"
    own = differing.a if marked == "a" else differing.b
    pronoun = next(iter(chinese_pronouns(word.text for word in own)), None)
    if pronoun is None:  # 该, 此: as the English names or points
        return _by_meaning(english, a, b, found, differing)
    counts = {
        side: len(chinese_pronouns(word.text for word in words))
        for side, words in (("a", differing.words_a), ("b", differing.words_b))
    }
    far_a, far_b = (abs(len(pronouns) - counts[side]) for side in ("a", "b"))
    if far_a == far_b:
        agrees = any(says(one, pronoun) for one in pronouns)
        adopt: Choice = marked if agrees else _other(marked)
    else:
        adopt = "a" if far_a < far_b else "b"
    said = ", ".join(dict.fromkeys(pronouns)) or "no pronoun"
    return Suggestion("anaphora", adopt, found.confidence, f"{found.why}; the English has {said}")


def _by_meaning(
    english: str, a: str, b: str, found: Suggested, differing: Difference
) -> Suggestion:
    """The one that has more of the English and less that the English has not."""
    if found.nearer is not None:
        return Suggestion(
            found.cause,
            found.nearer,
            found.confidence,
            f"{found.why}; {found.nearer} agrees with the English",
        )
    source = English(english)
    near_a = nearness(source, a, differing.words_a, differing.a)
    near_b = nearness(source, b, differing.words_b, differing.b)
    if near_a.score == near_b.score:
        equal = f"{found.why}; by the word list both are as near to the English"
        if found.cause == "different_meaning":
            return Suggestion(found.cause, None, "low", equal)
        return Suggestion(found.cause, "either", found.confidence, equal)
    adopt: Choice = "a" if near_a.score > near_b.score else "b"
    better, worse = (near_a, near_b) if adopt == "a" else (near_b, near_a)
    why = _told(found.why, adopt, better, worse)
    return Suggestion(found.cause, adopt, found.confidence, why)


def _told(why: str, adopt: str, better: Nearness, worse: Nearness) -> str:
    more = [word for word in better.covered if word not in worse.covered]
    said = f"{adopt} has more of the English: {', '.join(more)}" if more else f"{adopt} is nearer"
    return f"{why}; {said}"


def _other(side: str) -> Choice:
    return "b" if side == "a" else "a"
