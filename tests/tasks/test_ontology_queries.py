"""Queries made from an ontology."""

from __future__ import annotations

from collections import Counter

from readmark.tasks.ontology_queries import (
    attested_queries,
    class_queries,
    joint_queries,
    property_queries,
)
from readmark.tasks.question_wording import in_language
from readmark.tasks.reasoning.graphs import Statement, read_graph, read_statements
from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.terms import Literal, Name


def ontology() -> Ontology:
    """Towns, rivers, and a crossing of the two that no words name."""
    classes = [
        OwlClass(Name("Town"), label="town"),
        OwlClass(Name("TownCrossing"), annotations={"mentioned": "false"}),
        OwlClass(Name("BigRiver")),
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
    made = {one.property: one for one in property_queries(ontology())}
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
    assert [one.id for one in property_queries(ontology(), "inferred")] == ["has"]


def test_values_that_statements_attest() -> None:
    statements = read_statements(
        "((A foundedIn 1200) (B foundedIn 1200) (B foundedIn 900) (A isPort true) (A has C) "
        "(C riverCrossed Rhine) (A unknown 3))"
    )
    assert [(one.id, one.graph, one.text) for one in attested_queries(ontology(), statements)] == [
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
        made = attested_queries(ontology(), statements, most=4, seed=seed)
        again = attested_queries(ontology(), list(reversed(statements)), most=4, seed=seed)
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
    towns = Ontology({Name("Town"): OwlClass(Name("Town"))}, {of.name: of})
    statements = read_statements("((A bridges 1) (B bridges 2) (C bridges 11))")
    assert [one.text for one in attested_queries(towns, statements)] == [
        "Which towns has 1 bridge?",
        "Which towns have 11 bridges?",
        "Which towns have 2 bridges?",
    ]


STORMS = """\
@prefix : <http://example.org/storms#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rm: <urn:readmark:terms#> .
<http://example.org/storms> a owl:Ontology .
:Storm a owl:Class ; rdfs:label "storm" , "风暴"@zh .
:Place a owl:Class ; rdfs:label "place" , "地点"@zh .
:City a owl:Class ; rdfs:label "city" ; rdfs:subClassOf :Place .
:windSpeed a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:label "wind speed" , "风速"@zh ;
    rdfs:domain :Storm ; rdfs:range xsd:integer .
:category a owl:DatatypeProperty , owl:FunctionalProperty ; rdfs:domain :Storm ;
    rdfs:range xsd:integer ;
    rm:question "Which category was each storm mentioned?" , "每场风暴是几级？"@zh .
:struck a owl:ObjectProperty ; rdfs:domain :Storm ; rdfs:range :Place .
:threatened a owl:ObjectProperty ; rdfs:domain :Storm ; rdfs:range :Place .
:namedAfter a owl:ObjectProperty ; rdfs:domain :Storm ; rdfs:range :Place .
:hasLandfall a owl:DatatypeProperty ; rdfs:domain :Storm ; rdfs:range xsd:boolean .
:isHurricane a owl:DatatypeProperty ; rdfs:domain :Storm ; rdfs:range xsd:boolean .
:partOf a owl:ObjectProperty ; rdfs:domain :Place ; rdfs:range :Place .
:hasCapital a owl:ObjectProperty ; rdfs:domain :Place ; rdfs:range :City .
"""


def test_questions_from_labels_are_grammatical() -> None:
    """Read aloud, each of them."""
    storms = read_ontology(STORMS.encode(), file="storms.ttl")
    assert [query.text for query in property_queries(storms)] == [
        "What is the wind speed of each storm mentioned?",
        "Which category was each storm mentioned?",
        "Which place was struck by each storm mentioned?",
        "Which place was threatened by each storm mentioned?",
        "Which place is each storm mentioned named after?",
        "Does each storm mentioned have landfall?",
        "Is each storm mentioned a hurricane?",
        "Which place is each place mentioned part of?",
        "Which city does each place mentioned have as capital?",
    ]
    assert [(query.graph, query.text) for query in class_queries(storms)] == [
        ("((?storm type Storm))", "Which storms are mentioned?"),
        ("((?place type Place))", "Which places are mentioned?"),
        ("((?city type City))", "Which cities are mentioned?"),
    ]
    joint = {query.id: (query.graph, query.text) for query in joint_queries(storms)}
    assert list(joint) == [
        "windSpeed+category",
        "struck/partOf",
        "struck/hasCapital",
        "threatened/partOf",
        "threatened/hasCapital",
        "namedAfter/partOf",
        "namedAfter/hasCapital",
    ]
    assert joint["windSpeed+category"] == (
        "((?storm type Storm) (?storm windSpeed ?value) (?storm category ?value2))",
        "What is the wind speed of each storm mentioned? Which category was each storm mentioned?",
    )
    assert joint["struck/partOf"] == (
        "((?storm type Storm) (?storm struck ?place) (?place partOf ?place2))",
        "Which place was struck by each storm mentioned? Which place is that place part of?",
    )
    attested = attested_queries(
        storms, read_statements("((D windSpeed 190) (D struck A) (A partOf B))")
    )
    assert [query.text for query in attested] == [
        "Of which storm mentioned is 190 the wind speed?",
        "Which storm mentioned struck A?",
        "Which place mentioned is part of B?",
    ]


def test_questions_in_chinese() -> None:
    storms = in_language(read_ontology(STORMS.encode(), file="storms.ttl"), "zh")
    texts = {query.id: query.text for query in (*property_queries(storms), *class_queries(storms))}
    assert texts["windSpeed"] == "文中提到的每个风暴的风速是什么？"
    assert texts["category"] == "每场风暴是几级？"
    assert texts["Place"] == "文中提到了哪些地点？"
