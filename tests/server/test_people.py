"""People: invitations, log-in, sessions, tokens, and what owners and organisers do with them."""

from __future__ import annotations

import re
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from halls import ADDRESS, OWN, add_member, add_person, add_project, client_of, hall_in, signed_in
from readmark.server import browser_sessions, credentials, throttle
from readmark.server.access import HallRole, Scope
from readmark.server.addresses import address_of
from readmark.server.app import create_app
from readmark.server.audit import AuditAction, record
from readmark.server.credentials import hash_password
from readmark.server.pages import ASSETS, LANGUAGES, local_path, words
from readmark.server.tables import (
    ApiToken,
    AuditEntry,
    Invitation,
    LoginAttempt,
    LoginSession,
    Membership,
    Person,
)

pytestmark = pytest.mark.usefixtures("quick_passwords")

PASSWORD = "correct horse"
PROJECT = '[project]\nname = "Wood"\nwork = "questions"\n'


def project_in(app: Any, slug: str = "wood") -> str:
    return add_project(app, slug, PROJECT, {"one": {}})


def with_password(app: Any, login: str, *, is_owner: bool = False) -> str:
    hashed = hash_password(PASSWORD, login=login)
    return add_person(app, login, is_owner=is_owner, password=hashed)


def log_in(app: Any, login: str, password: str = PASSWORD, address: str = "192.0.2.7") -> Any:
    """A browser elsewhere, and the answer to its log-in."""
    client = TestClient(
        app, base_url=ADDRESS, headers=OWN, follow_redirects=False, client=(address, 5)
    )
    answer = client.post("/login", data={"login": login, "password": password})
    return client, answer


def invited(client: TestClient, page: str, **fields: str) -> str:
    """The path of the link that a page shows."""
    answer = client.post(page, data=fields)
    assert answer.status_code == 200, answer.text
    match = re.search(rf'<code class="secret">{ADDRESS}(/invitation/[\w-]+)</code>', answer.text)
    assert match is not None
    return match[1]


def join(app: Any, link: str, login: str, password: str = PASSWORD) -> Any:
    client = client_of(app)
    fields = {"how": "new", "name": login.title(), "login": login, "password": password}
    return client, client.post(link, data=fields)


def rows(app: Any, query: Any) -> list[Any]:
    with hall_in(app).database.reading() as session:
        return list(session.execute(query))


# Invitations.


def test_an_organiser_invites_into_the_own_project(either_app: Any) -> None:
    project, ada = project_in(either_app), add_person(either_app, "ada")
    add_member(either_app, project, ada, "organiser")
    organiser = signed_in(either_app, ada)
    link = invited(organiser, "/projects/wood/invitations", role="annotator", note="for Bo")
    page = client_of(either_app).get(link).text
    assert "wood" in page
    assert "annotator" in page
    assert "for Bo" not in page
    assert "for Bo" in organiser.get("/projects/wood/invitations").text
    bo, answer = join(either_app, link, "Bo")
    assert (answer.status_code, answer.headers["location"]) == (303, "/assignments")
    assert bo.get("/api/me").json() == {
        **bo.get("/api/me").json(),
        "login": "bo",
        "name": "Bo",
        "is_owner": False,
        "memberships": [{"project": "wood", "roles": ["annotator"]}],
    }
    again, answer = join(either_app, link, "Cy")
    assert answer.status_code == 404
    assert again.get("/api/me").status_code == 401
    assert rows(either_app, select(Person.login).order_by(Person.login)) == [("ada",), ("bo",)]


def test_a_link_is_accepted_once_even_by_many_at_a_time(either_app: Any) -> None:
    project, ada = project_in(either_app), add_person(either_app, "ada")
    add_member(either_app, project, ada, "organiser")
    link = invited(signed_in(either_app, ada), "/projects/wood/invitations", role="expert")
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: join(either_app, link, f"bo{n}")[1], range(8)))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses[0] == 303
    assert set(statuses[1:]) <= {404, 409, 422}
    assert len(rows(either_app, select(Membership).where(Membership.role == "expert"))) == 1
    assert len(rows(either_app, select(Person))) == 2


@pytest.mark.parametrize("end", ["revoked", "expired", "inviter disabled", "inviter removed"])
def test_a_link_that_has_ended_leads_nowhere(hall_app: Any, end: str) -> None:
    project, ada = project_in(hall_app), add_person(hall_app, "ada")
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    add_member(hall_app, project, ada, "organiser")
    organiser = signed_in(hall_app, ada)
    link = invited(organiser, "/projects/wood/invitations", role="novice")
    if end == "revoked":
        [invitation] = organiser.get("/api/projects/wood/invitations").json()
        assert organiser.post(f"/invitations/{invitation['id']}/revoke").status_code == 303
    elif end == "expired":
        with hall_in(hall_app).database.writing() as session:
            session.execute(update(Invitation).values(expires=time.time() - 1))
    elif end == "inviter disabled":
        assert owner.post(f"/people/{ada}/disable").status_code == 303
    else:
        assert owner.post(f"/projects/wood/members/{ada}/remove").status_code == 303
    assert client_of(hall_app).get(link).status_code == 404
    assert join(hall_app, link, "bo")[1].status_code == 404
    assert rows(hall_app, select(Person.login).where(Person.login == "bo")) == []


def test_who_has_an_account_joins_a_further_project_with_it(hall_app: Any) -> None:
    bo = with_password(hall_app, "bo")
    add_member(hall_app, project_in(hall_app), bo, "annotator")
    project_in(hall_app, "stone")
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    fields = {"role": "adjudicator", "project": "stone"}
    link = invited(owner, "/people/invitations", **fields)
    assert f"/login?next={link}" in client_of(hall_app).get(link).text
    assert client_of(hall_app).post(link, data={"how": "member"}).status_code == 401
    client, _ = log_in(hall_app, "bo")
    assert "Bo" in client.get(link).text
    assert client.post(link, data={"how": "member"}).status_code == 303
    assert client.get("/api/me").json()["memberships"] == [
        {"project": "stone", "roles": ["adjudicator"]},
        {"project": "wood", "roles": ["annotator"]},
    ]
    repeated = invited(owner, "/people/invitations", **fields)
    assert client.post(repeated, data={"how": "member"}).status_code == 303


def test_owners_are_invited_by_owners_only(hall_app: Any) -> None:
    project, ada = project_in(hall_app), add_person(hall_app, "ada")
    add_member(hall_app, project, ada, "organiser")
    organiser = signed_in(hall_app, ada)
    body = {"role": "owner"}
    assert organiser.post("/projects/wood/invitations", data=body).status_code == 422
    assert organiser.post("/api/projects/wood/invitations", json=body).status_code == 422
    assert organiser.post("/people/invitations", data=body).status_code == 404
    assert organiser.post("/api/invitations", json=body).status_code == 404
    assert rows(hall_app, select(Invitation)) == []
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    link = owner.post("/api/invitations", json=body).json()["link"]
    client, _ = join(hall_app, link.removeprefix(ADDRESS), "otto")
    assert client.get("/api/me").json()["is_owner"] is True


@pytest.mark.parametrize(
    ("name", "login", "password", "word"),
    [
        ("Bo", "bo", "nine char", "password_too_short"),
        ("Bo", "bo", "x" * 201, "password_too_long"),
        ("Bo", "bo.the.annotator", "Bo.The.Annotator", "password_is_login"),
        ("Bo", "b", PASSWORD, "login_not_valid"),
        ("Bo", "bo bo", PASSWORD, "login_not_valid"),
        ("Bo", "<script>", PASSWORD, "login_not_valid"),
        ("Bo", "ＡＤＡ", PASSWORD, "login_taken"),
        ("../Bo", "bo", PASSWORD, "name_not_valid"),
        ("=Bo()", "bo", PASSWORD, "name_not_valid"),
        ("  ", "bo", PASSWORD, "name_not_valid"),
    ],
)
def test_a_bad_name_login_or_password_is_explained(
    hall_app: Any, name: str, login: str, password: str, word: str
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "ada", is_owner=True))
    link = invited(owner, "/people/invitations", role="owner")
    fields = {"how": "new", "name": name, "login": login, "password": password}
    answer = client_of(hall_app).post(link, data=fields, headers={"accept-language": "zh"})
    assert answer.status_code == 422
    assert words("zh")[word] in answer.text
    assert password not in answer.text or word == "password_is_login"
    assert join(hall_app, link, "李雷")[1].status_code == 303  # the link still works


# Log-in and sessions.


def test_log_in_log_out_and_rotation(either_app: Any) -> None:
    with_password(either_app, "李雷")
    client, answer = log_in(either_app, "李雷")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    first = client.cookies["readmark_session"]
    cookie = next(c for c in answer.headers.get_list("set-cookie") if "session" in c).lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    stored = [row[0] for row in rows(either_app, select(LoginSession.secret))]
    assert stored == [hall_in(either_app).hashed(first)]
    client.post("/login", data={"login": "李雷", "password": PASSWORD})
    assert client.cookies["readmark_session"] != first
    old = client_of(either_app)
    old.cookies.set("readmark_session", first)
    assert old.get("/api/me").status_code == 401
    assert client.get("/api/me").status_code == 200
    planted = client_of(either_app)
    planted.cookies.set("readmark_session", "planted", domain="127.0.0.1")
    planted.post("/login", data={"login": "李雷", "password": PASSWORD})
    assert planted.cookies["readmark_session"] != "planted"
    secret = client.cookies["readmark_session"]
    assert client.post("/logout").headers["location"] == "/login"
    client.cookies.set("readmark_session", secret, domain="127.0.0.1")
    assert client.get("/api/me").status_code == 401


def test_login_forgives_case_and_width_but_not_the_password(hall_app: Any) -> None:
    with_password(hall_app, "ada")
    for login, password, status in [
        ("ADA", PASSWORD, 303),
        (" ａｄａ", PASSWORD, 303),
        ("ada", "ｃorrect horse", 303),
        ("ada", "Correct horse", 401),
        ("ada", PASSWORD + " ", 401),
        ("nobody", PASSWORD, 401),
    ]:
        assert log_in(hall_app, login, password)[1].status_code == status, (login, password)


def test_sessions_end_with_time_everywhere_and_with_the_password(hall_app: Any) -> None:
    with_password(hall_app, "ada")
    here, there = log_in(hall_app, "ada")[0], log_in(hall_app, "ada")[0]
    assert here.get("/account").text.count("since 20") == 2
    wrong = here.post("/account/password", data={"current": "wrong", "password": "a new password"})
    assert wrong.status_code == 401
    assert there.get("/api/me").status_code == 200
    fields = {"current": PASSWORD, "password": "a new password"}
    assert here.post("/account/password", data=fields).status_code == 303
    assert (here.get("/api/me").status_code, there.get("/api/me").status_code) == (200, 401)
    assert log_in(hall_app, "ada")[1].status_code == 401
    there, answer = log_in(hall_app, "ada", "a new password")
    assert answer.status_code == 303
    assert there.post("/account/logout").status_code == 303
    assert (here.get("/api/me").status_code, there.get("/api/me").status_code) == (401, 401)
    late, _ = log_in(hall_app, "ada", "a new password")
    with hall_in(hall_app).database.writing() as session:
        session.execute(update(LoginSession).values(expires=time.time() - 1))
    assert late.get("/api/me").status_code == 401


def test_passwords_are_argon2id_of_the_recommended_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert hash_password(PASSWORD, login="ada").startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert credentials._NOBODYS_HASH.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_an_unknown_login_takes_the_same_work(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    disabled = with_password(hall_app, "gone")
    with hall_in(hall_app).database.writing() as session:
        session.execute(update(Person).where(Person.id == disabled).values(is_disabled=True))
    with_password(hall_app, "ada")
    checked: list[str] = []
    right = credentials._HASHER

    class Counting:
        def verify(self, stored: str, password: bytes) -> bool:
            checked.append(stored)
            return right.verify(stored, password)

    monkeypatch.setattr(credentials, "_HASHER", Counting())
    answers = [log_in(hall_app, login, "wrong password")[1] for login in ("ada", "nobody", "gone")]
    answers.append(log_in(hall_app, "gone")[1])
    assert len(checked) == 4
    assert checked[1:] == [credentials._NOBODYS_HASH] * 3
    assert {answer.status_code for answer in answers} == {401}
    pages = {re.sub(r'value="\w*"', "", answer.text) for answer in answers}
    assert len(pages) == 1


# The throttle.


def test_failed_log_ins_are_throttled_by_login_and_network(either_app: Any) -> None:
    with_password(either_app, "ada")
    statuses = [
        log_in(either_app, "ada" if n % 2 else "ADA", "wrong password", "198.51.100.1")[1]
        for n in range(throttle.MOST_BY_LOGIN)
    ]
    assert {answer.status_code for answer in statuses} == {401}
    _, answer = log_in(either_app, "ada", PASSWORD, "198.51.100.1")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= throttle.WINDOW
    assert "Too many" in answer.text
    assert "login ada" not in str(rows(either_app, select(LoginAttempt.who)))
    with hall_in(either_app).database.writing() as session:
        session.execute(update(LoginAttempt).values(time=time.time() - throttle.WINDOW - 1))
    assert log_in(either_app, "ada", PASSWORD, "198.51.100.1")[1].status_code == 303
    assert rows(either_app, select(LoginAttempt)) == []


def test_nobody_locks_somebody_else_out(hall_app: Any) -> None:
    """Wrong passwords from one network, or from many, leave others and open sessions alone."""
    ada = with_password(hall_app, "ada")
    at_work = signed_in(hall_app, ada)
    own_network = "testclient"
    for address in ("198.51.100.1", own_network):
        for _ in range(throttle.MOST_BY_LOGIN + 1):
            log_in(hall_app, "ada", "wrong password", address)
    for n in range(3 * throttle.MOST_BY_LOGIN):
        log_in(hall_app, "ada", "wrong password", f"203.0.113.{n}")
    assert log_in(hall_app, "ada", PASSWORD, "198.51.100.1")[1].status_code == 429
    assert log_in(hall_app, "ada", PASSWORD, own_network)[1].status_code == 429
    assert log_in(hall_app, "ada", PASSWORD, "192.0.2.4")[1].status_code == 303
    assert at_work.get("/account").status_code == 200
    fields = {"current": PASSWORD, "password": "a new password"}
    assert at_work.post("/account/password", data=fields).status_code == 303


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),  # IPv4 on a socket for both versions
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::2", True),  # a house has a whole network
        ("2001:db8::1", "2001:db8:0:1::1", False),
    ],
)
def test_clients_share_a_bucket_only_within_a_network(first: str, second: str, same: bool) -> None:
    assert (throttle.network_of(first) == throttle.network_of(second)) == same


def test_ipv4_clients_of_a_hall_on_both_versions_have_a_bucket_each(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browser_sessions, "MOST_BY_ADDRESS", 3)
    with_password(hall_app, "ada")
    for n in range(4):
        log_in(hall_app, f"guess{n}", "wrong password", "::ffff:198.51.100.7")
    assert log_in(hall_app, "ada", PASSWORD, "::ffff:198.51.100.7")[1].status_code == 429
    assert log_in(hall_app, "ada", PASSWORD, "::ffff:198.51.100.8")[1].status_code == 303


def test_behind_a_proxy_that_names_nobody_one_does_not_lock_out_all(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All requests come from the proxy's address, with its name of the hall or the public one."""
    monkeypatch.setattr(browser_sessions, "MOST_BY_ADDRESS", 5)
    hall = hall_in(hall_app)
    hosts = (*hall.settings.hosts, "hall.example.org")
    settings = replace(hall.settings, origin="https://hall.example.org", hosts=hosts)
    app = create_app(settings, hall.database)
    with_password(app, "ada")
    with_password(app, "bob")
    proxied = TestClient(
        app, base_url=ADDRESS, client=("127.0.0.1", 5), headers=OWN, follow_redirects=False
    )
    for _ in range(40):
        fields = {"login": "ada", "password": "wrong password"}
        assert proxied.post("/login", data=fields).status_code == 401
    right = {"login": "bob", "password": PASSWORD}
    assert proxied.post("/login", data=right).status_code == 303
    # A proxy that names its clients, and is trusted: the server has put the address in its place.
    for n in range(6):
        named = TestClient(
            app, base_url=ADDRESS, client=("192.0.2.9", 5), headers=OWN, follow_redirects=False
        )
        guess = {"login": f"guess{n}", "password": "wrong password"}
        answer = named.post("/login", data=guess, headers={"x-forwarded-for": "192.0.2.9"})
        assert answer.status_code == (401 if n < 5 else 429)
    assert proxied.post("/login", data=right).status_code == 303


@pytest.mark.parametrize(
    ("client", "forwarded", "address"),
    [
        ("192.0.2.9", "192.0.2.9", "192.0.2.9"),
        ("192.0.2.9", "192.0.2.9:4711", "192.0.2.9"),
        ("2001:db8::1", "[2001:db8::1]:4711, 10.0.0.1", "2001:db8::1"),
        ("10.0.0.5", "192.0.2.9", ""),  # the server does not trust this proxy
        ("127.0.0.1", None, ""),
    ],
)
def test_behind_a_proxy_an_address_is_known_if_the_proxy_said_it(
    hall_app: Any, client: str, forwarded: str | None, address: str
) -> None:
    hall = hall_in(hall_app)
    app = create_app(replace(hall.settings, origin="https://hall.example.org"), hall.database)
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded.encode())]
    scope = {"type": "http", "headers": headers, "client": (client, 5), "app": app}
    assert address_of(Request(scope)) == address


@pytest.mark.parametrize("address", ["192.0.2.{}", "2001:db8::{}"])
def test_failed_log_ins_are_throttled_by_address(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(browser_sessions, "MOST_BY_ADDRESS", 5)
    with_password(hall_app, "ada")
    for n in range(5):
        host = address.format(n if ":" in address else 1)
        assert log_in(hall_app, f"guess{n}", "wrong password", host)[1].status_code == 401
    host = address.format(99 if ":" in address else 1)
    assert log_in(hall_app, "ada", PASSWORD, host)[1].status_code == 429
    other = "2001:db8:0:1::1" if ":" in address else "192.0.2.2"
    assert log_in(hall_app, "ada", PASSWORD, other)[1].status_code == 303


def test_attempts_at_the_same_time_are_all_counted(either_app: Any) -> None:
    with_password(either_app, "ada")
    with ThreadPoolExecutor(8) as threads:
        answers = threads.map(lambda _: log_in(either_app, "ada", "wrong password")[1], range(24))
        statuses = [answer.status_code for answer in answers]
    assert statuses.count(401) == throttle.MOST_BY_LOGIN
    assert statuses.count(429) == 24 - throttle.MOST_BY_LOGIN


def test_a_password_cannot_be_guessed_through_the_account_page(hall_app: Any) -> None:
    client = signed_in(hall_app, with_password(hall_app, "ada"))
    fields = {"current": "wrong password", "password": "a new password"}
    statuses = [client.post("/account/password", data=fields).status_code for _ in range(11)]
    assert statuses == [401] * 10 + [429]


# Tokens.


def bearer(app: Any, secret: str) -> TestClient:
    headers = {"authorization": f"Bearer {secret}"}
    return TestClient(app, base_url=ADDRESS, headers=headers, follow_redirects=False)


def test_a_token_is_shown_once_stored_as_a_hash_and_limited_to_its_scopes(
    either_app: Any,
) -> None:
    project, ada = project_in(either_app), add_person(either_app, "ada")
    add_member(either_app, project, ada, "organiser")
    browser = signed_in(either_app, ada)
    page = browser.post(
        "/account/tokens", data={"name": "script", "scopes": ["read", "work"], "days": "30"}
    ).text
    match = re.search(r'<code class="secret">(readmark_[\w-]{43})</code>', page)
    assert match is not None
    secret = match[1]
    assert secret not in browser.get("/account").text
    [(stored, scopes)] = rows(either_app, select(ApiToken.secret, ApiToken.scopes))
    assert (stored, scopes) == (hall_in(either_app).hashed(secret), "read work")
    program = bearer(either_app, secret)
    assert program.get("/api/me").json()["login"] == "ada"
    lacking = program.get("/api/projects/wood/invitations")
    assert (lacking.status_code, lacking.json()) == (
        403,
        {"detail": "The API token lacks the scope organise."},
    )
    for method, path in [
        ("POST", "/api/tokens"),
        ("POST", "/account/tokens"),
        ("POST", "/account/password"),
        ("POST", "/account/language"),
        ("POST", "/account/logout"),
    ]:
        assert program.request(method, path).status_code == 403, path
    organise = browser.post("/api/tokens", json={"name": "all", "scopes": list(Scope)}).json()
    allowed = bearer(either_app, organise["secret"]).get("/api/projects/wood/invitations")
    assert (allowed.status_code, allowed.json()) == (200, [])
    assert all(token["secret"] is None for token in browser.get("/api/tokens").json())


def test_no_token_leads_to_an_account(hall_app: Any) -> None:
    """A token of an owner that is lost must not be worth the owner's account."""
    owner = add_person(hall_app, "olga", is_owner=True)
    browser = signed_in(hall_app, owner)
    token = browser.post("/api/tokens", json={"name": "all", "scopes": list(Scope)}).json()
    program = bearer(hall_app, token["secret"])
    for path in (f"/people/{owner}/password", f"/api/people/{owner}/password-link"):
        assert program.post(path).status_code == 403
    assert program.post("/api/invitations", json={"role": "owner"}).status_code == 403
    assert program.post("/people/invitations", data={"role": "owner"}).status_code == 403
    link = browser.post("/api/invitations", json={"role": "owner"}).json()["link"]
    path = link.removeprefix("http://127.0.0.1:8000")
    assert program.post(path, data={"how": "member"}).status_code == 401


def test_tokens_end(hall_app: Any) -> None:
    ada = with_password(hall_app, "ada")
    owner_id = add_person(hall_app, "olga", is_owner=True)
    browser, owner = signed_in(hall_app, ada), signed_in(hall_app, owner_id)

    def new_token() -> dict[str, Any]:
        token: dict[str, Any] = browser.post(
            "/api/tokens", json={"name": "x", "scopes": ["read"]}
        ).json()
        assert bearer(hall_app, token["secret"]).get("/api/me").status_code == 200
        return token

    revoked, expired = new_token(), new_token()
    assert browser.delete(f"/api/tokens/{revoked['id']}").status_code == 204
    assert browser.delete(f"/api/tokens/{revoked['id']}").status_code == 404
    with hall_in(hall_app).database.writing() as session:
        late = update(ApiToken).where(ApiToken.id == expired["id"])
        session.execute(late.values(expires=time.time() - 1))
    of_disabled = new_token()
    assert owner.delete(f"/api/tokens/{of_disabled['id']}").status_code == 404
    assert owner.post(f"/people/{ada}/disable").status_code == 303
    for token in (revoked, expired, of_disabled):
        assert bearer(hall_app, token["secret"]).get("/api/me").status_code == 401
    assert bearer(hall_app, "readmark_" + "x" * 43).get("/api/me").status_code == 401
    assert owner.post(f"/people/{ada}/enable").status_code == 303
    assert bearer(hall_app, of_disabled["secret"]).get("/api/me").status_code == 401


# Owners.


def test_a_disabled_person_is_out_at_once(hall_app: Any) -> None:
    ada = with_password(hall_app, "ada")
    owner_id = add_person(hall_app, "olga", is_owner=True)
    client, owner = log_in(hall_app, "ada")[0], signed_in(hall_app, owner_id)
    assert owner.post(f"/people/{ada}/disable").status_code == 303
    assert client.get("/api/me").status_code == 401
    assert log_in(hall_app, "ada")[1].status_code == 401
    assert owner.patch(f"/api/people/{ada}", json={"is_disabled": False}).status_code == 200
    assert client.get("/api/me").status_code == 401
    assert log_in(hall_app, "ada")[1].status_code == 303
    refused = owner.post(f"/people/{owner_id}/disable")
    assert refused.status_code == 422
    assert "your own account" in refused.text


def test_a_lost_password_is_set_anew_by_an_owners_link(either_app: Any) -> None:
    ada = with_password(either_app, "ada")
    owner = signed_in(either_app, add_person(either_app, "olga", is_owner=True))
    browser, _ = log_in(either_app, "ada")
    token = browser.post("/api/tokens", json={"name": "x", "scopes": ["read"]}).json()["secret"]
    link = invited(owner, f"/people/{ada}/password")
    client = client_of(either_app)
    assert "ada" in client.get(link).text
    # It is no invitation: nobody becomes a member or another person by it.
    assert join(either_app, link, "eve")[1].status_code == 422
    assert owner.post(link, data={"how": "member"}).status_code == 422
    fields = {"how": "password", "password": "ada"}
    assert client.post(link, data=fields).status_code == 422
    fields["password"] = "another password"
    assert client.post(link, data=fields).headers["location"] == "/login"
    assert client.post(link, data=fields).status_code == 404
    assert browser.get("/api/me").status_code == 401
    assert bearer(either_app, token).get("/api/me").status_code == 401
    assert log_in(either_app, "ada")[1].status_code == 401
    assert log_in(either_app, "ada", "another password")[1].status_code == 303


def test_an_invitation_sets_nobodys_password(hall_app: Any) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    link = invited(owner, "/people/invitations", role="owner")
    fields = {"how": "password", "password": "another password"}
    assert client_of(hall_app).post(link, data=fields).status_code == 422


def test_people_are_listed_in_an_order_of_the_enumeration(hall_app: Any) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    add_person(hall_app, "ada")
    for order, logins in [("login", ["ada", "olga"]), ("created", ["olga", "ada"])]:
        listed = owner.get("/api/people", params={"order": order}).json()
        assert [person["login"] for person in listed] == logins
    for query in ("order=password", "order=login;drop", "is_disabled=x", "limit=501", "offset=-1"):
        assert owner.get(f"/api/people?{query}").status_code == 422, query
    for query in ("action=x", "before=0", "before=99999999999999999999"):
        assert owner.get(f"/api/audit?{query}").status_code == 422, query


# The audit log.


def test_the_audit_log_says_who_did_what_and_holds_no_secret(either_app: Any) -> None:
    project, ada = project_in(either_app), with_password(either_app, "ada")
    project_in(either_app, "stone")
    add_member(either_app, project, ada, "organiser")
    olga = add_person(either_app, "olga", is_owner=True)
    owner = signed_in(either_app, olga)
    organiser, _ = log_in(either_app, "ada")
    link = invited(organiser, "/projects/wood/invitations", role="annotator")
    join(either_app, link, "bo")
    bo = rows(either_app, select(Person.id).where(Person.login == "bo"))[0][0]
    assert organiser.post(f"/projects/wood/members/{bo}/remove").status_code == 303
    token = organiser.post("/api/tokens", json={"name": "x", "scopes": ["read"]}).json()["secret"]
    reset = invited(owner, f"/people/{ada}/password")
    seen = [(entry["person"], entry["action"]) for entry in owner.get("/api/audit").json()]
    assert seen[::-1] == [
        ("Ada", "logged_in"),
        ("Ada", "invited"),
        ("Bo", "joined"),
        ("Ada", "member_removed"),
        ("Ada", "token_created"),
        ("Olga", "password_link_made"),
    ]
    of_project = organiser.get("/api/projects/wood/audit").json()
    assert [entry["action"] for entry in of_project] == ["member_removed", "joined", "invited"]
    assert organiser.get("/api/projects/wood/audit?action=joined").json()[0]["detail"]["role"] == (
        "annotator"
    )
    assert organiser.get("/api/projects/stone/audit").status_code == 404
    assert organiser.get("/audit").status_code == 404
    details = str(rows(either_app, select(AuditEntry.detail)))
    for secret in (token, link.rpartition("/")[2], reset.rpartition("/")[2], PASSWORD):
        assert secret not in details
    chinese = owner.get("/audit", headers={"accept-language": "zh"}).text
    assert "审计日志" in chinese
    assert words("zh")["audit_password_link_made"] in chinese


def test_the_audit_log_is_read_in_pages(hall_app: Any) -> None:
    olga = add_person(hall_app, "olga", is_owner=True)
    with hall_in(hall_app).database.writing() as session:
        for number in range(150):
            record(session, AuditAction.ASSIGNED, olga, count=number)
    owner = signed_in(hall_app, olga)
    first = owner.get("/api/audit").json()
    older = owner.get(f"/api/audit?before={first[-1]['number']}").json()
    counts = [entry["detail"]["count"] for entry in (*first, *older)]
    assert counts == list(range(149, -1, -1))
    link = re.search(r'href="(\?before=\d+)"', owner.get("/audit").text)
    assert link is not None
    assert "count: 49<" in owner.get(f"/audit{link[1]}").text


# Pages.


@pytest.mark.parametrize(
    ("next", "page"),
    [
        ("/assignments", "/assignments"),
        ("/projects/wood?tab=2#x", "/projects/wood?tab=2#x"),
        ("/invitation/abc", "/invitation/abc"),
        ("", "/"),
        ("work", "/"),
        ("//evil.example", "/"),
        ("///evil.example", "/"),
        ("/\\evil.example", "/"),
        ("\\\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\t/evil.example", "/"),
        ("/\n/evil.example", "/"),
        (" //evil.example", "/"),
        ("/x\r\nset-cookie: a=b", "/"),
        ("http:/evil.example", "/"),
    ],
)
def test_log_in_leads_to_pages_of_the_hall_only(hall_app: Any, next: str, page: str) -> None:
    assert local_path(next) == page
    with_password(hall_app, "ada")
    fields = {"login": "ada", "password": PASSWORD, "next": next}
    client = client_of(hall_app)
    assert client.post("/login", data=fields).headers["location"] == page
    assert client.get("/language/zh", params={"next": next}).headers["location"] == page


def test_a_page_that_needs_a_log_in_comes_back_to_itself(hall_app: Any) -> None:
    answer = client_of(hall_app).get("/audit?action=joined&before=7")
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/login?next=/audit%3Faction%3Djoined%26before%3D7",
    )
    page = client_of(hall_app).get(answer.headers["location"]).text
    assert 'value="/audit?action=joined&amp;before=7"' in page


def test_the_language_of_a_person_follows_them(hall_app: Any) -> None:
    with_password(hall_app, "ada")
    client, _ = log_in(hall_app, "ada")
    assert client.post("/account/language", data={"language": "zh"}).status_code == 303
    assert "退出所有登录" in client.get("/account").text
    elsewhere, _ = log_in(hall_app, "ada")
    assert "退出所有登录" in elsewhere.get("/account").text
    assert client.post("/account/language", data={"language": "xx"}).status_code == 422


def test_another_language_shows_the_same_page(hall_app: Any) -> None:
    client = client_of(hall_app)
    link = re.search(r'href="(/language/zh[^"]*)"', client.get("/login").text)
    assert link is not None
    assert client.get(link[1]).headers["location"] == "/login"
    assert "用户名" in client.get("/login").text


def test_every_string_is_there_in_both_languages_and_once() -> None:
    names: list[str] = []
    for path in sorted((ASSETS / "words").glob("*.toml")):
        for name, texts in tomllib.loads(path.read_text("utf-8")).items():
            names.append(name)
            assert texts.keys() == set(LANGUAGES), (path.name, name)
            assert all(texts.values()), (path.name, name)
    assert sorted(set(names)) == sorted(names)
    known = words("en")
    for role in (*HallRole, "password"):
        assert f"role_{role}" in known
    for action in AuditAction:
        assert f"audit_{action}" in known
    for scope in Scope:
        assert f"scope_{scope}" in known
