"""The Python client and ``readmark submit``: against a real hall, and servers that fail."""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import select

import readmark
from command_line import in_process
from data_server import Act, DataServer, moved, send
from halls import add_person, hall_in
from readmark import ClientError, ClientLimits, DataError, UsageError
from readmark.cli.main import run
from readmark.client import answer_sender
from readmark.client import hall as hall_module
from readmark.client.addresses import task_address
from readmark.client.connection import Connection
from readmark.server.access import Scope
from readmark.server.api_tokens import create_token
from readmark.server.shared_tasks import job_work, worker
from readmark.server.shared_tasks.worker import start_workers, stop_workers
from readmark.server.tables import Submission
from shared_task_hall import ANSWERS, TaskHall, comprehension_test, open_task
from work_pages import serving

TOKEN = "a-token-that-nobody-else-may-see"
QUICK = ClientLimits(first_wait=0.001, attempts=4, silence=5.0, longest_wait=1.0)


class OpenHall:
    """A shared task behind a server, a worker, and a client with a team's token."""

    def __init__(self, task: TaskHall, address: str, test: Path) -> None:
        self.task, self.address, self.test = task, address, test
        self.page = f"{address}/tasks/{task.slug}"
        self.token = task.token("arlo", Scope.SUBMIT, Scope.READ)
        self.client = readmark.Client(address, self.token)

    def count(self) -> int:
        """How many submissions there are."""
        with hall_in(self.task.app).database.reading() as session:
            return len(session.scalars(select(Submission.id)).all())


@pytest.fixture
def open_hall(hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenHall]:
    monkeypatch.delenv("READMARK_TOKEN", raising=False)
    monkeypatch.setattr(job_work, "run_confined", lambda work, asked, **options: work(asked))
    monkeypatch.setattr(worker, "POLL", 0.02)
    monkeypatch.setattr(hall_module, "FIRST_LOOK", 0.02)
    test = comprehension_test(tmp_path / "mills.jsonl")
    task = open_task(hall_app, test, per_day=100)
    task.add_team("Arlo")
    workers = start_workers(hall_in(hall_app).database, 1)
    try:
        with serving(hall_app) as address:
            yield OpenHall(task, address, test)
    finally:
        stop_workers(workers)


def scores(submission: readmark.HallSubmission, split: str) -> dict[str, float | None]:
    marks = submission.marks(split)
    return {name: round(marks[name].score or 0.0, 2) for name in ("em", "f1")}


def test_a_submission_comes_back_with_the_marks_of_the_command_line(open_hall: OpenHall) -> None:
    client = open_hall.client
    submitted = client.submit("mills", ANSWERS, system="mill reader", description="A rule.")
    assert (submitted.state, submitted.number, submitted.is_new) == ("marked", 1, True)
    assert scores(submitted, "dev") == {"em": 33.33, "f1": 55.56}  # (1 + 2/3 + 0) / 3
    assert scores(submitted, "test") == {"em": 66.67, "f1": 66.67}
    for split in ("dev", "test"):
        marks = readmark.mark(readmark.load(open_hall.test, split=split), ANSWERS)
        for name, mark in marks.marks.items():
            released = submitted.marks(split)[name]
            expected = (mark.score, mark.low, mark.high)
            assert (released.score, released.low, released.high) == pytest.approx(expected)
    assert "55.56" in str(submitted)
    assert "<table" in submitted._repr_html_()
    rows = {(row["split"], row["metric"]) for row in submitted.table_rows()}
    assert {("dev", "em"), ("test", "f1")} <= rows
    with pytest.raises(ClientError, match=r"there are marks on: dev, test"):
        submitted.marks("train")

    repeated = client.submit("mills", ANSWERS, system="mill reader")
    assert (repeated.submission, repeated.is_new) == (submitted.submission, False)
    again = client.submit("mills", ANSWERS, system="mill reader", key="another", ensemble=True)
    assert (again.number, again.is_ensemble, again.is_new) == (2, True, True)
    sitting = readmark.sit(open_hall.test, lambda unit: ANSWERS[unit.id])
    third = client.submit("mills", sitting, system="in memory")
    assert scores(third, "dev") == scores(submitted, "dev")
    assert [entry.number for entry in client.submissions("mills")] == [3, 2, 1]
    assert client.withdraw("mills", again.submission).state == "withdrawn"
    assert client.submission("mills", again.submission).state == "withdrawn"
    assert open_hall.count() == 3


def test_what_a_hall_shows_of_its_tasks_and_boards(open_hall: OpenHall, tmp_path: Path) -> None:
    client = open_hall.client
    assert [task.task for task in client.tasks()] == ["mills"]
    task = client.task("mills")
    assert [(split.name, split.units, split.is_hidden) for split in task.splits] == [
        ("dev", 3, False),
        ("test", 3, True),
    ]
    assert "hidden" in str(task)
    assert "mills" in str(client.tasks())
    public = readmark.load(client.download("mills", tmp_path / "public.jsonl"))
    keys = {unit.id: unit.key is not None for unit in public.units()}
    assert keys == {id: id.startswith("dev") for id in ANSWERS}
    paper = readmark.load(client.download("mills", tmp_path / "p.jsonl", split="dev", paper=True))
    assert [unit.key for unit in paper.units()] == [None] * 3
    client.submit("mills", ANSWERS, system="mill reader")
    board = readmark.Client(open_hall.address).board("mills")  # anybody may see it
    assert [row["system"] for row in board.document["rows"]] == ["mill reader"]
    assert "mill reader" in str(board)
    assert "mill reader" in board.as_csv()
    earlier = client.board("mills", version=board.document["version"])
    assert earlier.as_json()["rows"] == board.as_json()["rows"]
    with pytest.raises(ClientError, match="no such thing, or it is not open to you"):
        client.task("elsewhere")


def test_a_sitting_through_the_api_resumes_where_it_was_interrupted(
    open_hall: OpenHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_sender, "LONGEST_DELAY", 0.0)
    asked: list[str] = []

    def reader(unit: readmark.Unit) -> str:
        assert unit.key is None
        if len(asked) == 4:
            asked.append("interrupted")
            raise KeyboardInterrupt
        asked.append(unit.id)
        return ANSWERS[unit.id]

    with pytest.raises(KeyboardInterrupt):
        open_hall.client.sit("mills", reader, system="mill reader")
    done = open_hall.client.sit("mills", reader, system="mill reader")
    asked.remove("interrupted")
    assert sorted(asked) == sorted(ANSWERS), "each unit was asked once"
    assert (done.units, done.answered, done.errors, done.is_finished) == (6, 6, 0, True)
    assert scores(done.submission, "dev") == {"em": 33.33, "f1": 55.56}
    assert done.submission.origin == "api"
    assert open_hall.count() == 1
    finished = open_hall.client.sit("mills", reader, system="mill reader")
    assert finished.submission.submission == done.submission.submission
    assert len(asked) == 6


def test_each_phase_has_a_sitting_of_its_own(open_hall: OpenHall) -> None:
    client, reader = open_hall.client, lambda unit: ANSWERS[unit.id]
    over, now = {"begins": "2020-01-01", "ends": "2020-01-02"}, {"begins": "2020-01-03"}
    open_hall.task.configure(practice=now, formal={"begins": "2999-01-01"})
    first = client.sit("mills", reader, system="x")
    open_hall.task.configure(practice=over, formal=now)
    second = client.sit("mills", reader, system="x")
    assert (first.submission.phase, first.units) == ("practice", 3)
    assert (second.submission.phase, second.units) == ("formal", 6)
    again = client.sit("mills", reader, system="x")
    assert again.submission.submission == second.submission.submission


def test_error_rows_keep_a_sitting_open_for_another_try(open_hall: OpenHall) -> None:
    broken = True

    def reader(unit: readmark.Unit) -> str:
        if broken and unit.id == "dev-1-q":
            raise ValueError("no idea")
        return ANSWERS[unit.id]

    client = open_hall.client
    done = client.sit("mills", reader, system="mill reader")
    assert (done.answered, done.errors, done.is_finished) == (5, 1, False)
    assert "call it again to resume" in str(done)
    assert any("no idea" in note for note in done.notes)
    broken = False
    assert client.sit("mills", reader, system="mill reader").submission.state == "marked"
    broken = True
    other = client.sit("mills", reader, system="other", errors_as_wrong=True)
    assert other.submission.splits["dev"].answered == 2
    part = client.sit("mills", "lead", settings=readmark.SitSettings(limit=2))
    assert (part.answered, part.is_finished, part.submission.system) == (2, False, "lead")


def test_the_services_of_reading_tasks(hall_app: Any, tmp_path: Path) -> None:
    person, hall = add_person(hall_app, "programmer"), hall_in(hall_app)
    with hall.database.writing() as session:
        scopes = [Scope.READ, Scope.SUBMIT]
        token = create_token(session, hall, person, name="x", scopes=scopes, days=1)[1]
    with serving(hall_app) as address:
        tasks = readmark.Client(address, token).reading_tasks
        assert "task.en" in [task.id for task in tasks.list()]
        assert "bundled" in str(tasks.list())
        wanted = {"splits": ["train"], "number": 2, "queries": ["birthYear"]}
        part = tasks.generate("task.en", name="Two lives", **wanted)["id"]
        assert tasks.about(part)["name"] == "Two lives"
        documents = [document["id"] for document in tasks.documents(part)]
        assert len(documents) == 2
        assert tasks.document(part, documents[0]).strip()
        assert [query["id"] for query in tasks.queries(part)] == ["birthYear"]
        graph = tasks.graph(part, tmp_path / "lives.nq", format="nquads").read_text("utf-8")
        assert all(f"urn:readmark:document:{id}" in graph for id in documents)
        package = readmark.load(tasks.package(part, tmp_path / "lives.zip"))
        assert package.facts.units == 2
        ada = "((Ada type Person) (Ada birthYear 1900) (Ada deathYear 1890))"
        reply = tasks.consistency("task.en", ada, notation="graph")
        assert (reply["consistent"], reply["contradictions"]) == (False, 1)
        assert "contradictions" in str(reply)
        born = "((Ada type Person) (Ada birthDate 1900-05-01))"
        found = tasks.query("task.en", id="birthYear", statements=born, notation="graph")
        assert "1900" in json.dumps(found.as_json())
        answers = {f"{documents[0]}:birthYear": [{"person": "Nobody", "value": 1921}]}
        scored = tasks.submit(part, answers, candidate="mine")
        assert scored.candidate == "mine"
        assert scored.gold >= 1
        assert [entry.id for entry in tasks.submissions(part)] == [scored.id]
        with pytest.raises(ClientError, match="give one of query, id and sparql"):
            tasks.query("task.en")
        tasks.delete(part)
        with pytest.raises(ClientError, match="not open to you"):
            tasks.about(part)


def test_the_example_of_the_page_runs(
    open_hall: OpenHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("READMARK_TOKEN", open_hall.token)
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS))
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")
    code = page.partition("## A hall")[2].partition("```python\n")[2].partition("```")[0]
    assert "https://hall.example.org" in code
    exec(code.replace("https://hall.example.org", open_hall.address), {})
    assert open_hall.count() == 2


# The command.


def submit(open_hall: OpenHall, *args: Any, token: str | None = None, **more: Any) -> Any:
    env = {"READMARK_TOKEN": open_hall.token if token is None else token}
    return in_process("submit", open_hall.page, *args, env=env, **more)


def test_the_command_prints_the_marks_and_submits_once(open_hall: OpenHall, tmp_path: Path) -> None:
    file = tmp_path / "mill-reader.json"
    file.write_text(json.dumps(ANSWERS))
    done = submit(open_hall, file)
    assert (done.returncode, done.stderr) == (0, "")
    assert "submission 1 to mills: mill-reader by Arlo, formal phase: marked" in done.stdout
    assert "33.33" in done.stdout
    done = submit(open_hall, file, "--json")
    assert json.loads(done.stdout)["splits"]["dev"]["marks"]["f1"]["score"] == pytest.approx(
        500 / 9
    )
    assert "submission 1 of mill-reader: nothing was submitted again" in done.stderr
    done = submit(open_hall, file, "--again", "--no-wait", "--json", "--ensemble")
    assert json.loads(done.stdout)["state"] in ("waiting", "marked")
    assert "nothing" not in done.stderr
    assert open_hall.count() == 2


def test_the_command_fails_as_marking_does(open_hall: OpenHall, tmp_path: Path) -> None:
    (file := tmp_path / "wrong.json").write_text('{"x": "y"}')
    done = submit(open_hall, file)
    local = in_process("mark", open_hall.test, file)
    assert done.returncode == local.returncode == 1
    folder = f"{tmp_path}/"
    assert done.stderr == local.stderr.replace(folder, "")
    assert submit(open_hall, tmp_path / "absent.json").returncode == 1
    assert submit(open_hall).returncode == 2
    assert submit(open_hall, "-", stdin="{}").returncode == 2


class Keyring(ModuleType):
    """A keyring in memory."""

    def __init__(self) -> None:
        super().__init__("keyring")
        self.stored: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, user: str) -> str | None:
        return self.stored.get((service, user))

    def set_password(self, service: str, user: str, password: str) -> None:
        self.stored[service, user] = password


def test_where_the_token_comes_from(
    open_hall: OpenHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)  # as if it were not installed
    (file := tmp_path / "a.json").write_text(json.dumps(ANSWERS))
    (secret := tmp_path / "token").write_text(f"{open_hall.token}\n")
    secret.chmod(0o644)
    done = submit(open_hall, file, "--token-file", secret, token="wrong-token")
    assert done.returncode == 0
    assert "others can read this token: run chmod 600" in done.stderr
    done = submit(open_hall, file, "--token-file", "-", stdin=open_hall.token, token="")
    assert done.returncode == 0
    (tmp_path / "empty").write_text("\n")  # the environment's token is not the one that was named
    (tmp_path / "empty").chmod(0o600)
    done = submit(open_hall, file, "--token-file", tmp_path / "empty", token=open_hall.token)
    assert done.returncode == 1
    assert "empty: holds no API token" in done.stderr
    done = submit(open_hall, file, "--token-file", "-", stdin="", token=open_hall.token)
    assert done.returncode == 1
    assert "standard input: holds no API token" in done.stderr
    done = submit(open_hall, file, token="wrong-token")
    assert done.returncode == 1
    assert "The API token is not valid." in done.stderr
    assert "wrong-token" not in done.stderr
    done = submit(open_hall, file, token="")
    assert done.returncode == 1
    assert "set READMARK_TOKEN" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert submit(open_hall, file, "--token", open_hall.token).returncode == 2
    done = in_process("submit", "--login", open_hall.page, stdin=open_hall.token)
    assert done.returncode == 2
    assert "pip install keyring" in done.stderr
    monkeypatch.setitem(sys.modules, "keyring", keyring := Keyring())
    assert in_process("submit", "--login", open_hall.page, stdin=open_hall.token).returncode == 0
    assert keyring.stored == {("readmark", open_hall.address): open_hall.token}
    assert submit(open_hall, file, token="").returncode == 0


# Servers that fail.


def in_turn(*acts: Act) -> Act:
    """The first request gets the first reply, and so on; the last one is repeated."""
    left = list(acts)
    return lambda handler: (left.pop(0) if len(left) > 1 else left[0])(handler)


def reply(status: int, document: Any, **headers: str) -> Act:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return lambda handler: send(handler, body, status=status, **headers)


def cut(handler: BaseHTTPRequestHandler) -> None:
    """The answer is lost after the request was taken."""
    handler.send_response(201)
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"subm')
    handler.close_connection = True


STATE = {"submission": "s1", "number": 1, "task": "t", "system": "x", "state": "failed"}
PATH = "/api/tasks/t/submissions"


STEERING = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"


@pytest.mark.parametrize("state", ["failed", "refused"])
def test_what_a_hall_says_cannot_steer_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    (tmp_path / "a.json").write_text('{"q": "x"}', "utf-8")
    monkeypatch.setenv("READMARK_TOKEN", "t" * 40)
    steered = {
        name: f"{STEERING}{value}" if name in ("system", "task") else value
        for name, value in STATE.items()
    }
    act = reply(201, {**steered, "error": f"bad {STEERING} file"})
    if state == "refused":
        act = reply(422, {"detail": f"no {STEERING} task"})
    with DataServer({PATH: act, f"{PATH}/s1": act, "/api/submissions/s1": act}) as server:
        status = run(["submit", f"{server.url}/tasks/t", str(tmp_path / "a.json"), "--allow-http"])
    out, err = capfd.readouterr()
    assert status == 1
    assert "\ufffd" in err
    assert all(sign.isprintable() or sign == "\n" for sign in out + err)


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(reply(503, {"detail": "busy"}), id="busy"),
        pytest.param(reply(503, {"detail": "busy"}, Retry_After="0"), id="asked to wait"),
        pytest.param(reply(429, {"detail": "slowly"}, Retry_After="0"), id="too many"),
        pytest.param(reply(502, b"<html>"), id="a proxy without a hall"),
        pytest.param(cut, id="cut off"),
    ],
)
def test_a_request_is_repeated_with_its_key(first: Act) -> None:
    with DataServer({PATH: in_turn(first, first, reply(200, STATE))}) as server:
        client = readmark.Client(server.url, TOKEN, limits=QUICK)
        submitted = client.submit("t", {"a": "b"}, system="x", wait=False)
    assert (submitted.state, submitted.is_new) == ("failed", False)
    assert len(server.bodies) == 3
    keys = {body.partition(b'name="key"')[2][:80] for body in server.bodies}
    assert len(keys) == 1


REFUSALS: list[tuple[Act, str, int]] = [
    (reply(422, {"detail": "the file is odd"}), "the file is odd", 1),
    (reply(409, {"detail": "all is made"}), "all is made", 1),
    (reply(429, {"detail": "tomorrow"}), "tomorrow", 1),
    (reply(429, {"detail": "tomorrow"}, Retry_After="40000"), "tomorrow", 1),
    (reply(503, {"detail": "busy"}), r"busy \(tried 4 times\)", 4),
    (reply(500, {"detail": f"trouble with {TOKEN}"}), r"trouble with \[key\]", 1),
    (
        reply(422, {"detail": [{"loc": ["body", "key"], "msg": "too long"}]}),
        "body.key: too long",
        1,
    ),
    (reply(200, b"<html>not a hall</html>"), "is this the address of an exam hall", 1),
    (reply(200, {"number": "odd"}), "another version of Readmark", 1),
    (reply(200, b"0" * 2000), "more than 1,000 bytes", 1),
    (moved("http://127.0.0.1:9/api", 307), "the hall is at another address", 1),
    (moved("/elsewhere", 302), "the hall is at another address", 1),
]


@pytest.mark.parametrize(("act", "words", "times"), REFUSALS)
def test_a_refusal_is_one_line_without_the_token(act: Act, words: str, times: int) -> None:
    limits = ClientLimits(first_wait=0.001, attempts=4, largest_document=1000)
    with DataServer({PATH: act}) as server:
        client = readmark.Client(server.url, TOKEN, limits=limits)
        with pytest.raises(ClientError, match=words) as caught:
            client.submit("t", {"a": "b"}, system="x")
    assert len(server.bodies) == times
    assert "\n" not in str(caught.value)
    assert TOKEN not in str(caught.value)


def odd_length(handler: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "²")
    handler.end_headers()
    handler.wfile.write(b'{"tasks": []}')
    handler.close_connection = True


def test_a_hall_that_replies_oddly_breaks_nothing() -> None:
    paper = (
        b'{"readmark": 1, "kind": "comprehension", "name": "m", "language": "en"}\n'
        b'{"id": "a", "text": "Cats sleep.", "questions": [{"id": "q", "text": "Who?"}]}\n'
    )
    sitting = {"submission": "s", "units": 1, "answered": 0, "state": "open"}
    paths = {
        "/api/tasks": odd_length,
        "/api/tasks/t/board": reply(200, b"\xff"),
        "/api/tasks/t/sittings": reply(201, sitting),
        "/api/tasks/t/sittings/s/units": reply(200, paper),
        "/api/tasks/t/sittings/s/answers": reply(200, [1]),
        PATH: reply(200, {**STATE, "system": "\x1b[31mred", "error": "\x9b2J gone"}),
    }
    with DataServer(paths) as server:
        client = readmark.Client(server.url, TOKEN, limits=QUICK)
        assert len(client.tasks()) == 0
        with pytest.raises(ClientError, match="not JSON"):
            client.board("t")
        with pytest.raises(ClientError, match="unexpected reply of the hall"):
            client.sit("t", "lead")
        shown = str(client.submit("t", {"a": "b"}, system="x"))
    assert "red" in shown
    assert not {"\x1b", "\x9b"} & set(shown)


def test_a_redirect_is_followed_within_the_hall_only() -> None:
    with DataServer({}) as other, DataServer({"/api/tasks": reply(200, {"tasks": []})}) as server:
        server.paths["/api/tasks/away"] = moved(f"{other.url}/api/tasks/away")
        server.paths["/api/tasks/near"] = moved("/api/tasks/here")
        server.paths["/api/tasks/here"] = reply(200, {"task": "here"})
        client = readmark.Client(server.url, TOKEN, limits=QUICK)
        assert client.task("near").task == "here"
        with pytest.raises(ClientError, match="another address"):
            client.task("away")
    assert other.asked == []
    sent = {headers.get("Authorization") for _, headers in server.asked}
    assert sent == {f"Bearer {TOKEN}"}


def test_a_hall_that_is_away_is_waited_for_and_named() -> None:
    with DataServer({}) as server:
        address = server.url
    with pytest.raises(ClientError, match=r"cannot be reached: .* \(tried 4 times\)"):
        readmark.Client(address, limits=QUICK).tasks()


class FullDisk(BytesIO):
    def write(self, data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_not_taken_for_a_hall_that_is_away() -> None:
    with (
        DataServer({"/file": b"a test"}) as server,
        pytest.raises(OSError, match="No space left"),
    ):
        Connection(server.url, limits=QUICK).save("/file", FullDisk())
    assert len(server.asked) == 1


def test_what_makes_something_is_not_sent_twice() -> None:
    path = "/api/reading-tasks"
    with DataServer({path: in_turn(cut, reply(201, {"id": "r"}))}) as server:
        services = readmark.Client(server.url, TOKEN, limits=QUICK).reading_tasks
        with pytest.raises(ClientError, match="cut off"):
            services.generate("bundled")
        assert services.generate("bundled", number=2)["id"] == "r"
    assert [json.loads(body) for body in server.bodies] == [
        {"source": "bundled"},
        {"source": "bundled", "number": 2},
    ]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://hall.example.org/tasks/cmrc", ("https://hall.example.org", "cmrc")),
        ("https://hall.example.org:443/tasks/cmrc/", ("https://hall.example.org", "cmrc")),
        ("http://[::1]:8000/tasks/a%20b/board", ("http://[::1]:8000", "a b")),
        ("http://localhost/api/tasks/x", ("http://localhost", "x")),
        ("https://hall.example.org/", "not the address of a task"),
        ("https://hall.example.org/projects/x", "not the address of a task"),
        ("ftp://hall.example.org/tasks/x", "not an http or https address"),
        ("hall.example.org/tasks/x", "not an http or https address"),
        ("https://me:secret@hall.example.org/tasks/x", "no user and no password"),
        ("https://hall.example.org:port/tasks/x", "is not an address"),
    ],
)
def test_the_address_of_a_task(url: str, expected: tuple[str, str] | str) -> None:
    if isinstance(expected, tuple):
        assert task_address(url) == expected
        return
    with pytest.raises(UsageError, match=expected) as caught:
        task_address(url)
    assert "secret" not in str(caught.value)


def test_a_token_is_sent_over_https_or_to_this_machine_only() -> None:
    with pytest.raises(UsageError, match="is not encrypted"):
        readmark.Client("http://hall.example.org", TOKEN)
    assert Connection("http://hall.example.org", TOKEN, allow_http=True).token == TOKEN
    assert readmark.Client("http://hall.example.org").address == "http://hall.example.org"
    assert TOKEN not in repr(readmark.Client("https://hall.example.org", TOKEN))
    for odd in ("two words", "zeilen\numbruch", "schlüssel"):
        with pytest.raises(UsageError, match="is not an API token"):
            readmark.Client("https://hall.example.org", odd)


@pytest.mark.parametrize("answers", ["absent.json", "."])
def test_answers_that_are_no_file_are_refused_before_anything_is_sent(
    answers: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="no such file"):
        readmark.Client("http://127.0.0.1:9", limits=QUICK).submit("t", answers)
