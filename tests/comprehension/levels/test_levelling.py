"""A test with levels: both labels kept, nothing else changed, and a second run finds the same."""

from typing import Any

import pytest

from readmark.comprehension.levels.agreement import agreement_with_people, level_agreement
from readmark.comprehension.levels.judging import RULES, judge_levels, with_levels
from readmark.comprehension.levels.labels import LevelLabel
from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.series.records import Series

TEXT = "青溪桥位于柳镇东门外，建于1782年。它由周大川设计。"


def a_test(**levels: Any) -> Test:
    """Three questions of levels 1, 3 and 3 by the rules."""
    asked = {
        "a": ("青溪桥位于哪里？", "柳镇东门外"),
        "b": ("青溪桥建于哪一年？", "1782年"),
        "c": ("青溪桥由谁设计？", "周大川"),
    }
    questions = tuple(
        Question(
            id=id,
            text=text,
            key=QuestionKey(
                answers=(Answer(text=answer, start=TEXT.index(answer)),),
                level=levels.get(id),
                fields={"kept": id},
            ),
        )
        for id, (text, answer) in asked.items()
    )
    return in_memory(Header(language="zh"), [Passage(id="p", text=TEXT, questions=questions)])


def keys_of(test: Test) -> dict[str, QuestionKey]:
    return {question.id: question.key for record in test.records() for question in record.questions}


def test_levels_go_into_the_key() -> None:
    test = a_test()
    judgements = judge_levels(test)
    assert {id: judgement.level for id, judgement in judgements.items()} == {"a": 1, "b": 3, "c": 3}
    levelled_test = with_levels(test, judgements)
    keys = keys_of(levelled_test)
    assert keys["b"].level == 3
    assert keys["b"].fields == {
        "kept": "b",
        "level_by": RULES,
        "level_reasons": ["zero_pronoun"],
        "level_sentences": [[0, 19]],
        "level_why": "'青溪桥' is left out before '建于' in '建于1782年'",
        "level_machine": {"level": 3, "reasons": ["zero_pronoun"]},
    }
    assert test.facts.paper == levelled_test.facts.paper
    assert agreement_with_people(judgements.values()) is None


def test_a_person_goes_before_the_rules_and_both_are_kept() -> None:
    test = a_test(b=2)
    labels = {"c": [LevelLabel(4, ("pronoun", "temporal"), "Lin"), LevelLabel(3, (), "Wu")]}
    judgements = judge_levels(test, labels)
    assert {id: (item.level, item.by) for id, item in judgements.items()} == {
        "a": (1, RULES),
        "b": (2, "person"),
        "c": (4, "Lin"),
    }
    keys = keys_of(with_levels(test, judgements))
    assert keys["c"].level == 4
    assert keys["c"].fields["level_reasons"] == ["pronoun", "temporal"]
    assert keys["c"].fields["level_machine"] == {"level": 3, "reasons": ["pronoun"]}
    assert [item["person"] for item in keys["c"].fields["level_labels"]] == ["Lin", "Wu"]
    beside = agreement_with_people(judgements.values())
    assert beside is not None
    assert (beside.questions, beside.exact.value, beside.hard.value) == (2, 0.0, 0.5)


def test_running_it_again_finds_the_same() -> None:
    labels = {"c": [LevelLabel(4, ("pronoun", "temporal"), "Lin"), LevelLabel(3, (), "Wu")]}
    once = with_levels(test := a_test(b=2), judge_levels(test, labels))
    again = with_levels(once, judge_levels(once))
    assert keys_of(again) == keys_of(once)


def test_a_second_file_of_labels_joins_the_first() -> None:
    lin, wu, xu = (
        LevelLabel(4, ("pronoun", "temporal"), "Lin"),
        LevelLabel(3, (), "Wu"),
        LevelLabel(3, (), "Xu"),
    )
    once = with_levels(test := a_test(), judge_levels(test, {"c": [lin]}))
    twice = with_levels(once, judge_levels(once, {"c": [wu, xu], "b": [wu]}))
    keys = keys_of(twice)
    assert [label["person"] for label in keys["c"].fields["level_labels"]] == ["Lin", "Wu", "Xu"]
    assert (keys["c"].level, keys["c"].fields["level_by"]) == (3, "Wu")  # two of three
    assert (keys["b"].level, keys["b"].fields["level_by"]) == (3, "Wu")


def test_the_same_person_again_must_say_the_same() -> None:
    lin = LevelLabel(4, ("pronoun", "temporal"), "Lin")
    once = with_levels(test := a_test(), judge_levels(test, {"c": [lin]}))
    for same in (lin, LevelLabel(4, (), "Lin"), LevelLabel(4, ("temporal", "pronoun"), "Lin")):
        assert judge_levels(once, {"c": [same]})["c"].people == (lin,)
    for other in (LevelLabel(3, (), "Lin"), LevelLabel(4, ("pronoun", "causal"), "Lin")):
        with pytest.raises(DataError, match=r"'Lin' labels 'c' .*, in the test 4 "):
            judge_levels(once, {"c": [other]})


def test_labels_in_the_test_may_be_spelt_as_text() -> None:
    test = a_test()
    (record,) = test.records()
    key = QuestionKey(
        answers=record.questions[0].key.answers,
        level="2",
        fields={"level_labels": [{"person": "Lin", "level": "2"}]},
    )
    question = Question(id="a", text=record.questions[0].text, key=key)
    again = in_memory(test.header, [Passage(id="p", text=TEXT, questions=(question,))])
    assert judge_levels(again)["a"].people == (LevelLabel(2, (), "Lin"),)
    assert judge_levels(again)["a"].given is None


def test_labels_of_unknown_questions_are_refused() -> None:
    labels = {"a": [LevelLabel(1)], "z": [LevelLabel(1, file="lin.csv", line=3)]}
    with pytest.raises(DataError) as caught:
        judge_levels(a_test(), labels)
    assert str(caught.value) == "lin.csv:3: <memory> has no question 'z' (1 unknown)"


@pytest.mark.parametrize("other_level", ["HSK5", 5, 7, 0, "easy"])
def test_a_level_of_another_scale_is_kept_beside(other_level: int | str) -> None:
    once = with_levels(test := a_test(b=other_level), judgements := judge_levels(test))
    key = keys_of(once)["b"]
    assert (key.level, key.fields["level_given"]) == (3, other_level)
    assert judgements["b"].given == other_level
    assert "level_given" not in keys_of(once)["a"].fields
    again = with_levels(once, judge_levels(once, {"b": [LevelLabel(2, (), "Lin")]}))
    assert keys_of(again)["b"].fields["level_given"] == other_level


def test_a_label_without_reasons_takes_the_rules_where_they_agree() -> None:
    judgements = judge_levels(a_test(), {"b": [LevelLabel(3)], "c": [LevelLabel(2)]})
    assert judgements["b"].reasons == ("zero_pronoun",)
    assert judgements["c"].reasons == ()


def test_a_level_of_another_scale_stays_where_nothing_can_be_judged() -> None:
    question = Question(id="q", text="为什么？", key=QuestionKey(level="hard", unanswerable=True))
    test = in_memory(Header(language="zh"), [Passage(id="p", text=TEXT, questions=(question,))])
    key = keys_of(with_levels(test, judge_levels(test)))["q"]
    assert (key.level, key.fields) == ("hard", {"level_why": "the question is unanswerable"})


def test_levels_are_for_comprehension() -> None:
    test = in_memory(Header(kind="series"), [Series(id="s", target="x")])
    with pytest.raises(UsageError, match="expected comprehension"):
        judge_levels(test)


def test_the_confusion_has_people_in_rows() -> None:
    agreement = level_agreement([1, 2, 2, 3, 4], [1, 2, 3, 3, 2], passages="abcde", draws=10)
    assert agreement.confusion == ((1, 0, 0, 0), (0, 1, 1, 0), (0, 0, 1, 0), (0, 1, 0, 0))
    assert agreement.exact.value == pytest.approx(3 / 5)
    assert agreement.hard.value == pytest.approx(3 / 5)  # 2 taken for 3, 4 taken for 2
    # Kappa by hand: expected = (1*1 + 2*2 + 1*2 + 1*0) / 25 = 0.28; (0.6 - 0.28) / 0.72
    assert agreement.kappa.value == pytest.approx(0.32 / 0.72)


def test_intervals_resample_passages() -> None:
    people, machine = [1] * 20, [1] * 10 + [2] * 10
    apart = level_agreement(people, machine, passages=[str(at) for at in range(20)]).exact
    assert apart.low is not None
    assert 0.2 < apart.low < apart.value < apart.high < 0.8
    # Two passages, one all right and one all wrong: anything between is possible.
    together = level_agreement(people, machine, passages=["p"] * 10 + ["q"] * 10).exact
    assert (together.value, together.low, together.high) == (0.5, 0.0, 1.0)
    alone = level_agreement(people, machine, passages=["p"] * 20).exact
    assert (alone.value, alone.low, alone.high) == (0.5, None, None)
