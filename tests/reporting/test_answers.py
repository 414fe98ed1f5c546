"""Answers, golds and evidence of any kind of test, as the page shows them."""

from typing import Any

import pytest

from readmark.core.kinds import kind_named
from readmark.core.sitting import Row
from readmark.reporting.page.answers import answer_words, evidence_parts, shown_gold, shown_row

KIND = kind_named("comprehension")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Row(id="q", answer="七条木船"), "七条木船"),
        (Row(id="q", answer=""), ""),
        (Row(id="q", answer="Who was Ida?"), "Who was Ida?"),
        (Row(id="q", answer=4.0), "4"),
        (Row(id="q", answer=3.25), "3.25"),
        (Row(id="q", answer=2.2636263936892194), "2.264"),
        (Row(id="q", error="timed out"), None),
    ],
)
def test_answer_in_words(row: Row, said: str | None) -> None:
    assert answer_words(KIND, row) == said


@pytest.mark.parametrize(
    ("evidence", "spans", "lines"),
    [
        (None, [], []),
        ("the second sentence", [], ["the second sentence"]),
        ([3, 9], [[3, 9]], []),
        ([[3, 9], [12, 20]], [[3, 9], [12, 20]], []),
        ({"start": 3, "end": 9}, [[3, 9]], []),
        ([{"start": 3, "end": 9, "why": "verb"}], [[3, 9]], ["why: verb"]),
        ({"shared": ["boats", "dock"]}, [], ["shared: boats, dock"]),
        ({"rules": {"spans": [[1, 2]], "name": "r1"}}, [[1, 2]], ["rules: name: r1"]),
        (
            {
                "likely": [
                    {"text": t, "start": 4, "probability": p} for t, p in (("a", 0.5), ("b", 0.04))
                ]
            },
            [],
            ["likely: a (0.50), b (0.04)"],
        ),
        ([9, 3], [], ["9", "3"]),
        (True, [], ["true"]),
        (0.5, [], ["0.5"]),
    ],
)
def test_evidence(evidence: Any, spans: list[list[int]], lines: list[str]) -> None:
    assert evidence_parts(evidence) == (spans, lines)


def test_row_says_only_what_it_has() -> None:
    assert shown_row(KIND, Row(id="q", answer="nets", start=4)) == {
        "t": "nets",
        "at": [4, 8],
        "k": 0,
    }
    assert shown_row(KIND, Row(id="q", error="timed out", repeat=1)) == {"x": "timed out", "k": 1}


def test_the_sentence_is_evidence_once() -> None:
    row = Row(id="q", answer="nets", sentence=(0, 20), evidence=[[0, 20], [30, 40]], score=0.5)
    assert shown_row(KIND, row)["ev"] == [[0, 20], [30, 40]]


@pytest.mark.parametrize(
    ("gold", "shown"),
    [
        (
            {"text": "nets", "start": 4, "annotator": "ann"},
            {"t": "nets", "at": [4, 8], "w": "ann"},
        ),
        ({"text": "🦊", "start": 0}, {"t": "🦊", "at": [0, 1]}),
        (3.5, {"t": "3.5"}),
        ({"annotator": "ann", "x": "Ida"}, {"t": "Ida", "w": "ann"}),
        ({"rating": 4.0, "annotator": "ann", "round": 2}, {"t": "4", "w": "ann"}),
    ],
)
def test_gold(gold: Any, shown: dict[str, Any]) -> None:
    assert shown_gold(KIND, gold) == shown
