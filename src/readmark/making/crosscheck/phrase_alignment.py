"""Which English noun phrase says the same as which Chinese one, within a pair of sentences.

Each pair of phrases is scored by its words, figures, pronouns, entity types and order, and the
one-to-one pairs with the highest sum of scores are taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.making.crosscheck.translations import Translations
from readmark.statistics.assignment import best_assignment
from readmark.text.bilingual import words_with_senses
from readmark.text.script import simplified
from readmark.text.stems import stem

# Set on two labelled passages of the bundled reading test and counted on four others.
WEIGHTS = {"words": 1.0, "figures": 0.8, "pronoun": 0.8, "type": 0.35, "order": 0.3}
OTHER_TYPE = -0.3
"""Added for two entities of different types, which seldom say the same."""
ENOUGH = 0.45
"""The score that a pair must reach: more than the order alone can give."""

_PRONOUN_FORMS = {
    "i me my mine myself": "我 俺 本人",
    "you your yours": "你 您 你们 您们",
    "he him his himself": "他 自己",
    "she her hers herself": "她 自己",
    "it its itself": "它 其 自己",
    "we us our ours": "我们 咱们 咱 我",
    "they them their theirs": "他们 她们 它们 它",
    "this": "这",
    "that": "那",
    "these those": "这些 那些",
    "nobody": "谁 没人 无人",
    "nothing": "什么",
    "some somebody someone": "有人 有些",
}
PRONOUNS = {
    english: tuple(chinese.split())
    for forms, chinese in _PRONOUN_FORMS.items()
    for english in forms.split()
}
_CHINESE_PRONOUNS = {form for forms in PRONOUNS.values() for form in forms}
_FUNCTION_WORDS = frozenset("a an the of and or to in at on for with by from as 's".split())  # noqa: SIM905
_FIGURE_OR_LATIN = re.compile(r"[a-z]{2,}|\d+(?:[.,]\d+)*", re.IGNORECASE)
_LIGHT_CHARACTER = re.compile(r"[的了着过们个一\s·]")
"""Chinese characters that say so little that a translation need not account for them."""


@dataclass(frozen=True, slots=True)
class SidePhrase:
    """A noun phrase, its entity type, and where it occurs in its sentences, from 0 to 1."""

    text: str
    type: str | None
    order: float


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A pair of noun phrases, by index, and the weights that favoured it."""

    english: int
    chinese: int
    score: float
    why: tuple[str, ...]


def align(
    english: Sequence[SidePhrase],
    chinese: Sequence[SidePhrase],
    translations: Translations | None = None,
) -> list[AlignedPair]:
    """The best one-to-one pairs of noun phrases, each with a score that is ``ENOUGH``.

    ``translations`` are added to those of the bilingual list. If a single phrase is left on each
    side, and nothing speaks against it, the two make a pair as well.
    """
    if not english or not chinese:
        return []
    candidates = [
        [
            _scored_pair(row, english_phrase, column, chinese_phrase, translations or {})
            for column, chinese_phrase in enumerate(chinese)
        ]
        for row, english_phrase in enumerate(english)
    ]
    weights = [[max(0.0, pair.score - ENOUGH) for pair in row] for row in candidates]
    pairs = [
        candidates[row][column]
        for row, column in best_assignment(weights)
        if candidates[row][column].score >= ENOUGH
    ]
    left_english = set(range(len(english))) - {pair.english for pair in pairs}
    left_chinese = set(range(len(chinese))) - {pair.chinese for pair in pairs}
    if len(left_english) == len(left_chinese) == 1:
        row, column = left_english.pop(), left_chinese.pop()
        if _may_pair(english[row], chinese[column]):
            pairs.append(AlignedPair(row, column, 0.0, ("left",)))
    return sorted(pairs, key=lambda pair: (pair.chinese, pair.english))


def _may_pair(english: SidePhrase, chinese: SidePhrase) -> bool:
    """Whether nothing speaks against two phrases: types, figures, a pronoun on one side only."""
    if english.type != chinese.type or _figures(english.text, chinese.text) < 0:
        return False
    is_english_pronoun = english.text.lower() in PRONOUNS
    return is_english_pronoun == (simplified(chinese.text) in _CHINESE_PRONOUNS)


def _scored_pair(
    row: int, english: SidePhrase, column: int, chinese: SidePhrase, translations: Translations
) -> AlignedPair:
    values = {
        "words": _shared_words(english.text, chinese.text, translations),
        "figures": _figures(english.text, chinese.text),
        "pronoun": _pronoun(english.text, chinese.text),
        "type": float(english.type is not None and english.type == chinese.type),
    }
    score = sum(WEIGHTS[name] * value for name, value in values.items())
    if english.type and chinese.type and english.type != chinese.type:
        score += OTHER_TYPE
    score += WEIGHTS["order"] * (1 - abs(english.order - chinese.order))
    why = tuple(name for name, value in values.items() if value > 0)
    return AlignedPair(row, column, score if why else 0.0, why)


def _shared_words(english: str, chinese: str, translations: Translations) -> float:
    """How much of two phrases are translations of each other.

    The mean of two shares: of English words that have a translation in the Chinese phrase, and of
    Chinese characters that such translations cover.
    """
    text = simplified(chinese)
    words = [
        (word.lower(), senses)
        for word, senses in words_with_senses(english)
        if word.lower() not in _FUNCTION_WORDS
    ]
    is_covered = [False] * len(text)
    matched = 0.0
    for word, senses in words:
        if word in PRONOUNS:
            continue
        listed = {form for sense in senses for form in sense}
        # The longest form first, since it covers most of the Chinese phrase.
        forms = sorted(listed | translations.get(stem(word), frozenset()), key=len, reverse=True)
        longest = next((form for form in forms if form in text), None)
        if longest is not None:
            start = text.index(longest)
            is_covered[start : start + len(longest)] = [True] * len(longest)
            matched += 1
        elif any(len(form) > 1 and form[-1] == text[-1:] for form in forms):
            # A Chinese phrase ends with its head: 书架 and 衣架 are both kinds of 架.
            matched += 0.5
            is_covered[-1] = True
    if not matched:
        return 0.0
    to_cover = [
        covered
        for covered, character in zip(is_covered, text, strict=True)
        if covered or not _LIGHT_CHARACTER.match(character)
    ]
    return (matched / max(1, len(words)) + sum(to_cover) / len(to_cover)) / 2


def content_words(english: str) -> set[str]:
    """The stems of an English phrase's words, without function words and pronouns."""
    return {
        stem(word.lower())
        for word, _ in words_with_senses(english)
        if word.lower() not in _FUNCTION_WORDS and word.lower() not in PRONOUNS
    }


def _figures(english: str, chinese: str) -> float:
    """1 if a figure or Latin word occurs in both phrases, -1 if their figures differ, else 0."""
    in_english, in_chinese = (
        {match.lower() for match in _FIGURE_OR_LATIN.findall(text)} for text in (english, chinese)
    )
    if in_english & in_chinese:
        return 1.0
    both_have_figures = all(
        any(match[0].isdecimal() for match in matches) for matches in (in_english, in_chinese)
    )
    return -1.0 if both_have_figures else 0.0


def _pronoun(english: str, chinese: str) -> float:
    """1 if both are the same pronoun, 0.5 if both begin with it (my pupils, 我的学生), else 0."""
    first, _, rest = english.lower().partition(" ")
    text = simplified(chinese)
    for form in PRONOUNS.get(first, ()):
        if not rest:
            if text == form:
                return 1.0
        elif text.startswith(form) and text != form:
            return 0.5
    return 0.0
