"""Attempts to break the hall: each test is an attack that must fail."""

from __future__ import annotations

import ast
import asyncio
import json
import logging
import re
import socket
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
from fastapi import File, Form, UploadFile
from fastapi.testclient import TestClient
from sqlalchemy import update

import readmark.server
from halls import (
    ADDRESS,
    OWN,
    add_member,
    add_person,
    add_project,
    client_of,
    hall_in,
    session_of,
    signed_in,
)
from readmark.server import protection
from readmark.server.access import COOKIE
from readmark.server.app import create_app
from readmark.server.audit import AuditAction, record
from readmark.server.browser_sessions import open_session
from readmark.server.credentials import hash_password
from readmark.server.hall_secret import read_secret
from readmark.server.operations.logs import JsonLines, PlainLines
from readmark.server.pages import ASSETS
from readmark.server.protection import HEADERS
from readmark.server.settings import HallSettings
from readmark.server.start import open_hall
from readmark.server.tables import LoginSession, Person

pytestmark = pytest.mark.usefixtures("quick_passwords")

CONFIGURATION = '[project]\nname = "Wood"\nwork = "questions"\n'
SCRIPT = "\"><script>alert('x')</script>"
PASSWORD = "correct horse"
MB = 1 << 20


def plain(app: Any, **headers: str) -> TestClient:
    """A client that adds nothing of its own."""
    return TestClient(app, base_url=ADDRESS, headers=headers, follow_redirects=False)


# What a page may load and show.


def test_the_policy_allows_no_inline_script_no_eval_and_nothing_from_elsewhere() -> None:
    policy = dict(
        part.strip().partition(" ")[::2] for part in HEADERS["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self'"
    sources = {source for value in policy.values() for source in value.split()}
    assert sources <= {"'self'", "'none'", "data:"}
    assert "data:" not in policy["script-src"]


def test_no_template_needs_what_the_policy_forbids() -> None:
    for path in (ASSETS / "templates").rglob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"<[^>]*\s(style|on\w+)\s*=", text), path.name
        assert "javascript:" not in text, path.name
        assert "|safe" not in text.replace(" ", ""), path.name
        assert "autoescape false" not in text, path.name
        for script in re.findall(r"<script\b([^>]*)>", text):
            assert 'src="/static/' in script or 'type="application/json"' in script, path.name
        for address in re.findall(r'(?:src|href)="([^"{]+)', text):
            assert address.startswith(("/", "#", "?")), (path.name, address)
            assert not address.startswith("//"), (path.name, address)
    for path in (ASSETS / "static").rglob("*.js"):
        if "vendor" not in path.parts:
            code = path.read_text("utf-8")
            assert not re.search(
                r"\beval\(|new Function\(|innerHTML|outerHTML|insertAdjacentHTML|document\.write",
                code,
            ), path.name


def test_script_in_names_notes_and_logins_stays_text(hall_app: Any) -> None:
    project = add_project(hall_app, "wood", CONFIGURATION, {"one": {}})
    owner_id = add_person(hall_app, "olga", is_owner=True)
    bad = add_person(hall_app, "bad")
    with hall_in(hall_app).database.writing() as session:
        session.execute(update(Person).values(name=SCRIPT).where(Person.id.in_([bad, owner_id])))
        session.execute(update(Person).values(login=SCRIPT).where(Person.id == bad))
        record(session, AuditAction.EXPORTED, bad, project, file=SCRIPT)
    add_member(hall_app, project, bad, "organiser")
    owner, organiser = signed_in(hall_app, owner_id), signed_in(hall_app, bad)
    note = {"role": "novice", "note": SCRIPT}
    owner.post("/api/tokens", json={"name": SCRIPT, "scopes": ["read"]})
    link = organiser.post("/api/projects/wood/invitations", json=note).json()["link"]
    reset = owner.post(f"/api/people/{bad}/password-link").json()["link"]
    fields = {"how": "new", "name": SCRIPT, "login": SCRIPT[:60], "password": SCRIPT}
    pages = {
        "people": owner.get("/people"),
        "account": owner.get("/account"),
        "audit": owner.get("/audit"),
        "project": organiser.get("/projects/wood/invitations"),
        "project audit": organiser.get("/projects/wood/audit"),
        "new link": organiser.post("/projects/wood/invitations", data=note),
        "invitation": organiser.get(link),
        "refused": client_of(hall_app).post(link, data=fields),
        "reset": client_of(hall_app).get(reset),
        "log in": client_of(hall_app).post("/login", data={"login": SCRIPT, "password": SCRIPT}),
        "next": client_of(hall_app).get("/login", params={"next": f"/{SCRIPT}"}),
        "front": owner.get("/"),
        "no page": client_of(hall_app).get(f"/{SCRIPT}"),
    }
    for name, page in pages.items():
        assert "<script>alert" not in page.text, name
        assert page.headers["content-type"].startswith("text/html"), name
    for name in set(pages) - {"next", "no page"}:
        assert "&lt;script&gt;alert" in pages[name].text, name


def test_the_security_headers_are_on_every_answer(hall_app: Any) -> None:
    @hall_app.get("/broken")
    def broken() -> None:
        raise ValueError("personal")

    client = client_of(hall_app)
    answers = {
        200: client.get("/"),
        303: client.get("/account"),
        304: client.get(
            "/static/hall.css",
            headers={"if-none-match": client.get("/static/hall.css").headers["etag"]},
        ),
        400: client.get("/", headers={"host": "evil.example"}),
        401: client.get("/api/me"),
        403: client.post("/login", headers={"sec-fetch-site": "cross-site"}),
        404: client.get("/nowhere"),
        405: client.put("/login"),
        413: client.post("/login", content=b"x" * 3 * MB),
        422: client.post("/login"),
        500: client.get("/broken"),
    }
    answers[2000] = client.get("/static/hall.css")
    for status, answer in answers.items():
        assert answer.status_code == status or status == 2000
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (status, name)
        is_static = "/static/" in str(answer.url)
        assert is_static or answer.headers["cache-control"] == "no-store", status
    assert "personal" not in answers[500].text


# Where a request comes from.

CROSS_SITE: list[tuple[dict[str, str], int]] = [
    ({"sec-fetch-site": "same-origin"}, 401),
    ({"sec-fetch-site": "same-origin", "origin": ADDRESS}, 401),
    ({"origin": ADDRESS}, 401),
    ({"origin": ADDRESS.upper()}, 401),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"sec-fetch-site": "same-site"}, 403),
    ({"sec-fetch-site": "none"}, 403),
    ({"sec-fetch-site": "SAME-ORIGIN"}, 403),
    ({"sec-fetch-site": "same-origin", "origin": "http://evil.example"}, 403),
    ({"sec-fetch-site": "cross-site", "origin": ADDRESS}, 403),
    ({"origin": "null"}, 403),
    ({"origin": ""}, 403),
    ({"origin": "http://127.0.0.1:8001"}, 403),
    ({"origin": "http://127.0.0.1"}, 403),
    ({"origin": "https://127.0.0.1:8000"}, 403),
    ({"origin": "http://127.0.0.1:8000.evil.example"}, 403),
    ({"origin": "http://evil.example/http://127.0.0.1:8000"}, 403),
    ({"origin": "http://localhost:8000"}, 403),
    ({"referer": f"{ADDRESS}/login"}, 403),
    ({}, 403),
]


@pytest.mark.parametrize(("headers", "status"), CROSS_SITE)
def test_requests_from_other_sites_are_refused(
    hall_app: Any, headers: dict[str, str], status: int
) -> None:
    client = plain(hall_app, **headers)
    client.cookies.set("readmark_session", "anything")
    fields = {"login": "nobody", "password": "wrong password"}
    assert client.post("/login", data=fields).status_code == status
    assert client.get("/login").status_code == 200


def test_cross_site_requests_change_nothing_with_any_method(hall_app: Any) -> None:
    client = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    client.headers["sec-fetch-site"] = "cross-site"
    for method in ("POST", "PUT", "PATCH", "DELETE", "post", "PURGE"):
        for path in ("/api/tokens", "/account/logout", "/nowhere", "/static/hall.css"):
            assert client.request(method, path).status_code == 403, (method, path)


def test_a_program_with_a_token_needs_no_origin(hall_app: Any) -> None:
    assert plain(hall_app, authorization="Bearer x").post("/api/tokens").status_code == 401


HOSTS = [
    ("127.0.0.1", 200),
    ("127.0.0.1:8000", 200),
    ("localhost:1", 200),
    ("LOCALHOST", 200),
    ("[::1]", 200),
    ("[::1]:8000", 200),
    ("evil.example", 400),
    ("evil.example:8000", 400),
    ("127.0.0.1.evil.example", 400),
    ("127.0.0.1:8000@evil.example", 400),
    ("127.0.0.1:evil", 400),
    ("localhost.", 400),
    ("[::2]:8000", 400),
    ("::1", 400),
    ("[::1", 400),
    (":8000", 400),
    ("", 400),
    ("127.0.0.1, evil.example", 400),
]


@pytest.mark.parametrize(("host", "status"), HOSTS)
def test_only_known_hosts_are_served(hall_app: Any, host: str, status: int) -> None:
    assert plain(hall_app).get("/", headers={"host": host}).status_code == status


def asgi(app: Any, headers: list[tuple[bytes, bytes]], **scope: Any) -> int:
    """The status that the app gives to a request that no client would send."""
    statuses: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    whole = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "headers": headers,
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 5),
        "root_path": "",
        **scope,
    }
    asyncio.run(app(whole, receive, send))
    return statuses[0]


def test_no_host_and_two_hosts_are_refused(hall_app: Any) -> None:
    own, evil = (b"host", b"127.0.0.1"), (b"host", b"evil.example")
    assert asgi(hall_app, [own]) == 200
    assert asgi(hall_app, []) == 400
    assert asgi(hall_app, [own, evil]) == 400
    assert asgi(hall_app, [evil, own]) == 400
    assert asgi(hall_app, [own, (b"content-length", "²".encode("latin-1"))]) == 413


def test_behind_a_proxy_only_its_address_is_the_own_origin(tmp_path: Path) -> None:
    app = open_hall(
        f"sqlite:///{tmp_path}/hall.db",
        hosts=("127.0.0.1", "hall.example"),
        origin="https://hall.example",
        is_secure=True,
    )
    fields = {"login": "nobody", "password": "wrong password"}
    for origin, status in [
        ("https://hall.example", 401),
        ("http://hall.example", 403),
        ("https://127.0.0.1:8000", 403),
        ("https://hall.example:8443", 403),
    ]:
        answer = plain(app, origin=origin).post("/login", data=fields)
        assert answer.status_code == status, origin
    owner = add_person(app, "olga", is_owner=True)
    client = client_of(app)
    client.cookies.set("readmark_session", "x")
    assert client.get("/api/me").status_code == 401
    with hall_in(app).database.writing() as session:
        secret = open_session(session, hall_in(app), owner)
    client.cookies.set("__Host-readmark_session", secret)
    link = client.post("/api/invitations", json={"role": "owner"}).json()["link"]
    assert link.startswith("https://hall.example/invitation/")
    hall_in(app).database.close()


# Bodies.


def with_upload(app: Any) -> Any:
    @app.post("/upload")
    def upload(file: Annotated[UploadFile, File()]) -> int:
        return len(file.file.read(1))

    @app.post("/api/fields")
    def fields(text: Annotated[str, Form()]) -> int:
        return len(text)

    @app.post("/api/json")
    def values(content: dict[str, Any]) -> dict[str, Any]:
        return content

    return app


def chunks(head: bytes, size: int, tail: bytes = b"") -> Iterator[bytes]:
    yield head
    for _ in range(size // 65536):
        yield b"a" * 65536
    yield tail


MULTIPART = {"content-type": "multipart/form-data; boundary=edge"}
FILE_PART = b'--edge\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n'
TEXT_PART = b'--edge\r\ncontent-disposition: form-data; name="text"\r\n\r\n'
END = b"\r\n--edge--\r\n"


@pytest.mark.parametrize("has_length", [True, False])
@pytest.mark.parametrize(
    ("path", "headers", "head", "tail", "size", "status"),
    [
        ("/upload", MULTIPART, FILE_PART, END, 31 * MB, 200),
        ("/upload", MULTIPART, FILE_PART, END, 33 * MB, 413),
        ("/upload", MULTIPART, FILE_PART, END, 50 * MB, 413),
        ("/api/json", {"content-type": "application/json"}, b'{"a":"', b'"}', 1 * MB, 200),
        ("/api/json", {"content-type": "application/json"}, b'{"a":"', b'"}', 3 * MB, 413),
        ("/api/json", {"content-type": "text/plain"}, b"", b"", 50 * MB, 413),
        ("/login", {"content-type": "application/x-www-form-urlencoded"}, b"", b"", 3 * MB, 413),
        ("/nowhere", {}, b"", b"", 50 * MB, 413),
    ],
)
def test_large_bodies_are_refused_with_and_without_a_length(
    hall_app: Any,
    has_length: bool,
    path: str,
    headers: dict[str, str],
    head: bytes,
    tail: bytes,
    size: int,
    status: int,
) -> None:
    client = signed_in(with_upload(hall_app), add_person(hall_app, "ann"))
    if has_length:
        length = len(head) + size + len(tail)
        headers = {**headers, "content-length": str(length)}
    answer = client.post(path, content=chunks(head, size, tail), headers=headers)
    assert answer.status_code == status, answer.text
    if status == 413:
        assert "larger than" in answer.text


JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("has_length", [True, False])
@pytest.mark.parametrize("secret", ["", "no-session", "expired"])
@pytest.mark.parametrize(
    ("path", "headers", "head", "tail"),
    [
        ("/upload", MULTIPART, FILE_PART, END),
        ("/api/json", JSON, b'{"a":"', b'"}'),
        ("/login", {"content-type": "application/x-www-form-urlencoded"}, b"login=", b""),
    ],
)
def test_who_is_not_logged_in_sends_little(
    hall_app: Any,
    monkeypatch: pytest.MonkeyPatch,
    has_length: bool,
    secret: str,
    path: str,
    headers: dict[str, str],
    head: bytes,
    tail: bytes,
) -> None:
    parsed: list[int] = []
    fault = protection.fault_of

    def count(kind: str, body: bytes) -> Any:
        parsed.append(len(body))
        return fault(kind, body)

    monkeypatch.setattr(protection, "fault_of", count)
    client = client_of(with_upload(hall_app))
    if secret:
        client.cookies.set(COOKIE, secret)
    if secret == "expired":
        person = add_person(hall_app, "ann")
        client.cookies.set(COOKIE, session_of(hall_app, person))
        with hall_in(hall_app).database.writing() as session:
            session.query(LoginSession).update({"expires": 1.0})
    size = 10 * 65536
    if has_length:
        headers = {**headers, "content-length": str(len(head) + size + len(tail))}
    answer = client.post(path, content=chunks(head, size, tail), headers=headers)
    # An upload without a length is cut off while the route reads it.
    is_cut = path == "/upload" and not has_length
    assert answer.status_code == (413 if is_cut else 401), answer.text
    assert max(parsed, default=0) <= protection.STRANGERS_BODY
    program = {**headers, "authorization": "Bearer wrong"}
    answer = client_of(hall_app).post(path, content=chunks(head, size, tail), headers=program)
    assert answer.status_code == (413 if is_cut else 401), answer.text


def test_large_bodies_are_parsed_outside_the_event_loop(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_loop: list[bool] = []

    def note_thread(kind: str, body: bytes) -> None:
        try:
            asyncio.get_running_loop()
            in_loop.append(True)
        except RuntimeError:
            in_loop.append(False)

    monkeypatch.setattr(protection, "fault_of", note_thread)
    client = signed_in(with_upload(hall_app), add_person(hall_app, "ann"))
    for size in (100, 1 << 20):
        assert client.post("/api/json", json={"a": "b" * size}).status_code == 200
    assert in_loop == [True, False]


async def uploading(app: Any, headers: dict[str, str], pieces: Iterator[bytes]) -> int:
    """The status of a body that is never in memory as a whole on the client's side."""
    status = 0

    async def receive() -> dict[str, Any]:
        piece = next(pieces, None)
        return {"type": "http.request", "body": piece or b"", "more_body": piece is not None}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)

    scope = {
        "type": "http",
        "method": "POST",
        "path": headers.pop("path"),
        "raw_path": b"",
        "query_string": b"",
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 5),
        "root_path": "",
        "headers": [
            (name.encode(), value.encode())
            for name, value in {"host": "127.0.0.1", **OWN, **headers}.items()
        ],
    }
    await app(scope, receive, send)
    return status


@pytest.mark.parametrize(
    ("path", "headers", "head"),
    [
        ("/upload", MULTIPART, FILE_PART),
        ("/api/json", {"content-type": "application/json"}, b'{"a":"'),
        ("/login", {"content-type": "application/x-www-form-urlencoded"}, b"login="),
    ],
)
def test_an_upload_of_50_mb_takes_less_than_30_mb_of_memory(
    hall_app: Any, path: str, headers: dict[str, str], head: bytes
) -> None:
    app = with_upload(hall_app)

    def send(size: int) -> int:
        return asyncio.run(uploading(app, {"path": path, **headers}, chunks(head, size)))

    send(MB)  # what is loaded at the first request stays
    tracemalloc.start()
    try:
        assert send(50 * MB) == 413
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 30 * MB


FIELD_BOMBS = {
    "fields": TEXT_PART + "😀".encode(),
    "files": FILE_PART,
    "headers": b"--edge\r\nx-header: ",
    "names": b"--edge\r\nx-",
}


@pytest.mark.parametrize("bomb", FIELD_BOMBS)
def test_parts_of_an_upload_cannot_fill_the_memory(hall_app: Any, bomb: str) -> None:
    """Neither fields, which no disk takes, nor files that are just too small for it."""
    app = with_upload(hall_app)

    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield FIELD_BOMBS[bomb]
            for _ in range(12):
                yield b"a" * 65536
            yield b"\r\n"
        yield END

    tracemalloc.start()
    try:
        headers = {"path": "/api/fields", **MULTIPART}
        assert asyncio.run(uploading(app, headers, pieces())) in (400, 413)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 30 * MB


UNSTORABLE = [
    ('{"name":"a\\u0000b","scopes":["read"]}', 422),
    ('{"name":"\\ud800","scopes":["read"]}', 422),
    ('{"name":"\\udc00\\ud800","scopes":["read"]}', 422),
    ('{"\\ud800":1}', 422),
    ('{"a\\u0000":1}', 422),
    ('{"name":"x","scopes":["read"],"days":NaN}', 422),
    ('{"name":"x","scopes":["read"],"days":1e999}', 422),
    ('{"name":"x","scopes":["read"],"days":-Infinity}', 422),
    ("[" * 100_000 + "]" * 100_000, 422),
    ('{"name":"x","scopes":["read"],"days":1' + "0" * 5000 + "}", 422),
    ('{"name":"\ud800","scopes":["read"]}', 422),
    ('{"name":"\\\\u0000 and \\ud83d\\ude00","scopes":["read"]}', 201),
    ("{", 422),
    ("", 422),
]


def test_what_no_database_stores_is_refused_in_json(either_app: Any) -> None:
    client = signed_in(either_app, add_person(either_app, "ada"))
    for body, status in UNSTORABLE:
        refuse_unstorable(client, body, status)


def refuse_unstorable(client: TestClient, body: str, status: int) -> None:
    content = body.encode("utf-8", "surrogatepass")
    headers = {"content-type": "application/json"}
    answer = client.post("/api/tokens", content=content, headers=headers)
    assert answer.status_code == status, answer.text
    utf16 = client.post(
        "/api/tokens", content=body.encode("utf-16", "surrogatepass"), headers=headers
    )
    assert utf16.status_code == 422


def test_what_no_database_stores_is_refused_in_forms_and_paths(either_app: Any) -> None:
    client = signed_in(either_app, add_person(either_app, "ada", is_owner=True))
    form = {"content-type": "application/x-www-form-urlencoded"}
    for content, status in [
        (b"login=a%00b&password=x", 422),
        (b"login=a\0b&password=x", 422),
        (b"login=%ED%A0%80&password=wrong", 401),
        (b"login=%FF&password=%FF", 401),
    ]:
        assert client.post("/login", content=content, headers=form).status_code == status, content
    multipart = {"login": (None, "a\0b"), "password": (None, "x")}
    assert client.post("/login", files=multipart).status_code == 422
    for path in ("/%00", "/people?x=%00", "/api/people?order=%00", "/invitation/a%00b"):
        assert client.get(path).status_code == 422, path
    for path in ("/invitation/%ED%A0%80", "/api/projects/%FF/members", "/%F0%9F%98%80"):
        assert client.get(path).status_code == 404, path
    for number in (2**63, 10**30):
        assert client.get(f"/api/audit?before={number}").status_code == 422


# Secrets.


def test_no_secret_is_in_the_database(hall_app: Any, tmp_path: Path) -> None:
    owner = add_person(
        hall_app, "olga", is_owner=True, password=hash_password(PASSWORD, login="olga")
    )
    client = client_of(hall_app)
    client.post("/login", data={"login": "olga", "password": PASSWORD})
    token = client.post("/api/tokens", json={"name": "x", "scopes": ["read"]}).json()["secret"]
    link = client.post("/api/invitations", json={"role": "owner"}).json()["link"]
    reset = client.post(f"/api/people/{owner}/password-link").json()["link"]
    session = client.cookies["readmark_session"]
    hall_in(hall_app).database.close()
    content = b"".join(path.read_bytes() for path in tmp_path.glob("hall.db*"))
    assert b"olga" in content
    for secret in (PASSWORD, token, token.removeprefix("readmark_"), session):
        assert secret.encode() not in content
    for address in (link, reset):
        assert address.rpartition("/")[2].encode() not in content


def test_hashes_of_another_hall_are_of_no_use(hall_app: Any, tmp_path: Path) -> None:
    """A stolen copy of the database opens nothing: the hash is keyed, and no key itself."""
    owner = add_person(hall_app, "olga", is_owner=True)
    client = signed_in(hall_app, owner)
    secret = client.cookies["readmark_session"]
    hall = hall_in(hall_app)
    thief = client_of(hall_app)
    thief.cookies.set("readmark_session", hall.hashed(secret))
    assert thief.get("/api/me").status_code == 401
    other = create_app(HallSettings(hall.settings.url, b"x" * 32), hall.database)
    stranger = client_of(other)
    stranger.cookies.set("readmark_session", secret)
    assert stranger.get("/api/me").status_code == 401
    assert client.get("/api/me").status_code == 200


def test_secrets_are_compared_by_their_hash_alone() -> None:
    """No query and no comparison takes a secret as it was sent."""
    folder = Path(readmark.server.__file__).parent
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                if re.search(r"\.secret == ", text):
                    allowed = ("hashed(", "caller.session", "current", "bindparam('hashed')")
                    assert any(part in text for part in allowed), text
            elif isinstance(node, ast.Dict):  # what a prepared query is given
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value == "hashed":
                        assert ast.unparse(value).startswith("hall.hashed("), ast.unparse(value)


@pytest.mark.process
def test_the_hall_makes_its_secret_with_a_tight_mode(tmp_path: Path) -> None:
    file = tmp_path / "readmark.secret"
    code = (
        "import os, sys; os.umask(0)\n"
        "from readmark.server.hall_secret import read_secret\n"
        "read_secret(sys.argv[1])"
    )
    subprocess.run([sys.executable, "-c", code, str(file)], check=True)
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(file.read_bytes()) == 32
    assert read_secret(file) == file.read_bytes()


# Logs, and what the hall asks for itself.


def test_nothing_personal_is_logged(
    hall_app: Any, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    @hall_app.get("/broken/{word}")
    def broken(word: str) -> None:
        raise ValueError(f"cannot work with {word}")

    @hall_app.get("/broken-database/{word}")
    def broken_database(word: str) -> None:
        with hall_in(hall_app).database.writing() as session:
            session.add(Person(login=word, name=None, password=word))

    caplog.set_level(logging.DEBUG)
    private = {
        "login": "person-of-interest",
        "password": "a private password",
        "name": "Private Name",
        "how": "new",
    }
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    add_project(hall_app, "wood", CONFIGURATION, {"one": {}})
    link = owner.post("/api/invitations", json={"role": "novice", "project": "wood"}).json()["link"]
    client = client_of(hall_app)
    assert client.post(link, data=private).status_code == 303
    token = client.post("/api/tokens", json={"name": "Private Name", "scopes": ["read"]}).json()
    client.post("/login", data=private)
    client.post("/login", data={**private, "password": "another private word"})
    client.post("/api/tokens", json={"Private Name": "a private password"})
    client.get("/api/me", headers={"authorization": f"Bearer {token['secret']}"})
    client.get("/api/me", headers={"authorization": f"Bearer {token['secret'][:-1]}"})
    assert client.get("/broken/a private password").status_code == 500
    assert client.get("/broken-database/a private password").status_code in (409, 503)
    client.get(f"/nowhere/{private['login']}", headers={"host": "evil.example"})
    printed = capfd.readouterr()
    logged = [
        form.format(record) for form in (JsonLines(), PlainLines()) for record in caplog.records
    ]
    assert sum("ValueError" in line and " broken" in line for line in logged) == 2
    assert any('"route": "/broken/{word}", "status": 500' in line for line in logged)
    secrets = [token["secret"], link.rpartition("/")[2], client.cookies["readmark_session"]]
    for text in (*private.values(), "another private word", *secrets):
        if text != "new":
            assert text not in "\n".join(logged) + printed.out + printed.err


@pytest.mark.process
def test_a_real_server_logs_no_address_and_no_secret(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "readmark", "serve", "--port", "0", "--json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        printed = json.loads(process.stdout.readline())
        port = int(printed["address"].rpartition(":")[2].strip("/"))
        for head in (
            b"GET /invitation/private-secret HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
            b"GET /private-secret HTTP/1.0\r\n\r\n",
            b"private-secret\r\n\r\n",
            b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
            b"Content-Length: 100\r\n\r\nprivate-secret",
        ):
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(head)
                connection.shutdown(socket.SHUT_WR)
                connection.settimeout(10)
                answer = connection.recv(65536)
                assert b" 500 " not in answer[:20]
    finally:
        process.terminate()
        _, errors = process.communicate()
    assert b"private-secret" not in errors
    assert b"Traceback" not in errors


def test_the_server_fetches_nothing() -> None:
    """No module of the server can open an address: it has no client to do so with."""
    clients = {"aiohttp", "http", "httpx", "requests", "socket", "urllib"}
    harmless = {"urllib.parse"}
    listening = {"start.py": {"socket"}}
    folder = Path(readmark.server.__file__).parent
    for path in folder.rglob("*.py"):
        names: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
        used = {name for name in names - harmless if name.partition(".")[0] in clients}
        assert used <= listening.get(path.name, set()), path.name


def test_an_address_in_a_field_is_not_fetched(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise AssertionError("the hall opened a connection")

    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    address = "http://169.254.169.254/latest/meta-data"
    assert owner.post("/api/tokens", json={"name": address, "scopes": ["read"]}).status_code == 201
    body = {"role": "owner", "note": address}
    assert owner.post("/api/invitations", json=body).status_code == 201
    assert owner.get("/people").status_code == 200
    assert owner.get("/login", params={"next": address}).status_code == 200
