"""A hall of an earlier version is upgraded, in either database: what it holds stays as it was.

`boards.zip` of a version is a backup of a hall with two shared tasks and rows of other tables, and
`boards.json` what the API of that version answered: paths with the form asked for, and the answers.
The task `wells` has a hidden split, the ladder, ties, people, a baseline and three versions of its
board; `open` has neither people nor anything hidden.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from halls import client_of, hall_in
from readmark.server.boards.stored import newest_board, read_board
from readmark.server.database import Database, known_revisions
from readmark.server.operations.backup import back_up
from readmark.server.operations.restoring import restore
from readmark.server.shared_tasks import job_work
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.worker import Worker
from readmark.server.start import open_hall
from readmark.server.tables import BoardVersion, Project
from version_promises import STORED

VERSIONS = sorted(path.parent for path in STORED.glob("*/boards.zip"))


@pytest.fixture(params=VERSIONS, ids=lambda path: path.name)
def stored(request: pytest.FixtureRequest) -> Path:
    """What a version left."""
    path: Path = request.param
    return path


@pytest.fixture
def upgraded(stored: Path, database_url: str, tmp_path: Path) -> Iterator[Any]:
    """Its hall, filled at its own revision of the schema and upgraded then."""
    database = Database(database_url)
    restore(stored / "boards.zip", database, secret=tmp_path / "readmark.secret")
    assert database.revision() == known_revisions()[0]
    database.close()
    app = open_hall(database_url, folder=tmp_path)
    yield app
    app.state.hall.database.close()


def rows(file: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of a backup by table."""
    with zipfile.ZipFile(file) as archive:
        return {
            Path(name).stem: [json.loads(line) for line in archive.read(name).splitlines()]
            for name in archive.namelist()
            if name.startswith("tables/")
        }


def test_nothing_that_a_hall_holds_changes(upgraded: Any, stored: Path, tmp_path: Path) -> None:
    """Columns are added, and boards are stored in another form; everything else is as it was."""
    back_up(hall_in(upgraded).database, tmp_path / "after.zip", secret=None)
    before, after = rows(stored / "boards.zip"), rows(tmp_path / "after.zip")
    for table in (
        "projects",
        "events",
        "gold_versions",
        "classes",
        "submissions",
        "board_versions",
    ):
        assert before[table], f"nothing to compare in {table}"
    for board in (*before["board_versions"], *after["board_versions"]):
        del board["content"]
    for table, expected in before.items():
        columns = expected[0].keys() if expected else ()
        now = [{name: row[name] for name in columns} for row in after[table]]
        assert sorted(now, key=str) == sorted(expected, key=str), table


def test_boards_answer_as_they_did(upgraded: Any, stored: Path) -> None:
    client = client_of(upgraded)
    answers = json.loads((stored / "boards.json").read_text("utf-8"))
    assert len(answers) > 15
    for asked, expected in answers.items():
        path, form = asked.split(" ")
        answer = client.get(path, headers={"accept": form})
        assert (answer.json() if "json" in form else answer.text) == expected, asked
        assert client.get(path.removeprefix("/api")).status_code == 200


def test_a_board_made_again_after_the_upgrade_is_the_same(
    upgraded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing has changed, an upgrade brings no new version."""
    monkeypatch.setattr(job_work, "run_confined", lambda work, task, **_: work(task))
    database = hall_in(upgraded).database
    with database.writing() as session:
        project = session.scalar(select(Project.id).where(Project.slug == "open"))
        before = newest_board(session, project)
        add_job(session, "board", project)
    assert Worker(database).run_once()
    with database.reading() as session:
        assert newest_board(session, project) == before
        contents = session.scalars(select(BoardVersion.content)).all()
    assert [read_board(content).format for content in contents] == [2] * 4


# What a board of 0.5 may have besides.


def mark(score: float | None) -> dict[str, Any]:
    return {"score": score, "low": None, "high": None}


def entry(number: int, system: str, **more: Any) -> dict[str, Any]:
    return {
        "submission": f"id{number}",
        "number": number,
        "team": "Rowers",
        "system": system,
        "description": "",
        "is_ensemble": False,
        "origin": "file",
        "phase": "formal",
        "received": 1.5,
        "splits": {},
        **more,
    }


def test_everything_on_a_board_is_taken_over() -> None:
    """Two systems: the second submission of the first system is not its best, and has no rank."""
    to_format_2 = import_module(
        "readmark.server.migrations.versions.0010_boards_of_standings"
    ).format_2
    people = {"units": 3, "method": "panel", "people": 2, "is_hidden": False, "by": {}}
    authors = {"units": 60, "method": "leave-one-out", "who": "references", "people": 0, "by": {}}
    seen = {"passages": 2, "of": 30, "sources": ["annals"]}
    sat = {"units": 60, "answered": 59, "is_hidden": True}
    slices = {"level": {"1": {"units": 30, "marks": {"em": mark(40.0)}}}}
    metric = {"name": "em", "scale": 100.0}
    compared = {"submission": "id3", "p": 0.02, "units": 60, "clusters": 30, "signature": "em|p"}
    exact = {"difference": -1.5, "low": None, "high": None, "detectable": 2.0}
    old = {
        "format": 1,
        "kind": "comprehension",
        "metrics": [{**metric, "lower_is_better": False, "signatures": ["em|"]}],
        "order": {"split": "test", "metric": "em", "lower_is_better": False},
        "alpha": 0.1,
        "ladder": True,
        "smallest_slice": 20,
        "splits": [
            {"name": "dev", "units": 3, "is_hidden": False},
            {"name": "test", "units": 60, "is_hidden": True},
        ],
        "fields": ["level"],
        "people": {
            "splits": {
                "dev": {**people, "marks": {"em": mark(90.0)}},
                "test": {**authors, "is_hidden": True, "marks": {"em": mark(80.0)}},
            }
        },
        "rows": [
            {
                "submission": "id1",
                "submissions": 2,
                "rank": [1, 2],
                "next": {**compared, **exact},
                "by": {"test": slices},
            },
            {"submission": "id3", "submissions": 1, "rank": None, "next": None, "by": {}},
        ],
        "submissions": [
            entry(1, "Oar", splits={"test": {**sat, "marks": {"em": mark(50.0)}, "seen": seen}}),
            entry(2, "Oar", splits={"test": {**sat, "marks": None, "withheld": "not_better"}}),
            entry(3, "Brick", team=None, origin="baseline"),
        ],
        "decided": ["id1", "id2"],
    }
    board = read_board(json.dumps(to_format_2(old)))
    both, first, second, third = board.standings.rows
    assert both.name == "people and references (panel, leave-one-out)"
    assert both.score("dev", "em") == 90.0
    assert (both.splits["dev"].people, both.splits["test"].who) == (2, "references")
    assert (first.key, first.name, first.ranks) == ("id1", "Oar", (1, 2))
    assert first.mark("test", "em", "1", "level").score == 40.0
    assert first.seen["test"].of == 30
    assert first.splits["test"].answered == 59
    assert (first.next.row, first.next.p, first.next.exact.difference) == ("id3", 0.02, -1.5)
    assert (second.ranks, second.next, second.withheld("test")) == (None, None, "not_better")
    assert not second.has_slices("test")
    assert third.splits == {}
    counts = [(facts.number, facts.of_system) for facts in board.submissions.values()]
    assert counts == [(1, 2), (2, 2), (3, 1)]
    assert board.submissions["id3"].origin == "baseline"
    assert board.hidden == {"test"}
    assert board.standings.columns.metric("em").signatures == ["em|"]
    assert (board.alpha, board.ladder, board.smallest_slice) == (0.1, True, 20)
    assert board.decided == ["id1", "id2"]
