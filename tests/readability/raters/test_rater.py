"""Raters: sums by hand, files, broken text, and explanations that add up."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rating_passages import DOG, MAN, by_hand
from readmark.core.errors import DataError, UsageError
from readmark.readability.raters.explanation import GROUPS, evidence, format_value, in_words
from readmark.readability.raters.features import features_of, measure
from readmark.readability.raters.model import (
    Rater,
    Weighed,
    fingerprint,
    from_json,
    load_rater,
    to_json,
)
from readmark.readability.raters.parses import parse_all
from readmark.readability.scale import clipped, squashed
from training.rater import rate_rows, unsquashed


def rater(**more: object) -> Rater:
    depth = Weighed(name="depth", centre=4.0, spread=2.0, limit=2.5, slopes=(-0.5, 0.0, 0.2))
    return msgspec.structs.replace(Rater(base=3.0, knots=(-1.0, 0.5), features=(depth,)), **more)


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
    import numpy as np

    assert rater().gains(np.array([[value]]))[0, 0] == pytest.approx(gain)


def test_a_rating_is_the_sum_of_its_parts() -> None:
    rated = rater().rate(by_hand(DOG, MAN))  # depth 2: one spread under the usual
    assert rated.rating == pytest.approx(3.5)
    assert rated.gains.tolist() == [pytest.approx(0.5)]


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


def test_broken_text_keeps_a_share_of_its_rating() -> None:
    breaks = Weighed(
        name="past", centre=0.0, spread=1.0, limit=3.0, slopes=(-2.0, 0.0, 0.0), breaks=True
    )
    model = rater(features=(*rater().features, breaks), pardon=0.5)
    rated = model.rate(by_hand(DOG, MAN))  # past is 1: damage 2, of which 0.5 is let pass
    assert rated.rating == pytest.approx(1 + 2.5 * math.exp(-1.5))
    assert rated.gains[1] == pytest.approx(rated.rating - 3.5)
    assert rate_rows(model, rated.values[None])[0] == pytest.approx(rated.rating)


def test_files_come_back_as_they_were() -> None:
    again = from_json(to_json(rater(note={"seed": 1})).encode())
    assert again == rater(note={"seed": 1})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('"readmark_rater": 1', '"readmark_rater": 9'),
        ('"depth"', '"breadth"'),
        ('"spread": 2.0', '"spread": 0.0'),
        ('"base": 3.0', '"base": "three"'),
    ],
)
def test_a_bad_file_is_told_in_one_line(change: str, said: str) -> None:
    with pytest.raises(DataError) as told:
        from_json(to_json(rater()).replace(change, said).encode(), "m.json")
    assert "\n" not in str(told.value)


def test_no_file_names_the_command() -> None:
    with pytest.raises(UsageError, match="readmark train rater"):
        load_rater("nowhere.json")


def test_the_rater_that_ships_orders_easy_hard_and_broken() -> None:
    easy, hard, broken = (
        load_rater().rate(one).rating
        for one in parse_all(
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
    assert load_rater().note["trained_on"].startswith("OneStopEnglish")
    assert len(fingerprint()) == 12


def test_evidence_adds_up_and_is_told_in_words() -> None:
    model = load_rater()
    [parsed] = parse_all(["The dog that bit the man who had fed it was taken away by the police."])
    rated = model.rate(parsed)
    told = evidence(model, parsed, rated)
    total = told["base"] + sum(part["points"] for part in told["parts"])
    view = told["embedding"]
    assert total + told["rest"] + view + told["ends"] == pytest.approx(rated.rating, abs=0.01)
    lines = in_words(rated.rating, told)
    grouped = told["base"] + sum(group["points"] for group in told["groups"]) + told["ends"]
    assert grouped + view == pytest.approx(rated.rating, abs=0.01)
    assert {group["group"] for group in told["groups"]} == set(GROUPS)
    assert len(lines) >= 5
    assert f"{rated.rating:.2f}" in lines[0]


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (math.log(20), "sentence_length", "20.0"),
        (0.25, "verbs", "25%"),
        (2.346, "clauses", "2.35"),
        (0.0421, "level_words", "0.042"),
        # bounds are no counts, but where nothing can be beyond them
        (18.0, "before_verb", "18.00 or more"),
        (0.1, "function_words", "10% or less"),
        (1.0, "odd_starts", "100%"),
        (0.0, "commas", "0.00"),
    ],
)
def test_values_are_shown_as_readers_want_them(value: float, name: str, text: str) -> None:
    [feature] = [one for one in features_of() if one.name == name]
    assert format_value(value, feature) == text


@given(st.floats(-20, 20), st.floats(0.01, 5))
def test_the_scale_is_monotone_and_bounded(raw: float, more: float) -> None:
    assert 1 <= squashed(raw) <= squashed(raw + more) <= 5
    assert 1 <= clipped(raw) <= 5


@pytest.mark.parametrize("rating", [1.2, 3.0, 4.7])
def test_squashing_is_undone(rating: float) -> None:
    assert squashed(unsquashed(rating)) == pytest.approx(rating)
