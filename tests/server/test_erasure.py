"""Erasure: what a class's pupils left is nowhere any more, whatever happens meanwhile."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from class_hall import (
    NOTE,
    class_of,
    everything,
    exported_bytes,
    project_of,
    pupil_of,
    stored_bytes,
    words_in,
)
from halls import add_member, add_person, hall_in, signed_in
from organised import add_annotators, answered, send, work_on
from readmark.core.errors import ReadmarkError
from readmark.server import database
from readmark.server.account_errors import AccountError
from readmark.server.days import DAY
from readmark.server.erasure import erase_class, erase_due
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.operations import chores
from readmark.server.operations.chores import keep_house
from readmark.server.operations.clock_check import is_clock_doubtful
from readmark.server.project_work import last_event
from readmark.server.projects import prepare_project, store_project
from readmark.server.reading_tasks.catalogue import ServedTask
from readmark.server.reading_tasks.packages import whole_package
from readmark.server.reading_tasks.stored_tasks import store_task
from readmark.server.shared_tasks import job_work
from readmark.server.shared_tasks.people_row import add_people
from readmark.server.shared_tasks.sat_projects import people_of_project, sat_projects
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import (
    Assignment,
    AuditEntry,
    Classroom,
    Event,
    FrozenGold,
    Item,
    Job,
    Person,
    ProjectFile,
    StoredReadingTask,
)
from shared_task_hall import TaskHall, comprehension_test, confined_here, open_task


def test_what_is_erased_is_nowhere_any_more(either_app: Any, tmp_path: Path) -> None:
    app, hall = either_app, hall_in(either_app)
    project = project_of(app, tmp_path)
    [teacher] = add_annotators(app, project, "tess").values()
    add_member(app, project.id, teacher, "organiser")
    class_id, codes = class_of(app, project)
    later, others = class_of(app, project)
    pupils = {name: pupil_of(app, codes, name)[0] for name in ("Quiet Heron", "安静的白鹭")}
    pupil_of(app, others, "Brave Otter")
    of_pupils = [*pupils, *pupils.values()]
    for person in pupils.values():
        for item, assignment in work_on(app, person).items():
            objects = answered(int(item[1:]), "mill")
            send(app, person, assignment, {**objects, "note": {"type": "note", "value": NOTE}})
            for change in ("again ", "once more "):  # older versions and conflicts go too
                send(app, person, assignment, {"note": {"type": "note", "value": change + NOTE}})
    first = next(iter(work_on(app, pupils["Quiet Heron"]).values()))
    with hall.database.writing() as session:  # what an adjudicator is shown has copies
        about = session.scalars(select(Item.id).where(Item.name == "p0")).one()
        copy = Item(project_id=project.id, position=9, name="p0", purpose="adjudication")
        copy.paper, copy.key = "{}", json.dumps({"versions": {"安静的白鹭": NOTE}})
        copy.about_id = about
        gold = FrozenGold(project_id=project.id, number=1, summary=NOTE, content=NOTE.encode())
        session.add_all([copy, gold])
        session.execute(
            update(Assignment)
            .where(Assignment.person_id == teacher, Assignment.item_id == about)
            .values(locked="disputed")
        )
    organiser = signed_in(app, teacher)
    withdrawn = {"assignment": first}
    assert organiser.post("/api/projects/answers/withdrawals", json=withdrawn).status_code < 300
    for item, assignment in work_on(app, teacher).items():
        if item != "p0":  # is in dispute
            send(app, teacher, assignment, answered(int(item[1:]), "mill"))
    # The search does find what is there.
    assert len(words_in(stored_bytes(app, tmp_path), *of_pupils)) >= 6
    assert len(words_in(exported_bytes(app, project, tmp_path / "before"), *of_pupils)) >= 3
    assert len(words_in(everything(app).encode(), *of_pupils)) >= 6
    with hall.database.reading() as session:
        before = last_event(session, project.id)
    state = organiser.get("/api/projects/answers/agreement").json()
    assert "Quiet Heron" in json.dumps(state)

    browser = signed_in(app, pupils["Quiet Heron"])
    path = f"/projects/answers/class/{class_id}"
    assert organiser.post(path, data={"action": "erase"}).status_code == 422
    assert browser.get("/api/me").status_code == 200
    assert organiser.post(path, data={"action": "erase", "sure": "true"}).status_code == 303

    assert words_in(everything(app).encode(), *of_pupils) == []
    assert words_in(stored_bytes(app, tmp_path), *of_pupils) == []
    assert words_in(exported_bytes(app, project, tmp_path / "after"), *of_pupils) == []
    archive = zipfile.ZipFile(io.BytesIO(organiser.get("/projects/answers/export.zip").content))
    assert words_in(b"".join(map(archive.read, archive.namelist())), *of_pupils) == []
    for page in ("", "/class", "/people", "/progress", "/agreement", "/audit"):
        shown = organiser.get(f"/projects/answers{page}")
        assert words_in(shown.content, *of_pupils) == [], page
    assert "Quiet Heron" not in organiser.get("/api/projects/answers/agreement").text
    assert browser.get("/api/me").status_code == 401
    with pytest.raises(AccountError, match="class_over"):
        pupil_of(app, codes, "Quiet Heron")
    # Others' work stays, the state has a new number, and the audit log says how many.
    assert "Brave Otter" in everything(app)
    assert len(work_on(app, teacher)) == 4
    with hall.database.reading() as session:
        assert last_event(session, project.id) > before
        entries = session.scalars(
            select(AuditEntry.detail).where(AuditEntry.action == "class_erased")
        ).all()
        assert [json.loads(entry) for entry in entries] == [{"classroom": class_id, "pupils": 2}]
        assert session.get_one(Classroom, later).erased is None
    # A new event gets a number that nothing has had.
    item = work_on(app, teacher)["p0"]
    send(app, teacher, item, answered(0, "Oxford"))
    with hall.database.reading() as session:
        numbers = session.scalars(select(Event.number).where(Event.assignment_id == item)).all()
        assert min(numbers) > before + 1
    assert erase_class(hall.database, class_id).pupils == 2  # again changes nothing


def sat_by_class(app: Any, tmp_path: Path) -> tuple[TaskHall, str, dict[str, str]]:
    """A shared task, a class whose pupils have sat its test in another project, and the pupils."""
    hall = hall_in(app)
    test = comprehension_test(tmp_path / "mills.jsonl", hidden=False)
    task = open_task(app, test, hidden=["test"])
    new = prepare_project(shipped_configuration("sitting"), [ItemSource(test, splits=("dev",))])
    with hall.database.writing() as session:
        sat = store_project(session, new, slug="sat")
    class_id, codes = class_of(app, sat)
    pupils = {name: pupil_of(app, codes, name)[0] for name in ("Quiet Heron", "安静的白鹭")}
    grown_up = add_person(app, "ann")
    add_member(app, sat.id, grown_up, "participant")
    with hall.database.writing() as session:
        hand_out(session, sat)
    for person, words in (*((id, NOTE) for id in pupils.values()), (grown_up, "1861")):
        for assignment in work_on(app, person).values():
            shown = signed_in(app, person).get(f"/api/assignments/{assignment}").json()["objects"]
            entry = {**shown["q-1"]["value"], "fields": {"written": words}}
            done = {"type": "status", "done": True}
            send(app, person, assignment, {"q-1": entry, "status": done})
    task.add_organiser()
    add_member(app, sat.id, task.people["olga"], "organiser")
    return task, class_id, pupils


def test_copies_of_pupils_work_in_other_projects_are_erased_with_it(
    either_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, hall = either_app, hall_in(either_app)
    monkeypatch.setattr(job_work, "run_confined", confined_here)
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    task, class_id, pupils = sat_by_class(app, tmp_path)
    of_pupils = [*pupils, *pupils.values(), "Quiet_Heron"]
    olga = task.browser("olga")
    taken = olga.post("/projects/mills/people-sittings", data={"sat": "sat"})
    assert taken.status_code == 303, taken.text
    task.work()
    board = olga.get("/api/tasks/mills/board").json()
    assert board["people"]["splits"]["dev"]["people"] == 3
    assert board["people"]["splits"]["dev"]["marks"]["em"]["score"] == pytest.approx(100 / 9)
    with hall.database.writing() as session:  # an error names the file that it is about
        session.execute(update(Job).where(Job.kind == "people").values(error="sat-Quiet_Heron"))
    copies = select(ProjectFile.content).where(ProjectFile.role == "people")
    with hall.database.reading() as session:
        contents = session.scalars(copies).all()
    assert len(contents) == 3
    assert len(words_in(b"".join(contents), *of_pupils)) >= 2  # the search finds what is there

    erase_class(hall.database, class_id)
    assert words_in(everything(app).encode(), *of_pupils) == []
    assert words_in(stored_bytes(app, tmp_path), *of_pupils) == []
    with hall.database.reading() as session:
        contents = session.scalars(copies).all()
        marks = select(ProjectFile).where(ProjectFile.role == "people_marks")
        assert session.scalars(marks).all() == []  # at once, not when a worker comes
    assert words_in(b"".join(contents), *of_pupils) == []
    task.work()
    board = olga.get("/api/tasks/mills/board").json()
    assert board["people"]["splits"]["dev"]["people"] == 1
    assert board["people"]["splits"]["dev"]["marks"]["em"]["score"] == pytest.approx(100 / 3)
    assert words_in(everything(app).encode(), *of_pupils) == []
    assert words_in(exported_bytes(app, task.project, tmp_path / "after"), *of_pupils) == []
    for page in ("/projects/mills/baselines", "/api/projects/mills/people-sittings"):
        assert words_in(olga.get(page).content, *of_pupils) == [], page
    left = [path.read_bytes() for path in temporary.rglob("*") if path.is_file()]
    assert words_in(b"".join(left), *of_pupils) == []


def test_sittings_that_were_read_before_an_erasure_are_not_stored_after_it(
    either_app: Any, tmp_path: Path
) -> None:
    app, hall = either_app, hall_in(either_app)
    task, class_id, pupils = sat_by_class(app, tmp_path)
    with hall.database.reading() as session:
        [sat] = sat_projects(session, task.project.id)
        sittings = people_of_project(session, sat)
    assert set(pupils.values()) < set(sittings.of_people.values())
    erase_class(hall.database, class_id)
    with hall.database.writing() as session:
        add_people(session, task.project, sittings.files, of_people=sittings.of_people)
    with hall.database.reading() as session:
        stored = session.scalars(select(ProjectFile).where(ProjectFile.role == "people")).all()
        assert [file.name for file in stored] == ["sat-Ann.jsonl"]


def test_tasks_made_of_gold_that_pupils_judged_are_erased(hall_app: Any, tmp_path: Path) -> None:
    project = project_of(hall_app, tmp_path)
    class_id, codes = class_of(hall_app, project)
    pupil_of(hall_app, codes, "Quiet Heron")
    owner = add_person(hall_app, "olga", is_owner=True)
    with hall_in(hall_app).database.writing() as session:
        person = session.get_one(Person, owner)
        store_task(session, person, name="copy", content=NOTE.encode(), made_of=project.id)
        store_task(session, person, name="own", content=b"zip")
        copy = session.scalars(select(StoredReadingTask).filter_by(name="copy")).one()
    hall = hall_in(hall_app).database
    served = ServedTask(copy.id, copy.name, "uploaded", copy.id)
    package = whole_package(hall, served).path
    assert package.read_bytes() == NOTE.encode()  # a file of this process
    erase_class(hall, class_id)
    assert not package.exists()
    with hall.reading() as session:
        assert session.scalars(select(StoredReadingTask.name)).all() == ["own"]


def test_a_process_forgets_the_copies_of_what_another_has_erased(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten = threading.Event()
    monkeypatch.setattr(chores, "ROUND", 0.05)
    monkeypatch.setattr(chores, "forget_packages", forgotten.set)
    hall = hall_in(hall_app)
    class_id, codes = class_of(hall_app, project_of(hall_app, tmp_path))
    pupil_of(hall_app, codes, "Quiet Heron")
    stop = threading.Event()
    thread = chores.keep_house(hall, stop)
    try:
        assert not forgotten.wait(0.5)
        erase_class(hall.database, class_id)
        assert forgotten.wait(20)
    finally:
        stop.set()
        thread.join(20)


def test_the_day_comes_and_what_a_reader_holds_up_is_finished_later(
    either_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, hall = either_app, hall_in(either_app)
    project = project_of(app, tmp_path)
    due, codes = class_of(app, project, days=2)
    kept, others = class_of(app, project, days=9)
    person, _ = pupil_of(app, codes, "Quiet Heron")
    pupil_of(app, others, "Brave Otter")
    note = {"note": {"type": "note", "value": NOTE}}
    send(app, person, next(iter(work_on(app, person).values())), note)
    assert erase_due(hall.database, now=time.time() + DAY) == []
    monkeypatch.setattr(database, "PATIENCE", 0.1)
    with hall.database.reading() as reader:
        assert reader.get_one(Person, person).name == "Quiet Heron"
        with pytest.raises(ReadmarkError, match="try again later"):
            erase_due(hall.database, now=time.time() + 3 * DAY)
    assert words_in(everything(app).encode(), "Quiet Heron") == []
    assert words_in(stored_bytes(app, tmp_path), "Quiet Heron") != []  # the files have it still
    [erased] = erase_due(hall.database)  # the next check, whatever the day
    assert (erased.classroom, erased.pupils) == (due, 1)
    assert words_in(stored_bytes(app, tmp_path), "Quiet Heron") == []
    assert erase_due(hall.database, now=time.time() + 3 * DAY) == []
    with hall.database.reading() as session:
        assert session.get_one(Classroom, kept).erasing is None


KILLED = """
import os, signal, sys
from readmark.server.database import Database
from readmark.server.erasure import erase_class

Database.scrub = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
erase_class(Database(sys.argv[1]), sys.argv[2])
"""


@pytest.mark.process
def test_a_kill_in_the_middle_leaves_nothing_behind(hall_app: Any, tmp_path: Path) -> None:
    class_id, codes = class_of(hall_app, project_of(hall_app, tmp_path))
    person, _ = pupil_of(hall_app, codes, "Quiet Heron")
    url = f"sqlite:///{tmp_path}/hall.db"
    done = subprocess.run([sys.executable, "-c", KILLED, url, class_id], check=False)
    assert done.returncode == -9
    assert words_in(stored_bytes(hall_app, tmp_path), person) != []
    [erased] = erase_due(hall_in(hall_app).database)
    assert erased.pupils == 1
    assert words_in(stored_bytes(hall_app, tmp_path), person, "Quiet Heron") == []


def test_the_command_erases_a_class(
    hall_app: Any, tmp_path: Path, readmark_cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    class_id, codes = class_of(hall_app, project_of(hall_app, tmp_path))
    pupil_of(hall_app, codes, "Quiet Heron")
    hall_in(hall_app).database.close()
    db = ("--db", f"sqlite:///{tmp_path}/hall.db")
    unknown = readmark_cli("hall", "erase", "answers", "--class", "none", *db)
    assert (unknown.returncode, "no class 'none'" in unknown.stderr) == (2, True)
    done = readmark_cli("hall", "erase", "answers", "--class", class_id, *db, "--json")
    assert json.loads(done.stdout) == {"project": "answers", "classroom": class_id, "pupils": 1}
    assert words_in(stored_bytes(hall_app, tmp_path), "Quiet Heron") == []


def test_a_running_hall_erases_by_itself(hall_app: Any, tmp_path: Path) -> None:
    hall, stop = hall_in(hall_app), threading.Event()
    class_id, codes = class_of(hall_app, project_of(hall_app, tmp_path))
    pupil_of(hall_app, codes, "Quiet Heron")
    with hall.database.writing() as session:
        session.get_one(Classroom, class_id).erase = time.time() - 1
    thread = keep_house(hall, stop)
    while "class_erased" not in everything(hall_app):
        assert thread.is_alive()
        time.sleep(0.02)
    stop.set()
    thread.join()
    assert words_in(stored_bytes(hall_app, tmp_path), "Quiet Heron") == []


def test_a_clock_that_jumped_erases_nothing_for_a_day(either_app: Any, tmp_path: Path) -> None:
    """Checks of a hall as days go by: the time, and whether the clock is doubted then."""
    database, start = hall_in(either_app).database, time.time()
    days = [
        (0.0, False),
        (0.9, False),  # a night is no jump
        (20.0, True),  # a wrong clock, or a holiday
        (20.5, True),
        (1.0, False),  # it was wrong, and has been set right
        (8.0, True),
        (15.0, False),  # a hall that runs for an hour a week waits for one week, not for ever
        (15.5, False),
    ]
    shown = [(day, is_clock_doubtful(database, now=start + day * DAY)) for day, _ in days]
    assert shown == days


def test_a_hall_that_starts_with_its_clock_ahead_keeps_its_classes(
    hall_app: Any, tmp_path: Path
) -> None:
    hall = hall_in(hall_app)
    class_id, codes = class_of(hall_app, project_of(hall_app, tmp_path), days=9)
    pupil_of(hall_app, codes, "Quiet Heron")
    ahead = time.time() + 20 * DAY
    assert is_clock_doubtful(hall.database, now=ahead)
    assert erase_due(hall.database, now=ahead, only_interrupted=True) == []
    with hall.database.reading() as session:
        assert session.get_one(Classroom, class_id).erasing is None
    assert not is_clock_doubtful(hall.database, now=ahead + DAY)
    [erased] = erase_due(hall.database, now=ahead + DAY)
    assert erased.classroom == class_id
