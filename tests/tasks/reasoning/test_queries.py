"""Query graphs: values, probability, built-ins, open properties, and their limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import read_graph
from readmark.tasks.reasoning.known_names import require_graphs
from readmark.tasks.reasoning.queries import answer
from readmark.tasks.reasoning.rules.parser import parse_query, parse_rules
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import written
from reasoning_files import asserted, inferred

EMPTY = Theory("Empty")
SCORES = "((G score S) (S team Otters) (S points 20) (G score T) (T team Herons) (T points 17))"


def ask(query: str, *graphs: str, rules: str | Theory = EMPTY) -> list[str]:
    with inferred(rules, *graphs) as inference:
        return [
            f"{each.graph} " + " ".join(written(value) for value in each.bindings.values())
            for each in answer(inference, parse_query(query))
        ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("((?s points ?n))", ["g0 20 S", "g0 17 T"]),
        ("((?s points ?n) (?n mrq:greaterThan 18))", ["g0 20 S"]),
        ("((S points ?n) (T points ?m) (?d mrq:difference ?n ?m))", ["g0 3 17 20"]),
        ("((?s ?p Otters))", ["g0 team S"]),
        ("((G score ?x) (?x team ?t))", ["g0 Herons T", "g0 Otters S"]),
        ("((S points 20))", ["g0 "]),
        ("((S points 21))", []),
        ("((S unheard ?x))", []),
    ],
)
def test_answers(query: str, expected: list[str]) -> None:
    assert sorted(ask(query, SCORES)) == sorted(expected)


def test_a_graph_that_is_not_there() -> None:
    with inferred(EMPTY, SCORES, SCORES) as inference:
        require_graphs(inference, ["g0", "silent"], ["silent"])
        with pytest.raises(DataError, match=r"^there is no graph g12: did you mean g1\?$"):
            require_graphs(inference, ["g0", "g12"], ["silent"])


def test_graphs_can_be_chosen() -> None:
    with inferred(EMPTY, SCORES, SCORES) as inference:
        answers = answer(inference, parse_query("((S points ?n))"), graphs=["g1", "unheard"])
    assert [each.graph for each in answers] == ["g1"]


def test_probabilities_multiply() -> None:
    uncertain = [replace(each, probability=0.5) for each in asserted("((a p b) (b p c))")]
    rules = parse_rules("(:rule r :probability 0.8 :if (?a p ?b) :then (?a q ?b))")
    with infer(uncertain, rules) as inference:
        (inferred_answer,) = answer(inference, read_graph("((?a q ?b) (?b p ?c))"))
        assert inferred_answer.probability == pytest.approx(0.5 * 0.8 * 0.5)
        assert inferred_answer.inferred
        (stated,) = answer(inference, read_graph("((a p ?b))"))
    assert (stated.probability, stated.inferred) == (0.5, False)


NUMBERS = "(" + " ".join(f"(n{number} p {number})" for number in range(150)) + ")"
NEVER = "(?sum mrq:sum ?b0 ?b1) (?sum mrq:lessThan 0)"


def wide(patterns: int) -> str:
    return " ".join(f"(?a{number} p ?b{number})" for number in range(patterns))


def test_there_are_only_so_many_answers() -> None:
    with inferred(EMPTY, NUMBERS) as inference:
        with pytest.raises(DataError, match="more than 1,000 answers"):
            answer(inference, parse_query(f"({wide(2)})"), most=1000)
        with pytest.raises(DataError, match="more than 1,000 answers"):
            answer(inference, parse_query(f"({wide(6)})"), most=1000)


@pytest.mark.parametrize(("patterns", "large"), [(6, 1), (4, 10**30)], ids=["apart", "here"])
def test_a_cross_product_is_stopped(
    patterns: int, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not expected to be large runs here, where a block of rows is always finished."""
    monkeypatch.setattr("readmark.tasks.reasoning.engine.limits.LARGE", large)
    added = " ".join(f"?b{number}" for number in range(1, patterns))
    query = parse_query(f"({wide(patterns)} {NEVER.replace('?b1', added)})")
    with inferred(EMPTY, NUMBERS) as inference:
        with pytest.raises(DataError, match=r"^the query took more than 0\.5 s and was stopped$"):
            answer(inference, query, seconds=0.5)
        assert len(answer(inference, parse_query("((?a p ?b))"))) == 150


def test_a_query_apart_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    query = parse_query(
        "((?a p ?x) (?b p ?y) (?z mrq:sum ?x ?y) (?z mrq:lessThan 1.5) (?c q ?t) "
        '(?t mrq:startsWith "it\'s"))'
    )
    graph = NUMBERS[:-1] + ' (c q "it\'s p0") (c q "else"))'
    with inferred(EMPTY, graph) as inference:
        answers = answer(inference, query)
        monkeypatch.setattr("readmark.tasks.reasoning.engine.limits.LARGE", 0)
        assert answer(inference, query) == answers
    assert len(answers) == 3


def test_an_unusable_query() -> None:
    with (
        inferred(EMPTY, SCORES) as inference,
        pytest.raises(DataError, match="a literal is no subject"),
    ):
        answer(inference, read_graph("((5 p ?x))"))
