"""A passage and a question as arrays of words: what the features are computed from."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.evidence.character_runs import runs_by_sentence, runs_by_word
from readmark.core.arrays import AnyFloats, AnyInts
from readmark.core.records import Offsets
from readmark.text.questions.coarse_types import coarse_type, focus
from readmark.text.word_vectors import (
    COLUMNS,
    FAMILY,
    KEY,
    ROW,
    Lexicon,
    simplified_words,
    small_simplified,
    words_in,
)

RARITY, FUNCTION_WORD, NUMBER = (COLUMNS.index(name) for name in ("idf", "function", "number"))
"""Columns of a word's figures; after them come the cues of its spelling."""
CUES = slice(NUMBER + 1, len(COLUMNS))

_TOPIC_WORDS = 4
# How much of a sentence is its opening; a page without a space must not take minutes.
_OPENING = 60

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
    offsets: AnyInts
    keys: AnyInts
    """What equal words share; -1 at the end of a sentence."""
    families: AnyInts
    """What words with the same beginning share."""
    figures: AnyFloats
    """One row per word: rarity, whether it is a function word, the cues of its spelling."""
    names: AnyFloats
    """1 for a word that looks like a name, a half where it may only begin the sentence."""
    vectors: AnyFloats
    starts: AnyInts
    """Where each sentence begins among the words."""
    sentence_of: AnyInts
    shape: AnyFloats
    """One row per sentence, its columns as ``SHAPE`` names them."""
    run_rows: Mapping[int, int]
    run_sentences: AnyFloats
    """Which sentences have a run of characters, by its row; the last row is empty."""
    topic: AnyInts
    """The keys of the first content words of the passage: what it is about."""
    flags: AnyFloats
    """One row per word: its figures, whether it is a name or may be one, and 1."""
    low: AnyInts
    high: AnyInts
    """Where the sentence of each word begins and ends."""


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """The words of a question."""

    language: str
    words: Sequence[str]
    keys: AnyInts
    families: AnyInts
    figures: AnyFloats
    names: AnyFloats
    vectors: AnyFloats
    is_content: AnyFloats
    """1 at the first place of each content word."""
    content: AnyInts
    """The places of the content words, each word once."""
    others: AnyInts
    """The places of the other words, each word once."""
    focus: AnyFloats
    """1 for the noun that is asked for."""
    type: int
    """Its place among ``COARSE_TYPES``."""
    runs: Sequence[int]
    """Its different runs of characters."""
    run_shares: AnyFloats
    """One row per word, one column per run: how much of the word the run makes up."""


def read_passage(text: str, sentences: Sequence[Offsets], lexicon: Lexicon) -> ReadPassage:
    """Read a passage by its sentences."""
    language = lexicon.language
    lexicon.make_room()
    entries: list[int] = []
    has_capital: list[bool] = []
    words: list[str] = []
    offsets: list[int] = []
    lengths: list[int] = []
    small_text = small_simplified(text)
    for start, end in sentences:
        if language == "zh":  # has no capitals that show a name
            located_words = simplified_words(small_text[start:end])
            spellings = [word for word, _ in located_words]
            has_capital += [False] * len(spellings)
        else:
            located_words = words_in(text[start:end], language)
            spellings = [word.lower() for word, _ in located_words]
            has_capital += [word[:1].isupper() for word, _ in located_words]
        words += spellings
        entries += map(lexicon.entry, spellings)
        offsets += [start + offset for _, offset in located_words]
        lengths.append(len(spellings))
        # The end of the sentence, which is row 0 of every lexicon.
        words.append("")
        entries.append(0)
        has_capital.append(False)
        offsets.append(end)
    sizes = np.array(lengths) + 1
    starts = np.cumsum(sizes) - sizes
    numbers, figures = lexicon.numbers[entries], lexicon.figures[entries]
    begins = np.zeros(len(entries), np.bool_)
    begins[starts] = np.array(offsets)[starts] == [start for start, _ in sentences]
    names = _names(figures, has_capital, begins, language)
    width = len(COLUMNS)
    flags = np.ones((len(entries), width + 3), np.float32)
    flags[:, :width] = figures[:, :width]
    flags[:, width], flags[:, width + 1] = names > 0.9, names == 0.5
    run_rows, run_sentences = runs_by_sentence(small_text, sentences, language)
    keys = numbers[:, KEY].copy()
    return ReadPassage(
        language=language,
        sentences=sentences,
        words=words,
        offsets=np.array(offsets, np.int64),
        keys=keys,
        families=numbers[:, FAMILY].copy(),
        figures=figures[:, :width],
        names=names,
        vectors=lexicon.vectors[numbers[:, ROW]],
        starts=starts,
        sentence_of=np.repeat(np.arange(len(sentences)), sizes),
        shape=np.array(
            [
                _shape(text[start:end], length, language)
                for (start, end), length in zip(sentences, lengths, strict=True)
            ],
            np.float32,
        ),
        run_rows=run_rows,
        run_sentences=run_sentences,
        topic=topic_words(keys[: lengths[0]], figures[: lengths[0]]),
        flags=flags,
        low=np.repeat(starts, sizes),
        high=np.repeat(starts + sizes, sizes),
    )


def topic_words(keys: AnyInts, figures: AnyFloats) -> AnyInts:
    """The first content words of a passage, by the words of its first sentence."""
    content: AnyInts = keys[figures[:, FUNCTION_WORD] == 0]
    return content[:_TOPIC_WORDS]


def read_question(text: str, lexicon: Lexicon) -> ReadQuestion:
    """Read a question: its words, what sort of answer it wants, and the noun it asks for."""
    language = lexicon.language
    small_text = small_simplified(text)
    located_words = simplified_words(small_text) if language == "zh" else words_in(text, language)
    located_words = located_words or [("", 0)]
    spellings = [word.lower() for word, _ in located_words]
    entries = [lexicon.entry(word) for word in spellings]
    numbers, figures = lexicon.numbers[entries], lexicon.figures[entries]
    begins = np.array([offset == 0 for _, offset in located_words])
    has_capital = [word[:1].isupper() for word, _ in located_words]
    is_function = (figures[:, FUNCTION_WORD] > 0).tolist()
    keys = numbers[:, KEY].copy()
    content = content_words(keys, figures)
    runs, run_shares = runs_by_word(located_words, small_text, language)
    return ReadQuestion(
        language=language,
        words=spellings,
        keys=keys,
        families=numbers[:, FAMILY].copy(),
        figures=figures[:, : len(COLUMNS)],
        names=_names(figures, has_capital, begins, language),
        vectors=lexicon.vectors[numbers[:, ROW]],
        is_content=content.is_content,
        content=content.places,
        others=content.others,
        focus=np.array(focus(spellings, is_function, language), np.float32),
        type=coarse_type(small_text, language),
        runs=runs,
        run_shares=run_shares,
    )


class ContentWords(NamedTuple):
    """Which words of a question have content, as in ``ReadQuestion``."""

    is_content: AnyFloats
    places: AnyInts
    others: AnyInts


def content_words(keys: AnyInts, figures: AnyFloats) -> ContentWords:
    """The content words of a question, each once; all of its words if none has content."""
    first_places: dict[int, int] = {}
    is_first = np.zeros(len(keys), np.float32)
    for index, key in enumerate(keys.tolist()):
        is_first[first_places.setdefault(key, index)] = 1.0
    is_content = is_first * (1.0 - figures[:, FUNCTION_WORD])
    if not is_content.any():
        is_content = is_first
    return ContentWords(
        is_content, np.flatnonzero(is_content > 0), np.flatnonzero(is_first > is_content)
    )


def _names(
    figures: AnyFloats, has_capital: Sequence[bool], begins: NDArray[np.bool_], language: str
) -> AnyFloats:
    """1 for a word that looks like a name, a half where it may only begin the sentence."""
    if language == "zh":
        return figures[:, len(COLUMNS)].copy()  # the lexicon's last column: by the spelling alone
    certainty = np.where(begins, 0.5 * (1.0 - figures[:, FUNCTION_WORD]), 1.0)
    names: AnyFloats = (certainty * np.array(has_capital)).astype(np.float32)
    return names


def _shape(sentence: str, length: int, language: str) -> tuple[float, ...]:
    return (
        float(bool(_PRONOUN[language].match(sentence[:_OPENING]))),
        float(bool(_QUOTES.search(sentence))),
        float(bool(_BRACKETS.search(sentence))),
        min(3, len(_COMMAS.findall(sentence))) / 3,
        float(bool(_DEFINES[language].search(sentence))),
        math.log1p(length) / 5,
    )
