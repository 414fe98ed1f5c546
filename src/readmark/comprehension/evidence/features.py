"""The features of every sentence of a passage for a question, in three blocks.

``sentences``: named figures per sentence; ``matches``: a row for each content word of the
question in each sentence; ``words``: a row for each word of the passage that may be the answer.
Nothing in them names a language, so that questions in one teach the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.evidence.matches import LEVELS, WEIGHTS, Matching, match
from readmark.comprehension.evidence.readings import (
    SHAPE,
    QuestionBatch,
    ReadPassage,
    ReadQuestion,
    asked,
)
from readmark.core.arrays import AnyFloats, AnyInts
from readmark.text.questions.coarse_types import COARSE_TYPES, CUE_WORDS
from readmark.text.word_vectors import COLUMNS

# Which words look like an answer to such a question: a bilinear form, one a language.


WIDTH = 64
"""How many of the weightiest dimensions of a word's vector are looked at."""

_FLAGS = len(COLUMNS) + 3
# The part of a unit vector that these dimensions hold is shorter.
_SCALE = 1.2
QUESTION_SIDE = len(COARSE_TYPES) + 16 + 2 * WIDTH + 1
WORD_SIDE = 3 * (WIDTH + _FLAGS)


def question_side(question: ReadQuestion) -> AnyFloats:
    """The question as a vector."""
    side = np.zeros(QUESTION_SIDE, np.float32)
    side[question.type] = 1.0
    said = set(question.words) if question.language == "en" else " ".join(question.words)
    at = len(COARSE_TYPES)
    for place, word in enumerate(CUE_WORDS[question.language]):
        side[at + place] = word in said
    at += 16
    content = 1.0 - question.figures[:, 1]
    side[at : at + WIDTH] = _unit((question.focus * content) @ question.vectors[:, :WIDTH])
    rarity = question.content * question.figures[:, 0]
    side[at + WIDTH : at + 2 * WIDTH] = 0.5 * _unit(rarity @ question.vectors[:, :WIDTH])
    side[-1] = 1.0
    return side


def word_side(passage: ReadPassage) -> AnyFloats:
    """Every word of a passage as a vector: itself, the word before, the word after."""
    own = np.hstack([_SCALE * passage.vectors[:, :WIDTH], passage.flags])
    before, after = np.zeros_like(own), np.zeros_like(own)
    before[1:], after[:-1] = own[:-1], own[1:]
    return np.hstack([own, 0.7 * before, 0.7 * after])


def expectation(
    passage: ReadPassage, questions: Sequence[ReadQuestion], weights: AnyFloats
) -> AnyFloats:
    """How well each word fits what each question asks for; ``word_side`` without its cost."""
    sides = np.stack([question_side(question) for question in questions])
    wanted = (sides @ weights).reshape(3 * len(questions), -1).T
    fits = passage.vectors[:, :WIDTH] @ (_SCALE * wanted[:WIDTH]) + passage.flags @ wanted[WIDTH:]
    own, before, after = fits.T.reshape(len(questions), 3, -1).swapaxes(0, 1)
    total: AnyFloats = own.copy()
    total[:, 1:] += 0.7 * before[:, :-1]
    total[:, :-1] += 0.7 * after[:, 1:]
    return total


def _unit(vector: AnyFloats) -> AnyFloats:
    found: AnyFloats = vector / (np.linalg.norm(vector) + 1e-6)
    return found


# Features of the words that may be the answer: fit, spelling, and how near matched words are.


WORDS = (
    "fits",
    "behind",
    "capital",
    "begins",
    "quantity",
    "time",
    "cause",
    "place",
    "number",
    "rarity",
    "near2",
    "near5",
    "near12",
    "left",
    "right",
    "focus",
    "by_focus",
    "recall",
    "end",
    *(f"{name}?" for name in COARSE_TYPES),
)
_NEW = WEIGHTS.index("new")
_VECTOR = LEVELS.index("vector")
_TYPES = len(WORDS) - len(COARSE_TYPES)


class NearbyMatches(NamedTuple):
    """What each question's words weigh at each word of the passage, and around it."""

    mass: AnyFloats
    near2: AnyFloats
    near5: AnyFloats
    near12: AnyFloats


def nearby_matches(passage: ReadPassage, asked: QuestionBatch, matching: Matching) -> NearbyMatches:
    """The mass of matched words within 2, 5 and 12 words, inside the sentence."""
    new = matching.weights[_NEW]
    totals = np.maximum(1e-6, np.add.reduceat(new, asked.chosen_starts))
    mass = np.maximum.reduceat(matching.vector * new[:, None], asked.chosen_starts, axis=0)
    mass /= totals[:, None]
    many, length = mass.shape
    so_far = np.zeros((many, length + 1), np.float32)
    np.cumsum(mass, axis=1, out=so_far[:, 1:])
    places = np.arange(length)
    around = [
        so_far[:, np.minimum(places + wide + 1, passage.high)]
        - so_far[:, np.maximum(places - wide, passage.low)]
        for wide in (2, 5, 12)
    ]
    return NearbyMatches(mass, *around)


def answerable(passage: ReadPassage, matching: Matching) -> NDArray[np.bool_]:
    """The words that may be the answer: words with content that a question does not have."""
    mask: NDArray[np.bool_] = (
        (matching.unasked > 0) & (passage.figures[:, 1] == 0) & (passage.keys >= 0)
    )
    return mask


def word_rows(
    passage: ReadPassage,
    asked: QuestionBatch,
    matching: Matching,
    near: NearbyMatches,
    fits: AnyFloats,
    may_answer: NDArray[np.bool_],
) -> tuple[AnyFloats, AnyInts, AnyInts]:
    """A row for each word that may be the answer, and for the end of each sentence.

    Rows are ordered by question; the question and the word of each are returned with them.
    """
    of, kept = np.nonzero(may_answer | (passage.keys < 0))
    ends = passage.keys[kept] < 0
    rows = np.zeros((len(kept), len(WORDS)), np.float32)
    masked = np.where(ends, np.float32(-6.0), fits[of, kept])
    begins = np.searchsorted(of, np.arange(len(asked.questions)))
    last = fits.shape[1] - 1
    left, right = np.maximum(kept - 1, 0), np.minimum(kept + 1, last)
    rows[:, 0] = masked / 3
    rows[:, 1] = (masked - np.maximum.reduceat(masked, begins)[of]) / 3
    capitals = passage.capitals[kept]
    rows[:, 2] = capitals > 0.9
    rows[:, 3] = capitals == 0.5
    figures = passage.figures[kept]
    rows[:, 4:8] = figures[:, 3:]
    rows[:, 8] = figures[:, 2]
    rows[:, 9] = figures[:, 0]
    rows[:, 10] = near.near2[of, kept]
    rows[:, 11] = near.near5[of, kept]
    rows[:, 12] = near.near12[of, kept]
    rows[:, 13], rows[:, 14] = near.mass[of, left], near.mass[of, right]
    wanted = asked.focus[asked.chosen]
    if wanted.any():
        direction = asked.in_blocks(wanted[None])[:, 0] @ asked.vectors[asked.chosen]
        direction /= np.linalg.norm(direction, axis=1, keepdims=True) + 1e-6
        rows[:, 15] = (direction @ passage.vectors.T)[of, kept]
        by_focus = np.maximum.reduceat(matching.same * wanted[:, None], asked.chosen_starts, axis=0)
        rows[:, 16] = np.maximum(by_focus[of, left], by_focus[of, right])
    rows[:, 17] = matching.recall[:, _VECTOR, _NEW][of, passage.sentence_of[kept]]
    rows[:, 18] = ends
    rows[np.arange(len(kept)), _TYPES + asked.types[of]] = 1.0
    return rows, of, kept


# Features of each content word of a question in each sentence: how it is met, here and around.


_BY_SENTENCE = (
    "same",
    "family",
    "vector",
    "threshold",
    "before",
    "after",
    "heard",
    "phrase",
    "near",
    "only",
    "same, rare",
    "vector, rare",
    "same, here",
    "heard, pronoun",
    "lead",
    "characters",
)
_BY_WORD = (
    "spread",
    "rarity",
    "here",
    "name",
    "number",
    "focus",
    "topic",
    "place",
    "share",
)
MATCHES = (*_BY_SENTENCE, *_BY_WORD)


def match_rows(
    passage: ReadPassage, asked: QuestionBatch, matching: Matching, near: NearbyMatches
) -> AnyFloats:
    """An array (content words, sentences, features)."""
    count = len(passage.starts)
    chosen = asked.chosen
    rarity, here, spread = asked.figures[chosen, 0], matching.here, matching.spread
    same, vector, heard = matching.in_same, matching.in_vector, matching.heard
    phrase = matching.pairs[chosen]
    phrase[chosen > 0, 1:] += matching.pairs[chosen[chosen > 0] - 1, :-1]
    near5 = np.repeat(near.near5, asked.sizes, axis=0)
    lengths = np.diff(asked.starts, append=len(asked.keys))
    by_sentence = (
        same,
        matching.in_family,
        vector,
        matching.in_threshold,
        matching.before,
        matching.after,
        heard,
        np.maximum.reduceat(phrase, passage.starts, axis=1),
        np.maximum.reduceat(matching.family * near5, passage.starts, axis=1),
        same * (spread == 1)[:, None],
        same * rarity[:, None],
        matching.in_threshold * rarity[:, None],
        same * here[:, None],
        heard * passage.shape[:, 0],
        vector - _elsewhere(vector),
        matching.in_runs,
    )
    by_word = (
        spread / count,
        rarity,
        here,
        asked.capitals[chosen],
        asked.figures[chosen, 2],
        asked.focus[chosen],
        matching.topic,
        (chosen - asked.per_chosen(asked.starts))
        / asked.per_chosen(np.maximum(1.0, lengths - 1.0)),
        asked.per_chosen(1 / asked.sizes),
    )
    rows = np.empty((len(MATCHES), len(chosen), count), np.float32)
    for index, values in enumerate(by_sentence):
        rows[index] = values
    for index, words in enumerate(by_word, len(by_sentence)):
        rows[index] = words[:, None]
    return rows.transpose(1, 2, 0)


def _elsewhere(rows: AnyFloats) -> AnyFloats:
    """The best match in any other sentence."""
    if rows.shape[1] == 1:
        return np.zeros_like(rows)
    parted = np.partition(rows, -2, axis=1)
    first, second = parted[:, -1:], parted[:, -2:-1]
    return np.where(rows >= first, second, first)


# The named figures of each sentence: overlap, order, surroundings, cues, expectation, shape.


_LEADING = (
    *(("same", "all"), ("same", "here"), ("family", "rare"), ("vector", "here")),
    *(("threshold", "rare"), ("vector", "new"), ("threshold", "other")),
)
_LEADING_LEVELS = [LEVELS.index(level) for level, _ in _LEADING]
_LEADING_WEIGHTS = [WEIGHTS.index(weight) for _, weight in _LEADING]
_OVERLAPS = len(LEVELS) * len(WEIGHTS)
_LEADS = _OVERLAPS + len(_LEADING)
_CUED = 7
"""The types of question, first in order, that the spelling of words gives a cue for."""

SENTENCES = (
    *(f"{level} {weight}" for level in LEVELS for weight in WEIGHTS),
    *(f"{level} {weight}, lead" for level, weight in _LEADING),
    "pairs",
    "triples",
    "window of 6",
    "window of 14",
    "precision",
    "function words",
    "before",
    "after",
    "with before",
    "with before, pronoun",
    "beyond before",
    "with after",
    "so far",
    "only here",
    "nowhere",
    "characters",
    "characters, lead",
    "characters by word",
    "characters by word, lead",
    "new words",
    "quantity",
    "time",
    "cause",
    "place",
    "name",
    "expected",
    *(f"expected {name}" for name in COARSE_TYPES[:_CUED]),
    "fits",
    "fits, lead",
    "fits in all",
    "fits in all, lead",
    "fits near",
    "fits near, lead",
    *SHAPE,
    *(f"{name}?" for name in COARSE_TYPES),
)


def sentence_rows(
    passage: ReadPassage,
    asked: QuestionBatch,
    matching: Matching,
    near: NearbyMatches,
    fits: AnyFloats,
) -> AnyFloats:
    """One block per question, one row per sentence, its columns as ``SENTENCES`` names them."""
    count, many = len(passage.starts), len(asked.questions)
    rows = np.zeros((len(SENTENCES), many, count), np.float32)
    rows[:_OVERLAPS] = matching.recall.reshape(many, -1, count).swapaxes(0, 1)
    leading = matching.recall[:, _LEADING_LEVELS, _LEADING_WEIGHTS]
    rows[_OVERLAPS:_LEADS] = _leads(leading).swapaxes(0, 1)
    single = (
        *_order(passage, asked, matching),
        *_surroundings(passage, matching),
        *_characters(matching),
        *_cues(passage, asked, matching),
        *_expectation(passage, near, fits),
    )
    for index, row in enumerate(single, _LEADS):
        rows[index] = row
    rows[-len(COARSE_TYPES) - len(SHAPE) : -len(COARSE_TYPES)] = passage.shape.T[:, None]
    rows[asked.types - len(COARSE_TYPES), np.arange(many)] = 1.0
    return rows.transpose(1, 2, 0)


def _order(passage: ReadPassage, asked: QuestionBatch, matching: Matching) -> list[AnyFloats]:
    starts, pairs = passage.starts, matching.pairs
    rarity, function = asked.figures[:, 0], asked.figures[:, 1]
    weight = np.zeros_like(rarity)
    weight[:-1] = 0.5 * (rarity[:-1] + rarity[1:]) * (1.0 - function[:-1] * function[1:])
    weight[asked.starts[1:] - 1] = 0.0
    in_row = np.add.reduceat(pairs * weight[:, None], asked.starts, axis=0)
    weighing = np.maximum(1.0, np.add.reduceat(weight, asked.starts))
    next_too = np.zeros_like(pairs)
    np.multiply(pairs[:-1, :-1], pairs[1:, 1:], out=next_too[:-1, :-1])
    triples = np.add.reduceat(next_too, asked.starts, axis=0)
    known = rarity[asked.chosen] * (0.3 + matching.here)
    knowing = np.maximum(1e-6, np.add.reduceat(known, asked.chosen_starts))
    mass = np.maximum.reduceat(matching.family * known[:, None], asked.chosen_starts, axis=0)
    mass /= knowing[:, None]
    many, length = mass.shape
    so_far = np.zeros((many, length + 1))
    np.cumsum(mass, axis=1, out=so_far[:, 1:])
    windows = np.empty((2, many, length))
    for window, wide in zip(windows, (6, 14), strict=True):
        window[:] = so_far[:, -1:]
        window[:, : max(0, length - wide)] = so_far[:, wide:-1]
    windows -= so_far[:, :-1]
    windows = np.minimum(np.maximum.reduceat(windows, starts, axis=2), 1.5)
    matched = np.maximum.reduceat(matching.same, asked.chosen_starts, axis=0)
    shared = np.add.reduceat(matched * passage.figures[:, 0], starts, axis=1)
    said = np.add.reduceat((1.0 - passage.figures[:, 1]) * passage.figures[:, 0], starts)
    return [
        np.add.reduceat(in_row, starts, axis=1) / weighing[:, None],
        np.minimum(np.add.reduceat(triples, starts, axis=1), 4.0) / 4.0,
        *windows,
        shared / np.maximum(said, 0.5),
        matching.function,
    ]


def _surroundings(passage: ReadPassage, matching: Matching) -> list[AnyFloats]:
    """What the sentences around say, for pronouns and for subjects that are left out."""
    here, rare = (
        matching.shares[:, WEIGHTS.index("here")],
        matching.shares[:, WEIGHTS.index("rare")],
    )
    inside, before = matching.in_family, matching.before
    with_before = rare @ np.maximum(inside, before)
    only = matching.in_same * (matching.spread == 1)[:, None]
    nowhere = rare @ (matching.spread == 0)[:, None]
    return [
        here @ before,
        here @ matching.after,
        with_before,
        with_before * passage.shape[:, 0],
        rare @ np.maximum(inside - before, 0.0),
        rare @ np.maximum(inside, matching.after),
        rare @ np.maximum(inside, matching.heard),
        rare @ only,
        nowhere,
    ]


def _characters(matching: Matching) -> list[AnyFloats]:
    """Runs of characters that question and sentence share, in all and by word."""
    shared = matching.characters
    by_word = matching.shares[:, WEIGHTS.index("here")] @ matching.in_runs
    return [shared, _behind(shared), by_word, _behind(by_word)]


def _cues(passage: ReadPassage, asked: QuestionBatch, matching: Matching) -> list[AnyFloats]:
    """Whether the sentence has, outside the question's words, what such a question wants."""
    starts, unasked, figures = passage.starts, matching.unasked, passage.figures
    open_words = figures[:, 0] * (1.0 - figures[:, 1])
    fresh = np.add.reduceat(open_words * unasked, starts, axis=1)
    seen = passage.flags[:, 2:8].T[:, None] * unasked
    number, quantity, time, cause, place, name = np.maximum.reduceat(seen, starts, axis=2)
    place = np.maximum(place, name)
    lists, defines = passage.shape[:, 3], passage.shape[:, 4]
    expected = np.zeros_like(name)
    for index, kind in enumerate(asked.types.tolist()):
        match COARSE_TYPES[kind]:
            case "who" | "which":
                expected[index] = name[index]
            case "when":
                expected[index] = np.maximum(time[index], 0.4 * number[index])
            case "where":
                expected[index] = place[index]
            case "quantity":
                expected[index] = np.maximum(quantity[index], number[index])
            case "why":
                expected[index] = cause[index]
            case "how":
                expected[index] = lists
            case "definition" | "what":
                expected[index] = defines
    return [
        np.minimum(fresh, 10.0) / 5.0,
        quantity,
        time,
        cause,
        place,
        name,
        expected,
        *(expected * (asked.types == index)[:, None] for index in range(_CUED)),
    ]


def _expectation(passage: ReadPassage, near: NearbyMatches, fits: AnyFloats) -> list[AnyFloats]:
    """The best fit of a word, of all words together, and of a word near what matched."""
    starts = passage.starts
    best = np.maximum.reduceat(fits, starts, axis=1) / 3
    raised = np.exp(np.clip(fits, -6.0, 8.0))
    every = np.log(np.add.reduceat(raised, starts, axis=1) + 1e-3) / 3
    close = np.maximum.reduceat(fits + 6.0 * near.near5, starts, axis=1) / 5
    return [best, _behind(best), every, _behind(every), close, _behind(close)]


def _behind(rows: AnyFloats) -> AnyFloats:
    """How far behind the question's best sentence."""
    behind: AnyFloats = rows - rows.max(1, keepdims=True)
    return behind


def _leads(rows: AnyFloats) -> AnyFloats:
    """How far behind the best sentence; the best one's lead over the second."""
    if rows.shape[-1] == 1:
        return rows
    parted = np.partition(rows, -2, axis=-1)
    second, first = parted[..., -2:-1], parted[..., -1:]
    led: AnyFloats = rows - np.where(rows >= first, second, first)
    return led


class QuestionFeatures(NamedTuple):
    """The three blocks of a question; ``word_starts`` says where each sentence's words begin."""

    sentences: AnyFloats
    matches: AnyFloats
    words: AnyFloats
    word_starts: AnyInts
    word_places: AnyInts


class FeaturesOfAll(NamedTuple):
    """The blocks of several questions on a passage, one after another."""

    asked: QuestionBatch
    sentences: AnyFloats
    """(questions, sentences, features)"""
    matches: AnyFloats
    """(content words of all questions, sentences, features)"""
    words: AnyFloats
    word_starts: AnyInts
    """Where the words of each sentence begin, for each question."""
    word_places: AnyInts

    def of(self, index: int) -> QuestionFeatures:
        """The features of one of the questions."""
        first, size = self.asked.chosen_starts[index], self.asked.sizes[index]
        count = self.sentences.shape[1]
        starts = self.word_starts[index * count : (index + 1) * count]
        last = (index + 1) * count
        end = self.word_starts[last] if last < len(self.word_starts) else len(self.words)
        return QuestionFeatures(
            sentences=self.sentences[index],
            matches=self.matches[first : first + size],
            words=self.words[starts[0] : end],
            word_starts=starts - starts[0],
            word_places=self.word_places[starts[0] : end],
        )


def features_of_all(
    passage: ReadPassage, questions: Sequence[ReadQuestion], fitting: AnyFloats
) -> FeaturesOfAll:
    """All features of questions on a passage; ``fitting`` weighs what looks like an answer."""
    together = asked(questions)
    matching = match(passage, together)
    near: NearbyMatches = nearby_matches(passage, together, matching)
    fits = expectation(passage, questions, fitting)
    may_answer = answerable(passage, matching)
    sentences = sentence_rows(passage, together, matching, near, np.where(may_answer, fits, LOW))
    matches = match_rows(passage, together, matching, near)
    words, of, places = word_rows(passage, together, matching, near, fits, may_answer)
    count = len(passage.starts)
    in_order = of * count + passage.sentence_of[places]
    starts = np.searchsorted(in_order, np.arange(len(questions) * count))
    return FeaturesOfAll(together, sentences, matches, words, starts, places)


def features(passage: ReadPassage, question: ReadQuestion, fitting: AnyFloats) -> QuestionFeatures:
    """The features of a single question."""
    return features_of_all(passage, [question], fitting).of(0)


LOW = np.float32(-6.0)
"""How well a word fits that cannot be the answer."""
