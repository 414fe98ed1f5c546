"""The named figures of each sentence: overlap, order, surroundings, cues, expectation, shape."""

from __future__ import annotations

import numpy as np

from readmark.models.evidence.asked import Asked
from readmark.models.evidence.lexicon import Floats
from readmark.models.evidence.matching import LEVELS, WEIGHTS, Matching
from readmark.models.evidence.questions import TYPES
from readmark.models.evidence.readings import SHAPE, ReadPassage
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
    asked: Asked,
    found: Matching,
    near: Nearness,
    fits: Floats,
) -> Floats:
    """A block a question, a row a sentence, its columns as ``SENTENCES`` names them."""
    count, many = len(passage.starts), len(asked.questions)
    rows = np.zeros((len(SENTENCES), many, count), np.float32)
    rows[:_OVERLAPS] = found.recall.reshape(many, -1, count).swapaxes(0, 1)
    leading = found.recall[:, _LEADING_LEVELS, _LEADING_WEIGHTS]
    rows[_OVERLAPS:_LEADS] = _leads(leading).swapaxes(0, 1)
    single = (
        *_order(passage, asked, found),
        *_surroundings(passage, found),
        *_characters(found),
        *_cues(passage, asked, found),
        *_expectation(passage, near, fits),
    )
    for at, row in enumerate(single, _LEADS):
        rows[at] = row
    rows[-len(TYPES) - len(SHAPE) : -len(TYPES)] = passage.shape.T[:, None]
    rows[asked.types - len(TYPES), np.arange(many)] = 1.0
    return rows.transpose(1, 2, 0)


def _order(passage: ReadPassage, asked: Asked, found: Matching) -> list[Floats]:
    starts, pairs = passage.starts, found.pairs
    rarity, function = asked.figures[:, 0], asked.figures[:, 1]
    weight = np.zeros_like(rarity)
    weight[:-1] = 0.5 * (rarity[:-1] + rarity[1:]) * (1.0 - function[:-1] * function[1:])
    weight[asked.starts[1:] - 1] = 0.0
    in_row = np.add.reduceat(pairs * weight[:, None], asked.starts, axis=0)
    weighing = np.maximum(1.0, np.add.reduceat(weight, asked.starts))
    next_too = np.zeros_like(pairs)
    np.multiply(pairs[:-1, :-1], pairs[1:, 1:], out=next_too[:-1, :-1])
    triples = np.add.reduceat(next_too, asked.starts, axis=0)
    known = rarity[asked.chosen] * (0.3 + found.here)
    knowing = np.maximum(1e-6, np.add.reduceat(known, asked.chosen_starts))
    mass = np.maximum.reduceat(found.family * known[:, None], asked.chosen_starts, axis=0)
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
    matched = np.maximum.reduceat(found.same, asked.chosen_starts, axis=0)
    shared = np.add.reduceat(matched * passage.figures[:, 0], starts, axis=1)
    said = np.add.reduceat((1.0 - passage.figures[:, 1]) * passage.figures[:, 0], starts)
    return [
        np.add.reduceat(in_row, starts, axis=1) / weighing[:, None],
        np.minimum(np.add.reduceat(triples, starts, axis=1), 4.0) / 4.0,
        *windows,
        shared / np.maximum(said, 0.5),
        found.function,
    ]


def _surroundings(passage: ReadPassage, found: Matching) -> list[Floats]:
    """What the sentences around say, for pronouns and for subjects that are left out."""
    here, rare = found.shares[:, WEIGHTS.index("here")], found.shares[:, WEIGHTS.index("rare")]
    inside, before = found.in_family, found.before
    with_before = rare @ np.maximum(inside, before)
    only = found.in_same * (found.spread == 1)[:, None]
    nowhere = rare @ (found.spread == 0)[:, None]
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
    """Runs of characters that question and sentence share, in all and by word."""
    shared = found.characters
    by_word = found.shares[:, WEIGHTS.index("here")] @ found.in_runs
    return [shared, _behind(shared), by_word, _behind(by_word)]


def _cues(passage: ReadPassage, asked: Asked, found: Matching) -> list[Floats]:
    """Whether the sentence has, outside the question's words, what such a question wants."""
    starts, unasked, figures = passage.starts, found.unasked, passage.figures
    open_words = figures[:, 0] * (1.0 - figures[:, 1])
    fresh = np.add.reduceat(open_words * unasked, starts, axis=1)
    seen = passage.flags[:, 2:8].T[:, None] * unasked
    number, quantity, time, cause, place, name = np.maximum.reduceat(seen, starts, axis=2)
    place = np.maximum(place, name)
    lists, defines = passage.shape[:, 3], passage.shape[:, 4]
    expected = np.zeros_like(name)
    for at, kind in enumerate(asked.types.tolist()):
        match TYPES[kind]:
            case "who" | "which":
                expected[at] = name[at]
            case "when":
                expected[at] = np.maximum(time[at], 0.4 * number[at])
            case "where":
                expected[at] = place[at]
            case "quantity":
                expected[at] = np.maximum(quantity[at], number[at])
            case "why":
                expected[at] = cause[at]
            case "how":
                expected[at] = lists
            case "definition" | "what":
                expected[at] = defines
    return [
        np.minimum(fresh, 10.0) / 5.0,
        quantity,
        time,
        cause,
        place,
        name,
        expected,
        *(expected * (asked.types == at)[:, None] for at in range(_CUED)),
    ]


def _expectation(passage: ReadPassage, near: Nearness, fits: Floats) -> list[Floats]:
    """The best fit of a word, of all words together, and of a word near what matched."""
    starts = passage.starts
    best = np.maximum.reduceat(fits, starts, axis=1) / 3
    raised = np.exp(np.clip(fits, -6.0, 8.0))
    every = np.log(np.add.reduceat(raised, starts, axis=1) + 1e-3) / 3
    close = np.maximum.reduceat(fits + 6.0 * near.near5, starts, axis=1) / 5
    return [best, _behind(best), every, _behind(every), close, _behind(close)]


def _behind(rows: Floats) -> Floats:
    """How far behind the question's best sentence."""
    behind: Floats = rows - rows.max(1, keepdims=True)
    return behind


def _leads(rows: Floats) -> Floats:
    """How far behind the best sentence; the best one's lead over the second."""
    if rows.shape[-1] == 1:
        return rows
    parted = np.partition(rows, -2, axis=-1)
    second, first = parted[..., -2:-1], parted[..., -1:]
    led: Floats = rows - np.where(rows >= first, second, first)
    return led
