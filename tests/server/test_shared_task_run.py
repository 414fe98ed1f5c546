"""A shared task from end to end: sat in three ways, with the board that the library gives."""

from __future__ import annotations

import json
import random
import time
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import readmark
from command_line import in_process
from halls import ADDRESS, OWN, add_person, hall_in, signed_in
from readmark.server.shared_tasks import job_work, worker
from readmark.server.shared_tasks.worker import start_workers, stop_workers
from readmark.server.tables import Project
from shared_task_hall import TaskHall, task_configuration
from work_pages import serving

SPLITS = ("dev", "test")


def write_answers(test: readmark.Test, path: Path, share: float, *splits: str) -> Path:
    """Answers of a system that gets a share of the questions right."""
    chance = random.Random(path.name)
    answers = {
        unit.id: (
            test.kind.references(unit)[0][0].text
            if chance.random() < share
            else unit.record.text[:20]
        )
        for unit in test.units()
        if unit.record.split in splits
    }
    path.write_text(json.dumps(answers), encoding="utf-8")
    return path


def numbers(marks: Any) -> dict[str, tuple[float, ...]]:
    """Score and interval of each metric, of the library's marks or of a board's."""
    names = ("score", "low", "high")
    return {
        metric: tuple(
            mark[name] if isinstance(mark, dict) else getattr(mark, name) for name in names
        )
        for metric, mark in marks.items()
    }


def expected_numbers(marks: Any, split: str, units: int) -> dict[str, Any]:
    """What a board has of the library's marks: on the hidden split, to one unit."""
    exact = numbers(marks)
    if split != "test":
        return exact
    return {
        metric: tuple(pytest.approx(round(side * units / 100) * 100 / units) for side in sides)
        for metric, sides in exact.items()
    }


def test_a_shared_task_from_end_to_end(
    either_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = either_app
    monkeypatch.setattr(job_work, "run_confined", lambda work, asked, **options: work(asked))
    monkeypatch.setattr(worker, "POLL", 0.02)
    with as_file(files("readmark.bundle") / "reading.en.jsonl") as file:
        test = readmark.load(file)
        systems = {
            "form": write_answers(test, tmp_path / "form.json", 0.4, *SPLITS),
            "command": write_answers(test, tmp_path / "command.json", 0.8, *SPLITS),
            "part": write_answers(test, tmp_path / "part.json", 0.5, "dev"),
        }
        organiser = signed_in(app, add_person(app, "olga", is_owner=True))
        published = organiser.post(
            "/api/projects",
            data={"slug": "lamplight", "bundled": "reading.en.jsonl"},
            files={"configuration": ("task.toml", task_configuration(hidden=["test"]).encode())},
        )
        assert published.status_code == 201, published.text
        with hall_in(app).database.reading() as session:
            project = session.scalars(select(Project).where(Project.slug == "lamplight")).one()
        task = TaskHall(app, "lamplight", project)
        for team in ("Alpha", "Beta", "Gamma"):
            task.add_team(team)
        workers = start_workers(hall_in(app).database, 1)
        try:
            with serving(app) as address:
                browser = task.browser("alpha")
                for system in ("form", "part"):
                    sent = browser.post(
                        "/tasks/lamplight/submissions",
                        data={"system": system},
                        files={"file": (f"{system}.json", systems[system].read_bytes())},
                        headers={**OWN, "origin": ADDRESS},
                    )
                    assert sent.status_code == 303, sent.text
                page = f"{address}/tasks/lamplight"
                done = in_process(
                    "submit", page, systems["command"], env={"READMARK_TOKEN": task.token("beta")}
                )
                assert done.returncode == 0, done.stderr
                sat = readmark.Client(address, task.token("gamma")).sit("lamplight", "lead")
                assert (sat.answered, sat.submission.state) == (test.facts.units, "marked")
                baseline = organiser.post(
                    "/api/projects/lamplight/baselines", json={"candidate": "longest_overlap"}
                )
                assert baseline.status_code == 201, baseline.text
                wait_for_board(address, 5)
                board = readmark.Client(address).board("lamplight").document
        finally:
            stop_workers(workers)
        check_board(board, test, systems, tmp_path)


def wait_for_board(address: str, rows: int) -> None:
    end = time.monotonic() + 60
    while len(readmark.Client(address).board("lamplight").document["rows"]) < rows:
        assert time.monotonic() < end, "the board takes too long"
        time.sleep(0.1)


def check_board(board: Any, test: readmark.Test, systems: dict[str, Path], folder: Path) -> None:
    sittings: dict[str, Any] = dict(systems)
    for candidate in ("lead", "longest_overlap"):
        readmark.sit(test, candidate, sitting := folder / f"{candidate}.jsonl")
        sittings[candidate] = sitting
    rows = {row["system"]: row for row in board["rows"]}
    assert set(rows) == set(sittings)
    marked = []
    for system, sitting in sittings.items():
        shown = rows[system]["splits"]
        assert set(shown) == ({"dev"} if system == "part" else set(SPLITS))
        for split in shown:
            metrics = list(shown[split]["marks"])
            marks = readmark.mark(test.split(split), sitting, metrics=metrics)
            expected = expected_numbers(marks.marks, split, marks.units)
            assert numbers(shown[split]["marks"]) == expected
            assert (shown[split]["units"], shown[split]["answered"]) == (
                marks.units,
                marks.units - len(marks.coverage.unanswered),
            )
            if split == "test":
                marked.append((marks["average"].score, system))
    people = readmark.people(test.split("test"), metrics=["em", "f1"])
    shown_people = numbers(board["people"]["splits"]["test"]["marks"])
    expected = expected_numbers(people.marks, "test", people.units)
    assert {name: shown_people[name] for name in ("em", "f1")} == expected
    order = [row["system"] for row in board["rows"]]
    assert order == [system for _, system in sorted(marked, reverse=True)] + ["part"]
    hidden = test.split("test")
    for better, worse in pairwise(order[:-1]):
        found = readmark.compare(hidden, sittings[worse], sittings[better], metrics="average")
        assert rows[better]["next"]["p"] == pytest.approx(found[0].p, abs=0.005)  # it is hidden
