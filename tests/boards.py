"""Halls with a shared task on a small test made by hand, teams that submit, and a board."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from halls import add_person, add_to_team, hall_in
from made import asked, comprehension, passage
from readmark.core.records import Passage
from readmark.formats.registry import save_test
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shared_tasks import job_work
from readmark.server.shared_tasks.jobs import add_job
from readmark.server.shared_tasks.options import options_of
from readmark.server.shared_tasks.submissions import (
    ANSWERS,
    WAITING,
    NewSubmission,
    next_number,
    receive,
    store_file,
)
from readmark.server.shared_tasks.worker import Worker
from readmark.server.tables import Project, Submission, Team
from readmark.server.views import newest_configuration

CONFIGURATION = """
[project]
name = {{ en = "Wells", zh = "水井" }}
work = "shared_task"
[options]
{options}
"""
RIGHT, WRONG = "kettle", "boat"


def well(split: str, number: int, questions: int = 2, **more: Any) -> Passage:
    """A passage of a split; the answer to every question is a kettle. Questions have levels."""
    own = [
        asked(
            f"{split}-{number}-{index}",
            ("r1", RIGHT),
            ("r2", RIGHT),
            level=1 + index % 2,
            **more,
        )
        for index in range(questions)
    ]
    return passage(f"{split}-{number}", *own, split=split)


def wells(path: Path, *, dev: int = 4, test: int = 30, **header: Any) -> Path:
    """A test with a public and a hidden split, each of passages with two questions."""
    passages = [well("dev", number) for number in range(dev)]
    passages += [well("test", number) for number in range(test)]
    told = {"name": "wells", "language": "en", "hidden": ("test",), **header}
    save_test(comprehension(*passages, **told), path)
    return path


def answers(right: Iterable[str], units: Iterable[str]) -> dict[str, str]:
    """A prediction file that answers some questions right and the others wrong."""
    known = set(right)
    return {id: RIGHT if id in known else WRONG for id in units}


@dataclass
class BoardHall:
    """A hall with a shared task, in which jobs are done when they are asked for."""

    app: Any
    project: Project
    people: dict[str, str] = field(default_factory=dict)

    @property
    def database(self) -> Any:
        return hall_in(self.app).database

    def submit(
        self,
        team: str,
        system: str,
        given: Mapping[str, str] | bytes,
        *,
        is_ensemble: bool = False,
    ) -> str:
        """The id of a submission of a team, which is made if it is new."""
        if team not in self.people:
            self.people[team] = add_person(self.app, team)
            add_to_team(self.app, self.project.id, self.people[team], team)
        with self.database.writing() as session:
            own = session.query(Team).filter_by(project_id=self.project.id, name=team).one()
            submission, _ = receive(
                session,
                session.get(Project, self.project.id),
                options_of(newest_configuration(session, self.project.id)),
                own,
                NewSubmission(system=system, is_ensemble=is_ensemble, file_name="answers.json"),
                given if isinstance(given, bytes) else json.dumps(given).encode(),
                by=self.people[team],
            )
            return submission.id

    def baseline(self, system: str, given: Mapping[str, str]) -> str:
        """The id of a baseline that has sat the test."""
        with self.database.writing() as session:
            submission = Submission(
                project_id=self.project.id,
                number=next_number(session, self.project.id),
                origin="baseline",
                system=system,
                phase="formal",
                state=WAITING,
                file_name="answers.json",
            )
            session.add(submission)
            session.flush()
            store_file(session, submission.id, ANSWERS, "", json.dumps(given).encode())
            add_job(session, "mark", submission.id)
            return submission.id

    def work(self, *, people: bool = False) -> None:
        """Do everything that is in the queue."""
        if people:
            with self.database.writing() as session:
                add_job(session, "people", self.project.id)
        own = Worker(self.database)
        while own.run_once():
            pass


def open_board_hall(
    app: Any, test: Path, monkeypatch: pytest.MonkeyPatch, *, options: str = "", slug: str = "wells"
) -> BoardHall:
    """A hall with a shared task of a test; files are marked in this process, which is faster."""
    monkeypatch.setattr(job_work, "run_confined", lambda work, task, **_: work(task))
    new = prepare_project(CONFIGURATION.format(options=options), [ItemSource(test)])
    with hall_in(app).database.writing() as session:
        return BoardHall(app, store_project(session, new, slug=slug))
