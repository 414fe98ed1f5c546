"""How near a Chinese translation is to the English: which words of it the other has too."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import pairwise

from readmark.core.records import Layer
from readmark.hooks import Analyser
from readmark.making.translation.words import ASK, ChineseWord, word_similarity
from readmark.text.analysers.registry import analyser
from readmark.text.bilingual import words_with_senses
from readmark.text.questions.same_question import (
    asked_in_chinese,
    asked_in_english,
    asks_the_same,
)
from readmark.text.stop_words import STOP_WORDS
from readmark.text.wording import word_list
from readmark.text.words import words

UNSAID = 0.5
"""What a word costs that the English does not have."""
ADJACENT_BONUS = 0.5
"""What two words add if they are adjacent in both."""
ASKED = 1.0
"""What the right question word adds."""

_MORE = """
an for from by with on as did does will would can could may what who whom whose which when where
why how not no if so
"""
_EMPTY = STOP_WORDS["en"] | frozenset(_MORE.split())


class EnglishWords:
    """The content words of an English text with their translations."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [
            (word, tuple(one for sense in senses for one in sense))
            for word, senses in words_with_senses(text)
            if word not in _EMPTY
        ]

    def source(self, word: str) -> int | None:
        """The place of the English word that a Chinese word translates."""
        for index, (_, chinese) in enumerate(self.words):
            if any(word == one or (len(one) > 1 and one in word) for one in chinese):
                return index
        for index, (_, chinese) in enumerate(self.words):
            if any(len(one) > 1 and word_similarity(word, one) for one in chinese):
                return index
        return None


def match_english(
    english: EnglishWords, text: str, words: Sequence[ChineseWord], unshared: Sequence[ChineseWord]
) -> tuple[float, list[str]]:
    """The score of a translation, and the English words that it has.

    ``unshared`` are words that the other translation lacks.
    """
    sources = {word.text: english.source(word.text) for word in words if not word.light}
    covered = {source for source in sources.values() if source is not None}
    asking_words = "".join(word.text for word in words if word.tag == ASK)
    for index, (_, chinese) in enumerate(english.words):
        if any(one in asking_words or (len(one) > 1 and one in text) for one in chinese):
            covered.add(index)
    unsaid = [word.text for word in unshared if not word.light and sources.get(word.text) is None]
    content = [sources[word.text] for word in words if not word.light]
    mine = {word.text for word in unshared}
    which = [word.text for word in words if not word.light]
    together = sum(
        first is not None
        and second is not None
        and second - first == 1
        and bool({which[index], which[index + 1]} & mine)
        for index, (first, second) in enumerate(pairwise(content))
    )
    score = len(covered) + ADJACENT_BONUS * together - UNSAID * len(unsaid)
    asked, asking = asked_in_english(english.text), asked_in_chinese(text)
    if asked and asking:
        score += ASKED if asked & asking else ASKED / 2 if asks_the_same(asked, asking) else 0.0
    return score, [english.words[at][0] for at in sorted(covered)]


# Pronouns of the third person and words that point back, in both languages.


_ENGLISH = """
he him his himself she her hers herself it its itself they them their theirs themselves
this these those
"""
_HERS = {
    "he him his himself": "他",
    "she her hers herself": "她",
    "it its itself": "它",
    "they them their theirs themselves": "他们 她们 它们",
}
"""English pronouns with the Chinese ones that say the same."""


def english_pronouns(text: str) -> list[str]:
    """The pronouns of an English text that refer to somebody or something named elsewhere."""
    return [word for word in words(text, "en") if word in _ENGLISH.split()]


def chinese_pronouns(tokens: Iterable[str]) -> list[str]:
    """The pronouns of the third person among Chinese words."""
    return [word for word in tokens if word in word_list("pronouns")]


def demonstratives(tokens: Iterable[str]) -> list[str]:
    """The words among Chinese ones that point back with a noun after them: 该公司."""
    return [word for word in tokens if word in word_list("demonstratives")]


def pronouns_agree(pronoun: str, chinese: str) -> bool:
    """Whether an English pronoun and a Chinese one agree in person and number."""
    return any(
        pronoun in english.split() and chinese.rstrip("的").removesuffix("自己") in mine.split()
        for english, mine in _HERS.items()
    )


# The passive: in English by the parser's relations, in Chinese by its marks.


_PASSIVE = frozenset({"auxpass", "nsubjpass", "csubjpass", "agent"})


def english_passive(text: str) -> str | None:
    """The words that make an English text passive; None when it is active."""
    (analysis,) = _english().analyse([text], ("token",))
    layer = analysis.layers["token"]
    heads, relations = layer.columns["head"], layer.columns["dep"]
    for index, relation in enumerate(relations):
        if relation in _PASSIVE:
            shown = sorted({index, heads[index]} | _auxiliaries(heads[index], heads, relations))
            return " ".join(text[slice(*layer.spans[one])] for one in shown)
    shown = _by_whom([text[slice(*span)].lower() for span in layer.spans], layer)
    return " ".join(text[slice(*layer.spans[one])] for one in shown) or None


def passive_marks(words: Iterable[str], *, perhaps: bool = False) -> list[str]:
    """The passive marks among Chinese words; with ``perhaps`` those that often are none too."""
    known = word_list("passive") | (word_list("perhaps_passive") if perhaps else frozenset())
    return [word for word in words if word in known]


def _by_whom(words: Sequence[str], layer: Layer) -> list[int]:
    """ "By whom was …ed": the parser misses the relations of this one, not the tags."""
    tags, lemmas = layer.columns["tag"], layer.columns["lemma"]
    for index, (word, following) in enumerate(pairwise(zip(words, tags, strict=True))):
        if word[0] == "by" and following[1] in ("WP", "WDT", "WRB"):
            be = next((one for one in range(index, len(words)) if lemmas[one] == "be"), len(words))
            done = [index for index in range(be, len(words)) if tags[index] == "VBN"]
            if done:
                return [index, index + 1, be, done[-1]]
    return []


def _auxiliaries(verb: int, heads: Iterable[int], relations: Iterable[str]) -> set[int]:
    return {
        index
        for index, (head, relation) in enumerate(zip(heads, relations, strict=True))
        if head == verb and relation == "auxpass"
    }


@functools.cache
def _english() -> Analyser:
    return analyser("en")
