"""Replies as answers: letters, the word for none, thoughts; bindings that are none."""

import pytest

from readmark.core.kinds import kind_named
from readmark.formats.harness_logs.bindings import Binding, binding_of
from readmark.formats.harness_logs.replies import as_answer, as_row

OPTIONS = ["A market day", "Monday", "Sunday"]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("B", "Monday"),
        (" b\n", "Monday"),
        ("(C)", "Sunday"),
        ("**B**", "Monday"),
        ("B. Monday", "Monday"),
        ("B、星期一", "Monday"),
        ("Answer: C", "Sunday"),
        ("The answer is B because it says so.", "Monday"),
        ("答案是C。", "Sunday"),
        ("选B", "Monday"),
        ("Monday", "Monday"),
        ("A market day", "A market day"),
        # What begins with an article is no letter, and a letter beyond the options is none.
        ("A day in May", "A day in May"),
        ("The answer is a market day", "The answer is a market day"),
        ("D", "D"),
        ("<think>A or B?</think>\nB", "Monday"),
        # The letter that is settled on, not one that an explanation names.
        ("B\n\nExplanation: Option A is wrong.", "Monday"),
        ("B\n\n解析：选项A不符合原文。", "Monday"),
        ("Option A says Sunday, which is wrong. The answer is B.", "Monday"),
        ("Based on the passage, option C is out, so the answer is B", "Monday"),
        ("排除选项A和选项C，答案是B。", "Monday"),
        ("A、C都不对，应选B", "Monday"),
        ("我选择B。", "Monday"),
        ("B选项", "Monday"),
        ("It's B", "Monday"),
        ("\\boxed{B}", "Monday"),
        # One that settles on none stays as it is.
        ("A or B", "A or B"),
    ],
)
def test_a_letter_is_its_options_words(reply: str, answer: str) -> None:
    assert as_answer(reply, OPTIONS, "") == answer


def test_a_letter_is_a_letter_where_the_options_are_letters() -> None:
    assert [as_answer(one, ["B", "A", "D", "C"], "") for one in "ABCD"] == ["B", "A", "D", "C"]


@pytest.mark.parametrize(
    ("reply", "none", "answer"),
    [
        ("unanswerable", "unanswerable", ""),
        ("Unanswerable.", "unanswerable", ""),
        ("“无法回答”。", "无法回答", ""),
        ("無法回答。", "无法回答", ""),
        ("ＵＮＡＮＳＷＥＲＡＢＬＥ", "unanswerable", ""),
        ("It is unanswerable", "unanswerable", "It is unanswerable"),
        ("unanswerable", "", "unanswerable"),
        ("  nine \n", "unanswerable", "nine"),
        ("...", "unanswerable", "..."),
        ("<think>\nnine?\n</think>\n\nten", "", "ten"),
        ("a</p> b", "", "a</p> b"),
    ],
)
def test_the_word_for_none_is_an_empty_answer(reply: str, none: str, answer: str) -> None:
    assert as_answer(reply, (), none) == answer


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>who knows</think>\n", "reasoning only"),
        ("who knows</think>", "reasoning only"),
        ("<think>The passage says Mila baked, so maybe", "cut off while reasoning"),
        ("<THINKING>a</THINKING><think>b", "cut off while reasoning"),
    ],
)
@pytest.mark.parametrize("binding", [None, Binding(paper="p", none="unanswerable")])
def test_a_reply_that_says_nothing_is_no_empty_answer(
    reply: str, reason: str, binding: Binding | None
) -> None:
    row = as_row(kind_named("comprehension"), reply, [], binding, {"stop": "length"})
    assert "text" not in row
    assert row["error"] == f"no answer: {reason}"
    assert (row["evidence"]["reason"], row["evidence"]["stop"]) == (reason, "length")


@pytest.mark.parametrize(
    "owner",
    [None, "x", {}, {"readmark": None}, {"readmark": {"units": 3}}, {"readmark": {"paper": 1}}],
)
def test_what_is_no_binding_is_none(owner: object) -> None:
    assert binding_of(owner) is None


def test_a_binding_comes_back() -> None:
    binding = Binding(paper="p", units=3, prompt="span 1", none="unanswerable")
    assert binding_of({"readmark": binding.as_json()}) == binding
