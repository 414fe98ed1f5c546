"""Answers to queries as the page of a report shows them."""

import pytest

from readmark.core.kinds import kind_named
from readmark.core.sitting import Row
from readmark.reporting.page.answers import answer_words, shown_gold, shown_row

KIND = kind_named("task")


def test_answers_to_a_query_are_told_in_a_line_with_their_places() -> None:
    excerpts = [
        {"document": "d", "start": 4, "end": 9, "quote": "seven"},
        {"document": "d", "start": 4, "end": 9, "quote": "seven"},
    ]
    row = Row(
        id="q",
        answer=[{"values": {"G": "Game-1", "N": 7}, "excerpts": excerpts}, {"G": "Game-2"}],
    )
    shown = shown_row(KIND, row)
    assert shown["t"] == "?G = Game-1, ?N = 7; ?G = Game-2"
    assert answer_words(KIND, Row(id="q", answer=[{"x": "Ida"}])) == "?x = Ida"
    assert shown["ev"] == [[4, 9]]
    assert shown_row(KIND, Row(id="q", answer=[]))["t"] == ""
    assert shown_row(KIND, Row(id="q", answer=[["a", "b"]]))["t"] == '[["a","b"]]'
    assert shown_gold(KIND, {"solutions": [{"values": {"N": True}}]}) == {"t": "?N = true"}
    assert shown_gold(KIND, {"solutions": [], "annotator": "ida"}) == {"t": "", "w": "ida"}


def test_derivations_go_with_their_answers() -> None:
    excerpt = {"document": "d", "start": 4, "end": 9, "quote": "seven"}
    one = {"values": {"N": 7}, "excerpts": [excerpt], "derivation": "(G n 7)  asserted"}
    assert shown_gold(KIND, {"solutions": [one, {"values": {"N": 8}}]}) == {
        "t": "?N = 7; ?N = 8",
        "ex": [[4, 9]],
        "d": ["(G n 7)  asserted"],
    }
    assert shown_row(KIND, Row(id="q", answer=[one]))["d"] == ["(G n 7)  asserted"]
    assert "d" not in shown_row(KIND, Row(id="q", answer=[{"N": 8}]))


@pytest.mark.parametrize("odd", [None, 3, "x", {"start": 1}, [3, None], [{"start": "1", "end": 2}]])
def test_excerpts_that_are_none_are_passed_over(odd: object) -> None:
    solution = {"values": {"N": 7}, "excerpts": odd, "derivation": odd}
    for told in (
        shown_gold(KIND, {"solutions": [solution]}),
        shown_row(KIND, Row(id="q", answer=[solution])),
    ):
        assert told.keys() & {"ex", "ev"} == set()
