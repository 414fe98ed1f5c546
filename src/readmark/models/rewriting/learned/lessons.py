"""From series with gold rewrites to lessons: candidates of a step, and how like a gold each is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from readmark.corpus.series_notation import PREVIOUS_ANSWER
from readmark.measures.similarity.words import words
from readmark.models.evidence.lexicon import Floats
from readmark.models.rewriting.learned.english import ENGLISH, EnglishSeries, read_english
from readmark.models.rewriting.learned.search import STEPS, Draft
from readmark.models.rewriting.learned.values import Asking

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
class Lesson:
    """The candidates of one step and their likeness to the nearest gold."""

    numbers: Floats
    scores: Floats


@dataclass(frozen=True)
class Taught:
    """A series to learn from: questions, golds, and what is known."""

    id: str
    target: str
    questions: Sequence[str]
    golds: Sequence[Sequence[str]]
    answers: Sequence[str] = ()
    topic: str | None = None
    type: str | None = None


Views = Sequence[tuple[EnglishSeries, Taught]]


def views_of(taught: Taught) -> Views:
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
    return [[one.named for one in told[:INSTANCES]] for told in views[0][0].answered]


def likeness(text: str, golds: Sequence[str], answers: Sequence[str] = ()) -> float:
    """The default metric, best over the golds; an earlier answer is filled in where known."""
    texts = [text]
    if PREVIOUS_ANSWER in text:
        texts = [text.replace(PREVIOUS_ANSWER, one) for one in answers] or texts
    cut = [_grams(gold) for gold in golds]
    return max((_jaccard(_grams(one), gold) for one in texts for gold in cut), default=0.0)


_Grams = tuple[frozenset[str], frozenset[tuple[str, str]]]


def _grams(text: str) -> _Grams:
    own = words(text)
    return frozenset(own), frozenset(pairwise(own))


def _jaccard(one: _Grams, other: _Grams) -> float:
    total = 0.0
    for a, b, weight in ((one[0], other[0], UNIGRAMS), (one[1], other[1], BIGRAMS)):
        both = len(a & b)
        either = len(a) + len(b) - both
        total += weight * (both / either if either else 1.0)
    return total / (UNIGRAMS + BIGRAMS)


def lessons_of(
    series: EnglishSeries,
    taught: Taught,
    instances: Sequence[Sequence[str]],
    draw: np.random.Generator,
) -> Iterator[Lesson]:
    """The steps of every question that has a gold, each from the best draft of the one before.

    ``instances`` are phrases of the answer to each question, for what PREVIOUS_ANSWER may mean.
    """
    history: list[str] = []
    for at, golds in enumerate(taught.golds):
        asking = series.asking(at, history)
        if draw.random() < HIDDEN:
            asking = without_guided(asking)
        if golds and asking.text.strip():
            told = [one for earlier in instances[max(0, at - 1) : at] for one in earlier]
            yield from _steps(Draft(asking), partial(likeness, golds=golds, answers=told), draw)
        # The drafts of use are no golds: half of the history is what the guidelines make of it.
        gold = golds and draw.random() < GOLD_HISTORY
        history.append(golds[0] if gold else asking.guided)


def without_guided(asking: Asking) -> Asking:
    """A question as if there were no guidelines: their rules were made with such series in view."""
    question = {**asking.question, "guided edits": 0.0, "guided sure": 0.0}
    return replace(asking, guided=asking.text, guided_sure=0.0, guided_edits=(), question=question)


def _steps(
    draft: Draft, score: Callable[[str], float], draw: np.random.Generator
) -> Iterator[Lesson]:
    for _ in range(STEPS):
        rows = draft.rows(ENGLISH)
        made = [(at, draft.with_pair(pair, ENGLISH)) for at, pair in enumerate(rows.pairs)]
        drafts = [(at, one) for at, one in made if one is not None]
        if len(drafts) < 2:
            return
        scores = np.array([score(one.text) for _, one in drafts], np.float32)
        yield _cut(rows.numbers[[at for at, _ in drafts]], scores, draw)
        best = int(np.argmax(scores))
        draft = drafts[best][1]
        if best == 0 or draft.whole is not None:
            return


def _cut(numbers: Floats, scores: Floats, draw: np.random.Generator) -> Lesson:
    """The first two rows, the best and some of the rest."""
    if len(scores) <= BEST + OTHERS + 2:
        return Lesson(numbers, scores)
    order = np.argsort(-scores, kind="stable")
    rest = draw.choice(order[BEST:], OTHERS, replace=False)
    kept = np.unique(np.concatenate([[0, 1], order[:BEST], rest]))
    return Lesson(numbers[kept], scores[kept])
