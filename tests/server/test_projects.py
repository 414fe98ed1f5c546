"""Projects: created from a file and a configuration, changed while the hall runs, and refused."""

from __future__ import annotations

import gzip
import io
import json
import re
import tempfile
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from halls import add_member, add_person, add_project, hall_in, signed_in
from organised import add_annotators, answered, answers_project, send, town_test, work_on
from readmark.core.errors import DataError, UsageError
from readmark.server.demo import add_demo, join_demo
from readmark.server.items import ItemSource, items_of
from readmark.server.pages import ASSETS, words
from readmark.server.projects import prepare_project, project_named, store_project
from readmark.server.shipped import shipped_configuration, shipped_names
from readmark.server.tables import Assignment
from readmark.works import configuration, read_project

TABS = ("items", "configuration", "people", "assignments", "quality", "agreement", "export")


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
    made = create(client, town_test(tmp_path / "towns.jsonl", hidden=1))
    place = "/projects/second-answers?withheld=1"
    assert (made.status_code, made.headers["location"]) == (303, place)
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


FOREIGN = ("readability.en.jsonl", "series.en.jsonl", "task.en.zip", "reading.en.jsonl")


def beginning_of(name: str) -> bytes:
    """A bundled test with its first record only; a task as it is."""
    content = files("readmark.bundle").joinpath(name).read_bytes()
    return content if name.endswith(".zip") else b"".join(content.splitlines(True)[:2])


def test_every_kind_of_test_is_taken_or_refused_in_one_line(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    """Every bundled test against every shipped project, as its items and as work on them."""
    uploads = {name: beginning_of(name) for name in FOREIGN}
    taken: dict[str, set[str]] = {}
    for shipped in shipped_names():
        for name in FOREIGN:
            upload = {"test": (name, uploads[name])}
            made = owner.post("/api/projects", data={"shipped": shipped}, files=upload)
            if made.status_code == 201:
                taken.setdefault(shipped, set()).add(name)
                slug = made.json()["project"]
            else:
                assert (made.status_code, "\n" in made.json()["detail"]) == (422, False)
        for name in FOREIGN if shipped in taken else ():
            upload = {"file": (name, uploads[name])}
            read = owner.post(f"/api/projects/{slug}/import", files=upload)
            assert read.status_code in (200, 422), (shipped, name)
            assert read.status_code == 200 or "\n" not in read.json()["detail"]
    assert taken["translation"] == taken["questions"] == {"reading.en.jsonl"}
    assert taken["reading_task"] == {"task.en.zip"}


def zipped(*members: tuple[str, bytes]) -> bytes:
    """A zip file, packed as far as that goes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members:
            target.writestr(name, content)
    return made.getvalue()


def test_uploads_that_unpack_to_too_much_are_refused(
    hall_app: Any, owner: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    monkeypatch.setattr("readmark.core.limits.UNSUSPECTED", 1 << 20)
    zeros = b" " * (2 << 20)
    head = (tmp_path / "towns.jsonl").read_bytes()
    bombs = {
        "towns.jsonl.gz": (gzip.compress(head + zeros), "unpacks to more than 200 times"),
        "task.zip": (zipped(("task.toml", zeros)), "unpacks to more than 200 times"),
        "sheet.xlsx": (zipped(("xl/workbook.xml", zeros)), "unpacks to more than 200 times"),
        "up.zip": (zipped(("../../up.jsonl", b"{}")), "names a file outside it"),
        "deep.jsonl": (b"[" * 200_000, "nested too deep"),
    }
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # other tests upload at the same time
    for name, (content, message) in bombs.items():
        (tmp_path / name).write_bytes(content)
        for path, part in (("items", "test"), ("import", "file")):
            answer = owner.post(f"/api/projects/answers/{path}", files={part: (name, content)})
            assert answer.status_code == 422, (name, path)
            assert message in answer.json()["detail"], (name, path)
        made = owner.post(
            "/projects", data={"shipped": "questions"}, files={"test": (name, content)}
        )
        assert (made.status_code, message in made.text) == (422, True), name
    assert [row["project"] for row in owner.get("/api/projects").json()] == ["answers"]
    assert list(tmp_path.glob("readmark-upload-*")) == []


BAD = [
    # What is changed, what the faulty line then says, and the reason that is given.
    ("overlap = 2", "overlap = two", "Invalid value"),
    ("overlap = 2", "overlap = 0", "expected 1 to 1000"),
    ("overlap = 2", 'colour = "red"', "colour"),
    ('work = "second_answers"', 'work = "second_anwsers"', "second_answers"),
    ("least_f1 = 0.8", "least_f1 = 2", "from 0 to 1"),
    ('widget = "flag"', 'widget = "flags"', "flags"),
    ("overlap = 2", "overlap = 1001", "expected 1 to 1000"),
    ("overlap = 2", "seed = 9007199254740992", "too large"),
    ("least_f1 = 0.8", "least_f1 = nan", "least_f1 is not a finite number"),
    ("least_f1 = 0.8", "x = [{ y = 1979-05-27 }]", "y is a date"),
]


def test_a_bad_configuration_is_refused_with_its_line_and_the_old_one_stays(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    address = "/api/projects/answers/configuration"
    text = owner.get(address).json()["text"]
    for old, new, reason in BAD:
        assert old in text
        wrong = text.replace(old, new, 1)
        answer = owner.put(address, json={"text": wrong})
        assert answer.status_code == 422
        fault = answer.json()
        assert reason in fault["message"]
        assert wrong.split("\n")[fault["line"] - 1] == new
        page = owner.post("/projects/answers/configuration", data={"text": wrong})
        assert page.status_code == 422
        assert f"Line {fault['line']}: " in page.text
        assert re.search(rf'class="fault">\s*{fault["line"]}  ', page.text)
    other = shipped_configuration("questions")
    assert "create another project" in owner.put(address, json={"text": other}).json()["message"]
    assert owner.get(address).json() == {"version": 1, "text": text}


def test_of_thousands_of_faults_only_the_first_is_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To find a similar name among 5,000 for each of 5,000 took a quarter of a minute."""
    names: list[str] = []

    def note_name(name: str, known: Any) -> str:
        names.append(name)
        return "none is near"

    monkeypatch.setattr(configuration, "did_you_mean", note_name)
    tables = (f'[category.c{n}]\nrelations = {{ a = "z{n}" }}\n' for n in range(50))
    text = '[project]\nname = "x"\nwork = "layers"\n' + "".join(tables)
    with pytest.raises(DataError, match="a of c0 leads to z0, which is not a category"):
        configuration.read_configuration(text)
    assert names == ["z0"]


def test_two_organisers_never_overwrite_each_others_configuration(
    either_app: Any, tmp_path: Path
) -> None:
    project = answers_project(either_app, town_test(tmp_path / "towns.jsonl"))
    organisers = [add_person(either_app, login) for login in ("olga", "otto")]
    for person in organisers:
        add_member(either_app, project.id, person, "organiser")
    olga, otto = (signed_in(either_app, person) for person in organisers)
    page, api = "/projects/answers/configuration", "/api/projects/answers/configuration"
    first = olga.get(api).json()["text"]
    hers = first.replace("overlap = 2", "overlap = 3")
    his = first.replace("overlap = 2", "overlap = 4") + "# <b>his</b>\n"
    assert 'name="version" value="1"' in otto.get(page).text
    saved = olga.post(page, data={"text": hers, "version": "1"})
    assert saved.headers["location"].endswith("saved=2")

    conflict = otto.post(page, data={"text": his, "version": "1"})
    assert conflict.status_code == 409
    for kept in ("overlap = 3", "overlap = 4", "&lt;b&gt;his", 'name="version" value="2"'):
        assert kept in conflict.text
    refused = otto.put(api, json={"text": his, "version": 1})
    assert (refused.status_code, refused.json()["version"]) == (409, 2)
    assert refused.json()["text"] == hers == otto.get(api).json()["text"]
    assert otto.put(api, json={"text": hers, "version": 1}).json()["version"] == 2  # the same
    broken = otto.post(page, data={"text": "[project", "version": "1"})
    assert (broken.status_code, 'name="version" value="1"' in broken.text) == (422, True)

    decided = otto.post(page, data={"text": his, "version": "2"})
    assert decided.headers["location"].endswith("saved=3")
    versions = olga.get(page).text
    assert [versions.count(f"<td>{name}</td>") for name in ("Olga", "Otto")] == [1, 1]
    old = olga.get(f"{page}?version=1")
    assert "overlap = 2" in old.text
    assert 'name="version" value="3"' in old.text
    assert olga.get(f"{page}?version=9").status_code == 404
    assert olga.get(f"{api}?version=1").json() == {"version": 1, "text": first}
    restored = olga.post(page, data={"text": first, "version": "3"})
    assert restored.headers["location"].endswith("saved=4")
    assert olga.get(api).json() == {"version": 4, "text": first}


def test_a_configuration_that_would_take_minutes_is_refused_at_once() -> None:
    start = '[project]\nname = "x"\nwork = "nothing"\n'
    quoted = ".".join(['"a b"'] * 100_000)
    bombs = {
        f"{start}seed = {'9' * 5000}\n": "too many digits",
        f"{start}[options]\n{'.'.join('a' * 200_000)} = 1\n": "too many parts",
        f"options = {{{quoted} = 1}}\n{start}": "too many parts",
        f'{start}[options]\nx = """\n{"[" * 500_000}\n"""\n': "no work",
        f"{start}[options]\nx = {'[' * 100_000}\n": "nested too deep",
    }
    for text, message in bombs.items():
        with pytest.raises(DataError, match=message):
            read_project(text)


def test_a_long_name_of_an_upload_is_cut(owner: Any, tmp_path: Path) -> None:
    content = town_test(tmp_path / "towns.jsonl").read_bytes()
    files = {"test": ("测" * 110 + ".jsonl", content)}
    answer = owner.post("/api/projects", files=files, data={"shipped": "second_answers"})
    assert answer.status_code == 201


def test_a_good_configuration_counts_at_once(hall_app: Any, owner: Any, tmp_path: Path) -> None:
    project = answers_project(hall_app, town_test(tmp_path / "towns.jsonl"))
    ann = add_annotators(hall_app, project, "ann")["ann"]
    assignment = next(iter(work_on(hall_app, ann).values()))
    client = signed_in(hall_app, ann)
    address = "/api/projects/answers/configuration"
    text = owner.get(address).json()["text"]
    new = re.sub(r"(?m)^name = .*$", 'name = "<script>alert(1)</script>"', text, count=1)
    saved = owner.post("/projects/answers/configuration", data={"text": new.replace("\n", "\r\n")})
    assert saved.headers["location"].endswith("configuration?saved=2")
    shown = client.get(f"/api/assignments/{assignment}").json()["project"]
    assert (shown["name"], shown["version"]) == ("<script>alert(1)</script>", 2)
    for tab in ("", *(f"/{tab}" for tab in TABS)):
        page = owner.get(f"/projects/answers{tab}").text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)" in page
    assert owner.put(address, json={"text": new}).json()["version"] == 2  # nothing new
    assert owner.get("/projects/answers/configuration.toml").text == new


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
        found = client.post(f"/api/assignments/{id}/check", json=wrong).json()["findings"]
        assert {one["code"] for one in found if "answer" in one["code"]} == codes
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


def test_the_organiser_moves_withdraws_and_dates_items(either_app: Any, tmp_path: Path) -> None:
    project = answers_project(
        either_app, town_test(tmp_path / "towns.jsonl"), settings="overlap = 1"
    )
    people = add_annotators(either_app, project, "ann", "bob")
    client = signed_in(either_app, organiser := add_person(either_app, "oleg"))
    assert client.get("/projects/answers/assignments").status_code == 404
    add_member(either_app, project.id, organiser, "organiser")
    page = "/projects/answers/assignments"
    rows = client.get("/api/projects/answers/assignments").json()
    assert sorted(row["name"] for row in rows) == ["Ann", "Ann", "Bob", "Bob"]
    mine = next(row for row in rows if row["name"] == "Ann")
    form = {"action": "reassign", "assignment": mine["id"], "person": people["bob"]}
    assert client.post(page, data=form).status_code == 303
    assert "has p" in client.post(page, data=form).text  # Bob has it already
    assert client.post(page, data={**form, "person": organiser}).status_code == 404
    assert client.post(page, data={**form, "assignment": "nothing"}).status_code == 404
    dated = {"action": "due", "due": "2020-01-31"}
    assert client.post(page, data=dated).status_code == 303
    late = client.get("/api/projects/answers/progress").json()
    assert (late["late"], late["assigned"]) == (4, 4)
    assert "2020-01-31" in client.get(f"{page}?state=late&order=due").text
    assert client.get(f"{page}?order=password").status_code == 422
    bobs = client.get("/api/projects/answers/assignments").json()
    taken = next(row for row in bobs if row["item"] == mine["item"])
    answer = client.post("/api/projects/answers/withdrawals", json={"assignment": taken["id"]})
    assert answer.status_code == 200
    back = {"item": mine["item"], "person": people["ann"], "due": 1e9}
    given = client.post("/api/projects/answers/assignments", json=back)
    assert (given.status_code, given.json()["id"]) == (201, mine["id"])
    assert client.post("/api/projects/answers/hand-out").json() == {
        "added": 0,
        "removed": 0,
        "missing": 0,
        "waiting": [],
        "reason": "complete",
    }


def test_a_hand_out_that_adds_nothing_gives_the_reason(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=2)
    project = answers_project(hall_app, file, settings="overlap = 2")

    def reason() -> Any:
        return owner.post("/api/projects/answers/hand-out").json()["reason"]

    assert reason() == "no_people"
    page = owner.post("/projects/answers/hand-out", follow_redirects=True)
    assert "Items handed out: 0. Nobody in this project can take any" in " ".join(page.text.split())
    add_member(hall_app, project.id, add_person(hall_app, "ann"), "annotator")
    assert reason() is None
    assert reason() == "too_few_people"
    add_member(hall_app, project.id, add_person(hall_app, "bob"), "annotator")
    assert reason() in (None, "complete")  # newcomers are given items when they join
    assert reason() == "complete"


def test_a_hand_out_before_anybody_qualifies_gives_the_reason(
    hall_app: Any, owner: Any, tmp_path: Path
) -> None:
    project = answers_project(
        hall_app,
        town_test(tmp_path / "towns.jsonl", count=2),
        settings="overlap = 1\nqualify = 1.0",
        qualifying=town_test(tmp_path / "practice.jsonl", count=1),
    )
    add_member(hall_app, project.id, add_person(hall_app, "ann"), "annotator")
    owner.post("/api/projects/answers/hand-out")  # hands out the training
    again = owner.post("/api/projects/answers/hand-out").json()
    assert (again["added"], again["reason"]) == (0, "waiting")


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
