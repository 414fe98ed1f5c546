"""Publishing a shared task: what its page and downloads show when, baselines, people, exports."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from halls import add_member, add_person, add_task, client_of, hall_in, signed_in
from organised import send, work_on
from readmark.cli.main import cli
from readmark.core.errors import DataError
from readmark.formats.registry import open_test
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shared_tasks import job_work, marker
from readmark.server.shared_tasks.data_card import data_card
from readmark.server.shared_tasks.options import SharedTaskOptions
from readmark.server.shared_tasks.paragraphs import paragraphs
from readmark.server.shared_tasks.people_row import PEOPLE_MARKS
from readmark.server.shipped import bundled_test, shipped_configuration
from readmark.server.tables import Job, Project, ProjectFile, Submission
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather
from shared_task_hall import (
    ANSWERS,
    HIDDEN,
    TaskHall,
    comprehension_test,
    open_task,
    task_configuration,
)
from task_files import QUERIES, lines, write_task
from work_pages import browser_of, serving

SECRET, UNSEEN = "canarykey", "canarypaper"
"""Words of a hidden key, and of a paper that is not out before the formal phase."""
PHASES = {
    "practice": {"begins": "2030-01-01", "ends": "2030-01-31"},
    "formal": {"begins": "2030-02-01T12:00Z", "ends": "2030-02-07"},
}


@pytest.fixture
def marking_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers do in this process what they do in one of its own."""

    def run_here(work: Any, task: Any, **limits: Any) -> Any:
        return json.loads(json.dumps(work(json.loads(json.dumps(task)))))

    monkeypatch.setattr(job_work, "run_confined", run_here)


def printed(*arguments: str) -> Any:
    """What a command prints with ``--json``, in process."""
    done = CliRunner().invoke(cli, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def at(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let the hall's clock show a moment."""
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    monkeypatch.setattr("time.time", lambda: moment)


def canary_test(path: Path) -> Path:
    """A test whose hidden split has words of its own in its key and in its paper."""
    rows: list[dict[str, Any]] = [
        {"readmark": 1, "kind": "comprehension", "name": "canaries", "language": "en"}
    ]
    for split, text, answer in (("dev", "Open water", "open"), (HIDDEN, UNSEEN, SECRET)):
        key = {"answers": [{"text": answer}], "level": f"{answer}level", "type": f"{answer}type"}
        question = {"id": f"{split}-q", "text": f"What of {text}?", "key": key}
        rows.append({"id": split, "split": split, "text": text, "questions": [question]})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def everything_in(content: bytes) -> str:
    """The text of a download, of every file in it if it is a zip."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return content.decode()
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        names = packed.namelist()
        return "\n".join(names) + "".join(
            packed.read(name).decode("utf-8", "replace") for name in names
        )


# Downloads.


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("reading.en.jsonl", "dev"),
        ("series.zh.jsonl", "dev"),
        ("readability.en.jsonl", "train"),
        ("task.en.zip", "train"),
    ],
)
def test_downloads_are_the_whole_paper_with_public_keys_only(
    hall_app: Any, tmp_path: Path, name: str, public: str
) -> None:
    add_task(hall_app, "t", task_configuration(hidden=[HIDDEN]), name)
    with bundled_test(name) as path:
        whole = open_test(path).facts
    client = client_of(hall_app)

    def downloaded(query: str) -> Any:
        answer = client.get(f"/api/tasks/t/data{query}")
        assert answer.status_code == 200, answer.text
        file = tmp_path / f"read{len(query)}{Path(name).suffix}"
        file.write_bytes(answer.content)
        return open_test(file)

    test = downloaded("")
    assert test.facts.paper == whole.paper
    assert test.header.hidden == (HIDDEN,)
    assert test.facts.splits[public].key == whole.splits[public].key
    assert 0 < test.facts.keyed < whole.keyed
    own = downloaded(f"?split={public}").facts
    assert (own.paper, own.key) == (whole.splits[public].paper, whole.splits[public].key)
    part = downloaded(f"?split={HIDDEN}").facts
    assert (part.keyed, part.paper) == (0, whole.splits[HIDDEN].paper)
    paper = downloaded("?paper=true").facts
    assert (paper.keyed, paper.paper) == (0, whole.paper)
    assert client.get("/api/tasks/t/data?split=none").json()["detail"].startswith("the test has no")
    squad = client.get("/api/tasks/t/data?format=squad&split=" + public)
    if name.startswith("reading"):
        (tmp_path / "squad.json").write_bytes(squad.content)
        assert open_test(tmp_path / "squad.json").facts.units == whole.splits[public].units
    else:
        assert squad.status_code == 422


def test_queries_of_documents_that_are_not_out_are_not_out(hall_app: Any, tmp_path: Path) -> None:
    own = {"id": "own", "graph": "((?G winner ?T))", "text": "CANARY?", "documents": ["gulls"]}
    folder = write_task(tmp_path / "made", {"queries.jsonl": lines([*QUERIES, own])})
    pack(gather(folder), tmp_path / "task.zip")
    formal = {"begins": "2999-01-01"}
    task = open_task(
        hall_app, tmp_path / "task.zip", practice={"begins": "2020-01-01"}, formal=formal
    )
    for query in ("", "?paper=true", "?split=train"):
        answer = client_of(hall_app).get(f"{task.api}/data{query}")
        (tmp_path / "read.zip").write_bytes(answer.content)
        test = open_test(tmp_path / "read.zip")
        assert {unit.id for unit in test.units()} == {"otters:periods", "otters:winner"}
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            texts = [packed.read(name).decode() for name in packed.namelist()]
        assert not any(word in text for text in texts for word in ("CANARY", "gulls"))


@pytest.mark.usefixtures("marking_here")
def test_what_is_hidden_is_in_no_page_and_no_download(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = open_task(hall_app, canary_test(tmp_path / "t.jsonl"), hidden=[HIDDEN], **PHASES)
    member = hall.add_team("Rowers")
    hall.work()  # makes the data card
    addresses = [
        f"{prefix}/data?format={format}{split}{paper}"
        for prefix in ("/api/tasks/mills",)
        for format in ("native", "squad", "folder", "card")
        for split in ("", "&split=dev", f"&split={HIDDEN}")
        for paper in ("", "&paper=true")
    ]
    addresses += ["/tasks", "/tasks/mills", "/api/tasks", "/api/tasks/mills"]
    for moment, is_out in (("2030-01-05", False), ("2030-02-02", True)):
        at(monkeypatch, moment)
        seen = ""
        for client in (client_of(hall_app), signed_in(hall_app, member)):
            for address in addresses:
                answer = client.get(address)
                is_of_hidden = f"split={HIDDEN}" in address
                assert answer.status_code == (409 if is_of_hidden and not is_out else 200), address
                seen += everything_in(answer.content)
        assert SECRET not in seen
        assert (UNSEEN in seen) is is_out
        assert "openlevel" in seen


@pytest.mark.parametrize(
    ("moment", "is_out"), [("2030-02-01T11:59", False), ("2030-02-01T12:00", True)]
)
def test_a_formal_phase_alone_keeps_hidden_papers_back_until_it_begins(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, is_out: bool
) -> None:
    test = comprehension_test(tmp_path / "t.jsonl")
    open_task(hall_app, test, formal=PHASES["formal"])
    at(monkeypatch, moment)
    client = client_of(hall_app)
    reply = client.get("/api/tasks/mills").json()
    assert [split["is_paper_out"] for split in reply["splits"]] == [True, is_out]
    assert ("test-2-q" in client.get("/api/tasks/mills/data").text) is is_out


@pytest.mark.parametrize(
    ("moment", "phase", "is_out", "sentence"),
    [
        ("2029-12-31T23:59", None, False, "Nothing is accepted yet."),
        ("2030-01-01T00:00", "practice", False, "It ends on 2030-02-01 00:00 UTC."),
        ("2030-02-01T11:59", None, False, "The formal phase begins on 2030-02-01 12:00 UTC."),
        ("2030-02-01T12:00", "formal", True, "The formal phase is open"),
        ("2030-02-07T23:59", "formal", True, "It ends on 2030-02-08 00:00 UTC."),
        ("2030-02-08T00:00", "late", True, "the board shows them as late"),
    ],
)
def test_a_page_says_what_is_open(
    hall_app: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
    phase: str | None,
    is_out: bool,
    sentence: str,
) -> None:
    test = comprehension_test(tmp_path / "t.jsonl")
    open_task(hall_app, test, late=True, per_day=3, **PHASES)
    at(monkeypatch, moment)
    client = client_of(hall_app)
    said = client.get("/api/tasks/mills").json()
    assert said["phase"] == phase
    assert [split["is_paper_out"] for split in said["splits"]] == [True, is_out]
    assert bool(said["closed"]) is (phase is None)
    assert said["limits"] == {"per_day": 3, "per_phase": 0}
    assert said["order"] == {"metric": "average", "split": HIDDEN}
    first = datetime(2030, 2, 1, 12, tzinfo=UTC).timestamp()
    assert (said["phases"][1]["begins"], said["phases"][1]["first"]) == ("2030-02-01T12:00Z", first)
    page = client.get("/tasks/mills").text
    assert sentence in page
    assert "Submissions per team and day (UTC): 3." in page
    assert client.get("/tasks/mills", headers={"accept-language": "zh"}).status_code == 200


def test_members_alone_see_a_task_that_is_not_public(hall_app: Any, tmp_path: Path) -> None:
    test = comprehension_test(tmp_path / "t.jsonl")
    hall = open_task(hall_app, test, visibility="members")
    member = signed_in(hall_app, hall.add_team("Rowers"))
    stranger = signed_in(hall_app, add_person(hall_app, "stranger"))
    for client, status in ((client_of(hall_app), 401), (stranger, 404), (member, 200)):
        assert client.get("/api/tasks/mills").status_code == status
        assert client.get("/api/tasks/mills/data").status_code == status
        assert bool(client.get("/api/tasks").json()["tasks"]) is (status == 200)
        assert ("/tasks/mills" in client.get("/tasks").text) is (status == 200)


def test_a_token_of_another_scope_sees_what_anybody_sees(hall_app: Any, tmp_path: Path) -> None:
    hall = open_task(hall_app, comprehension_test(tmp_path / "t.jsonl"))
    hall.add_team("Rowers")
    program = hall.program("rowers")  # it may submit
    assert program.get("/api/tasks/mills").json()["team"] is None
    hall.configure(visibility="members")
    assert program.get("/api/tasks/mills").status_code == 403
    assert program.get("/api/tasks").json() == {"tasks": []}


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("One\ntwo\n\n \nthree", [[("One\ntwo", False)], [("three", False)]]),
        (
            "See https://example.org/a_(b), now.",
            [[("See ", False), ("https://example.org/a_", True), ("(b), now.", False)]],
        ),
        ("javascript:alert(1) <b>", [[("javascript:alert(1) <b>", False)]]),
        ('https://x.org/"onx=1', [[("https://x.org/", True), ('"onx=1', False)]]),
        ("见https://例.org/页。", [[("见", False), ("https://例.org/页", True), ("。", False)]]),
    ],
)
def test_organisers_write_plain_text(text: str, pieces: list[list[tuple[str, bool]]]) -> None:
    assert paragraphs(text) == pieces


@pytest.mark.parametrize(
    ("hidden", "rows", "lengths", "levels"),
    [
        (
            (HIDDEN,),
            [("dev", 3, 3, 1.0, False), (HIDDEN, 3, None, None, True)],
            {"passage": (11, 11.0), "question": (6, 6.0), "answer": (1, 1.0)},
            {"1": 2, "2": 1},
        ),
        ((HIDDEN, "dev"), [("dev", 3, None, None, True), (HIDDEN, 3, None, None, True)], {}, None),
        (
            (),
            [("dev", 3, 3, 1.0, False), (HIDDEN, 3, 3, 1.0, False)],
            {"passage": (11, 11.0), "question": (6, 6.0), "answer": (1, 1.0)},
            {"1": 4, "2": 2},
        ),
    ],
)
def test_a_card_counts_public_splits(
    tmp_path: Path, hidden: tuple[str, ...], rows: Any, lengths: Any, levels: Any
) -> None:
    card = data_card(open_test(comprehension_test(tmp_path / "t.jsonl")), hidden)
    assert [msgspec.structs.astuple(row) for row in card.splits] == rows
    assert card.lengths == lengths
    assert card.values.get("level") == levels


# Publishing.


def published(owner: Any, configuration: str, **fields: str) -> Any:
    file = {"configuration": ("project.toml", configuration.encode())}
    fields = {"bundled": "reading.en.jsonl", "slug": "t", **fields}
    return owner.post("/api/projects", data=fields, files=file)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ('hidden = ["tset"]', "hidden: the test has no split 'tset'; it has dev, test"),
        ('hidden = [""]', "hidden: records without a split cannot be hidden"),
        ('order_split = "train"', "order_split: the test has no split 'train'"),
        ('metrics = ["emm"]', "metrics: "),
        ('metrics = ["f1(profile=xx)"]', "metrics: "),
        ('order_by = "spearman"', "order_by: "),
        ('by = ["colour"]', "by: reading.en.jsonl has no field 'colour'"),
        ("per_day = 0", "per_day is 0"),
        ('practice = { begins = "soon" }', "begins is 'soon'"),
        ('practice = { ends = "9999-12-31" }', "ends is '9999-12-31'"),
    ],
)
def test_options_that_do_not_fit_are_refused_with_their_line(
    hall_app: Any, option: str, message: str
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    configuration = task_configuration()
    line = configuration.count("\n") + 1
    refused = published(owner, configuration + option + "\n")
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(f"project.toml:{line}: {message}")
    assert published(owner, configuration).status_code == 201
    changed = owner.put("/api/projects/t/configuration", json={"text": configuration + option})
    assert (changed.status_code, changed.json()["line"]) == (422, line)
    assert message in changed.json()["detail"]


@pytest.mark.parametrize(
    ("hidden", "message"),
    [
        ("Test", "the test's header hides the split 'Test', but it has dev, test"),
        ("", "records without a split cannot be hidden"),
    ],
)
def test_a_header_that_hides_what_is_not_there_is_not_published(
    hall_app: Any, tmp_path: Path, hidden: str, message: str
) -> None:
    test = comprehension_test(tmp_path / "mills.jsonl")
    test.write_text(test.read_text().replace('"hidden": ["test"]', f'"hidden": ["{hidden}"]'))
    with pytest.raises(DataError, match=message):
        open_task(hall_app, test)


def test_publishing_asks_for_peoples_row_which_is_that_of_the_command_line(
    either_app: Any, tmp_path: Path
) -> None:
    owner = signed_in(either_app, add_person(either_app, "owner", is_owner=True))
    made = published(owner, task_configuration(hidden=[HIDDEN]))
    assert made.status_code == 201, made.text
    assert owner.get("/projects/t").status_code == 200
    assert owner.get("/api/projects/t/people-sittings").json()["is_waiting"]
    hall = TaskHall(either_app, "t", _project(either_app))
    assert hall.work() == 2  # people, and the first board
    row = owner.get("/api/projects/t/people-sittings").json()
    assert list(row["splits"]) == ["dev", HIDDEN]
    marks = _people_marks(either_app)
    with bundled_test("reading.en.jsonl") as path:
        for split in ("dev", HIDDEN):
            metrics = [word for metric in ("em", "f1", "average") for word in ("-m", metric)]
            expected = printed("people", str(path), "--split", split, *metrics)
            assert row["splits"][split] == {
                "method": "leave-one-out",
                "who": "references",
                "people": 0,
                "units": expected["units"],
            }
            for metric, mark in expected["marks"].items():
                own = marks[split]["marks"][metric]
                assert {name: own[name] for name in own} == {name: mark[name] for name in own}


def _project(app: Any) -> Project:
    with hall_in(app).database.reading() as session:
        found = session.scalar(select(Project).where(Project.slug == "t"))
        assert found is not None
        return found


def _people_marks(app: Any) -> Any:
    with hall_in(app).database.reading() as session:
        content = session.scalar(
            select(ProjectFile.content).where(ProjectFile.role == PEOPLE_MARKS)
        )
        assert content is not None
        return json.loads(content)["splits"]


# Baselines.


@pytest.mark.parametrize(
    ("name", "candidate", "split"),
    [("reading.en.jsonl", "lead", HIDDEN), ("series.en.jsonl", "append", "dev")],
)
def test_a_baseline_is_marked_as_the_command_line_marks_it(
    hall_app: Any,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    name: str,
    candidate: str,
    split: str,
) -> None:
    if candidate != "lead":  # one of them in processes of its own is enough
        request.getfixturevalue("marking_here")
    add_task(hall_app, "t", task_configuration(hidden=[HIDDEN]), name)
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    asked = owner.post("/api/projects/t/baselines", json={"candidate": candidate})
    assert (asked.status_code, asked.json()["state"]) == (201, "waiting")
    again = owner.post("/api/projects/t/baselines", json={"candidate": candidate})
    assert again.json()["submission"] == asked.json()["submission"]
    TaskHall(hall_app, "t", _project(hall_app)).work()
    states = {row["candidate"]: row for row in owner.get("/api/projects/t/baselines").json()}
    assert states[candidate]["state"] == "marked", states
    assert {row["state"] for name, row in states.items() if name != candidate} == {None}
    with hall_in(hall_app).database.reading() as session:
        (stored,) = session.scalars(select(Submission))
        assert (stored.origin, stored.team_id, len(stored.sha256)) == ("baseline", None, 64)
        marks = json.loads(stored.marks)["splits"][split]["marks"]
    with bundled_test(name) as path:
        sitting = str(tmp_path / "sat.jsonl")
        printed("sit", str(path), "-r", candidate, "-o", sitting)
        metrics = [word for metric in marks for word in ("-m", metric)]
        expected = printed("mark", str(path), sitting, "--split", split, *metrics)
    for metric, own in marks.items():
        mark = expected["marks"][metric]
        assert own == {name: mark[name] for name in own}
    refused = owner.post("/api/projects/t/baselines", json={"candidate": "llm"})
    assert (refused.status_code, "not a baseline" in refused.json()["detail"]) == (422, True)


def test_a_baseline_that_failed_can_be_tried_again(hall_app: Any, tmp_path: Path) -> None:
    hall = open_task(hall_app, comprehension_test(tmp_path / "t.jsonl"))
    hall.add_organiser()
    olga = hall.browser("olga")
    assert olga.post("/projects/mills/baselines", data={"candidate": "lead"}).status_code == 303
    with hall_in(hall_app).database.writing() as session:
        session.execute(update(Submission).values(state="failed", error="no room"))
        session.execute(update(Job).values(state="failed"))
    assert "no room" in olga.get("/projects/mills/baselines").text
    assert olga.post("/projects/mills/baselines", data={"candidate": "lead"}).status_code == 303
    lead = olga.get("/api/projects/mills/baselines").json()[0]
    assert (lead["candidate"], lead["state"], lead["error"]) == ("lead", "waiting", "")
    with hall_in(hall_app).database.reading() as session:
        waiting = session.scalars(select(Job.kind).where(Job.state == "waiting")).all()
    assert waiting == ["sit"]


def test_a_missing_extra_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    test = str(comprehension_test(tmp_path / "t.jsonl"))
    task = {"test": test, "candidate": "span", "folder": str(tmp_path)}
    error = marker.sit_baseline(task)["error"]
    assert "pip install" in error
    assert "\n" not in error


# People's sittings.


@pytest.mark.usefixtures("marking_here")
def test_people_bring_their_own_sittings(hall_app: Any, tmp_path: Path) -> None:
    test = comprehension_test(tmp_path / "t.jsonl")
    hall = open_task(hall_app, test)
    hall.add_organiser()
    olga = hall.browser("olga")
    hall.work()
    page = olga.get("/projects/mills/baselines").text
    assert "There is no human figure" in page  # the key has one answer each
    assert "There is no human figure" in client_of(hall_app).get("/tasks/mills").text
    files = []
    for person, answer in (("ann", "1861"), ("bob", "1872")):
        answers = dict.fromkeys((id for id in ANSWERS if id.startswith("dev")), answer)
        files.append(("files", (f"{person}.json", json.dumps(answers).encode())))
        (tmp_path / f"{person}.json").write_text(json.dumps(answers))
    assert olga.post("/api/projects/mills/people-sittings", files=files).status_code == 201
    hall.work()
    row = olga.get("/api/projects/mills/people-sittings").json()
    assert row["splits"] == {"dev": {"method": "panel", "who": "people", "people": 2, "units": 3}}
    assert "the sittings of people" in client_of(hall_app).get("/tasks/mills").text
    people = [str(tmp_path / f"{person}.json") for person in ("ann", "bob")]
    expected = printed("people", str(test), *people, "--split", "dev", "-m", "em")
    em = _people_marks(hall_app)["dev"]["marks"]["em"]
    assert em["score"] == expected["marks"]["em"]["score"]
    bad = [("files", ("bad.json", b'{"unknown-id": "x"}'))]
    assert olga.post("/projects/mills/people-sittings", files=bad).status_code == 303
    hall.work()
    assert "unknown-id" in olga.get("/projects/mills/baselines").text
    assert olga.delete("/api/projects/mills/people-sittings").status_code == 204
    assert olga.get("/api/projects/mills/people-sittings").json()["files"] == []


@pytest.mark.usefixtures("marking_here")
def test_several_people_in_one_file(hall_app: Any, tmp_path: Path) -> None:
    add_task(hall_app, "t", task_configuration(hidden=[HIDDEN]), "readability.en.jsonl")
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    table = tmp_path / "ratings.csv"
    with bundled_test("readability.en.jsonl") as path:
        ids = [unit.id for unit in open_test(path).units()]
        rows = [f"{id},{1 + number % 5},{1 + number % 4}" for number, id in enumerate(ids)]
        table.write_text("\n".join(["passage,ann,bob", *rows]) + "\n")
        expected = printed("people", str(path), str(table), "--split", HIDDEN)
    file = (table.name, table.read_bytes())
    assert owner.post("/api/projects/t/people-sittings", files=[("files", file)]).status_code == 201
    TaskHall(hall_app, "t", _project(hall_app)).work()
    split = _people_marks(hall_app)[HIDDEN]
    assert split["people"] == 2
    for metric, mark in expected["marks"].items():
        assert split["marks"][metric]["score"] == mark["score"]


@pytest.mark.usefixtures("marking_here")
def test_people_who_sat_the_test_in_the_hall_are_taken(hall_app: Any, tmp_path: Path) -> None:
    test = comprehension_test(tmp_path / "t.jsonl", hidden=False)
    hall = open_task(hall_app, test, hidden=[HIDDEN])
    new = prepare_project(shipped_configuration("sitting"), [ItemSource(test, splits=("dev",))])
    with hall_in(hall_app).database.writing() as session:
        sat = store_project(session, new, slug="sat")
    person = add_person(hall_app, "ann")
    add_member(hall_app, sat.id, person, "participant")
    with hall_in(hall_app).database.writing() as session:
        hand_out(session, sat)
    for assignment in work_on(hall_app, person).values():
        shown = signed_in(hall_app, person).get(f"/api/assignments/{assignment}").json()["objects"]
        entry = {**shown["q-1"]["value"], "fields": {"written": "1861"}}
        done = {"type": "status", "done": True}
        send(hall_app, person, assignment, {"q-1": entry, "status": done})
    hall.add_organiser()
    olga = hall.browser("olga")
    take = {"sat": "sat"}
    assert "sat</option>" not in olga.get("/projects/mills/baselines").text
    assert olga.post("/projects/mills/people-sittings", data=take).status_code == 422
    add_member(hall_app, sat.id, hall.people["olga"], "organiser")
    assert "sat</option>" in olga.get("/projects/mills/baselines").text
    assert olga.post("/projects/mills/people-sittings", data=take).status_code == 303
    hall.work()
    dev = _people_marks(hall_app)["dev"]
    assert (dev["people"], round(dev["marks"]["em"]["score"], 4)) == (1, round(100 / 3, 4))


# Export.


@pytest.mark.usefixtures("marking_here")
def test_an_export_has_submissions_and_boards_and_no_hidden_key(
    hall_app: Any, tmp_path: Path
) -> None:
    hall = open_task(hall_app, canary_test(tmp_path / "t.jsonl"), hidden=[HIDDEN])
    hall.add_team("Rowers")
    hall.add_organiser()
    answers = json.dumps({"dev-q": "open", f"{HIDDEN}-q": "wrong"}).encode()
    sent = hall.browser("rowers").post(
        f"{hall.api}/submissions", files={"file": ("ours.json", answers)}, data={"system": "Oars"}
    )
    assert sent.status_code == 201, sent.text
    hall.work()
    content = hall.browser("olga").get("/api/projects/mills/export").content
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        names = set(packed.namelist())
        assert packed.read("submissions/00001/answers/ours.json") == answers
        about = json.loads(packed.read("submissions/00001/submission.json"))
        assert (about["team"], about["system"], about["state"]) == ("Rowers", "Oars", "marked")
        (tmp_path / "test.jsonl").write_bytes(packed.read("test.jsonl"))
    assert {"submissions/00001/marksheet-0.jsonl.zst", "boards/00001.json"} <= names
    assert "submissions/00001/marksheet-1.jsonl.zst" not in names  # of the hidden split
    assert SECRET not in everything_in(content)
    assert open_test(tmp_path / "test.jsonl").facts.keyed == 1


# Documentation.


def test_the_page_has_every_option_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "shared-tasks.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", page, re.MULTILINE)
    documented = dict(rows)
    options = {field.name: field for field in msgspec.structs.fields(SharedTaskOptions)}
    assert list(documented) == list(options)
    for name, field in options.items():
        if field.default not in ("", (), None):
            shown = field.default if isinstance(field.default, str) else json.dumps(field.default)
            assert documented[name].strip("`") == shown, name


# In a browser.


@pytest.mark.browser
def test_an_organiser_publishes_and_a_team_comes(
    hall_app: Any, chromium: Any, tmp_path: Path
) -> None:
    owner = add_person(hall_app, "olga", is_owner=True)
    with serving(hall_app) as address:
        narrow = {"width": 390, "height": 800}
        context = browser_of(chromium, hall_app, address, owner, viewport=narrow)
        page = context.new_page()
        page.goto(f"{address}/projects/new")
        page.select_option("#shipped", "shared_task")
        page.select_option("#bundled", "reading.en.jsonl")
        page.fill("#slug", "t")
        page.click("button:has-text('Create project')")
        page.wait_for_url("**/projects/t")
        page.click(".tabs a:has-text('Baselines')")
        page.click("tr:has-text('lead') button")
        page.wait_for_selector("tr:has-text('lead') a:has-text('waiting')")
        page.click(".tabs a:has-text('Teams')")
        page.fill("#team", "Rowers")
        page.click("button:has-text('Create a link')")
        link = page.inner_text("code.secret")
        for tab in ("", "/teams", "/baselines", "/people", "/configuration", "/export"):
            page.goto(f"{address}/projects/t{tab}")
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{tab} is {wide} pixels too wide"
        assert context.complaints == []
        context.close()
        member = add_person(hall_app, "rita")
        context = browser_of(chromium, hall_app, address, member, viewport=narrow)
        page = context.new_page()
        page.goto(link)
        page.click("button:has-text('Rita')")
        page.wait_for_url("**/tasks/t")
        assert "You take part in the team Rowers." in page.inner_text("main")
        with page.expect_download() as download:
            page.click("a:has-text('Everything that is published')")
        download.value.save_as(tmp_path / "public.jsonl")
        assert open_test(tmp_path / "public.jsonl").facts.units == 80
        for path in ("/tasks", "/tasks/t", "/tasks/t/team"):
            page.goto(f"{address}{path}")
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{path} is {wide} pixels too wide"
        assert context.complaints == []
        context.close()
