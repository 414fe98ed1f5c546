"""Submissions to a shared task: files of every format, bad and hostile ones, limits, retries."""

from __future__ import annotations

import gzip
import json
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

import readmark
from command_line import in_process
from halls import client_of, hall_in, session_of
from readmark.core.marksheet import MarkedUnit, read_marksheet_rows
from readmark.server.access import COOKIE, Scope
from readmark.server.app import create_app
from readmark.server.shared_tasks import job_work, submissions, worker
from readmark.server.shared_tasks.job_work import JobLimits
from readmark.server.shared_tasks.teams import join_team
from readmark.server.tables import Job, Person, Submission
from running_hall import RunningHall
from shared_task_hall import (
    ANSWERS,
    TaskHall,
    comprehension_test,
    confined_here,
    open_task,
)
from stubborn_marker import stubborn_marker


@pytest.fixture
def quick_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marking in this process."""
    monkeypatch.setattr(job_work, "run_confined", confined_here)


@pytest.fixture
def mills(hall_app: Any, tmp_path: Path) -> TaskHall:
    """A task with a hidden split, two teams and an organiser."""
    task = open_task(hall_app, comprehension_test(tmp_path / "mills.jsonl"))
    task.add_team("Otters")
    task.add_team("Herons")
    task.add_organiser()
    return task


def send(client: Any, task: TaskHall, name: str, content: str | bytes, **fields: str) -> Any:
    given = {"system": name, **fields}
    return client.post(f"{task.api}/submissions", files={"file": (name, content)}, data=given)


def state(client: Any, task: TaskHall, submission: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{task.api}/submissions/{submission}").json()
    return found


# The marks are those of the command line, whatever the kind and the format.


def native(kind: str, member: str, answers: dict[str, Any]) -> str:
    header = {"readmark": 1, "file": "sitting", "kind": kind, "candidate": "x"}
    rows = [{"id": id, member: answer} for id, answer in answers.items()]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in (header, *rows))


def dictionary(kind: str, member: str, answers: dict[str, Any]) -> str:
    return json.dumps(answers)


def lines(kind: str, member: str, answers: dict[str, Any]) -> str:
    rows = [{"id": id, "prediction_text": answer} for id, answer in answers.items()]
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(kind: str, member: str, answers: dict[str, Any]) -> str:
    return "id,prediction_text\n" + "".join(f"{id},{text}\n" for id, text in answers.items())


def harness_log(kind: str, member: str, answers: dict[str, Any]) -> str:
    """The samples that lm-evaluation-harness logs."""
    rows = [
        {"doc_id": number, "doc": {"id": id}, "filtered_resps": [text], "resps": [[text]]}
        for number, (id, text) in enumerate(answers.items())
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def gzipped(kind: str, member: str, answers: dict[str, Any]) -> bytes:
    return gzip.compress(native(kind, member, answers).encode())


Writer = Callable[[str, str, dict[str, Any]], str | bytes]
FORMATS: dict[str, tuple[Writer, ...]] = {
    "reading.en.jsonl": (native, dictionary, lines, table, gzipped, harness_log),
    "series.zh.jsonl": (native, dictionary),
    "readability.en.jsonl": (native, dictionary),
    "task.zh.zip": (native, dictionary),
}
NAMES = {table: "answers.csv", dictionary: "answers.json", gzipped: "answers.jsonl.gz"}


def some_answers(test: Any) -> dict[str, Any]:
    """Answers to most units, some of them right."""
    given: dict[str, Any] = {}
    for number, unit in enumerate(test.units()):
        if number % 5 == 4:
            continue
        people = test.kind.references(unit)
        first = people[0][0] if people and people[0] else None
        if test.kind.name == "readability":
            given[unit.id] = 1 + number % 5
        elif test.kind.name == "task":
            solutions = first.solutions[:2] if first is not None else ()
            given[unit.id] = [dict(solution.values) for solution in solutions]
        else:
            right = getattr(first, "text", "") if number % 3 else "somewhere"
            given[unit.id] = right.replace(",", " ")
    return given


@pytest.mark.usefixtures("quick_worker")
@pytest.mark.parametrize("bundled", FORMATS)
def test_marks_are_those_of_the_command_line(hall_app: Any, tmp_path: Path, bundled: str) -> None:
    path = tmp_path / bundled
    path.write_bytes(files("readmark.bundle").joinpath(bundled).read_bytes())
    test = readmark.load(path)
    task = open_task(hall_app, path, hidden=["test"], ladder=False)
    task.add_team("Otters")
    client, sent = task.program("otters"), {}
    for writer in FORMATS[bundled]:
        name = NAMES.get(writer, "answers.jsonl")
        content = writer(test.kind.name, test.kind.answer, some_answers(test))
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        sent[writer.__name__] = (name, send(client, task, name, content).json()["submission"])
    task.work()
    expected: dict[str, Any] = {}
    for writer_name, (name, submission) in sent.items():
        shown = state(client, task, submission)
        assert shown["state"] == "marked", (writer_name, shown["error"])
        assert set(shown["splits"]) == {split or "" for split in test.facts.splits}
        for split, part in shown["splits"].items():
            if split not in expected:  # every format has the same answers
                metrics = [word for metric in part["marks"] for word in ("-m", metric)]
                given = ("mark", path, tmp_path / name, "--split", split, "--json", *metrics)
                expected[split] = json.loads(in_process(*given, "--no-units").stdout)
            marks = expected[split]
            for metric, mark in marks["marks"].items():
                own = part["marks"][metric]
                for member in own:
                    figure = mark[member]
                    if split == "test" and member in ("score", "low", "high"):
                        step = mark["scale"] / marks["units"]  # a hidden mark is rounded to a unit
                        figure = figure and pytest.approx(step * round(figure / step))
                    assert own[member] == figure, (writer_name, split, metric, member)
            assert (part["units"], part["answered"]) == (marks["units"], marks["answered"])
            assert part["is_hidden"] == (split == "test")


@pytest.mark.usefixtures("quick_worker")
def test_marks_worked_by_hand(mills: TaskHall) -> None:
    client = mills.program("otters")
    sent = send(client, mills, "a.json", json.dumps(ANSWERS), is_ensemble="true", description="d")
    assert sent.status_code == 201
    mills.work()
    shown = state(client, mills, sent.json()["submission"])
    scores = {
        split: {metric: round(mark["score"], 3) for metric, mark in part["marks"].items()}
        for split, part in shown["splits"].items()
    }
    # dev: right, "in 1872" for "1872", wrong; test: right, right, wrong
    assert scores == {
        "dev": {"em": 33.333, "f1": 55.556, "average": 44.444},
        "test": {"em": 66.667, "f1": 66.667, "average": 66.667},
    }
    kept = ("team", "system", "description", "is_ensemble", "phase", "origin")
    assert [shown[name] for name in kept] == ["Otters", "a.json", "d", True, "formal", "file"]


# Bad files: the line of the command line.

OTHER_PAPER = native("comprehension", "text", ANSWERS).replace(
    '"kind"', '"paper": "00000000000000000000000000000000", "kind"', 1
)
BAD: dict[str, str | bytes] = {
    "cut.json": '{"dev-0-q": "1861',
    "latin.json": b'{"dev-0-q": "caf\xe9"}',
    "empty.json": "",
    "binary.json": b"\x00\x01\x02\x03",
    "page.html": "<html><body>404</body></html>",
    "other.json": '{"x": "y"}',
    "numbers.json": '{"dev-0-q": 1e999}',
    "deep.json": '{"dev-0-q": ' + "[" * 50_000 + "]" * 50_000 + "}",
    "twice.csv": "id,prediction_text\ndev-0-q,1861\ndev-0-q,1872\n",
    "columns.csv": "question,text\nx,y\n",
    "paper.jsonl": OTHER_PAPER,
    "kind.jsonl": native("series", "rewrite", ANSWERS),
    "row.jsonl": native("comprehension", "rating", dict.fromkeys(ANSWERS, 3)),
    "broken.jsonl.gz": gzip.compress(b"x" * 1000)[:20],
    "bomb.json.gz": gzip.compress(b'{"dev-0-q": "' + b"1" * (70 << 20) + b'"}', 1),
    "no.zip": b"PK\x03\x04 and nothing more",
    "中文.json": "{",
}


@pytest.mark.usefixtures("quick_worker")
def test_what_is_wrong_with_a_file_is_the_line_of_the_command_line(
    mills: TaskHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MOST_FAILED", 1000)
    client, sent = mills.program("otters"), {}
    for name, content in BAD.items():
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        answer = send(client, mills, name, content)
        if answer.status_code == 429:  # those that wait count until they have failed
            mills.work()
            answer = send(client, mills, name, content)
        assert answer.status_code == 201, answer.text
        sent[name] = answer.json()["submission"]
    mills.work()
    for name, submission in sent.items():
        shown = state(client, mills, submission)
        printed = in_process("mark", "mills.jsonl", name, cwd=tmp_path)
        assert printed.returncode in (1, 2), name
        line = printed.stderr.strip().splitlines()[-1].removeprefix("readmark: ")
        assert (shown["state"], shown["error"], shown["splits"]) == ("failed", line, {}), name
        assert str(tmp_path) not in shown["error"]


def test_hostile_files_fail_alone(
    mills: TaskHall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Real processes with small limits; the file after them is marked."""
    monkeypatch.setattr(job_work.marker, "mark_submission", stubborn_marker)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))  # where the process finds it
    monkeypatch.setattr(worker, "FAULTS", 1)  # otherwise it is tried again when its lease ends
    client = mills.program("otters")
    good, sent = json.dumps(ANSWERS), {}
    sent["loop"] = send(client, mills, "loop.json", good).json()["submission"]
    mills.work(JobLimits(seconds=1))
    for name in ("greedy", "deadly", "good"):
        sent[name] = send(client, mills, f"{name}.json", good).json()["submission"]
    mills.work(JobLimits(memory=600 << 20))
    shown = {name: state(client, mills, submission) for name, submission in sent.items()}
    assert {name: (part["state"], part["error"]) for name, part in shown.items()} == {
        "loop": ("failed", "marking it took longer than 1 seconds"),
        "greedy": ("failed", "marking it needs more memory than the limit of 0.6 GiB"),
        "deadly": ("failed", worker.FAULT),
        "good": ("marked", ""),
    }
    assert set(shown["good"]["splits"]) == {"dev", "test"}
    assert "1861" not in caplog.text


# Limits.


@pytest.mark.usefixtures("quick_worker")
def test_limits_of_a_day_and_of_a_phase(mills: TaskHall) -> None:
    mills.configure(per_day=2, per_phase=3)
    otters, herons = mills.program("otters"), mills.program("herons")
    good = json.dumps(ANSWERS)
    assert send(otters, mills, "bad.json", "{").status_code == 201
    assert send(otters, mills, "a.json", good).status_code == 201
    full = send(otters, mills, "b.json", good)
    assert full.status_code == 429
    assert full.json()["detail"].startswith("Otters has made 2 of 2 submissions today; the next")
    mills.work()  # the bad one fails, and does not count any more
    assert send(otters, mills, "b.json", good).status_code == 201
    assert send(otters, mills, "c.json", good).status_code == 429
    assert send(herons, mills, "a.json", good).status_code == 201
    page = mills.browser("otters").post(
        "/tasks/mills/submissions", files={"file": ("c.json", good)}, data={"system": "typed in"}
    )
    assert page.status_code == 429
    assert "Otters has made 2 of 2 submissions today" in page.text
    assert 'value="typed in"' in page.text
    with hall_in(mills.app).database.writing() as session:  # a day later
        session.execute(update(Submission).values(received=Submission.received - submissions.DAY))
    assert send(otters, mills, "c.json", good).status_code == 201
    over = send(otters, mills, "d.json", good)
    assert over.json() == {"detail": "Otters has made all 3 submissions of the formal phase"}


def test_phases_and_closed_tasks_refuse_with_a_line(mills: TaskHall) -> None:
    client, good = mills.program("otters"), json.dumps(ANSWERS)
    mills.configure(formal={"begins": "2999-01-01"})
    early = send(client, mills, "a.json", good)
    expected = "the formal phase begins on 2999-01-01: nothing is accepted before"
    assert (early.status_code, early.json()["detail"]) == (409, expected)
    assert expected in mills.browser("otters").get("/tasks/mills/submissions").text
    mills.configure(formal={"begins": "2020-01-01", "ends": "2020-01-02"})
    assert send(client, mills, "a.json", good).json()["detail"].startswith("the task is over")
    mills.configure()
    nameless = send(client, mills, "a.json", good, system=" ")
    assert nameless.status_code == 422
    assert nameless.json()["detail"] == "a submission needs the name of its system"


# Sent twice.


def test_one_key_is_one_submission_however_often_it_is_sent(
    either_app: Any, tmp_path: Path
) -> None:
    task = open_task(either_app, comprehension_test(tmp_path / "mills.jsonl"))
    task.add_team("Otters")
    clients, good = [task.program("otters") for _ in range(8)], json.dumps(ANSWERS)
    with ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(lambda client: send(client, task, "a.json", good, key="k1"), clients)
        )
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]
    assert len({answer.json()["submission"] for answer in answers}) == 1
    other = send(clients[0], task, "a.json", "{}", key="k1")
    assert other.status_code == 409
    assert other.json() == {"detail": "the key 'k1' belongs to a submission of another file"}
    with hall_in(either_app).database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Submission)) == 1
        assert session.scalar(select(func.count()).where(Job.kind == "mark")) == 1


def change_team(task: TaskHall, login: str, team: str) -> None:
    """Leave a team and join another."""
    task.browser(login).post(f"/tasks/{task.slug}/team", data={"action": "leave"})
    with hall_in(task.app).database.writing() as session:
        person = session.get_one(Person, task.people[login])
        join_team(session, task.project.id, person, team_id=task.teams[team])


def test_a_key_of_another_team_is_no_submission_of_this_one(mills: TaskHall) -> None:
    client, good = mills.program("otters"), json.dumps(ANSWERS)
    assert send(client, mills, "a.json", good, key="k1").status_code == 201
    change_team(mills, "otters", "Herons")
    refused = send(client, mills, "a.json", good, key="k1")
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "the key 'k1' belongs to a submission of another team",
    )


def test_a_project_that_is_full_takes_no_submissions(mills: TaskHall) -> None:
    hall = hall_in(mills.app)
    mills.app = create_app(replace(hall.settings, largest_project=1 << 20), hall.database)
    refused = send(mills.program("otters"), mills, "a.json", " " * (1 << 20))
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("the project may store 1 MB and has 0.0 MB")
    assert send(mills.program("otters"), mills, "a.json", json.dumps(ANSWERS)).status_code == 201


def test_who_changes_teams_has_no_more_submissions(mills: TaskHall) -> None:
    mills.configure(per_day=2)
    otters, good = mills.program("otters"), json.dumps(ANSWERS)
    assert [send(otters, mills, "a.json", good).status_code for _ in range(2)] == [201, 201]
    change_team(mills, "otters", "Herons")
    refused = send(otters, mills, "a.json", good)
    assert refused.status_code == 429
    words = "you have made 2 of 2 submissions today for other teams; the next day begins"
    assert refused.json()["detail"].startswith(words)
    assert send(mills.program("herons"), mills, "a.json", good).status_code == 201


def test_a_server_that_dies_before_it_acknowledges_has_one_submission(
    mills: TaskHall, tmp_path: Path
) -> None:
    """The file is stored, the server is killed, and the client that heard nothing tries again."""
    token, good = mills.token("otters"), json.dumps(ANSWERS)
    hall, body = RunningHall(f"sqlite:///{tmp_path}/hall.db", tmp_path), multipart(good)
    head = (
        f"POST {mills.api}/submissions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=cut\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    replies = []
    try:
        for round in range(2):
            hall.start()
            with socket.create_connection(("127.0.0.1", hall.port), timeout=30) as connection:
                connection.sendall(head.encode() + body)
                if round:
                    replies.append(connection.recv(1 << 16))
                while not stored(mills):
                    time.sleep(0.005)
                hall.kill()
    finally:
        hall.kill()
    assert replies[0].startswith(b"HTTP/1.1 200 ")
    with hall_in(mills.app).database.reading() as session:
        found = session.scalars(select(Submission)).all()
        assert [(row.number, row.state, row.size) for row in found] == [(1, "waiting", len(good))]
        assert session.scalar(select(func.count()).where(Job.kind == "mark")) == 1


def stored(task: TaskHall) -> bool:
    with hall_in(task.app).database.reading() as session:
        return session.scalar(select(Submission.id)) is not None


def multipart(content: str) -> bytes:
    fields = {"system": "x", "key": "k1"}
    parts = [
        f'--cut\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    file = 'Content-Disposition: form-data; name="file"; filename="a.json"'
    return "".join((*parts, f"--cut\r\n{file}\r\n\r\n{content}\r\n--cut--\r\n")).encode()


# Who sees what.


@pytest.mark.usefixtures("quick_worker")
def test_a_submission_has_a_public_part_and_one_of_its_team(mills: TaskHall) -> None:
    script = "<script>alert('x')</script>"
    otters = mills.program("otters")
    good = send(otters, mills, "a.json", json.dumps(ANSWERS), system=script, description=script)
    bad = send(otters, mills, "b.json", '{"x": "y"}')
    mills.work()
    good, bad = good.json()["submission"], bad.json()["submission"]
    own, others = mills.browser("otters"), mills.browser("herons")
    organiser, nobody = mills.browser("olga"), client_of(mills.app)
    page = f"/tasks/mills/submissions/{good}"
    for reader in (own, others, organiser, nobody):
        text = reader.get(page).text
        assert "&lt;script&gt;alert" in text
        assert "<script>alert" not in text
        assert "55.56" in text
        assert "metric:f1|profile:squad" in text
        assert (f"/api{page}/answers" in text) == (reader in (own, organiser))
    error = "no answer is to a unit of mills.jsonl"
    failed = f"/tasks/mills/submissions/{bad}"
    assert error in own.get(failed).text
    assert error in own.get("/tasks/mills/submissions").text
    assert error in organiser.get(failed).text
    assert others.get(failed).status_code == 404
    assert nobody.get(failed).headers["location"].startswith("/login")
    assert others.get("/api" + page).status_code == 404
    for path in ("/answers", "/marksheets/dev"):
        assert others.get(f"/api{page}{path}").status_code == 404
        assert own.get(f"/api{page}{path}").status_code == 200
        assert organiser.get(f"/api{page}{path}").status_code == 200
    for reader in (own, organiser):
        assert reader.get(f"/api{page}/marksheets/test").status_code == 404  # it is hidden
        assert reader.get(f"/api{page}/marksheets/none").status_code == 404
    assert own.get(f"/api{page}/answers").json() == ANSWERS
    assert others.post(f"{page}/withdraw").status_code == 404
    assert others.delete("/api" + page).status_code == 404
    assert mills.program("otters", Scope.READ).get("/api" + page).status_code == 403
    listed = [
        row["submission"]
        for row in otters.get("/api/tasks/mills/submissions").json()["submissions"]
    ]
    assert listed == [bad, good]
    second = otters.get("/api/tasks/mills/submissions?before=2&limit=1").json()["submissions"]
    assert [row["submission"] for row in second] == [good]
    assert others.get("/api/tasks/mills/submissions").json() == {"submissions": []}


@pytest.mark.usefixtures("quick_worker")
def test_a_marksheet_of_a_public_split_has_no_key(mills: TaskHall, tmp_path: Path) -> None:
    client = mills.program("otters")
    wrong = json.dumps(dict.fromkeys(ANSWERS, "never"))
    sent = send(client, mills, "a.json", wrong).json()["submission"]
    mills.work()
    sheet = tmp_path / "dev.jsonl.zst"
    sheet.write_bytes(client.get(f"{mills.api}/submissions/{sent}/marksheets/dev").content)
    rows = [row for row in read_marksheet_rows(sheet) if isinstance(row, MarkedUnit)]
    assert [row.id for row in rows] == ["dev-0-q", "dev-1-q", "dev-2-q"]
    assert not any(row.gold for row in rows)


@pytest.mark.usefixtures("quick_worker")
@pytest.mark.parametrize("part", [{"limit": 2}, {"covers": ["dev-0-q", "test-0-q", "test-1-q"]}])
def test_nobody_chooses_the_units_that_they_are_marked_by(
    mills: TaskHall, part: dict[str, Any]
) -> None:
    client = mills.program("otters")
    header = {"readmark": 1, "file": "sitting", "kind": "comprehension", "candidate": "sly", **part}
    rows = [{"id": id, "text": text} for id, text in ANSWERS.items()]
    content = "".join(json.dumps(row) + "\n" for row in (header, *rows))
    sent = send(client, mills, "sly.jsonl", content).json()
    mills.work()
    splits = state(client, mills, sent["submission"])["splits"]
    assert {name: split["units"] for name, split in splits.items()} == {"dev": 3, "test": 3}
    assert splits["test"]["marks"]["em"]["score"] == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("\u202egnp", "cannot be seen"),
        ("a\u200bb", "cannot be seen"),
        ("a\x1b[31m", "cannot be seen"),
        ("\u3164 \u2800", "needs the name"),
        ("bôw 系统 2.0 ❤\ufe0f", ""),
    ],
)
def test_the_name_of_a_system_can_be_read(mills: TaskHall, system: str, words: str) -> None:
    sent = send(mills.program("otters"), mills, "a.json", json.dumps(ANSWERS), system=system)
    assert (sent.status_code, words) == (422 if words else 201, words)
    assert words in sent.json().get("detail", "")


@pytest.mark.usefixtures("quick_worker")
def test_an_error_is_no_answer(mills: TaskHall) -> None:
    client = mills.program("otters")
    header = {"readmark": 1, "file": "sitting", "kind": "comprehension", "candidate": "frail"}
    rows = [{"id": "dev-0-q", "text": "1861"}, {"id": "dev-1-q", "error": "no reply"}]
    content = "".join(json.dumps(row) + "\n" for row in (header, *rows))
    sent = send(client, mills, "frail.jsonl", content).json()
    mills.work()
    dev = state(client, mills, sent["submission"])["splits"]["dev"]
    assert (dev["units"], dev["answered"]) == (3, 1)
    assert dev["marks"]["em"]["score"] == pytest.approx(100 / 3)


@pytest.mark.usefixtures("quick_worker")
def test_before_papers_are_out_a_guessed_id_is_as_unknown_as_any_other(mills: TaskHall) -> None:
    mills.configure(practice={"begins": "2020-01-01"}, formal={"begins": "2999-01-01"})
    client, errors = mills.program("otters"), []
    paper = client.get(mills.api).json()["paper"]
    header = {"readmark": 1, "file": "sitting", "kind": "comprehension", "paper": paper}
    for id in ("test-0-q", "fish-0-q"):
        row = json.dumps({"id": id, "text": "1861"})
        for name, content in (
            ("a.json", json.dumps({id: "1861"})),
            ("a.jsonl", f"{json.dumps(header)}\n{row}\n"),
        ):
            sent = send(client, mills, name, content).json()
            mills.work()
            errors.append(state(client, mills, sent["submission"])["error"].replace(id, "ID"))
    assert errors[:2] == errors[2:]
    assert errors[1] == "answers no unit of split dev: nothing else is marked yet"


@pytest.mark.usefixtures("quick_worker")
def test_an_organiser_filters_marks_again_and_withdraws(mills: TaskHall) -> None:
    good = json.dumps(ANSWERS)
    first = send(mills.program("otters"), mills, "lantern.json", good).json()["submission"]
    send(mills.program("otters"), mills, "broken.json", "{")
    send(mills.program("herons"), mills, "candle.json", good)
    mills.work()
    olga, tab = mills.browser("olga"), "/projects/mills/submissions"
    shown = {
        query: {name for name in ("lantern", "broken", "candle") if f">{name}.json" in text}
        for query in ("", "state=failed", "team=Herons", "system=LAN", "system=%25", "team=-")
        for text in [olga.get(f"{tab}?{query}").text]
    }
    assert shown == {
        "": {"lantern", "broken", "candle"},
        "state=failed": {"broken"},
        "team=Herons": {"candle"},
        "system=LAN": {"lantern"},
        "system=%25": set(),
        "team=-": set(),
    }
    again = olga.post(tab, data={"submission": first, "action": "again"})
    assert "Submission 1 waits to be marked again." in again.text
    assert state(olga, mills, first)["state"] == "waiting"
    assert client_of(mills.app).get(f"/tasks/mills/submissions/{first}").status_code == 200
    mills.work()
    assert state(olga, mills, first)["splits"]["dev"]["marks"]["em"]["score"] == pytest.approx(
        100 / 3
    )
    assert (
        "Submission 1 is withdrawn."
        in olga.post(tab, data={"submission": first, "action": "withdraw"}).text
    )
    mills.work()
    assert state(olga, mills, first)["splits"] == {}
    refused = olga.post(f"{mills.api}/submissions/{first}/mark")
    assert refused.status_code == 409
    assert refused.json() == {"detail": "submission 1 is withdrawn: it cannot be marked"}
    assert client_of(mills.app).get(f"/tasks/mills/submissions/{first}").status_code == 303
    assert mills.browser("otters").get(tab).status_code == 404


def test_a_form_that_is_sent_twice_makes_one_submission(mills: TaskHall) -> None:
    browser, page = mills.browser("otters"), "/tasks/mills/submissions"
    good, key = {"file": ("a.json", json.dumps(ANSWERS))}, {"system": "x", "key": "f00d"}
    for _ in range(2):
        answer = browser.post(page, files=good, data=key)
        assert answer.headers["location"] == f"{page}?sent=1"
    other = browser.post(page, files={"file": ("b.json", "{}")}, data=key)  # the page was kept
    assert other.headers["location"] == f"{page}?sent=2"
    assert browser.post(page, data=key).status_code == 422
    for language in ("en", "zh"):
        text = browser.get(page, headers={"accept-language": language}).text
        assert ("等待评分" in text) == (language == "zh")
        assert 'data-address="/tasks/mills/submissions"' in text


@pytest.mark.usefixtures("quick_worker")
def test_the_list_follows_the_marking_while_somebody_types(
    mills: TaskHall, tmp_path: Path, chromium: Any
) -> None:
    send(mills.program("otters"), mills, "a.json", json.dumps(ANSWERS))
    hall = RunningHall(f"sqlite:///{tmp_path}/hall.db", tmp_path)
    hall.start()
    try:
        context = chromium.new_context(viewport={"width": 390, "height": 800}, locale="en-GB")
        secret = session_of(mills.app, mills.people["otters"])
        context.add_cookies([{"name": COOKIE, "value": secret, "url": hall.address}])
        page = context.new_page()
        page.goto(f"{hall.address}/tasks/mills/submissions")
        page.fill("#system", "typed before")
        assert page.inner_text("#submissions tbody td:nth-child(3)").startswith("waiting")
        mills.work()
        page.wait_for_selector("#submissions:not([data-address])")
        assert "f1 55.56" in page.inner_text("#submissions")
        assert page.input_value("#system") == "typed before"
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide)
        context.close()
    finally:
        hall.kill()
