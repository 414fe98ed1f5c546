"""The three forms of a bracketed target, and brackets that do not match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.series.notation import (
    OTHER_TEXT,
    bracketed,
    misspelt_variables,
    other_text,
    unmatched_bracket,
    with_known_answers,
)


@pytest.mark.parametrize(
    ("target", "outer", "inner"),
    [
        ("Tidewater Rowing Club (TRC)", "Tidewater Rowing Club", "TRC"),
        ("Order of the Lamp (Lamplighters)", "Order of the Lamp", "Lamplighters"),
        ("the Hall (old) of Mirrors", "the Hall of Mirrors", "old"),
        ("Tidewater Rowing Club [TRC]", "Tidewater Rowing Club", "TRC"),
    ],
)
def test_three_forms(target: str, outer: str, inner: str) -> None:
    assert bracketed(target) == (target, outer, (inner,))


def test_several_brackets() -> None:
    forms = bracketed("Order (OL) of the Lamp (Lamplighters)")
    assert forms is not None
    assert forms[1:] == ("Order of the Lamp", ("OL", "Lamplighters"))


@pytest.mark.parametrize(
    "target", ["", "plain", "(all)", "(a) b", "a ()", "a (b", "a) b", "a (b]", "a ((b) c)"]
)
def test_other_targets_have_one_form(target: str) -> None:
    assert bracketed(target) is None


@pytest.mark.parametrize(
    ("target", "unmatched"),
    [
        ("a (b)", False),
        ("a ((b) c)", False),
        ("a (b", True),
        ("a) b", True),
        (")(", True),
        ("a [b]", False),
        ("a [b", True),
        ("a (b]", True),
        ("a ( )", True),
    ],
)
def test_unmatched(target: str, unmatched: bool) -> None:
    assert unmatched_bracket(target) is unmatched


@given(st.text(alphabet="ab ()", max_size=12))
def test_what_has_forms_matches(target: str) -> None:
    forms = bracketed(target)
    if forms is not None:
        assert not unmatched_bracket(target)
        assert "(" not in forms.outer
        assert all(form in target for form in forms.inner)


def test_brackets_of_full_width() -> None:
    forms = bracketed("红十字国际委员会（ICRC）")
    assert forms == ("红十字国际委员会（ICRC）", "红十字国际委员会", ("ICRC",))
    assert unmatched_bracket("红十字国际委员会（ICRC")
    assert unmatched_bracket("甲（ ）")
    assert not unmatched_bracket("甲（乙）")


@pytest.mark.parametrize(
    ("gold", "wrong"),
    [
        ("When was PREVIOUS_ANSWER's aunt born?", []),
        ("PREVIOUS_ANSWER在哪里？", []),
        ("When was PREVIOUS ANSWER born?", ["PREVIOUS ANSWER"]),
        ("When was PREVIOUSANSWER born?", ["PREVIOUSANSWER"]),
        ("When was previous_answer born?", ["previous_answer"]),
        ("When were PREVIOUS_ANSWERS born?", ["PREVIOUS_ANSWERS"]),
        ("What was the previous answer?", []),
    ],
)
def test_the_variable_has_one_spelling(gold: str, wrong: list[str]) -> None:
    assert misspelt_variables(gold) == wrong


def test_what_an_other_question_asks() -> None:
    assert [other_text(text) for text in ("Other", " ", "Other.")] == [OTHER_TEXT] * 3
    assert other_text("Others?") == "Others?"


@pytest.mark.parametrize(
    ("rewrite", "answers", "asked"),
    [
        ("Who made it?", ("x",), "Who made it?"),
        ("Where did PREVIOUS_ANSWER live?", ("Ada",), "Where did Ada live?"),
        ("Where did PREVIOUS_ANSWER live?", ("Ada", "Bo"), "Where did Ada and Bo live?"),
        ("Is PREVIOUS_ANSWER old?", ("Ada", " ", "Bo", "Cy"), "Is Ada, Bo and Cy old?"),
        ("Where did PREVIOUS_ANSWER live?", (), "Where did live?"),
        ("PREVIOUS_ANSWER的湖底有多深？", ("艾丁湖",), "艾丁湖的湖底有多深？"),
        ("PREVIOUS_ANSWER在哪里？", ("甲", "乙", "丙"), "甲、乙和丙在哪里？"),
    ],
)
def test_known_answers(rewrite: str, answers: tuple[str, ...], asked: str) -> None:
    assert with_known_answers(rewrite, answers) == asked
