"""Counts with their nouns, and labels over several lines."""

import pytest

from readmark.core.display import broken_at_words, counted, plural


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("question", "questions"),
        ("query", "queries"),
        ("series", "series"),
        ("document", "documents"),
    ],
)
def test_a_noun_is_counted_in_the_right_number(noun: str, several: str) -> None:
    assert plural(noun) == several
    assert counted(1, noun) == f"1 {noun}"
    assert counted(1200, noun) == f"1,200 {several}"


@pytest.mark.parametrize(
    ("label", "room", "lines"),
    [
        ("all", 12, ["all"]),
        ("property awayTeamInGame", 30, ["property awayTeamInGame"]),
        ("property awayTeamInGame", 14, ["property away", "TeamInGame"]),
        ("property hasNFLGame", 12, ["property has", "NFLGame"]),
        ("topic two_words here", 10, ["topic two_", "words here"]),
        ("level 二", 12, ["level 二"]),
    ],
)
def test_labels_are_broken_where_words_begin(label: str, room: int, lines: list[str]) -> None:
    assert broken_at_words(label, room).splitlines() == lines
