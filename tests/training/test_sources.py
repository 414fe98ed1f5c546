"""What a question is written from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from readmark.comprehension.span.tokens import Tokenizer, load_tokenizer
from span_encoder import write_tokenizer
from training.span.questions import AROUND, OPENING, QUESTION, questions_of, side_by_side, sources


@pytest.fixture
def tokenizer(tmp_path: Path) -> Tokenizer:
    return load_tokenizer(write_tokenizer(tmp_path / "t"), simplify=False)


def test_the_answer_is_marked_and_the_question_ends(tokenizer: Tokenizer) -> None:
    text = "the goat stands in the barn."
    [one] = sources([(text, 19, 27, "where is the goat")], tokenizer)
    assert one is not None
    marked = tokenizer.cut(["the barn"])[0].ids
    assert one.ids[0] == tokenizer.first
    assert one.ids[one.marks == 1].tolist() == marked.tolist()
    assert one.question[-1] == tokenizer.between
    assert one.question[:-1].tolist() == tokenizer.cut(["where is the goat"])[0].ids.tolist()


@pytest.mark.parametrize("word", [0, 3, 150, 299, 396, 399])
def test_a_long_passage_keeps_its_opening_and_what_stands_around_the_answer(
    tokenizer: Tokenizer, word: int
) -> None:
    words = ["goat", "barn", "river", "mill", "pond"] * 80
    starts = np.cumsum([0] + [len(one) + 1 for one in words])
    text = " ".join(words)
    [one] = sources(
        [(text, int(starts[word]), int(starts[word]) + len(words[word]), "")], tokenizer
    )
    assert one is not None
    whole = tokenizer.cut([text])[0].ids
    assert one.marks.sum() == 1
    assert one.ids[one.marks == 1].tolist() == [whole[word]]
    assert len(one.ids) <= 1 + OPENING + AROUND
    assert one.ids[1 : 1 + OPENING].tolist() == whole[:OPENING].tolist()
    at = int(np.flatnonzero(one.marks)[0])
    near = slice(max(0, word - 5), word + 6)
    assert whole[near].tolist() == one.ids[at - (word - near.start) :][: len(whole[near])].tolist()


def test_an_answer_longer_than_what_is_kept_is_cut_and_one_of_no_token_is_none(
    tokenizer: Tokenizer,
) -> None:
    text = "goat " * 400
    whole, nothing = sources([(text, 0, len(text), ""), (text, 4, 4, "")], tokenizer)
    assert whole is not None
    assert AROUND - 2 <= whole.marks.sum() <= AROUND
    assert nothing is None


def test_long_questions_are_cut_and_all_are_padded(tokenizer: Tokenizer) -> None:
    asked = [("the goat", 4, 8, "where " * 90), ("the old goat stands", 8, 12, "who")]
    found = [one for one in sources(asked, tokenizer) if one is not None]
    told, sizes = questions_of(found)
    assert sizes.tolist() == [QUESTION, 2]
    assert told[1, 2:].sum() == 0
    ids, marks, there = side_by_side(found)
    assert there.sum(1).tolist() == [3, 5]
    assert marks.sum(1).tolist() == [1, 1]
    assert ids[0, 3:].tolist() == [0, 0]
