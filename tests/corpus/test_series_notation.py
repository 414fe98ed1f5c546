"""The three forms of a bracketed target, and brackets that do not match."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.corpus.series_notation import bracketed, unmatched_bracket


@pytest.mark.parametrize(
    ("target", "outer", "inner"),
    [
        ("Tidewater Rowing Club (TRC)", "Tidewater Rowing Club", "TRC"),
        ("Order of the Lamp (Lamplighters)", "Order of the Lamp", "Lamplighters"),
        ("the Hall (old) of Mirrors", "the Hall of Mirrors", "old"),
    ],
)
def test_three_forms(target: str, outer: str, inner: str) -> None:
    assert bracketed(target) == (target, outer, inner)


@pytest.mark.parametrize("target", ["", "plain", "(all)", "a ()", "a (b", "a) b", "a (b) (c)"])
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
        assert forms.inner in target


def test_brackets_of_full_width() -> None:
    found = bracketed("红十字国际委员会（ICRC）")
    assert found == ("红十字国际委员会（ICRC）", "红十字国际委员会", "ICRC")
    assert unmatched_bracket("红十字国际委员会（ICRC")
    assert unmatched_bracket("甲（ ）")
    assert not unmatched_bracket("甲（乙）")
