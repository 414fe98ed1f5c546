"""Training a ranker: exact gradients, a lesson that can be learnt, same seed same weights."""

import numpy as np
import pytest

from readmark.comprehension.evidence.features import QuestionFeatures
from readmark.comprehension.evidence.ranker_files import to_json
from readmark.comprehension.evidence.readings import read_passage, read_question
from readmark.text.sentences import sentences
from readmark.text.word_vectors import lexicon
from training.evidence.optimisation import (
    EvidenceLesson,
    EvidencePlan,
    Network,
    batch,
    initial,
    learn,
    windows,
)
from training.networks import softmax

NAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Felix", "Greta", "Hugo", "Irma", "Jonas")
TRADES = ("baker", "sailor", "tailor", "miller", "painter", "teacher", "farmer", "weaver")
PLAN = EvidencePlan(seeds=(1, 2), epochs=4, batch=4, units=3, hidden=4, held_out=0.2)


def lessons() -> list[EvidenceLesson]:
    """Who has a trade? The trades of four people, a sentence each."""
    trade_lessons = []
    for number in range(60):
        people = [NAMES[(number + step) % len(NAMES)] for step in range(4)]
        trades = [TRADES[(number * 3 + step) % len(TRADES)] for step in range(4)]
        text = " ".join(f"{who} is a {what}." for who, what in zip(people, trades, strict=True))
        answer, question = people[number % 4], f"Who is the {trades[number % 4]}?"
        start = text.index(answer)
        questions = [(question, [(start, start + len(answer))])]
        trade_lessons.append(EvidenceLesson(text, "en", sentences(text, "en"), questions))
    return trade_lessons


def blocks(count: int, seed: int) -> QuestionFeatures:
    draw = np.random.Generator(np.random.PCG64(seed))

    def some(*shape: int) -> np.ndarray:
        return draw.standard_normal(shape).astype(np.float64)

    starts = np.arange(count) * 3
    return QuestionFeatures(some(count, 5), some(2, count, 4), some(3 * count, 6), starts, starts)


def test_the_gradient_is_that_of_the_loss() -> None:
    data = batch([blocks(3, 1), blocks(2, 2)])
    start = initial((5, 4, 6), 3, 4, seed=9)
    weights = {name: array.astype(np.float64) for name, array in start.items()}
    gold = np.array([0.0, 1.0, 0.0, 1.0, 0.0])

    def loss(network: Network) -> float:
        shares = softmax(network.forward(data), data.question_starts, data.sizes)
        return -float(np.log(np.add.reduceat(shares * gold, data.question_starts)).sum())

    network = Network(weights)
    shares = softmax(network.forward(data), data.question_starts, data.sizes)
    gradient = network.backward(data, shares - gold)
    draw = np.random.Generator(np.random.PCG64(3))
    for name, slope in gradient.items():
        for _ in range(4):
            place = tuple(int(draw.integers(size)) for size in weights[name].shape)
            weight = weights[name][place]
            weights[name][place] = weight + 1e-4
            above = loss(network)
            weights[name][place] = weight - 1e-4
            below = loss(network)
            weights[name][place] = weight
            assert slope[place] == pytest.approx((above - below) / 2e-4, abs=2e-3), name


def test_a_lesson_is_learnt_and_learning_repeats() -> None:
    messages: list[str] = []
    ranker = learn(lessons(), PLAN, messages.append)
    assert any("held-out" in message for message in messages)
    words = lexicon("en")
    right = 0
    for lesson in lessons():
        passage = read_passage(lesson.text, lesson.sentences, words)
        for text, [(start, _)] in lesson.questions:
            best = ranker.rank_all(passage, [read_question(text, words)])[0].best
            right += lesson.sentences[best][0] == start
    assert right >= 57
    again = learn(lessons(), PLAN, messages.append)
    assert to_json(again) == to_json(ranker)


def test_windows_keep_the_answer_and_the_side_of_their_passage() -> None:
    text = "".join(f"Day {day} was dull. " for day in range(1, 13))
    start = text.index("Day 9")
    questions = [("Which day?", [(start, start + 5)])]
    whole = EvidenceLesson(text, "en", sentences(text, "en"), questions)
    [window] = windows([whole], 0.5)
    [(_, [(start, end)])] = window.questions
    assert window.text[start:end] == "Day 9"
    assert 3 <= len(window.sentences) <= 7
    assert all(window.text[first:last].endswith("dull.") for first, last in window.sentences)
    assert (window.weight, window.digest) == (0.5, whole.digest)
