"""Where an answer stands: the passage's own spelling, and how the place was found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.setting.blind.placing import placed

TEXT = "李冰修建了都江堰。后来，李冰的儿子（二郎）也参加了。The Dam is old."


@pytest.mark.parametrize(
    ("said", "start", "at", "text", "how"),
    [
        ("都江堰", None, 5, "都江堰", "exact"),
        (" 都江堰 ", None, 5, "都江堰", "exact"),
        ("李冰", None, 0, "李冰", "several"),
        ("李冰", 12, 12, "李冰", "given"),
        ("李冰", 11, 12, "李冰", "exact"),  # the nearest to where they said
        ("儿子二郎", None, 15, "儿子（二郎", "folded"),
        ("THE DAM", None, 26, "The Dam", "folded"),
        ("Ｔｈｅ dam", None, 26, "The Dam", "folded"),
        ("長江", None, None, "長江", "absent"),
        ("。。", None, None, "。。", "absent"),
    ],
)
def test_worked_examples(said: str, start: int | None, at: int | None, text: str, how: str) -> None:
    found = placed(TEXT, said, start, "ann")
    assert (found.answer.start, found.answer.text, found.how) == (at, text, how)
    assert found.answer.annotator == "ann"


@given(st.text(min_size=1), st.text(), st.none() | st.integers(0, 50))
def test_a_place_holds_what_it_says(text: str, said: str, start: int | None) -> None:
    answer = placed(text, said, start, "ann").answer
    if answer.start is not None:
        assert text[answer.start : answer.start + len(answer.text)] == answer.text
