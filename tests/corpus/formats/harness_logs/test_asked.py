"""Replies as answers: letters, the word for none, thoughts; bindings that are none."""

import pytest

from readmark.corpus.formats.harness_logs.asked import Binding, as_answer, binding_of

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
        ("", ""),
        ("<think>A or B?</think>\nB", "Monday"),
    ],
)
def test_a_letter_is_its_options_words(reply: str, answer: str) -> None:
    assert as_answer(reply, OPTIONS, "") == answer


@pytest.mark.parametrize(
    ("reply", "none", "answer"),
    [
        ("unanswerable", "unanswerable", ""),
        ("Unanswerable.", "unanswerable", ""),
        ("“无法回答”。", "无法回答", ""),
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
    "owner",
    [None, "x", {}, {"readmark": None}, {"readmark": {"units": 3}}, {"readmark": {"paper": 1}}],
)
def test_what_is_no_binding_is_none(owner: object) -> None:
    assert binding_of(owner) is None


def test_a_binding_comes_back() -> None:
    binding = Binding(paper="p", units=3, prompt="span 1", none="unanswerable")
    assert binding_of({"readmark": binding.as_json()}) == binding
