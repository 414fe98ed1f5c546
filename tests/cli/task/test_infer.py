"""``task infer``, ``task query`` and ``task explain`` as they are called, on files and a task."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readmark.reasoning.namespaces import document_iri
from readmark.reasoning.provenance_rdf import write_provenance
from readmark.reasoning.rdf import write_rdf
from reasoning_files import OVERTIME, PERIODS
from task_files import NAMES, ONTOLOGY, statements, write_task

Run = Callable[..., Any]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "game.graph").write_text(
        "((Game-1 type NFLGame) (Game-1 hasOvertimePlay true))\n", "utf-8"
    )
    (tmp_path / "odd.graph").write_text(
        "((Game-1 hasOvertimePlay true) (Game-1 numberOfPeriods 4))\n", "utf-8"
    )
    (tmp_path / "rules.dsrs").write_text(OVERTIME, "utf-8")
    return tmp_path


@pytest.fixture
def runs(readmark_cli: Run, room: Path) -> Run:
    """Runs ``task`` in the room; without ``status`` it must be fine."""

    def run(*args: str, status: int = 0) -> Any:
        done = readmark_cli("task", *args, cwd=room)
        assert "Traceback" not in done.stderr
        assert done.returncode == status, done.stderr
        return done

    return run


def test_infer_writes_what_follows(runs: Run, room: Path) -> None:
    done = runs("infer", "game.graph", "--rules", "rules.dsrs", "-o", "out.graph", "--json")
    found = json.loads(done.stdout)
    assert (found["asserted"], found["derived"], found["contradictions"]) == (2, 1, 0)
    assert found["statements"] == [
        {
            "graph": "game",
            "statement": "(Game-1 numberOfPeriods 5)",
            "subject": "Game-1",
            "predicate": "numberOfPeriods",
            "object": 5,
            "probability": 1.0,
        }
    ]
    assert (room / "out.graph").read_text("utf-8") == "((Game-1 numberOfPeriods 5))\n"
    runs("infer", "game.graph", "--rules", "rules.dsrs", "-o", "out.nq")
    assert b"<urn:readmark:document:game>" in (room / "out.nq").read_bytes()


def test_a_contradiction_is_an_exit_status(runs: Run) -> None:
    done = runs("infer", "odd.graph", "game.graph", "--rules", "rules.dsrs", status=1)
    assert "odd: contradicts NFLScoringTheory by four-at-most" in done.stdout
    assert "repair one of:\n    (Game-1 numberOfPeriods 4)" in done.stdout
    found = json.loads(
        runs("infer", "odd.graph", "--rules", "rules.dsrs", "--json", status=1).stdout
    )
    [one] = found["contradicting"]
    assert one["inputs"] == ["(Game-1 numberOfPeriods 4)", "(Game-1 hasOvertimePlay true)"]
    assert one["bindings"] == {"N": 4, "game": "Game-1"}


def test_query_and_explain(runs: Run, room: Path) -> None:
    ground = ("game.graph", "--rules", "rules.dsrs")
    found = json.loads(runs("query", *ground, "-q", PERIODS, "--explain", "--json").stdout)
    [answer] = found["answers"]
    assert answer["bindings"] == {"G": "Game-1", "N": 5}
    assert (answer["inferred"], answer["probability"]) == (True, 1.0)
    tree = answer["derivations"][1]
    assert (tree["rule"], tree["default"]) == ("overtime", True)
    assert tree["denied"] == [["(Game-1 numberOfPeriods ?n)"]]
    assert tree["antecedents"][0]["statement"] == "(Game-1 hasOvertimePlay true)"
    assert runs("query", *ground, "-q", "((?g numberOfPeriods 9))").stdout == "0 answers\n"
    shown = runs("explain", *ground, "-s", "(?g numberOfPeriods ?n)", "-o", "why.rdf").stdout
    assert "  no (Game-1 numberOfPeriods ?n)" in shown
    assert b"prov:used" in (room / "why.rdf").read_bytes()
    runs("explain", *ground, "-s", "(?g numberOfPeriods 9)", status=1)


def test_sparql(runs: Run) -> None:
    ground = ("game.graph", "--rules", "rules.dsrs", "--json")
    found = json.loads(
        runs("query", *ground, "--sparql", "SELECT ?n { :Game-1 :numberOfPeriods ?n }").stdout
    )
    assert (found["variables"], found["rows"]) == (["n"], [{"n": 5}])


def test_a_task_brings_rules_ontology_and_words(runs: Run, room: Path) -> None:
    write_task(room / "league")
    runs("pack", "league", "-o", "league.zip")
    shown = runs(
        "explain", "league.zip", "-s", "(Game-1 numberOfPeriods ?n)", "--graph", "otters"
    ).stdout
    assert shown.splitlines() == [
        "otters",
        "(Game-1 numberOfPeriods 5)  by overtime (a default)",
        "  (Game-1 hasOvertimePlay true)  asserted by ida",
        "    statement “in overtime” otters:33-44",
        "    object “in overtime” otters:33-44",
        "  no (Game-1 numberOfPeriods ?n)",
    ]
    runs("explain", "league.zip", "-s", "(Game-1 numberOfPeriods ?n)", "-o", "why.html")
    page = (room / "why.html").read_text("utf-8")
    assert '<a id="e1-1"></a><mark>in overtime</mark>' in page
    assert '<a href="#e1-1">“in overtime”</a>' in page


def test_quads_with_and_without_provenance(runs: Run, room: Path) -> None:
    said = statements()
    (room / "told.nq").write_bytes(write_provenance(said, format="N_QUADS", namespaces=NAMES))
    plain = [(document_iri(one.graph), one.statement) for one in said]
    (room / "plain.nq").write_bytes(write_rdf(plain, format="N_QUADS", namespaces=NAMES))
    (room / "league.ttl").write_text(ONTOLOGY, "utf-8")
    ground = ("--rules", "rules.dsrs", "--ontology", "league.ttl")
    for file, words in (("told.nq", 2), ("plain.nq", 0)):
        query = ("-s", "(Game-1 numberOfPeriods ?n)", "--graph", "otters")
        found = json.loads(runs("explain", file, *ground, *query, "--json").stdout)
        [tree] = found["derivations"]
        assert tree["statement"] == "(Game-1 numberOfPeriods 5)"
        assert len(tree["antecedents"][0]["excerpts"]) == words


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("infer", "none.graph"), 1, "none.graph: no such file"),
        (("infer", "rules.dsrs"), 1, "rules.dsrs: expected a task, or a file of statements"),
        (("infer", "game.graph", "--rules", "game.graph"), 1, "game.graph:1:2: expected"),
        (("infer", "game.graph", "--domain", "nlf"), 2, "no domain 'nlf'"),
        (("infer", "game.graph", "-o", "game.graph"), 2, "game.graph is what is being read"),
        (("infer", "game.graph", "--show", "-1"), 2, "--show -1 is negative"),
        (("query", "game.graph"), 2, "give one of -q and --sparql"),
        (("query", "game.graph", "-q", "((?a p"), 1, "query:1:7: expected"),
        (("query", "game.graph", "-q", "()", "--seconds", "0"), 2, "--seconds 0 is not above 0"),
        (("query", "game.graph", "--sparql", "LOAD <x:y>"), 1, "LOAD is not allowed in a query"),
        (("explain", "game.graph", "-s", "(5 p ?x)"), 1, "query:1:2: a literal is no subject"),
        (
            ("explain", "game.graph", "-s", "(?s ?p ?o)", "-o", "why.trig"),
            2,
            "why.trig: derivations are written as .html, .rdf, .ttl or .nt",
        ),
    ],
)
def test_bad_input_is_one_line(args: tuple[str, ...], status: int, line: str, runs: Run) -> None:
    done = runs(*args, status=status)
    [told] = done.stderr.splitlines()
    assert told.startswith("readmark: ")
    assert line in told
    assert done.stdout == ""
