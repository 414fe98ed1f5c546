"""The trained ranker of edits: several small networks as one, and the file that it is kept in."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.core.files import read_bytes
from readmark.series.learned.english import ENGLISH, EnglishSeries, read_english
from readmark.series.learned.features import FEATURES, STEPS, Draft
from readmark.series.learned.values import Asking
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.series.words import words
from readmark.stats.networks import Adam, Floats, Ints, Weights, softmax

# From series with gold rewrites to lessons: candidates of a step, and how like a gold each is.


UNIGRAMS, BIGRAMS = 2.0, 1.0
"""The weights of the default metric, jaccard(u=2,b=1,t=0)."""
BEST, OTHERS = 24, 40
"""How many candidates a lesson keeps: the best, and of the others a drawn number."""

INSTANCES = 8
"""How many phrases of an answer may stand for it."""
GOLD_HISTORY = 0.5
"""The share of earlier questions that a lesson sees as people rewrote them."""

HIDDEN = 0.5
"""The share of questions where a lesson hides what the guidelines make of them."""


@dataclass(frozen=True)
class RewriteLesson:
    """The candidates of one step and their similarity to the nearest gold."""

    numbers: Floats
    scores: Floats


@dataclass(frozen=True)
class TaughtSeries:
    """A series to learn from: questions, golds, and what is known."""

    id: str
    target: str
    questions: Sequence[str]
    golds: Sequence[Sequence[str]]
    answers: Sequence[str] = ()
    topic: str | None = None
    type: str | None = None


Views = Sequence[tuple[EnglishSeries, TaughtSeries]]


def views_of(taught: TaughtSeries) -> Views:
    """A series as it is, and as if its target or its answers were not known."""
    whole = read_english(
        taught.target, taught.questions, answers=taught.answers, topic=taught.topic,
        type=taught.type,
    )  # fmt: skip
    found = [(whole, taught)]
    bare = replace(taught, answers=(), topic=None)
    if whole.known:
        found.append((read_english(taught.target, taught.questions, type=taught.type), bare))
    elif taught.target:
        found.append((read_english("", taught.questions), replace(bare, target="")))
    return found


def instances_of(views: Views) -> list[list[str]]:
    """Phrases of the answer to each question, where it is known: what the variable may mean."""
    return [[phrase.named for phrase in phrases[:INSTANCES]] for phrases in views[0][0].answered]


def gold_similarity(text: str, golds: Sequence[str], answers: Sequence[str] = ()) -> float:
    """The default metric, best over the golds; an earlier answer is filled in where known."""
    texts = [text]
    if PREVIOUS_ANSWER in text:
        texts = [text.replace(PREVIOUS_ANSWER, answer) for answer in answers] or texts
    cut = [_grams(gold) for gold in golds]
    return max((_jaccard(_grams(text), gold) for text in texts for gold in cut), default=0.0)


_Grams = tuple[frozenset[str], frozenset[tuple[str, str]]]


def _grams(text: str) -> _Grams:
    own = words(text)
    return frozenset(own), frozenset(pairwise(own))


def _jaccard(words: _Grams, other: _Grams) -> float:
    total = 0.0
    for a, b, weight in ((words[0], other[0], UNIGRAMS), (words[1], other[1], BIGRAMS)):
        both = len(a & b)
        either = len(a) + len(b) - both
        total += weight * (both / either if either else 1.0)
    return total / (UNIGRAMS + BIGRAMS)


def lessons_of(
    series: EnglishSeries,
    taught: TaughtSeries,
    instances: Sequence[Sequence[str]],
    draw: np.random.Generator,
) -> Iterator[RewriteLesson]:
    """The steps of every question that has a gold, each from the best draft of the one before.

    ``instances`` are phrases of the answer to each question, for what PREVIOUS_ANSWER may mean.
    """
    history: list[str] = []
    for index, golds in enumerate(taught.golds):
        asking = series.asking(index, history)
        if draw.random() < HIDDEN:
            asking = without_guided(asking)
        if golds and asking.text.strip():
            told = [one for earlier in instances[max(0, index - 1) : index] for one in earlier]
            yield from _steps(
                Draft(asking), partial(gold_similarity, golds=golds, answers=told), draw
            )
        # The drafts of use are no golds: half of the history is what the guidelines make of it.
        gold = golds and draw.random() < GOLD_HISTORY
        history.append(golds[0] if gold else asking.guided)


def without_guided(asking: Asking) -> Asking:
    """A question as if there were no guidelines: their rules were made with such series in view."""
    question = {**asking.question, "guided edits": 0.0, "guided sure": 0.0}
    return replace(asking, guided=asking.text, guided_edits=(), question=question)


def _steps(
    draft: Draft, score: Callable[[str], float], draw: np.random.Generator
) -> Iterator[RewriteLesson]:
    for _ in range(STEPS):
        rows = draft.rows(ENGLISH)
        made = [(index, draft.with_pair(pair, ENGLISH)) for index, pair in enumerate(rows.pairs)]
        drafts = [(index, draft) for index, draft in made if draft is not None]
        if len(drafts) < 2:
            return
        scores = np.array([score(draft.text) for _, draft in drafts], np.float32)
        yield _cut(rows.numbers[[index for index, _ in drafts]], scores, draw)
        best = int(np.argmax(scores))
        draft = drafts[best][1]
        if best == 0 or draft.guided_text is not None:
            return


def _cut(numbers: Floats, scores: Floats, draw: np.random.Generator) -> RewriteLesson:
    """The first two rows, the best and some of the rest."""
    if len(scores) <= BEST + OTHERS + 2:
        return RewriteLesson(numbers, scores)
    order = np.argsort(-scores, kind="stable")
    rest = draw.choice(order[BEST:], OTHERS, replace=False)
    kept = np.unique(np.concatenate([[0, 1], order[:BEST], rest]))
    return RewriteLesson(numbers[kept], scores[kept])


# The network that ranks candidates: one hidden layer, and a linear path parallel to it.


@dataclass(frozen=True)
class RankerPlan:
    """How a network is trained."""

    seeds: tuple[int, ...] = (1, 2, 3, 4, 5)
    hidden: int = 32
    epochs: int = 12
    batch: int = 32
    rate: float = 0.003
    decay: float = 0.02
    dropout: float = 0.2
    risk: float = 60.0
    """The weight of the expected loss relative to the cross-entropy."""
    sharpness: float = 12.0
    """How much likelier a better candidate is to be aimed at."""


class LessonBatch(NamedTuple):
    """Several lessons one after another."""

    numbers: Floats
    scores: Floats
    aims: Floats
    starts: Ints
    sizes: Ints


def initial(width: int, hidden: int, seed: int) -> Weights:
    """Random weights of the hidden layer; the straight way begins at nothing."""
    draw = np.random.Generator(np.random.PCG64(seed))
    return {
        "hidden": (draw.standard_normal((width, hidden)) / np.sqrt(width)).astype(np.float32),
        "hidden_bias": np.zeros(hidden, np.float32),
        "out": (draw.standard_normal((hidden, 1)) / np.sqrt(hidden)).astype(np.float32),
        "straight": np.zeros((width, 1), np.float32),
    }


def forward(weights: Weights, numbers: Floats) -> tuple[Floats, Floats]:
    """A score a row, and the hidden layer that it came from."""
    hidden = np.maximum(numbers @ weights["hidden"] + weights["hidden_bias"], 0.0)
    scores: Floats = (hidden @ weights["out"] + numbers @ weights["straight"]).ravel()
    return scores, hidden


def trained(lessons: Sequence[RewriteLesson], seed: int, plan: RankerPlan) -> Weights:
    """One network on standardised lessons."""
    draw = np.random.Generator(np.random.PCG64(seed))
    weights = initial(lessons[0].numbers.shape[1], plan.hidden, seed)
    adam = Adam(weights, decay=plan.decay)
    steps = -(-len(lessons) // plan.batch) * plan.epochs
    done = 0
    for _ in range(plan.epochs):
        order = draw.permutation(len(lessons))
        for index in range(0, len(order), plan.batch):
            data = _batch([lessons[one] for one in order[index : index + plan.batch]], plan)
            drawn = draw.random(data.numbers.shape[1])
            keep = np.where(drawn < plan.dropout, 0.0, 1.0).astype(np.float32)
            rate = plan.rate * min(1.0, 10 * done / steps + 0.1) * (1 - done / steps)
            adam.step(weights, _gradient(weights, data, keep / (1 - plan.dropout), plan), rate)
            done += 1
    return weights


def _batch(lessons: Sequence[RewriteLesson], plan: RankerPlan) -> LessonBatch:
    sizes = np.array([len(lesson.scores) for lesson in lessons])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    scores = np.concatenate([lesson.scores for lesson in lessons])
    aims = softmax(scores * np.float32(plan.sharpness), starts, sizes)
    numbers = np.concatenate([lesson.numbers for lesson in lessons])
    return LessonBatch(numbers, scores, aims, starts, sizes)


def _gradient(weights: Weights, data: LessonBatch, keep: Floats, plan: RankerPlan) -> Weights:
    numbers = data.numbers * keep
    scores, hidden = forward(weights, numbers)
    shares = softmax(scores, data.starts, data.sizes)
    mean = np.repeat(np.add.reduceat(shares * data.scores, data.starts), data.sizes)
    error = shares - data.aims + np.float32(plan.risk) * shares * (mean - data.scores)
    slopes = (error / len(data.sizes)).astype(np.float32)[:, None]
    at_hidden = (slopes * weights["out"].T) * (hidden > 0)
    return {
        "out": hidden.T @ slopes,
        "straight": numbers.T @ slopes,
        "hidden": numbers.T @ at_hidden,
        "hidden_bias": at_hidden.sum(0),
    }


SCHEMA = 1
NAMES = ("hidden", "hidden_bias", "out", "straight")


@dataclass(frozen=True)
class RewriteRanker:
    """Weights for standardised features; every network has a say of equal weight."""

    mean: Floats
    spread: Floats
    networks: Sequence[Weights]
    note: Mapping[str, Any]

    def scores(self, numbers: Floats) -> Floats:
        """A score a candidate; only differences mean something."""
        scores, _ = forward(self._joint, numbers)
        return scores

    def pull(self, best: Floats, rival: Floats) -> Floats:
        """How much each feature put one candidate before another, by slope times distance."""
        joint = self._joint
        _, hidden = forward(joint, np.stack([best, rival]))
        open_ = (hidden > 0).mean(axis=0)
        slope = joint["hidden"] @ (joint["out"].ravel() * open_) + joint["straight"].ravel()
        pulled: Floats = slope * (best - rival)
        return pulled

    @functools.cached_property
    def _joint(self) -> Weights:
        """All networks as one that takes raw features: the standardising is in the weights."""
        count = len(self.networks)
        hidden = np.hstack([network["hidden"] for network in self.networks]) / self.spread[:, None]
        bias = (
            np.concatenate([network["hidden_bias"] for network in self.networks])
            - self.mean @ hidden
        )
        straight = (
            sum(network["straight"] for network in self.networks) / count / self.spread[:, None]
        )
        out = np.vstack([network["out"] for network in self.networks]) / count
        joint = {"hidden": hidden, "hidden_bias": bias, "out": out, "straight": straight}
        return {name: np.ascontiguousarray(one, np.float32) for name, one in joint.items()}


def to_json(ranker: RewriteRanker) -> str:
    """The file of a ranker: features by name, numbers with four figures, one row per line."""
    scaling = {
        name: [_short(mean), _short(spread)]
        for name, mean, spread in zip(FEATURES, ranker.mean, ranker.spread, strict=True)
    }
    lines = [
        f'{{"readmark": {SCHEMA}, "model": "rewriter",',
        f'"note": {json.dumps(dict(ranker.note), ensure_ascii=False)},',
        f'"scaling": {json.dumps(scaling, ensure_ascii=False)},',
        '"networks": [',
    ]
    for index, network in enumerate(ranker.networks):
        parts = []
        for name in NAMES:
            matrix = np.atleast_2d(network[name])
            rows = ",\n".join(json.dumps([_short(n) for n in row]) for row in matrix)
            parts.append(f'"{name}": [\n{rows}]')
        lines.append("{" + ",\n".join(parts) + ("}," if index + 1 < len(ranker.networks) else "}"))
    return "\n".join([*lines, "]}"]) + "\n"


def _short(number: Any) -> float:
    return float(f"{float(number):.4g}")


def from_json(text: str, *, file: str) -> RewriteRanker:
    """A ranker from its file; one for other features than these is refused."""
    try:
        said = _members("it", json.loads(text))
        if said.get("model") != "rewriter" or said.get("readmark") != SCHEMA:
            raise DataError("this is no rewriter model of schema 1", file=file)
        scales = _members("scaling", said["scaling"])
        if tuple(scales) != FEATURES:
            raise DataError("it was made for other features; train it again", file=file)
        scaling = _finite("scaling", list(scales.values()), (len(FEATURES), 2))
        if not (scaling[:, 1] > 0).all():
            raise ValueError("a feature has a spread of 0 or less")
        note = _members("note", said.get("note", {}))
        if not isinstance(said["networks"], list):
            raise ValueError("networks is no list")
        networks = [_network(_members("a network", one)) for one in said["networks"]]
        if not networks:
            raise DataError("the rewriter model has no network", file=file)
    except KeyError as error:
        raise DataError(f"the rewriter model lacks {error}", file=file) from None
    except (ValueError, TypeError, RecursionError) as error:
        raise DataError(f"the rewriter model cannot be read: {error}", file=file) from None
    return RewriteRanker(scaling[:, 0], scaling[:, 1], networks, note)


def _members(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} has no members with names")
    return value


def _network(members: Mapping[str, Any]) -> Weights:
    bias = np.ravel(members["hidden_bias"])
    width, hidden = len(FEATURES), len(bias)
    return {
        "hidden": _finite("hidden", members["hidden"], (width, hidden)),
        "hidden_bias": _finite("hidden_bias", bias, (hidden,)),
        "out": _finite("out", members["out"], (hidden, 1)),
        "straight": _finite("straight", members["straight"], (width, 1)),
    }


def _finite(name: str, numbers: Any, shape: tuple[int, ...]) -> Floats:
    """Numbers of a shape; one that is none, or beyond what is calculated with, decides nothing."""
    with np.errstate(over="ignore"):
        found = np.asarray(numbers).astype(np.float32)
    if found.shape != shape:
        raise ValueError(f"{name} has the shape {found.shape}, expected {shape}")
    if not np.isfinite(found).all():
        raise ValueError(f"{name} has a number that is not finite")
    return found


def fingerprint(ranker: RewriteRanker) -> str:
    """Which weights these are."""
    return hashlib.sha256(to_json(ranker).encode()).hexdigest()[:12]


@functools.lru_cache(maxsize=4)
def load_ranker(path: str | None = None) -> RewriteRanker:
    """The ranker in a file, or the one that ships."""
    if path is not None:
        try:
            return from_json(read_bytes(path).decode("utf-8"), file=path)
        except UnicodeDecodeError as error:
            raise DataError(f"the model cannot be read ({error})", file=path) from None
    shipped = files("readmark.series.learned") / "data" / "ranker.json"
    return from_json(shipped.read_text(encoding="utf-8"), file=str(shipped))


# Learning a ranker from lessons.


Notify = Callable[[str], None]


def learn(
    lessons: Sequence[RewriteLesson], plan: RankerPlan, notify: Notify = lambda _: None
) -> RewriteRanker:
    """Standardise the features and train one network per seed, the same on any machine.

    One thread multiplies: several sum in another order, and cost more than they save.
    """
    require("threadpoolctl")
    from threadpoolctl import threadpool_limits

    every = np.concatenate([lesson.numbers for lesson in lessons])
    mean = every.mean(axis=0)
    spread = every.std(axis=0)
    spread = np.where(spread < 1e-4, 1.0, np.maximum(spread, 0.05)).astype(np.float32)
    ready = [RewriteLesson((lesson.numbers - mean) / spread, lesson.scores) for lesson in lessons]
    networks = []
    with threadpool_limits(limits=1, user_api="blas"):
        for seed in plan.seeds:
            networks.append(trained(ready, seed, plan))
            notify(f"network {len(networks)} of {len(plan.seeds)} (seed {seed})")
    return RewriteRanker(mean.astype(np.float32), spread, networks, {})
