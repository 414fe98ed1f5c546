"""Teams of a shared task: names, links into them, registration, and who may do what."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from halls import add_member, add_person, client_of, hall_in, signed_in
from readmark.server.account_errors import AccountError
from readmark.server.pages import words
from readmark.server.shared_tasks.names import check_team
from readmark.server.shared_tasks.registration import MOST_REGISTRATIONS
from readmark.server.tables import Invitation, LoginAttempt, Membership, Person, Team, TeamMember
from readmark.server.throttle import WINDOW
from shared_task_hall import TaskHall, comprehension_test, open_task

pytestmark = pytest.mark.usefixtures("quick_passwords")

PASSWORD = "a long password"


@pytest.fixture
def hall(either_app: Any, tmp_path: Path) -> TaskHall:
    return _hall(either_app, tmp_path)


def _hall(app: Any, tmp_path: Path, **options: Any) -> TaskHall:
    made = open_task(app, comprehension_test(tmp_path / "t.jsonl"), **options)
    made.add_organiser()
    return made


def teams(hall: TaskHall) -> dict[str, list[str]]:
    """The people of each team, as organisers see them."""
    rows = hall.browser("olga").get("/api/projects/mills/teams").json()
    return {row["team"]: row["people"] for row in rows}


def link_for(hall: TaskHall, team: str = "") -> str:
    made = hall.browser("olga").post("/api/projects/mills/teams", json={"team": team})
    assert made.status_code == 201, made.text
    return str(made.json()["link"]).partition("/invitation/")[2]


def accept(hall: TaskHall, secret: str, client: Any = None, **fields: str) -> Any:
    how = {"how": "new" if client is None else "member"}
    return (client or client_of(hall.app)).post(f"/invitation/{secret}", data={**how, **fields})


def newcomer(login: str, **fields: str) -> dict[str, str]:
    return {"name": login.title(), "login": login, "password": PASSWORD, **fields}


# Names.


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("Rowers", ""),
        ("  The   Rowers ", ""),
        ("赛艇队", ""),
        ("Baseline killers", ""),
        ("", "team_name_not_valid"),
        ("…!", "team_name_not_valid"),
        ("x" * 61, "team_name_not_valid"),
        ("Row\u202eers", "team_name_not_valid"),
        ("Row\u200bers", "team_name_not_valid"),
        ("\u3164", "team_name_not_valid"),
        ("\u2800", "team_name_not_valid"),
        ("people", "team_name_reserved"),
        ("P e o p l e", "team_name_reserved"),
        ("ＨＵＭＡＮ", "team_name_reserved"),
        ("Longest-Overlap", "team_name_reserved"),
        ("人类", "team_name_reserved"),
        ("oarsmen", "team_name_taken"),
        ("ＯＡＲＳ men", "team_name_taken"),
        ("Oars\u00a0men!", "team_name_taken"),
        ("Oars\u034fmen\ufe0f", "team_name_taken"),
    ],
)
def test_a_name_looks_like_no_other_row(name: str, word: str) -> None:
    if not word:
        assert check_team(name, ["Oarsmen"]) == " ".join(name.split())
        return
    with pytest.raises(AccountError) as refused:
        check_team(name, ["Oarsmen"])
    assert refused.value.word == word
    assert all(word in words(language) for language in ("en", "zh"))


# Invitations.


def test_links_lead_into_a_new_team_and_into_one_that_they_name(hall: TaskHall) -> None:
    named, unnamed = link_for(hall, "Rowers"), link_for(hall)
    assert teams(hall) == {"Rowers": []}
    page = client_of(hall.app).get(f"/invitation/{named}").text
    assert "Rowers" in page
    assert 'name="team"' not in page
    assert 'name="team"' in client_of(hall.app).get(f"/invitation/{unnamed}").text
    joined = accept(hall, named, **newcomer("ann", team="ignored"))
    assert (joined.status_code, joined.headers["location"]) == (303, "/tasks/mills")
    # A name that is taken uses nothing up.
    taken = accept(hall, unnamed, **newcomer("bob", team="ROWERS"))
    assert (taken.status_code, words("en")["team_name_taken"] in taken.text) == (422, True)
    assert accept(hall, unnamed, **newcomer("bob", team="Divers")).status_code == 303
    assert accept(hall, unnamed, **newcomer("cleo", team="Others")).status_code == 404
    assert teams(hall) == {"Divers": ["Bob"], "Rowers": ["Ann"]}
    with hall_in(hall.app).database.reading() as session:
        people = {row.login: row.id for row in session.scalars(select(Person))}
        roles = session.execute(select(Membership.person_id, Membership.role)).all()
    assert {(people["ann"], "team"), (people["bob"], "team")} <= {tuple(row) for row in roles}
    # One team a task: Ann cannot go over to the divers, nor open a second one.
    ann = signed_in(hall.app, people["ann"])
    other = accept(hall, link_for(hall), ann, team="Third")
    assert (other.status_code, words("en")["in_a_team"] in other.text) == (422, True)
    assert "Ann" in ann.get("/tasks/mills/team").text


def test_a_team_invites_renames_and_is_left(hall: TaskHall) -> None:
    hall.add_team("Rowers", "ann")
    ann = hall.browser("ann")
    page = ann.post("/tasks/mills/team", data={"action": "invite"}).text
    secret = page.partition("/invitation/")[2].partition("<")[0]
    hall.people["bob"] = add_person(hall.app, "bob")
    bob = hall.browser("bob")
    assert bob.get("/tasks/mills/team").status_code == 404
    assert accept(hall, secret, bob).headers["location"] == "/tasks/mills"
    assert teams(hall) == {"Rowers": ["Ann", "Bob"]}
    assert accept(hall, secret, hall.browser("olga")).status_code == 404  # it works once
    again = ann.post("/tasks/mills/team", data={"action": "invite"}).text
    with hall_in(hall.app).database.reading() as session:
        open_link = session.scalar(select(Invitation.id).where(Invitation.accepted_by.is_(None)))
    end = {"action": "revoke", "invitation": open_link}
    assert bob.post("/tasks/mills/team", data=end).status_code == 200
    secret = again.partition("/invitation/")[2].partition("<")[0]
    assert accept(hall, secret, hall.browser("olga")).status_code == 404
    hall.add_team("Divers", "dan")
    for name, status in (("divers", 422), ("People", 422), ("Rowing club", 200)):
        rename = {"action": "rename", "name": name}
        assert ann.post("/tasks/mills/team", data=rename).status_code == status
    assert set(teams(hall)) == {"Rowing club", "Divers"}
    # A token neither renames a team nor makes links into it.
    program = hall.program("ann")
    assert program.post("/tasks/mills/team", data={"action": "invite"}).status_code == 403
    assert bob.post("/tasks/mills/team", data={"action": "leave"}).status_code == 303
    assert bob.get("/tasks/mills/team").status_code == 404
    removed = hall.browser("olga").delete(f"/api/projects/mills/members/{hall.people['ann']}")
    assert removed.status_code == 204
    assert ann.get("/api/tasks/mills").json()["team"] is None
    with hall_in(hall.app).database.reading() as session:
        left = session.scalars(select(TeamMember.person_id)).all()
    assert left == [hall.people["dan"]]


def test_teams_are_of_shared_tasks_alone(hall_app: Any, tmp_path: Path) -> None:
    hall = _hall(hall_app, tmp_path)
    olga = hall.browser("olga")
    word = words("en")["role_of_other_work"]
    for role, status in (("team", 201), ("organiser", 201), ("annotator", 422)):
        made = olga.post("/api/projects/mills/invitations", json={"role": role})
        assert made.status_code == status
        assert (word in made.text) is (status == 422)
    page = olga.post("/projects/mills/invitations", data={"role": "novice"})
    assert (page.status_code, word in page.text) == (422, True)
    refused = olga.post("/api/projects/mills/teams", json={"team": "Baseline"})
    assert refused.json() == {"detail": words("en")["team_name_reserved"]}
    assert client_of(hall_app).post("/api/projects/mills/teams", json={}).status_code == 401


# Registration.


def test_anybody_registers_where_it_is_open(either_app: Any, tmp_path: Path) -> None:
    hall = _hall(either_app, tmp_path, registration="open")
    client = client_of(either_app)
    assert "/tasks/mills/register" in client.get("/tasks/mills").text
    faults = (
        ({"password": "short"}, "password_too_short"),
        ({"login": "x y"}, "login_not_valid"),
        ({"team": "Human"}, "team_name_reserved"),
        ({"login": "olga"}, "login_taken"),
    )
    for wrong, word in faults:
        given = newcomer("ann", team="Rowers") | wrong
        answer = client.post("/tasks/mills/register", data=given)
        assert (answer.status_code, words("en")[word] in answer.text) == (422, True), word
    with hall_in(either_app).database.reading() as session:
        assert session.scalar(select(func.count()).select_from(Person)) == 1
        assert session.scalar(select(func.count()).select_from(Team)) == 0
    answer = client.post("/tasks/mills/register", data=newcomer("ann", team="Rowers"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/tasks/mills")
    assert client.get("/api/tasks/mills").json()["team"] == "Rowers"
    assert client.get("/tasks/mills/register").status_code == 303  # she is in a team
    dan = signed_in(either_app, add_person(either_app, "dan"))
    assert dan.post("/tasks/mills/register", data={"team": "rowers"}).status_code == 422
    assert dan.post("/tasks/mills/register", data={"team": "Divers"}).status_code == 303
    assert teams(hall) == {"Divers": ["Dan"], "Rowers": ["Ann"]}
    hall.configure(registration="invited")
    given = newcomer("eve", team="Eve's")
    assert client_of(either_app).post("/tasks/mills/register", data=given).status_code == 422
    assert client_of(either_app).get("/tasks/mills/register").status_code == 303


def test_registrations_from_one_address_are_few(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _hall(hall_app, tmp_path, registration="open")
    answers = [
        client_of(hall_app).post(
            "/tasks/mills/register", data=newcomer(f"ann{number}", team=f"Rowers {number}")
        )
        for number in range(MOST_REGISTRATIONS + 1)
    ]
    statuses = [answer.status_code for answer in answers]
    assert statuses == [303] * MOST_REGISTRATIONS + [429]
    assert 0 < int(answers[-1].headers["retry-after"]) <= WINDOW
    assert words("en")["too_many_registrations"] in answers[-1].text
    known = signed_in(hall_app, add_person(hall_app, "known"))
    assert known.post("/tasks/mills/register", data={"team": "Known"}).status_code == 429
    with hall_in(hall_app).database.writing() as session:
        for attempt in session.scalars(select(LoginAttempt)):
            attempt.time -= WINDOW + 1
    late = client_of(hall_app).post("/tasks/mills/register", data=newcomer("late", team="Late"))
    assert late.status_code == 303


def test_of_two_at_once_one_gets_the_name(either_app: Any, tmp_path: Path) -> None:
    hall = _hall(either_app, tmp_path, registration="open")
    ready, statuses = threading.Barrier(4), []

    def register(number: int) -> None:
        data = newcomer(f"ann{number}", team="Rowers" if number % 2 else "ROWERS")
        client = client_of(either_app)
        ready.wait()
        statuses.append(client.post("/tasks/mills/register", data=data).status_code)

    threads = [threading.Thread(target=register, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [303, 422, 422, 422]
    (people,) = teams(hall).values()
    assert len(people) == 1
    with hall_in(either_app).database.reading() as session:
        assert session.scalar(select(func.count()).select_from(TeamMember)) == 1


def test_an_owner_without_a_team_is_in_none(hall_app: Any, tmp_path: Path) -> None:
    hall = _hall(hall_app, tmp_path)
    owner = signed_in(hall_app, add_person(hall_app, "owner", is_owner=True))
    assert owner.get("/api/tasks/mills").json()["team"] is None
    assert owner.get("/tasks/mills/team").status_code == 404
    person = add_person(hall_app, "worker")
    add_member(hall_app, hall.project.id, person, "organiser")
    assert "/projects/mills" in signed_in(hall_app, person).get("/tasks/mills").text
