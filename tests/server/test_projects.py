"""Projects: created from a file and a configuration, changed while the hall runs, and refused."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from halls import add_member, add_person, add_project, hall_in, signed_in
from organised import TABS, add_annotators, answered, answers_project, send, town_test, work_on
from readmark.core.errors import UsageError
from readmark.server.demo import add_demo, join_demo
from readmark.server.items import ItemSource, items_of
from readmark.server.pages import ASSETS, words
from readmark.server.projects import prepare_project, project_named, store_project
from readmark.server.shipped import shipped_configuration, shipped_names
from readmark.server.tables import Assignment


@pytest.fixture
def owner(hall_app: Any) -> Any:
    return signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))


def create(client: Any, file: Path, **fields: str) -> Any:
    with file.open("rb") as stream:
        return client.post(
            "/projects",
            data={"shipped": "second_answers", **fields},
            files={"test": (file.name, stream, "application/octet-stream")},
        )


def test_an_owner_creates_a_project_in_the_browser(either_app: Any, tmp_path: Path) -> None:
    client = signed_in(either_app, add_person(either_app, "olga", is_owner=True))
    answer = create(client, town_test(tmp_path / "towns.jsonl", hidden=1))
    place = "/projects/second-answers?withheld=1"
    assert (answer.status_code, answer.headers["location"]) == (303, place)
    assert "Hidden splits were left out" in client.get(place).text
    with hall_in(either_app).database.reading() as session:
        project = project_named(session, "second-answers")
        # p3 is of the hidden split, so nobody gets it.
        assert [item.name for item in items_of(session, project.id)] == ["p0", "p1", "p2"]
    named = create(client, tmp_path / "towns.jsonl", splits="test", slug="hidden-too")
    assert named.headers["location"] == "/projects/hidden-too"
    assert client.get("/api/projects/hidden-too/items").json() == [
        {"name": "p3", "purpose": "work"}
    ]
    with (tmp_path / "towns.jsonl").open("rb") as stream:
        form = {"shipped": "second_answers", "slug": "by-api"}
        answer = client.post("/api/projects", data=form, files={"test": stream})
    assert answer.status_code == 201
    (note,) = answer.json()["notes"]
    assert note == "towns.jsonl: hidden, so not used for annotators: split test"
    assert [row["project"] for row in client.get("/api/projects").json()] == [
        "by-api",
        "hidden-too",
        "second-answers",
    ]
    for tab in ("", *(f"/{tab}" for tab in TABS)):
        assert client.get(f"/projects/second-answers{tab}").status_code == 200


def test_every_page_is_there_in_chinese_and_uses_every_string(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    create(owner, town_test(tmp_path / "towns.jsonl"))
    owner.cookies.set("readmark_language", "zh")
    for tab in ("", *(f"/{tab}" for tab in TABS)):
        page = owner.get(f"/projects/second-answers{tab}").text
        assert 'lang="zh-Hans"' in page
        assert "分配" in page
    used = "".join(path.read_text("utf-8") for path in (ASSETS / "templates").glob("*.html"))
    for name in words("en", "organise"):
        stem = re.sub(
            r"_(work|practice|qualifying|adjudication|all|left|done|late|person|item|due|time)$",
            "",
            name,
        )
        stem = re.sub(r"_(work|practice|qualifying)_items$", "", stem)
        stem = re.sub(r"(tab|nothing_added)_\w+$", r"\1_", stem)
        assert stem in used, name


def test_bad_files_are_one_line_and_leave_nothing(
    hall_app: Any, owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad.jsonl"
    good = town_test(tmp_path / "good.jsonl").read_text("utf-8").splitlines()
    bad.write_text("\n".join([good[0], good[1], '{"id": 5}']) + "\n", "utf-8")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other tests upload at the same time
    answer = create(owner, bad)
    assert answer.status_code == 422
    assert "bad.jsonl:3: " in answer.text
    assert tempfile.gettempdir() not in answer.text
    odd = tmp_path / "notes.jsonl"
    odd.write_text("This is no test.\n")
    assert "notes.jsonl" in create(owner, odd).text
    assert "unknown configuration" in create(owner, odd, shipped="nothing").text
    slug = create(owner, tmp_path / "good.jsonl", slug="New Project")
    assert (slug.status_code, "cannot be a short name" in slug.text) == (422, True)
    assert create(owner, tmp_path / "good.jsonl", slug="new").status_code == 422
    assert owner.get("/api/projects").json() == []
    assert list(tmp_path.glob("readmark-upload-*")) == []


def test_a_bundled_test_takes_the_place_of_an_upload_and_items_can_be_previewed(
    hall_app: Any, owner: Any
) -> None:
    form = owner.get("/projects/new").text
    assert "<option>reading.zh.jsonl</option>" in form
    assert "cases.jsonl" not in form
    wrong = owner.post("/projects", data={"shipped": "questions", "bundled": "../secret"})
    assert (wrong.status_code, "unknown test" in wrong.text) == (422, True)
    assert owner.post("/projects", data={"shipped": "questions"}).status_code == 422
    chosen = {"shipped": "questions", "bundled": "reading.zh.jsonl", "slug": "towns"}
    assert owner.post("/projects", data=chosen).status_code == 303
    same = {**chosen, "slug": "other"}
    assert owner.post("/api/projects", data=same).status_code == 201
    (link, *_) = re.findall(
        r"/projects/towns/items/[\w-]+/preview", owner.get("/projects/towns/items").text
    )
    page = owner.get(link)
    assert (page.status_code, f"/api{link}" in page.text) == (200, True)
    view = owner.get(f"/api{link}").json()
    assert view["assignment"]["lock"] == "preview"
    assert view["texts"][0]["language"] == "zh"
    assert '"key"' not in json.dumps(view)
    with hall_in(hall_app).database.reading() as session:
        assert session.scalars(select(Assignment)).all() == []
    assert owner.get(f"/api{link.replace('towns', 'other')}").status_code == 404
    # Where the item is another project's, or somebody only works on it, it does not exist.
    ann = add_person(hall_app, "ann")
    with hall_in(hall_app).database.reading() as session:
        add_member(hall_app, project_named(session, "towns").id, ann, "annotator")
    assert signed_in(hall_app, ann).get(link).status_code == 404


def test_closing_ends_saving_and_handing_out(hall_app: Any, owner: Any, tmp_path: Path) -> None:
    project = answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    ann = add_annotators(hall_app, project, "ann")["ann"]
    assignment = next(iter(work_on(hall_app, ann).values()))
    assert owner.post("/projects/answers/state", data={"is_open": "false"}).status_code == 303
    change = {"sequence": 1, "object": "note", "value": {"type": "note", "value": "x"}}
    body = {"client": "client-of-test", "events": [change]}
    client = signed_in(hall_app, ann)
    assert client.post(f"/api/assignments/{assignment}/events", json=body).status_code == 409
    assert client.get(f"/api/assignments/{assignment}").status_code == 200
    assert "is closed" in owner.post("/projects/answers/hand-out").text
    owner.put("/api/projects/answers/state", json={"is_open": True})
    assert client.post(f"/api/assignments/{assignment}/events", json=body).status_code == 200


def test_items_can_be_added_and_practice_comes_first(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    project = answers_project(
        hall_app,
        town_test(tmp_path / "towns.jsonl", count=2),
        settings="overlap = 1\nqualify = 1.0",
        practice=town_test(tmp_path / "practice.jsonl", count=1),
        qualifying=town_test(tmp_path / "qualifying.jsonl", count=1),
    )
    file = town_test(tmp_path / "more.jsonl", count=4)
    for expected in (2, 0):  # p0 and p1 are there, and a second time all are
        answer = owner.post("/projects/answers/items", files={"test": file.open("rb")})
        assert answer.headers["location"].endswith(f"items?purpose=work&added={expected}")
    assert [
        row["name"] for row in owner.get("/api/projects/answers/items?purpose=work").json()
    ] == [
        "p0",
        "p1",
        "p2",
        "p3",
    ]
    ann = add_annotators(hall_app, project, "ann")["ann"]
    assert [*work_on(hall_app, ann, "practice")] == ["p0"]
    assert [*work_on(hall_app, ann, "qualifying")] == ["p0"]
    assert not work_on(hall_app, ann)
    assert "0 / 1 not yet" in owner.get("/projects/answers/people").text
    item = work_on(hall_app, ann, "qualifying")["p0"]
    send(hall_app, ann, item, answered(0, "mill", "1800"))  # one of two answers is wrong
    assert not work_on(hall_app, ann)
    # Checking a qualifying item gives nothing away; practice says what is not right.
    client = signed_in(hall_app, ann)
    wrong = {"objects": answered(0, "mill", "1800")}
    practice = work_on(hall_app, ann, "practice")["p0"]
    for id, codes in ((item, set()), (practice, {"practice.answer"})):
        findings = client.post(f"/api/assignments/{id}/check", json=wrong).json()["findings"]
        assert {finding["code"] for finding in findings if "answer" in finding["code"]} == codes
    base = client.get(f"/api/assignments/{item}").json()["objects"]["q-1"]["event"]
    right = {"sequence": 1, "object": "q-1", "value": answered(0, "Oxford")["q-1"], "base": base}
    done = {"sequence": 2, "object": "status", "value": {"type": "status", "done": True}}
    body = {"client": "client-of-test", "events": [right, done]}
    path, reopened = f"/api/assignments/{item}/events", {"assignment": item}
    assert client.post(path, json=body).status_code == 409  # nobody tries until it is right
    assert owner.post("/api/projects/answers/reopenings", json=reopened).status_code == 200
    done["base"] = client.get(f"/api/assignments/{item}").json()["objects"]["status"]["event"]
    assert client.post(path, json=body).status_code == 200
    assert len(work_on(hall_app, ann)) == 4  # at once, without the organiser
    assert "1 / 1 qualified" in owner.get("/projects/answers/people").text
    (result,) = owner.get("/api/projects/answers/training?purpose=qualifying").json()
    assert (result["name"], result["right"], result["is_qualified"]) == ("Ann", 1, True)


def test_names_of_projects_become_addresses(hall_app: Any, tmp_path: Path) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=1)
    text = shipped_configuration("second_answers")
    slugs = []
    with hall_in(hall_app).database.writing() as session:
        for name in (
            '"Reading, Part 2!"',
            '"Reading part 2"',
            '"再答"',
            '{ zh = "再答" }',
            '"New"',
        ):
            named = re.sub(r"(?m)^name = .*$", f"name = {name}", text, count=1)
            new = prepare_project(named, [ItemSource(file)])
            slugs.append(store_project(session, new).slug)
        assert slugs == [
            "reading-part-2",
            "reading-part-2-2",
            "second-answers",
            "second-answers-2",
            "new-2",
        ]
        with pytest.raises(UsageError, match="already"):
            store_project(session, new, slug="new-2")
        with pytest.raises(UsageError, match="did you mean reading-part-2"):
            project_named(session, "reading-part2")


def test_the_shipped_projects_read(hall_app: Any) -> None:
    assert "questions" in shipped_names()
    with pytest.raises(UsageError, match="did you mean questions"):
        shipped_configuration("question")


def test_the_demo_is_there_once_and_opens_an_item(either_app: Any) -> None:
    database = hall_in(either_app).database
    assert add_demo(database) == "questions"
    owner = add_person(either_app, "olga", is_owner=True)
    with database.writing() as session:
        path = join_demo(session, owner)
        assert join_demo(session, owner) == path
        assignment = session.get(Assignment, path.removeprefix("/assignments/"))
        assert assignment is not None
        assert assignment.project_id == project_named(session, "questions").id
    assert add_demo(database) == "questions"
    client = signed_in(either_app, owner)
    assert client.get(path).status_code == 200
    assert [row["project"] for row in client.get("/api/projects").json()] == [
        "questions",
        "questions-zh",
    ]
    assert len(work_on(either_app, owner)) >= 6


def test_long_lists_have_pages(hall_app: Any, owner: Any) -> None:
    papers = {f"i{number:03}": {"record": {"id": "x", "text": "x"}} for number in range(101)}
    text = shipped_configuration("questions")
    project = add_project(hall_app, "many", text, papers)
    assert "1 / 2" in owner.get("/projects/many/items").text
    second = owner.get("/projects/many/items?page=2").text
    assert ("i100" in second, "i099" in second) == (True, False)
    add_member(hall_app, project, add_person(hall_app, "ann"), "annotator")
    owner.post("/projects/many/hand-out")
    first = owner.get("/projects/many/assignments?order=item&state=left").text
    assert 'href="?state=left&amp;order=item&amp;page=2"' in first
    assert "i100" in owner.get("/projects/many/assignments?order=item&page=2").text
