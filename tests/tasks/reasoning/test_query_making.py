"""Queries made from an ontology."""

from __future__ import annotations

from collections import Counter

from readmark.tasks.query_making import make_attested, make_queries
from readmark.tasks.reasoning.graphs import Statement, read_graph, read_statements
from readmark.tasks.reasoning.ontology import Class_, Ontology, Property
from readmark.tasks.reasoning.terms import Literal, Name


def ontology() -> Ontology:
    """Towns, rivers, and a crossing of the two that no words name."""
    classes = [
        Class_(Name("Town"), label="town"),
        Class_(Name("TownCrossing"), annotations={"mentioned": "false"}),
        Class_(Name("BigRiver")),
    ]
    properties = [
        Property(Name("foundedIn"), Name("Town"), Name("xsd:integer"), label="year of founding"),
        Property(
            Name("isPort"),
            Name("Town"),
            Name("xsd:boolean"),
            annotations={"question": "Is it a port?", "questionOf": "Is {} what it is?"},
        ),
        Property(Name("nextTo"), Name("Town"), Name("Town"), label="neighbour"),
        Property(Name("has"), Name("Town"), Name("TownCrossing"), role="inferred"),
        Property(Name("riverCrossed"), Name("TownCrossing"), Name("BigRiver"), 1, 1),
        Property(Name("bridges"), Name("TownCrossing"), Name("xsd:integer"), 0, 1),
        Property(Name("mrq:lessThan"), role="builtin"),
        Property(Name("anything")),
    ]
    return Ontology({one.name: one for one in classes}, {one.name: one for one in properties})


def test_a_query_a_property() -> None:
    made = {one.property: one for one in make_queries(ontology())}
    assert list(made) == [
        "foundedIn", "isPort", "nextTo", "riverCrossed", "bridges", "anything",
    ]  # fmt: skip
    assert len({(one.graph, one.variables) for one in made.values()}) == len(made)
    assert {name: one.also for name, one in made.items() if one.also} == {"riverCrossed": ("has",)}
    assert {name: one.graph for name, one in made.items()} == {
        "foundedIn": "((?town type Town) (?town foundedIn ?value))",
        "isPort": "((?town type Town) (?town isPort ?value))",
        "nextTo": "((?town type Town) (?town nextTo ?town2))",
        "riverCrossed": "((?town type Town) (?town has ?crossing) (?crossing riverCrossed ?river))",
        "bridges": "((?town type Town) (?town has ?crossing) (?crossing riverCrossed ?river) "
        "(?crossing bridges ?value))",
        "anything": "((?thing anything ?value))",
    }
    assert {name: one.text for name, one in made.items()} == {
        "foundedIn": "What is the year of founding of each town mentioned?",
        "isPort": "Is it a port?",
        "nextTo": "Which town is the neighbour of each town mentioned?",
        "riverCrossed": "Which big river is the river crossed of each town crossing mentioned?",
        "bridges": "What is the bridges of each town crossing mentioned?",
        "anything": "What is the anything of each thing mentioned?",
    }
    assert made["bridges"].variables == ("town", "river", "value")
    assert made["riverCrossed"].variables == ("town", "river")
    for one in made.values():
        assert read_graph(one.graph)


def test_only_the_roles_asked_for() -> None:
    assert [one.id for one in make_queries(ontology(), "inferred")] == ["has"]


def test_values_that_statements_attest() -> None:
    statements = read_statements(
        "((A foundedIn 1200) (B foundedIn 1200) (B foundedIn 900) (A isPort true) (A has C) "
        "(C riverCrossed Rhine) (A unknown 3))"
    )
    assert [(one.id, one.graph, one.text) for one in make_attested(ontology(), statements)] == [
        (
            "foundedIn=1200",
            "((?town type Town) (?town foundedIn 1200))",
            "Of which town mentioned is 1200 the year of founding?",
        ),
        (
            "foundedIn=900",
            "((?town type Town) (?town foundedIn 900))",
            "Of which town mentioned is 900 the year of founding?",
        ),
        ("isPort=true", "((?town type Town) (?town isPort true))", "Is true what it is?"),
        (
            "riverCrossed=Rhine",
            "((?town type Town) (?town has ?crossing) (?crossing riverCrossed Rhine))",
            "Of which town crossing mentioned is Rhine the river crossed?",
        ),
    ]


def test_many_values_are_drawn_by_how_often_they_are_attested() -> None:
    def stated(year: int, times: int) -> list[Statement]:
        return [Statement(Name(f"T{at}"), Name("foundedIn"), Literal(year)) for at in range(times)]

    statements = [one for year in range(20) for one in stated(year, 19 if year == 7 else 1)]
    drawn: Counter[str] = Counter()
    for seed in range(200):
        made = make_attested(ontology(), statements, most=4, seed=seed)
        again = make_attested(ontology(), list(reversed(statements)), most=4, seed=seed)
        assert made == again
        assert len({one.id for one in made}) == 4
        drawn.update(one.id for one in made)
    # half of all statements attest one value: it is drawn first half of the time
    assert drawn["foundedIn=7"] > 170
    assert len(drawn) == 20
    assert max(count for id, count in drawn.items() if id != "foundedIn=7") < 70


def test_one_and_many() -> None:
    asked = {"questionOf": "Which towns {has|have} {} {bridge|bridges}?"}
    of = Property(Name("bridges"), Name("Town"), Name("xsd:integer"), annotations=asked)
    towns = Ontology({Name("Town"): Class_(Name("Town"))}, {of.name: of})
    statements = read_statements("((A bridges 1) (B bridges 2) (C bridges 11))")
    assert [one.text for one in make_attested(towns, statements)] == [
        "Which towns has 1 bridge?",
        "Which towns have 11 bridges?",
        "Which towns have 2 bridges?",
    ]
