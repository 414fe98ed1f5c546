"""What rules mean: asserted and derived apart, defaults, negation, missing values, equality."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.strata import stratified
from readmark.tasks.reasoning.terms import Literal, Name
from reasoning_files import asserted, derived, inferred

FIVE = """(:rule five :if (?g hasOvertimePlay true) :if-not (?g numberOfPeriods ?n)
 :then (?g numberOfPeriods 5))"""
STORY = """(:rule story :if (?g secondOvertime true) :then (?g numberOfPeriods 6))"""


@pytest.mark.parametrize(
    ("rules", "graph", "expected"),
    [
        pytest.param(FIVE, "((G hasOvertimePlay true))", {"(G numberOfPeriods 5)"}, id="default"),
        pytest.param(FIVE, "((G hasOvertimePlay true) (G numberOfPeriods 6))", set(), id="said"),
        pytest.param(FIVE, "((G hasOvertimePlay false))", set(), id="false is not true"),
        pytest.param(FIVE, "((G hasOvertimePlay 1))", set(), id="1 is not true"),
        pytest.param(FIVE, '((G hasOvertimePlay "true"))', set(), id="a string is not true"),
        pytest.param(
            FIVE + STORY,
            "((G hasOvertimePlay true) (G secondOvertime true))",
            {"(G numberOfPeriods 6)"},
            id="what other rules derive comes before a default, wherever it is written",
        ),
        pytest.param(
            STORY
            + FIVE
            + "(:if (?g numberOfPeriods ?n) (?n mrq:greaterThan 4) :then (?g long true))",
            "((G hasOvertimePlay true))",
            {"(G numberOfPeriods 5)", "(G long true)"},
            id="other rules read a default's conclusion",
        ),
        pytest.param(
            FIVE + "(:if (?g secondOvertime true) :if-not (?g numberOfPeriods ?n) "
            ":then (?g numberOfPeriods 6))",
            "((G hasOvertimePlay true) (G secondOvertime true))",
            {"(G numberOfPeriods 5)", "(G numberOfPeriods 6)"},
            id="two defaults do not see each other, whatever their order",
        ),
        pytest.param(
            "(:default :if (?g type Game) :then (?g numberOfPeriods 4))",
            "((G type Game) (H type Game) (H numberOfPeriods 5))",
            {"(G numberOfPeriods 4)"},
            id=":default gives way to any value",
        ),
        pytest.param(
            "(:if (?g type Game) :if-not (?g winner ?t) (?t type Team) :then (?g open true))",
            "((G type Game) (G winner Otters) (H type Game) (H winner Herons) (Herons type Team))",
            {"(G open true)"},
            id="a negated group is denied as a whole",
        ),
        pytest.param(
            "(:if (?g type Game) :if-not (?g winner ?t) :if-not (?g loser ?t) "
            ":then (?g open true))",
            "((G type Game) (H type Game) (H winner A) (I type Game) (I loser A))",
            {"(G open true)"},
            id="each group is denied by itself",
        ),
        pytest.param(
            "(:if (?g points ?n) :if-not (?g points ?m) (?m mrq:greaterThan ?n) "
            ":then (?g most ?n))",
            "((G points 3) (G points 7) (H points 2.5) (H points 2))",
            {"(G most 7)", "(H most 2.5)"},
            id="a built-in under negation compares with outside",
        ),
        pytest.param(
            "(:if (?x knows ?x) :then (?x self true))",
            "((a knows a) (a knows b))",
            {"(a self true)"},
            id="a variable twice in a triple",
        ),
        pytest.param(
            "(:if (?x p ?v) :then (?v seen true))",
            "((a p b) (a p 5))",
            {"(b seen true)"},
            id="a literal is never concluded to be a subject",
        ),
        pytest.param(
            "(:if-not (a p ?v) :then (a lacks p))", "((b q c))", {"(a lacks p)"}, id="no :if"
        ),
        pytest.param(
            "(:if (?a winner ?x) (?a loser ?y) (?x mrq:equalTo ?y) :then (?a odd true))",
            "((G winner Otters) (G loser Otters) (H winner otters) (H loser Otters))",
            {"(G odd true)"},
            id="names are equal when they are spelt alike",
        ),
        pytest.param(
            "(:if (?g points ?n) (?m mrq:sum ?n 1) :then (?g next ?m))",
            "((G points 3) (H scored 3))",
            {"(G next 4)"},
            id="a missing value gives nothing",
        ),
    ],
)
def test_meaning(rules: str, graph: str, expected: set[str]) -> None:
    assert derived(rules, graph) == expected


def test_graphs_are_apart() -> None:
    with inferred(FIVE, "((G hasOvertimePlay true))", "((G numberOfPeriods 4))") as inference:
        concluded = [(each.graph, write_triple(each.statement)) for each in inference.derived()]
    assert concluded == [("g0", "(G numberOfPeriods 5)")]


def test_what_is_asserted_is_not_derived_but_its_derivation_is_kept() -> None:
    rules = "(:rule r :if (?a p ?b) :then (?a q ?b))"
    with inferred(rules, "((a p b) (a q b))") as inference:
        assert list(inference.derived()) == []
        assert inference.counts() == {
            "asserted": 2,
            "derived": 0,
            "instantiations": 1,
            "contradictions": 0,
        }
        [instantiation] = inference.instantiations("r")
    assert {name: value.text for name, value in instantiation.bindings.items()} == {
        "a": "a",
        "b": "b",
    }


def test_permuted_conditions_are_the_same_program() -> None:
    conditions = ["(?g score ?s)", "(?s points ?x)", "(?s team ?t)", "(?x mrq:lessThan 9)"]
    denied = ["(?g winner ?t)", "(?t type Team)"]
    selects = set()
    for order in itertools.permutations(conditions):
        for inner in itertools.permutations(denied):
            theory = parse_rules(
                f"(:if {' '.join(order)} :if-not {' '.join(inner)} :then (?g small ?t))"
            )
            store = Store()
            for name in ("score", "points", "team", "winner", "type", "small"):
                store.table(name)
            store.code(Name("Team"))
            program = Program(store, theory.rules[0], stratified(theory), 0)
            selects.add(program.select(1))
            store.close()
    assert len(selects) == 1


def test_consistent_statements_are_not_searched_for_contradictions() -> None:
    rules = """
    (:theory T)
    (:rule up :if (?a p ?b) :then (?a q ?b))
    (:rule on :if (?a r ?b) :then (?a q ?b))
    (:rule clash :if (?a q ?b) (?b q ?a) :then (?inputGraph contradicts T))
    """
    theory, inputs = parse_rules(rules), asserted("((a p b) (b p a))")
    with infer(inputs, theory) as whole, infer(inputs, theory, consistent=True) as plain:
        assert whole.contradicted() == {"g0"}
        assert plain.contradicted() == set()
        assert list(plain.statements()) == list(whole.statements())
        assert list(whole.instantiations("on")) == []
        assert len(list(whole.instantiations("up"))) == 2
        counts = {"asserted": 2, "derived": 2, "instantiations": 2, "contradictions": 2}
        assert whole.counts() == counts
        assert plain.counts() == counts | {"contradictions": 0}


def test_literals_are_joined_only_where_they_are_compared() -> None:
    store = Store()
    for name in ("p", "q"):
        store.table(name)
    store.add_literals([Literal("word")])
    theory = parse_rules("""
    (:rule whole :if (?a p ?v) (?w mrq:sum ?v 1) :then (?a q ?w))
    (:rule text :if (?a p ?v) (?v mrq:contains "a") :then (?a q ?v))
    """)
    sql = [
        Program(store, rule, stratified(theory), number).select(1)
        for number, rule in enumerate(theory.rules)
    ]
    store.close()
    assert ["JOIN literals" in select for select in sql] == [False, True]


def test_probabilities_combine_independent_derivations() -> None:
    rules = """
    (:rule sure :if (?a p ?b) :then (?a q ?b))
    (:rule likely :probability 0.8 :if (?a r ?b) :then (?a q ?b))
    (:rule chain :probability 0.5 :if (?a q ?b) (?b q ?c) :then (?a s ?c))
    """
    inputs = [
        replace(each, probability=0.9) if each.statement.subject.text == "a" else each
        for each in asserted("((a p b) (a r b) (b r c) (d r e))")
    ]
    with infer(inputs, parse_rules(rules)) as inference:
        chances = {write_triple(each.statement): each.probability for each in inference.derived()}
    assert chances == {
        "(a q b)": pytest.approx(1 - (1 - 0.9) * (1 - 0.8 * 0.9)),
        "(b q c)": pytest.approx(0.8),
        "(d q e)": pytest.approx(0.8),
        "(a s c)": pytest.approx(0.5 * 0.972 * 0.8),
    }


def test_recursion_does_not_raise_a_probability() -> None:
    rules = """
    (:rule base :if (?a edge ?b) :then (?a path ?b))
    (:rule step :probability 0.5 :if (?a path ?b) (?b edge ?c) :then (?a path ?c))
    """
    with inferred(rules, "((a edge b) (b edge a) (b edge c))") as inference:
        chances = {write_triple(each.statement): each.probability for each in inference.derived()}
    assert chances == {
        "(a path b)": 1.0,
        "(b path a)": 1.0,
        "(b path c)": 1.0,
        "(a path a)": 0.5,
        "(b path b)": 0.5,
        "(a path c)": 0.5,
    }


def test_rules_that_count_for_ever_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readmark.tasks.reasoning.engine.rule_run.MOST_ROUNDS", 20)
    rules = "\n(:rule up :if (?a n ?x) (?y mrq:sum ?x 1) :then (?a n ?y))"
    with pytest.raises(DataError, match=r"^f:2: the rules never terminate: up"):
        inferred(parse_rules(rules, "f"), "((a n 0))")


def test_an_overflow_names_the_rule() -> None:
    rules = "(:rule big :if (?a n ?x) (?y mrq:product ?x ?x) :then (?a m ?y))"
    with pytest.raises(DataError, match=r"big: .*integer beyond"):
        inferred(rules, f"((a n {2**31}))")
    with pytest.raises(DataError, match=r"big: .*[Oo]verflow"):
        inferred(rules, f"((a n {2**59}))")
