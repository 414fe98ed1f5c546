"""Gold from annotation and rules; pooled answers, judged and added."""

import json
from pathlib import Path

import msgspec
import pytest

from readmark.core.errors import DataError
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.spans import Excerpt
from readmark.formats.registry import open_test
from readmark.tasks.checks import check_task
from readmark.tasks.gold import GoldSettings, gold_of
from readmark.tasks.judged_gold import with_judgements
from readmark.tasks.manifest import AnswerRow, Judgement, identity
from readmark.tasks.package import Package
from readmark.tasks.packer import pack
from readmark.tasks.pooled_answers import PooledRow, pool
from readmark.tasks.reasoning.graphs import Asserted, read_statements
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.task_folder import gather
from readmark.tasks.verdicts import (
    JudgeVerdict,
    new_judgements,
    read_judgements,
    settled,
    shortest_reading,
    sort_of,
    takes_several_pieces,
)
from task_files import NAMES, ONTOLOGY, QUERIES, lines, statements, write_task

OTTERS = "annotations/train/otters.trig"


def told(rows: tuple[AnswerRow, ...]) -> list[tuple[str, str, dict[str, object], bool | None]]:
    return [(one.document, one.query, dict(one.values), one.inferred) for one in rows]


def test_annotated_answers_are_explicit_and_derived_ones_inferred(tmp_path: Path) -> None:
    gold = gold_of(gather(write_task(tmp_path)).package)
    assert told(gold.rows) == [
        ("otters", "periods", {"G": "Game-1", "N": 5}, True),
        ("otters", "winner", {"G": "Game-1", "T": "Otters"}, False),
    ]
    assert gold.contradicted == ()
    periods, winner = gold.rows
    assert periods.excerpts == (Excerpt("otters", 33, 44, "in overtime"),)
    assert winner.excerpts == (Excerpt("otters", 0, 26, "The Otters beat the Herons"),)
    assert winner.mentions == {"Otters": ("The Otters",)}


def test_only_the_variables_asked_for_make_an_answer(tmp_path: Path) -> None:
    query = {
        "id": "teams",
        "graph": "((?G winner ?T) (?T type ?C))",
        "fields": {"variables": ["T"]},
    }
    graph = "((Otters type Club))"
    ontology = ONTOLOGY + ":Club a owl:Class .\n"
    changed = {
        "queries.jsonl": lines([*QUERIES, query]),
        "annotations/otters.graph": graph,
        "ontology.ttl": ontology,
    }
    package = gather(write_task(tmp_path, changed)).package
    assert {problem.code for problem in check_task(package)} == {"stale_gold"}  # a new query
    rows = [row for row in gold_of(package).rows if row.query == "teams"]
    assert [(row.document, row.values) for row in rows] == [
        ("gulls", {"T": "Terns"}),
        ("otters", {"T": "Otters"}),
    ]


def test_only_one_split_is_answered_when_asked(tmp_path: Path) -> None:
    package = gather(write_task(tmp_path)).package
    assert gold_of(package, split="test").rows == ()
    assert len(gold_of(package, split="train").rows) == 2


def test_a_document_that_contradicts_the_theory_has_no_gold(tmp_path: Path) -> None:
    graph = "((Game-1 numberOfPeriods 4))"
    gold = gold_of(gather(write_task(tmp_path, {"annotations/otters.graph": graph})).package)
    assert gold.rows == ()
    assert gold.contradicted == ("otters",)


def test_each_annotator_has_a_gold_of_their_own(tmp_path: Path) -> None:
    [six] = read_statements("(Game-1 numberOfPeriods 6)")
    [game] = read_statements("(Game-1 type Game)")
    said = [*statements(), *(Asserted("otters", one, annotator="ben") for one in (six, game))]
    trig = write_provenance(said, format="TRIG", namespaces=NAMES)
    package = gather(write_task(tmp_path, {OTTERS: trig})).package
    assert told(gold_of(package, GoldSettings("ben")).rows) == [
        ("otters", "periods", {"G": "Game-1", "N": 6}, False)
    ]
    assert [row.values.get("N") for row in gold_of(package, GoldSettings("ida")).rows] == [5, None]


def both(tmp_path: Path, *ben: str) -> Package:
    """Ida's annotation of the first document, and Ben's beside it."""
    said = [
        *statements(),
        *(Asserted("otters", *read_statements(one), annotator="ben") for one in ben),
    ]
    trig = write_provenance(said, format="TRIG", namespaces=NAMES)
    return gather(write_task(tmp_path, {OTTERS: trig})).package


def test_nobody_is_given_what_nobody_in_particular_annotated(tmp_path: Path) -> None:
    """The expert's graph has no name on it; Ida is credited with her own statements only."""
    graph = "((Game-1 numberOfPeriods 6) (Game-1 winner Herons))"
    game = Asserted("otters", *read_statements("(Game-1 type Game)"), annotator="ida")
    trig = write_provenance([game], format="TRIG", namespaces=NAMES)
    changed = {OTTERS: trig, "annotations/otters.graph": graph}
    package = gather(write_task(tmp_path, changed)).package
    assert gold_of(package, GoldSettings("ida")).rows == ()
    assert len(gold_of(package).rows) == 2


def test_a_query_that_cannot_be_read_is_named_with_its_place(tmp_path: Path) -> None:
    changed = lines([{"id": "winner", "graph": "0"}])
    package = gather(write_task(tmp_path, {"queries.jsonl": changed})).package
    with pytest.raises(DataError, match=r"queries\.jsonl:1: the graph of the query 'winner' at"):
        gold_of(package)


def test_an_annotator_or_a_split_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    package = both(tmp_path, "(Game-1 type Game)")
    with pytest.raises(DataError, match=r"nothing is annotated by 'eva'; there are ben, ida$"):
        gold_of(package, GoldSettings("eva"))
    with pytest.raises(
        DataError, match=r"no document is of the split 'dev'; there are test, train$"
    ):
        gold_of(package, split="dev")


def test_annotators_of_one_document_are_not_put_together_unasked(tmp_path: Path) -> None:
    package = both(tmp_path, "(Game-1 type Game)", "(Game-1 numberOfPeriods 6)")
    with pytest.raises(DataError, match=r"otters annotated by ben and ida: choose one with --anno"):
        gold_of(package)
    assert gold_of(package, split="test").rows == ()  # nobody disputes the other document
    gold = gold_of(package, GoldSettings(several="union"))
    assert gold.united == ("ben", "ida")
    assert told(gold.rows) == [
        ("otters", "periods", {"G": "Game-1", "N": 6}, False),
        ("otters", "winner", {"G": "Game-1", "T": "Otters"}, False),
    ]
    assert {(row.by, row.why) for row in gold.rows} == {("ben, ida", "their annotations together")}


def test_what_all_annotators_of_a_document_answer(tmp_path: Path) -> None:
    """Ida's overtime means five periods, which Ben states; the winner is Ida's alone."""
    package = both(tmp_path, "(Game-1 type Game)", "(Game-1 numberOfPeriods 5)")
    gold = gold_of(package, GoldSettings(several="agreed"))
    assert told(gold.rows) == [("otters", "periods", {"G": "Game-1", "N": 5}, False)]
    assert (gold.disputed, gold.contradicted) == (1, ())


@pytest.mark.parametrize(
    ("spans", "inferred"),
    [
        ([], False),
        ([(0, 5)], False),
        ([(0, 5), (9, 12)], True),
        ([(0, 5), (3, 9)], False),
        ([(3, 9), (0, 5), (9, 12)], False),  # overlap and touch: one piece
        ([(0, 20), (3, 9), (19, 25)], False),
    ],
)
def test_an_adjudicated_answer_is_inferred_from_disjoint_pieces(
    spans: list[tuple[int, int]], inferred: bool
) -> None:
    assert takes_several_pieces(Excerpt("d", start, end, "x") for start, end in spans) is inferred


def test_excerpts_of_two_documents_are_disjoint() -> None:
    assert takes_several_pieces([Excerpt("a", 0, 5, "x"), Excerpt("b", 0, 5, "x")])


def sitting(name: str, **answers: object) -> Sitting:
    ids = {"periods": "otters:periods", "winner": "otters:winner"}
    rows = {ids[key]: Row(id=ids[key], answer=value) for key, value in answers.items()}
    return Sitting(SittingHeader(candidate=name), rows)


HERONS = {
    "values": {"G": "Game-1", "T": "Herons"},
    "excerpts": [{"document": "otters", "start": 20, "end": 26, "quote": "Herons"}],
}


POOLED = PooledRow(document="otters", query="winner", values={"G": "Game-1", "T": "Herons"})


@pytest.mark.parametrize(
    ("said", "needed", "found"),
    [
        ({}, 1, None),
        ({"ida": "explicit"}, 1, ("right", False, "ida")),
        ({"ida": "explicit"}, 2, None),
        ({"ida": "inferred", "jo": "inferred"}, 2, ("right", True, "ida, jo")),
        ({"ida": "wrong", "jo": "wrong"}, 1, ("wrong", None, "ida, jo")),
        ({"ida": "explicit", "jo": "inferred"}, 1, None),
        ({"ida": "out_of_bounds", "jo": "wrong"}, 2, None),
    ],
)
def test_a_verdict_is_settled_when_enough_judges_agree(
    said: dict[str, str], needed: int, found: tuple[object, ...] | None
) -> None:
    verdicts = {judge: JudgeVerdict(sort, "so") for judge, sort in said.items()}
    row = settled(POOLED, verdicts, needed=needed)
    assert (None if row is None else (row.verdict, row.inferred, row.by)) == found
    assert row is None or (sort_of(row), row.why) == (next(iter(said.values())), "so")


def test_only_a_revision_makes_an_explicit_answer_inferred() -> None:
    before, after = (
        Judgement(
            document="otters", query="winner", values=POOLED.values, inferred=inferred, by="ida"
        )
        for inferred in (False, True)
    )
    recorded = {identity(before): before}
    assert new_judgements([after], recorded) == []
    assert new_judgements([after], recorded, revise=True) == [after]
    assert new_judgements([before], recorded, revise=True) == []


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    pack(gather(write_task(tmp_path / "made")), tmp_path / "packed")
    return tmp_path / "packed"


def test_answers_that_nobody_judged_are_pooled_once(packed: Path) -> None:
    known = {"G": "Game-1", "T": "Otters"}
    one = sitting("a", winner=[known, HERONS], periods=[{"G": "Game-1", "N": 5}])
    two = sitting("b", winner=[HERONS])
    [row] = pool(open_test(packed), [one, two])
    assert (row.document, row.query, row.values) == ("otters", "winner", HERONS["values"])
    assert row.candidates == ("a", "b")
    assert row.question == "Who won?"
    assert row.context == ("The Otters beat the [Herons] 20-17 in overtime on Sunday.",)
    assert row.verdict == ""


def test_what_marking_takes_for_the_gold_is_not_pooled(packed: Path) -> None:
    """Another name with the gold's mention, and a number of the same value."""
    otters = {"values": {"G": "Game-1", "T": "O"}, "mentions": {"O": ["the otters"]}}
    iri = {"G": "<http://example.org/league#Game-1>", "T": "Otters"}
    test = open_test(packed)
    for answers in ([otters], [iri]):
        assert list(pool(test, [sitting("a", winner=answers)])) == []
    assert list(pool(test, [sitting("a", periods=[{"G": "Game-1", "N": 5.0}])])) == []


def read_at(*places: tuple[int, int], **more: object) -> dict[str, object]:
    text = "The Otters beat the Herons 20-17 in overtime on Sunday."
    excerpts = [
        {"document": "otters", "start": start, "end": end, "quote": text[start:end]}
        for start, end in places
    ]
    return {"values": {"G": "Game-1", "T": "Herons"}, "excerpts": excerpts, **more}


def test_the_pool_is_the_same_in_whatever_order_sittings_come(packed: Path) -> None:
    """One candidate took two pieces of text, the other one: the answer is explicit."""
    apart = sitting("a", winner=[read_at((4, 10), (20, 26), mentions={"Herons": ["the Herons"]})])
    whole = sitting("b", winner=[read_at((0, 26), mentions={"Herons": ["Herons"]})])
    test = open_test(packed)
    [row] = pool(test, [apart, whole])
    assert [row] == list(pool(test, [whole, apart]))
    assert [(one.candidate, len(one.excerpts)) for one in row.readings] == [("a", 2), ("b", 1)]
    assert len(row.excerpts) == len(row.context) == 3
    assert row.mentions == {"Herons": ("the Herons", "Herons")}
    excerpts, inferred = shortest_reading(row)
    assert ([one.quote for one in excerpts], inferred) == (["The Otters beat the Herons"], False)
    [row] = pool(test, [apart])
    assert shortest_reading(row)[1] is True


def test_an_excerpt_is_shown_from_its_own_document(packed: Path) -> None:
    def at(document: str, start: int, end: int, quote: str) -> dict[str, object]:
        return {"document": document, "start": start, "end": end, "quote": quote}

    said = read_at() | {
        "excerpts": [
            at("gulls", 4, 9, "Gulls"),
            at("nowhere", 0, 3, "The"),
            at("otters", 0, 3, "Who"),
        ]
    }
    [row] = pool(open_test(packed), [sitting("a", winner=[said])])
    assert row.context == (
        "gulls: The [Gulls] lost at home to the Terns. Nobody scored in the first half.",
        "nowhere: not a document of the task; it says “The”",
        "the excerpt [0, 3] reads 'The', not 'Who'",
    )


def judge(folder: Path, *rows: dict[str, object], name: str = "pool.jsonl") -> str:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


ROW = {"document": "otters", "query": "winner", **HERONS}


def test_judged_answers_are_added_with_who_and_why(tmp_path: Path) -> None:
    file = judge(
        tmp_path,
        ROW | {"verdict": "wrong", "by": "eva", "why": "they lost"},
        ROW | {"values": {"G": "Game-1", "T": "Terns"}},
        ROW | {"values": {"G": "Game-7", "T": "Otters"}, "verdict": "right", "by": "eva"},
    )
    found = read_judgements([file])
    assert found.unjudged == 1
    wrong, right = found.rows
    assert (wrong.verdict, wrong.by, wrong.why) == ("wrong", "eva", "they lost")
    assert right.inferred is False
    gold = [AnswerRow(document="otters", query="winner", values={"G": "Game-1", "T": "Otters"})]
    assert with_judgements(gold, found.rows) == [*gold, wrong, right]


def test_a_verdict_on_a_gold_answer_takes_its_place() -> None:
    gold = AnswerRow(document="d", query="q", values={"N": 5}, inferred=False)
    same = AnswerRow(document="d", query="q", values={"N": "5"}, verdict="right", by="eva")
    against = AnswerRow(document="d", query="q", values={"N": 5}, verdict="wrong", by="eva")
    assert with_judgements([gold], [same]) == [gold]
    assert with_judgements([gold], [against]) == [against]


def test_a_right_answer_by_other_words_for_a_gold_entity_adds_the_words() -> None:
    gold = AnswerRow(
        document="d", query="q", values={"t": "Falcons"}, mentions={"Falcons": ("Atlanta",)}
    )
    said = AnswerRow(
        document="d",
        query="q",
        values={"t": "A"},
        mentions={"A": ("atlanta", "they")},
        verdict="right",
        by="eva",
    )
    [row] = with_judgements([gold], [said])
    assert row.values == {"t": "Falcons"}
    assert row.mentions == {"Falcons": ("Atlanta", "atlanta", "they")}
    # what the gold knows by that very name is another
    known = AnswerRow(document="d", query="r", values={"t": "A"})
    assert with_judgements([gold, known], [said]) == [gold, known, said]
    wrong = msgspec.structs.replace(said, verdict="wrong")
    assert with_judgements([gold], [wrong]) == [gold, wrong]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (ROW | {"document": "nope", "verdict": "right", "by": "e"}, "1: the task has no document"),
        (ROW | {"query": "nope", "verdict": "right", "by": "e"}, "1: the task has no query"),
        (ROW | {"verdict": "perhaps", "by": "eva"}, "1: verdict 'perhaps', expected one of"),
        (ROW | {"verdict": "right"}, "1: the verdict does not say whose it is: fill in by"),
        (ROW | {"verdict": 5}, "1: schema: expected text"),
    ],
)
def test_a_bad_judgement_is_told_with_its_line(
    row: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=rf"pool\.jsonl:{message}"):
        read_judgements([judge(tmp_path, row)], documents=["otters"], queries=["winner"])


def test_two_verdicts_on_one_answer_are_an_error_with_both_places(tmp_path: Path) -> None:
    one = judge(tmp_path, ROW | {"verdict": "right", "by": "eva"}, name="one.jsonl")
    two = judge(tmp_path, ROW | {"verdict": "wrong", "by": "jon"}, name="two.jsonl")
    with pytest.raises(DataError, match=r"two\.jsonl:1: judged wrong, and right at .*one\.jsonl:1"):
        read_judgements([one, two])
    assert len(read_judgements([one, one]).rows) == 1


STORMS = """\
@prefix : <http://example.org/storms#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<http://example.org/storms> a owl:Ontology .
:Event a owl:Class .
:Storm a owl:Class ; rdfs:subClassOf :Event .
:Hurricane a owl:Class ; rdfs:subClassOf :Storm .
:MajorHurricane a owl:Class ; rdfs:subClassOf :Hurricane .
:Place a owl:Class .
:windSpeed a owl:DatatypeProperty ; rdfs:domain :Storm ; rdfs:range xsd:integer .
:struck a owl:ObjectProperty ; rdfs:domain :Storm ; rdfs:range :Place .
:threatened a owl:ObjectProperty ; rdfs:domain :Storm ; rdfs:range :Place .
"""
STORM_RULES = """\
(:theory Storms)
(:rule major :if (?s windSpeed ?v) (?v mrq:greaterThan 177) :then (?s type MajorHurricane))
(:rule threat :if (?s struck ?p) :then (?s threatened ?p))
(:rule struck-are-places :if (?s struck ?p) :then (?p type Place))
"""
STORM_QUERIES = {
    "storms": "((?s type Storm))",
    "events": "((?s type Event))",
    "winds": "((?s type Storm) (?s windSpeed ?v))",
    "struck": "((?s type Storm) (?s struck ?p) (?p type Place))",
    "threatened": "((?s type Storm) (?s threatened ?p))",
    "major": "((?s type MajorHurricane) (?s windSpeed ?v))",
    "classes": "((?s type ?c))",
}


def storms(tmp_path: Path) -> Path:
    """One document about a hurricane, of which three facts are stated."""
    text = "Hurricane Delia struck Port Alba with winds of 190 km/h."
    for name, content in {
        "documents/train/delia.txt": text,
        "ontology.ttl": STORMS,
        "rules.dsrs": STORM_RULES,
        "queries.jsonl": lines([{"id": id, "graph": g} for id, g in STORM_QUERIES.items()]),
        "annotations/delia.graph": "((Delia type Hurricane) (Delia windSpeed 190)\n"
        " (Delia struck Port-Alba))\n",
    }.items():
        path = tmp_path / "storms" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path / "storms"


def test_superclasses_and_classes_of_arguments_do_not_make_an_answer_inferred(
    tmp_path: Path,
) -> None:
    """A rule with conditions does: that Delia is a major hurricane takes its wind speed."""
    rows = gold_of(gather(storms(tmp_path)).package).rows
    found = {(row.query, row.values.get("c")): row.inferred for row in rows}
    assert found == {
        ("storms", None): False,
        ("events", None): False,
        ("winds", None): False,
        ("struck", None): False,
        ("threatened", None): True,
        ("major", None): True,
        ("classes", "Hurricane"): False,
        ("classes", "Storm"): False,
        ("classes", "Event"): False,
        ("classes", "Place"): False,
        ("classes", "MajorHurricane"): True,
    }
