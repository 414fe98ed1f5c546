"""The features of every sentence of a passage for a question, in three blocks.

``sentences``: a row a sentence of named figures; ``matches``: a row for each content word of the
question in each sentence; ``words``: a row for each word of the passage that may be the answer.
Nothing in them names a language, so that questions in one teach the other.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from readmark.models.evidence.expectation import expectation
from readmark.models.evidence.lexicon import Floats, Ints
from readmark.models.evidence.questions import TYPES
from readmark.models.evidence.readings import SHAPE, ReadPassage, ReadQuestion

MATCHES = (
    *("same", "family", "vector", "threshold", "before", "after", "so_far", "spread", "rarity"),
    *("here", "capital", "number", "focus", "topic", "place", "phrase", "near", "only"),
    *("same_rare", "vector_rare", "same_here", "carried", "lead", "alone"),
)
WORDS = (
    *("fits", "behind", "capital", "begins", "quantity", "time", "cause", "place", "number"),
    *("rarity", "near2", "near5", "near12", "left", "right", "focus", "by_focus", "recall", "end"),
    *(f"{name}?" for name in TYPES),
)
_WEIGHTS = ("all", "rare", "here", "names", "numbers", "plain", "function", "focus", "new", "other")
_LEVELS = ("same", "family", "vector", "threshold")
_LEADING = (
    *(("same", "all"), ("same", "here"), ("family", "rare"), ("vector", "here")),
    *(("threshold", "rare"), ("vector", "new"), ("threshold", "other")),
)
SENTENCES = (
    *(f"{level} {weight}" for level in _LEVELS for weight in _WEIGHTS),
    *(f"{level} {weight} behind" for level, weight in _LEADING),
    *("pairs", "triples", "window6", "window14", "precision", "before", "after"),
    *("with before", "with before, pronoun", "beyond before", "with after", "so far", "only here"),
    *("nowhere", "characters", "characters behind", "new mass"),
    *("quantity", "time", "cause", "place", "name", "expected"),
    *(f"expected {name}" for name in TYPES[:7]),
    *("fits", "fits behind", "fits all", "fits all behind", "near fits", "near fits behind"),
    *SHAPE,
    *(f"{name}?" for name in TYPES),
)

_LOW = -6.0
_COS = 0.35


class Features(NamedTuple):
    """The three blocks; ``word_starts`` says where each sentence's words begin."""

    sentences: Floats
    matches: Floats
    words: Floats
    word_starts: Ints
    word_places: Ints


def features(passage: ReadPassage, question: ReadQuestion, fitting: Floats) -> Features:
    """All features of a question on a passage; ``fitting`` weighs what looks like an answer."""
    starts, count = passage.starts, len(passage.starts)
    passage_function = passage.figures[:, 1]
    rarity = question.figures[:, 0]
    # Which words match: equal keys, equal families, near vectors.
    same = (question.keys[:, None] == passage.keys).astype(np.float32)
    family = np.maximum(same, 0.8 * (question.families[:, None] == passage.families))
    vector = question.vectors @ passage.vectors.T
    vector *= 0.95 * (1.0 - passage_function)
    np.maximum(vector, same, out=vector)
    levels = np.maximum.reduceat(np.stack([same, family, vector]), starts, axis=2)
    in_same, in_family, in_vector = levels
    in_threshold = np.maximum((in_vector - _COS) / (1 - _COS), 0.0)
    spread = in_same.sum(1)
    here = np.maximum(np.log((count + 1) / (spread + 0.5)), 0.0).astype(np.float32)
    content, focus = question.content, question.focus
    topic = (question.keys[:, None] == passage.topic).any(1).astype(np.float32)
    rare = content * rarity
    weights = np.stack(
        [
            content,
            rare,
            rare * here,
            content * question.capitals,
            content * question.figures[:, 2],
            rare * here * (question.capitals == 0) * (question.figures[:, 2] == 0),
            question.first - content,
            content * focus,
            rare * (0.3 + here) * (1.0 - 0.9 * topic),
            rare * (0.3 + here) * (1.0 - 0.9 * focus),
        ]
    )
    shares = weights / np.maximum(weights.sum(1, keepdims=True), 1e-6)
    recall = shares @ np.concatenate([in_same, in_family, in_vector, in_threshold], axis=1)
    recall = recall.reshape(len(_WEIGHTS), len(_LEVELS), count)
    columns: list[Floats] = list(recall.transpose(1, 0, 2).reshape(-1, count))
    for level, weight in _LEADING:
        row = recall[_WEIGHTS.index(weight), _LEVELS.index(level)]
        columns.append(_margin(row))

    # Order and nearness.
    pairs = np.zeros_like(same)
    pairs[:-1, :-1] = same[:-1, :-1] * same[1:, 1:]
    pair_weight = np.zeros_like(rarity)
    function = question.figures[:, 1]
    pair_weight[:-1] = 0.5 * (rarity[:-1] + rarity[1:]) * (1.0 - function[:-1] * function[1:])
    triples = pairs[:-1, :-1] * pairs[1:, 1:]
    columns.append(np.add.reduceat(pair_weight @ pairs, starts) / max(1.0, pair_weight.sum()))
    run = np.append(triples.sum(0), np.float32(0.0))
    columns.append(np.minimum(np.add.reduceat(run, starts), 4.0) / 4.0)
    plain = rare * (0.3 + here)
    mass = (family * plain[:, None]).max(0) / max(1e-6, float(plain.sum()))
    so_far = np.concatenate([[0.0], np.cumsum(mass)])
    places = np.arange(len(mass))
    for wide in (6, 14):
        window = so_far[np.minimum(places + wide, len(mass))] - so_far[:-1]
        columns.append(np.minimum(np.maximum.reduceat(window, starts), 1.5))
    open_words = 1.0 - passage_function
    matched = (same * content[:, None]).max(0)
    sums = np.add.reduceat(
        np.stack([matched, open_words]) * passage.figures[:, 0], starts, axis=1
    )
    columns.append(sums[0] / np.maximum(sums[1], 0.5))

    # What the sentences around say.
    before, after = np.zeros_like(in_family), np.zeros_like(in_family)
    before[:, 1:], after[:, :-1] = in_family[:, :-1], in_family[:, 1:]
    heard = np.maximum.accumulate(before, axis=1)
    only = in_same * (spread == 1)[:, None]
    around = np.stack([before, after])
    either = np.maximum(in_family, around)
    share_here, share_rare = shares[2], shares[1]
    columns.extend(share_here @ around)
    pronoun = passage.shape[:, 0]
    with_before = share_rare @ either[0]
    columns.append(with_before)
    columns.append(with_before * pronoun)
    columns.append(share_rare @ np.maximum(in_family - before, 0.0))
    columns.append(share_rare @ either[1])
    columns.append(share_rare @ np.maximum(in_family, heard))
    columns.append(share_rare @ only)
    columns.append(np.full(count, share_rare @ (spread == 0)))
    shared_runs = _shared_runs(passage, question, count)
    columns.append(shared_runs)
    columns.append(shared_runs - shared_runs.max())

    # What may be the answer: words that the question does not have.
    unasked = 1.0 - same.max(0)
    open_words = open_words * unasked
    columns.append(
        np.minimum(np.add.reduceat(passage.figures[:, 0] * open_words, starts), 10.0) / 5.0
    )
    cues = passage.figures[:, 2:] * unasked[:, None]
    names = (passage.capitals > 0.9) * unasked
    seen = np.maximum.reduceat(np.column_stack([cues, names]), starts, axis=0).T
    number, quantity, time, cause, place, name = seen
    place = np.maximum(place, name)
    expected = _expected(question.type, (name, time, place, quantity, cause), passage, number)
    columns += [quantity, time, cause, place, name, expected]
    nothing = np.zeros(count, np.float32)
    columns += [expected if question.type == at else nothing for at in range(7)]
    fits = expectation(passage, question, fitting)
    answerable = (open_words > 0) & (passage.keys >= 0)
    masked = np.where(answerable, fits, _LOW)
    best = np.maximum.reduceat(masked, starts)
    together = np.log(np.add.reduceat(np.exp(np.clip(masked, _LOW, 8.0)), starts) + 1e-3)
    columns += [best / 3, (best - best.max()) / 3, together / 3, (together - together.max()) / 3]
    new = weights[8]
    new_mass = (vector * new[:, None]).max(0) / max(1e-6, float(new.sum()))
    so_far = np.concatenate([[0.0], np.cumsum(new_mass)])
    low = starts[passage.sentence_of]
    high = np.append(starts[1:], len(mass))[passage.sentence_of]
    near = [
        so_far[np.minimum(places + wide + 1, high)] - so_far[np.maximum(places - wide, low)]
        for wide in (2, 5, 12)
    ]
    near_fits = np.maximum.reduceat(masked + 6.0 * near[1], starts)
    columns += [near_fits / 5, (near_fits - near_fits.max()) / 5]
    columns.extend(passage.shape.T)
    asked = [np.full(count, float(question.type == at)) for at in range(len(TYPES))]
    columns += asked
    table = np.stack(columns, axis=1).astype(np.float32)

    # A row for each content word of the question in each sentence.
    chosen = np.flatnonzero(content > 0)
    shown = np.zeros((len(chosen), count, len(MATCHES)), np.float32)
    phrase = np.zeros_like(same)
    phrase[:-1] += pairs[:-1]
    phrase[1:, 1:] += pairs[:-1, :-1]
    best_elsewhere = _elsewhere(in_vector)
    nearby = (so_far[np.minimum(places + 6, high)] - so_far[np.maximum(places - 5, low)])
    in_phrase, in_near = np.maximum.reduceat(np.stack([phrase, family * nearby]), starts, axis=2)
    length = max(1, len(content) - 1)
    by_pair = (
        (0, in_same), (1, in_family), (2, in_vector), (3, in_threshold), (4, before), (5, after),
        (6, heard), (15, in_phrase), (16, in_near), (17, only),
        (18, in_same * rarity[:, None]), (19, in_threshold * rarity[:, None]),
        (20, in_same * here[:, None]), (21, heard * pronoun),
        (22, in_vector - best_elsewhere),
    )
    for at, values in by_pair:
        shown[:, :, at] = values[chosen]
    by_word = (
        (7, spread / count), (8, rarity), (9, here), (10, question.capitals),
        (11, question.figures[:, 2]), (12, focus), (13, topic),
        (14, np.arange(len(content)) / length), (23, np.full(len(content), 1 / len(chosen))),
    )
    for at, values in by_word:
        shown[:, :, at] = values[chosen][:, None]

    # A row for each word that may be the answer, and the end of each sentence.
    kept = np.flatnonzero(answerable | (passage.keys < 0))
    rows = np.zeros((len(kept), len(WORDS)), np.float32)
    rows[:, 0] = masked[kept] / 3
    rows[:, 1] = (masked[kept] - best.max()) / 3
    rows[:, 2] = passage.capitals[kept] > 0.9
    rows[:, 3] = passage.capitals[kept] == 0.5
    rows[:, 4:8] = passage.figures[kept, 3:]
    rows[:, 8] = passage.figures[kept, 2]
    rows[:, 9] = passage.figures[kept, 0]
    for at, values in enumerate(near):
        rows[:, 10 + at] = values[kept]
    rows[:, 13] = new_mass[np.maximum(kept - 1, 0)]
    rows[:, 14] = new_mass[np.minimum(kept + 1, len(mass) - 1)]
    wanted = focus * content
    if wanted.any():
        direction = wanted @ question.vectors
        direction /= np.linalg.norm(direction) + 1e-6
        rows[:, 15] = passage.vectors[kept] @ direction
        by_focus = (same * wanted[:, None]).max(0)
        rows[:, 16] = np.maximum(
            by_focus[np.maximum(kept - 1, 0)], by_focus[np.minimum(kept + 1, len(mass) - 1)]
        )
    sentence_of = passage.sentence_of[kept]
    rows[:, 17] = recall[8, 2][sentence_of]
    rows[:, 18] = passage.keys[kept] < 0
    rows[:, 19 + question.type] = 1.0
    word_starts = np.searchsorted(sentence_of, np.arange(count))
    return Features(table, shown, rows, word_starts, kept)


def _margin(row: Floats) -> Floats:
    """How far behind the best sentence; the best one's lead over the second."""
    if len(row) == 1:
        return row
    second, first = np.partition(row, -2)[-2:]
    return np.where(row >= first, row - second, row - first)


def _elsewhere(rows: Floats) -> Floats:
    """The best match in any other sentence."""
    if rows.shape[1] == 1:
        return np.zeros_like(rows)
    parted = np.partition(rows, -2, axis=1)
    first, second = parted[:, -1:], parted[:, -2:-1]
    return np.where(rows >= first, second, first)


def _shared_runs(passage: ReadPassage, question: ReadQuestion, count: int) -> Floats:
    """Runs of characters that question and sentence share, rarer ones weighing more."""
    if not len(question.grams) or not len(passage.grams):
        return np.zeros(count, np.float32)
    starts = np.minimum(passage.gram_starts, len(passage.grams) - 1)
    found = np.logical_or.reduceat(question.grams[:, None] == passage.grams, starts, axis=1)
    holding = found.sum(1)
    weight = np.where(
        holding > 0, np.log((count + 1) / np.maximum(holding, 1)), 0.5 * math.log(count + 1)
    )
    shared: Floats = (weight @ found) / weight.sum()
    return shared


def _expected(
    asked: int, cues: tuple[Floats, ...], passage: ReadPassage, number: Floats
) -> Floats:
    """Whether the sentence has, outside the question's words, what the type of question wants."""
    name, time, place, quantity, cause = cues
    lists, defines = passage.shape[:, 3], passage.shape[:, 4]
    by_type = {
        "who": name,
        "when": np.maximum(time, 0.4 * number),
        "where": place,
        "quantity": np.maximum(quantity, number),
        "why": cause,
        "how": lists,
        "definition": defines,
        "which": name,
        "what": defines,
    }
    return by_type.get(TYPES[asked], np.zeros_like(name))
