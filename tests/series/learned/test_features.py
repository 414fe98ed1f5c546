"""Candidates as rows: which there are, and that overlapping edits are never offered twice."""

import numpy as np
import pytest

from readmark.series.learned.english import ENGLISH, read_english
from readmark.series.learned.features import FEATURES, GUIDED, KEEP, Draft

QUESTIONS = ["What is a lamp beetle?", "Where does it live?", "What about its wings?"]


def draft(at: int) -> Draft:
    series = read_english("", QUESTIONS)
    return Draft(series.asking(at, QUESTIONS[:at]))


def test_features_have_names_of_their_own() -> None:
    assert len(set(FEATURES)) == len(FEATURES)


def test_the_first_row_keeps_the_question() -> None:
    rows = draft(1).rows(ENGLISH)
    assert rows.pairs[0] == (KEEP, KEEP)
    assert rows.numbers.shape == (len(rows.pairs), len(FEATURES))
    assert np.isfinite(rows.numbers).all()
    kept = draft(1).with_pair(rows.pairs[0], ENGLISH)
    assert kept is not None
    assert kept.text == QUESTIONS[1]


def test_the_right_rewrite_is_among_the_candidates() -> None:
    one = draft(1)
    made = [one.with_pair(pair, ENGLISH) for pair in one.rows(ENGLISH).pairs]
    assert "Where does a lamp beetle live?" in {each.text for each in made if each is not None}


def test_a_place_that_was_edited_is_offered_no_more() -> None:
    one = draft(1)
    rows = one.rows(ENGLISH)
    at = next(
        pair for pair in rows.pairs if pair[0] >= 0 and one.asking.places[pair[0]].how == "thing"
    )
    following = one.with_pair(at, ENGLISH)
    assert following is not None
    places = {one.asking.places[pair[0]].how for pair in following.rows(ENGLISH).pairs[1:]}
    assert "thing" not in places
    assert (GUIDED, GUIDED) not in following.rows(ENGLISH).pairs


@pytest.mark.parametrize("text", ["", "   ", "?", "Lamp", "(((", "It it it?"])
def test_odd_questions_have_rows(text: str) -> None:
    series = read_english("Vell Lake (lake", ["Where is it?", text])
    rows = Draft(series.asking(1, ["Where is Vell Lake?"])).rows(ENGLISH)
    assert len(rows.pairs) >= 1
