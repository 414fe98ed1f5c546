"""Services of reading tasks: retrieving a task, generating a part of one, and reasoning."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
import tracemalloc
import zipfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib.compare import isomorphic
from starlette.requests import ClientDisconnect

from command_line import in_process
from readmark.core import confinement
from readmark.core.errors import DataError
from readmark.formats.registry import open_test
from readmark.server.reading_tasks import graph, graph_formats
from readmark.tasks import TaskPackage
from readmark.tasks.packed_task import pack_task
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather
from readmark.works import heavy_calls
from readmark.works.heavy_calls import HallBusy, run_call
from served_tasks import Services, league_zip, open_zip
from task_files import GULLS, OTTERS, write_task

pytestmark = [
    pytest.mark.usefixtures("quick_passwords", "calls_in_process"),
    pytest.mark.reasoning,
]

RM = rdflib.Namespace("urn:readmark:terms#")
LEAGUE = rdflib.Namespace("http://example.org/league#")
PARSERS = {
    "text/turtle": "turtle",
    "application/rdf+xml": "xml",
    "application/ld+json": "json-ld",
    "application/n-quads": "nquads",
    "application/trig": "trig",
}


@pytest.fixture
def services(hall_app: Any) -> Services:
    return Services(hall_app)


# Retrieving.


def triples(data: bytes, parser: str) -> tuple[rdflib.Graph, rdflib.Dataset]:
    """What a file holds: all triples in whatever graph, and the graphs."""
    dataset = rdflib.Dataset()
    dataset.parse(data=data, format=parser)
    every = rdflib.Graph()
    for subject, predicate, value, _ in dataset.quads((None, None, None, None)):
        every.add((subject, predicate, value))
    return every, dataset


def test_the_graph_is_the_same_in_every_format(services: Services) -> None:
    id = services.upload(league_zip())
    graphs = {}
    for media_type, parser in PARSERS.items():
        answer = services.get(f"{id}/graph", headers={"accept": f"{media_type}, text/html;q=0.9"})
        assert answer.status_code == 200
        assert answer.headers["content-type"].partition(";")[0] == media_type
        assert "content-length" not in answer.headers  # it is streamed
        graphs[media_type], dataset = triples(answer.content, parser)
        if media_type in ("application/ld+json", "application/n-quads", "application/trig"):
            [named] = [g for g in dataset.graphs() if "document" in str(g.identifier)]
            assert str(named.identifier) == "urn:readmark:document:otters"
            assert (LEAGUE["Game-1"], LEAGUE["winner"], LEAGUE["Otters"]) in named
            assert len(named) == 4
    first = graphs["text/turtle"]
    for media_type, found in graphs.items():
        assert isomorphic(first, found), media_type
    # The ontology, the texts exactly, the queries; of statements and answers the open split's.
    assert (LEAGUE["Team"], rdflib.OWL.disjointWith, LEAGUE["Event"]) in first
    otters, gulls = (rdflib.URIRef(f"urn:readmark:document:{name}") for name in ("otters", "gulls"))
    assert str(first.value(otters, RM.text)) == OTTERS
    assert str(first.value(gulls, RM.text)) == GULLS
    counts = {"ReadingTask": 1, "Document": 2, "Query": 2, "Answer": 2, "Rules": 1}
    for sort, count in counts.items():
        assert len(list(first.subjects(rdflib.RDF.type, RM[sort]))) == count, sort
    assert len(list(first.subjects(rdflib.RDF.type, rdflib.RDF.Statement))) == 4


@pytest.mark.parametrize(
    ("accept", "query", "expected"),
    [
        ("", "", "text/turtle"),
        ("*/*", "", "text/turtle"),
        ("text/*", "", "text/turtle"),
        ("application/*;q=0.5, text/turtle;q=0.1", "", "application/rdf+xml"),
        ("application/ld+json;q=0.4, application/trig;q=0.5", "", "application/trig"),
        ("text/turtle;q=0, */*", "", "application/rdf+xml"),
        ("text/html", "", None),
        ("text/turtle;q=0", "", None),
        ("text/html", "?format=nquads", "application/n-quads"),
        ("text/turtle", "?format=pdf", None),
    ],
)
def test_the_format_is_negotiated(accept: str, query: str, expected: str | None) -> None:
    name = query.removeprefix("?format=") or None
    found = graph_formats.negotiate(accept, name)
    assert (None if found is None else found.media_type) == expected


def test_an_unacceptable_format_gets_the_list(services: Services) -> None:
    answer = services.get("task.en/graph", headers={"accept": "text/html"})
    assert answer.status_code == 406
    for media_type in PARSERS:
        assert media_type in answer.json()["detail"]


def test_what_xml_cannot_hold_is_refused_before_anything_is_sent(
    services: Services, tmp_path: Path
) -> None:
    folder = write_task(tmp_path / "made", {"documents/train/more.txt": "One\r\ntwo\x0b."})
    pack(gather(folder), tmp_path / "task.zip")
    id = services.upload((tmp_path / "task.zip").read_bytes())
    refused = services.get(f"{id}/graph?format=rdfxml")
    assert refused.status_code == 422
    assert "U+000D" in refused.json()["detail"]
    assert "\\r\\ntwo" in services.get(f"{id}/graph?format=turtle").text
    assert services.get(f"{id}/document?id=more").content == b"One\r\ntwo\x0b."


def test_the_memory_of_a_stream_does_not_grow_with_the_task(tmp_path: Path) -> None:
    peaks = []
    for count in (10, 200):
        texts = {
            f"documents/train/d{number}.txt": f"{number}: {OTTERS} " * 500
            for number in range(count)
        }
        path = tmp_path / f"{count}.zip"
        pack(gather(write_task(tmp_path / str(count), dict(texts))), path)
        write = partial(TaskPackage(path).write_graph, id="x", name="x", gold=0)
        found = []
        for _ in range(3):  # Python's own table of names may grow in one of them
            tracemalloc.start()
            size = sum(map(len, graph.graph_stream(write, graph_formats.GRAPH_TYPES[0])))
            found.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert size > count * 25_000
        peaks.append(min(found))
    assert peaks[1] < peaks[0] + 1_000_000  # the texts alone are 5 MB more


def test_a_client_that_leaves_ends_the_writing(tmp_path: Path) -> None:
    texts = {f"documents/train/d{number}.txt": OTTERS * 5000 for number in range(20)}
    pack(gather(write_task(tmp_path / "made", dict(texts))), tmp_path / "task.zip")
    package = TaskPackage(tmp_path / "task.zip")
    write = partial(package.write_graph, id="x", name="x", gold=0)
    stream = graph.graph_stream(write, graph_formats.GRAPH_TYPES[3])
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)
        if message.get("body"):
            raise OSError("gone")

    async def receive() -> Any:
        await asyncio.sleep(60)

    scope = {"type": "http", "asgi": {"spec_version": "2.4"}}
    with ExitStack() as stack:
        stack.enter_context(graph.GRAPHS.turn("ann"))
        response = graph.GraphResponse(stream, "x/y", stack.pop_all())
    with pytest.raises(HallBusy), graph.GRAPHS.turn("ann"):
        pass
    with pytest.raises(ClientDisconnect):
        asyncio.run(response(scope, receive, send))
    with graph.GRAPHS.turn("ann"):
        pass
    thread = stream._thread
    assert thread is not None
    thread.join(10)
    assert not thread.is_alive()
    assert len(sent) == 2


# Generating.


def test_a_part_is_drawn_and_is_a_task_of_its_own(services: Services, tmp_path: Path) -> None:
    made = [
        services.post("", source="task.en", splits=["train"], number=3, seed=seed).json()
        for seed in (1, 1, 2)
    ]
    drawn = [[row["id"] for row in services.get(f"{task['id']}/documents").json()] for task in made]
    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(ids) for ids in drawn] == [3, 3, 3]
    part = services.post(
        "", source=made[0]["id"], documents=drawn[0][:2], queries=["birthYear", "spouse"]
    ).json()
    assert part["root"] == "task.en"
    assert (part["queries"], part["splits"][0]["units"]) == (2, 4)
    # The package is a sound task with the same paper, and the gold of its documents alone.
    (tmp_path / "part.zip").write_bytes(services.get(f"{part['id']}/package").content)
    test = open_test(tmp_path / "part.zip")
    assert test.facts.paper == part["paper"]
    assert {unit.group for unit in test.units()} == set(drawn[0][:2])
    (tmp_path / "whole.zip").write_bytes(services.get("task.en/package").content)
    whole = {unit.id: unit.key for unit in open_test(tmp_path / "whole.zip").units()}
    assert all(unit.key == whole[unit.id] for unit in test.units())
    assert not pack_task(tmp_path / "part.zip", tmp_path / "again.zip").failed


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"splits": ["test"]}, "the split 'test' is hidden"),
    ({"documents": ["crane-entry"]}, "the task has no document 'crane-entry'"),
    ({"queries": ["birthYeer"]}, "did you mean birthYear"),
    ({"properties": ["nothing"]}, "the task has no property 'nothing'"),
    ({"source": "none"}, "there is no task of this source"),
]


def test_hidden_and_unknown_parts_are_refused(services: Services) -> None:
    for wanted, message in REFUSED:
        answer = services.post("", **{"source": "task.en", **wanted})
        assert answer.status_code == 422, wanted
        assert message.lower() in answer.json()["detail"].lower()


def test_queries_are_made_from_the_ontology_with_their_gold(services: Services) -> None:
    id = services.upload(league_zip())
    made = services.post("", source=id, name="Made", make={"sorts": ["property"]}).json()
    assert [row["name"] for row in made["splits"]] == ["train"]  # hidden documents stay out
    queries = {row["id"]: row for row in services.get(f"{made['id']}/queries").json()}
    assert {"numberOfPeriods", "winner", "hasOvertimePlay"} <= set(queries)
    variables = queries["winner"]["fields"]["variables"]
    rows = {"otters:winner": [dict(zip(variables, ("Game-1", "Otters"), strict=True))]}
    result = services.post(f"{made['id']}/submissions", answers=rows).json()["result"]
    # Stated are overtime and the winner, of which one is given: P = 1, R = 1/2, F = 2/3.
    assert result["public"]["marks"]["facts"]["score"] == pytest.approx(100 * 2 / 3)
    assert result["public"]["marks"]["inferences"]["score"] == 0  # five periods follow


def test_own_tasks_are_deleted_and_parts_keep_their_source(services: Services) -> None:
    id = services.upload(open_zip())
    part = services.post("", source=id, documents=["otters"]).json()["id"]
    assert services.reader.delete(f"/api/reading-tasks/{id}").status_code == 422
    assert services.reader.delete(f"/api/reading-tasks/{part}").status_code == 204
    assert services.reader.delete(f"/api/reading-tasks/{id}").status_code == 204
    assert services.reader.delete("/api/reading-tasks/task.en").status_code == 422
    assert [row["id"] for row in services.get("").json()] == ["task.en", "task.zh"]


def test_a_broken_package_is_refused_with_its_line(services: Services, tmp_path: Path) -> None:
    folder = write_task(tmp_path / "made", {"rules.dsrs": "(:rule x :if (?a"})
    pack(gather(folder), tmp_path / "task.zip")
    files = {"file": ("league.zip", (tmp_path / "task.zip").read_bytes())}
    refused = services.reader.post("/api/reading-tasks/packages", files=files)
    assert refused.status_code == 422
    assert re.match(r"upload\.zip/rules\.dsrs:1\S*: ", refused.json()["detail"])
    files = {"file": ("league.zip", b"no zip")}
    assert services.reader.post("/api/reading-tasks/packages", files=files).status_code == 422


def test_a_package_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from readmark.tasks.service import uploads

    monkeypatch.setattr(uploads, "MOST_UNPACKED", 3 << 20)
    for megabytes, error in ((2, None), (4, "task.zip: has 4 MB unpacked, expected 3 MB at most")):
        folder = tmp_path / str(megabytes)
        large = "The Herons won. " * (megabytes << 16)
        write_task(folder / "made", {"documents/train/large.txt": large})
        pack(gather(folder / "made"), folder / "task.zip")
        reply = uploads.check_in_process({"folder": str(folder), "file": "task.zip"})
        assert reply.get("error") == error


# Reasoning.


OVERTIME = "((Game-9 type Game) (Game-9 hasOvertimePlay true))"
TOO_FEW = "((Game-9 numberOfPeriods 3) (Game-9 hasOvertimePlay true))"


def test_what_the_ontology_lacks_is_not_consistent(services: Services) -> None:
    id = services.upload(league_zip())
    sent = {"statements": "((Game-9 type Game) (Game-9 winer Otters))", "notation": "graph"}
    checked = services.post(f"{id}/consistency", **sent).json()
    assert (checked["consistent"], checked["contradictions"]) == (False, 0)
    [finding] = checked["findings"]
    assert finding["code"] == "unknown_property"
    assert finding["message"] == "winer is not a property of the ontology; did you mean winner?"
    assert services.post(f"{id}/consequences", **sent).json()["findings"] == [finding]


def test_the_reasoner_says_what_the_command_line_says(services: Services, tmp_path: Path) -> None:
    id = services.upload(league_zip())
    package = tmp_path / "league.zip"
    package.write_bytes(services.get(f"{id}/package").content)
    with zipfile.ZipFile(package) as packed:
        packed.extractall(tmp_path / "theory")
    (tmp_path / "sent.graph").write_text(TOO_FEW)
    theory = ("--ontology", "theory/ontology.ttl", "--rules", "theory/rules.dsrs")
    shown = in_process("task", "infer", "sent.graph", *theory, "--json", cwd=tmp_path)
    sent = {"statements": TOO_FEW, "notation": "graph"}
    assert services.post(f"{id}/consequences", **sent).json() == json.loads(shown.stdout)
    checked = services.post(f"{id}/consistency", **sent).json()
    assert checked["consistent"] is False
    [broken] = checked["contradicting"]
    assert broken["rule"] == "too-few"
    assert broken["inputs"] == ["(Game-9 numberOfPeriods 3)", "(Game-9 hasOvertimePlay true)"]
    sent = {"statements": OVERTIME, "notation": "graph"}
    assert services.post(f"{id}/consistency", **sent).json()["consistent"] is True
    why = services.post(f"{id}/explanations", statement="(Game-9 numberOfPeriods ?n)", **sent)
    assert why.json()["text"].splitlines()[1:] == [
        "(Game-9 numberOfPeriods 5)  by overtime (a default)",
        "  (Game-9 hasOvertimePlay true)  asserted",
        "  no (Game-9 numberOfPeriods ?n)",
    ]
    # A query of the task, over what is sent and with the task's own statements.
    alone = services.post(f"{id}/query", id="periods", **sent).json()["answers"]
    both = services.post(f"{id}/query", id="periods", with_task=True, **sent).json()["answers"]
    assert [row["bindings"] for row in alone] == [{"G": "Game-9", "N": 5}]
    assert [row["bindings"]["G"] for row in both] == ["Game-1", "Game-9"]
    asked = "SELECT ?g ?n WHERE { ?g :numberOfPeriods ?n }"
    rows = services.post(f"{id}/query", sparql=asked, **sent).json()["rows"]
    assert rows == [{"g": "Game-9", "n": 5}]
    quoted = {"statements": '"in overtime" -> (G hasOvertimePlay true)', "document": "otters"}
    [step] = services.post(
        f"{id}/explanations", statement="(G hasOvertimePlay true)", **quoted
    ).json()["derivations"]
    assert step["excerpts"][0]["start"] == OTTERS.index("in overtime")


FAULTS: list[tuple[str, dict[str, Any], str]] = [
    ("consistency", {}, "there are no statements"),
    ("consistency", {"statements": "((a", "notation": "graph"}, "sent.graph:1:2: '('"),
    ("consistency", {"statements": "<a>", "notation": "turtle"}, "sent.ttl:1"),
    ("query", {"query": "(?a b ?c)", "id": "periods"}, "give one of"),
    ("query", {"id": "none", "with_task": True}, "no query of this id"),
    ("query", {"query": "(?a nothing ?c)", "with_task": True}, "there is no property nothing"),
    ("consistency", {"statements": "-> (A type Game)", "document": "none"}, "no document"),
    ("decompositions", {"scores": ["8"]}, "declares no quantities"),
]


def test_errors_are_one_line_without_folders(services: Services) -> None:
    id = services.upload(league_zip())
    for call, sent, message in FAULTS:
        answer = services.post(f"{id}/{call}", **sent)
        assert answer.status_code == 422, call
        detail = answer.json()["detail"]
        assert message in detail
        assert "\n" not in detail
        assert "/tmp" not in detail


def test_scores_are_taken_apart_by_the_quantities_of_the_task(
    services: Services, tmp_path: Path
) -> None:
    folder = write_task(tmp_path / "made", {"ontology.ttl": None, "rules.dsrs": None})
    for name in ("queries.jsonl", "answers.train.jsonl", "answers.test.jsonl"):
        (folder / name).unlink()
    shutil.rmtree(folder / "annotations")
    pack_task(folder, tmp_path / "task.zip", domain="nfl_scoring")
    id = services.upload((tmp_path / "task.zip").read_bytes())
    found = services.post(f"{id}/decompositions", scores=["8"], most=2).json()
    shown = in_process("task", "decompose", "nfl_scoring", "8", "--most", "2", "--json")
    assert found == json.loads(shown.stdout)
    assert found["count"] == 4


@pytest.mark.process
def test_a_call_runs_in_a_process_that_is_ended(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heavy_calls, "run_confined", confinement.run_confined)
    with pytest.raises(DataError, match=r"took more than 0\.5 s and was stopped"):
        run_call(time.sleep, 60, seconds=0.5)
    with pytest.raises(DataError, match="ended without a result"):
        run_call(json.loads, "no JSON", seconds=60)
    sent = {"statements": OVERTIME, "notation": "graph"}
    found = services.post("task.en/consistency", **sent)
    assert found.status_code == 200, found.text
    assert found.json()["asserted"] == 2
