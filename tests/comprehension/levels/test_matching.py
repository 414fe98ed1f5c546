"""Level 1 by hand: which words may differ, and by how many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.comprehension.levels.matching import MOST_EDITS, edits

CLOSED = frozenset("的了是在也被")


def found(before: str, after: str, text: str, answer: str, noun: str = "") -> int | None:
    """Edits for the first place of an answer; a character is a token."""
    at = text.index(answer)
    return edits(before, after, text, (at, at + len(answer)), CLOSED, noun=noun)


@pytest.mark.parametrize(
    ("before", "after", "text", "answer", "expected"),
    [
        ("红桥建于", "", "红桥建于丁年", "丁年", 0),
        ("红桥建于", "", "昔日红桥是建于丁年", "丁年", 1),  # 是 added
        ("红桥的灯在", "亮", "红桥灯丁时亮", "丁时", 2),  # 的 and 在 dropped
        ("红桥是", "修的", "红桥被丁公修了", "丁公", 2),  # 是 for 被, 的 for 了
        ("红桥建于", "", "红桥修于丁年", "丁年", None),  # another verb
        ("红桥是在被", "建", "红桥了了了了丁公建", "丁公", None),  # four edits
        ("", "建了红桥", "丁公建红桥", "丁公", 1),
        ("红桥", "修", "红桥大丁公修", "丁公", None),  # a word of content between, on both sides
        (
            "红桥趋势是",
            "",
            "红桥趋势是合并丁业",
            "丁业",
            0,
        ),  # the answer is shorter than what is said
        ("红桥趋势是", "", "红桥趋势是先合并丁业", "丁业", None),  # three tokens are too many
        ("", "是红桥", "丁河叫红桥", "丁河叫红桥", None),  # what is X: not any clause with X
        ("红桥又名", "", "红桥又名丁桥", "红桥又名丁桥", 0),  # the answer repeats the question
        ("在的是", "了", "在的是丁了", "丁", None),  # nothing but closed-class words
    ],
)
def test_edits(before: str, after: str, text: str, answer: str, expected: int | None) -> None:
    assert found(before, after, text, answer) == expected


def test_the_noun_of_the_question_phrase_may_stand_beside_the_answer() -> None:
    text = "红桥出自纪录片丁史"
    assert found("红桥出自", "", text, "丁史") is None
    assert found("红桥出自", "", text, "丁史", noun="纪录片") == 0


@given(
    st.text("红桥建灯河山水的了是", max_size=8),
    st.text("红桥建灯河山水的了是", max_size=8),
    st.text("丁戊己", min_size=1, max_size=4),
)
def test_a_sentence_matches_its_own_question(before: str, after: str, answer: str) -> None:
    content = sum(sign not in CLOSED for sign in before + after)
    at = len(before), len(before) + len(answer)
    count = edits(before, after, before + answer + after, at, CLOSED)
    assert count == (0 if content >= 2 else None)


@given(
    st.text("红桥的了是丁", max_size=6),
    st.text("红桥的了是丁", max_size=6),
    st.text("红桥的了是丁", min_size=1, max_size=20),
    st.data(),
)
def test_edits_stay_within_the_bound(
    before: str, after: str, text: str, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first + 1, len(text)))
    count = edits(before, after, text, (first, last), CLOSED)
    assert count is None or 0 <= count <= MOST_EDITS
