"""Experts' criteria: an open list, counted as written, and kept in the header."""

from collections import Counter
from pathlib import Path

from collected_panels import PLAN, collect_panel
from readmark.readability.panels.criteria import count_criteria


def test_criteria_are_counted_as_written() -> None:
    criteria = count_criteria(
        {
            "e1": {1: "Clear words; grammar", 2: "- clear  words.\n- length"},
            "e2": {1: "GRAMMAR；grammar", 2: ""},
        }
    )
    assert [(criterion.text, criterion.times, criterion.experts) for criterion in criteria] == [
        ("Clear words", 2, ("e1",)),
        ("grammar", 2, ("e1", "e2")),
        ("length", 1, ("e1",)),
    ]


def test_criteria_are_in_the_header_with_the_round_and_the_turn(tmp_path: Path) -> None:
    panel = collect_panel(tmp_path)
    counts = [(criterion.text, criterion.times) for criterion in panel.criteria]
    assert counts == [("clear words", 6), ("grammar", 6)]
    entries = panel.test.header.fields["panel"]["criteria"]
    assert Counter(entry["annotator"] for entry in entries) == {"e1": 2, "e2": 2, "e3": 2}
    for entry in entries:
        judge = next(judge for judge in PLAN.judges if judge.name == entry["annotator"])
        assert judge.rounds[entry["turn"] - 1].number == entry["round"]
