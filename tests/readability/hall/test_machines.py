"""Raters of Readmark as machines beside a panel of the hall."""

import pytest

from readmark.readability import own_raters


@pytest.mark.parametrize(
    ("language", "raters"),
    [
        ("en", ["features", "formula", "formula(name=dale_chall)"]),
        ("zh", ["features", "formula"]),
    ],
)
def test_a_panel_is_offered_the_raters_of_its_language(language: str, raters: list[str]) -> None:
    assert sorted(own_raters(language)) == raters
