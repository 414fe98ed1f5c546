"""Class mode: joining, what pupils reach, results, and that what is erased is nowhere any more."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, text, update

from halls import ADDRESS, OWN, add_member, add_person, client_of, hall_in, routes_of, signed_in
from organised import add_annotators, answered, answers_project, send, town_test, work_on
from readmark.core.errors import ReadmarkError
from readmark.server import database
from readmark.server.access import HallRole
from readmark.server.account_errors import AccountError
from readmark.server.class_codes import ClassCodes, folded_code
from readmark.server.class_results import class_results
from readmark.server.classes import open_class
from readmark.server.erasure import erase_class, erase_due
from readmark.server.handing_out import hand_out
from readmark.server.invitations import invite
from readmark.server.items import ItemSource
from readmark.server.machine_sittings import add_machine, machines_of, sat_by_machine
from readmark.server.operations import chores
from readmark.server.operations.chores import keep_house
from readmark.server.operations.clock_check import is_clock_doubtful
from readmark.server.project_work import last_event
from readmark.server.projects import prepare_project, store_project
from readmark.server.pupils import (
    PSEUDONYMS_DRAWN,
    _pseudonyms,
    draw_pseudonyms,
    join_class,
    return_to_class,
)
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
    HallTable,
    Item,
    Job,
    Person,
    Project,
    ProjectFile,
    StoredReadingTask,
)
from readmark.server.work_export import export_project
from shared_task_hall import TaskHall, comprehension_test, confined_here, open_task

DAY = 86400.0
NOTE = "canarynote 金丝雀批注"
SHAPES = (
    "canarynote",
    "金丝雀批注",
    json.dumps("金丝雀批注")[1:-1],
)


def project_of(app: Any, tmp_path: Path, settings: str = 'overlap = "all"') -> Project:
    return answers_project(app, town_test(tmp_path / "towns.jsonl"), settings=settings)


def class_of(app: Any, project: Project, most: int = 30, days: float = 3) -> tuple[str, ClassCodes]:
    hall = hall_in(app)
    with hall.database.writing() as session:
        made, codes = open_class(
            session,
            hall,
            project,
            name="7b",
            role="participant",
            most=most,
            until=time.time() + DAY,
            erase=time.time() + days * DAY,
        )
    return made.id, codes


def pupil_of(app: Any, codes: ClassCodes, name: str) -> tuple[str, str]:
    """A new pupil's id and return code."""
    person, again = join_class(
        hall_in(app), codes.link, codes.code, name, language="en", address="192.0.2.9"
    )
    return person.id, again


def everything(app: Any) -> str:
    """All rows of all tables as text."""
    with hall_in(app).database.reading() as session:
        tables = HallTable.metadata.sorted_tables
        return repr([session.execute(select(table)).all() for table in tables])


def fields(page: str) -> list[str]:
    return re.findall(r'type="radio" name="name" value="([^"]+)"', page)


# Joining.


def test_a_pupil_joins_with_link_and_code_and_returns(either_app: Any, tmp_path: Path) -> None:
    app = either_app
    project_of(app, tmp_path)
    teacher = signed_in(app, add_person(app, "olga", is_owner=True))
    days = {"until": "2999-01-01", "erase": "2999-01-02"}
    form = {"name": "7b", "role": "participant", "most": "2"}
    assert teacher.post("/projects/answers/class", data={**form, **days}).status_code == 422
    days = {
        name: time.strftime("%Y-%m-%d", time.gmtime(time.time() + count * DAY))
        for name, count in (("until", 1), ("erase", 2))
    }
    page = teacher.post("/projects/answers/class", data={**form, **days}).text
    link, code, long_link = re.findall(r'<code class="secret[^>]*>([^<]+)</code>', page)
    path = link.removeprefix(ADDRESS)
    assert long_link == f"{link}?code={folded_code(code)}"
    stored = everything(app)
    assert folded_code(code) not in stored
    assert path.rpartition("/")[2] not in stored
    assert folded_code(code) not in teacher.get("/projects/answers/class").text

    pupil = client_of(app)
    assert "Second answers" not in pupil.get(path).text
    assert folded_code(code) in pupil.get(long_link.removeprefix(ADDRESS)).text
    wrong = pupil.post(path, data={"how": "code", "code": "BBB-BBB"})
    assert wrong.status_code == 422
    assert fields(wrong.text) == []
    offered = pupil.post(path, data={"how": "code", "code": code.lower().replace("-", " ")})
    names = fields(offered.text)
    assert len(set(names)) == PSEUDONYMS_DRAWN
    own = {"how": "join", "code": code, "name": "Ada Lovelace"}
    assert pupil.post(path, data=own).status_code == 422  # a name of one's own is not offered
    joined = pupil.post(path, data={**own, "name": names[0]})
    assert joined.status_code == 200
    [again] = re.findall(r'<code class="secret large">([^<]+)</code>', joined.text)
    assert folded_code(again) not in everything(app)
    assert pupil.get("/api/me").json()["name"] == names[0]
    assert pupil.get("/assignments").text.count('class="assignment ') == 4

    other = client_of(app)
    taken = other.post(path, data={**own, "name": names[0]})
    assert taken.status_code == 422
    assert names[0] not in fields(taken.text)
    assert other.post(path, data={"how": "return", "return_code": "BBB"}).status_code == 422
    back = other.post(path, data={"how": "return", "return_code": again.lower()})
    assert (back.status_code, back.headers["location"]) == (303, "/assignments")
    assert other.get("/api/me").json()["id"] == pupil.get("/api/me").json()["id"]

    second = client_of(app).post(path, data={**own, "name": names[1]})
    assert second.status_code == 200
    third = client_of(app).post(path, data={**own, "name": names[2]})
    assert (third.status_code, "The class is full" in third.text) == (422, True)

    class_id = re.findall(r"/class/([\w-]+)\"", teacher.get("/projects/answers/class").text)[0]
    teacher.post(f"/projects/answers/class/{class_id}", data={"action": "close"})
    for data in ({"how": "code", "code": code}, {"how": "return", "return_code": again}):
        assert client_of(app).post(path, data=data).status_code == 404
    assert client_of(app).get(path).status_code == 404
    assert pupil.get("/assignments").status_code == 200  # who is in can finish
    renewed = teacher.post(f"/projects/answers/class/{class_id}", data={"action": "renew"}).text
    fresh = re.findall(r'<code class="secret">([^<]+)</code>', renewed)[0].removeprefix(ADDRESS)
    assert client_of(app).get(fresh).status_code == 200
    assert client_of(app).get(path).status_code == 404


def test_pupils_reach_nothing_but_their_work(hall_app: Any, tmp_path: Path) -> None:
    project = project_of(hall_app, tmp_path)
    _, codes = class_of(hall_app, project)
    person, _ = pupil_of(hall_app, codes, "Quiet Heron")
    hall = hall_in(hall_app)
    with hall.database.writing() as session:
        _, secret = invite(session, hall, HallRole.ORGANISER, project_id=project.id)
    pupil = signed_in(hall_app, person)
    assert pupil.post(f"/invitation/{secret}", data={"how": "member"}).status_code == 422
    assert "Quiet Heron" not in pupil.get(f"/invitation/{secret}").text.split("<main")[1]
    for path in ("/account", "/projects", "/api/tokens", "/api/projects", "/projects/answers"):
        assert pupil.get(path).status_code == 404, path
    token = {"name": "x", "scopes": ["work"]}
    assert pupil.post("/api/tokens", json=token).status_code == 404
    assert pupil.post("/account/tokens", data=token).status_code == 404
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    assert owner.post(f"/people/{person}/password").status_code == 404
    assert owner.post(f"/api/people/{person}/password-link").status_code == 404
    assert "Quiet Heron" not in owner.get("/people").text
    assert owner.get("/api/people").json()[0]["login"] == "olga"


def test_no_page_shows_a_pupil_the_key_or_anybody_elses_work(hall_app: Any, tmp_path: Path) -> None:
    """Every address that can be asked for, with the ids of everything that there is."""
    project = project_of(hall_app, tmp_path)
    add_annotators(hall_app, project, "tess")
    class_id, codes = class_of(hall_app, project)
    person, _ = pupil_of(hall_app, codes, "Quiet Heron")
    other, _ = pupil_of(hall_app, codes, "Brave Otter")
    for item, assignment in work_on(hall_app, other).items():
        note = {"type": "note", "value": NOTE}
        send(hall_app, other, assignment, {**answered(int(item[1:]), "mill"), "note": note})
    own = work_on(hall_app, person)
    values = {
        "project": ["answers"],
        "classroom": [class_id],
        "person": [person, other],
        "assignment": [*own.values(), *work_on(hall_app, other).values()],
        "link": [codes.link],
        "language": ["en"],
    }
    pupil, opened = signed_in(hall_app, person), 0
    teacher = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    secrets = [*SHAPES, "Brave Otter", "Tess", other, '"r1"', '"annotator"']
    for method, path, _ in routes_of(hall_app):
        names = re.findall(r"{(\w+)}", path)
        for chosen in product(*(values.get(name, ["none"]) for name in names)):
            if method == "GET" and path != "/api/openapi.json":
                answer = pupil.get(path.format(**dict(zip(names, chosen, strict=True))))
                opened += answer.status_code == 200
                assert found_in(answer.content, *secrets) == [], path
    assert opened > len(own)
    assert "Brave Otter" in teacher.get(f"/projects/answers/class/{class_id}?machine=none").text


def test_script_in_names_and_codes_stays_text(hall_app: Any, tmp_path: Path) -> None:
    project = project_of(hall_app, tmp_path)
    class_id, codes = class_of(hall_app, project)
    script = "<script>alert(1)</script>"
    with hall_in(hall_app).database.writing() as session:
        session.get_one(Classroom, class_id).name = script
    teacher = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    pupil, path = client_of(hall_app), f"/join/{codes.link}"
    pages = (
        teacher.get("/projects/answers/class"),
        teacher.get(f"/projects/answers/class/{class_id}"),
        teacher.post("/projects/answers/class", data={"name": script, "role": script}),
        pupil.get(path, params={"code": script}),
        pupil.post(path, data={"how": "code", "code": script}),
        pupil.post(path, data={"how": "join", "code": codes.code, "name": script}),
        pupil.get(f"/join/{script}"),
    )
    for page in pages:
        assert "<script>alert" not in page.text
        assert page.status_code in (200, 404, 422)
    assert "&lt;script&gt;alert" in pages[0].text
    for odd in ("\ud800", "\0", "١٢٣٤٥٦", "x" * 1000):
        sent = {"how": "code", "code": odd.encode("utf-8", "surrogatepass")}
        assert pupil.post(path, data=sent).status_code == 422


def test_wrong_codes_are_throttled_by_class_and_address(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = project_of(hall_app, tmp_path)
    (_, codes), (_, others) = class_of(hall_app, project), class_of(hall_app, project)
    monkeypatch.setattr("readmark.server.pupils.MOST_BY_CLASS", 4)
    monkeypatch.setattr("readmark.server.pupils.MOST_BY_ADDRESS", 3)

    def guess(codes: ClassCodes, address: str, code: str, how: str = "code") -> int:
        client = TestClient(hall_app, base_url=ADDRESS, headers=OWN, client=(address, 5))
        data = {"how": how, "code": code, "return_code": code}
        return client.post(f"/join/{codes.link}", data=data).status_code

    for _ in range(5):  # right codes do not count
        assert guess(codes, "192.0.2.1", codes.code) == 200
    assert [guess(codes, "192.0.2.1", "BBBBBB") for _ in range(3)] == [422] * 3
    assert guess(codes, "192.0.2.1", codes.code) == 429  # the address
    assert guess(others, "192.0.2.1", others.code) == 429
    assert guess(codes, "192.0.2.2", "BBBBBBBBBBBB", "return") == 422
    assert guess(codes, "192.0.2.3", codes.code) == 429  # the class
    assert guess(others, "192.0.2.3", others.code) == 200


def test_classes_need_days_a_role_that_gets_items_and_an_open_project(
    hall_app: Any, tmp_path: Path
) -> None:
    project = project_of(hall_app, tmp_path, 'overlap = "all"\nroles = ["novice"]')
    hall, now = hall_in(hall_app), time.time()
    good: dict[str, Any] = {
        "name": "7b",
        "role": "novice",
        "most": 5,
        "until": now + DAY,
        "erase": now + 2 * DAY,
    }
    bad: list[dict[str, Any]] = [
        {"role": "participant"},
        {"role": "organiser"},
        {"until": now - 1},
        {"until": now + 5 * DAY},
        {"erase": now + 500 * DAY},
        {"most": 0},
        {"most": 1000},
    ]
    for change in bad:
        with pytest.raises(ReadmarkError), hall.database.writing() as session:
            open_class(session, hall, project, **{**good, **change})
    with hall.database.writing() as session:
        _, codes = open_class(session, hall, project, **good)
        assert session.query(Classroom).count() == 1
    pupil_of(hall_app, codes, "Quiet Heron")
    with hall.database.writing() as session:
        session.get_one(Project, project.id).is_open = False
    with pytest.raises(AccountError, match="class_over"):
        pupil_of(hall_app, codes, "Quiet Fox")


def test_pseudonyms_are_drawn_in_both_languages(hall_app: Any, tmp_path: Path) -> None:
    project = project_of(hall_app, tmp_path)
    for names in _pseudonyms().values():
        assert len(set(names)) == len(names) > 1000
    with hall_in(hall_app).database.reading() as session:
        assert all(" " in name for name in draw_pseudonyms(session, project.id, "en"))
        assert all(re.fullmatch("[一-龥]+", n) for n in draw_pseudonyms(session, project.id, "zh"))


# Erasure.


def stored_bytes(app: Any, folder: Path) -> bytes:
    """The files of the database: SQLite's with its log; PostgreSQL's own of this database."""
    own = hall_in(app).database
    if own.is_sqlite:
        return b"\n".join(path.read_bytes() for path in sorted(folder.glob("hall.db*")))
    with own.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("CHECKPOINT"))
        query = "SELECT oid, current_setting('data_directory') FROM pg_database"
        found = connection.execute(text(f"{query} WHERE datname = current_database()")).one()
    files = sorted(Path(found[1], "base", str(found[0])).iterdir())
    return b"\n".join(path.read_bytes() for path in files if path.is_file())


def exported_bytes(app: Any, project: Project, folder: Path) -> bytes:
    with hall_in(app).database.reading() as session:
        export_project(session, project, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"\n".join(str(path).encode() + path.read_bytes() for path in files)


def found_in(content: bytes, *more: str) -> list[str]:
    """Which of the pupils' words are in it, as UTF-8 or as JSON escapes."""
    shapes = {shape for word in more for shape in (word, json.dumps(word)[1:-1])}
    return sorted(shape for shape in {*SHAPES, *shapes} if shape.encode() in content)


def test_what_is_erased_is_nowhere_any_more(either_app: Any, tmp_path: Path) -> None:
    app, hall = either_app, hall_in(either_app)
    project = project_of(app, tmp_path)
    [teacher] = add_annotators(app, project, "tess").values()
    add_member(app, project.id, teacher, "organiser")
    class_id, codes = class_of(app, project)
    later, others = class_of(app, project)
    pupils = {name: pupil_of(app, codes, name)[0] for name in ("Quiet Heron", "安静的白鹭")}
    pupil_of(app, others, "Brave Otter")
    mine = [*pupils, *pupils.values()]
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
    assert len(found_in(stored_bytes(app, tmp_path), *mine)) >= 6
    assert len(found_in(exported_bytes(app, project, tmp_path / "before"), *mine)) >= 3
    assert len(found_in(everything(app).encode(), *mine)) >= 6
    with hall.database.reading() as session:
        before = last_event(session, project.id)
    state = organiser.get("/api/projects/answers/agreement").json()
    assert "Quiet Heron" in json.dumps(state)

    browser = signed_in(app, pupils["Quiet Heron"])
    path = f"/projects/answers/class/{class_id}"
    assert organiser.post(path, data={"action": "erase"}).status_code == 422
    assert browser.get("/api/me").status_code == 200
    assert organiser.post(path, data={"action": "erase", "sure": "true"}).status_code == 303

    assert found_in(everything(app).encode(), *mine) == []
    assert found_in(stored_bytes(app, tmp_path), *mine) == []
    assert found_in(exported_bytes(app, project, tmp_path / "after"), *mine) == []
    archive = zipfile.ZipFile(io.BytesIO(organiser.get("/projects/answers/export.zip").content))
    assert found_in(b"".join(map(archive.read, archive.namelist())), *mine) == []
    for page in ("", "/class", "/people", "/progress", "/agreement", "/audit"):
        shown = organiser.get(f"/projects/answers{page}")
        assert found_in(shown.content, *mine) == [], page
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
    mine = [*pupils, *pupils.values(), "Quiet_Heron"]
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
    assert len(found_in(b"".join(contents), *mine)) >= 2  # the search finds what is there

    erase_class(hall.database, class_id)
    assert found_in(everything(app).encode(), *mine) == []
    assert found_in(stored_bytes(app, tmp_path), *mine) == []
    with hall.database.reading() as session:
        contents = session.scalars(copies).all()
        marks = select(ProjectFile).where(ProjectFile.role == "people_marks")
        assert session.scalars(marks).all() == []  # at once, not when a worker comes
    assert found_in(b"".join(contents), *mine) == []
    task.work()
    board = olga.get("/api/tasks/mills/board").json()
    assert board["people"]["splits"]["dev"]["people"] == 1
    assert board["people"]["splits"]["dev"]["marks"]["em"]["score"] == pytest.approx(100 / 3)
    assert found_in(everything(app).encode(), *mine) == []
    assert found_in(exported_bytes(app, task.project, tmp_path / "after"), *mine) == []
    for page in ("/projects/mills/baselines", "/api/projects/mills/people-sittings"):
        assert found_in(olga.get(page).content, *mine) == [], page
    left = [path.read_bytes() for path in temporary.rglob("*") if path.is_file()]
    assert found_in(b"".join(left), *mine) == []


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
    own = hall_in(hall_app).database
    served = ServedTask(copy.id, copy.name, "uploaded", copy.id)
    package = whole_package(own, served).path
    assert package.read_bytes() == NOTE.encode()  # a file of this process
    erase_class(own, class_id)
    assert not package.exists()
    with own.reading() as session:
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
    assert found_in(everything(app).encode(), "Quiet Heron") == []
    assert found_in(stored_bytes(app, tmp_path), "Quiet Heron") != []  # the files have it still
    [erased] = erase_due(hall.database)  # the next check, whatever the day
    assert (erased.classroom, erased.pupils) == (due, 1)
    assert found_in(stored_bytes(app, tmp_path), "Quiet Heron") == []
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
    assert found_in(stored_bytes(hall_app, tmp_path), person) != []
    [erased] = erase_due(hall_in(hall_app).database)
    assert erased.pupils == 1
    assert found_in(stored_bytes(hall_app, tmp_path), person, "Quiet Heron") == []


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
    assert found_in(stored_bytes(hall_app, tmp_path), "Quiet Heron") == []


# Results.


def test_results_are_those_of_the_command_line(
    hall_app: Any, tmp_path: Path, readmark_cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    app, hall = hall_app, hall_in(hall_app)
    project = project_of(app, tmp_path)
    add_annotators(app, project, "tess")
    class_id, codes = class_of(app, project)
    # Questions 1 and 2 of the first two passages; F1 of "mill of Oxford" and Oxford is 0.5.
    given = {
        "Amber Fox": (("Oxford", "1800"), ("Leeds", "1801")),
        "Blue Owl": (("mill of Oxford", "1800"), ("Leeds", "brothers")),
        "Calm Seal": (("two brothers", "1800"), ()),
        "Eager Bee": (("mill of Oxford", "two brothers"), ()),
    }
    teacher = signed_in(app, add_person(app, "olga", is_owner=True))
    path = f"/projects/answers/class/{class_id}"
    assert "No pupil has answered yet" in teacher.get(path).text
    people = {}
    for name, passages in given.items():
        people[name], _ = pupil_of(app, codes, name)
        for number, quotes in enumerate(passages):
            if quotes:
                item = work_on(app, people[name])[f"p{number}"]
                send(app, people[name], item, answered(number, *quotes), seconds=10.0)
    with hall.database.reading() as session:
        results = class_results(session, session.get_one(Classroom, class_id), "bow").results
    assert results.problem == ""
    rows = {question.id: question for question in results.questions}
    assert (results.metric, results.least) == ("f1", 0.8)
    first = rows["p0-where"]
    assert (first.sat, first.right, first.share) == (4, 1, 0.25)
    assert first.wrong == (("mill of Oxford", 2), ("two brothers", 1))
    assert dict(first.marks) == {
        "Amber Fox": 1.0,
        "Blue Owl": 0.5,
        "Calm Seal": 0.0,
        "Eager Bee": 0.5,
    }
    assert [results.verdict(first.marks[name]) for name in given] == [
        "right",
        "part",
        "wrong",
        "part",
    ]
    assert (rows["p0-when"].right, rows["p1-when"].right, rows["p1-when"].sat) == (3, 1, 2)
    assert rows["p2-where"].share is None
    assert rows["p0-where"].seconds == 15.0  # three events of 10 seconds for two answers
    assert results.right_of("Amber Fox") == 4
    assert [question.id for question in results.hardest_first()][:2] == ["p0-where", "p1-when"]

    folder = tmp_path / "out"
    exported_bytes(app, project, folder)
    files = [str(folder / "people" / f"{name}.jsonl") for name in given]
    towns = str(tmp_path / "towns.jsonl")
    said = json.loads(readmark_cli("people", towns, *files, "-m", "f1", "--json").stdout)
    assert results.mean is not None
    for member in ("score", "low", "high", "signature"):
        assert getattr(results.mean, member) == said["marks"]["f1"][member]
    for name, file in zip(given, files, strict=True):
        marked = json.loads(readmark_cli("mark", towns, file, "-m", "f1", "--json").stdout)
        assert results.pupils[name].score == marked["marks"]["f1"]["score"]
        for id, row in rows.items():
            if row.marks[name] is not None:
                assert row.marks[name] == marked["per_unit"][id]["f1"]
    sat = str(tmp_path / "bow.jsonl")
    assert readmark_cli("sit", towns, "-r", "bow", "-o", sat).returncode == 0
    machine = json.loads(readmark_cli("mark", towns, sat, "-m", "f1", "--json").stdout)
    assert results.machine_mark is not None
    assert results.machine_mark.score == machine["marks"]["f1"]["score"]
    assert rows["p0-where"].machine == machine["per_unit"]["p0-where"]["f1"]

    page = teacher.get(f"{path}?machine=bow&order=hard").text
    assert page.index("p0-where") < page.index("p1-when") < page.index("p0-when")
    sheet = teacher.get(f"{path}/results.csv?machine=bow").content.decode("utf-8-sig")
    table = list(csv.DictReader(io.StringIO(sheet)))
    assert [row["id"] for row in table] == [question.id for question in results.questions]
    assert (table[0]["Blue Owl"], table[0]["right"], table[4]["Amber Fox"]) == ("0.5", "1", "")

    # Figures of a class can outlast it: not of four pupils, and never with what pupils wrote.
    keep = {"action": "keep", "machine": "none"}
    assert teacher.post(path, data=keep).status_code == 422
    pupil, _ = pupil_of(app, codes, "Gentle Lynx")
    send(app, pupil, work_on(app, pupil)["p0"], answered(0, "Oxford"))
    assert teacher.post(path, data=keep).status_code == 303
    erase_class(hall.database, class_id)
    kept = teacher.get(f"{path}/kept.json").json()
    assert kept["pupils"] == 5
    assert kept["questions"][0] == {
        "id": "p0-where",
        "question": "Where does the mill stand?",
        "sat": 5,
        "right": 2,
        "seconds": 15.0,
        "machine": None,
    }
    names = [*given, "Gentle Lynx", "mill of Oxford"]
    assert found_in(json.dumps(kept).encode(), *names) == []
    assert found_in(stored_bytes(app, tmp_path), *names[:-1]) == []
    shown = teacher.get(path)
    assert (shown.status_code, "5 pupils were erased" in shown.text) == (200, True)


def test_work_without_right_answers_has_no_results(hall_app: Any, tmp_path: Path) -> None:
    file = ItemSource(town_test(tmp_path / "towns.jsonl"))
    new = prepare_project(shipped_configuration("questions"), [file])
    with hall_in(hall_app).database.writing() as session:
        project = store_project(session, new, slug="writing")
    class_id, codes = class_of(hall_app, project)
    person, again = pupil_of(hall_app, codes, "Quiet Heron")
    assert return_to_class(hall_in(hall_app), codes.link, again, "::1").id == person
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    page = owner.get(f"/projects/writing/class/{class_id}").text
    assert "no right and wrong answers" in page
    with hall_in(hall_app).database.reading() as session:
        assert session.get_one(Person, person).class_id == class_id


def test_a_class_sits_a_test_with_an_uploaded_machine(hall_app: Any, tmp_path: Path) -> None:
    file = ItemSource(town_test(tmp_path / "towns.jsonl", count=2))
    new = prepare_project(shipped_configuration("sitting"), [file])
    with hall_in(hall_app).database.writing() as session:
        project = store_project(session, new, slug="exam")
        add_machine(session, project, sat_by_machine(session, project, "bow"))
        [stored] = machines_of(session, project.id)
    class_id, codes = class_of(hall_app, project)
    for name, quotes in (("Amber Fox", ("Oxford",)), ("Blue Owl", ("mill of Oxford", "1800"))):
        person, _ = pupil_of(hall_app, codes, name)
        objects = answered(0, *quotes)
        for value in objects.values():
            value |= {"entry": "question"} if value["type"] == "entry" else {}
        send(hall_app, person, work_on(hall_app, person)["p0"], objects)
    with hall_in(hall_app).database.reading() as session:
        classroom = session.get_one(Classroom, class_id)
        uploaded = class_results(session, classroom, str(stored.number)).results
        own = class_results(session, classroom, "bow").results
    assert (uploaded.problem, uploaded.machine) == ("", "bow")
    assert uploaded.machine_mark == own.machine_mark
    first, second, third, _ = uploaded.questions
    assert (first.sat, first.right) == (2, 1)
    assert (second.sat, second.right, second.skipped) == (2, 1, {"Amber Fox"})
    assert (third.sat, third.share, third.skipped) == (0, None, frozenset())
    teacher = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    page = teacher.get(f"/projects/exam/class/{class_id}?machine={stored.number}").text
    assert f'<option value="{stored.number}" selected>bow</option>' in page
    assert '<td class="mark skipped">–</td>' in page


def test_programs_open_close_and_erase_classes(hall_app: Any, tmp_path: Path) -> None:
    project_of(hall_app, tmp_path)
    teacher = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    path = "/api/projects/answers/classes"
    today = datetime.now(UTC).date()
    wanted = {"name": "7b", "until": f"{today + timedelta(1)}", "erase": f"{today}"}
    assert teacher.post(path, json=wanted).status_code == 422
    opened = teacher.post(path, json={**wanted, "erase": f"{today + timedelta(2)}"}).json()
    codes = ClassCodes(opened["link"].rpartition("/")[2], opened["code"])
    person, _ = pupil_of(hall_app, codes, "Quiet Heron")
    send(hall_app, person, work_on(hall_app, person)["p0"], answered(0, "Oxford"))
    [listed] = teacher.get(path).json()
    assert listed == {**opened, "pupils": 1, "link": None, "code": None}
    own = f"{path}/{opened['id']}"
    figures = teacher.get(f"{own}/results").json()
    assert figures["questions"][0]["marks"] == {"Quiet Heron": 1.0}
    assert teacher.delete(f"{own}/codes").status_code == 204
    assert client_of(hall_app).get(f"/join/{codes.link}").status_code == 404
    assert teacher.post(f"{own}/codes").json()["state"] == "open"
    assert teacher.delete(own).json()["pupils"] == 1
    assert teacher.post(f"{own}/codes").status_code == 422
    assert teacher.get(path).json()[0]["state"] == "erased"


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
    assert found_in(stored_bytes(hall_app, tmp_path), "Quiet Heron") == []


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


# In a real browser.


@pytest.mark.browser
def test_a_pupil_joins_on_a_phone_by_keyboard(hall_app: Any, chromium: Any, tmp_path: Path) -> None:
    from work_pages import serving

    _, codes = class_of(hall_app, project_of(hall_app, tmp_path))
    with serving(hall_app) as address:
        context = chromium.new_context(
            viewport={"width": 390, "height": 800}, locale="zh-CN", color_scheme="dark"
        )
        complaints: list[str] = []
        context.on("console", lambda message: complaints.append(message.text))
        page = context.new_page()

        def fits() -> None:
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{page.url} is {wide} pixels too wide"

        page.goto(f"{address}/join/{codes.link}")
        fits()
        page.wait_for_selector("#code:focus")
        page.keyboard.type(codes.spaced.lower())
        page.keyboard.press("Enter")
        page.wait_for_selector("fieldset.names")
        fits()
        page.wait_for_selector("input[name=name]:focus")
        page.keyboard.press("ArrowDown")
        name = page.locator("input[name=name]:checked").get_attribute("value")
        page.keyboard.press("Enter")
        page.wait_for_selector("code.large")
        fits()
        again = page.locator("code.large").inner_text()
        assert name in page.locator("main").inner_text()
        page.wait_for_selector("a.button:focus")
        page.keyboard.press("Enter")
        page.wait_for_url("**/assignments")
        assert page.locator(".top a[href='/account']").count() == 0
        page.locator(".continue").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("body.ready")
        context.clear_cookies()
        page.goto(f"{address}/join/{codes.link}")
        page.locator("summary").focus()
        page.keyboard.press("Enter")
        page.focus("#return_code")
        page.keyboard.type(again)
        page.keyboard.press("Enter")
        page.wait_for_url("**/assignments")
        assert name in page.locator(".top").inner_text()
        assert complaints == []
        context.close()
