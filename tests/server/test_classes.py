"""Classes: pupils join by a code, come back, and reach nothing but their work."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from class_hall import NOTE, SHAPES, class_of, everything, project_of, pupil_of, words_in
from halls import ADDRESS, OWN, add_person, client_of, hall_in, routes_of, signed_in
from organised import add_annotators, answered, send, work_on
from readmark.core.errors import ReadmarkError
from readmark.server.access import HallRole
from readmark.server.account_errors import AccountError
from readmark.server.class_codes import ClassCodes, folded_code
from readmark.server.classes import open_class
from readmark.server.days import DAY
from readmark.server.invitations import invite
from readmark.server.pupils import PSEUDONYMS_DRAWN, _pseudonyms, draw_pseudonyms
from readmark.server.tables import Classroom, Project


def fields(page: str) -> list[str]:
    return re.findall(r'type="radio" name="name" value="([^"]+)"', page)


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
    refused = pupil.post(path, data={"how": "code", "code": "BBB-BBB"})
    assert refused.status_code == 422
    assert fields(refused.text) == []
    offered = pupil.post(path, data={"how": "code", "code": code.lower().replace("-", " ")})
    names = fields(offered.text)
    assert len(set(names)) == PSEUDONYMS_DRAWN
    join = {"how": "join", "code": code, "name": "Ada Lovelace"}
    assert pupil.post(path, data=join).status_code == 422  # a name of one's own is not offered
    joined = pupil.post(path, data={**join, "name": names[0]})
    assert joined.status_code == 200
    [again] = re.findall(r'<code class="secret large">([^<]+)</code>', joined.text)
    assert folded_code(again) not in everything(app)
    assert pupil.get("/api/me").json()["name"] == names[0]
    assert pupil.get("/assignments").text.count('class="assignment ') == 4

    other = client_of(app)
    taken = other.post(path, data={**join, "name": names[0]})
    assert taken.status_code == 422
    assert names[0] not in fields(taken.text)
    assert other.post(path, data={"how": "return", "return_code": "BBB"}).status_code == 422
    back = other.post(path, data={"how": "return", "return_code": again.lower()})
    assert (back.status_code, back.headers["location"]) == (303, "/assignments")
    assert other.get("/api/me").json()["id"] == pupil.get("/api/me").json()["id"]

    second = client_of(app).post(path, data={**join, "name": names[1]})
    assert second.status_code == 200
    third = client_of(app).post(path, data={**join, "name": names[2]})
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
    assignments = work_on(hall_app, person)
    values = {
        "project": ["answers"],
        "classroom": [class_id],
        "person": [person, other],
        "assignment": [*assignments.values(), *work_on(hall_app, other).values()],
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
                assert words_in(answer.content, *secrets) == [], path
    assert opened > len(assignments)
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


def test_programs_open_close_and_erase_classes(hall_app: Any, tmp_path: Path) -> None:
    project_of(hall_app, tmp_path)
    teacher = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    path = "/api/projects/answers/classes"
    today = datetime.now(UTC).date()
    new = {"name": "7b", "until": f"{today + timedelta(1)}", "erase": f"{today}"}
    assert teacher.post(path, json=new).status_code == 422
    opened = teacher.post(path, json={**new, "erase": f"{today + timedelta(2)}"}).json()
    codes = ClassCodes(opened["link"].rpartition("/")[2], opened["code"])
    person, _ = pupil_of(hall_app, codes, "Quiet Heron")
    send(hall_app, person, work_on(hall_app, person)["p0"], answered(0, "Oxford"))
    [listed] = teacher.get(path).json()
    assert listed == {**opened, "pupils": 1, "link": None, "code": None}
    address = f"{path}/{opened['id']}"
    figures = teacher.get(f"{address}/results").json()
    assert figures["questions"][0]["marks"] == {"Quiet Heron": 1.0}
    assert teacher.delete(f"{address}/codes").status_code == 204
    assert client_of(hall_app).get(f"/join/{codes.link}").status_code == 404
    assert teacher.post(f"{address}/codes").json()["state"] == "open"
    assert teacher.delete(address).json()["pupils"] == 1
    assert teacher.post(f"{address}/codes").status_code == 422
    assert teacher.get(path).json()[0]["state"] == "erased"


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
