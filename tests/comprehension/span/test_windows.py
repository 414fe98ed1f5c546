"""Windows over a passage: nothing is left out, and the passage stands where they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from readmark.comprehension.span.windows import stretches, windows
from span_encoder import write_tokenizer

TEXT = "The mill stands in the north. Anna keeps 12 goats."
QUESTION = "Who keeps the goats?"


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = write_tokenizer(tmp_path_factory.mktemp("tokenizer"))
    return load_tokenizer(folder, simplify=False)


@given(st.integers(0, 400), st.integers(1, 60), st.integers(0, 80))
def test_windows_cover_the_passage_in_order(passage: int, room: int, stride: int) -> None:
    parts = list(stretches(passage, room, stride))
    covered = {token for first, count in parts for token in range(first, first + count)}
    assert covered == set(range(passage))
    firsts = [first for first, _ in parts]
    assert firsts == sorted(set(firsts))
    assert all(count <= room for _, count in parts)


def test_windows_share_half_of_themselves_at_most() -> None:
    assert list(stretches(100, 40, 128)) == [(0, 40), (20, 40), (40, 40), (60, 40)]
    assert list(stretches(100, 40, 10)) == [(0, 40), (30, 40), (60, 40)]


def test_either_text_may_come_first(tokenizer: Tokenizer) -> None:
    question, passage = tokenizer.cut([QUESTION, TEXT])
    (question_first,) = windows(question, passage, SpanShape(length=64), tokenizer)
    shape = SpanShape(length=64, passage_first=True)
    (passage_first,) = windows(question, passage, shape, tokenizer)
    for window in (question_first, passage_first):
        of_passage = window.ids[window.low : window.low + window.count]
        assert of_passage.tolist() == passage.ids.tolist()
        assert window.ids[0] == tokenizer.first
        assert window.ids[-1] == tokenizer.between
    assert question_first.low == question_first.split == len(question.ids) + 2
    assert passage_first.low == 1
    assert passage_first.split == len(passage.ids) + 2


def test_a_long_question_is_cut(tokenizer: Tokenizer) -> None:
    question, passage = tokenizer.cut(["goat " * 50, TEXT])
    shape = SpanShape(length=32, question=8, stride=4)
    cut = list(windows(question, passage, shape, tokenizer))
    assert all(len(window.ids) <= 32 for window in cut)


@pytest.mark.parametrize("first", [False, True])
def test_a_short_window_keeps_room_for_the_passage(tokenizer: Tokenizer, first: bool) -> None:
    question, passage = tokenizer.cut(["goat " * 80, TEXT])
    shape = SpanShape(length=24, passage_first=first)
    cut = list(windows(question, passage, shape, tokenizer))
    covered = {token for each in cut for token in range(each.first, each.first + each.count)}
    assert covered == set(range(len(passage.ids)))
    assert all(window.count > 0 and len(window.ids) <= 24 for window in cut)
