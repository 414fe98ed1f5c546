"""An adopted key in the place of the one that a Chinese question had."""

import pytest

from readmark.core.records import Answer, Layer, Phrase, Question, QuestionKey
from readmark.making.translation.adopted_keys import key_with, removed_from_key

PASSAGE = "战争之后，暴风雨之前，水手都走了。暴风雨之前没有风。"
WRONG = Answer(text="战争之后", start=0)


def keyed(
    *texts: str, people: bool = False, asked: str = "何时？", **key: object
) -> tuple[QuestionKey, tuple[str, ...]]:
    """The new key of a question that had ``key`` and asked 何时？, and what gave way."""
    earlier = Question(id="q", text="何时？", key=QuestionKey(**key))  # type: ignore[arg-type]
    now = Question(id="q", text=asked, key=earlier.key)
    new_key = key_with(texts, now, earlier, PASSAGE, keep_people=people)
    return new_key, removed_from_key(earlier, new_key)


def test_a_rejected_key_is_no_longer_gold() -> None:
    key, replaced = keyed("暴风雨之前", answers=(WRONG,))
    assert key == QuestionKey(answers=(Answer(text="暴风雨之前", start=5),))
    assert replaced == ("战争之后",)


def test_an_adopted_key_is_held_once() -> None:
    answer = Answer(text="战争之后", start=0, sentence=(0, 17))
    assert keyed("战争之后", answers=(answer,)) == (QuestionKey(answers=(answer,)), ())


def test_a_key_that_does_not_stand_in_the_passage_is_published() -> None:
    key, replaced = keyed("雨前", answers=(WRONG,))
    assert key == QuestionKey(published=(Phrase(text="雨前"),))
    assert replaced == ("战争之后",)


def test_alternatives_are_one_publishers_not_several_people() -> None:
    key, _ = keyed("暴风雨之前", "雨前", answers=(WRONG,))
    assert key == QuestionKey(published=(Phrase(text="暴风雨之前"), Phrase(text="雨前")))


def test_a_phrase_that_stays_keeps_its_layers() -> None:
    phrase = Phrase(text="雨前", layers={"token": Layer(spans=((0, 2),))})
    key, replaced = keyed("雨前", published=(phrase, Phrase(text="风前")))
    assert key == QuestionKey(published=(phrase,))
    assert replaced == ("风前",)


@pytest.mark.parametrize(
    ("people", "asked", "names"),
    [(True, "何时？", ["wu"]), (True, "何日？", []), (False, "何时？", [])],
)
def test_answers_of_named_people_to_the_same_question_stay(
    people: bool, asked: str, names: list[str]
) -> None:
    """In passages of their own; in a translator's file all of it is the translator's."""
    by_wu = Answer(text="暴风雨之前", start=5, annotator="wu")
    key, _ = keyed(
        "雨前",
        people=people,
        asked=asked,
        answers=(WRONG, by_wu),
        published=(Phrase(text="风前"),),
    )
    assert [item.annotator for item in key.answers] == names
    assert [item.text for item in key.published] == ["雨前"]


def test_a_question_without_an_earlier_key() -> None:
    question = Question(id="q", text="何时？", key=QuestionKey(level=2))
    key = key_with(["雨前"], question, None, PASSAGE, keep_people=True)
    assert key == QuestionKey(level=2, published=(Phrase(text="雨前"),))
    assert removed_from_key(None, key) == ()
