"""The sentences of a passage, and those that spans and answers occur in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.comprehension.kind import COMPREHENSION
from readmark.core.records import Answer, Layer, Offsets, Passage
from readmark.text.answers.sentences import (
    chosen_sentence,
    key_recall,
    passage_sentences,
    sentences_of_answers,
    sentences_of_span,
)

TEXT = "One owl slept. Two cats ran off. An owl woke."
SENTENCES = [(0, 14), (15, 32), (33, 45)]


def test_passage_is_cut_by_the_rules_or_by_its_own_layer() -> None:
    assert passage_sentences(Passage(text=TEXT), "en") == SENTENCES
    with_layer = Passage(text=TEXT, layers={"sentence": Layer(spans=((0, 32), (33, 45)))})
    assert passage_sentences(with_layer, "en") == [(0, 32), (33, 45)]


def test_parts_are_cut_apart_and_the_title_may_be_left_out() -> None:
    text = "Owls wake early\nMay 3, 1999\nOne owl slept. Two ran."
    parts = {"title": [0, 15], "dateline": [16, 27], "story": [28, 51]}
    news = Passage(text=text, fields={"parts": parts})
    assert passage_sentences(news, "en") == [(0, 15), (16, 27), (28, 42), (43, 51)]
    assert passage_sentences(news, "en", story_only=True) == [(28, 42), (43, 51)]


@pytest.mark.parametrize(
    ("span", "indices"),
    [
        ((15, 32), [1]),
        ((14, 34), [1]),  # the edges of others are not half of them
        ((0, 32), [0, 1]),
        ((0, 45), [0, 1, 2]),
        ((19, 23), [1]),  # less than half of anything: the one it is most in
        ((14, 15), []),  # the space between
        ((13, 24), [1]),
    ],
)
def test_sentences_of_span(span: Offsets, indices: list[int]) -> None:
    assert sentences_of_span(span, SENTENCES) == indices


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        (Answer(text="cats", start=19, end=23), 1),
        (Answer(text="x", sentence=(33, 45)), 2),
        (Answer(text=TEXT, start=0, end=45), None),  # the whole passage is no sentence
        (Answer(text="Two cats"), 1),  # in one place only
        (Answer(text="owl"), None),  # in two
        (Answer(text="a badger"), None),
        (Answer(text=""), None),
    ],
)
def test_chosen_sentence(answer: Answer, chosen: int | None) -> None:
    assert chosen_sentence(answer, TEXT, SENTENCES) == chosen


def test_sentences_of_answers() -> None:
    assert sentences_of_answers([Answer(text="cats", start=19, end=23)], TEXT, SENTENCES) == {1}
    assert sentences_of_answers([Answer(text="owl")], TEXT, SENTENCES) == {0, 2}
    assert sentences_of_answers([Answer(text="fox")], TEXT, SENTENCES) == set()
    assert sentences_of_answers([Answer(text="ow")], TEXT, SENTENCES) == set()  # inside a word
    # A span over an edge is held by the sentence that has more of it.
    assert sentences_of_answers(
        [Answer(text="slept. Two cats", start=8, end=23)], TEXT, SENTENCES
    ) == {1}


@pytest.mark.parametrize(
    "parts",
    [
        {"title": [0, 10], "story": "x"},
        {"title": [0], "story": [10, 45]},
        {"title": ["a", "b"], "story": [10, 45]},
        {"title": [0, 10]},
        {"story": [0, 999]},
        {"story": [9, 3]},
        [1, 2],
    ],
)
def test_unsound_parts_are_ignored_and_reported(parts: object) -> None:
    passage = Passage(id="p", text=TEXT, fields={"parts": parts})
    assert passage_sentences(passage, "en") == SENTENCES
    codes = [code for _, code, _ in COMPREHENSION.findings(passage)]
    assert ("parts" in codes) == isinstance(parts, dict)


SPANS = st.tuples(st.integers(0, 30), st.integers(0, 8)).map(
    lambda pair: (pair[0], pair[0] + pair[1])
)


@given(st.lists(SPANS, max_size=12), st.lists(SPANS, max_size=6))
def test_answer_is_in_the_sentence_that_has_most_of_it(
    sentences: list[Offsets], spans: list[Offsets]
) -> None:
    expected = set()
    for start, end in spans:
        shared = [len({*range(*sentence)} & {*range(start, end)}) for sentence in sentences]
        if any(shared):
            expected.add(shared.index(max(shared)))
    answers = [Answer(text="x" * (end - start), start=start, end=end) for start, end in spans]
    assert sentences_of_answers(answers, "x" * 40, sentences) == expected


def test_key_recall_is_that_of_the_best_alternative() -> None:
    keys = [frozenset({"red", "kite"}), frozenset({"kite", "on", "pier"}), frozenset[str]()]
    sentences = [frozenset({"red", "kite", "flew"}), frozenset({"on", "pier"}), frozenset({"sea"})]
    assert key_recall(keys, sentences) == pytest.approx([1, 2 / 3, 0])
    assert key_recall([], sentences) == [0, 0, 0]
