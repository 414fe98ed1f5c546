"""The NFL Scoring domain: its files against each other and the document's worked examples."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from readmark.tasks.decompositions.posterior import Explanation, explain, last_event
from readmark.tasks.decompositions.scheme import Scheme, read_scheme
from readmark.tasks.decompositions.score_readings import ScoreReading
from readmark.tasks.ontology_queries import property_queries
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, read_statements, write_triple
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Name

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
FOLDER = files("readmark.tasks.domains") / "nfl_scoring"


def text(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


@pytest.fixture(scope="module")
def scheme() -> Scheme:
    return read_scheme(text("decomposition.toml"), "decomposition.toml")


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return read_ontology(text("ontology.ttl").encode(), file="ontology.ttl")


@pytest.fixture(scope="module")
def theory() -> Theory:
    return parse_rules(text("rules.dsrs"), "rules.dsrs")


TABLE_2 = {
    "gameDate": ("NFLGame", "xsd:date", 0, 1),
    "numberOfPeriods": ("NFLGame", "xsd:nonNegativeInteger", 0, 1),
    "hasOvertimePlay": ("NFLGame", "xsd:boolean", 0, 1),
    "gameWinner": ("NFLGame", "NFLTeam", 0, 1),
    "gameLoser": ("NFLGame", "NFLTeam", 0, 1),
    "homeTeamInGame": ("NFLGame", "NFLTeam", 0, 1),
    "awayTeamInGame": ("NFLGame", "NFLTeam", 0, 1),
    "teamInGame": ("NFLGame", "NFLTeam", 0, 2),
    "teamFinalScoreInGame": ("NFLGame", "TeamSummaryScore", 0, 2),
    "teamScoringAll": ("TeamSummaryScore", "NFLTeam", 1, 1),
    "pointsScored": ("TeamSummaryScore", "xsd:nonNegativeInteger", 1, 1),
    "touchdownCompleteCount": ("TeamSummaryScore", "xsd:nonNegativeInteger", 0, 1),
    "onePointConversionCompleteCount": ("TeamSummaryScore", "xsd:nonNegativeInteger", 0, 1),
    "twoPointConversionCompleteCount": ("TeamSummaryScore", "xsd:nonNegativeInteger", 0, 1),
    "fieldGoalCompleteCount": ("TeamSummaryScore", "xsd:nonNegativeInteger", 0, 1),
    "safetyCompleteCount": ("TeamSummaryScore", "xsd:nonNegativeInteger", 0, 1),
}
OF_EVENTS = {
    "scoringTeam": ("ScoringEvent", "NFLTeam", 0, 1),
    "scoringPlayer": ("ScoringEvent", "Player", 0, 1),
    "passer": ("ScoringEvent", "Player", 0, 1),
    "yards": ("ScoringEvent", "xsd:nonNegativeInteger", 0, 1),
    "quarter": ("ScoringEvent", "xsd:nonNegativeInteger", 0, 1),
    "conversion": ("Touchdown", "xsd:string", 0, 1),
}
"""What a text tells of a scoring event, which Table 2 does not have."""


def test_the_whole_of_table_2(ontology: Ontology) -> None:
    found = {
        one.name.text: (
            one.domain and one.domain.text,
            one.range and one.range.text,
            one.least,
            one.most,
        )
        for one in ontology.with_role("target", "inferred")
    }
    assert found == TABLE_2 | OF_EVENTS
    assert ontology.is_a(Name("NFLGame"), Name("Event"))
    roles = {one.name.text for one in ontology.with_role("inferred")}
    assert roles == {name for name in TABLE_2 if name.endswith("CompleteCount")}


def test_queries_are_those_that_the_ontology_makes(ontology: Ontology) -> None:
    rows = [json.loads(line) for line in text("queries.jsonl").splitlines()]
    made = property_queries(ontology)
    # a final score is told by its points: both properties ask the same
    asked = [one for one in (*TABLE_2, *OF_EVENTS) if one != "teamFinalScoreInGame"]
    assert [row["id"] for row in rows] == asked
    assert rows[9]["fields"]["also"] == ["teamFinalScoreInGame"]
    assert len({row["graph"] for row in rows}) == len(rows)
    assert [(row["graph"], row["text"], tuple(row["fields"]["variables"])) for row in rows] == [
        (one.graph, one.text, one.variables) for one in made
    ]


def test_quantities_are_properties_of_the_ontology(scheme: Scheme, ontology: Ontology) -> None:
    named = {Name(one.property or "") for one in scheme.quantities.values()}
    assert named == {one.name for one in ontology.with_role("inferred")}
    assert Name(scheme.total or "") in ontology.properties


SCORE = (
    "(G teamFinalScoreInGame {0}) ({0} type TeamSummaryScore) "
    "({0} teamScoringAll {1}) ({0} pointsScored {2})"
)
BOTH = "(G type NFLGame) " + SCORE.format("A", "Jets", 10) + " " + SCORE.format("B", "Bills", 7)
COUNTS = (
    "(A touchdownCompleteCount {}) (A onePointConversionCompleteCount {}) "
    "(A twoPointConversionCompleteCount {}) (A fieldGoalCompleteCount {}) "
    "(A safetyCompleteCount {})"
)


EVENTS = (
    "(A teamScoringAll Jets) (A firstScoringEvent E1) (E1 type Touchdown) "
    "(E1 nextScoringEvent E2) (E2 type FieldGoal) (E2 nextScoringEvent E3) (E3 type Touchdown) "
    "(E3 nextScoringEvent E4) (E4 type OnePointConversion)"
)
SCORERS = {f"(E{number} scoringTeam Jets)" for number in range(1, 5)}
"""6 and 3, then 6 and 1."""
TOLD = "(A lastScoringEvent E4)"


FOLLOWS: list[tuple[str, set[str]]] = [
    ("(G type NFLGame)", set()),
    ("(G type NFLGame) (G hasOvertimePlay false)", set()),
    ("(G type NFLGame) (G hasOvertimePlay true)", {"(G numberOfPeriods 5)"}),
    ("(G type NFLGame) (G numberOfPeriods 6)", {"(G hasOvertimePlay true)"}),
    ("(G type NFLGame) (G numberOfPeriods 4)", set()),
    ("(G hasOvertimePlay true) (G numberOfPeriods 6)", set()),
    ("(G homeTeamInGame Jets)", {"(G teamInGame Jets)"}),
    (
        "(G homeTeamInGame Jets) (G gameWinner Bills)",
        {
            "(G teamInGame Jets)",
            "(G teamInGame Bills)",
            "(G awayTeamInGame Bills)",
            "(G gameLoser Jets)",
        },
    ),
    (
        BOTH,
        {
            "(G teamInGame Jets)",
            "(G teamInGame Bills)",
            "(G gameWinner Jets)",
            "(G gameLoser Bills)",
        },
    ),
    (
        "(A teamScoringAll Jets) " + COUNTS.format(3, 2, 0, 1, 1),
        {"(A pointsScored 25)"},
    ),
    ("(A pointsScored 25) (A teamScoringAll Jets) " + COUNTS.format(3, 2, 0, 1, 1), set()),
    # events told one by one: 2 touchdowns, a conversion and a field goal, but only if that is all
    (EVENTS, SCORERS),
    (
        f"{EVENTS} {TOLD}",
        {
            "(A touchdownCompleteCount 2)",
            "(A onePointConversionCompleteCount 1)",
            "(A twoPointConversionCompleteCount 0)",
            "(A fieldGoalCompleteCount 1)",
            "(A safetyCompleteCount 0)",
            "(A pointsScored 16)",
        }
        | SCORERS,
    ),
    (f"{EVENTS} (A pointsScored 16)", SCORERS),
    # a count without a final score is what the text tells
    ("(A type TeamSummaryScore) (A teamScoringAll Jets) (A fieldGoalCompleteCount 3)", set()),
    # nothing says that what is not mentioned is none
    (
        "(A teamScoringAll Jets) (A touchdownCompleteCount 3) (A fieldGoalCompleteCount 1)",
        set(),
    ),
]
CONTRADICTS = [
    ("(G hasOvertimePlay true) (G numberOfPeriods 4)", "no-overtime-in-four-periods"),
    ("(G gameWinner Jets) (G gameWinner Bills)", "ontology: gameWinner has at most 1"),
    ("(G gameWinner Jets) (G gameLoser Jets)", "winner-is-not-loser"),
    ("(G homeTeamInGame Jets) (G awayTeamInGame Jets)", "home-is-not-away"),
    (BOTH + " (G gameWinner Bills)", "winner-has-fewer-points"),
    (BOTH.replace("10", "7") + " (G gameWinner Bills)", "winner-has-fewer-points"),
    (BOTH.replace("Bills", "Jets"), "one-score-a-team"),
    (BOTH + " (G teamInGame Colts)", "ontology: teamInGame has at most 2"),
    (BOTH + " " + COUNTS.format(1, 1, 0, 0, 0), "points-are-those-of-the-events"),
    (BOTH + " (A touchdownCompleteCount 2)", "touchdowns-within-points"),
    (BOTH + " (A fieldGoalCompleteCount 4)", "field-goals-within-points"),
    (BOTH + " (A safetyCompleteCount 6)", "safeties-within-points"),
    (
        BOTH + " (A touchdownCompleteCount 1) (A fieldGoalCompleteCount 2)",
        "touchdowns-and-field-goals-within-points",
    ),
    (
        BOTH + " (A touchdownCompleteCount 1) (A onePointConversionCompleteCount 2)",
        "a-one-point-conversion-needs-a-touchdown",
    ),
    (
        BOTH + " (A touchdownCompleteCount 0) (A twoPointConversionCompleteCount 1)",
        "a-two-point-conversion-needs-a-touchdown",
    ),
    (
        BOTH + " (A touchdownCompleteCount 1) (A onePointConversionCompleteCount 1) "
        "(A twoPointConversionCompleteCount 1)",
        "a-conversion-needs-a-touchdown",
    ),
    (SCORE.format("A", "Jets", 1), "one-point-is-no-score"),
    ("(G numberOfPeriods 2)", "no-game-of-fewer-than-four-periods"),
    # 6 + 1 + 3 is more than 9
    (
        BOTH.replace("10", "9") + " (A touchdownCompleteCount 1) "
        "(A onePointConversionCompleteCount 1) (A fieldGoalCompleteCount 1)",
        "touchdowns-kicks-and-field-goals-within-points",
    ),
    (
        BOTH.replace("10", "12") + " (A touchdownCompleteCount 2) "
        "(A onePointConversionCompleteCount 1)",
        "touchdowns-and-kicks-within-points",
    ),
    # 16 by events, whether or not all are told
    (f"{EVENTS} (A pointsScored 15)", "events-within-points"),
    (f"{EVENTS} {TOLD} (A pointsScored 17)", "points-are-those-of-the-events"),
    (f"{EVENTS} {TOLD} (A touchdownCompleteCount 3)", "ontology: touchdownCompleteCount has at"),
    # no circles
    (f"{EVENTS} (E4 nextScoringEvent E1)", "nothing-before-the-first-event"),
    (f"{EVENTS} (E4 nextScoringEvent E2)", "an-event-comes-once"),
    (f"{EVENTS} (E1 type Safety)", "ontology: Touchdown and Safety are disjoint"),
]


Results = dict[str, tuple[set[str], set[str]]]


@pytest.fixture(scope="module")
def results(theory: Theory, ontology: Ontology) -> Results:
    """By input: what is derived of what is asked, and the rules that found a contradiction.

    Each input is a graph of its own, so that one run is enough for all.
    """
    asked = {one.name for one in ontology.with_role("target", "inferred")}
    found: Results = {statements: (set(), set()) for statements, _ in (*FOLLOWS, *CONTRADICTS)}
    asserted = [Asserted(graph, one) for graph in found for one in read_statements(f"({graph})")]
    with infer(asserted, theory, ontology) as inference:
        for one in inference.derived():
            if one.statement.predicate in asked:
                found[one.graph][0].add(write_triple(one.statement))
        for each in inference.contradictions():
            found[each.graph][1].add(each.rule.name)
    return found


@pytest.mark.parametrize(("statements", "derived"), FOLLOWS)
def test_what_follows(statements: str, derived: set[str], results: Results) -> None:
    assert results[statements] == (derived, set())


@pytest.mark.parametrize(("statements", "rule"), CONTRADICTS)
def test_what_contradicts(statements: str, rule: str, results: Results) -> None:
    assert any(name.startswith(rule) for name in results[statements][1])


def test_both_names_of_a_final_score_are_one_class(theory: Theory, ontology: Ontology) -> None:
    names = ("TeamSummaryScore", "NFLGameTeamSummaryScore")
    asserted = [
        Asserted(name, one)
        for name in names
        for one in read_statements(f"((A type {name}) (A teamScoringAll Jets) (A pointsScored 3))")
    ]
    with infer(asserted, theory, ontology) as inference:
        derived = {(one.graph, write_triple(one.statement)) for one in inference.derived()}
        assert list(inference.contradictions()) == []
    assert derived == {(names[0], f"(A type {names[1]})"), (names[1], f"(A type {names[0]})")}


def combinations(explanation: Explanation) -> set[tuple[int, ...]]:
    return {tuple(one.counts["total"].values()) for one in explanation.combinations}


@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize(
    ("total", "expected"),
    [
        # touchdown, one-point, two-point, field goal, safety
        (0, {(0, 0, 0, 0, 0)}),
        (1, set()),
        (2, {(0, 0, 0, 0, 1)}),
        (3, {(0, 0, 0, 1, 0)}),
        (6, {(1, 0, 0, 0, 0), (0, 0, 0, 2, 0), (0, 0, 0, 0, 3)}),
        (7, {(1, 1, 0, 0, 0), (0, 0, 0, 1, 2)}),
        (8, {(1, 0, 1, 0, 0), (1, 0, 0, 0, 1), (0, 0, 0, 2, 1), (0, 0, 0, 0, 4)}),
    ],
)
def test_totals_of_the_document(
    scheme: Scheme, total: int, expected: set[tuple[int, ...]], final: bool
) -> None:
    explanation = explain(scheme, [ScoreReading({"total": total})], final=final)
    assert combinations(explanation) == expected
    assert sum(one.probability for one in explanation.combinations) == bool(expected)


def test_the_kick_that_made_it_6_to_3(scheme: Scheme) -> None:
    told = [ScoreReading({"Falcons": 3, "Jets": 0}), ScoreReading(either=(6, 3), last="kick")]
    explanation = explain(scheme, told, final=False)
    assert last_event(scheme, told, final=False) == {"field_goal": 1}
    assert explanation.leaders() == {"Falcons": Fraction(2, 3), "Jets": Fraction(1, 3)}
    assert [one.leader() for one in explanation.hypotheses] == ["Falcons", "Jets"]
    later = explain(scheme, [*told, ScoreReading({"Falcons": 6, "Jets": 3})], final=False)
    assert later.leaders(1) == {"Falcons": 1}
    other = explain(scheme, [*told, ScoreReading({"Falcons": 3, "Jets": 13})], final=False)
    assert other.leaders(1) == {"Jets": 1}


@pytest.mark.parametrize(
    ("total", "known", "most_likely"),
    [
        (20, (), (2, 2, 0, 2, 0)),
        (24, (), (3, 3, 0, 1, 0)),
        (31, (), (4, 4, 0, 1, 0)),
        (52, (), (7, 7, 0, 1, 0)),
        (20, ("touchdown == 3",), (3, 2, 0, 0, 0)),
        (9, ("safety == 1",), (1, 1, 0, 0, 1)),
        (16, ("field_goal >= 1", "two_point == 1"), (1, 0, 1, 2, 1)),
    ],
)
def test_what_football_makes_likely(
    scheme: Scheme, total: int, known: tuple[str, ...], most_likely: tuple[int, ...]
) -> None:
    explanation = explain(scheme, [ScoreReading({"total": total})], known=known)
    assert tuple(explanation.combinations[0].counts["total"].values()) == most_likely


@pytest.mark.golden
def test_the_first_combination_of_summaries_with_gold(scheme: Scheme) -> None:
    file = SHARED / "golden" / "nfl_recaps.json"
    if not file.exists():
        pytest.skip("../shared/golden is not here")
    teams = [one for game in json.loads(file.read_text("utf-8")).values() for one in game["teams"]]
    right = 0
    for team in teams:
        explanation = explain(scheme, [ScoreReading({"total": team["final_score"]})])
        counts = explanation.combinations[0].counts["total"]
        found = (counts["touchdown"], counts["field_goal"], counts["safety"])
        right += found == (team["touchdowns"], team["field_goals"], team["safeties"])
    assert (right, len(teams)) == (19, 24)  # benchmarks/reasoning.md says so


@pytest.mark.golden
def test_the_prior_is_the_one_that_the_script_fits(
    scheme: Scheme, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = SHARED / "data" / "nfl"
    if not data.exists():
        pytest.skip("../shared/data/nfl is not here")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    nfl_prior: Any = __import__("nfl_prior")
    sys.modules.pop("nfl_prior")
    from training.score_prior import as_toml

    written = text("decomposition.toml").partition(nfl_prior.MARK)[2]
    made = read_scheme(
        text("decomposition.toml").partition(nfl_prior.MARK)[0]
        + as_toml(scheme, nfl_prior.fitted(scheme, data))
    )
    assert written.strip()
    for name, share in scheme.prior.shares.items():
        assert float(made.prior.shares[name]) == pytest.approx(float(share), rel=2e-3)
    for name, chance in scheme.prior.following["touchdown"].items():
        assert float(made.prior.following["touchdown"][name]) == pytest.approx(
            float(chance), rel=2e-3
        )
    for number in range(10):
        expected = float(scheme.prior.numbers.chance(number))
        assert float(made.prior.numbers.chance(number)) == pytest.approx(expected, rel=5e-3)
