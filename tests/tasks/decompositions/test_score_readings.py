"""Scores from a line of text."""

from __future__ import annotations

import pytest

from readmark.core.errors import UsageError
from readmark.tasks.decompositions.score_readings import ScoreReading, read_reading


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("Falcons 3, Jets 0", ScoreReading({"Falcons": 3, "Jets": 0})),
        ("New York Jets 10", ScoreReading({"New York Jets": 10})),
        ("Falcons 24 Jets 20", ScoreReading({"Falcons": 24, "Jets": 20})),
        ("San Francisco 49ers 7 Jets 0", ScoreReading({"San Francisco 49ers": 7, "Jets": 0})),
        ("Schalke 04 2, Ajax 1", ScoreReading({"Schalke 04": 2, "Ajax": 1})),
        ("6 to 3", ScoreReading(either=(6, 3))),
        ("6-3", ScoreReading(either=(6, 3))),
        ("6–3 by kick", ScoreReading(either=(6, 3), last="kick")),
        ("20", ScoreReading(either=(20,))),
        (
            "Jets 7; Bills 6 by touchdown settled",
            ScoreReading({"Jets": 7, "Bills": 6}, (), "touchdown", True),
        ),
        ("猎鹰 3，喷气机 0", ScoreReading({"猎鹰": 3, "喷气机": 0})),
        ("猎鹰３、喷气机10", ScoreReading({"猎鹰": 3, "喷气机": 10})),
        ("20 比 17", ScoreReading(either=(20, 17))),
    ],
)
def test_forms(text: str, reading: ScoreReading) -> None:
    assert read_reading(text) == reading


@pytest.mark.parametrize(
    "text", ["", "Jets", "Jets three", "Jets 3, Jets 4", "Jets 3 Bills", "3 Jets"]
)
def test_what_is_no_score(text: str) -> None:
    with pytest.raises(UsageError, match="is not a score"):
        read_reading(text)
