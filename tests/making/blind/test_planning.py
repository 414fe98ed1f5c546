"""Who answers what: enough people a question, nobody's own, loads even, whatever the order."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.making.blind.plan import planned
from readmark.readability.kind import RatedPassage


def passage(id: str, questions: int, *, by: str | None = None) -> Passage:
    key = QuestionKey(answers=(Answer(text="a", annotator=by),))
    asked = tuple(Question(id=f"{id}-{at}", text="?", key=key) for at in range(questions))
    return Passage(id=id, text=f"a {id}", questions=asked)


def a_test(*records: Passage) -> Test:
    return in_memory(Header(language="en"), records)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=20), st.integers(1, 3), st.integers())
def test_everybody_has_about_as_much_and_every_question_enough(
    sizes: list[int], each: int, seed: int
) -> None:
    records = [passage(f"p{at}", size) for at, size in enumerate(sizes)]
    plan = planned(a_test(*records), ["ann", "bo", "cy", "di"], each=each, seed=seed)
    for record in records:
        assert sum(record.id in ids for ids in plan.passages.values()) == each
    assert sum(plan.questions.values()) == each * sum(sizes)
    # Dealt to the least loaded each time, loads never differ by more than the largest passage.
    assert max(plan.questions.values()) - min(plan.questions.values()) <= max(sizes)
    shuffled = records[:]
    random.Random(1).shuffle(shuffled)
    assert planned(a_test(*shuffled), ["ann", "bo", "cy", "di"], each=each, seed=seed) == plan


def test_nobody_gets_a_passage_that_they_proposed_or_answered() -> None:
    proposed = Passage(
        id="b", text="b", fields={"proposer": "bo"}, questions=(Question(id="b-1", text="?"),)
    )
    plan = planned(a_test(passage("a", 2, by="ann"), proposed), ["ann", "bo", "cy"], each=2)
    assert plan.passages == {"ann": ("b",), "bo": ("a",), "cy": ("a", "b")}


def test_too_few_who_do_not_know_the_key() -> None:
    message = r"wanted: 2 people .*, and 1 of 2 is left: Ann proposed or answered a question"
    with pytest.raises(DataError, match=message):
        planned(a_test(passage("a", 1, by="ann")), ["Ann", "bo"], each=2)


def test_fewer_people_than_answers() -> None:
    with pytest.raises(UsageError, match="2 people are to answer every question and 1 is named"):
        planned(a_test(passage("a", 1)), ["ann"], each=2)


def test_who_found_no_answer_is_not_asked_again() -> None:
    key = QuestionKey(answers=(Answer(text="a"),), fields={"no_answer_by": ["ann"]})
    record = Passage(id="a", text="a", questions=(Question(id="a-1", text="?", key=key),))
    assert planned(a_test(record), ["ann", "bo"], each=1).passages == {"ann": (), "bo": ("a",)}


@pytest.mark.parametrize(
    ("names", "line"),
    [
        ([], "no annotator is named"),
        (["ann", "bo", "ann"], "two annotators are called 'ann'"),
        (["ann", "Ann"], "'ann' and 'Ann' differ in case alone"),
        (["../ann", "bo"], "annotator name '../ann' contains a path separator"),
        (["", "bo"], "annotator name '' is empty"),
    ],
)
def test_names_are_checked(names: list[str], line: str) -> None:
    with pytest.raises(UsageError, match=line):
        planned(a_test(passage("a", 1)), names)


def test_a_test_without_questions_is_refused() -> None:
    with pytest.raises(DataError, match="no questions"):
        planned(a_test(passage("a", 0)), ["ann", "bo"])


def test_passages_to_be_rated_are_handed_out_by_another_command() -> None:
    test = in_memory(Header(kind="readability"), [RatedPassage(id="p", text="Words.")])
    with pytest.raises(UsageError, match="is a readability test; `readmark panel plan`"):
        planned(test, ["ann", "bo"])
