"""Learning: exact gradients, a lesson that can be learnt, the same weights for the same seed."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from readmark.comprehension.evidence.features import QuestionFeatures
from readmark.comprehension.evidence.reader import from_json, load_ranker, to_json
from readmark.comprehension.evidence.readings import read_passage, read_question
from readmark.core.errors import DataError
from readmark.formats.registry import open_test
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
    made = []
    for at in range(60):
        people = [NAMES[(at + step) % len(NAMES)] for step in range(4)]
        trades = [TRADES[(at * 3 + step) % len(TRADES)] for step in range(4)]
        text = " ".join(f"{who} is a {what}." for who, what in zip(people, trades, strict=True))
        start = text.index(people[at % 4])
        asked = f"Who is the {trades[at % 4]}?"
        spans = [(start, start + len(people[at % 4]))]
        made.append(EvidenceLesson(text, "en", sentences(text, "en"), [(asked, spans)]))
    return made


def blocks(count: int, seed: int) -> QuestionFeatures:
    draw = np.random.Generator(np.random.PCG64(seed))

    def some(*shape: int) -> np.ndarray:
        return draw.standard_normal(shape).astype(np.float64)

    starts = np.arange(count) * 3
    return QuestionFeatures(some(count, 5), some(2, count, 4), some(3 * count, 6), starts, starts)


def test_the_gradient_is_that_of_the_loss() -> None:
    data = batch([blocks(3, 1), blocks(2, 2)])
    weights = {
        name: one.astype(np.float64) for name, one in initial((5, 4, 6), 3, 4, seed=9).items()
    }
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
            kept = weights[name][place]
            weights[name][place] = kept + 1e-4
            above = loss(network)
            weights[name][place] = kept - 1e-4
            below = loss(network)
            weights[name][place] = kept
            assert slope[place] == pytest.approx((above - below) / 2e-4, abs=2e-3), name


def test_a_lesson_is_learnt_and_learning_repeats() -> None:
    told: list[str] = []
    ranker = learn(lessons(), PLAN, told.append)
    assert any("held-out" in line for line in told)
    known = lexicon("en")
    right = 0
    for lesson in lessons():
        passage = read_passage(lesson.text, lesson.sentences, known)
        for text, [(start, _)] in lesson.questions:
            best = ranker.rank_all(passage, [read_question(text, known)])[0].best
            right += lesson.sentences[best][0] == start
    assert right >= 57
    again = learn(lessons(), PLAN, told.append)
    assert to_json(again) == to_json(ranker)


def test_a_ranker_comes_back_from_its_file(tmp_path: Path) -> None:
    ranker = load_ranker()
    path = tmp_path / "model.json"
    path.write_text(to_json(ranker), encoding="utf-8")
    again = load_ranker(str(path))
    assert to_json(again) == to_json(ranker)
    known = lexicon("en")
    text = "The hall burned down. Rita Moss rebuilt the hall in 1950."
    passage = read_passage(text, sentences(text, "en"), known)
    question = read_question("Who rebuilt the hall?", known)
    [found], [expected] = (one.rank_all(passage, [question]) for one in (again, ranker))
    np.testing.assert_allclose(found.probabilities, expected.probabilities, rtol=1e-4)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_questions_together_get_what_each_gets_alone(language: str) -> None:
    test = open_test(str(files("readmark.bundle") / f"reading.{language}.jsonl"))
    ranker, known = load_ranker(), lexicon(language)
    for record in test.records():
        passage = read_passage(record.text, sentences(record.text, language), known)
        asked = [*(one.text for one in record.questions), "", "?", record.text[:60]]
        questions = [read_question(text, known) for text in asked]
        for one, alone in zip(
            ranker.rank_all(passage, questions),
            [ranker.rank_all(passage, [question])[0] for question in questions],
            strict=True,
        ):
            np.testing.assert_allclose(one.probabilities, alone.probabilities, atol=1e-5)
            assert (one.best, one.likely_word) == (alone.best, alone.likely_word)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"readmark": 1, "model": "other"}', '{"readmark": 1, "model": "evidence"}'],
)
def test_what_is_no_model_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"file\.json"):
        from_json(text, file="file.json")


def test_windows_keep_the_answer_and_the_side_of_their_passage() -> None:
    text = "".join(f"Day {at} was dull. " for at in range(1, 13))
    cut = sentences(text, "en")
    at = text.index("Day 9")
    whole = EvidenceLesson(text, "en", cut, [("Which day?", [(at, at + 5)])])
    [window] = windows([whole], 0.5)
    [(_, [(start, end)])] = window.questions
    assert window.text[start:end] == "Day 9"
    assert 3 <= len(window.sentences) <= 7
    assert all(window.text[one:other].endswith("dull.") for one, other in window.sentences)
    assert (window.weight, window.digest) == (0.5, whole.digest)
