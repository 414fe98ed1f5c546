"""Verbs, nouns, possessives and embedded questions."""

import pytest

from readmark.series.guided.answer_phrases import as_phrase
from readmark.series.guided.answers import expected
from readmark.series.guided.edits import Edit, apply_edits
from readmark.series.guided.parses import parse_all
from readmark.series.guided.surface import end_of, plural_of, possessive_form
from readmark.series.guided.word_forms import can_be_verb, past, same_noun, singular


@pytest.mark.parametrize(
    ("verb", "done"),
    [
        ("win", "won"),
        ("bake", "baked"),
        ("carry", "carried"),
        ("clip", "clipped"),
        ("play", "played"),
    ],
)
def test_the_past(verb: str, done: str) -> None:
    assert past(verb) == done


def test_which_words_can_be_verbs() -> None:
    assert can_be_verb("represent")
    assert can_be_verb("win")
    assert not can_be_verb("avocado")


@pytest.mark.parametrize(
    ("noun", "one"), [("cities", "city"), ("matches", "match"), ("bus", "bus"), ("boats", "boat")]
)
def test_the_singular(noun: str, one: str) -> None:
    assert singular(noun) == one


def test_one_noun_but_for_number() -> None:
    assert same_noun("avocado", "avocados")
    assert not same_noun("dam", "dame")


def test_possessives_take_s_but_for_common_plurals() -> None:
    assert possessive_form("Eileen Collins") == "Eileen Collins's"
    assert possessive_form("quarks", plural=True) == "quarks'"


def test_plurals() -> None:
    assert [plural_of(one) for one in ("cataract", "box", "city")] == [
        "cataracts",
        "boxes",
        "cities",
    ]


def test_a_phrase_goes_in_before_the_mark() -> None:
    assert end_of("Who won ?") == len("Who won")
    assert end_of("Who won") == len("Who won")


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("What dam caused the flood?", "the dam that caused the flood"),
        ("Who was Ada Quill's father?", "Ada Quill's father"),
        ("Who carved the stone?", "the person who carved the stone"),
        ("What paper did Ada Quill found?", "the paper that Ada Quill founded"),
        ("In what film is Otto Lang the hero?", "the film in which Otto Lang is the hero"),
    ],
)
def test_a_question_as_a_phrase(question: str, phrase: str) -> None:
    [parsed] = parse_all([question])
    assert as_phrase(parsed, question, expected(parsed)) == phrase


def test_edits_that_overlap_are_made_once() -> None:
    edits = (Edit(0, 3, "abc", "x", "", ""), Edit(2, 4, "cd", "y", "", ""))
    assert apply_edits("abcd", edits) == "xd"
