"""Answers, golds and evidence of any kind of test, as the page shows them."""

from typing import Any

import pytest

from readmark.core.sitting import Row
from readmark.reporting.page.answers import answer_words, evidence_parts, shown_gold, shown_row


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (Row(id="q", answer="七条木船"), "七条木船"),
        (Row(id="q", answer=""), ""),
        (Row(id="q", answer="Who was Ida?"), "Who was Ida?"),
        (Row(id="q", answer=4.0), "4"),
        (Row(id="q", answer=3.25), "3.25"),
        (Row(id="q", answer=2.2636263936892194), "2.264"),
        (Row(id="q", answer=[{"x": "Ida"}]), "?x = Ida"),
        (Row(id="q", error="timed out"), None),
    ],
)
def test_answer_in_words(row: Row, said: str | None) -> None:
    assert answer_words(row) == said


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
    assert shown_row(Row(id="q", answer="nets", start=4)) == {"t": "nets", "at": [4, 8], "k": 0}
    assert shown_row(Row(id="q", error="timed out", repeat=1)) == {"x": "timed out", "k": 1}


def test_the_sentence_is_evidence_once() -> None:
    row = Row(id="q", answer="nets", sentence=(0, 20), evidence=[[0, 20], [30, 40]], score=0.5)
    assert shown_row(row)["ev"] == [[0, 20], [30, 40]]


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
    assert shown_gold(gold) == shown


def test_answers_to_a_query_are_told_in_a_line_with_their_places() -> None:
    excerpts = [
        {"document": "d", "start": 4, "end": 9, "quote": "seven"},
        {"document": "d", "start": 4, "end": 9, "quote": "seven"},
    ]
    row = Row(
        id="q",
        answer=[{"values": {"G": "Game-1", "N": 7}, "excerpts": excerpts}, {"G": "Game-2"}],
    )
    shown = shown_row(row)
    assert shown["t"] == "?G = Game-1, ?N = 7; ?G = Game-2"
    assert shown["ev"] == [[4, 9]]
    assert shown_row(Row(id="q", answer=[]))["t"] == ""
    assert shown_row(Row(id="q", answer=[["a", "b"]]))["t"] == '[["a","b"]]'
    assert shown_gold({"solutions": [{"values": {"N": True}}]}) == {"t": "?N = true"}
    assert shown_gold({"solutions": [], "annotator": "ida"}) == {"t": "", "w": "ida"}


def test_derivations_go_with_their_answers() -> None:
    excerpt = {"document": "d", "start": 4, "end": 9, "quote": "seven"}
    one = {"values": {"N": 7}, "excerpts": [excerpt], "derivation": "(G n 7)  asserted"}
    assert shown_gold({"solutions": [one, {"values": {"N": 8}}]}) == {
        "t": "?N = 7; ?N = 8",
        "ex": [[4, 9]],
        "d": ["(G n 7)  asserted"],
    }
    assert shown_row(Row(id="q", answer=[one]))["d"] == ["(G n 7)  asserted"]
    assert "d" not in shown_row(Row(id="q", answer=[{"N": 8}]))


@pytest.mark.parametrize("odd", [None, 3, "x", {"start": 1}, [3, None], [{"start": "1", "end": 2}]])
def test_excerpts_that_are_none_are_passed_over(odd: object) -> None:
    solution = {"values": {"N": 7}, "excerpts": odd, "derivation": odd}
    for told in (
        shown_gold({"solutions": [solution]}),
        shown_row(Row(id="q", answer=[solution])),
    ):
        assert told.keys() & {"ex", "ev"} == set()
