"""Named features of each sentence for a question: overlap, order, surroundings, cues, shape."""

from __future__ import annotations

import numpy as np

from readmark.comprehension.evidence.matches import (
    LEVELS,
    WEIGHTS,
    Matching,
    NearbyMatches,
    best_elsewhere,
)
from readmark.comprehension.evidence.question_batch import QuestionBatch
from readmark.comprehension.evidence.readings import (
    CUES,
    FUNCTION_WORD,
    NUMBER,
    RARITY,
    SHAPE,
    ReadPassage,
)
from readmark.core.arrays import AnyFloats
from readmark.text.questions.coarse_types import COARSE_TYPES

_LEADING = (
    ("same", "all"),
    ("same", "here"),
    ("family", "rare"),
    ("vector", "here"),
    ("threshold", "rare"),
    ("vector", "new"),
    ("threshold", "other"),
)
"""The overlaps whose lead over the next sentence is a feature of its own."""
_LEADING_LEVELS = [LEVELS.index(level) for level, _ in _LEADING]
_LEADING_WEIGHTS = [WEIGHTS.index(weight) for _, weight in _LEADING]
_OVERLAPS = len(LEVELS) * len(WEIGHTS)
_LEADS = _OVERLAPS + len(_LEADING)
_CUED = 7
"""The types of question, first in order, that the spelling of words gives a cue for."""

# Trained models name their features: neither names nor order may change.
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
    batch: QuestionBatch,
    matching: Matching,
    near: NearbyMatches,
    fits: AnyFloats,
) -> AnyFloats:
    """One block per question, one row per sentence, its columns as ``SENTENCES`` names them."""
    questions, count = len(batch.questions), len(passage.starts)
    rows = np.zeros((len(SENTENCES), questions, count), np.float32)
    rows[:_OVERLAPS] = matching.recall.reshape(questions, -1, count).swapaxes(0, 1)
    leading = matching.recall[:, _LEADING_LEVELS, _LEADING_WEIGHTS]
    rows[_OVERLAPS:_LEADS] = (leading - best_elsewhere(leading)).swapaxes(0, 1)
    features = {
        **_order(passage, batch, matching),
        **_surroundings(passage, matching),
        **_characters(matching),
        **_cues(passage, batch, matching),
        **_fit(passage, near, fits),
        **dict(zip(SHAPE, passage.shape.T, strict=True)),
    }
    for name, values in features.items():
        rows[SENTENCES.index(name)] = values
    rows[batch.types - len(COARSE_TYPES), np.arange(questions)] = 1.0
    return rows.transpose(1, 2, 0)


def _order(passage: ReadPassage, batch: QuestionBatch, matching: Matching) -> dict[str, AnyFloats]:
    """Words that stand together in both, and how much of the sentence the question has."""
    starts, pairs = passage.starts, matching.pairs
    rarity, function = batch.figures[:, RARITY], batch.figures[:, FUNCTION_WORD]
    pair_weights = np.zeros_like(rarity)
    pair_weights[:-1] = 0.5 * (rarity[:-1] + rarity[1:]) * (1.0 - function[:-1] * function[1:])
    pair_weights[batch.starts[1:] - 1] = 0.0  # a word of one question and one of the next
    in_pairs = np.add.reduceat(pairs * pair_weights[:, None], batch.starts, axis=0)
    pair_totals = np.maximum(1.0, np.add.reduceat(pair_weights, batch.starts))

    next_too = np.zeros_like(pairs)
    np.multiply(pairs[:-1, :-1], pairs[1:, 1:], out=next_too[:-1, :-1])
    triples = np.add.reduceat(next_too, batch.starts, axis=0)

    weights = rarity[batch.content] * (0.3 + matching.here)
    totals = np.maximum(1e-6, np.add.reduceat(weights, batch.content_starts))
    mass = np.maximum.reduceat(matching.family * weights[:, None], batch.content_starts, axis=0)
    mass /= totals[:, None]
    questions, length = mass.shape
    so_far = np.zeros((questions, length + 1))
    np.cumsum(mass, axis=1, out=so_far[:, 1:])
    # For each word what the 6 and the 14 words from it on have of the question.
    windows = np.empty((2, questions, length))
    for window, width in zip(windows, (6, 14), strict=True):
        window[:] = so_far[:, -1:]
        window[:, : max(0, length - width)] = so_far[:, width:-1]
    windows -= so_far[:, :-1]
    window6, window14 = np.minimum(np.maximum.reduceat(windows, starts, axis=2), 1.5)

    matched = np.maximum.reduceat(matching.same, batch.content_starts, axis=0)
    shared = np.add.reduceat(matched * passage.figures[:, RARITY], starts, axis=1)
    has_content = 1.0 - passage.figures[:, FUNCTION_WORD]
    content = np.add.reduceat(has_content * passage.figures[:, RARITY], starts)
    return {
        "pairs": np.add.reduceat(in_pairs, starts, axis=1) / pair_totals[:, None],
        "triples": np.minimum(np.add.reduceat(triples, starts, axis=1), 4.0) / 4.0,
        "window of 6": window6,
        "window of 14": window14,
        "precision": shared / np.maximum(content, 0.5),
        "function words": matching.function,
    }


def _surroundings(passage: ReadPassage, matching: Matching) -> dict[str, AnyFloats]:
    """What the sentences around say, for pronouns and for subjects that are left out."""
    here = matching.shares[:, WEIGHTS.index("here")]
    rare = matching.shares[:, WEIGHTS.index("rare")]
    inside, before = matching.in_family, matching.before
    with_before = rare @ np.maximum(inside, before)
    return {
        "before": here @ before,
        "after": here @ matching.after,
        "with before": with_before,
        "with before, pronoun": with_before * passage.shape[:, SHAPE.index("pronoun")],
        "beyond before": rare @ np.maximum(inside - before, 0.0),
        "with after": rare @ np.maximum(inside, matching.after),
        "so far": rare @ np.maximum(inside, matching.earlier),
        "only here": rare @ (matching.in_same * (matching.spread == 1)[:, None]),
        "nowhere": rare @ (matching.spread == 0)[:, None],
    }


def _characters(matching: Matching) -> dict[str, AnyFloats]:
    """Runs of characters that question and sentence share, in all and by word."""
    shared = matching.characters
    by_word = matching.shares[:, WEIGHTS.index("here")] @ matching.in_runs
    return {
        "characters": shared,
        "characters, lead": _behind(shared),
        "characters by word": by_word,
        "characters by word, lead": _behind(by_word),
    }


def _cues(passage: ReadPassage, batch: QuestionBatch, matching: Matching) -> dict[str, AnyFloats]:
    """Whether the sentence has, outside the question's words, what such a question wants."""
    starts, unasked, figures = passage.starts, matching.unasked, passage.figures
    rarity_of_content = figures[:, RARITY] * (1.0 - figures[:, FUNCTION_WORD])
    new_words = np.add.reduceat(rarity_of_content * unasked, starts, axis=1)
    # The last but one of these flags is that a word is a name.
    flags = passage.flags[:, NUMBER : CUES.stop + 1].T[:, None] * unasked
    number, quantity, time, cause, place, name = np.maximum.reduceat(flags, starts, axis=2)
    place = np.maximum(place, name)
    commas = passage.shape[:, SHAPE.index("commas")]
    defines = passage.shape[:, SHAPE.index("defines")]
    expected = np.zeros_like(name)
    for index, kind in enumerate(batch.types.tolist()):
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
                expected[index] = commas  # a list of steps or means
            case "definition" | "what":
                expected[index] = defines
    return {
        "new words": np.minimum(new_words, 10.0) / 5.0,
        "quantity": quantity,
        "time": time,
        "cause": cause,
        "place": place,
        "name": name,
        "expected": expected,
        **{
            f"expected {name_of_type}": expected * (batch.types == index)[:, None]
            for index, name_of_type in enumerate(COARSE_TYPES[:_CUED])
        },
    }


def _fit(passage: ReadPassage, near: NearbyMatches, fits: AnyFloats) -> dict[str, AnyFloats]:
    """The best fit of a word, of all words together, and of a word near what matched."""
    starts = passage.starts
    best = np.maximum.reduceat(fits, starts, axis=1) / 3
    raised = np.exp(np.clip(fits, -6.0, 8.0))
    of_all = np.log(np.add.reduceat(raised, starts, axis=1) + 1e-3) / 3
    nearby = np.maximum.reduceat(fits + 6.0 * near.near5, starts, axis=1) / 5
    return {
        "fits": best,
        "fits, lead": _behind(best),
        "fits in all": of_all,
        "fits in all, lead": _behind(of_all),
        "fits near": nearby,
        "fits near, lead": _behind(nearby),
    }


def _behind(rows: AnyFloats) -> AnyFloats:
    """How far behind the question's best sentence."""
    behind: AnyFloats = rows - rows.max(1, keepdims=True)
    return behind
