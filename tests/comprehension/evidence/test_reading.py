"""Words, questions and passages as the evidence model reads them."""

import numpy as np
import pytest
from hypothesis import given

from readmark.comprehension.evidence.readings import read_passage, read_question
from readmark.text.questions.classes import TYPES, asked_type, focus
from readmark.text.sentences import sentences
from readmark.text.stems import stem
from readmark.text.word_vectors import (
    ROW,
    WIDTH,
    key_of,
    lexicon,
    simplified,
    unpacked,
    words_in,
)
from strategies import texts
from training.word_vectors import packed


@pytest.mark.parametrize(
    ("one", "other"),
    [("won", "win"), ("bought", "buys"), ("cities", "city"), ("inventions", "invented")],
)
def test_forms_of_a_word_share_a_key(one: str, other: str) -> None:
    assert key_of(one, "en") == key_of(other, "en")


def test_the_ready_made_keys_are_those_of_the_rules() -> None:
    from readmark.text import word_vectors as module

    forms = module._forms()
    some = [word for word in sorted(forms) if "'" not in word][::300]
    assert {word: forms[word] for word in some} == {
        word: module._stripper()(stem(word)) for word in some
    }


def test_traditional_characters_are_read_as_simplified_ones_in_their_places() -> None:
    assert simplified("臺灣AB") == "台湾ab"
    assert words_in("廣州，中國", "zh") == [("广州", 0), ("中国", 3)]


@given(texts)
def test_words_stand_where_they_are_said_to(text: str) -> None:
    for language in ("en", "zh"):
        for word, at in words_in(text, language):
            assert 0 <= at <= at + len(word) <= len(text)
            if language == "en":
                assert text[at : at + len(word)].replace("’", "'") == word


@pytest.mark.parametrize(
    ("question", "language", "type"),
    [
        ("who built the mill?", "en", "who"),
        ("in what year did it burn?", "en", "when"),
        ("which city has two towers?", "en", "where"),
        ("how many boats came?", "en", "quantity"),
        ("why did she leave?", "en", "why"),
        ("how did they cross?", "en", "how"),
        ("what is a lathe?", "en", "definition"),
        ("谁补好了渔网？", "zh", "who"),
        ("水车是哪一年坏的？", "zh", "when"),
        ("桥有多长？", "zh", "quantity"),
        ("他为什么离开？", "zh", "why"),
        ("老周做了什么？", "zh", "what"),
    ],
)
def test_types_of_questions(question: str, language: str, type: str) -> None:
    assert TYPES[asked_type(question, language)] == type


def test_the_focus_is_the_noun_that_is_asked_for() -> None:
    asked = ["what", "small", "town", "has", "the", "oldest", "mill"]
    marked = focus(asked, [word in {"what", "has", "the"} for word in asked], "en")
    assert [word for word, mark in zip(asked, marked, strict=True) if mark] == ["small", "town"]


def test_vectors_come_back_from_four_bits() -> None:
    draw = np.random.Generator(np.random.PCG64(5))
    vectors = draw.standard_normal((40, WIDTH))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert (vectors * unpacked(packed(vectors))).sum(1).min() > 0.98


def test_near_words_have_near_vectors() -> None:
    for language, near, far in (
        ("en", ("buy", "purchase"), "river"),
        ("zh", ("赢得", "夺得"), "河流"),
    ):
        known = lexicon(language)
        one, other, third = (
            known.vectors[known.numbers[known.entry(word), ROW]] for word in (*near, far)
        )
        assert one @ other > one @ third + 0.2


@given(texts)
def test_any_passage_and_question_can_be_read(text: str) -> None:
    for language in ("en", "zh"):
        cut = sentences(text, language)
        known = lexicon(language)
        question = read_question(text, known)
        assert question.content.any()
        if cut:
            passage = read_passage(text, cut, known)
            assert len(passage.starts) == len(cut)
            assert (np.diff(passage.sentence_of) >= 0).all()
            assert (passage.keys[passage.high[passage.starts] - 1] == -1).all()
