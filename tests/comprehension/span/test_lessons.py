"""Lessons: answers are packed where they stand, and samples are windows as they were packed."""

from dataclasses import fields

import numpy as np
import pytest

pytest.importorskip("tokenizers", reason="tokenizers is not installed")

from readmark.comprehension.span.lessons import (
    PackedWindows,
    SpanLesson,
    pack,
    pack_apart,
    sample_windows,
)
from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from span_encoder import write_tokenizer

TEXT = "The mill stands in the north. Anna keeps 12 goats."
QUESTION = "Who keeps the goats?"


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    folder = write_tokenizer(tmp_path_factory.mktemp("tokenizer"))
    return load_tokenizer(folder, simplify=False)


@pytest.mark.parametrize("first", [False, True])
def test_answers_are_packed_where_they_stand(tokenizer: Tokenizer, first: bool) -> None:
    start = TEXT.index("Anna")
    lesson = SpanLesson(TEXT, QUESTION, ((start, start + 4),))
    shape = SpanShape(length=16, stride=2, passage_first=first)
    packed = pack([lesson], shape, tokenizer, blank_share=1.0)
    anna = int(tokenizer.cut(["anna"])[0].ids[0])
    begin, answered = 0, 0
    for number, size in enumerate(packed.sizes.tolist()):
        ids = packed.ids[begin : begin + size]
        place = int(packed.starts[number])
        if place:
            assert ids[place] == anna
            assert packed.lows[number] <= place < packed.lows[number] + packed.counts[number]
            answered += 1
        begin += size
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
    words = ["goats", "and", "salt"]
    texts = [" ".join(words[: 1 + number % 3] * (1 + number % 7)) for number in range(1100)]
    lessons = [SpanLesson(text, "what", ((0, 5),), number) for number, text in enumerate(texts)]
    alone = pack(lessons, shape, tokenizer, blank_share=0.0)
    apart = pack_apart(lessons, shape, tokenizer, processes=2, blank_share=0.0)
    for field in fields(PackedWindows):
        assert getattr(apart, field.name).tolist() == getattr(alone, field.name).tolist()


def packed_windows(sizes: list[int], splits: list[int]) -> PackedWindows:
    def ints(values: list[int]) -> np.ndarray:
        return np.array(values, np.int32)

    zeros = ints([0] * len(sizes))
    weights = np.ones(len(sizes), np.float32)
    ids = np.arange(sum(sizes), dtype=np.int32)
    return PackedWindows(ids, ints(sizes), ints(splits), zeros, zeros, zeros, zeros, weights)


def test_a_sampled_window_has_its_own_tokens_and_types() -> None:
    lessons = packed_windows([3, 2, 4], [1, 1, 3])
    assert [[part.tolist() for part in window] for window in sample_windows(lessons, 9)] == [
        [[[0, 1, 2]], [[0, 1, 1]], [[1, 1, 1]]],
        [[[3, 4]], [[0, 1]], [[1, 1]]],
        [[[5, 6, 7, 8]], [[0, 0, 0, 1]], [[1, 1, 1, 1]]],
    ]


@pytest.mark.parametrize(
    ("count", "firsts"), [(1, [0]), (2, [0, 4]), (3, [0, 2, 4]), (5, range(5))]
)
def test_sampled_windows_are_from_all_over_the_lessons(count: int, firsts: list[int]) -> None:
    lessons = packed_windows([1] * 5, [1] * 5)
    assert [int(ids[0, 0]) for ids, _, _ in sample_windows(lessons, count)] == list(firsts)
