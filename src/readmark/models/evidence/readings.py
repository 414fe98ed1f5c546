"""A passage and a question as arrays of words: what the features are computed from."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from readmark.corpus.values import Offsets
from readmark.models.evidence.lexicon import COLUMNS, Floats, Ints, Lexicon, Word, words_in
from readmark.models.evidence.lexicon import simplified as simplified_text
from readmark.models.evidence.questions import asked_type, focus

_FIGURES = len(COLUMNS)
_END = (0.0, 1.0) + (0.0,) * (_FIGURES - 2)
_TOPIC_WORDS = 4

# A word that leans on an earlier sentence, among the first few; Chinese may drop the subject.
_PRONOUN = {
    "en": re.compile(
        r"(?:\W*\w+){0,3}?\W*\b(?:he|she|it|they|his|her|its|their|this|these|those|such)\b", re.I
    ),
    "zh": re.compile(".{0,3}[他她它其这這此该該]|[也并並但而后後]"),
}
_DEFINES = {
    "en": re.compile(
        r"\b(?:is|are|was|were) (?:an?|the)\b|\bcalled|\bknown as|\bnamed|\bmeans|\brefers? to"
    ),
    "zh": re.compile("是[^否]|即|[称稱][为為]|叫|指|名[为為]|意思"),
}
_QUOTES = re.compile(r"[\"“「『《]")
_BRACKETS = re.compile("[(（]")
_COMMAS = re.compile("[,，、;；]")

SHAPE = ("pronoun", "quote", "bracket", "commas", "defines", "length")


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """The words of a passage, one sentence after another; an empty word ends each sentence."""

    language: str
    sentences: Sequence[Offsets]
    words: Sequence[str]
    offsets: Ints
    keys: Ints
    families: Ints
    figures: Floats
    capitals: Floats
    vectors: Floats
    starts: Ints
    sentence_of: Ints
    shape: Floats
    grams: Ints
    gram_starts: Ints
    topic: Ints
    flags: Floats
    """A row a word: its figures, whether it is a name or may be one, and 1."""
    low: Ints
    high: Ints
    """Where the sentence of each word begins and ends."""


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """The words of a question; ``content`` weighs 1 at the first place of each content word."""

    language: str
    words: Sequence[str]
    keys: Ints
    families: Ints
    figures: Floats
    capitals: Floats
    vectors: Floats
    content: Floats
    first: Floats
    focus: Floats
    type: int
    grams: Ints
    spelling: Floats
    """A row a word, a column a run of characters: its share of the word."""


def read_passage(text: str, sentences: Sequence[Offsets], lexicon: Lexicon) -> ReadPassage:
    """Read a passage by its sentences."""
    language = lexicon.language
    english = language == "en"
    keys: list[int] = []
    families: list[int] = []
    rows: list[int] = []
    figures: list[tuple[float, ...]] = []
    capitals: list[float] = []
    words: list[str] = []
    offsets: list[int] = []
    starts: list[int] = []
    lengths: list[int] = []
    look_up = lexicon.word
    for start, end in sentences:
        starts.append(len(keys))
        for spelt, at in words_in(text[start:end], language):
            small = spelt.lower() if english else spelt
            word = look_up(small)
            keys.append(word.key)
            families.append(word.family)
            rows.append(word.row)
            figures.append(word.figures)
            words.append(small)
            capitals.append(_capital(spelt, at == 0, word) if english else word.name)
            offsets.append(start + at)
        lengths.append(len(keys) - starts[-1])
        keys.append(-1)
        families.append(-1)
        rows.append(lexicon.unknown)
        figures.append(_END)
        words.append("")
        capitals.append(0.0)
        offsets.append(end)
    numbers = np.array(figures, np.float32).reshape(-1, _FIGURES)
    names = np.array(capitals, np.float32)
    flags = np.ones((len(keys), _FIGURES + 3), np.float32)
    flags[:, :_FIGURES] = numbers
    flags[:, _FIGURES], flags[:, _FIGURES + 1] = names > 0.9, names == 0.5
    sizes = np.array(lengths) + 1
    content = [key for key, row in zip(keys[: lengths[0]], figures, strict=False) if not row[1]]
    return ReadPassage(
        language=language,
        sentences=sentences,
        words=words,
        offsets=np.array(offsets, np.int64),
        keys=np.array(keys, np.int32),
        families=np.array(families, np.int32),
        figures=numbers,
        capitals=names,
        vectors=lexicon.vectors[rows],
        starts=np.array(starts, np.int64),
        sentence_of=np.repeat(np.arange(len(sentences)), sizes),
        shape=np.array(
            [
                _shape(text[start:end], length, language)
                for (start, end), length in zip(sentences, lengths, strict=True)
            ],
            np.float32,
        ),
        grams=_grams(text, language),
        gram_starts=np.array([start for start, _ in sentences], np.int64),
        topic=np.array(content[:_TOPIC_WORDS], np.int32),
        flags=flags,
        low=np.repeat(np.array(starts), sizes),
        high=np.repeat(np.array(starts) + sizes, sizes),
    )


def read_question(text: str, lexicon: Lexicon) -> ReadQuestion:
    """Read a question: its words, what sort of answer it wants, and the noun it asks for."""
    language = lexicon.language
    english = language == "en"
    spelt = words_in(text, language) or [("", 0)]
    codes = _grams(text, language).tolist()
    column = {code: at for at, code in enumerate(dict.fromkeys(codes))}
    small = [word.lower() for word, _ in spelt]
    found = [lexicon.word(word) for word in small]
    keys = np.array([word.key for word in found], np.int32)
    figures = np.array([word.figures for word in found], np.float32)
    seen: set[int] = set()
    first = np.array([_is_first(word.key, seen) for word in found], np.float32)
    content = first * (1.0 - figures[:, 1])
    return ReadQuestion(
        language=language,
        words=small,
        keys=keys,
        families=np.array([word.family for word in found], np.int32),
        figures=figures,
        capitals=np.array(
            [
                _capital(word, at == 0, known) if english else known.name
                for (word, at), known in zip(spelt, found, strict=True)
            ],
            np.float32,
        ),
        vectors=lexicon.vectors[[word.row for word in found]],
        content=content if content.any() else first,
        first=first,
        focus=np.array(focus(small, (figures[:, 1] > 0).tolist(), language), np.float32),
        type=asked_type(simplified_text(text), language),
        grams=np.array(list(column), np.int64),
        spelling=_spelling(spelt, codes, column, 2 if language == "zh" else 4),
    )


def _is_first(key: int, seen: set[int]) -> bool:
    if key in seen:
        return False
    seen.add(key)
    return True


def _spelling(
    spelt: Sequence[tuple[str, int]], codes: Sequence[int], column: dict[int, int], run: int
) -> Floats:
    shares = np.zeros((len(spelt), len(column)), np.float32)
    for row, (word, start) in enumerate(spelt):
        inside = codes[start : start + max(0, len(word) - run + 1)]
        for code in inside:
            shares[row, column[code]] += 1 / len(inside)
    return shares


def _capital(spelt: str, begins: bool, word: Word) -> float:
    """1 for a word that looks like a name, a half where it may only begin the sentence."""
    if not spelt[:1].isupper():
        return 0.0
    return 1.0 if not begins else 0.5 * (1.0 - word.figures[1])


def _shape(sentence: str, length: int, language: str) -> tuple[float, ...]:
    return (
        float(bool(_PRONOUN[language].match(sentence))),
        float(bool(_QUOTES.search(sentence))),
        float(bool(_BRACKETS.search(sentence))),
        min(3, len(_COMMAS.findall(sentence))) / 3,
        float(bool(_DEFINES[language].search(sentence))),
        math.log1p(length) / 5,
    )


def _grams(text: str, language: str) -> Ints:
    """A code for the run of characters at each place: two in Chinese, four in English."""
    codes = np.frombuffer(simplified_text(text).encode("utf-32-le", "replace"), np.uint32)
    codes = codes.astype(np.int64)
    if language == "zh":
        if len(codes) < 2:
            return codes[:0]
        return codes[:-1] * 2**21 + codes[1:]
    if len(codes) < 4:
        return codes[:0]
    runs = codes & 0x7FFF
    joined: Ints = ((runs[:-3] * 2**15 + runs[1:-2]) * 2**15 + runs[2:-1]) * 2**15 + runs[3:]
    return joined
