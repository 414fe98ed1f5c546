"""Windows over a passage: nothing is left out, answers are found where they stand."""

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from readmark.comprehension.span.answers import stretches, windows
from readmark.comprehension.span.lessons import PackedWindows, SpanLesson, pack, pack_apart
from readmark.comprehension.span.tokens import (
    SpanShape,
    Tokenizer,
    load_tokenizer,
    read_shape,
    write_shape,
)
from readmark.core.errors import DataError
from span_encoder import write_tokenizer

TEXT = "The mill stands in the north. Anna keeps 12 goats."
QUESTION = "Who keeps the goats?"


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = write_tokenizer(tmp_path_factory.mktemp("tokenizer"))
    return load_tokenizer(folder, simplify=False)


@given(st.integers(0, 400), st.integers(1, 60), st.integers(0, 80))
def test_windows_cover_the_passage_in_order(passage: int, room: int, stride: int) -> None:
    found = list(stretches(passage, room, stride))
    held = {at for first, count in found for at in range(first, first + count)}
    assert held == set(range(passage))
    firsts = [first for first, _ in found]
    assert firsts == sorted(set(firsts))
    assert all(count <= room for _, count in found)


def test_windows_share_half_of_themselves_at_most() -> None:
    assert list(stretches(100, 40, 128)) == [(0, 40), (20, 40), (40, 40), (60, 40)]
    assert list(stretches(100, 40, 10)) == [(0, 40), (30, 40), (60, 40)]


def test_tokens_point_into_the_text(tokenizer: Tokenizer) -> None:
    (found,) = tokenizer.cut([TEXT])
    pieces = [TEXT[a:b] for a, b in zip(found.starts, found.ends, strict=True)]
    assert pieces[:4] == ["The", "mill", "stands", "in"]
    start = TEXT.index("12 goats")
    first, last = found.covering(start, start + len("12 goats")) or (0, 0)
    assert TEXT[found.starts[first] : found.ends[last]] == "12 goats"
    assert found.covering(3, 4) is None


def test_the_two_orders(tokenizer: Tokenizer) -> None:
    question, passage = tokenizer.cut([QUESTION, TEXT])
    (plain,) = windows(question, passage, SpanShape(length=64), tokenizer)
    (smart,) = windows(question, passage, SpanShape(length=64, passage_first=True), tokenizer)
    for one in (plain, smart):
        held = one.ids[one.low : one.low + one.count]
        assert held.tolist() == passage.ids.tolist()
        assert one.ids[0] == tokenizer.first
        assert one.ids[-1] == tokenizer.between
    assert plain.low == plain.split == len(question.ids) + 2
    assert smart.low == 1
    assert smart.split == len(passage.ids) + 2


def test_a_long_question_is_cut(tokenizer: Tokenizer) -> None:
    question, passage = tokenizer.cut(["goat " * 50, TEXT])
    shape = SpanShape(length=32, question=8, stride=4)
    assert all(len(one.ids) <= 32 for one in windows(question, passage, shape, tokenizer))


@pytest.mark.parametrize("first", [False, True])
def test_a_short_window_keeps_room_for_the_passage(tokenizer: Tokenizer, first: bool) -> None:
    question, passage = tokenizer.cut(["goat " * 80, TEXT])
    shape = SpanShape(length=24, passage_first=first)
    found = list(windows(question, passage, shape, tokenizer))
    held = {at for one in found for at in range(one.first, one.first + one.count)}
    assert held == set(range(len(passage.ids)))
    assert all(one.count > 0 and len(one.ids) <= 24 for one in found)


@pytest.mark.parametrize("first", [False, True])
def test_answers_are_packed_where_they_stand(tokenizer: Tokenizer, first: bool) -> None:
    start = TEXT.index("Anna")
    lesson = SpanLesson(TEXT, QUESTION, ((start, start + 4),))
    shape = SpanShape(length=16, stride=2, passage_first=first)
    packed = pack([lesson], shape, tokenizer, blank_share=1.0)
    wanted = int(tokenizer.cut(["anna"])[0].ids[0])
    at, answered = 0, 0
    for number, size in enumerate(packed.sizes.tolist()):
        ids = packed.ids[at : at + size]
        place = int(packed.starts[number])
        if place:
            assert ids[place] == wanted
            assert packed.lows[number] <= place < packed.lows[number] + packed.counts[number]
            answered += 1
        at += size
    assert 0 < answered < len(packed)


def test_windows_without_the_answer_may_be_left_out(tokenizer: Tokenizer) -> None:
    lesson = SpanLesson(TEXT, QUESTION, ((0, 8),))
    packed = pack([lesson], SpanShape(length=20, stride=2), tokenizer, blank_share=0.0)
    assert packed.starts.min() > 0


def test_an_unanswerable_question_points_at_the_first_token(tokenizer: Tokenizer) -> None:
    packed = pack([SpanLesson(TEXT, QUESTION, ())], SpanShape(), tokenizer, blank_share=0.0)
    assert packed.starts.tolist() == packed.ends.tolist() == [0]


def test_processes_cut_the_windows_that_one_does(tokenizer: Tokenizer) -> None:
    shape = SpanShape(length=16, stride=2)
    texts = [" ".join(["goats", "and", "salt"][: 1 + at % 3] * (1 + at % 7)) for at in range(1100)]
    lessons = [SpanLesson(text, "what", ((0, 5),), at) for at, text in enumerate(texts)]
    alone = pack(lessons, shape, tokenizer, blank_share=0.0)
    apart = pack_apart(lessons, shape, tokenizer, processes=2, blank_share=0.0)
    for field in fields(PackedWindows):
        assert getattr(apart, field.name).tolist() == getattr(alone, field.name).tolist()


def test_a_shape_is_read_back(tmp_path: Path) -> None:
    shape = SpanShape(language="zh", simplify=True, note={"seed": 1})
    write_shape(shape, tmp_path)
    assert read_shape(tmp_path) == shape
    (tmp_path / "span.json").write_text('{"length": "long"}', "utf-8")
    with pytest.raises(DataError, match="damaged"):
        read_shape(tmp_path)
    with pytest.raises(DataError, match="no span reader"):
        read_shape(tmp_path / "elsewhere")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"length": 5}', "length is 5, expected 16 or more"),
        ('{"question": 0}', "question is 0, expected 1 or more"),
        ('{"answer": -2}', "answer is -2, expected 1 or more"),
        ('{"stride": -1}', "stride is -1, expected 0 or more"),
    ],
)
def test_lengths_that_hold_nothing_are_damage(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "span.json").write_text(text, "utf-8")
    with pytest.raises(DataError, match=said):
        read_shape(tmp_path)


def test_a_folder_without_a_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="offsets"):
        load_tokenizer(tmp_path, simplify=False)
    (tmp_path / "tokenizer.json").write_text("{", "utf-8")
    with pytest.raises(DataError, match="cannot be read"):
        load_tokenizer(tmp_path, simplify=False)
