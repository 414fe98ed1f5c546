"""The named figures of each sentence: overlap, order, surroundings, cues, expectation, shape."""

from __future__ import annotations

import math

import numpy as np

from readmark.models.evidence.lexicon import Floats
from readmark.models.evidence.matching import LEVELS, WEIGHTS, Matching
from readmark.models.evidence.questions import TYPES
from readmark.models.evidence.readings import SHAPE, ReadPassage, ReadQuestion
from readmark.models.evidence.word_features import Nearness

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
    *("pairs", "triples", "window of 6", "window of 14", "precision", "function words"),
    *("before", "after", "with before", "with before, pronoun", "beyond before", "with after"),
    *("so far", "only here", "nowhere", "characters", "characters, lead"),
    *("characters by word", "characters by word, lead"),
    *("new words", "quantity", "time", "cause", "place", "name", "expected"),
    *(f"expected {name}" for name in TYPES[:_CUED]),
    *("fits", "fits, lead", "fits in all", "fits in all, lead", "fits near", "fits near, lead"),
    *SHAPE,
    *(f"{name}?" for name in TYPES),
)


def sentence_rows(
    passage: ReadPassage,
    question: ReadQuestion,
    found: Matching,
    near: Nearness,
    fits: Floats,
) -> Floats:
    """A row a sentence, its columns as ``SENTENCES`` names them."""
    count = len(passage.starts)
    rows = np.zeros((len(SENTENCES), count), np.float32)
    rows[:_OVERLAPS] = found.recall.reshape(-1, count)
    rows[_OVERLAPS:_LEADS] = _leads(found.recall[_LEADING_LEVELS, _LEADING_WEIGHTS])
    single = (
        *_order(passage, question, found),
        *_surroundings(passage, found),
        *_characters(found),
        *_cues(passage, question, found),
        *_expectation(passage, near, fits),
    )
    for at, row in enumerate(single, _LEADS):
        rows[at] = row
    rows[-len(TYPES) - len(SHAPE) : -len(TYPES)] = passage.shape.T
    rows[question.type - len(TYPES)] = 1.0
    return rows.T


def _order(passage: ReadPassage, question: ReadQuestion, found: Matching) -> list[Floats]:
    starts, pairs = passage.starts, found.pairs
    rarity, function = question.figures[:, 0], question.figures[:, 1]
    weight = np.zeros_like(rarity)
    weight[:-1] = 0.5 * (rarity[:-1] + rarity[1:]) * (1.0 - function[:-1] * function[1:])
    triples = np.zeros(pairs.shape[1], np.float32)
    triples[:-1] = (pairs[:-1, :-1] * pairs[1:, 1:]).sum(0)
    known = rarity[question.chosen] * (0.3 + found.here)
    mass = (found.family * known[:, None]).max(0) / max(1e-6, float(known.sum()))
    so_far = np.zeros(len(mass) + 1)
    np.cumsum(mass, out=so_far[1:])
    windows = np.empty((2, len(mass)))
    for row, wide in zip(windows, (6, 14), strict=True):
        row[:] = so_far[-1]
        row[: max(0, len(mass) - wide)] = so_far[wide:-1]
    windows -= so_far[:-1]
    windows = np.minimum(np.maximum.reduceat(windows, starts, axis=1), 1.5)
    matched = found.same.max(0)
    open_words = 1.0 - passage.figures[:, 1]
    sums = np.add.reduceat(np.stack([matched, open_words]) * passage.figures[:, 0], starts, axis=1)
    return [
        np.add.reduceat(weight @ pairs, starts) / max(1.0, float(weight.sum())),
        np.minimum(np.add.reduceat(triples, starts), 4.0) / 4.0,
        *windows,
        sums[0] / np.maximum(sums[1], 0.5),
        found.function,
    ]


def _surroundings(passage: ReadPassage, found: Matching) -> list[Floats | float]:
    """What the sentences around say, for pronouns and for subjects that are left out."""
    here, rare = found.shares[WEIGHTS.index("here")], found.shares[WEIGHTS.index("rare")]
    inside, before = found.in_family, found.before
    with_before = rare @ np.maximum(inside, before)
    only = found.in_same * (found.spread == 1)[:, None]
    nowhere = float(rare @ (found.spread == 0))
    return [
        here @ before,
        here @ found.after,
        with_before,
        with_before * passage.shape[:, 0],
        rare @ np.maximum(inside - before, 0.0),
        rare @ np.maximum(inside, found.after),
        rare @ np.maximum(inside, found.heard),
        rare @ only,
        nowhere,
    ]


def _characters(found: Matching) -> list[Floats]:
    """Runs of characters that question and sentence share, rarer ones weighing more."""
    runs, count = found.runs, found.runs.shape[1]
    holding = runs.sum(1)
    weight = np.where(
        holding > 0, np.log((count + 1) / np.maximum(holding, 1)), 0.5 * math.log(count + 1)
    )
    shared = (weight @ runs) / max(1e-6, float(weight.sum()))
    by_word = found.shares[WEIGHTS.index("here")] @ found.in_runs
    return [shared, shared - shared.max(), by_word, by_word - by_word.max()]


def _cues(passage: ReadPassage, question: ReadQuestion, found: Matching) -> list[Floats | float]:
    """Whether the sentence has, outside the question's words, what such a question wants."""
    starts, unasked, figures = passage.starts, found.unasked, passage.figures
    fresh = np.add.reduceat(figures[:, 0] * unasked * (1.0 - figures[:, 1]), starts)
    seen = passage.flags[:, 2:8] * unasked[:, None]
    number, quantity, time, cause, place, name = np.maximum.reduceat(seen, starts, axis=0).T
    place = np.maximum(place, name)
    lists, defines = passage.shape[:, 3], passage.shape[:, 4]
    expected = {
        "who": name,
        "when": np.maximum(time, 0.4 * number),
        "where": place,
        "quantity": np.maximum(quantity, number),
        "why": cause,
        "how": lists,
        "definition": defines,
        "which": name,
        "what": defines,
    }.get(TYPES[question.type], 0.0)
    return [
        np.minimum(fresh, 10.0) / 5.0,
        quantity,
        time,
        cause,
        place,
        name,
        expected,
        *(expected if question.type == at else 0.0 for at in range(_CUED)),
    ]


def _expectation(passage: ReadPassage, near: Nearness, fits: Floats) -> list[Floats]:
    """The best fit of a word, of all words together, and of a word near what matched."""
    starts = passage.starts
    best = np.maximum.reduceat(fits, starts) / 3
    every = np.log(np.add.reduceat(np.exp(np.clip(fits, -6.0, 8.0)), starts) + 1e-3) / 3
    close = np.maximum.reduceat(fits + 6.0 * near.near5, starts) / 5
    return [best, best - best.max(), every, every - every.max(), close, close - close.max()]


def _leads(rows: Floats) -> Floats:
    """How far behind the best sentence; the best one's lead over the second."""
    if rows.shape[1] == 1:
        return rows
    parted = np.partition(rows, -2, axis=1)
    second, first = parted[:, -2:-1], parted[:, -1:]
    led: Floats = rows - np.where(rows >= first, second, first)
    return led
