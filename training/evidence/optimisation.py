"""Learning from questions with known answers: first what answers look like, then the ranking.

Passages are cut in two halves; what answers look like is learnt on each half and applied to the
other, so that the ranker never trains on fits that were made from the same answers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from readmark.comprehension.evidence.answer_fit import (
    QUESTION_SIDE,
    WORD_SIDE,
    question_side,
    word_side,
)
from readmark.comprehension.evidence.features import QuestionFeatures, features
from readmark.comprehension.evidence.match_features import MATCHES
from readmark.comprehension.evidence.ranker import POOL_SCALE, Scaling, SentenceRanker
from readmark.comprehension.evidence.readings import FUNCTION_WORD, read_passage, read_question
from readmark.comprehension.evidence.sentence_features import SENTENCES
from readmark.comprehension.evidence.word_features import WORDS
from readmark.core.arrays import AnyFloats, AnyInts
from readmark.core.counts import counted
from readmark.core.progress import Tell
from readmark.core.records import Offsets
from readmark.text.word_vectors import Lexicon, lexicon
from training.networks import Adam, Weights, softmax

# The network that ranks sentences: two pools of small units and one hidden layer over them.
#
# Each content word of the question gives ``units`` activations a sentence, which are summed; each
# word that may be the answer gives as many, of which the largest counts; these are joined to the
# sentence's own features. The loss is listwise: minus the log of the gold sentences' probability.


@dataclass(frozen=True, slots=True)
class FeatureBatch:
    """The features of several questions one after another, with where each part begins."""

    sentences: AnyFloats
    matches: AnyFloats
    words: AnyFloats
    match_counts: AnyInts
    word_starts: AnyInts
    question_starts: AnyInts
    sizes: AnyInts


def batch(items: Sequence[QuestionFeatures]) -> FeatureBatch:
    """Questions side by side; the match rows of a sentence are adjacent."""
    sizes = np.array([len(item.sentences) for item in items])
    counts = np.array([len(item.matches) for item in items])
    lengths = np.array([len(item.words) for item in items])
    before = np.repeat(np.concatenate([[0], np.cumsum(lengths)[:-1]]), sizes)
    matches = [item.matches.transpose(1, 0, 2).reshape(-1, item.matches.shape[2]) for item in items]
    return FeatureBatch(
        sentences=np.concatenate([item.sentences for item in items]).astype(np.float32),
        matches=np.concatenate(matches).astype(np.float32),
        words=np.concatenate([item.words for item in items]).astype(np.float32),
        match_counts=np.repeat(counts, sizes),
        word_starts=np.concatenate([item.word_starts for item in items]) + before,
        question_starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        sizes=sizes,
    )


@dataclass
class Network:
    """Weights on standardised features, and what a forward pass leaves for the backward one."""

    weights: Weights
    seen: dict[str, Any] = field(default_factory=dict)

    def forward(self, data: FeatureBatch, keep: AnyFloats | None = None) -> AnyFloats:
        """One score per sentence; ``keep`` masks inputs of the hidden layer (dropout)."""
        w = self.weights
        starts = np.concatenate([[0], np.cumsum(data.match_counts)[:-1]])
        matched = np.maximum(data.matches @ w["match"] + w["match_bias"], 0.0)
        summed = np.add.reduceat(matched, starts, axis=0) * POOL_SCALE
        worded = np.maximum(data.words @ w["word"] + w["word_bias"], 0.0)
        largest = np.maximum.reduceat(worded, data.word_starts, axis=0)
        inputs = np.hstack([data.sentences, summed, largest])
        if keep is not None:
            inputs *= keep
        hidden = np.maximum(inputs @ w["hidden"] + w["hidden_bias"], 0.0)
        self.seen = {
            "matched": matched,
            "worded": worded,
            "largest": largest,
            "inputs": inputs,
            "hidden": hidden,
            "keep": keep,
        }
        scores: AnyFloats = (hidden @ w["out"]).ravel()
        return scores

    def backward(self, data: FeatureBatch, error: AnyFloats) -> Weights:
        """The gradient of the weights for the error at each score."""
        w, seen = self.weights, self.seen
        hidden, inputs = seen["hidden"], seen["inputs"]
        at_hidden = (error[:, None] * w["out"].T) * (hidden > 0)
        at_inputs = at_hidden @ w["hidden"].T
        if seen["keep"] is not None:
            at_inputs *= seen["keep"]
        width, units = data.sentences.shape[1], w["match"].shape[1]
        at_summed = at_inputs[:, width : width + units] * POOL_SCALE
        at_matched = np.repeat(at_summed, data.match_counts, axis=0) * (seen["matched"] > 0)
        lengths = np.diff(np.append(data.word_starts, len(data.words)))
        worded = seen["worded"]
        won = (worded > 0) & (worded == np.repeat(seen["largest"], lengths, axis=0))
        at_worded = np.repeat(at_inputs[:, width + units :], lengths, axis=0) * won
        return {
            "out": hidden.T @ error[:, None],
            "hidden": inputs.T @ at_hidden,
            "hidden_bias": at_hidden.sum(0),
            "match": data.matches.T @ at_matched,
            "match_bias": at_matched.sum(0),
            "word": data.words.T @ at_worded,
            "word_bias": at_worded.sum(0),
        }


def initial(widths: tuple[int, int, int], units: int, hidden: int, seed: int) -> Weights:
    """Random weights for features of these widths."""
    draw = np.random.Generator(np.random.PCG64(seed))
    sentences, matches, words = widths

    def normal(rows: int, columns: int) -> AnyFloats:
        drawn: AnyFloats = (draw.standard_normal((rows, columns)) / np.sqrt(rows)).astype(
            np.float32
        )
        return drawn

    return {
        "match": normal(matches, units),
        "match_bias": np.zeros(units, np.float32),
        "word": normal(words, units),
        "word_bias": np.zeros(units, np.float32),
        "hidden": normal(sentences + 2 * units, hidden),
        "hidden_bias": np.zeros(hidden, np.float32),
        "out": normal(hidden, 1),
    }


# Learning: first what answers look like, then the ranking.


@dataclass(frozen=True, slots=True)
class EvidenceLesson:
    """A passage with its sentences, and questions with the spans that answer them."""

    text: str
    language: str
    sentences: Sequence[Offsets]
    questions: Sequence[tuple[str, Sequence[Offsets]]]
    weight: float = 1.0
    parent: str | None = None
    """The passage that this one was cut from."""

    @property
    def digest(self) -> bytes:
        """What decides on which side of a split the passage is: that of its parent."""
        whole = self.text if self.parent is None else self.parent
        return hashlib.sha256(whole.encode("utf-8", "replace")).digest()


@dataclass(frozen=True, slots=True)
class EvidencePlan:
    """How long and how fast to learn."""

    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    epochs: int = 6
    rate: float = 2e-3
    decay: float = 1e-2
    dropout: float = 0.1
    batch: int = 64
    units: int = 16
    hidden: int = 32
    windows: float = 0.5
    """The weight of short windows of longer passages, relative to the passages."""
    held_out: float = 0.1
    """The share of passages that is held out to choose the epoch."""


class Example(NamedTuple):
    """The features of a question, the sentences that hold its answer, and its weight."""

    features: QuestionFeatures
    gold: AnyFloats
    weight: float


class AnswerFit(NamedTuple):
    """A question's side, the words of its answer's sentence, and which of them answer it."""

    question: AnyFloats
    words: AnyFloats
    answers: Any


def learn(lessons: Sequence[EvidenceLesson], plan: EvidencePlan, progress: Tell) -> SentenceRanker:
    """A ranker from lessons; those of weight 0 teach only what answers look like."""
    languages = sorted({lesson.language for lesson in lessons})
    halves: dict[str, tuple[AnyFloats, AnyFloats]] = {}
    for language in languages:
        fits = [_fits(lesson) for lesson in lessons if lesson.language == language]
        sides = [lesson.digest[1] & 1 for lesson in lessons if lesson.language == language]
        halves[language] = _two_halves(fits, sides, progress, language)
    examples: list[Example] = []
    held: list[Example] = []
    cut = windows(lessons, plan.windows) if plan.windows else []
    for number, lesson in enumerate([*lessons, *cut], 1):
        if lesson.weight > 0:
            fitting = halves[lesson.language][lesson.digest[1] & 1]
            kept = lesson.digest[2] < 256 * plan.held_out
            if not kept or lesson.parent is None:
                (held if kept else examples).extend(_examples(lesson, fitting))
        if number % 1000 == 0:
            progress(f"features: {number} of {len(lessons) + len(cut)} passages and windows")
    progress(f"learning from {counted(len(examples), 'question')}, {len(held)} held out")
    scaling = _scaling(examples)
    networks = [_network(examples, held, scaling, plan, seed, progress) for seed in plan.seeds]
    shared = {name: (one + other) / 2 for name, (one, other) in halves.items()}
    return SentenceRanker(shared, scaling, [net.weights for net in networks], {})


def windows(
    lessons: Sequence[EvidenceLesson], weight: float, *, seed: int = 7
) -> list[EvidenceLesson]:
    """Three to seven sentences around an answer, so that short passages are known too."""
    draw = np.random.Generator(np.random.PCG64(seed))
    evidence_lessons: list[EvidenceLesson] = []
    for lesson in lessons:
        cut: dict[tuple[int, int], list[tuple[str, Sequence[Offsets]]]] = {}
        count = len(lesson.sentences)
        for text, spans in lesson.questions if lesson.weight == 1 and count > 6 else ():
            size, back = int(draw.integers(3, 8)), int(draw.integers(0, 7))
            at = holding_sentences(lesson, spans)[0]
            first = max(0, min(count - size, at - back % size))
            start, end = (
                lesson.sentences[first][0],
                lesson.sentences[min(count, first + size) - 1][1],
            )
            inside = [
                (one - start, other - start) for one, other in spans if start <= one < other <= end
            ]
            if inside:
                cut.setdefault((start, end), []).append((text, inside))
        for (start, end), questions in cut.items():
            sentences = [(one - start, other - start) for one, other in lesson.sentences]
            evidence_lessons.append(
                EvidenceLesson(
                    text=lesson.text[start:end],
                    language=lesson.language,
                    sentences=[
                        sentence
                        for sentence in sentences
                        if sentence[0] >= 0 and sentence[1] <= end - start
                    ],
                    questions=questions,
                    weight=weight * lesson.weight,
                    parent=lesson.text,
                )
            )
    return evidence_lessons


def holding_sentences(lesson: EvidenceLesson, spans: Sequence[Offsets]) -> list[int]:
    """The sentences that hold a span, else those that share it."""
    whole = [
        index
        for index, (start, end) in enumerate(lesson.sentences)
        if any(start <= first and last <= end for first, last in spans)
    ]
    return whole or [
        index
        for index, (start, end) in enumerate(lesson.sentences)
        if any(min(end, last) > max(start, first) for first, last in spans)
    ]


def _examples(lesson: EvidenceLesson, fitting: AnyFloats) -> Iterator[Example]:
    if len(lesson.sentences) < 2:
        return
    known = lexicon(lesson.language)
    passage = read_passage(lesson.text, lesson.sentences, known)
    for text, spans in lesson.questions:
        gold = np.zeros(len(lesson.sentences), np.float32)
        gold[holding_sentences(lesson, spans)] = 1.0
        if 0 < gold.sum() < len(gold):
            found = features(passage, read_question(text, known), fitting)
            small = QuestionFeatures(
                found.sentences.astype(np.float16),
                found.matches.astype(np.float16),
                found.words.astype(np.float16),
                found.word_starts,
                found.word_places,
            )
            yield Example(small, gold, lesson.weight)


def _fits(lesson: EvidenceLesson) -> list[AnswerFit]:
    known: Lexicon = lexicon(lesson.language)
    if not lesson.sentences:
        return []
    passage = read_passage(lesson.text, lesson.sentences, known)
    sides = word_side(passage)
    answer_fits = []
    for text, spans in lesson.questions:
        question = read_question(text, known)
        fresh = ~(question.keys[:, None] == passage.keys).any(0)
        fresh &= (passage.figures[:, FUNCTION_WORD] == 0) & (passage.keys >= 0)
        start, end = spans[0]
        held = (first <= start and end <= last for first, last in lesson.sentences)
        holding = next((index for index, holds in enumerate(held) if holds), None)
        if holding is None:
            continue
        places = np.flatnonzero(fresh & (passage.sentence_of == holding))
        answers = (passage.offsets[places] >= start) & (passage.offsets[places] < end)
        if answers.any() and not answers.all():
            answer_fits.append(
                AnswerFit(question_side(question), sides[places].astype(np.float16), answers)
            )
    return answer_fits


def _two_halves(
    fits: Sequence[Sequence[AnswerFit]], sides: Sequence[int], progress: Tell, language: str
) -> tuple[AnyFloats, AnyFloats]:
    """Weights for the passages of each half, learnt on the other."""
    halves: tuple[list[AnswerFit], list[AnswerFit]] = [], []
    for side, answer_fits in zip(sides, fits, strict=True):
        halves[side].extend(answer_fits)
    found = []
    for half, asked in enumerate(halves):
        weights = _fitting(halves[1 - half])
        right = [fit.answers[int(np.argmax(fit.words @ (fit.question @ weights)))] for fit in asked]
        share = 100 * float(np.mean(right)) if right else 0.0
        progress(
            f"{language}: what answers look like, half {half + 1}: {share:.1f}% of {len(right)}"
        )
        spreads = [(fit.words @ (fit.question @ weights)) for fit in asked[:2000]]
        spread = float(np.std(np.concatenate(spreads))) if spreads else 1.0
        found.append(weights / max(spread, 1e-6))
    return found[0], found[1]


def _fitting(fits: Sequence[AnswerFit]) -> AnyFloats:
    """Which word of the sentence answers the question: a softmax over its words."""
    weights = {"fitting": np.zeros((QUESTION_SIDE, WORD_SIDE), np.float32)}
    if not fits:
        return weights["fitting"]
    draw, adam = np.random.Generator(np.random.PCG64(1)), Adam(weights, decay=3e-2)
    epochs, parts = 6, max(1, len(fits) // 64)
    for epoch in range(epochs):
        for step, chosen in enumerate(np.array_split(draw.permutation(len(fits)), parts)):
            some = [fits[at] for at in chosen]
            sizes = np.array([len(fit.answers) for fit in some])
            starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
            sides = np.stack([fit.question for fit in some])
            sides *= draw.random(sides.shape) > 0.1
            words = np.concatenate([fit.words for fit in some]).astype(np.float32)
            scores = (words * np.repeat(sides @ weights["fitting"], sizes, axis=0)).sum(1)
            error = _error(scores, np.concatenate([fit.answers for fit in some]), starts, sizes)
            slope = sides.T @ np.add.reduceat(words * error[:, None], starts, axis=0) / len(some)
            left = 1 - (epoch * parts + step) / (epochs * parts)
            adam.step(weights, {"fitting": slope}, 3e-3 * left)
    return weights["fitting"]


def _error(scores: AnyFloats, gold: AnyFloats, starts: Any, sizes: Any) -> AnyFloats:
    """The slope of minus the log of the gold ones' probability."""
    shares = softmax(scores, starts, sizes)
    right = shares * gold
    right /= np.repeat(np.add.reduceat(right, starts) + 1e-9, sizes)
    slope: AnyFloats = shares - right
    return slope


def _scaling(examples: Sequence[Example]) -> Scaling:
    draw = np.random.Generator(np.random.PCG64(0))
    chosen = draw.permutation(len(examples))[:1500]
    sample = batch([examples[at].features for at in chosen])
    blocks = {"sentences": sample.sentences, "matches": sample.matches, "words": sample.words}
    return {name: (block.mean(0), block.std(0) + 0.02) for name, block in blocks.items()}


def _standardised(examples: Sequence[Example], scaling: Scaling) -> Any:
    whole = batch([example.features for example in examples])
    for name in ("sentences", "matches", "words"):
        block, (mean, spread) = getattr(whole, name), scaling[name]
        block -= mean
        block /= spread
    return whole


def _network(
    examples: Sequence[Example],
    held: Sequence[Example],
    scaling: Scaling,
    plan: EvidencePlan,
    seed: int,
    progress: Tell,
) -> Network:
    widths = (len(SENTENCES), len(MATCHES), len(WORDS))
    network = Network(initial(widths, plan.units, plan.hidden, seed))
    adam = Adam(network.weights, decay=plan.decay)
    draw = np.random.Generator(np.random.PCG64(seed))
    inputs = len(SENTENCES) + 2 * plan.units
    parts = max(1, len(examples) // plan.batch)
    best = (-1.0, network.weights)
    for epoch in range(plan.epochs):
        for step, chosen in enumerate(np.array_split(draw.permutation(len(examples)), parts)):
            some = [examples[at] for at in chosen]
            data = _standardised(some, scaling)
            keep = draw.random((len(data.sentences), inputs), dtype=np.float32) > plan.dropout
            scores = network.forward(data, keep.astype(np.float32) / (1 - plan.dropout))
            gold = np.concatenate([example.gold for example in some])
            error = _error(scores, gold, data.question_starts, data.sizes)
            weight = np.array([example.weight for example in some])
            error *= np.repeat(weight, data.sizes) / len(some)
            left = 1 - (epoch * parts + step) / (plan.epochs * parts)
            adam.step(network.weights, network.backward(data, error), plan.rate * left)
        right = _share_right(network, held or examples[:500], scaling)
        progress(f"seed {seed}, epoch {epoch + 1}: {100 * right:.1f}% of the held-out questions")
        if right > best[0]:
            best = right, {name: one.copy() for name, one in network.weights.items()}
    return Network(best[1])


def _share_right(network: Network, examples: Sequence[Example], scaling: Scaling) -> float:
    """The weighted share of questions whose best sentence holds the answer."""
    right = total = 0.0
    for index in range(0, len(examples), 200):
        some = examples[index : index + 200]
        data = _standardised(some, scaling)
        scores = np.split(network.forward(data), data.question_starts[1:])
        for example, row in zip(some, scores, strict=True):
            right += example.weight * float(example.gold[int(np.argmax(row))] > 0)
            total += example.weight
    return right / total if total else 0.0
