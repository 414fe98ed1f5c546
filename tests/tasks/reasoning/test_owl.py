"""Ontologies from OWL and back, and what is inconsistent in one."""

from dataclasses import replace

import pytest

from owl_writer import write_ontology
from readmark.core.errors import DataError
from readmark.core.problems import Problem
from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.terms import Name

HEAD = """\
@prefix : <http://example.org/nfl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rm: <urn:readmark:terms#> .
"""
NFL = (
    HEAD
    + """\
<http://example.org/nfl> a owl:Ontology ; rdfs:label "NFL Scoring" .
:Count a rdfs:Datatype ; owl:equivalentClass xsd:nonNegativeInteger .
:Event a owl:Class .
:NFLGame a owl:Class ; rdfs:label "game" ; rdfs:comment "One match." ;
    rdfs:subClassOf :Event ,
        [ a owl:Restriction ; owl:onProperty :numberOfPeriods ; owl:maxCardinality 1 ] ,
        [ a owl:Restriction ; owl:onProperty :teamInGame ; owl:cardinality 2 ] ,
        [ a owl:Restriction ; owl:onProperty :gameWinner ; owl:someValuesFrom :NFLTeam ] .
:NFLTeam a owl:Class ; owl:disjointWith :Event .
:numberOfPeriods a owl:DatatypeProperty ; rdfs:domain :NFLGame ; rdfs:range :Count ;
    rm:question "How many periods were played?" .
:teamInGame a owl:ObjectProperty ; rdfs:range :NFLTeam ; rm:role rm:inferred .
:gameWinner a owl:ObjectProperty , owl:FunctionalProperty ;
    rdfs:domain :NFLGame ; rdfs:range :NFLTeam ; rm:role "target" .
:later a owl:DatatypeProperty ; rm:role rm:builtin .
"""
)


def names(*texts: str) -> tuple[Name, ...]:
    return tuple(map(Name, texts))


def plain(ontology: Ontology) -> object:
    """Everything but lines and prefixes."""
    return (
        {name: replace(class_, line=0) for name, class_ in ontology.classes.items()},
        {name: replace(prop, line=0) for name, prop in ontology.properties.items()},
        (ontology.iri, ontology.label),
    )


def problems(text: str) -> list[Problem]:
    reported: list[Problem] = []
    read_ontology(text.encode(), file="o.ttl", report=reported.append)
    return reported


def test_axioms_become_classes_and_properties() -> None:
    ontology = read_ontology(NFL.encode(), file="o.ttl")
    assert (ontology.iri, ontology.label) == ("http://example.org/nfl", "NFL Scoring")
    game = OwlClass(Name("NFLGame"), names("Event"), label="game", comment="One match.", line=9)
    assert list(ontology.classes.values()) == [
        OwlClass(Name("Event"), line=8),
        game,
        OwlClass(Name("NFLTeam"), disjoint=names("Event"), line=14),
    ]
    count, team, game_ = Name("xsd:nonNegativeInteger"), Name("NFLTeam"), Name("NFLGame")
    assert list(ontology.properties.values()) == [
        Property(
            Name("numberOfPeriods"),
            game_,
            count,
            most=1,
            annotations={"question": "How many periods were played?"},
            line=15,
        ),
        Property(Name("teamInGame"), game_, team, 2, 2, "inferred", line=17),
        Property(Name("gameWinner"), game_, team, 1, None, "target", True, line=18),
        Property(Name("later"), role="builtin", line=20),
    ]


@pytest.mark.parametrize("format", ["TURTLE", "RDF_XML", "N_TRIPLES"])
def test_an_ontology_is_written_and_read_back(format: str) -> None:
    ontology = read_ontology(NFL.encode(), file="o.ttl")
    written = write_ontology(ontology, format=format)
    assert plain(read_ontology(written, file="o", format=format)) == plain(ontology)


def test_the_tree_of_classes() -> None:
    ontology = read_ontology(NFL.encode(), file="o.ttl")
    game, event, team = names("NFLGame", "Event", "NFLTeam")
    assert ontology.ancestors(game) == {game, event}
    assert ontology.is_a(game, event)
    assert not ontology.is_a(event, game)
    assert ontology.is_a(team, Name("owl:Thing"))
    assert ontology.disjoint(game, team)  # by its superclass
    assert ontology.disjoint(team, game)
    assert not ontology.disjoint(game, event)
    assert [prop.name.text for prop in ontology.with_role("inferred", "builtin")] == [
        "teamInGame",
        "later",
    ]


def test_all_disjoint_classes() -> None:
    text = (
        HEAD
        + ":A a owl:Class . :B a owl:Class . :C a owl:Class .\n"
        + ("[] a owl:AllDisjointClasses ; owl:members ( :A :B :C ) .\n")
    )
    ontology = read_ontology(text.encode(), file="o.ttl")
    a, b, c = names("A", "B", "C")
    assert ontology.disjoint(a, b)
    assert ontology.disjoint(c, a)
    assert ontology.disjoint(b, c)


def test_without_an_empty_prefix_bare_names_lie_in_the_ontology() -> None:
    text = (
        b"<http://example.org/o> a <http://www.w3.org/2002/07/owl#Ontology> .\n"
        b"<http://example.org/o#A> a <http://www.w3.org/2002/07/owl#Class> .\n"
    )
    assert list(read_ontology(text, file="o.ttl").classes) == [Name("A")]


def test_an_ontology_as_editors_write_it() -> None:
    """RDF/XML whose default namespace is OWL's own, with entities and other prefixes."""
    xml = b"""<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY xsd "http://www.w3.org/2001/XMLSchema#" > ]>
<rdf:RDF xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://example.org/o"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:o="http://www.w3.org/2002/07/owl#"
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <Ontology rdf:about="http://example.org/o"/>
  <o:Class rdf:about="#Game">
    <rdfs:subClassOf><Restriction><onProperty rdf:resource="#periods"/>
      <maxCardinality rdf:datatype="&xsd;nonNegativeInteger">1</maxCardinality>
    </Restriction></rdfs:subClassOf>
  </o:Class>
  <DatatypeProperty rdf:about="#periods">
    <rdfs:domain rdf:resource="#Game"/><rdfs:range rdf:resource="&xsd;integer"/>
  </DatatypeProperty>
</rdf:RDF>"""
    ontology = read_ontology(xml, file="o.owl")
    assert list(ontology.classes) == [Name("Game")]
    assert ontology.properties[Name("periods")] == Property(
        Name("periods"), Name("Game"), Name("xsd:integer"), most=1, line=12
    )


RESTRICTED = ":A a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; "


@pytest.mark.parametrize(
    ("text", "where", "code", "words"),
    [
        (":A a owl:Class ;\n rdfs:subClassOf :B .", 7, "unknown_class", "names B"),
        (":A a owl:Class ;\n owl:disjointWith :B .", 7, "unknown_class", "names B"),
        (":p a owl:ObjectProperty ;\n rdfs:domain :B .", 7, "unknown_class", "rdfs:domain of p"),
        (":p a owl:ObjectProperty ;\n rdfs:range :B .", 7, "unknown_class", "rdfs:range of p"),
        (":p a rdfs:Datatype .", 6, "datatype", "owl:equivalentClass to none"),
        (":p a owl:ObjectProperty ; rm:role rm:no .", 6, "role", "expected rm:target"),
        (
            ":A a owl:Class ; rdfs:subClassOf :B .\n:B a owl:Class ; rdfs:subClassOf :A .",
            6,
            "cycle",
            "A lies above itself, by B",
        ),
        (
            ":A a owl:Class .\n:B a owl:Class ; rdfs:subClassOf :A ; owl:disjointWith :A .",
            7,
            "empty_class",
            "nothing can be a B",
        ),
        (
            RESTRICTED + "owl:onProperty :p ; owl:minCardinality 1 ] .",
            6,
            "unknown_property",
            "A restricts p",
        ),
        (
            RESTRICTED + "owl:onProperty :p ; owl:minCardinality -1 ] .\n:p a owl:ObjectProperty .",
            6,
            "cardinality",
            "no count",
        ),
        (
            RESTRICTED + "owl:onProperty :p ; owl:minCardinality 2 ; owl:maxCardinality 1 ] .\n"
            ":p a owl:ObjectProperty .",
            7,
            "cardinality",
            "at least 2 values and at most 1",
        ),
        (
            RESTRICTED + "owl:onProperty :p ; owl:maxCardinality 1 ] .\n"
            ":B a owl:Class . :p a owl:ObjectProperty ; rdfs:domain :B .",
            6,
            "unsupported",
            "expected its domain B",
        ),
        (
            ":A a owl:Class . :p a owl:ObjectProperty ;\n rdfs:domain [ owl:unionOf ( :A :A ) ] .",
            7,
            "unsupported",
            "rdfs:domain of p is not one named class",
        ),
    ],
)
def test_what_is_inconsistent_is_named_with_its_line(
    text: str, where: int, code: str, words: str
) -> None:
    reported = problems(HEAD + text)
    assert any(
        (problem.where, problem.code) == (where, code) and words in problem.message
        for problem in reported
    ), reported
    with pytest.raises(DataError, match=code):
        read_ontology((HEAD + text).encode(), file="o.ttl")


def test_axioms_without_effect_are_remarked_and_do_not_fail() -> None:
    text = HEAD + (
        ":A a owl:Class ; owl:equivalentClass :B .\n"
        ":p a owl:ObjectProperty , owl:TransitiveProperty ; owl:inverseOf :q .\n"
    )
    assert {(problem.where, problem.code, problem.severity) for problem in problems(text)} == {
        (6, "no_effect", "warning"),
        (7, "no_effect", "warning"),
    }
    assert list(read_ontology(text.encode(), file="o.ttl").properties) == [Name("p")]
