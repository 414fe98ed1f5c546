"""Where answers occur in a folded text: as whole words, whatever the order of the answers."""

from __future__ import annotations

from readmark.comprehension.levels.facts import answer_places
from readmark.core.records import Answer


def test_an_answer_is_found_behind_many_words_that_contain_it() -> None:
    text = "the " * 45 + "and then he came"
    assert answer_places(text, [Answer(text="he")], "en") == [(189, 191)]


def test_the_order_of_answers_does_not_matter() -> None:
    text = "Rita Moss built it in May"
    written, reworded = Answer(text="Rita Moss"), Answer(text="the miller", start=5)
    expected = [(0, 9)]
    assert answer_places(text, [written, reworded], "en") == expected
    assert answer_places(text, [reworded, written], "en") == expected


def test_what_was_marked_counts_where_no_answer_is_written() -> None:
    answers = [Answer(text="the miller", start=0)]
    assert answer_places("Rita Moss built it", answers, "en") == [(0, 10)]
