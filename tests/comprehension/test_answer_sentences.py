"""Carrying stretches of text over to a passage's sentences."""

from __future__ import annotations

import pytest

from readmark.comprehension.kind import COMPREHENSION
from readmark.core.records import Answer, Layer, Passage
from readmark.text.answers.places import chosen_sentence, holding, passage_sentences, taken_by

TEXT = "One owl slept. Two cats ran off. An owl woke."
AMONG = [(0, 14), (15, 32), (33, 45)]


def test_the_passage_is_cut_by_the_rules_or_by_its_own_layer() -> None:
    assert passage_sentences(Passage(text=TEXT), "en") == AMONG
    own = Passage(text=TEXT, layers={"sentence": Layer(spans=((0, 32), (33, 45)))})
    assert passage_sentences(own, "en") == [(0, 32), (33, 45)]


def test_parts_are_cut_apart_and_the_title_may_be_left_out() -> None:
    text = "Owls wake early\nMay 3, 1999\nOne owl slept. Two ran."
    parts = {"title": [0, 15], "dateline": [16, 27], "story": [28, 51]}
    news = Passage(text=text, fields={"parts": parts})
    assert passage_sentences(news, "en") == [(0, 15), (16, 27), (28, 42), (43, 51)]
    assert passage_sentences(news, "en", story_only=True) == [(28, 42), (43, 51)]


@pytest.mark.parametrize(
    ("span", "taken"),
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
def test_taken_by_half(span: tuple[int, int], taken: list[int]) -> None:
    assert taken_by(span, AMONG) == taken


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [
        (Answer(text="cats", start=19, end=23), 1),
        (Answer(text="x", sentence=(33, 45)), 2),
        (Answer(text=TEXT, start=0, end=45), None),  # the whole passage is no sentence
        (Answer(text="Two cats"), 1),  # it stands in one place only
        (Answer(text="owl"), None),  # in two
        (Answer(text="a badger"), None),
        (Answer(text=""), None),
    ],
)
def test_the_sentence_that_an_answer_chose(answer: Answer, chosen: int | None) -> None:
    assert chosen_sentence(answer, TEXT, AMONG) == chosen


def test_sentences_that_hold_spans() -> None:
    assert holding([Answer(text="cats", start=19, end=23)], TEXT, AMONG) == {1}
    assert holding([Answer(text="owl")], TEXT, AMONG) == {0, 2}
    assert holding([Answer(text="fox")], TEXT, AMONG) == set()
    assert holding([Answer(text="ow")], TEXT, AMONG) == set()  # inside a word
    # A span over an edge is held by the sentence that has more of it.
    assert holding([Answer(text="slept. Two cats", start=8, end=23)], TEXT, AMONG) == {1}


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
def test_parts_that_are_not_sound_are_passed_over_and_told(parts: object) -> None:
    odd = Passage(id="p", text=TEXT, fields={"parts": parts})
    assert passage_sentences(odd, "en") == AMONG
    codes = [code for _, code, _ in COMPREHENSION.findings(odd)]
    assert ("parts" in codes) == isinstance(parts, dict)
