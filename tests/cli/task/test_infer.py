"""``task infer``, ``task query`` and ``task explain`` as they are called, on files and a task."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readmark.tasks.names import document_iri
from readmark.tasks.reasoning.provenance import write_provenance
from readmark.tasks.reasoning.rdf import write_rdf
from reasoning_files import OVERTIME, PERIODS
from task_files import NAMES, ONTOLOGY, statements, write_task

pytestmark = pytest.mark.slow

Run = Callable[..., Any]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "game.graph").write_text(
        "((Game-1 type NFLGame) (Game-1 hasOvertimePlay true))\n", "utf-8"
    )
    (tmp_path / "odd.graph").write_text(
        "((Game-1 hasOvertimePlay true) (Game-1 numberOfPeriods 4))\n", "utf-8"
    )
    (tmp_path / "computed.graph").write_text("((a p b)\n(a mrq:sum b))", "utf-8")
    (tmp_path / "concluded.nt").write_text(
        "<urn:readmark:names#a> <urn:readmark:names#contradicts> <urn:readmark:names#b> .\n",
        "utf-8",
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
    steps = found["derivations"]
    tree = steps[answer["derivations"][1]]
    assert (tree["rule"], tree["default"]) == ("overtime", True)
    assert tree["denied"] == [["(Game-1 numberOfPeriods ?n)"]]
    assert steps[tree["antecedents"][0]]["statement"] == "(Game-1 hasOvertimePlay true)"
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
        steps = found["derivations"]
        [tree] = [steps[one] for one in found["explained"]]
        assert tree["statement"] == "(Game-1 numberOfPeriods 5)"
        assert len(steps[tree["antecedents"][0]]["excerpts"]) == words


TRANSITIVE = "(:theory T) (:rule tr :if (?x p ?y) (?y p ?z) :then (?x p ?z))"


def test_files_of_one_name_are_several_graphs(runs: Run, room: Path) -> None:
    (room / "tr.dsrs").write_text(TRANSITIVE, "utf-8")
    for folder, graph in (("d1", "((a p b))"), ("d2", "((b p c) (c p d))")):
        (room / folder).mkdir()
        (room / folder / "x.graph").write_text(graph, "utf-8")
    found = runs("infer", "d1/x.graph", "d2/x.graph", "--rules", "tr.dsrs", "--json").stdout
    told = [(one["graph"], one["statement"]) for one in json.loads(found)["statements"]]
    assert told == [("d2/x.graph", "(b p d)")]


def test_blank_nodes_belong_to_their_file(runs: Run, room: Path) -> None:
    (room / "tr.dsrs").write_text(TRANSITIVE, "utf-8")
    start = "@prefix : <urn:readmark:names#> . <urn:readmark:document:d> "
    (room / "b1.trig").write_text(start + "{ :a :p _:x . _:x :p :b }", "utf-8")
    (room / "b2.trig").write_text(start + "{ _:x :p :c }", "utf-8")
    found = runs("infer", "b1.trig", "b2.trig", "--rules", "tr.dsrs", "--json").stdout
    assert [one["statement"] for one in json.loads(found)["statements"]] == ["(a p b)"]


def test_contradictions_are_explained_on_a_page(runs: Run, room: Path) -> None:
    write_task(room / "league")
    runs("explain", "league", "--contradictions", "-o", "sound.html")
    (room / "league/annotations/otters.graph").write_text("((Game-1 numberOfPeriods 4))")
    shown = runs("explain", "league", "--contradictions", "-o", "why.html", status=1).stdout
    assert "(otters contradicts LeagueTheory)  by too-few" in shown
    page = (room / "why.html").read_text(encoding="utf-8")
    assert "too-few" in page
    assert "in overtime" in page
    assert "too-few" not in (room / "sound.html").read_text(encoding="utf-8")


def test_misspelt_names_in_sparql_are_named(runs: Run, room: Path) -> None:
    write_task(room / "league")
    done = runs("query", "league", "--sparql", "SELECT ?n { ?g :numberOfPeriodz ?n }")
    assert done.stderr == (
        "readmark: nothing in the ontology or the statements is called :numberOfPeriodz: "
        "did you mean numberOfPeriods?\n"
    )
    known = (
        'PREFIX x: <http://x/> SELECT ?n { ?g :numberOfPeriods ?n ; x:any ":nope" . :Otters ?p ?g }'
    )
    assert runs("query", "league", "--sparql", known).stderr == ""


def test_blank_nodes_belong_to_their_task(runs: Run, room: Path) -> None:
    """One game _:a of two tasks would have two numbers of periods, which is one too many."""
    for name, periods in (("one", 5), ("two", 6)):
        graph = f"((_:a type Game) (_:a numberOfPeriods {periods}))"
        write_task(room / name, {"annotations/otters.graph": graph})
        runs("gold", name, "--split", "train", "-o", f"{name}/answers.train.jsonl")
        runs("pack", name, "-o", f"{name}.zip")
    runs("infer", "one.zip", "two.zip", "--ontology", "one/ontology.ttl")


@pytest.mark.parametrize("file", ["out.trig", "out.nq", "out.ttl", "out.rdf", "out.nt"])
def test_what_is_written_keeps_graphs_and_probabilities(file: str, runs: Run, room: Path) -> None:
    (room / "r.dsrs").write_text(
        "(:rule r :probability 0.25 :if (?x p ?y) :then (?x q ?y))\n"
        "(:rule s :if (?x p ?y) :then (?y t ?x))"
    )
    (room / "g1.graph").write_text("((a p b))", "utf-8")
    (room / "g2.graph").write_text("((a p b) (a p c))", "utf-8")
    (room / file).write_bytes(b"what was there before")
    runs("infer", "g1.graph", "g2.graph", "--rules", "r.dsrs", "-o", file)
    found = json.loads(runs("query", file, "-q", "((?x ?p ?y))", "--json").stdout)["answers"]
    told = {
        predicate: [
            (one["graph"], one["bindings"][name], one["probability"])
            for one in found
            if one["bindings"]["p"] == predicate
        ]
        for predicate, name in (("q", "y"), ("t", "x"))
    }
    for predicate, expected in (("q", 0.25), ("t", 1.0)):
        assert told[predicate] == [
            ("g1", "b", expected),
            ("g2", "b", expected),
            ("g2", "c", expected),
        ]
    assert len(found) == 6


def test_the_notation_has_one_graph(runs: Run, room: Path) -> None:
    rules = ("--rules", "rules.dsrs", "-o", "out.graph")
    (room / "also.graph").write_text("((Game-1 hasOvertimePlay true))", "utf-8")
    done = runs("infer", "game.graph", "also.graph", *rules, status=1)
    assert "out.graph: the notation has one graph, and these are of 2 graphs" in done.stderr
    assert not (room / "out.graph").exists()


def test_contradictions_that_are_not_shown_are_counted(runs: Run, room: Path) -> None:
    (room / "bad.dsrs").write_text(
        "(:theory T)(:rule bad :if (?x p ?y) :then (?inputGraph contradicts T))", "utf-8"
    )
    many = " ".join(f"(x{number} p y)" for number in (10, 9, 1))
    (room / "many.graph").write_text(f"({many})", "utf-8")
    ground = ("many.graph", "--rules", "bad.dsrs")
    shown = runs("infer", *ground, "--show", "2", status=1).stdout
    assert [line for line in shown.splitlines() if "asserted" in line][1:] == [
        "  (x1 p y)  asserted",
        "  (x9 p y)  asserted",
    ]
    assert shown.endswith("and 1 more contradiction: --show N or --json\n")
    found = json.loads(runs("infer", *ground, "--json", status=1).stdout)
    assert (len(found["contradicting"]), found["not_listed"]) == (3, 0)


def test_what_derivations_share_is_told_once(runs: Run, room: Path) -> None:
    (room / "fib.dsrs").write_text(
        "(:rule f :if (?a f ?n) (?b f ?n) (?a next ?b) (?b next ?c) :then (?c f ?n))", "utf-8"
    )
    chain = " ".join(f"(n{at} next n{at + 1})" for at in range(41))
    (room / "fib.graph").write_text(f"((n0 f x) (n1 f x) {chain})", "utf-8")
    done = runs("explain", "fib.graph", "--rules", "fib.dsrs", "-s", "(n41 f x)", "--json")
    steps = json.loads(done.stdout)["derivations"]
    # (n0 f x) to (n41 f x) and the 41 statements of next.
    assert len(steps) == 42 + 41
    assert [one["id"] for one in steps] == list(range(83))
    assert len({one["statement"] for one in steps}) == 83


def test_json_writes_what_it_has_no_number_for(runs: Run, room: Path) -> None:
    (room / "odd.ttl").write_text(
        "@prefix : <urn:readmark:names#> . @prefix x: <http://www.w3.org/2001/XMLSchema#> .\n"
        ":e :a 'INF'^^x:double ; :a 1.5 .",
        "utf-8",
    )
    found = json.loads(runs("query", "odd.ttl", "-q", "((e a ?x))", "--json").stdout)
    assert [one["bindings"]["x"] for one in found["answers"]] == [1.5, "INF"]


CROSS = """(:theory T)
(:rule cross
 :if (?a p ?x) (?b p ?y) (?c p ?z) (?n mrq:sum ?x ?y ?z) (?n mrq:lessThan 0)
 :then (?a q ?b))
"""


@pytest.mark.parametrize(
    "args",
    [
        ("infer", "-o", "out.nq"),
        ("infer", "--json"),
        ("query", "-q", "((?a q ?b))"),
        ("explain", "-s", "(?a q ?b)", "-o", "why.html"),
    ],
)
def test_rules_that_take_too_long_are_one_line(
    args: tuple[str, ...], runs: Run, room: Path
) -> None:
    told = " ".join(f"(a{number} p {number})" for number in range(20_000))
    (room / "many.graph").write_text(f"({told})", "utf-8")
    (room / "cross.dsrs").write_text(CROSS, "utf-8")
    before = sorted(room.iterdir())
    verb, *rest = args
    done = runs(verb, "many.graph", "--rules", "cross.dsrs", "--seconds", "1", *rest, status=1)
    assert done.stdout == ""
    assert done.stderr == (
        "readmark: cross.dsrs:2: cross: the rules took more than 1 s and were stopped\n"
    )
    assert sorted(room.iterdir()) == before


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("infer", "none.graph"), 1, "none.graph: no such file"),
        (("infer", "computed.graph"), 1, "computed.graph:2: mrq:sum can only be computed"),
        (("infer", "concluded.nt"), 1, "concluded.nt:1: contradicts can only be concluded"),
        (("infer", "rules.dsrs"), 1, "rules.dsrs: expected a task, or a file of statements"),
        (("infer", "game.graph", "--rules", "game.graph"), 1, "game.graph:1:2: expected"),
        (("infer", "game.graph", "--domain", "nlf"), 2, "no domain 'nlf'"),
        (("infer", "game.graph", "-o", "game.graph"), 2, "game.graph is what is being read"),
        (("infer", "game.graph", "--show", "-1"), 2, "--show -1 is negative"),
        (("infer", "game.graph", "--seconds", "0"), 2, "--seconds 0 is not above 0"),
        (("infer", "game.graph", "--seconds", "nan"), 2, "--seconds nan is not above 0"),
        (("explain", "game.graph"), 2, "give one of -s and --contradictions"),
        (("explain", "game.graph", "-s", "()", "--seconds", "inf"), 2, "is above 1,000,000"),
        (("query", "game.graph"), 2, "give one of -q and --sparql"),
        (("query", "game.graph", "--sparql", "ASK {}", "--explain"), 2, "--explain explains"),
        (("query", "game.graph", "-q", "((?g type ?c))", "--graph", "gam"), 1, "no graph gam: did"),
        (
            ("query", "game.graph", "--domain", "nfl_scoring", "-q", "((?g numberOfPeriod ?n))"),
            1,
            "query: there is no property numberOfPeriod: did you mean numberOfPeriods?",
        ),
        (
            ("query", "game.graph", "--domain", "nfl_scoring", "-q", "((?g type NFLGames))"),
            1,
            "query: there is no class NFLGames: did you mean NFLGame?",
        ),
        (("query", "game.graph", "-q", "()"), 1, "query:1:1: a query holds a triple or more"),
        (("explain", "game.graph", "-s", "()"), 1, "query:1:1: a query holds a triple or more"),
        (("query", "game.graph", "-q", "((?a p"), 1, "query:1:7: expected"),
        (("query", "game.graph", "-q", "()", "--seconds", "0"), 2, "--seconds 0 is not above 0"),
        (("query", "game.graph", "--sparql", "LOAD <x:y>"), 1, "query: data are only read"),
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
