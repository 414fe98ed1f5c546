"""SPARQL over what is inferred: three forms, read-only, limited."""

from __future__ import annotations

import pytest

from readmark.core.errors import DataError
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.sparql import sparql
from readmark.tasks.reasoning.terms import written
from reasoning_files import OVERTIME, inferred

GAMES = (
    "((Game-1 type NFLGame) (Game-1 hasOvertimePlay true))",
    "((Game-2 type NFLGame) (Game-2 numberOfPeriods 4))",
)


def test_three_forms() -> None:
    with inferred(OVERTIME, *GAMES) as inference:
        rows = sparql(
            inference,
            "SELECT ?d ?g ?n WHERE { GRAPH ?d { ?g :numberOfPeriods ?n } } ORDER BY ?n",
        )
        assert rows.variables == ("d", "g", "n")
        values = [[written(row[name]) for name in ("g", "n")] for row in rows.rows]
        assert values == [["Game-2", "4"], ["Game-1", "5"]]
        assert sparql(inference, "ASK { ?g :numberOfPeriods 5 }").truth is True
        assert sparql(inference, "ASK { ?g :numberOfPeriods 6 }").truth is False
        result = sparql(
            inference, "CONSTRUCT { ?g :long true } WHERE { ?g :numberOfPeriods ?n FILTER(?n > 4) }"
        )
    assert [write_triple(statement) for statement in result.statements] == ["(Game-1 long true)"]


def test_a_description() -> None:
    with inferred(OVERTIME, *GAMES) as inference:
        result = sparql(inference, "DESCRIBE :Game-2")
    assert [write_triple(statement) for statement in result.statements] == [
        "(Game-2 numberOfPeriods 4)",
        "(Game-2 type NFLGame)",
    ]


@pytest.mark.parametrize(
    "query",
    [
        "LOAD <http://127.0.0.1:9/>",
        "INSERT DATA { :a :b 1 }",
        "PREFIX x: <urn:x>\nDELETE WHERE { ?a ?b ?c }; DROP ALL",
        "# nothing",
    ],
)
def test_what_only_changes_data_is_refused(query: str) -> None:
    with (
        inferred(OVERTIME, *GAMES) as inference,
        pytest.raises(DataError, match=r"^query: data are only read: expected a SELECT, ASK"),
    ):
        sparql(inference, query)


@pytest.mark.parametrize("query", ["?x ?y ?z", "SELECT * {}; DROP ALL"])
def test_what_is_no_query_at_all(query: str) -> None:
    with (
        inferred(OVERTIME, *GAMES) as inference,
        pytest.raises(DataError, match=r"^query:1:\d+: the query cannot be run: expected"),
    ):
        sparql(inference, query)


def test_limits_and_faults() -> None:
    with inferred(OVERTIME, *GAMES) as inference:
        with pytest.raises(DataError, match=r"^query:2:13: the query cannot be run: expected"):
            sparql(inference, "SELECT *\nWHERE { ?a }")
        with pytest.raises(DataError, match="more than 2 results"):
            sparql(inference, "SELECT * { ?s ?p ?o }", most=2)
        wide = " . ".join(f"?a{at} ?b{at} ?c{at}" for at in range(16))
        with pytest.raises(DataError, match="took more than 2 s and was stopped"):
            sparql(inference, f"SELECT (COUNT(*) AS ?n) {{ {wide} }}", seconds=2)


TRANSITIVE = "(:theory T) (:rule tr :if (?x p ?y) (?y p ?z) :then (?x p ?z))"
SHARED = ("((a p b1) (b1 p c))", "((a p b2) (b2 p c))")
"""Both graphs derive (a p c): five statements in all, three in each."""
COUNT = "SELECT (COUNT(*) AS ?n) {} {{ ?s ?p ?o }}"


@pytest.mark.parametrize(
    ("clause", "graphs", "expected"),
    [
        ("", None, "5"),
        ("", ["g1"], "3"),
        ("", ["g0", "g1"], "5"),
        ("FROM <urn:readmark:document:g0>", None, "3"),
        ("FROM NAMED <urn:readmark:document:g0>", None, "0"),
    ],
)
def test_the_default_graph_has_each_statement_once(
    clause: str, graphs: list[str] | None, expected: str
) -> None:
    with inferred(TRANSITIVE, *SHARED) as inference:
        result = sparql(inference, COUNT.format(clause), graphs=graphs)
    assert written(result.rows[0]["n"]) == expected


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("FROM <file:///etc/passwd>", "which is no graph here"),
        ("from named <urn:x:y>", "which is no graph here"),
        ("FROM <urn:readmark:document:g0> FROM <urn:readmark:document:g1>", "only one FROM"),
    ],
)
def test_from_names_a_graph_that_is_there(clause: str, message: str) -> None:
    with inferred(TRANSITIVE, *SHARED) as inference, pytest.raises(DataError, match=message):
        sparql(inference, COUNT.format(clause))
