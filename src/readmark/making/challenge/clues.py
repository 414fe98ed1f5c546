"""The content words of a question, and in which sentences of a passage each occurs.

A sentence has a word if it has the same key, or a word whose vector is near and that stands for it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from readmark.core.arrays import AnyFloats
from readmark.text.function_words import FUNCTION
from readmark.text.questions.coarse_types import focus
from readmark.text.questions.types import wh_word
from readmark.text.word_vectors import KEY, ROW, Lexicon, lexicon, small_simplified, words_in

NEAR = 0.6
"""The cosine from which a word stands for another: 创建 and 成立, began and started."""

_HALF = 0.5
"""The share of the characters of a Chinese word that is in no table: a sentence with so many of
them has the word, since the segmenter may have cut it wrongly."""

_DIGITS = frozenset("0123456789")
_BEFORE_NOUNS = frozenset(("什么", "哪", "何", "哪个", "哪些", "哪种", "多少", "几", "何种"))


@dataclass(frozen=True, slots=True)
class Clue:
    """A content word of a question: its weight, and the sentences that have it."""

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
class SentenceWords:
    """The words of a passage's sentences, looked up once."""

    sentences: tuple[str, ...]
    """Their texts in lower case; in Chinese, in simplified characters too."""
    keys: tuple[frozenset[int], ...]
    vectors: tuple[AnyFloats, ...]


def read(sentences: Sequence[str], language: str) -> SentenceWords:
    """Look up the words of sentences."""
    words = lexicon(language)
    words.make_room()
    keys, vectors, texts = [], [], []
    for sentence in sentences:
        entries = [words.entry(word.lower()) for word, _ in words_in(sentence, language)]
        content = [entry for entry in entries if not words.figures[entry, 1]]
        keys.append(frozenset(int(words.numbers[entry, KEY]) for entry in content))
        rows = [int(words.numbers[entry, ROW]) for entry in content]
        vectors.append(words.vectors[rows] if rows else np.zeros((0, 1), np.float32))
        texts.append(_folded(sentence, language))
    return SentenceWords(tuple(texts), tuple(keys), tuple(vectors))


def clues(question: str, passage: SentenceWords, language: str) -> list[Clue]:
    """The content words of a question, without its question phrase, in order."""
    placed_words = words_in(question, language)
    words = [word.lower() for word, _ in placed_words]
    is_empty = [_is_empty(word, language) for word in words]
    wh = wh_word(question, language) or ""
    # 什么时候 (when) and 谁 (who) ask for no noun: the words after them say what happened.
    asks_for_noun = language != "zh" or wh in _BEFORE_NOUNS
    in_focus = focus(words, is_empty, language) if asks_for_noun else [0.0] * len(words)
    nominal = _nominal(question, placed_words, language)
    entries = lexicon(language)
    content: dict[str, Clue] = {}
    for index, word in enumerate(words):
        in_question_phrase = word in wh or (wh != "" and wh in word)
        if not (is_empty[index] or in_focus[index] or in_question_phrase or word in content):
            content[word] = _clue(word, index, nominal[index], entries, passage)
    return list(content.values())


def _clue(word: str, place: int, nominal: bool, words: Lexicon, passage: SentenceWords) -> Clue:
    entry = words.entry(word)
    key, row = int(words.numbers[entry, KEY]), int(words.numbers[entry, ROW])
    exact = frozenset(
        index
        for index, keys in enumerate(passage.keys)
        if key in keys or (not word.isascii() and word in passage.sentences[index])
    )
    near = set(exact)
    # Vectors of figures are near each other, and 1990 must not stand for 1995.
    if row != words.unknown and not _DIGITS & set(word):
        vector = words.vectors[row]
        for index, vectors in enumerate(passage.vectors):
            if len(vectors) and float((vectors @ vector).max()) >= NEAR:
                near.add(index)
    elif row == words.unknown and not word.isascii():
        for index, text in enumerate(passage.sentences):
            if sum(character in text for character in word) >= _HALF * len(word):
                near.add(index)
    weight = float(words.figures[entry, 0])
    return Clue(word, weight, exact, frozenset(near), place, nominal)


def _nominal(question: str, placed_words: list[tuple[str, int]], language: str) -> list[bool]:
    """Which words are nouns or names; in English, those with a capital after the first."""
    if language != "zh":
        return [question[start].isupper() and start > 0 for _, start in placed_words]
    import rjieba

    tags = dict.fromkeys((start for _, start in placed_words), "")
    start = 0
    for word, tag in rjieba.tag(_folded(question, language)):
        tags[start] = tag
        start += len(word)
    return [
        tags[start][:1] in ("n", "x", "e", "j", "i", "b", "f", "s") for _, start in placed_words
    ]


def _is_empty(word: str, language: str) -> bool:
    if word in FUNCTION[language] or word in _fillers(language):
        return True
    if language != "zh" or word.isascii():
        return False
    # Single characters are mostly particles; 该校, 本市, 此事 only point at something.
    return len(word) == 1 or (word[0] in "该本此这那" and len(word) < 4)


@functools.cache
def _fillers(language: str) -> frozenset[str]:
    """Words that a question has whatever it is about, such as *name*, 主要 or 称为."""
    data = files("readmark.text").joinpath("data/fillers.toml")
    return frozenset(tomllib.loads(data.read_text("utf-8")).get(language, "").split())


def _folded(text: str, language: str) -> str:
    return small_simplified(text) if language == "zh" else text.lower()
