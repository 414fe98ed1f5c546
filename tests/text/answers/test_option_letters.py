"""Which letters a reply settles on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.text.answers.option_letters import LETTERS, letters_meant

DAYS = ("Sunday", "Monday", "Tuesday", "Friday")


def letters_of(reply: str) -> str:
    return "".join(LETTERS[index] for index in letters_meant(reply, DAYS))


@pytest.mark.parametrize(
    "reply",
    [
        "B",
        "b",
        "(b)",
        "Ｂ",
        "②",
        "二",
        "B.",
        "B;",
        "B!",
        '"B"',
        "**B**",
        "`B`",
        "$B$",
        "# B",
        "\\boxed{B}",
        "So we get \\boxed{\\text{B}}.",
        '{"answer": "B", "evidence": "x"}',
        "Answer: B",
        "answer B",
        "Answer:\nB",
        "Answer - B",
        "Option: B",
        "option (B)",
        "Correct answer: B",
        "My choice: B",
        "The answer is B",
        "The final answer is **(B)**.",
        "The best answer is option B, Monday.",
        "It's B",
        "I think it is B.",
        "I would choose B.",
        "I'd say B",
        "Ans: B",
        "ANSWER: B",
        "<answer>B</answer>",
        "The correct option is B.",
        "B (Monday)",
        "B is the answer",
        "答案：B",
        "答案为（B）",
        "正确答案：B",
        "因此，正确答案是 B。",
        "我选B",
        "我选择B。",
        "【答案】B",
        "答：B",
        "应该是B",
        "答案是B不是A",
        "选择 B",
        "故选B。",
        "B选项",
        "B项正确",
        "我认为答案是选项B",
        "选项B是正确的",
        "So, B.",
        "Therefore B",
        "Hence (B).",
        "所以B",
        "因此，B。",
        "They met the day after Sunday. So B, because that is what line two says.",
        "It says Monday, therefore B\n",
    ],
)
def test_one_letter_however_it_is_worded(reply: str) -> None:
    assert letters_of(reply) == "B"


@pytest.mark.parametrize(
    "reply",
    [
        "B) Monday",
        "B - Monday",
        "B: they met on that day",
        "B\nbecause they met",
        "B\n\nExplanation: Option A is wrong.",
        "B\n\n解析：选项A不符合原文。",
        "B、因为A和C都不对",
        "B. because A and C are wrong",
        "Let me think.\n\nB",
        "Option A is wrong, option B is right.",
        "Option A says Sunday, which is wrong. It was later. The answer is B.",
        "Based on the passage, option C is out, so the answer is B",
        "The answer could be A, but the answer is B",
        "The answer is B, not A",
        "排除选项A和选项C，答案是B。",
        "A、C都不对，应选B",
        "不选A，选B。",
        "A错误，B正确",
        "应该选B而不是A",
        "A is not the answer. B is the answer.",
        "The answer isn't A, it's B",
        "A: not mentioned.\nB: said in the first line.\nC: the contrary.\n\nAnswer: B",
        "A. 没有提到\nB. 原文说了\nC. 相反\n\nB",
        "B\n\nA. is not mentioned\nC. is the contrary",
        "The answer is not A but B.",
        "The answer isn't A, but rather option B",
        "It is neither A nor C but B",
        "答案不是A，而是B",
        "不是选项A，应该是选项B。",
        "选A不对，应该是B",
        "选B不选A",
    ],
)
def test_letter_among_others_that_are_mentioned_or_denied(reply: str) -> None:
    assert letters_of(reply) == "B"


@pytest.mark.parametrize(
    ("reply", "letters"),
    [
        ("A, B", "AB"),
        ("A、B、C、D", "ABCD"),
        ("A. or B.", "AB"),
        ("A or B", "AB"),
        ("A: no, B", "AB"),
        ("选A和B", "AB"),
        ("Answer: A and B", "AB"),
        ("The answer is A or B", "AB"),
        ("A. Sunday and B. Monday", "AB"),
        ("A: Sunday B: Monday", "AB"),
        ("A. Sunday\nB. Monday", "AB"),
        ("可能是A，也可能是B", ""),
        ("Either A or B", ""),
        # What was said first and what is said last must agree.
        ("A. Neither; the answer is B", "AB"),
        ("A\n\nOn second thoughts the answer is B.", "AB"),
        ("The answer is A.\n\nB", "AB"),
    ],
)
def test_hedge_is_several_letters(reply: str, letters: str) -> None:
    assert letters_of(reply) == letters


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n ",
        "E",
        "2",
        "Monday.",
        "Candy",
        "A dog",
        "A man, who left",
        "A closer look shows C",
        "The answer is a red kite",
        "The answer is A red kite",
        "The answer is B.C. 200",
        "答案是A型血",
        "一是因为天冷",
        "Vitamin C",
        "Option A is wrong",
        "选项A错误",
        "The answer is not A",
        "答案不是A",
        "I would not choose D.",
        "Option A says Sunday",
        "So A is wrong",
        "So A man came",
        "So B says that they met",
        "Therefore A or B",
        "The answer is not A but something else",
        "是不是A是B",
    ],
)
def test_no_letter_is_meant(reply: str) -> None:
    assert letters_of(reply) == ""


def test_letter_is_a_letter_where_options_are_letters() -> None:
    options = ("B", "A", "D", "C")
    assert [letters_meant(letter, options) for letter in "ABCD"] == [(0,), (1,), (2,), (3,)]


def test_denials_inside_an_options_words_deny_nothing() -> None:
    options = ("喜欢吃辣的", "不能吃辣的", "is not here")
    assert letters_meant("(B) 不能吃辣的", options) == (1,)
    assert letters_meant("The answer is (C) is not here.", options) == (2,)
    assert letters_meant("D. A and B", ("one", "two", "three", "A and B")) == (3,)


def test_letters_inside_an_options_words_are_words() -> None:
    options = ("vitamin B", "vitamin C", "salt")
    assert letters_meant("A. vitamin B", options) == (0,)
    assert letters_meant("A. vitamin C and then B", options) == (0, 1)


@given(st.text(max_size=60), st.integers(0, 30))
def test_indices_are_those_of_options(reply: str, count: int) -> None:
    indices = letters_meant(reply, ["x"] * count)
    assert list(indices) == sorted(set(indices))
    assert all(0 <= index < count for index in indices)


@pytest.mark.slow
def test_long_reply_is_read_to_its_end() -> None:
    for part in ("not ", "option ", "选", "(", " ", "answer ", "it is ", "\n", "我", "\\boxed{"):
        assert letters_meant("x" + part * 100_000 + "y", DAYS) == ()
