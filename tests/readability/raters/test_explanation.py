"""Explanations of ratings: parts that add up, in words, and values as readers want them."""

import math

import pytest

from readmark.readability.raters.explanation import GROUPS, evidence, format_value, in_words
from readmark.readability.raters.features.families import features_of
from readmark.readability.raters.parses import parse_all
from readmark.readability.raters.rater_files import load_rater


def test_evidence_adds_up_in_parts_and_in_groups() -> None:
    model = load_rater()
    [parsed] = parse_all(["The dog that bit the man who had fed it was taken away by the police."])
    rated = model.rate(parsed)
    details = evidence(model, parsed, rated)
    others = details["base"] + details["embedding"] + details["ends"]
    by_parts = sum(part["points"] for part in details["parts"]) + details["rest"]
    by_groups = sum(group["points"] for group in details["groups"])
    assert others + by_parts == pytest.approx(rated.rating, abs=0.01)
    assert others + by_groups == pytest.approx(rated.rating, abs=0.01)
    assert {group["group"] for group in details["groups"]} == set(GROUPS)
    lines = in_words(rated.rating, details)
    assert len(lines) >= 5
    assert f"{rated.rating:.2f}" in lines[0]


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (math.log(20), "sentence_length", "20.0"),
        (0.25, "verbs", "25%"),
        (2.346, "clauses", "2.35"),
        (0.0421, "level_words", "0.042"),
        # at a bound the value may be beyond it, unless nothing can be
        (18.0, "before_verb", "18.00 or more"),
        (0.1, "function_words", "10% or less"),
        (1.0, "odd_starts", "100%"),
        (0.0, "commas", "0.00"),
    ],
)
def test_values_are_shown_as_readers_want_them(value: float, name: str, text: str) -> None:
    [feature] = [feature for feature in features_of() if feature.name == name]
    assert format_value(value, feature) == text
