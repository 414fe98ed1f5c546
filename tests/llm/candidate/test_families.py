"""`llm` against servers of every family, played by what their documentation says they answer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from llm_endpoint import Answer, Body, Endpoint, Misdeed, in_turn, is_probe
from llm_families import PROBED, REPLIED, TOM, Probed, Replied
from llm_papers import BUNDLE, SECRET, configure, says, sit_paper
from readmark.comprehension.kind import COMPREHENSION
from readmark.core.errors import ReadmarkError
from readmark.core.traffic import Traffic
from readmark.formats.registry import open_sitting
from readmark.sitting.runner import sit

Run = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = pytest.mark.server


def served(server: Probed) -> Callable[[Body], Answer]:
    return lambda body: server.refuse(body) or TOM


@pytest.mark.parametrize("server", PROBED, ids=lambda server: server.family)
def test_what_a_server_takes_is_found_out_before_the_first_question(
    paper: Path, tmp_path: Path, server: Probed
) -> None:
    out = tmp_path / "s.jsonl"
    assert server.source.startswith("https://")
    with Endpoint(served(server), probed=True) as endpoint:
        if server.fails:
            with pytest.raises(ReadmarkError) as raised:
                sit_paper(paper, endpoint, out, *server.parameters, parallel=1)
            assert server.fails in str(raised.value)
            assert "\n" not in str(raised.value)
            assert (len(endpoint.probes), len(endpoint.asked)) == (server.probes, 0)
            assert not out.exists()
            return
        rows = sit_paper(paper, endpoint, out, *server.parameters, parallel=1)
    assert (len(endpoint.probes), len(endpoint.asked)) == (server.probes, 3)
    assert [row.error for row in rows.values()] == [None] * 3
    assert {row.evidence["shape"] for row in rows.values()} == {server.shape}
    assert all(server.limit in body for body in endpoint.asked)
    assert not any(name in body for body in endpoint.asked for name in server.left_out)
    header = open_sitting(out, COMPREHENSION).header
    recorded = header.fields["endpoint"]
    assert recorded.get("shape", "schema") == server.shape
    assert recorded.get("limit", "max_tokens") == server.limit
    assert tuple(recorded.get("left_out", ())) == server.left_out
    assert (header.signature["temperature"] is None) == ("temperature" in server.left_out)


@pytest.mark.parametrize("reply", REPLIED, ids=lambda reply: f"{reply.family}: {reply.case}")
def test_what_a_server_replies_becomes_a_row(paper: Path, tmp_path: Path, reply: Replied) -> None:
    assert reply.source.startswith("https://")
    answers = in_turn(reply.answer, TOM) if reply.again else in_turn(reply.answer)
    with Endpoint(answers) as endpoint:
        name = f'llm(model=m,base_url="{endpoint.url}")'
        sit(str(paper), name, str(tmp_path / "s.jsonl"), limit=1)
    [row] = open_sitting(tmp_path / "s.jsonl", COMPREHENSION).of("q1")
    if reply.error:
        assert row.error is not None
        assert row.error.startswith(reply.error)
        return
    assert (row.text, row.error, row.no_answer_reason) == (reply.text, None, reply.reason)
    assert row.evidence.items() >= reply.evidence.items()
    assert len(endpoint.asked) == 1 + reply.again


def test_every_family_is_played() -> None:
    wanted = {"llama.cpp", "vLLM", "Ollama", "TGI", "OpenAI", "Azure", "DeepSeek", "DashScope"}
    played = {case.family for case in (*PROBED, *REPLIED)}
    assert {name for name in wanted if any(family.startswith(name) for family in played)} == wanted


# What was found out is kept, reported once, and checked when a sitting is resumed.


def no_schema(body: Body) -> Answer:
    if body.get("response_format", {}).get("type") == "json_schema":
        return Misdeed(500, b'{"error": {"message": "no json_schema"}}')
    return TOM


def test_the_finding_is_one_line_and_asked_for_once(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    with Endpoint(no_schema, probed=True) as endpoint:
        command = ["sit", str(paper), "-r", f'llm(model=m,base_url="{endpoint.url}")', "-o"]
        done = readmark_cli(*command, "s.jsonl", "--limit", "2", cwd=tmp_path)
        lines = done.stderr.splitlines()
        assert lines[0] == (
            "readmark: s.jsonl: m takes JSON objects, temperature, max_tokens; "
            "not a JSON schema (HTTP 500: no json_schema)"
        )
        assert sum("takes" in line for line in lines) == 1
        assert (len(endpoint.probes), len(endpoint.asked)) == (3, 2)
        readmark_cli(*command, "s.jsonl", cwd=tmp_path)  # resumed: one look whether that holds
        assert (len(endpoint.probes), len(endpoint.asked)) == (4, 3)
        done = readmark_cli(*command, "t.jsonl", "--cache", "s.jsonl.cache.sqlite", cwd=tmp_path)
        assert "3 from the cache" in done.stderr
        assert (len(endpoint.probes), len(endpoint.asked)) == (4, 3)


def test_a_shape_that_nobody_tried_is_not_called_refused(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    with Endpoint(lambda body: TOM, probed=True) as endpoint:
        candidate = f'llm(model=m,base_url="{endpoint.url}",shape=json)'
        done = readmark_cli("sit", str(paper), "-r", candidate, "-o", "s.jsonl", cwd=tmp_path)
        assert done.stderr.splitlines()[0] == (
            "readmark: s.jsonl: m takes JSON objects, temperature, max_tokens"
        )


def test_a_sitting_without_a_cache_is_resumed_by_its_header(paper: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    with Endpoint(no_schema, probed=True) as endpoint:
        sit_paper(paper, endpoint, out, cache="")
        sit_paper(paper, endpoint, out, cache="")  # nothing is left to ask
        assert (len(endpoint.probes), len(endpoint.asked)) == (3, 3)


def test_a_server_that_takes_something_else_meanwhile(paper: Path, tmp_path: Path) -> None:
    """Another shape is no other candidate; without the temperature it would be."""
    strict: list[str] = []

    def reply(body: Body) -> Answer:
        if body.get("response_format", {}).get("type") in strict:
            return Misdeed(400, b'{"error": {"message": "not that"}}')
        if "temperature" in strict and "temperature" in body:
            return Misdeed(400, b'{"error": {"message": "no temperature"}}')
        return TOM

    name = 'llm(model=m,base_url="{}")'
    with Endpoint(reply, probed=True) as endpoint:
        out = str(tmp_path / "s.jsonl")
        sit(str(paper), name.format(endpoint.url), out, limit=1)
        strict.append("json_schema")
        sit(str(paper), name.format(endpoint.url), out, limit=2)
        strict.append("temperature")
        with pytest.raises(ReadmarkError, match="takes other parameters than when this was begun"):
            sit(str(paper), name.format(endpoint.url), out)
    sat = open_sitting(Path(out), COMPREHENSION)
    shapes = [sat.of(id)[0].evidence["shape"] for id in ("q1", "q2")]
    assert shapes == ["schema", "json"]


def test_an_older_cache_that_knows_the_shape_alone(paper: Path, tmp_path: Path) -> None:
    import sqlite3

    out = tmp_path / "s.jsonl"
    with Endpoint(no_schema, probed=True) as endpoint:
        sit_paper(paper, endpoint, out)
        with sqlite3.connect(f"{out}.cache.sqlite") as file:
            file.execute("UPDATE shapes SET shape = 'json'")
        out.unlink()
        rows = sit_paper(paper, endpoint, out)
        assert all(row.usage["cached"] for row in rows.values())
        assert (len(endpoint.probes), len(endpoint.asked)) == (3, 3)


def test_what_was_left_out_once_is_not_left_out_of_what_is_asked_for(
    paper: Path, tmp_path: Path
) -> None:
    """The cache knows that the endpoint takes no temperature; then somebody sets one."""

    def reply(body: Body) -> Answer:
        no = Misdeed(400, b'{"error": {"message": "no temperature"}}')
        return no if "temperature" in body else TOM

    cache = str(tmp_path / "c.sqlite")
    with Endpoint(reply, probed=True) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "a.jsonl", cache=cache)
        assert [row.error for row in rows.values()] == [None] * 3
        with pytest.raises(ReadmarkError, match=r"m does not take temperature=0.5 .*sends none"):
            sit_paper(paper, endpoint, tmp_path / "b.jsonl", "temperature=0.5", cache=cache)
        rows = sit_paper(paper, endpoint, tmp_path / "c.jsonl", "temperature=-1", cache=cache)
        assert all(row.usage["cached"] for row in rows.values())


@pytest.mark.parametrize("damage", ["shape", "limit", "left_out"])
def test_a_header_that_was_tampered_with_is_not_trusted(
    paper: Path, tmp_path: Path, damage: str
) -> None:
    out = tmp_path / "s.jsonl"
    with Endpoint(no_schema, probed=True) as endpoint:
        name = f'llm(model=m,base_url="{endpoint.url}")'
        traffic = Traffic(cache="")
        sit(str(paper), name, str(out), limit=1, traffic=traffic)
        header, row = out.read_text("utf-8").splitlines()
        document = json.loads(header)
        document["fields"]["endpoint"][damage] = ["seed"] if damage == "left_out" else "odd"
        out.write_text(f"{json.dumps(document)}\n{row}\n", "utf-8")
        done = sit(str(paper), name, str(out), traffic=traffic)
    assert (done.progress.answered, done.progress.before) == (2, 1)


def test_a_shape_that_was_asked_for_is_never_changed(paper: Path, tmp_path: Path) -> None:
    with Endpoint(no_schema, probed=True) as endpoint:
        with pytest.raises(ReadmarkError, match=r"m: HTTP 500.*\(asked with shape=schema\)"):
            sit_paper(paper, endpoint, tmp_path / "s.jsonl", "shape=schema")
        rows = sit_paper(paper, endpoint, tmp_path / "s.jsonl", "shape=text")
    assert {row.evidence["shape"] for row in rows.values()} == {"text"}


def test_a_passing_fault_changes_nothing(paper: Path, tmp_path: Path) -> None:
    """The first probe meets an error of the server, which is gone a moment later."""
    replies = in_turn(Misdeed(500, b"oops"), TOM)
    with Endpoint(replies, probed=True) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "s.jsonl", parallel=1)
    assert {row.evidence["shape"] for row in rows.values()} == {"schema"}


def test_a_busy_server_is_waited_for(paper: Path, tmp_path: Path) -> None:
    busy = Misdeed(503, b'{"error": {"message": "Loading model"}}')
    with Endpoint(in_turn(busy, busy, TOM), probed=True) as endpoint:
        rows = sit_paper(paper, endpoint, tmp_path / "s.jsonl", parallel=1)
        assert len(endpoint.probes) == 3
    assert {row.evidence["shape"] for row in rows.values()} == {"schema"}


# The first requests.


def refusing(status: int, words: str) -> Callable[[Body], Answer]:
    return lambda body: Misdeed(status, json.dumps({"error": {"message": words}}).encode())


@pytest.mark.parametrize("status", [400, 404, 422, 500, 501])
def test_a_run_of_which_all_the_first_fail_alike_is_stopped(
    tmp_path: Path, readmark_cli: Run, status: int
) -> None:
    """The numbers in what the server says need not be the same."""
    count = [0]

    def reply(body: Body) -> Answer:
        count[0] += 1
        return refusing(status, f"slot {count[0]} is broken")(body)

    with Endpoint(reply) as endpoint:
        done = readmark_cli(
            "sit", str(BUNDLE / "reading.en.jsonl"), "-o", "s.jsonl", "--parallel", "1",
            "-r", f'llm(model=m,base_url="{endpoint.url}")', cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 1
        last = done.stderr.splitlines()[-1]
        assert last.startswith("readmark: the first 10 requests all failed alike: ")
        assert last.endswith(f"HTTP {status}: slot 10 is broken")
        assert len(endpoint.asked) == 10


def test_a_run_goes_on_where_they_fail_in_several_ways_or_one_is_answered(tmp_path: Path) -> None:
    def several(body: Body) -> Answer:
        return refusing(400, "this" if len(endpoint.asked) % 2 else "that")(body)

    def one_answered(body: Body) -> Answer:
        return says("Tom") if len(endpoint.asked) == 9 else refusing(400, "no")(body)

    for at, reply in enumerate((several, one_answered)):
        with Endpoint(reply) as endpoint:
            out = tmp_path / f"{at}.jsonl"
            rows = sit_paper(BUNDLE / "reading.en.jsonl", endpoint, out, parallel=1)
        assert len(rows) == 80
        assert len(endpoint.asked) == 80


def test_probes_show_no_key_and_are_paid_for(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    def reply(body: Body) -> Answer:
        if not is_probe(body):
            return says("Tom")
        if "response_format" in body:
            return Misdeed(400, f'{{"error": {{"message": "Bearer {SECRET} no"}}}}'.encode())
        return json.dumps({"answer": "yes"})

    with Endpoint(reply, probed=True) as endpoint:
        configure(tmp_path, endpoint.url)
        done = readmark_cli("sit", str(paper), "-r", "m", "-o", "s.jsonl", "--json", cwd=tmp_path)
    spent: dict[str, Any] = json.loads(done.stdout)["spent"]
    rows = open_sitting(tmp_path / "s.jsonl", COMPREHENSION)
    used = [rows.of(id)[0].usage or {} for id in rows]
    probe = len(endpoint.probes[-1]["messages"][0]["content"].split())
    assert spent["input"] == sum(usage["input"] for usage in used) + probe
    assert spent["output"] == sum(usage["output"] for usage in used) + 2
    assert spent["asked"] == 3
    files = filter(Path.is_file, tmp_path.rglob("*"))
    written = "".join(path.read_text("utf-8", "replace") for path in files)
    assert SECRET not in done.stderr + done.stdout + written
