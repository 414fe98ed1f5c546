"""A project's configuration: changed, refused with its line, and never overwritten unseen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from halls import add_member, add_person, signed_in
from organised import TABS, add_annotators, answers_project, town_test, work_on
from readmark.core.errors import DataError
from readmark.server.shipped import shipped_configuration
from readmark.works import configuration, read_project


@pytest.fixture
def owner(hall_app: Any) -> Any:
    return signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))


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
