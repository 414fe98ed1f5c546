"""Sitting a shared task through the API: nothing hidden goes out, no answer is lost."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

import readmark
from halls import hall_in
from readmark.server.shared_tasks import job_work, served_papers
from readmark.server.start import open_hall
from readmark.server.tables import SatAnswer, Submission
from shared_task_hall import ANSWERS, TaskHall, comprehension_test, confined_here, open_task

FOREVER = {"begins": "2020-01-01"}
OVER = {"begins": "2020-01-01", "ends": "2020-02-01"}


@pytest.fixture(autouse=True)
def quick_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marking in this process."""
    monkeypatch.setattr(job_work, "run_confined", confined_here)


@pytest.fixture
def mills(hall_app: Any, tmp_path: Path) -> TaskHall:
    task = open_task(hall_app, comprehension_test(tmp_path / "mills.jsonl"))
    task.add_team("Otters")
    task.add_team("Herons")
    return task


def begin(client: Any, task: TaskHall, **fields: Any) -> str:
    answer = client.post(f"{task.api}/sittings", json={"system": "Lantern", **fields})
    assert answer.status_code == 201, answer.text
    return f"{task.api}/sittings/{answer.json()['submission']}"


def ndjson(rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def rows_of(answers: dict[str, Any], member: str = "text") -> str:
    return ndjson({"id": id, member: answer} for id, answer in answers.items())


def units_in(text: str) -> list[str]:
    records = [json.loads(line) for line in text.splitlines()[1:]]
    return [question["id"] for record in records for question in record["questions"]]


def test_answers_to_hidden_units_are_short_and_others_as_long_as_they_are(mills: TaskHall) -> None:
    """One answer among so many other words would tell by its F1 whether it is right."""
    client = mills.program("otters")
    sitting = begin(client, mills)
    long = f"1861 {'x ' * 1000}"
    sent = rows_of({"dev-0-q": long, "test-0-q": "1861", "test-1-q": long})
    refused = client.post(f"{sitting}/answers", content=sent)
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(
        "the answer to test-1-q has 2,005 characters, expected 2,000 at most on a hidden split"
    )
    stored = client.post(f"{sitting}/answers", content=rows_of({"dev-0-q": long}))
    assert stored.json()["answered"] == 1  # nothing of the refused request was kept


# The whole path, for every kind.


def answer_to(kind: str, number: int) -> Any:
    if kind == "readability":
        return 1 + number % 5
    if kind == "task":
        return [{"values": {"value": f"{number}"}}]
    return f"answer {number % 7} 在这里"


@pytest.mark.parametrize(
    "bundled", ["reading.en.jsonl", "series.zh.jsonl", "readability.en.jsonl", "task.zh.zip"]
)
def test_marks_are_those_of_the_same_answers_in_a_file(
    hall_app: Any, tmp_path: Path, bundled: str
) -> None:
    path = tmp_path / bundled
    path.write_bytes(files("readmark.bundle").joinpath(bundled).read_bytes())
    task = open_task(hall_app, path, hidden=["test"], ladder=False)
    task.add_team("Otters")
    client = task.program("otters")
    sitting = begin(client, task, is_ensemble=True)
    paper = tmp_path / "paper.jsonl"
    paper.write_bytes(client.get(f"{sitting}/units").content)
    test, original = readmark.load(paper), readmark.load(path)
    assert test.facts.paper == original.facts.paper
    assert (test.facts.keyed, test.header.hidden) == (0, ("test",))
    member = test.kind.answer
    answers = {
        unit.id: answer_to(test.kind.name, number)
        for number, unit in enumerate(test.units())
        if number % 4
    }
    lines = rows_of(answers, member).splitlines(keepends=True)
    for start in range(0, len(lines), 400):
        batch = "".join(lines[start : start + 400])
        stored = client.post(f"{sitting}/answers", content=batch).json()
    expected = {"answered": len(lines), "units": original.facts.units}
    assert {name: stored[name] for name in expected} == expected
    by_api = client.post(f"{sitting}/finish").json()
    header = {"readmark": 1, "file": "sitting", "kind": test.kind.name, "candidate": "x"}
    content = ndjson([header]) + "".join(lines)
    by_file = client.post(
        f"{task.api}/submissions",
        files={"file": ("sitting.jsonl", content)},
        data={"system": "Lantern"},
    ).json()
    task.work()
    states = [
        client.get(f"{task.api}/submissions/{each['submission']}").json()
        for each in (by_api, by_file)
    ]
    assert [each["state"] for each in states] == ["marked", "marked"], states[0]["error"]
    assert states[0]["splits"] == states[1]["splits"]
    assert set(states[0]["splits"]) == {split or "" for split in original.facts.splits}
    assert [each["origin"] for each in states] == ["api", "file"]
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(client.get(f"{task.api}/submissions/{by_api['submission']}/answers").content)
    head = json.loads(kept.read_text("utf-8").splitlines()[0])
    assert (head["paper"], head["candidate"]) == (original.facts.paper, "Lantern")
    assert head["splits"] == {name: split.paper for name, split in original.facts.splits.items()}


# Nothing is lost.


def test_a_sitting_goes_on_after_client_and_server_have_died(
    either_app: Any, database_url: str, tmp_path: Path
) -> None:
    task = open_task(either_app, comprehension_test(tmp_path / "mills.jsonl"))
    task.add_team("Otters")
    client = task.program("otters")
    sitting = begin(client, task, key="run-1")
    first = dict(list(ANSWERS.items())[:2])
    stored = client.post(f"{sitting}/answers", content=rows_of(first))
    assert stored.json() == {"stored": 2, "answered": 2, "units": 6}
    hall_in(either_app).database.close()
    served_papers._PAPERS.clear()
    task.app = open_hall(database_url, folder=tmp_path)  # another process has no memory of it
    client = task.program("otters")
    again = client.post(f"{task.api}/sittings", json={"system": "Lantern", "key": "run-1"})
    assert (again.status_code, again.json()["answered"]) == (200, 2)
    assert sitting.endswith(again.json()["submission"])
    left = units_in(client.get(f"{sitting}/units?unanswered=true").text)
    assert left == list(ANSWERS)[2:]
    assert client.post(f"{sitting}/answers", content=rows_of(first)).json()["answered"] == 2
    changed = {"rows": [{"id": "dev-0-q", "text": "1999"}, {"id": left[0], "error": "timeout"}]}
    assert client.post(f"{sitting}/answers", json=changed).json()["answered"] == 2
    assert units_in(client.get(f"{sitting}/units?unanswered=true").text) == left
    rest = {"dev-0-q": "1861", **{id: ANSWERS[id] for id in left}}
    assert client.post(f"{sitting}/answers", content=rows_of(rest)).json()["answered"] == 6
    assert len(client.get(f"{sitting}/units?unanswered=true").text.splitlines()) == 1
    with hall_in(task.app).database.reading() as session:
        assert session.scalar(select(func.count()).select_from(SatAnswer)) == 6
    finished = client.post(f"{sitting}/finish")
    assert client.post(f"{sitting}/finish").json() == finished.json()
    task.work()
    submission = sitting.rpartition("/")[2]
    shown = client.get(f"{task.api}/submissions/{submission}").json()
    assert {name: part["marks"]["em"]["score"] for name, part in shown["splits"].items()} == {
        "dev": pytest.approx(100 / 3),
        "test": pytest.approx(200 / 3),
    }
    for path, sent in (("answers", {"content": rows_of(first)}), ("units", None)):
        address = f"{sitting}/{path}"
        refused = client.get(address) if sent is None else client.post(address, **sent)
        assert refused.status_code == 409
    hall_in(task.app).database.close()


BAD_ROWS = {
    '{"id": "nobody", "text": "x"}': "the paper has no unit 'nobody'",
    '{"id": "dev-1-q"}': "the row of 'dev-1-q' has neither 'text' nor 'error'",
    '{"id": "dev-1-q", "rating": 3}': (
        "object contains unknown field rating; fields of your own go under 'fields'"
    ),
    '{"id": "dev-1-q", "text": 3}': "expected text, got int - at $.text",
    '{"id": "dev-1-q", "text": "x", "repeat": 2}': (
        "repeat is 2: a sitting through the API has one answer to a unit"
    ),
    '{"id": "dev-1-q", "text": "x", "marks": 1}': (
        "object contains unknown field marks; fields of your own go under 'fields'"
    ),
    '{"id": "dev-1-q", "score": 1e999, "text": "x"}': None,
    '{"id": "dev-1-q", "text": "\\ud800"}': None,
    '{"id": "dev-1-q", "text": "x"': None,
    '{"id": "dev-1-q", "text": "x", "evidence": ' + "[" * 400_000 + "]" * 400_000 + "}": None,
    "[]": None,
}


def test_a_request_with_a_bad_row_stores_nothing(mills: TaskHall) -> None:
    client = mills.program("otters")
    sitting = begin(client, mills)
    good = rows_of({"dev-0-q": "1861"})
    for bad, message in BAD_ROWS.items():
        answer = client.post(f"{sitting}/answers", content=good + bad)
        assert answer.status_code == 422, bad[:80]
        detail = answer.json()["detail"]
        assert detail.startswith("row:2: "), detail
        assert message is None or detail == f"row:2: {message}"
    for empty in ("", "\n\n", '{"rows": []}', '{"rows": 3}'):
        assert client.post(f"{sitting}/answers", content=empty).status_code == 422
    many = ndjson({"id": "dev-0-q", "text": str(number)} for number in range(1001))
    refused = client.post(f"{sitting}/answers", content=many)
    assert refused.json() == {"detail": "the request has 1001 rows, expected 1000 at most"}
    assert client.post(f"{sitting}/answers", content=b"x" * (3 << 20)).status_code == 413
    assert client.get(sitting).json()["answered"] == 0
    nothing = client.post(f"{sitting}/finish")
    assert (nothing.status_code, nothing.json()["detail"]) == (
        422,
        "no unit of the paper is answered",
    )


def test_a_sitting_is_no_larger_than_an_upload(mills: TaskHall) -> None:
    client, large = mills.program("otters"), "x" * (1 << 20)
    object.__setattr__(hall_in(mills.app).settings, "largest_upload", 2 << 20)
    sitting = begin(client, mills)
    for _ in range(5):  # the same row again takes no room
        assert client.post(f"{sitting}/answers", content=rows_of({"dev-0-q": large})).is_success
    assert client.post(f"{sitting}/answers", content=rows_of({"dev-1-q": "1"})).is_success
    full = client.post(f"{sitting}/answers", content=rows_of({"dev-2-q": large}))
    assert (full.status_code, full.json()["detail"]) == (413, "the sitting is larger than 2 MB")
    assert client.get(sitting).json()["answered"] == 2


# Nothing hidden goes out, and nobody else's sitting is reached.


def test_in_the_practice_phase_hidden_papers_stay_in_the_hall(
    hall_app: Any, tmp_path: Path
) -> None:
    test = comprehension_test(tmp_path / "mills.jsonl")
    options: dict[str, Any] = {"practice": FOREVER, "formal": {"begins": "2999-01-01"}}
    task = open_task(hall_app, _with_canaries(test), **options)
    task.add_team("Otters")
    client = task.program("otters")
    sitting = begin(client, task)
    paper = client.get(f"{sitting}/units").text
    assert units_in(paper) == ["dev-0-q", "dev-1-q", "dev-2-q"]
    for word in ("CANARY", "Dell", "Esk", "Fenn", '"key"', "level", '"hidden"'):
        assert word not in paper
    hidden = client.post(f"{sitting}/answers", content=rows_of({"test-0-q": "1861"}))
    assert hidden.json() == {"detail": "row:1: the paper has no unit 'test-0-q'"}
    client.post(f"{sitting}/answers", content=rows_of({"dev-0-q": "1861"}))
    assert client.get(sitting).json()["units"] == 3
    assert client.post(f"{sitting}/finish").json()["phase"] == "practice"
    task.work()
    shown = client.get(f"{task.api}/submissions").json()["submissions"][0]
    assert (shown["state"], list(shown["splits"])) == ("marked", ["dev"])
    assert shown["splits"]["dev"]["marks"]["em"]["score"] == pytest.approx(100 / 3)


def _with_canaries(test: Path) -> Path:
    """The test with a word in every key that must not leave the hall."""
    lines = [json.loads(line) for line in test.read_text("utf-8").splitlines()]
    for record in lines[1:]:
        for question in record["questions"]:
            key = question["key"]
            key["fields"] = {"remark": "CANARY"}
            key["answers"].append({"text": "CANARY"})
    test.write_text(ndjson(lines), "utf-8")
    return test


def test_a_sitting_belongs_to_its_team_and_counts_as_a_submission(mills: TaskHall) -> None:
    mills.configure(per_day=2)
    otters, herons = mills.program("otters"), mills.program("herons")
    sitting = begin(otters, mills)
    for method, path in (
        ("GET", ""),
        ("GET", "/units"),
        ("POST", "/answers"),
        ("POST", "/finish"),
    ):
        assert herons.request(method, sitting + path).status_code == 404, path
    begin(otters, mills)
    full = otters.post(f"{mills.api}/sittings", json={"system": "x"})
    assert full.status_code == 429
    assert full.json()["detail"].startswith("Otters has made 2 of 2 submissions today")
    file = otters.post(
        f"{mills.api}/submissions", files={"file": ("a.json", "{}")}, data={"system": "x"}
    )
    assert file.status_code == 429
    submission = file_submission(herons, mills)
    assert herons.get(f"{mills.api}/sittings/{submission}").status_code == 404
    withdrawn = otters.delete(f"{mills.api}/submissions/{sitting.rpartition('/')[2]}")
    assert withdrawn.json()["state"] == "withdrawn"
    late = otters.post(f"{sitting}/answers", content=rows_of({"dev-0-q": "1861"}))
    assert late.json() == {"detail": "the sitting is withdrawn: it takes no more answers"}


def file_submission(client: Any, task: TaskHall) -> str:
    sent = client.post(
        f"{task.api}/submissions",
        files={"file": ("a.json", json.dumps(ANSWERS))},
        data={"system": "x", "key": "k"},
    )
    taken = client.post(f"{task.api}/sittings", json={"system": "x", "key": "k"})
    assert taken.status_code == 409
    return str(sent.json()["submission"])


def test_what_is_open_when_its_phase_ends_is_handed_in(mills: TaskHall) -> None:
    mills.configure(practice=FOREVER, formal={"begins": "2999-01-01"})
    client = mills.program("otters")
    begun, empty = begin(client, mills), begin(client, mills, system="lead")
    client.post(f"{begun}/answers", content=rows_of({"dev-0-q": "1861"}))
    mills.work()
    assert client.get(begun).json()["state"] == "open"  # the phase is not over
    mills.configure(practice=OVER, formal=FOREVER)
    refused = client.post(f"{begun}/answers", content=rows_of({"dev-1-q": "1872"}))
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "the practice phase is over: the sitting takes no more answers",
    )
    assert client.get(f"{begun}/units").status_code == 409
    mills.work()
    states = {
        each["system"]: each
        for each in client.get(f"{mills.api}/submissions").json()["submissions"]
    }
    lantern, idle = states["Lantern"], states["lead"]
    assert (lantern["state"], list(lantern["splits"])) == ("marked", ["dev"])
    assert lantern["splits"]["dev"]["answered"] == 1
    assert (idle["state"], idle["error"]) == (
        "failed",
        "the practice phase has ended: no unit of the paper is answered",
    )
    assert empty.endswith(idle["submission"])
    # Marked again, it is not sat by Readmark's own candidate of the name that the team chose.
    mills.add_organiser()
    again = mills.browser("olga").post(f"{mills.api}/submissions/{idle['submission']}/mark")
    assert (again.status_code, again.json()["detail"]) == (
        409,
        f"submission {idle['number']} has no answers: it cannot be marked",
    )
    with hall_in(mills.app).database.reading() as session:
        phases = set(session.scalars(select(Submission.phase)))
    assert phases == {"practice"}


def test_nothing_to_sit_is_a_line(hall_app: Any, tmp_path: Path) -> None:
    test = comprehension_test(tmp_path / "mills.jsonl")
    options: dict[str, Any] = {"hidden": ["dev", "test"], "practice": FOREVER}
    task = open_task(hall_app, test, **options)
    task.add_team("Otters")
    answer = task.program("otters").post(f"{task.api}/sittings", json={"system": "x"})
    expected = "every split is hidden: there is nothing to sit in the practice phase"
    assert (answer.status_code, answer.json()) == (409, {"detail": expected})
    with hall_in(hall_app).database.reading() as session:
        assert session.scalar(select(Submission.id)) is None
