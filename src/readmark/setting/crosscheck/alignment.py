"""Which English noun phrase says the same as which Chinese one, within a pair of sentences.

Words of the small bilingual list, figures and Latin letters, pronouns, entity types, and the order
in the sentence: enough to show people where to look, not a translation model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.measures.assignment import best_assignment
from readmark.setting.crosscheck.together import Translations
from readmark.text.bilingual import said
from readmark.text.simplified import simplified
from readmark.text.stems import stem

WEIGHTS = {"words": 1.0, "figures": 0.8, "pronoun": 0.8, "type": 0.35, "order": 0.3}
OTHER_TYPE = -0.3
"""Two entities of different types seldom say the same."""
ENOUGH = 0.45
"""What a pair must reach: the order alone is never enough."""

_PRONOUNS = {
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
    for forms, chinese in _PRONOUNS.items()
    for english in forms.split()
}
_FUNCTION = frozenset("a an the of and or to in at on for with by from as 's".split())  # noqa: SIM905
_LATIN = re.compile(r"[a-z]{2,}|\d+(?:[.,]\d+)*", re.IGNORECASE)
_FIGURE = re.compile(r"\d")
_EMPTY = re.compile(r"[的了着过们个一\s·]")
"""Chinese characters that say too little to count as not covered."""


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase, its entity type, and where it stands in its sentences, from 0 to 1."""

    text: str
    type: str | None
    order: float


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Two noun phrases, by their places in their lists, with a score and what spoke for it."""

    english: int
    chinese: int
    score: float
    why: tuple[str, ...]


def align(
    english: Sequence[NounPhrase],
    chinese: Sequence[NounPhrase],
    known: Translations | None = None,
) -> list[AlignedPair]:
    """The best one-to-one pairs of noun phrases that say enough of the same.

    ``known`` has translations that the list does not have. Where a single phrase is left on each
    side, of no contrary type, the two go together.
    """
    if not english or not chinese:
        return []
    found = [
        [_pair(at, one, to, other, known or {}) for to, other in enumerate(chinese)]
        for at, one in enumerate(english)
    ]
    weights = [[max(0.0, one.score - ENOUGH) for one in row] for row in found]
    pairs = [found[at][to] for at, to in best_assignment(weights) if found[at][to].score >= ENOUGH]
    left = [at for at in range(len(english)) if all(at != pair.english for pair in pairs)]
    alone = [to for to in range(len(chinese)) if all(to != pair.chinese for pair in pairs)]
    if len(left) == len(alone) == 1 and _may_pair(english[left[0]], chinese[alone[0]]):
        pairs.append(AlignedPair(left[0], alone[0], 0.0, ("left",)))
    return sorted(pairs, key=lambda pair: (pair.chinese, pair.english))


def _may_pair(english: NounPhrase, chinese: NounPhrase) -> bool:
    """Whether nothing speaks against two phrases: types, figures, a pronoun on one side only."""
    if english.type != chinese.type or _figures(english.text, chinese.text) < 0:
        return False
    pronouns = {form for forms in PRONOUNS.values() for form in forms}
    return (english.text.lower() in PRONOUNS) == (simplified(chinese.text) in pronouns)


def _pair(
    at: int, english: NounPhrase, to: int, chinese: NounPhrase, known: Translations
) -> AlignedPair:
    parts = {
        "words": _words(english.text, chinese.text, known),
        "figures": _figures(english.text, chinese.text),
        "pronoun": _pronoun(english.text, chinese.text),
        "type": float(english.type is not None and english.type == chinese.type),
    }
    score = sum(WEIGHTS[name] * value for name, value in parts.items())
    if english.type and chinese.type and english.type != chinese.type:
        score += OTHER_TYPE
    score += WEIGHTS["order"] * (1 - abs(english.order - chinese.order))
    why = tuple(name for name, value in parts.items() if value > 0)
    return AlignedPair(at, to, score if why else 0.0, why)


def _words(english: str, chinese: str, known: Translations) -> float:
    """How much of the two phrases the bilingual list makes the same."""
    text = simplified(chinese)
    wanted = [(word, senses) for word, senses in said(english) if word.lower() not in _FUNCTION]
    covered = [False] * len(text)
    matched = 0.0
    for word, senses in wanted:
        if word.lower() in PRONOUNS:
            continue
        listed = {one for sense in senses for one in sense}
        forms = sorted(listed | known.get(stem(word.lower()), frozenset()), key=len, reverse=True)
        best = next((form for form in forms if form in text), None)
        if best is not None:
            start = text.index(best)
            covered[start : start + len(best)] = [True] * len(best)
            matched += 1
        elif any(len(form) > 1 and form[-1] == text[-1:] for form in forms):
            matched += 0.5  # 书架 for 架子's like: the last character is the head's
            covered[-1] = True
    if not matched:
        return 0.0
    full = [at for at, sign in enumerate(text) if covered[at] or not _EMPTY.match(sign)]
    share = sum(covered[at] for at in full) / len(full)
    return (matched / max(1, len(wanted)) + share) / 2


def content_words(english: str) -> set[str]:
    """The stems of an English phrase's words, less the small ones and the pronouns."""
    return {
        stem(word.lower())
        for word, _ in said(english)
        if word.lower() not in _FUNCTION and word.lower() not in PRONOUNS
    }


def _figures(english: str, chinese: str) -> float:
    """Whether the same figures or Latin words stand in both."""
    one, other = ({found.lower() for found in _LATIN.findall(text)} for text in (english, chinese))
    shared = one & other
    if shared:
        return 1.0
    return -1.0 if any(map(_FIGURE.match, one)) and any(map(_FIGURE.match, other)) else 0.0


def _pronoun(english: str, chinese: str) -> float:
    """The same pronoun alone, or at the beginning of both (my pupils, 我的学生)."""
    first, _, rest = english.lower().partition(" ")
    text = simplified(chinese)
    for form in PRONOUNS.get(first, ()):
        if not rest:
            if text == form:
                return 1.0
        elif text.startswith(form) and text != form:
            return 0.5
    return 0.0
