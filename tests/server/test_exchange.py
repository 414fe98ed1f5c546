"""Work as files and files as work: export, import, and live agreement on the files."""

from __future__ import annotations

import itertools
import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from halls import add_member, add_person, hall_in, signed_in
from organised import (
    add_annotators,
    answered,
    answers_project,
    chinese_test,
    send,
    town_passage,
    town_test,
    work_on,
)
from panel_judges import panel_test
from readmark.core.errors import DataError
from readmark.formats.registry import open_test, save_test
from readmark.making.quality.judging import judge_quality
from readmark.making.quality.work import exported_work
from readmark.server.assignment import assign_item, withdraw
from readmark.server.changes import Change
from readmark.server.conflicts import conflicts_of
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.live_agreement import NOT_YET, live_agreement
from readmark.server.log import append
from readmark.server.projects import prepare_project, project_named, store_project
from readmark.server.quality import live_quality
from readmark.server.shipped import shipped_configuration, shipped_names
from readmark.server.tables import Assignment, Event, Item, Membership, Person, Project
from readmark.server.work_export import export_project
from readmark.server.work_import import read_work, store_work
from readmark.server.workers import people_per_item, roles_for
from readmark.works import read_project
from rewritten_series import FERRY, QUILL
from rewritten_series import made as series_test

Run = Callable[..., Any]


def two_people(app: Any, folder: Path) -> tuple[Project, dict[str, str]]:
    """Ann and Bob have answered p0 and p1; they agree on three of four questions."""
    project = answers_project(app, town_test(folder / "towns.jsonl"))
    people = add_annotators(app, project, "ann", "bob")
    answers = {
        "ann": {0: ("Oxford", "1800"), 1: ("Leeds", "1801")},
        "bob": {0: ("Oxford", "1800"), 1: ("The mill of Leeds", "1801")},
    }
    for login, own in answers.items():
        items = work_on(app, people[login])
        for number, quotes in own.items():
            send(app, people[login], items[f"p{number}"], answered(number, *quotes))
        half = answered(2, "Dover")  # begun, and not handed in
        half.pop("status")
        send(app, people[login], items["p2"], half)
    return project, people


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def export(app: Any, slug: str, folder: Path) -> Path:
    with hall_in(app).database.reading() as session:
        export_project(session, project_named(session, slug), folder)
    return folder


def count_events(app: Any) -> int:
    with hall_in(app).database.reading() as session:
        return session.scalar(select(func.count()).select_from(Event)) or 0


def import_file(app: Any, path: Path) -> Any:
    database = hall_in(app).database
    with database.reading() as session:
        project = project_named(session, "answers")
        work = read_work(session, project, path)
    with database.writing() as session:
        return store_work(session, project, work)


def test_questions_have_readable_ids_that_never_change(hall_app: Any, tmp_path: Path) -> None:
    new = prepare_project(
        shipped_configuration("questions"),
        [ItemSource(town_test(tmp_path / "towns.jsonl", count=1))],
    )
    with hall_in(hall_app).database.writing() as session:
        project = store_project(session, new, slug="questions")
    people = [add_person(hall_app, login) for login in ("bob", "ann")]
    for person in people:
        add_member(hall_app, project.id, person, "annotator")
    ids = {person: f"e-{number:024}" for number, person in enumerate(people)}
    with hall_in(hall_app).database.writing() as session:
        (item,) = session.scalars(select(Item).where(Item.project_id == project.id))
        work = {
            person: assign_item(session, project, item, session.get_one(Person, person)).id
            for person in people
        }

    def write(person: str, id: str, text: str | None) -> None:
        fields = {"question": text}
        value = {"type": "entry", "entry": "question", "order": 1.0, "fields": fields}
        send(hall_app, person, work[person], {id: value if text else None})

    def exported(number: int) -> dict[str, str]:
        folder = export(hall_app, "questions", tmp_path / str(number))
        (record,) = open_test(folder / "questions.jsonl").records()
        return {question.text: question.id for question in record.questions}

    asked_before = {"Where does the mill stand?": "p0-where", "When was it built?": "p0-when"}
    write(people[0], ids[people[0]], "Who?")
    assert exported(1) == {**asked_before, "Who?": "p0-q1"}
    write(people[1], ids[people[1]], "Why?")  # Ann's come first in the files
    write(people[1], "own-id", "How?")
    assert exported(2) == {**asked_before, "Why?": "p0-q2", "How?": "own-id", "Who?": "p0-q1"}
    last = "e-" + "z" * 24
    write(people[1], last, "Whom?")
    with hall_in(hall_app).database.writing() as session:
        withdraw(session, session.get_one(Assignment, work[people[0]]))
    assert exported(3) == {**asked_before, "Why?": "p0-q2", "How?": "own-id", "Whom?": "p0-q4"}


def test_an_export_has_what_every_command_reads_and_the_same_bytes_each_time(
    either_app: Any, tmp_path: Path, readmark_cli: Run
) -> None:
    two_people(either_app, tmp_path)
    url = hall_in(either_app).settings.url
    first = tmp_path / "first"
    done = readmark_cli("hall", "export", "answers", "-o", first, "--db", url, "--json")
    assert done.returncode == 0, done.stderr
    manifest = json.loads(done.stdout)
    assert manifest["people"] == ["Ann", "Bob"]
    assert {file["name"] for file in manifest["files"]} == {
        "answers.jsonl",
        "people/Ann.jsonl",
        "people/Bob.jsonl",
    }
    again = readmark_cli("hall", "export", "answers", "-o", tmp_path / "again", "--db", url)
    assert again.returncode == 0
    assert "3 files, work of 2 people (configuration 1, event" in again.stdout
    assert files_in(first) == files_in(tmp_path / "again")
    # The same by the API, as a zip.
    client = signed_in(either_app, add_person(either_app, "olga", is_owner=True))
    packed = client.get("/api/projects/answers/export")
    assert packed.headers["content-disposition"] == 'attachment; filename="answers.zip"'
    (tmp_path / "api.zip").write_bytes(packed.content)
    shutil.unpack_archive(tmp_path / "api.zip", tmp_path / "api")
    assert files_in(tmp_path / "api") == files_in(first)
    # The merged test has both people's answers next to the key's own.
    merged = {unit.id: unit.key for unit in open_test(first / "answers.jsonl").units()}
    assert [answer.text for answer in merged["p1-where"].answers] == [
        "Leeds",
        "Leeds",
        "The mill of Leeds",
    ]
    # Agreement in the hall is what the command prints of the files of finished items.
    live = client.get("/api/projects/answers/agreement").json()
    (report,) = live["reports"]
    assert report["what"]["answers"]["units"] == 4
    assert report["what"]["answers"]["disagreed"] == ["p1-where"]
    equal = report["what"]["answers"]["pairs"][0]["figures"]["percent"]
    assert (equal["value"], equal["n"]) == (0.75, 4)
    assert report["signature"].startswith("agree:answers|interval:percentile|draws:1000|")
    assert f"|event:{live['event']}|configuration:1|readmark:" in report["signature"]
    files = sorted((first / "people").iterdir())
    printed = json.loads(readmark_cli("set", "agree", *files, "--json").stdout)
    # The command also has p2, which both have begun and agree on.
    assert printed["what"]["answers"]["pairs"][0]["figures"]["percent"]["value"] == 0.8
    page = client.get("/projects/answers/agreement").text
    assert "0.750" in page
    assert report["signature"] in page


def test_an_export_comes_back_exactly_and_importing_again_changes_nothing(
    either_app: Any, tmp_path: Path, readmark_cli: Run
) -> None:
    two_people(either_app, tmp_path)
    folder = export(either_app, "answers", tmp_path / "out")
    events = count_events(either_app)
    url = hall_in(either_app).settings.url
    same = readmark_cli("hall", "import", "answers", folder, "--db", url)
    assert (same.returncode, same.stdout.strip()) == (0, f"{folder}: 6 items, nothing new")
    # The people's own files say the same under other ids.
    for file in (folder / "people").iterdir():
        assert import_file(either_app, file).changed == 0
    assert count_events(either_app) == events


def test_an_export_moves_to_another_hall(hall_app: Any, tmp_path: Path) -> None:
    from readmark.server.start import open_hall

    two_people(hall_app, tmp_path)
    folder = export(hall_app, "answers", tmp_path / "out")
    (tmp_path / "other").mkdir()
    other = open_hall(f"sqlite:///{tmp_path}/other/hall.db", folder=tmp_path / "other")
    answers_project(other, tmp_path / "towns.jsonl")
    result = import_file(other, folder)
    assert (result.items, result.changed, result.conflicts) == (6, 6, 0)
    assert result.created == ("Ann", "Bob")
    assert "Ann: not known here, so a disabled account was made" in str(result)
    with hall_in(other).database.reading() as session:
        people = session.scalars(select(Person).order_by(Person.login)).all()
        assert [(person.login, person.is_disabled) for person in people] == [
            ("ann", True),
            ("bob", True),
        ]
    events = count_events(other)
    assert import_file(other, folder).changed == 0
    assert count_events(other) == events
    moved = files_in(export(other, "answers", tmp_path / "moved"))
    before = files_in(folder)
    for files in (moved, before):  # the numbers of events are the hall's own
        assert json.loads(files.pop("hall/manifest.json"))["people"] == ["Ann", "Bob"]
    assert moved == before
    other.state.hall.database.close()


def test_what_a_person_did_since_is_kept_as_a_conflict(hall_app: Any, tmp_path: Path) -> None:
    _, people = two_people(hall_app, tmp_path)
    folder = export(hall_app, "answers", tmp_path / "out")
    item = work_on(hall_app, people["ann"])["p1"]
    changed = answered(1, "The mill of Leeds")
    send(hall_app, people["ann"], item, {"q-1": {**changed["q-1"], "order": 5.0}})
    with hall_in(hall_app).database.reading() as session:
        base = conflicts_of(session, item)
    assert len(base) == 1  # another tab, which had not seen the first answer
    client = signed_in(hall_app, people["ann"])
    settle = {
        "sequence": 1,
        "object": "q-1",
        "value": changed["q-1"],
        "resolves": base[0].event,
        "base": base[0].current,
    }
    body = {"client": "client-that-settles", "events": [settle]}
    assert client.post(f"/api/assignments/{item}/events", json=body).status_code == 200
    result = import_file(hall_app, folder)
    assert (result.changed, result.conflicts) == (1, 1)
    assert "both versions are kept" in str(result)
    shown = client.get(f"/api/assignments/{item}").json()
    assert shown["objects"]["q-1"]["value"]["fields"]["answer"]["quote"] == "The mill of Leeds"
    assert [conflict["value"]["fields"]["answer"]["quote"] for conflict in shown["conflicts"]] == [
        "Leeds"
    ]
    assert import_file(hall_app, folder).changed == 0


def test_sheets_of_earlier_work_come_in_and_can_be_corrected(
    hall_app: Any, tmp_path: Path, readmark_cli: Run
) -> None:
    file = town_test(tmp_path / "towns.jsonl")
    answers_project(hall_app, file)
    sheets = tmp_path / "sheets"
    process = readmark_cli("set", "blind", file, "-o", sheets, "--annotator", "Zoë", "--each", "1")
    assert process.returncode == 0, process.stderr
    sheet = sheets / "Zoë.answers.csv"
    blank = sheet.read_text("utf-8-sig")
    rows = blank.splitlines()
    filled = [rows[0]] + [
        row.replace("?,,,", "?,Oxford,,", 1) for row in rows if row.startswith("p0-where")
    ]
    sheet.write_text("\n".join(filled) + "\n", "utf-8")
    result = import_file(hall_app, sheet)
    assert (result.items, result.changed, result.created) == (1, 1, ("Zoë",))
    assert import_file(hall_app, sheet).changed == 0
    # A corrected sheet replaces what the first one brought: nobody has worked on it since.
    sheet.write_text("\n".join(filled).replace("Oxford,,", "The mill of Oxford,,") + "\n", "utf-8")
    result = import_file(hall_app, sheet)
    assert (result.changed, result.conflicts) == (1, 0)
    out = export(hall_app, "answers", tmp_path / "out")
    assert "The mill of Oxford" in (out / "people" / "Zoë.jsonl").read_text("utf-8")
    client = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    with sheet.open("rb") as stream:
        page = client.post("/projects/answers/import", files={"file": ("Zoë.answers.csv", stream)})
    assert "1 items, 0 new or changed." in page.text
    progress = client.get("/api/projects/answers/progress").json()
    assert [(row["name"], row["done"]) for row in progress["people"]] == [("Zoë", 1)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("sheet.csv", "id,answer,annotator\np9-where,Oxford,Ann\n", "p9-where"),
        (
            "sitting.jsonl",
            '{"readmark":1,"file":"sitting","kind":"comprehension"}\n{"id"',
            "sitting",
        ),
        ("empty.json", "{}", "empty.json"),
        ("export.zip", "PK nothing", "export.zip: not a valid zip file"),
    ],
)
def test_bad_files_are_refused_in_one_line(
    hall_app: Any, tmp_path: Path, readmark_cli: Run, name: str, content: str, message: str
) -> None:
    answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    (tmp_path / name).write_text(content)
    url = hall_in(hall_app).settings.url
    done = readmark_cli("hall", "import", "answers", tmp_path / name, "--db", url)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    client = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    answer = client.post("/api/projects/answers/import", files={"file": (name, content)})
    assert answer.status_code == 422
    assert "readmark-upload" not in answer.text
    assert count_events(hall_app) == 0


def test_an_edited_export_and_wrong_objects_are_named(hall_app: Any, tmp_path: Path) -> None:
    two_people(hall_app, tmp_path)
    folder = export(hall_app, "answers", tmp_path / "out")
    edited = folder / "people" / "Ann.jsonl"
    edited.write_text(edited.read_text("utf-8").replace("1801", "1800"), "utf-8")
    (note,) = import_file(hall_app, folder).notes
    assert "import them by name: 1 (people/Ann.jsonl)" in note
    objects = folder / "hall" / "objects.jsonl"
    wrong = objects.read_text("utf-8").replace('"start":12', '"start":13', 1)
    objects.write_text(wrong, "utf-8")
    assert town_passage(0).text.index("Oxford") == 12
    with pytest.raises(DataError, match=r"Ann, p0: q-1: the quote is not the text from 13 to 18"):
        import_file(hall_app, folder)


def test_a_wrong_project_or_database_is_bad_usage(
    hall_app: Any, tmp_path: Path, readmark_cli: Run
) -> None:
    answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    url = hall_in(hall_app).settings.url
    done = readmark_cli("hall", "export", "answer", "-o", tmp_path / "out", "--db", url)
    assert (done.returncode, "did you mean answers?" in done.stderr) == (2, True)
    nowhere = f"sqlite:///{tmp_path}/nowhere.db"
    done = readmark_cli("hall", "export", "answers", "-o", tmp_path / "out", "--db", nowhere)
    assert (done.returncode, "no such database" in done.stderr) == (1, True)
    assert not (tmp_path / "nowhere.db").exists()
    assert not (tmp_path / "out").exists()


def test_every_shipped_project_goes_out_and_comes_back(hall_app: Any, tmp_path: Path) -> None:
    towns = town_test(tmp_path / "towns.jsonl", count=2)
    series = tmp_path / "series.jsonl"
    save_test(series_test(QUILL, FERRY), series)
    passages = tmp_path / "passages.jsonl"
    save_test(panel_test(), passages)
    segmented = chinese_test(tmp_path / "chinese.jsonl")
    files = {"rewriting": series, "panel": passages, "segmentation": segmented}
    database = hall_in(hall_app).database
    note = {"type": "note", "value": "Read it twice."}
    done = {"type": "status", "done": True}
    people = [add_person(hall_app, login) for login in ("ann", "bob")]
    for name in shipped_names():
        if name in ("reading_task", "judging"):  # take a task, which tests of their own bring
            continue
        if name == "shared_task":  # nobody is handed items
            continue
        source = ItemSource(files.get(name, towns))
        new = prepare_project(shipped_configuration(name), [source])
        with database.writing() as session:
            project = store_project(session, new, slug=name.replace("_", "-"))
        configuration = read_project(new.configuration)[0]
        for person in people:
            add_member(hall_app, project.id, person, roles_for(configuration)[0])
        with database.writing() as session:
            hand_out(session, project)
            for assignment in session.scalars(
                select(Assignment).where(Assignment.project_id == project.id)
            ):
                changes = [Change(1, "note", note), Change(2, "status", done)]
                append(session, assignment, "client-of-test", changes)
        folder = export(hall_app, project.slug, tmp_path / name)
        with database.reading() as session:
            work = read_work(session, project, folder)
            live_agreement(session, project.id)
            quality = live_quality(session, project.id)
        assert (quality.report is None) == bool(quality.problem), name
        if quality.report is not None:
            share = quality.report.expected
            assert judge_quality(exported_work(folder), expected=share) == quality.report, name
        with database.writing() as session:
            result = store_work(session, project, work)
        overlap = min(people_per_item(configuration, len(people)), len(people))
        assert (result.items, result.changed) == (2 * overlap, 0), name


def test_an_export_while_people_work_is_of_one_moment(either_app: Any, tmp_path: Path) -> None:
    project = answers_project(either_app, town_test(tmp_path / "towns.jsonl"))
    people = add_annotators(either_app, project, "ann", "bob")
    items = [(person, work_on(either_app, person)["p0"]) for person in people.values()]
    stop, database = threading.Event(), hall_in(either_app).database

    def work() -> None:
        with database.reading() as session:
            assignments = [session.get_one(Assignment, item) for _, item in items]
        for number in itertools.count(1):
            for assignment in assignments:  # one event each, in turn
                value = {"type": "note", "value": str(number)}
                with database.writing() as session:
                    append(session, assignment, "client-of-test", [Change(number, "note", value)])
            if stop.is_set():
                return

    thread = threading.Thread(target=work)
    thread.start()
    try:
        seen: list[tuple[int, int]] = []
        while len(seen) < 4 or seen[-1][0] == seen[0][0]:  # people work meanwhile
            folder = export(either_app, "answers", tmp_path / str(len(seen)))
            manifest = json.loads((folder / "hall" / "manifest.json").read_text("utf-8"))
            lines = (folder / "hall" / "objects.jsonl").read_text("utf-8").splitlines()
            notes = [int(json.loads(line)["objects"]["note"]["value"]) for line in lines]
            seen.append((manifest["event"], sum(notes)))
    finally:
        stop.set()
        thread.join()
    assert all(event == notes for event, notes in seen), seen


def test_people_of_one_name_keep_their_own_files_and_get_their_own_work_back(
    either_app: Any, tmp_path: Path
) -> None:
    """Two called Li, one called li, and somebody called as one of them logs in."""
    project = answers_project(either_app, town_test(tmp_path / "towns.jsonl"))
    names = {"wang": "Li", "..": "li", "third": "Li", "fourth": "Wang"}
    people = {login: add_person(either_app, login) for login in names}
    with hall_in(either_app).database.writing() as session:
        for login, id in people.items():
            person = session.get(Person, id)
            assert person is not None
            person.name = names[login]
            person.created = float([*names].index(login))
            session.add(Membership(project_id=project.id, person_id=id, role="annotator"))
        for id in people.values():
            item = session.scalars(select(Item).where(Item.name == "p0")).one()
            assign_item(session, project, item, session.get_one(Person, id))
    quotes = dict(zip(people, ("Oxford", "mill", "brothers", "two"), strict=True))
    for login, id in people.items():
        send(either_app, id, work_on(either_app, id)["p0"], answered(0, quotes[login]))
    folder = export(either_app, "answers", tmp_path / "out")
    labels = {"wang": "Li (2)", "..": "li (3)", "third": "third", "fourth": "Wang"}
    manifest = json.loads((folder / "hall/manifest.json").read_text("utf-8"))
    assert manifest["people"] == ["Li (2)", "Wang", "li (3)", "third"]
    for login, label in labels.items():
        file = folder / f"people/{label}.jsonl"
        assert f'"text":"{quotes[login]}"' in file.read_text("utf-8")
        assert import_file(either_app, file).changed == 0
    events = count_events(either_app)
    result = import_file(either_app, folder)
    assert (result.changed, result.created, count_events(either_app)) == (0, (), events)
    sheet = tmp_path / "Li.jsonl"
    sheet.write_text((folder / "people/third.jsonl").read_text("utf-8").replace("third", "Li"))
    with pytest.raises(DataError, match="several people are called 'Li'"):
        import_file(either_app, sheet)


def test_live_agreement_forgets_what_is_withdrawn(hall_app: Any, tmp_path: Path) -> None:
    project, people = two_people(hall_app, tmp_path)
    database = hall_in(hall_app).database
    with database.reading() as session:
        assert live_agreement(session, project.id).reports
    with database.writing() as session:
        of_bob = Assignment.person_id == people["bob"]
        for assignment in session.scalars(select(Assignment).where(of_bob)).all():
            withdraw(session, assignment)
    with database.reading() as session:
        assert live_agreement(session, project.id).problem == NOT_YET


def test_the_time_on_an_item_moves_whole_to_another_hall(hall_app: Any, tmp_path: Path) -> None:
    project = answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    ann = add_annotators(hall_app, project, "ann", "bob")["ann"]
    assignment = work_on(hall_app, ann)["p0"]
    send(hall_app, ann, assignment, answered(0, "Oxford", "1800"), seconds=3000.0)  # three changes
    rows = export(hall_app, "answers", tmp_path / "out") / "hall/objects.jsonl"
    assert json.loads(rows.read_text("utf-8"))["seconds"] == 9000.0
    from readmark.server.start import open_hall

    (tmp_path / "other").mkdir()
    other = open_hall(f"sqlite:///{tmp_path}/other/hall.db", folder=tmp_path / "other")
    answers_project(other, tmp_path / "towns.jsonl")
    import_file(other, tmp_path / "out")
    moved = export(other, "answers", tmp_path / "moved") / "hall/objects.jsonl"
    assert json.loads(moved.read_text("utf-8"))["seconds"] == 9000.0
    other.state.hall.database.close()
