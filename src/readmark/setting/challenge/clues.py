"""The content words of a question, and in which sentences of the passage each is found.

A word is found as it is, or by a word that stands for it: the same key, or a near vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.models.evidence.cues import FUNCTION
from readmark.models.evidence.lexicon import (
    KEY,
    ROW,
    Floats,
    Lexicon,
    lexicon,
    simplified,
    words_in,
)
from readmark.models.evidence.questions import focus
from readmark.text.fillers import fillers
from readmark.text.question_types import wh_word

NEAR = 0.6
"""The cosine from which a word stands for another: 创建 and 成立, began and started."""
_DIGITS = frozenset("0123456789")
_BEFORE_NOUNS = frozenset(("什么", "哪", "何", "哪个", "哪些", "哪种", "多少", "几", "何种"))
_HALF = 0.5
"""A word that no table knows is near where so many of its characters stand: it may be cut wrong."""


@dataclass(frozen=True, slots=True)
class Clue:
    """A content word of a question: its weight, and the sentences that hold it."""

    word: str
    weight: float
    exact: frozenset[int]
    near: frozenset[int]
    """Sentences that have it or a word that stands for it."""
    place: int
    """Which word of the question it is."""
    nominal: bool
    """Whether it is a noun or a name: what a sentence may take up by a pronoun."""


@dataclass(frozen=True, slots=True)
class Read:
    """The words of a passage's sentences, looked up once."""

    sentences: tuple[str, ...]
    """Their texts in small letters."""
    keys: tuple[frozenset[int], ...]
    vectors: tuple[Floats, ...]


def read(sentences: Sequence[str], language: str) -> Read:
    """Look up the words of sentences."""
    known = lexicon(language)
    known.make_room()
    keys, vectors, texts = [], [], []
    for sentence in sentences:
        entries = [known.entry(word.lower()) for word, _ in words_in(sentence, language)]
        content = [one for one in entries if not known.figures[one, 1]]
        keys.append(frozenset(int(known.numbers[one, KEY]) for one in content))
        rows = [int(known.numbers[one, ROW]) for one in content]
        vectors.append(known.vectors[rows] if rows else np.zeros((0, 1), np.float32))
        texts.append(_small(sentence, language))
    return Read(tuple(texts), tuple(keys), tuple(vectors))


def clues(question: str, passage: Read, language: str) -> list[Clue]:
    """The content words of a question, less its question phrase, in order."""
    known = lexicon(language)
    placed = words_in(question, language)
    spelt = [word.lower() for word, _ in placed]
    function = [_empty(word, language) for word in spelt]
    wh = wh_word(question, language) or ""
    # After 什么时候 or 谁 no noun is asked for: what follows is what happened.
    sought = language != "zh" or wh in _BEFORE_NOUNS
    asked = focus(spelt, function, language) if sought else [0.0] * len(spelt)
    nominal = _nominal(question, placed, language)
    found: dict[str, Clue] = {}
    for at, word in enumerate(spelt):
        of_phrase = word in wh or (wh != "" and wh in word)
        if not (function[at] or asked[at] or of_phrase or word in found):
            found[word] = _clue(word, at, nominal[at], known, passage)
    return list(found.values())


def _clue(word: str, place: int, nominal: bool, known: Lexicon, passage: Read) -> Clue:
    entry = known.entry(word)
    key, row = int(known.numbers[entry, KEY]), int(known.numbers[entry, ROW])
    exact = frozenset(
        at
        for at, keys in enumerate(passage.keys)
        if key in keys or (not word.isascii() and word in passage.sentences[at])
    )
    near = set(exact)
    if row != known.unknown and not _DIGITS & set(word):
        own = known.vectors[row]
        for at, vectors in enumerate(passage.vectors):
            if len(vectors) and float((vectors @ own).max()) >= NEAR:
                near.add(at)
    elif row == known.unknown and not word.isascii():
        for at, text in enumerate(passage.sentences):
            if sum(sign in text for sign in word) >= _HALF * len(word):
                near.add(at)
    weight = float(known.figures[entry, 0])
    return Clue(word, weight, exact, frozenset(near), place, nominal)


def _nominal(question: str, placed: list[tuple[str, int]], language: str) -> list[bool]:
    """Which words are nouns or names; in English, those with a capital after the first."""
    if language != "zh":
        return [question[at].isupper() and at > 0 for _, at in placed]
    import rjieba

    tags = dict.fromkeys((at for _, at in placed), "")
    at = 0
    for word, tag in rjieba.tag(_small(question, language)):
        tags[at] = tag
        at += len(word)
    return [tags[at][:1] in ("n", "x", "e", "j", "i", "b", "f", "s") for _, at in placed]


def _empty(word: str, language: str) -> bool:
    if word in FUNCTION[language] or word in fillers(language):
        return True
    if language != "zh" or word.isascii():
        return False
    return len(word) == 1 or (word[0] in "该本此这那" and len(word) < 4)


def _small(text: str, language: str) -> str:
    return simplified(text) if language == "zh" else text.lower()
