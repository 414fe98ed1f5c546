"""The document's Table 3 in four variants: input, rules, query, answer, contradiction."""

from __future__ import annotations

import pytest

from readmark.tasks.reasoning.contradictions import contradictions
from readmark.tasks.reasoning.derivation_text import contradiction_text, derivation_text
from readmark.tasks.reasoning.derivations import explain
from readmark.tasks.reasoning.graphs import read_statements, write_graph
from readmark.tasks.reasoning.queries import answer
from readmark.tasks.reasoning.rules.parser import parse_query
from reasoning_files import OVERTIME, PERIODS, inferred

GAME = "(Game-1 type NFLGame)"


@pytest.mark.parametrize(
    ("statements", "answers", "are_inferred", "contradictory"),
    [
        (
            "(Game-1 hasOvertimePlay true)",
            ["((Game-1 type NFLGame) (Game-1 numberOfPeriods 5))"],
            [True],
            [],
        ),
        (
            "(Game-1 hasOvertimePlay true) (Game-1 numberOfPeriods 4)",
            ["((Game-1 type NFLGame) (Game-1 numberOfPeriods 4))"],
            [False],
            ["((Game-1 numberOfPeriods 4) (Game-1 hasOvertimePlay true))"],
        ),
        (
            "(Game-1 hasOvertimePlay true) (Game-1 numberOfPeriods 6)",
            ["((Game-1 type NFLGame) (Game-1 numberOfPeriods 6))"],
            [False],
            [],
        ),
        ("", [], [], []),
        ("(Game-1 hasOvertimePlay false)", [], [], []),
    ],
)
def test_variants(
    statements: str, answers: list[str], are_inferred: list[bool], contradictory: list[str]
) -> None:
    with inferred(OVERTIME, f"({GAME} {statements})") as inference:
        query_answers = answer(inference, parse_query(PERIODS))
        assert [write_graph(each.statements) for each in query_answers] == answers
        assert [each.inferred for each in query_answers] == are_inferred
        listed = contradictions(inference)
        assert [write_graph(each.inputs) for each in listed] == contradictory


def test_the_inferred_answer_is_explained() -> None:
    with inferred(OVERTIME, f"({GAME} (Game-1 hasOvertimePlay true))") as inference:
        [five_periods] = read_statements("((Game-1 numberOfPeriods 5))")
        [tree] = explain(inference, [("g0", five_periods)])
    assert derivation_text(tree).splitlines() == [
        "(Game-1 numberOfPeriods 5)  by overtime (a default): "
        "If overtime is mentioned but no period count, assume 5.",
        "  (Game-1 hasOvertimePlay true)  asserted",
        "  no (Game-1 numberOfPeriods ?n)",
    ]


def test_the_contradiction_names_both_statements() -> None:
    graph = f"({GAME} (Game-1 hasOvertimePlay true) (Game-1 numberOfPeriods 4))"
    with inferred(OVERTIME, graph) as inference:
        [contradiction] = contradictions(inference)
    assert contradiction_text(contradiction).splitlines() == [
        "g0: contradicts NFLScoringTheory by four-at-most: "
        "A statement of overtime play contradicts one of at most 4 periods.",
        "  (Game-1 numberOfPeriods 4)  asserted",
        "  (Game-1 hasOvertimePlay true)  asserted",
        "  (4 mrq:lessThanOrEqualTo 4)  holds",
        "  repair one of:",
        "    (Game-1 numberOfPeriods 4)",
        "    (Game-1 hasOvertimePlay true)",
    ]
