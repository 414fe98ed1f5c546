"""Lessons: the metric by hand, and what is hidden from them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.series.learned.ranker import (
    TaughtSeries,
    gold_similarity,
    instances_of,
    lessons_of,
    views_of,
)
from readmark.series.notation import PREVIOUS_ANSWER

TAUGHT = TaughtSeries(
    id="beetle",
    target="lamp beetle",
    questions=["Where does it live?", "Who described it?", "Where did she work?"],
    golds=[
        ["Where does the lamp beetle live?"],
        ["Who described the lamp beetle?"],
        ["Where did Ilse Vell work?"],
    ],
    answers=["In old barns.", "Ilse Vell", ""],
)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Where does the lamp beetle live?", 1.0),
        # 6 words of 6, but 5 pairs and 5, of which 3 are shared of 7
        ("Where does lamp the beetle live?", (2 * 1 + 2 / 8) / 3),
        # 3 words shared of 7, 1 pair of 7
        ("Where does it live?", (2 * 3 / 7 + 1 / 7) / 3),
    ],
)
def test_likeness(text: str, score: float) -> None:
    assert gold_similarity(text, ["Where does the lamp beetle live?"]) == pytest.approx(score)


def test_the_variable_counts_as_the_answer_it_stands_for() -> None:
    said = f"Where did {PREVIOUS_ANSWER} work?"
    assert gold_similarity(said, ["Where did Ilse Vell work?"], ["a barn", "Ilse Vell"]) == 1.0


@given(st.text(max_size=40), st.text(max_size=40))
def test_likeness_is_a_share(one: str, other: str) -> None:
    assert 0.0 <= gold_similarity(one, [other]) <= 1.0
    assert gold_similarity(one, [one]) == pytest.approx(1.0)


def test_a_series_is_seen_with_and_without_its_answers() -> None:
    (whole, _), (bare, taught) = views_of(TAUGHT)
    assert whole.known
    assert not bare.known
    assert taught.golds == TAUGHT.golds


def test_lessons_are_drawn_by_their_seed() -> None:
    views = views_of(TAUGHT)

    def drawn(seed: int) -> list[np.ndarray]:
        draw = np.random.Generator(np.random.PCG64(seed))
        instances = instances_of(views)
        return [one.numbers for s, t in views for one in lessons_of(s, t, instances, draw)]

    first, again = drawn(1), drawn(1)
    assert len(first) >= len(TAUGHT.questions)
    assert all((one == other).all() for one, other in zip(first, again, strict=True))
