"""What a class found hard, with a machine next to the pupils."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from class_hall import class_of, exported_bytes, project_of, pupil_of, stored_bytes, words_in
from halls import add_person, hall_in, signed_in
from organised import add_annotators, answered, send, town_test, work_on
from readmark.server.class_results import class_results
from readmark.server.erasure import erase_class
from readmark.server.items import ItemSource
from readmark.server.machine_sittings import add_machine, machines_of, sat_by_machine
from readmark.server.projects import prepare_project, store_project
from readmark.server.pupils import return_to_class
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Classroom, Person


def test_results_are_those_of_the_command_line(
    hall_app: Any, tmp_path: Path, readmark_cli: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    app, hall = hall_app, hall_in(hall_app)
    project = project_of(app, tmp_path)
    add_annotators(app, project, "tess")
    class_id, codes = class_of(app, project)
    # Questions 1 and 2 of the first two passages; F1 of "mill of Oxford" and Oxford is 0.5.
    answers = {
        "Amber Fox": (("Oxford", "1800"), ("Leeds", "1801")),
        "Blue Owl": (("mill of Oxford", "1800"), ("Leeds", "brothers")),
        "Calm Seal": (("two brothers", "1800"), ()),
        "Eager Bee": (("mill of Oxford", "two brothers"), ()),
    }
    teacher = signed_in(app, add_person(app, "olga", is_owner=True))
    path = f"/projects/answers/class/{class_id}"
    assert "No pupil has answered yet" in teacher.get(path).text
    people = {}
    for name, passages in answers.items():
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
    assert [results.verdict(first.marks[name]) for name in answers] == [
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
    files = [str(folder / "people" / f"{name}.jsonl") for name in answers]
    towns = str(tmp_path / "towns.jsonl")
    of_people = json.loads(readmark_cli("people", towns, *files, "-m", "f1", "--json").stdout)
    assert results.mean is not None
    for member in ("score", "low", "high", "signature"):
        assert getattr(results.mean, member) == of_people["marks"]["f1"][member]
    for name, file in zip(answers, files, strict=True):
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
    names = [*answers, "Gentle Lynx", "mill of Oxford"]
    assert words_in(json.dumps(kept).encode(), *names) == []
    assert words_in(stored_bytes(app, tmp_path), *names[:-1]) == []
    shown = teacher.get(path)
    assert (shown.status_code, "5 pupils were erased" in shown.text) == (200, True)


def test_work_without_right_answers_has_no_results(hall_app: Any, tmp_path: Path) -> None:
    file = ItemSource(town_test(tmp_path / "towns.jsonl"))
    new = prepare_project(shipped_configuration("questions"), [file])
    with hall_in(hall_app).database.writing() as session:
        project = store_project(session, new, slug="writing")
    class_id, codes = class_of(hall_app, project)
    person, return_code = pupil_of(hall_app, codes, "Quiet Heron")
    assert return_to_class(hall_in(hall_app), codes.link, return_code, "::1").id == person
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
        ours = class_results(session, classroom, "bow").results
    assert (uploaded.problem, uploaded.machine) == ("", "bow")
    assert uploaded.machine_mark == ours.machine_mark
    first, second, third, _ = uploaded.questions
    assert (first.sat, first.right) == (2, 1)
    assert (second.sat, second.right, second.skipped) == (2, 1, {"Amber Fox"})
    assert (third.sat, third.share, third.skipped) == (0, None, frozenset())
    teacher = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    page = teacher.get(f"/projects/exam/class/{class_id}?machine={stored.number}").text
    assert f'<option value="{stored.number}" selected>bow</option>' in page
    assert '<td class="mark skipped">–</td>' in page
