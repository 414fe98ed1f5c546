"""Ontology constraints as contradiction rules; cardinalities are pySHACL's."""

from __future__ import annotations

import random

import pytest

from readmark.tasks.reasoning.contradictions import contradictions
from readmark.tasks.reasoning.derivation_text import conflict_text, contradiction_text
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, Statement, write_graph, write_triple
from readmark.tasks.reasoning.ontology import Ontology, OwlClass, Property
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Literal, Name
from reasoning_files import inferred

GAME, EVENT, TEAM = Name("Game"), Name("Event"), Name("Team")
P = Name("p")


def ontology(*properties: Property) -> Ontology:
    classes = [OwlClass(EVENT), OwlClass(GAME, (EVENT,)), OwlClass(TEAM, (), (EVENT,))]
    return Ontology(
        {class_.name: class_ for class_ in classes}, {prop.name: prop for prop in properties}
    )


def broken(graph: str, *properties: Property, complete: bool = True) -> list[tuple[str, str]]:
    known = ontology(*properties)
    with inferred(Theory("T"), graph, ontology=known, complete=complete) as inference:
        return sorted(
            (each.rule.name.removeprefix("ontology: "), write_graph(each.inputs))
            for each in contradictions(inference)
        )


def xsd(name: str, type: str) -> Property:
    return Property(Name(name), range=Name(f"xsd:{type}"))


@pytest.mark.parametrize(
    ("graph", "property", "expected"),
    [
        (
            "((G p 1) (G p 2))",
            Property(Name("p"), most=1),
            [("p has at most 1", "((G p 1) (G p 2))")],
        ),
        (
            "((G p 1) (G p 2))",
            Property(Name("p"), functional=True),
            [("p has at most 1", "((G p 1) (G p 2))")],
        ),
        ("((G p 1) (H p 2))", Property(Name("p"), most=1), []),
        (
            "((G p 1) (G p 2) (G p 3))",
            Property(Name("p"), most=2),
            [("p has at most 2", "((G p 1) (G p 2) (G p 3))")],
        ),
        ("((G p 1))", Property(Name("p"), most=0), [("p has at most 0", "((G p 1))")]),
        (
            "((G type Game))",
            Property(Name("p"), GAME, least=1),
            [("p has at least 1", "((G type Game))")],
        ),
        (
            "((G type Game) (G p 1))",
            Property(Name("p"), GAME, least=2),
            [("p has at least 2", "((G type Game))")],
        ),
        ("((G type Game) (G p 1) (G p 2))", Property(Name("p"), GAME, least=2), []),
        ("((G p 1))", Property(Name("p"), GAME), []),
        (
            "((T type Team) (T p 1))",
            Property(Name("p"), GAME),
            [("the domain of p is Game", "((T p 1) (T type Team))")],
        ),
        ("((G type Game) (G p 1))", Property(Name("p"), EVENT), []),
        ("((G p T) (T type Team))", Property(Name("p"), range=TEAM), []),
        (
            "((G p E) (E type Event))",
            Property(Name("p"), range=TEAM),
            [("the range of p is Team", "((G p E) (E type Event))")],
        ),
        ("((G p T))", Property(Name("p"), range=TEAM), []),
        (
            "((G p 5))",
            Property(Name("p"), range=TEAM),
            [("the range of p is Team, not a literal", "((G p 5))")],
        ),
        (
            "((G type Game) (G type Team))",
            Property(Name("p")),
            [("Team and Event are disjoint", "((G type Team) (G type Game))")],
        ),
        ("((G p -1))", xsd("p", "nonNegativeInteger"), [("p is at least 0", "((G p -1))")]),
        ("((G p 0))", xsd("p", "nonNegativeInteger"), []),
        ("((G p 300))", xsd("p", "unsignedByte"), [("p is at most 255", "((G p 300))")]),
        ("((G p 1.5))", xsd("p", "integer"), [("the range of p is xsd:integer", "((G p 1.5))")]),
        ("((G p 1.5) (H p 1))", xsd("p", "double"), []),
        ("((G p 1))", xsd("p", "boolean"), [("the range of p is xsd:boolean", "((G p 1))")]),
        ('((G p "x"))', xsd("p", "date"), [("the range of p is xsd:date", '((G p "x"))')]),
        ("((G p x))", xsd("p", "string"), [("the range of p is xsd:string", "((G p x))")]),
        (
            "((G p x))",
            Property(Name("p"), range=Name("rdfs:Literal")),
            [("the range of p is rdfs:Literal", "((G p x))")],
        ),
        ("((G p 5) (G p 6))", Property(Name("p"), most=1, role="builtin"), []),
    ],
)
def test_what_is_forbidden(graph: str, property: Property, expected: list[tuple[str, str]]) -> None:
    assert broken(graph, property) == expected


def test_superclasses_are_derived() -> None:
    with inferred(Theory("T"), "((G type Game))", ontology=ontology()) as inference:
        assert [write_triple(each.statement) for each in inference.derived()] == ["(G type Event)"]


def test_too_many_values_are_one_contradiction_a_subject() -> None:
    many = " ".join(f"(G p {number})" for number in range(3000, 0, -1))
    contradictory = broken(
        f"({many} (H p 1) (H p 2) (H p 3) (I p 1) (I p 2))", Property(Name("p"), most=2)
    )
    rule = "p has at most 2"
    assert contradictory == [
        (rule, "((G p 1) (G p 2) (G p 3))"),
        (rule, "((H p 1) (H p 2) (H p 3))"),
    ]


def test_what_is_not_told_contradicts_nothing_unless_all_is_told() -> None:
    exactly = Property(P, GAME, least=1, most=1)
    assert broken("((G type Game))", exactly, complete=False) == []
    assert broken("((G type Game))", exactly) == [("p has at least 1", "((G type Game))")]
    two = "((G type Game) (G p 1) (G p 2))"
    assert broken(two, exactly, complete=False) == [("p has at most 1", "((G p 1) (G p 2))")]


def test_derived_values_count_too() -> None:
    rules = parse_rules("(:theory T) (:rule r :if (?g q ?n) :then (?g p ?n))")
    with inferred(rules, "((G p 1) (G q 2))", ontology=ontology(Property(P, most=1))) as inference:
        [contradiction] = contradictions(inference)
    assert write_graph(contradiction.inputs) == "((G p 1) (G q 2))"


@pytest.mark.parametrize(
    ("graph", "property", "lines"),
    [
        (
            "((T type Team) (T p 1))",
            Property(Name("p"), GAME),
            [
                "g0: contradicts T by ontology: the domain of p is Game: "
                "What has p is of the class Game, if of any.",
                "  (T p 1)  asserted",
                "  (T type Team)  asserted",
                "  no (T type Game)",
            ],
        ),
        (
            "((G p E) (E type Event))",
            Property(Name("p"), range=TEAM),
            [
                "g0: contradicts T by ontology: the range of p is Team: "
                "A value of p is of the class Team, if of any.",
                "  (G p E)  asserted",
                "  (E type Event)  asserted",
                "  no (E type Team)",
            ],
        ),
        (
            "((G type Game) (G p 1))",
            Property(Name("p"), GAME, least=2),
            [
                "g0: contradicts T by ontology: p has at least 2: "
                "What is of the class Game has at least 2 values of p.",
                "  (G type Game)  asserted",
                "  no 2 different (G p ?v1) (G p ?v2)",
            ],
        ),
        (
            "((G p 1) (G p 2) (G p 3))",
            Property(Name("p"), most=1),
            [
                "g0: contradicts T by ontology: p has at most 1: "
                "Nothing has more than 1 value of p.",
                "  (G p 1)  asserted",
                "  (G p 2)  asserted",
            ],
        ),
    ],
)
def test_contradictions_in_words(graph: str, property: Property, lines: list[str]) -> None:
    known = ontology(property)
    with inferred(Theory("T"), graph, ontology=known, complete=True) as inference:
        [contradiction] = contradictions(inference)
    assert conflict_text(contradiction).splitlines() == lines
    text = contradiction_text(contradiction)
    assert text.startswith(conflict_text(contradiction) + "\n  repair one of:\n    (")


def test_several_classes_are_one_contradiction() -> None:
    contradictory = broken("((G type Game) (G type Event) (G p 1))", Property(Name("p"), TEAM))
    assert len(contradictory) == 1


@pytest.mark.parametrize("seed", range(5))
def test_cardinalities_are_those_of_pyshacl(seed: int) -> None:
    pyshacl = pytest.importorskip("pyshacl", reason="pySHACL is not installed")
    rdflib = pytest.importorskip("rdflib", reason="rdflib is not installed")
    draw = random.Random(seed)
    space = rdflib.Namespace("urn:test:")
    data, statements = rdflib.Graph(), []
    properties = [
        Property(Name(f"p{at}"), GAME, least=draw.randint(0, 2), most=draw.choice([None, 1, 2, 3]))
        for at in range(4)
    ]
    for number in range(25):
        subject = Name(f"G{number}")
        statements.append(Statement(subject, Name("type"), GAME))
        data.add((space[subject.text], rdflib.RDF.type, space.Game))
        for prop in properties:
            for value in draw.sample(range(6), draw.randint(0, 4)):
                statements.append(Statement(subject, prop.name, Literal(value)))
                data.add((space[subject.text], space[prop.name.text], rdflib.Literal(value)))
    shapes = rdflib.Graph().parse(data=_shapes(properties), format="turtle")
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes)
    sh = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    kinds = {sh.MinCountConstraintComponent: "least", sh.MaxCountConstraintComponent: "most"}
    theirs = {
        (
            str(report.value(result, sh.focusNode)).removeprefix("urn:test:"),
            str(report.value(result, sh.resultPath)).removeprefix("urn:test:"),
            kinds[report.value(result, sh.sourceConstraintComponent)],
        )
        for result in report.subjects(rdflib.RDF.type, sh.ValidationResult)
    }
    with infer(
        [Asserted("g", statement) for statement in statements],
        Theory("T"),
        ontology(*properties),
        complete=True,
    ) as inference:
        ours = set()
        for each in inference.contradictions():
            name, _, rest = each.rule.name.removeprefix("ontology: ").partition(" has at ")
            ours.add((written_name(each.bindings["s"]), name, rest.split()[0]))
    assert ours == theirs
    assert {kind for *_, kind in ours} == {"least", "most"}


def written_name(term: Name | Literal) -> str:
    assert isinstance(term, Name)
    return term.text


def _shapes(properties: list[Property]) -> str:
    lines = ["@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix : <urn:test:> ."]
    lines.append(":Shape a sh:NodeShape ; sh:targetClass :Game")
    for prop in properties:
        most = "" if prop.most is None else f"; sh:maxCount {prop.most}"
        lines.append(
            f"; sh:property [ sh:path :{prop.name.text} ; sh:minCount {prop.least} {most} ]"
        )
    return "\n".join([*lines, "."])


def test_what_the_ontology_says_is_said_once() -> None:
    known = ontology(xsd("p", "integer"))
    with inferred(Theory("T"), '((G p "x"))', ontology=known) as inference:
        [contradiction] = contradictions(inference)
    first = contradiction_text(contradiction).splitlines()[0]
    assert first == "g0: contradicts T by ontology: the range of p is xsd:integer"
