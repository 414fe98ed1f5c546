"""The board of a shared task: tables worked by hand, the command line's numbers, and what is kept.

In the test every answer is a kettle, so EM, F1 and their mean are the share of right answers.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boards import CONFIGURATION, BoardHall, answers, open_board_hall, wells
from command_line import in_process
from halls import add_person, client_of, signed_in
from readmark.server.boards import cache as board_cache
from readmark.server.boards.board import released_marks
from readmark.server.boards.release import REASONS
from readmark.server.boards.stored import newest_board
from readmark.server.configurations import change_configuration
from readmark.server.database import Database
from readmark.server.shared_tasks import marker
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.submissions import mark_again
from readmark.server.shared_tasks.worker import Worker
from readmark.server.shipped import bundled_test
from readmark.server.tables import ConfigurationVersion, Project, Submission, SubmissionComparison

DEV = [f"dev-{number}-{index}" for number in range(4) for index in range(2)]
TEST = [f"test-{number}-{index}" for number in range(30) for index in range(2)]
UNITS = [*DEV, *TEST]


def first(dev: int, test: int, units: list[str] = UNITS) -> dict[str, str]:
    """Answers of which the first so many of each split are right."""
    return answers([*DEV[:dev], *TEST[:test]], units)


@pytest.fixture
def filled(hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BoardHall:
    """Two teams with three systems, a baseline, and people from the key."""
    test = wells(tmp_path / "wells.jsonl")
    hall = open_board_hall(hall_app, test, monkeypatch, options="ladder = false")
    hall.submit("Rowers", "Oar", first(6, 30))
    hall.submit("Masons", "Brick", first(4, 57), is_ensemble=True)
    hall.submit("Rowers", "Oar", first(2, 54))
    hall.submit("Masons", "Mortar", first(8, 0, DEV))
    hall.baseline("last", first(0, 6))
    hall.work(people=True)
    return hall


def api(hall: BoardHall, query: str = "", version: str = "") -> dict[str, Any]:
    """The board as the API gives it to anybody."""
    board: dict[str, Any] = (
        client_of(hall.app).get(f"/api/tasks/wells/board{version}{query}").json()
    )
    return board


def shown(board: dict[str, Any], *splits: str) -> list[tuple[Any, ...]]:
    """System, rank, number of submissions, and the mean of EM and F1 on each split."""
    rows = []
    for row in board["rows"]:
        marks = [row["splits"].get(split) for split in splits]
        scores = [None if part is None else part["marks"]["average"]["score"] for part in marks]
        rank = None if row["rank"] is None else tuple(row["rank"])
        rows.append((row["system"], rank, row["submissions"], *map(_round, scores)))
    return rows


def _round(score: float | None) -> float | None:
    return None if score is None else round(score, 6)


def test_the_board_of_a_small_task(filled: BoardHall) -> None:
    """57, 54 and 6 of 60 are right: the first two differ in 3 passages of 30, the last in 24."""
    board = api(filled)
    assert board["order"] == {"split": "test", "metric": "average", "lower_is_better": False}
    assert [(split["name"], split["units"], split["is_hidden"]) for split in board["splits"]] == [
        ("dev", 8, False),
        ("test", 60, True),
    ]
    assert shown(board, "dev", "test") == [
        ("Brick", (1, 2), 1, 50.0, 95.0),
        ("Oar", (1, 2), 2, 25.0, 90.0),
        ("last", (3, 3), 1, 0.0, 10.0),
        ("Mortar", None, 1, 100.0, None),
    ]
    assert board["people"]["splits"]["test"]["marks"]["em"]["score"] == 100.0
    first_row, second, third, fourth = board["rows"]
    assert first_row["is_ensemble"]
    assert third["origin"] == "baseline"
    assert third["team"] is None
    assert first_row["next"]["submission"] == second["submission"]
    assert "difference" not in first_row["next"]  # it would be exact where the marks are rounded
    assert first_row["next"]["p"] >= 0.05 > second["next"]["p"]
    assert third["next"] is None
    assert fourth["next"] is None
    low, score, high = (
        first_row["splits"]["test"]["marks"]["em"][end] for end in ("low", "score", "high")
    )
    assert low < score < high
    history = [(point["score"], point["is_best"]) for point in board["history"]]
    assert history == [(50.0, True), (95.0, True), (90.0, False)]


SELECTED = {
    "?show=all": ["Brick", "Oar", "Oar", "last", "Mortar"],
    "?show=teams": ["Brick", "Oar", "last"],
    "?model=single": ["Oar", "last", "Mortar"],
    "?model=ensemble": ["Brick"],
    "?baselines=no": ["Brick", "Oar", "Mortar"],
    "?baselines=only": ["last"],
    "?team=Rowers": ["Oar"],
    "?team=Nobody": [],
    "?phase=practice": [],
    "?phase=formal": ["Brick", "Oar", "last", "Mortar"],
    "?until=2001-01-01": [],
    "?since=2001-01-01": ["Brick", "Oar", "last", "Mortar"],
    "?sort=em@dev": ["Mortar", "Brick", "Oar", "last"],
    "?sort=em@dev&show=all": ["Mortar", "Oar", "Brick", "Oar", "last"],
}


def test_filters(filled: BoardHall) -> None:
    """Ranks stay those of the whole board, whatever else is shown."""
    client = client_of(filled.app)
    whole = {row["submission"]: row["rank"] for row in api(filled)["rows"]}
    for query, systems in SELECTED.items():
        rows = api(filled, query)["rows"]
        assert [row["system"] for row in rows] == systems, query
        assert [row["rank"] for row in rows] == [whole.get(row["submission"]) for row in rows]
        lines = client.get(f"/tasks/wells/board.md{query}").text.splitlines()[3:]
        assert [line.split(" | ")[1].partition(" (")[0] for line in lines] == systems
        assert client.get(f"/tasks/wells/board{query}").status_code == 200
    for query in ("?since=today", "?until=2026-13-01", "?sort=em", "?sort=bleu@dev"):
        for path in ("/tasks/wells/board", "/tasks/wells/board.csv"):
            assert client.get(path + query).status_code == 422
        assert "expected" in client.get(f"/api/tasks/wells/board{query}").json()["detail"]


def test_the_marks_are_those_of_the_command_line(filled: BoardHall, tmp_path: Path) -> None:
    """To the last digit: `mark`, `table` and `compare` on the same files; hidden ones to a unit."""
    files = {"Brick": first(4, 57), "Oar": first(2, 54), "last": first(0, 6)}
    for name, given in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(given))
    rows = {row["system"]: row for row in api(filled, "?table=level")["rows"]}
    test, sheets = tmp_path / "wells.jsonl", []
    for name in files:
        for split in ("dev", "test"):
            sheet = tmp_path / f"{name}-{split}.marks.jsonl"
            arguments = ["mark", test, tmp_path / f"{name}.json", "--split", split, "--json"]
            arguments += ["--by", "level", "-o", sheet]
            marked = json.loads(in_process(*arguments).stdout)
            sheets.append(f"{split}={sheet}")
            own = rows[name]["splits"][split]
            for metric in ("em", "f1"):
                for end in ("score", "low", "high"):
                    exact = marked["marks"][metric][end]
                    to_unit = pytest.approx(round(exact * 60 / 100) * 100 / 60)
                    assert own["marks"][metric][end] == (exact if split == "dev" else to_unit)
            for value, part in own["by"].get("level", {}).items():
                slices = marked["by"]["level"][value]
                assert part["units"] == slices["units"]
                assert part["marks"]["em"]["score"] == pytest.approx(slices["em"]["score"])
    assert rows["Brick"]["splits"]["test"]["by"]["level"]["1"]["units"] == 30
    sliced = client_of(filled.app).get("/tasks/wells/board.csv?table=level").text
    brick = {row["system"]: row for row in csv.DictReader(io.StringIO(sliced))}["Brick"]
    level = rows["Brick"]["splits"]["test"]["by"]["level"]["2"]["marks"]["em"]
    assert float(brick["test level 2 EM low"]) == level["low"]
    table = in_process("table", *sheets, "--format", "csv").stdout
    by_name = {row["candidate"]: row for row in csv.DictReader(io.StringIO(table))}
    board = client_of(filled.app).get("/tasks/wells/board.csv").text
    for row in csv.DictReader(io.StringIO(board)):
        if row["system"] in files:
            for column in ("dev EM", "dev F1", "test EM", "test F1"):
                assert f"{float(row[column]):.2f}" == by_name[row["system"]][column]
    assert [*by_name][1:] == [row["system"] for row in csv.DictReader(io.StringIO(board))][1:4]
    arguments = ["compare", test, tmp_path / "Brick.json", tmp_path / "Oar.json"]
    compared = in_process(*arguments, "--split", "test", "-m", "average", "--json")
    (entry,) = json.loads(compared.stdout)["comparisons"]
    for name, value in rows["Brick"]["next"].items():
        expected = round(entry["p"], 2) if name == "p" else entry.get(name)
        assert name == "submission" or value == expected, name


def test_a_version_never_changes(filled: BoardHall) -> None:
    before = api(filled)
    assert before["version"] == newest(filled) == 1
    client = client_of(filled.app)
    page = client.get("/tasks/wells/board/1").text
    filled.submit("Rowers", "Oar", first(8, 60))
    filled.work()
    now = api(filled)
    assert now["version"] == 2
    assert now["rows"][0]["system"] == "Oar"
    assert api(filled, version="/1") == before
    assert client.get("/tasks/wells/board/1").text == page
    assert client.get("/tasks/wells/board/3").status_code == 404
    assert client.get("/tasks/wells/board/9999999999999999999").status_code == 404
    with filled.database.writing() as session:  # nothing has changed: no new version
        add_job(session, "board", filled.project.id)
    filled.work()
    assert newest(filled) == 2


def newest(hall: BoardHall) -> int:
    with hall.database.reading() as session:
        board = newest_board(session, hall.project.id)
    return 0 if board is None else board.number


def test_the_page_shows_people_first_in_both_languages(filled: BoardHall) -> None:
    client = client_of(filled.app)
    text = client.get("/tasks/wells/board").text
    places = [text.index(f">{name}<") for name in ("People", "Brick", "Oar", "last", "Mortar")]
    assert places == sorted(places)
    assert "1–2" in text
    assert "hidden" in text
    chinese = client.get("/tasks/wells/board", headers={"accept-language": "zh-CN"}).text
    assert "排行榜" in chinese
    assert "水井" in chinese
    assert "People" not in chinese
    level = client.get("/tasks/wells/board?table=level").text
    assert "level 1" in level
    assert "30 units" in level
    assert "<svg" in client.get("/tasks/wells/board?table=history").text
    assert client.get("/tasks/wells/board?table=nothing").status_code == 404


def test_references_that_authors_wrote_are_not_called_people(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = wells(tmp_path / "wells.jsonl", fields={"people": "authors"})
    hall = open_board_hall(hall_app, written, monkeypatch)
    hall.submit("Rowers", "Oar", first(6, 30))
    hall.work(people=True)
    client = client_of(hall.app)
    page = client.get("/tasks/wells/board").text
    assert ">References<" in page
    assert ">People<" not in page
    chinese = client.get("/tasks/wells/board", headers={"accept-language": "zh-CN"}).text
    assert ">参考答案<" in chinese
    assert api(hall)["people"]["splits"]["test"]["who"] == "references"
    assert "references (leave-one-out)" in client.get("/tasks/wells/board.md").text
    assert "not a human study" in client.get("/tasks/wells").text


def test_a_task_that_nobody_has_submitted_to(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = open_board_hall(hall_app, wells(tmp_path / "wells.jsonl"), monkeypatch)
    assert api(hall) == {"task": "wells", "version": 0, "rows": []}
    for path in ("board", "board.csv", "board.md", "board?table=history"):
        assert client_of(hall_app).get(f"/tasks/wells/{path}").status_code == 200
    hall.submit("Rowers", "Oar", first(6, 30, DEV))
    hall.work()
    board = api(hall)  # nobody has marks on the hidden split: the order is that of dev
    assert board["order"]["split"] == "dev"
    assert shown(board, "dev") == [("Oar", (1, 1), 1, 75.0)]


def test_ratings_are_ordered_by_their_own_metric(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other kinds of test: the kind's main metric; less is better where the metric says so."""
    from readmark.formats.registry import open_test

    with bundled_test("readability.en.jsonl") as path:
        (test := tmp_path / "ratings.jsonl").write_bytes(path.read_bytes())
    gold = {unit.id: unit.key.ratings[0].rating for unit in open_test(test).units()}
    hall = open_board_hall(hall_app, test, monkeypatch)
    good: Any = gold
    poor: Any = {id: len(id) % 5 + 1 for id in gold}
    hall.submit("Rowers", "poor", poor)
    hall.submit("Masons", "good", good)
    hall.work()
    board = api(hall)
    assert board["order"]["metric"] == "pearson"
    assert [row["system"] for row in board["rows"]] == ["good", "poor"]
    with hall.database.writing() as session:
        for submission in session.query(Submission):
            marks = json.loads(submission.marks)
            submission.marks = json.dumps({**marks, "lower_is_better": ["pearson"]})
        add_job(session, "board", hall.project.id)
    hall.work()
    assert [row["system"] for row in api(hall)["rows"]] == ["poor", "good"]
    assert api(hall)["history"][-1]["is_best"] is False


def test_a_comparison_that_fails_leaves_a_board_without_it(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def fail(task: Any) -> Any:
        return {"error": "comparing took too long"}

    test = wells(tmp_path / "wells.jsonl")
    hall = open_board_hall(hall_app, test, monkeypatch, options="ladder = false")
    hall.submit("Rowers", "Oar", first(6, 30))
    hall.submit("Masons", "Brick", first(4, 57))
    with monkeypatch.context() as patched:
        patched.setattr(marker, "compare_submissions", fail)
        hall.work()
    board = api(hall)
    assert [(row["system"], row["rank"], row["next"]) for row in board["rows"]] == [
        ("Brick", [1, 2], None),
        ("Oar", [1, 2], None),
    ]
    with hall.database.writing() as session:
        add_job(session, "board", hall.project.id)
    hall.work()
    assert [row["rank"] for row in api(hall)["rows"]] == [[1, 1], [2, 2]]


def test_marks_made_again_are_compared_again(filled: BoardHall) -> None:
    with filled.database.writing() as session:
        before = {(row.a_id, row.b_id): row.content for row in session.query(SubmissionComparison)}
        for submission in session.query(Submission):
            assert submission.marked is not None
            submission.marked += 1
        add_job(session, "board", filled.project.id)
    filled.work()
    with filled.database.reading() as session:
        after = {(row.a_id, row.b_id): row.content for row in session.query(SubmissionComparison)}
    assert before.keys() == after.keys()
    assert all(before[pair] != after[pair] for pair in before)


def test_the_board_stays_while_everything_is_marked_again(filled: BoardHall) -> None:
    before = api(filled)
    with filled.database.writing() as session:
        project = session.get(Project, filled.project.id)
        text = CONFIGURATION.format(options='metrics = ["em"]')
        change_configuration(session, project, text)
    own = Worker(filled.database)
    seen = []
    while own.run_once():
        seen.append(api(filled))
    after = seen[-1]
    assert {json.dumps(board) for board in seen} == {json.dumps(before), json.dumps(after)}
    assert after["version"] == before["version"] + 1
    assert {row["system"] for row in after["rows"]} == {row["system"] for row in before["rows"]}
    assert all(set(row["splits"]["dev"]["marks"]) == {"em"} for row in after["rows"])


def test_a_submission_that_cannot_be_marked_again_leaves_the_board(
    filled: BoardHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = api(filled)["rows"][0]["submission"]
    with filled.database.writing() as session:
        mark_again(session, session.get(Submission, first), by=filled.people["Rowers"])
    with monkeypatch.context() as patched:
        patched.setattr(marker, "mark_submission", lambda task: {"error": "it is gone"})
        filled.work()
    assert first not in {row["submission"] for row in api(filled)["rows"]}


# The ladder.


def test_the_ladder_shows_what_improves_by_more_than_the_noise(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each differs from the first in whole passages: by 2 units, by 22 right, by 22 more."""
    test = wells(tmp_path / "wells.jsonl", test=45)
    own = [f"test-{number}-{index}" for number in range(45) for index in range(2)]
    hall = open_board_hall(hall_app, test, monkeypatch, options="ladder = true")

    def right(count: int) -> dict[str, str]:
        return answers([*DEV[:4], *own[:count]], [*DEV, *own])

    ids = [hall.submit("Rowers", f"Oar {count}", right(count)) for count in (31, 33, 53, 40, 75)]
    other = hall.submit("Masons", "Brick", right(10))
    hall.work()
    board = api(hall)
    assert board["ladder"]
    scores = {
        row["submission"]: None
        if (marks := row["splits"]["test"]["marks"]) is None
        else marks["em"]
        for row in board["rows"]
    }
    assert [scores[id] and round(scores[id]["score"] * 90 / 100, 9) for id in ids] == [
        31,
        None,
        53,
        None,
        75,
    ]
    assert scores[other]["score"] == pytest.approx(1000 / 90)
    withheld = next(row for row in board["rows"] if row["submission"] == ids[1])
    assert withheld["splits"]["test"]["reason"] == REASONS["not_better"]
    assert withheld["splits"]["dev"]["marks"]["em"]["score"] == 50.0
    assert withheld["rank"] is None
    for row in board["rows"]:
        assert set(row["next"] or ()) <= {"submission", "p", "units", "clusters", "signature"}
        for mark in (row["splits"]["test"]["marks"] or {}).values():
            for end in ("score", "low", "high"):
                assert mark[end] * 90 / 100 == pytest.approx(round(mark[end] * 90 / 100))
    with hall.database.reading() as session:
        for id in ids:
            submission = session.get(Submission, id)
            assert submission is not None
            part = released_marks(session, submission)["test"]
            assert (part["marks"] is None) == (scores[id] is None)
            assert part["marks"] is None or part["marks"]["em"]["score"] == scores[id]["score"]
    page = client_of(hall_app).get("/tasks/wells/board").text
    assert "did not improve by more than the noise" in page

    # Who withdraws the best cannot begin anew; and an earlier one that waits holds back later ones.
    with hall.database.writing() as session:
        best = session.get(Submission, ids[4])
        assert best is not None
        best.state = "withdrawn"
    again = hall.submit("Rowers", "Oar again", right(60))
    hall.work()
    board = api(hall)
    rows = {row["submission"]: row for row in board["rows"]}
    assert ids[4] not in rows
    assert rows[again]["splits"]["test"]["marks"] is None
    with hall.database.writing() as session:
        waiting = session.get(Submission, ids[0])
        assert waiting is not None
        waiting.state, waiting.marked = "waiting", None
        add_job(session, "board", hall.project.id)
    hall.work()
    rows = {row["submission"]: row for row in api(hall)["rows"]}
    assert rows[ids[2]]["splits"]["test"]["reason"] == REASONS["queued"]
    assert rows[ids[2]]["splits"]["dev"]["marks"] is not None
    assert rows[other]["splits"]["test"]["marks"] is not None


# What is kept in memory.


@pytest.fixture
def either(
    either_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[BoardHall, Database]]:
    """A task with one submission, and the database as another process has it."""
    hall = open_board_hall(either_app, wells(tmp_path / "wells.jsonl"), monkeypatch)
    hall.submit("Rowers", "Oar", first(6, 30))
    hall.work()
    other = Database(either_app.state.hall.settings.url)
    yield hall, other
    other.close()


def test_a_board_is_kept_until_another_process_stores_a_new_one(
    either: tuple[BoardHall, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, other = either
    client = client_of(hall.app)
    monkeypatch.setattr(board_cache, "FRESH", 1e9)  # a look into the database when we say so
    monkeypatch.setattr(board_cache, "boards_stored", lambda: 0)
    paths = ("/tasks/wells/board", "/api/tasks/wells/board", "/tasks/wells/board.csv")
    first_answers = {path: client.get(path) for path in paths}
    hall.submit("Masons", "Brick", first(4, 57))
    own = Worker(other)
    while own.run_once():
        pass
    for path, answer in first_answers.items():
        again = client.get(path)
        assert again.content == answer.content
        assert b"Brick" not in again.content
        assert again.headers["etag"] == answer.headers["etag"]
        assert again.headers["cache-control"] == "no-cache"
        assert again.headers["x-content-type-options"] == "nosniff"
        known = client.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert (known.status_code, known.content) == (304, b"")
    # Somebody who is logged in is answered by the route, which sees the newest board.
    assert "Brick" in signed_in(hall.app, hall.people["Rowers"]).get("/tasks/wells/board").text
    monkeypatch.setattr(board_cache, "FRESH", 0.0)
    for path, answer in first_answers.items():
        fresh = client.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert fresh.status_code == 200
        assert b"Brick" in fresh.content
    assert "水井" in client.get(paths[0], headers={"accept-language": "zh"}).text


def test_a_task_that_is_for_members_now_is_not_shown_from_memory(
    either: tuple[BoardHall, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    hall, other = either
    monkeypatch.setattr(board_cache, "FRESH", 0.0)
    client = client_of(hall.app)
    assert client.get("/api/tasks/wells/board").status_code == 200
    with other.writing() as session:
        old = session.query(ConfigurationVersion).filter_by(project_id=hall.project.id).one()
        text = old.text.replace("[options]", '[options]\nvisibility = "members"')
        session.add(ConfigurationVersion(project_id=hall.project.id, version=2, text=text))
    assert client.get("/api/tasks/wells/board").status_code == 401
    assert client.get("/tasks/wells/board").status_code == 303
    member = signed_in(hall.app, hall.people["Rowers"])
    assert member.get("/tasks/wells/board").status_code == 200
    stranger = signed_in(hall.app, add_person(hall.app, "stranger"))
    assert stranger.get("/tasks/wells/board").status_code == 404


def board_layer(app: Any) -> board_cache.BoardCache:
    layer = app.middleware_stack
    while not isinstance(layer, board_cache.BoardCache):
        layer = layer.app if hasattr(layer, "app") else layer._app
    return layer


def test_the_memory_is_bounded(filled: BoardHall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_cache, "MOST_BYTES", 100_000)
    client = client_of(filled.app)
    for number in range(20):
        assert client.get(f"/tasks/wells/board?team={number}").status_code == 200
    layer = board_layer(filled.app)
    stored = sum(len(answer.body) + len("".join(key)) for key, answer in layer._answers.items())
    assert 0 < stored <= layer._size <= 100_000
    monkeypatch.setattr(board_cache, "MOST_ANSWERS", 3)
    client.get("/tasks/wells/board?team=another")
    assert len(layer._answers) == 3


def test_a_query_that_changes_nothing_takes_no_memory(filled: BoardHall) -> None:
    client, long = client_of(filled.app), "x" * 10_000
    plain = client.get("/api/tasks/wells/board")
    layer = board_layer(filled.app)
    size, count = layer._size, len(layer._answers)
    for query in (f"a={long}", f"{long}=", "show=systems", "team=&utm_source=mail", "team=a&team="):
        assert client.get(f"/api/tasks/wells/board?{query}").content == plain.content
    headers = {"accept": f"application/json, {long}", "accept-language": f"en, {long}"}
    assert client.get("/api/tasks/wells/board", headers=headers).content == plain.content
    assert client.get(f"/api/tasks/{long}/board").status_code == 401
    assert client.get(f"/api/tasks/wells/board?team={long}").status_code == 422
    assert (layer._size, len(layer._answers)) == (size, count)
    assert long not in layer._tasks
    # What does change the board is another answer, also when it is the last of several.
    masons = client.get("/api/tasks/wells/board?team=Masons").content
    assert masons != plain.content
    assert client.get("/api/tasks/wells/board?team=a&team=Masons").content == masons
    table = client.get("/api/tasks/wells/board", headers={"accept": "text/csv"})
    assert table.headers["content-type"].startswith("text/csv")


def sitting_that_learnt(given: dict[str, str], ids: list[str]) -> bytes:
    """Answers as a sitting whose header says what of the test the system learnt from."""
    seen = {"passages": len(ids), "of": 34, "sources": ["town annals"], "ids": ids}
    header = {"readmark": 1, "file": "sitting", "candidate": "Memory", "fields": {"seen": seen}}
    rows = [{"id": id, "text": text} for id, text in given.items()]
    return "".join(f"{json.dumps(row)}\n" for row in (header, *rows)).encode()


def test_a_system_that_learnt_from_the_test_has_no_rank(filled: BoardHall) -> None:
    """It has every answer right, and saw 2 of 30 passages of the split that decides."""
    sitting = sitting_that_learnt(first(8, 60), ["test-0", "test-1"])
    filled.submit("Masons", "Memory", sitting)
    filled.work()
    board = api(filled)
    assert [(row["system"], row["rank"] and tuple(row["rank"])) for row in board["rows"]] == [
        ("Brick", (1, 2)),
        ("Oar", (1, 2)),
        ("last", (3, 3)),
        ("Mortar", None),
        ("Memory", None),
    ]
    seen = board["rows"][-1]["splits"]["test"]["seen"]
    assert (seen["passages"], seen["of"]) == (2, 30)
    assert "seen" not in board["rows"][-1]["splits"]["dev"]
    assert not any(point["score"] == 100.0 for point in board["history"])
    page = client_of(filled.app).get("/tasks/wells/board").text
    assert "test: 2 of 30 passages were in its training data" in page
    assert "has no rank" in page
    markdown = client_of(filled.app).get(f"/tasks/wells/board/{board['version']}/board.md").text
    assert "2 of 30 passages were in this candidate's training data (town annals)" in markdown
