"""Calls that take seconds: how many run at a time, and that nobody else waits for them."""

from __future__ import annotations

from typing import Any

import pytest

from halls import add_member, add_person, assign, signed_in
from readmark.core.confinement import Late
from readmark.core.errors import DataError
from readmark.server.reading_tasks.graph import GRAPHS
from readmark.server.routes.work_api import CHECKS
from readmark.tasks.hall import mark_findings
from readmark.tasks.hall.reading_task import WORK
from readmark.works import HEAVY_CALLS, CallLimit, HallBusy, heavy_calls
from served_tasks import Services
from stub_work import add_stub, add_stub_project

OVERTIME = "(game overtime true)"


def test_a_person_has_one_call_and_the_hall_a_few() -> None:
    limit = CallLimit(2)
    with limit.turn("ann"):
        with pytest.raises(HallBusy, match="Your last call is still running"), limit.turn("ann"):
            pass
        with (
            limit.turn("bob"),
            pytest.raises(HallBusy, match="busy with other calls"),
            limit.turn("cy"),
        ):
            pass
        with limit.turn("cy"):  # Bob is done
            pass
    with pytest.raises(DataError), limit.turn("ann"):
        raise DataError("a call that failed is over too")
    with limit.turn("ann"), limit.turn(None):
        pass


@pytest.mark.parametrize("call", ["consistency", "consequences", "explanations", "query"])
def test_a_call_too_many_is_refused_at_once_and_nothing_runs(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    services, runs = Services(hall_app), []
    monkeypatch.setattr(heavy_calls, "run_confined", lambda *call, **_: runs.append(call))
    body = {"statements": OVERTIME, "notation": "graph"} | (
        {"query": "(?x overtime ?y)"} if call == "query" else {}
    )
    with HEAVY_CALLS.turn(services.rita):
        refused = services.post(f"task.en/{call}", **body)
    with HEAVY_CALLS.turn("one"), HEAVY_CALLS.turn("two"):
        crowded = services.post(f"task.en/{call}", **body)
    for response in (refused, crowded):
        assert response.status_code == 429, response.text
        assert response.headers["retry-after"] == "2"
    assert runs == []


def test_a_graph_is_downloaded_one_at_a_time(hall_app: Any) -> None:
    services = Services(hall_app)
    graph = "task.en/graph?format=turtle"
    with GRAPHS.turn(services.rita):
        refused = services.get(graph)
    assert refused.status_code == 429
    for _ in range(2):  # the turn ends with the download
        assert services.get(graph).status_code == 200
    with GRAPHS.turn(services.rita):
        pass


def test_a_query_of_the_task_is_looked_up_in_the_persons_turn(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = Services(hall_app)
    monkeypatch.setattr("readmark.tasks.TaskPackage.queries", None)
    with HEAVY_CALLS.turn(services.rita):
        refused = services.post("task.en/query", statements=OVERTIME, id="x")
    assert refused.status_code == 429


def test_a_call_is_stopped_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = {}

    def run(*_: Any, seconds: float, memory: int, **__: Any) -> Any:
        limits.update(seconds=seconds, memory=memory)
        raise Late

    monkeypatch.setattr(heavy_calls, "run_confined", run)
    with pytest.raises(DataError, match="the call took more than 7 s and was stopped"):
        heavy_calls.run_call(print, {}, seconds=7)
    assert limits == {"seconds": 7, "memory": heavy_calls.MOST_MEMORY}


def test_submitting_and_uploading_are_heavy_calls_too(hall_app: Any) -> None:
    services = Services(hall_app)
    file = {"file": ("task.zip", b"PK")}
    with HEAVY_CALLS.turn(services.rita):
        responses = [
            services.post("task.en/submissions", answers={"q1": [{"x": 1}]}),
            services.reader.post("/api/reading-tasks/task.en/submissions/file", files=file),
            services.reader.post("/api/reading-tasks/packages", files=file),
            services.reader.post("/reading-tasks", files=file),
            services.reader.post("/reading-tasks/task.en/submissions", files=file),
            services.post("", source="task.en", make={}),
        ]
    assert [response.status_code for response in responses] == [429] * 6


def test_one_check_a_person_runs_and_saves_go_on(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_stub(monkeypatch)
    project, ann, (first, _) = add_stub_project(hall_app)
    bob = add_person(hall_app, "bob")
    add_member(hall_app, project, bob, "annotator")
    bobs, _ = assign(hall_app, project, bob)
    browser, other = signed_in(hall_app, ann), signed_in(hall_app, bob)
    with CHECKS.turn(ann):
        refused = browser.post(f"/api/assignments/{first}/check", json={"objects": {}})
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "2")
        assert other.post(f"/api/assignments/{bobs}/check", json={"objects": {}}).status_code == 200
        change = {"sequence": 1, "object": "n", "value": {"type": "note", "value": "x"}}
        sent = {"client": "client-a", "events": [change]}
        saved = browser.post(f"/api/assignments/{first}/events", json=sent)
        assert saved.status_code == 200, saved.text
    checked = browser.post(f"/api/assignments/{first}/check", json={"objects": {}})
    assert checked.status_code == 200


def test_a_check_that_is_busy_elsewhere_is_no_finding(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_stub(monkeypatch)
    _, ann, (first, _) = add_stub_project(hall_app)

    def refuse(*_: Any) -> Any:
        raise HallBusy("The hall is busy with other calls. Please try again.")

    monkeypatch.setattr("stub_work.StubWork.check", refuse)
    refused = signed_in(hall_app, ann).post(f"/api/assignments/{first}/check", json={"objects": {}})
    assert refused.status_code == 429


def test_the_process_of_a_check_is_limited_in_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mark_findings, "run_call", None)  # nothing is run
    objects = {f"m{number}": {"type": "mark"} for number in range(mark_findings.MOST_MARKS + 1)}
    [finding] = WORK.check(Any, objects, Any)  # type: ignore[arg-type]
    assert finding.code == "too_many"
    assert "2,000 marks" in finding.message["en"]  # type: ignore[index]
