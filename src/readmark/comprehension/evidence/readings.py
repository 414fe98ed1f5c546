"""A passage and a question as arrays of words: what the features are computed from."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

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

_FIGURES = len(COLUMNS)
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
    families: AnyInts
    figures: AnyFloats
    capitals: AnyFloats
    vectors: AnyFloats
    starts: AnyInts
    sentence_of: AnyInts
    shape: AnyFloats
    run_rows: Mapping[int, int]
    runs: AnyFloats
    """Which sentences hold a run of characters, by its row; the last row is empty."""
    topic: AnyInts
    flags: AnyFloats
    """One row per word: its figures, whether it is a name or may be one, and 1."""
    low: AnyInts
    high: AnyInts
    """Where the sentence of each word begins and ends."""


@dataclass(frozen=True, slots=True)
class ReadQuestion:
    """The words of a question; ``content`` weighs 1 at the first place of each content word."""

    language: str
    words: Sequence[str]
    keys: AnyInts
    families: AnyInts
    figures: AnyFloats
    capitals: AnyFloats
    vectors: AnyFloats
    content: AnyFloats
    chosen: AnyInts
    """The places of the content words, each word once."""
    unchosen: AnyInts
    """The places of the others, each word once."""
    focus: AnyFloats
    type: int
    grams: Sequence[int]
    spelling: AnyFloats
    """One row per word, one column per run of characters: its share of the word."""


def read_passage(text: str, sentences: Sequence[Offsets], lexicon: Lexicon) -> ReadPassage:
    """Read a passage by its sentences."""
    language = lexicon.language
    lexicon.make_room()
    entries: list[int] = []
    upper: list[bool] = []
    words: list[str] = []
    offsets: list[int] = []
    lengths: list[int] = []
    entry = lexicon.entry
    cased = language != "zh"
    plain = text if cased else small_simplified(text)
    for start, end in sentences:
        spelt = words_in(text[start:end], language) if cased else simplified_words(plain[start:end])
        small = [word.lower() for word, _ in spelt] if cased else [word for word, _ in spelt]
        words += small
        entries += map(entry, small)
        upper += [cased and word[:1].isupper() for word, _ in spelt]
        offsets += [start + at for _, at in spelt]
        lengths.append(len(spelt))
        words.append("")
        entries.append(0)
        upper.append(False)
        offsets.append(end)
    sizes = np.array(lengths) + 1
    starts = np.cumsum(sizes) - sizes
    numbers, figures = lexicon.numbers[entries], lexicon.figures[entries]
    begins = np.zeros(len(entries), np.bool_)
    begins[starts] = np.array(offsets)[starts] == [start for start, _ in sentences]
    names = _names(figures, upper, begins, language)
    flags = np.ones((len(entries), _FIGURES + 3), np.float32)
    flags[:, :_FIGURES] = figures[:, :_FIGURES]
    flags[:, _FIGURES], flags[:, _FIGURES + 1] = names > 0.9, names == 0.5
    run_rows, runs = _runs(small_simplified(text) if cased else plain, sentences, language)
    first = slice(0, lengths[0])
    topic = numbers[first, KEY][figures[first, 1] == 0]
    return ReadPassage(
        language=language,
        sentences=sentences,
        words=words,
        offsets=np.array(offsets, np.int64),
        keys=numbers[:, KEY].copy(),
        families=numbers[:, FAMILY].copy(),
        figures=figures[:, :_FIGURES],
        capitals=names,
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
        runs=runs,
        topic=topic[:_TOPIC_WORDS],
        flags=flags,
        low=np.repeat(starts, sizes),
        high=np.repeat(starts + sizes, sizes),
    )


def read_question(text: str, lexicon: Lexicon) -> ReadQuestion:
    """Read a question: its words, what sort of answer it wants, and the noun it asks for."""
    language = lexicon.language
    plain = small_simplified(text)
    spelt = simplified_words(plain) if language == "zh" else words_in(text, language)
    spelt = spelt or [("", 0)]
    codes = _grams(plain, language).tolist()
    column = {code: index for index, code in enumerate(dict.fromkeys(codes))}
    small = [word.lower() for word, _ in spelt]
    entries = [lexicon.entry(word) for word in small]
    numbers, figures = lexicon.numbers[entries], lexicon.figures[entries]
    begins = np.array([at == 0 for _, at in spelt])
    upper = [word[:1].isupper() for word, _ in spelt]
    return ReadQuestion(
        language=language,
        words=small,
        keys=numbers[:, KEY].copy(),
        families=numbers[:, FAMILY].copy(),
        figures=figures[:, :_FIGURES],
        capitals=_names(figures, upper, begins, language),
        vectors=lexicon.vectors[numbers[:, ROW]],
        **_content(numbers[:, KEY], figures),
        focus=np.array(focus(small, (figures[:, 1] > 0).tolist(), language), np.float32),
        type=coarse_type(plain, language),
        grams=list(column),
        spelling=_spelling(spelt, codes, column, 2 if language == "zh" else 4),
    )


def _content(keys: AnyInts, figures: AnyFloats) -> dict[str, Any]:
    """Which places of a question have content words, and which others, each word once."""
    seen: dict[int, int] = {}
    first = np.zeros(len(keys), np.float32)
    for index, key in enumerate(keys.tolist()):
        first[seen.setdefault(key, index)] = 1.0
    content = first * (1.0 - figures[:, 1])
    content = content if content.any() else first
    return {
        "content": content,
        "chosen": np.flatnonzero(content > 0),
        "unchosen": np.flatnonzero(first > content),
    }


# A question in the other language: its words are read as the words of the passage that they meet.


SAME = 0.5
"""How strongly two words must correspond to count as the same."""
RELATED = 0.25
"""How strongly to count as words of one family."""
_OWN_KEYS = 10**9
"""Where the keys of the question's words begin: no word of a lexicon has such a key."""


def read_across(
    text: str, passage: ReadPassage, asked: Lexicon, read: Lexicon
) -> tuple[ReadPassage, ReadQuestion]:
    """Read a question in the other language, and the passage with the question's words in it.

    What the question wants and which of its words count, it says in its own language. Where a word
    of the passage corresponds to one of the question, both have one key.
    """
    own = read_question(text, asked)
    spelt = words_in(text, asked.language) or [("", 0)]
    strengths = _strengths([word for word, _ in spelt], passage, asked.language)
    best = strengths.argmax(axis=0)
    nearest = strengths[best, np.arange(strengths.shape[1])]
    target = strengths.argmax(axis=1)
    reached = strengths.max(axis=1, initial=0.0)
    keys = _OWN_KEYS + np.arange(len(spelt))
    # United and States both mean 美国: one word there, and one here.
    keys = np.where(reached >= RELATED, _OWN_KEYS + best[target], keys)
    own_keys = np.where(nearest >= SAME, keys[best], passage.keys)
    first = slice(0, int(passage.starts[1]) if len(passage.starts) > 1 else len(own_keys))
    topic = own_keys[first][passage.figures[first, 1] == 0]
    words = [
        passage.words[place] if strength >= RELATED else ""
        for place, strength in zip(target.tolist(), reached.tolist(), strict=True)
    ]
    gap = " " if read.language == "en" else "\n"
    places = np.cumsum([0, *(len(word) + 1 for word in words)]).tolist()
    codes = _grams(gap.join(words), read.language).tolist()
    column = {code: index for index, code in enumerate(dict.fromkeys(codes))}
    question = replace(
        own,
        language=read.language,
        keys=keys,
        families=keys,
        vectors=np.where((reached >= RELATED)[:, None], passage.vectors[target], 0.0),
        **_content(keys, own.figures),
        grams=list(column),
        spelling=_spelling(
            list(zip(words, places, strict=False)), codes, column, 2 if gap == "\n" else 4
        ),
    )
    return (
        replace(
            passage,
            keys=own_keys,
            families=np.where(nearest >= RELATED, keys[best], passage.families),
            topic=topic[:_TOPIC_WORDS],
        ),
        question,
    )


def _strengths(words: Sequence[str], passage: ReadPassage, language: str) -> AnyFloats:
    """How strongly each word of the question corresponds to each of the passage."""
    from readmark.text.cross_language import correspondence

    if language == "zh":
        capitals = zip(passage.words, passage.capitals.tolist(), strict=True)
        return correspondence(words, [word.title() if up else word for word, up in capitals])
    return correspondence(passage.words, words).T


def _runs(
    text: str, sentences: Sequence[Offsets], language: str
) -> tuple[Mapping[int, int], AnyFloats]:
    codes, places = np.unique(_grams(text, language), return_inverse=True)
    table = np.zeros((len(codes) + 1, len(sentences)), np.float32)
    for index, (start, end) in enumerate(sentences):
        table[places[start:end], index] = 1.0
    return dict(zip(codes.tolist(), range(len(codes)), strict=True)), table


def _spelling(
    spelt: Sequence[tuple[str, int]], codes: Sequence[int], column: dict[int, int], run: int
) -> AnyFloats:
    shares = np.zeros((len(spelt), len(column)), np.float32)
    for row, (word, start) in enumerate(spelt):
        inside = codes[start : start + max(0, len(word) - run + 1)]
        for code in inside:
            shares[row, column[code]] += 1 / len(inside)
    return shares


def _names(
    figures: AnyFloats, upper: Sequence[bool], begins: NDArray[np.bool_], language: str
) -> AnyFloats:
    """1 for a word that looks like a name, a half where it may only begin the sentence."""
    if language == "zh":
        return figures[:, _FIGURES].copy()
    sure = np.where(begins, 0.5 * (1.0 - figures[:, 1]), 1.0)
    named: AnyFloats = (sure * np.array(upper)).astype(np.float32)
    return named


def _shape(sentence: str, length: int, language: str) -> tuple[float, ...]:
    return (
        float(bool(_PRONOUN[language].match(sentence[:_OPENING]))),
        float(bool(_QUOTES.search(sentence))),
        float(bool(_BRACKETS.search(sentence))),
        min(3, len(_COMMAS.findall(sentence))) / 3,
        float(bool(_DEFINES[language].search(sentence))),
        math.log1p(length) / 5,
    )


def _grams(text: str, language: str) -> AnyInts:
    """A code for the run of characters at each place: two in Chinese, four in English."""
    codes = np.frombuffer(text.encode("utf-32-le", "replace"), np.uint32)
    codes = codes.astype(np.int64)
    if language == "zh":
        if len(codes) < 2:
            return codes[:0]
        return codes[:-1] * 2**21 + codes[1:]
    if len(codes) < 4:
        return codes[:0]
    runs = codes & 0x7FFF
    joined: AnyInts = ((runs[:-3] * 2**15 + runs[1:-2]) * 2**15 + runs[2:-1]) * 2**15 + runs[3:]
    return joined


# Several questions on one passage side by side: each step is taken once for all of them.


@dataclass(frozen=True, slots=True)
class QuestionBatch:
    """The words of the questions, one question after another; a row of a block is a question.

    ``chosen`` and ``unchosen`` are places among all words, ``starts`` where each question begins
    among them and ``chosen_starts`` where it does among the chosen ones, of which each has one.
    """

    questions: Sequence[ReadQuestion]
    keys: AnyInts
    families: AnyInts
    figures: AnyFloats
    capitals: AnyFloats
    vectors: AnyFloats
    focus: AnyFloats
    chosen: AnyInts
    unchosen: AnyInts
    starts: AnyInts
    chosen_starts: AnyInts
    sizes: AnyInts
    """How many chosen words each question has."""
    types: AnyInts
    plain: AnyFloats
    """One row per question: the share of each of its unchosen words."""

    def per_chosen(self, of_questions: AnyFloats | AnyInts) -> AnyFloats:
        """What is said of each question, for each of its chosen words."""
        said: AnyFloats = np.repeat(of_questions, self.sizes)
        return said

    def in_blocks(self, rows: AnyFloats) -> AnyFloats:
        """Figures of the chosen words, a row each, in one block per question; others are zero."""
        kinds, words = rows.shape
        blocks = np.zeros((len(self.questions), kinds, words), np.float32)
        for index, (start, size) in enumerate(
            zip(self.chosen_starts.tolist(), self.sizes.tolist(), strict=True)
        ):
            blocks[index, :, start : start + size] = rows[:, start : start + size]
        return blocks


def asked(questions: Sequence[ReadQuestion]) -> QuestionBatch:
    """Put questions side by side."""
    lengths = np.array([len(question.words) for question in questions])
    starts = np.cumsum(lengths) - lengths
    sizes = np.array([len(question.chosen) for question in questions])
    others = [len(question.unchosen) for question in questions]
    plain = np.zeros((len(questions), sum(others)), np.float32)
    at = 0
    for row, many in enumerate(others):
        plain[row, at : at + many] = 1.0 / max(1, many)
        at += many
    return QuestionBatch(
        questions=questions,
        keys=np.concatenate([question.keys for question in questions]),
        families=np.concatenate([question.families for question in questions]),
        figures=np.concatenate([question.figures for question in questions]),
        capitals=np.concatenate([question.capitals for question in questions]),
        vectors=np.concatenate([question.vectors for question in questions]),
        focus=np.concatenate([question.focus for question in questions]),
        chosen=np.concatenate(
            [question.chosen + start for question, start in zip(questions, starts, strict=True)]
        ),
        unchosen=np.concatenate(
            [question.unchosen + start for question, start in zip(questions, starts, strict=True)]
        ),
        starts=starts,
        chosen_starts=np.cumsum(sizes) - sizes,
        sizes=sizes,
        types=np.array([question.type for question in questions]),
        plain=plain,
    )
