"""Ratings: sums by hand, broken text, and what the shipped rater makes of easy and hard text."""

import math

import msgspec
import numpy as np
import pytest

from rating_passages import DOG, MAN, by_hand
from readmark.readability.raters.features.families import measure
from readmark.readability.raters.model import Rater, Weighed
from readmark.readability.raters.parses import parse_all
from readmark.readability.raters.rater_files import load_rater
from training.rater import rate_rows


def rater(**changes: object) -> Rater:
    depth = Weighed(name="depth", centre=4.0, spread=2.0, limit=2.5, slopes=(-0.5, 0.0, 0.2))
    return msgspec.structs.replace(Rater(base=3.0, knots=(-1.0, 0.5), features=(depth,)), **changes)


@pytest.mark.parametrize(
    ("value", "gain"),
    [
        (4.0, 0.0),  # the usual adds nothing
        (6.0, -0.5 + 0.2 * 0.5),  # one spread over it, half of it beyond the knot
        (0.0, 1.0),
        (99.0, 2.5 * -0.5 + 0.2 * 2.0),  # beyond the limit
    ],
)
def test_gains_by_hand(value: float, gain: float) -> None:
    assert rater().gains(np.array([[value]]))[0, 0] == pytest.approx(gain)


def test_a_rating_is_the_sum_of_its_parts() -> None:
    rated = rater().rate(by_hand(DOG, MAN))  # depth 2: one spread under the usual
    assert rated.rating == pytest.approx(3.5)
    assert rated.gains.tolist() == [pytest.approx(0.5)]


def test_broken_text_keeps_a_share_of_its_rating() -> None:
    breaks = Weighed(
        name="past", centre=0.0, spread=1.0, limit=3.0, slopes=(-2.0, 0.0, 0.0), breaks=True
    )
    model = rater(features=(*rater().features, breaks), pardon=0.5)
    rated = model.rate(by_hand(DOG, MAN))  # past is 1: damage 2, of which 0.5 is pardoned
    assert rated.rating == pytest.approx(1 + 2.5 * math.exp(-1.5))
    assert rated.gains[1] == pytest.approx(rated.rating - 3.5)
    assert rate_rows(model, rated.values[None])[0] == pytest.approx(rated.rating)


@pytest.mark.parametrize(
    "head",
    [
        "Lanterns\n\n",  # the text begins with the same word
        "The Lanterns of Harbour Street\n",
        "The Lanterns\nBy Ada Moreno\n\n",
        "# Lanterns\n\n",
    ],
)
def test_a_title_and_a_byline_leave_the_rating_as_it_is(head: str) -> None:
    story = (
        "Lanterns hung over the market all summer. When the first storm came, the baker took his "
        "down and carried it indoors. It still burns above his oven."
    )
    plain, titled = parse_all([story, head + story])
    assert load_rater().rate(titled).rating == load_rater().rate(plain).rating


def test_a_word_at_the_end_of_a_line_and_the_beginning_of_the_next_is_not_doubled() -> None:
    verse = [("sea", "sea", "NOUN", "NN", 0, "ROOT")]
    assert measure(by_hand(verse, verse))["doubled"] == 0.0
    assert measure(by_hand([*verse, *verse]))["doubled"] > 0.0


def test_the_rater_that_ships_orders_easy_hard_and_broken() -> None:
    easy, hard, broken = (
        load_rater().rate(passage).rating
        for passage in parse_all(
            [
                "The cat sat by the fire. It was warm. Then a boy came in and gave it some milk. "
                "The cat was happy. It drank the milk and went to sleep.",
                "Notwithstanding the ostensibly unambiguous stipulations promulgated by the "
                "authority, the interpretation of the aforementioned provisions engendered "
                "considerable controversy concerning the applicability of liability.",
                "Fire the by cat sat the. Warm was it. In boy milk and a it came then gave some "
                "the. Happy cat the was. Sleep milk it the to and drank went.",
            ]
        )
    )
    assert easy > 4 > hard + 1
    assert broken < 2
