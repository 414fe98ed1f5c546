"""The content words of a question, and in which sentences of the passage each is found.

A word is found as it is, or by a word that stands for it: the same key, or a near vector.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from readmark.core.language import primary
from readmark.core.records import Answer, Layer, Offsets, Passage
from readmark.core.spans import places
from readmark.making.challenge.instances import Classes, classes_of
from readmark.stats.networks import Floats
from readmark.text.answers.places import holding, passage_sentences
from readmark.text.questions.classes import focus
from readmark.text.questions.types import wh_word
from readmark.text.word_vectors import FUNCTION, KEY, ROW, Lexicon, lexicon, simplified, words_in

# Words that a question has whatever it is about, such as *name*, 主要 or 称为.


@functools.cache
def fillers(language: str) -> frozenset[str]:
    """The filler words of a language; none where it is not known."""
    data = files("readmark.text").joinpath("data/fillers.toml")
    return frozenset(tomllib.loads(data.read_text("utf-8")).get(language, "").split())


NEAR = 0.6
"""The cosine from which a word stands for another: 创建 and 成立, began and started."""
_DIGITS = frozenset("0123456789")
_BEFORE_NOUNS = frozenset(("什么", "哪", "何", "哪个", "哪些", "哪种", "多少", "几", "何种"))
_HALF = 0.5
"""A word that no table knows is near where so many of its characters occur: it may be cut wrong."""


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
class SentenceWords:
    """The words of a passage's sentences, looked up once."""

    sentences: tuple[str, ...]
    """Their texts in small letters."""
    keys: tuple[frozenset[int], ...]
    vectors: tuple[Floats, ...]


def read(sentences: Sequence[str], language: str) -> SentenceWords:
    """Look up the words of sentences."""
    known = lexicon(language)
    known.make_room()
    keys, vectors, texts = [], [], []
    for sentence in sentences:
        entries = [known.entry(word.lower()) for word, _ in words_in(sentence, language)]
        content = [entry for entry in entries if not known.figures[entry, 1]]
        keys.append(frozenset(int(known.numbers[one, KEY]) for one in content))
        rows = [int(known.numbers[one, ROW]) for one in content]
        vectors.append(known.vectors[rows] if rows else np.zeros((0, 1), np.float32))
        texts.append(_small(sentence, language))
    return SentenceWords(tuple(texts), tuple(keys), tuple(vectors))


def clues(question: str, passage: SentenceWords, language: str) -> list[Clue]:
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
    for index, word in enumerate(spelt):
        of_phrase = word in wh or (wh != "" and wh in word)
        if not (function[index] or asked[index] or of_phrase or word in found):
            found[word] = _clue(word, index, nominal[index], known, passage)
    return list(found.values())


def _clue(word: str, place: int, nominal: bool, known: Lexicon, passage: SentenceWords) -> Clue:
    entry = known.entry(word)
    key, row = int(known.numbers[entry, KEY]), int(known.numbers[entry, ROW])
    exact = frozenset(
        index
        for index, keys in enumerate(passage.keys)
        if key in keys or (not word.isascii() and word in passage.sentences[index])
    )
    near = set(exact)
    if row != known.unknown and not _DIGITS & set(word):
        own = known.vectors[row]
        for index, vectors in enumerate(passage.vectors):
            if len(vectors) and float((vectors @ own).max()) >= NEAR:
                near.add(index)
    elif row == known.unknown and not word.isascii():
        for index, text in enumerate(passage.sentences):
            if sum(sign in text for sign in word) >= _HALF * len(word):
                near.add(index)
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


# A passage as its questions are judged by: sentences, their words, and members of classes.


Entities = Callable[[Passage, str], Layer | None]
"""The entities of a passage in a language: its own layer's, or an analyser's."""

_QUOTED_STOP = re.compile(r"[!?！？…][」』”’》）)\"]+$")


class QuestionedPassage:
    """What is looked up once a passage, and only when a question needs it."""

    def __init__(self, passage: Passage, language: str, entities: Entities) -> None:
        self.passage = passage
        self.language = primary(passage.language) if passage.language else language
        self._entities = entities

    @functools.cached_property
    def sentences(self) -> list[Offsets]:
        """The sentences; what follows a quoted exclamation belongs to its sentence."""
        text = self.passage.text
        whole: list[Offsets] = []
        for start, end in passage_sentences(self.passage, self.language):
            if whole and _QUOTED_STOP.search(text, *whole[-1]):
                whole[-1] = whole[-1][0], end
            else:
                whole.append((start, end))
        return whole

    @functools.cached_property
    def words(self) -> SentenceWords:
        """The sentences' words."""
        text = self.passage.text
        return read([text[start:end] for start, end in self.sentences], self.language)

    @functools.cached_property
    def classes(self) -> Classes:
        """Where members of classes occur."""
        layer = self._entities(self.passage, self.language)
        return classes_of(self.passage.text, self.language, layer)

    def place(self, answer: Answer) -> Offsets | None:
        """Where an answer occurs: its offsets if they are right, else the first place of it."""
        text = self.passage.text
        if answer.offsets is not None and text[slice(*answer.offsets)] == answer.text != "":
            return answer.offsets
        found = places(text, answer.text) if answer.text.strip() else []
        return (found[0], found[0] + len(answer.text)) if found else None

    def holding(self, text: str) -> list[int]:
        """The sentences that hold an answer, wherever it occurs."""
        return sorted(holding([Answer(text=text)], self.passage.text, self.sentences))

    def over(self, span: Offsets) -> list[int]:
        """The sentences that a stretch occurs in."""
        return [
            index
            for index, (start, end) in enumerate(self.sentences)
            if start < span[1] and span[0] < end
        ]
