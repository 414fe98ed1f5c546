"""Starting a hall: what it creates, prints and refuses."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from halls import add_person, client_of, hall_in
from readmark.core.errors import UsageError
from readmark.server import pages
from readmark.server.invitations import invite_first_owner
from readmark.server.serve_options import Listening
from readmark.server.start import _prepare, _print_start, open_hall, require_owner

DOCS = Path(__file__).resolve().parents[2] / "docs" / "hall.md"
JOIN = {"how": "new", "name": "Ada", "login": "ada", "password": "a long password"}


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[tuple[dict[str, Any], subprocess.Popen[str]]]:
    """A hall in a process of its own, and what it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "readmark", "serve", "--port", "0", "--json", *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline()), process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.process
def test_an_empty_folder_becomes_a_hall_with_an_owner(tmp_path: Path) -> None:
    with serving(tmp_path) as (printed, process):
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        assert modes.keys() >= {"readmark.db", "readmark.secret"}
        assert set(modes.values()) == {0o600}
        assert printed["address"].startswith("http://127.0.0.1:")
        origin = {"origin": printed["address"].rstrip("/")}
        with httpx.Client(headers=origin, timeout=60) as client:
            joined = client.post(printed["link"], data=JOIN)
            assert (joined.status_code, joined.headers["location"]) == (303, "/")
            assert "server" not in joined.headers
            me = client.get(f"{printed['address']}api/me").json()
            assert (me["login"], me["is_owner"]) == ("ada", True)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, "readmark: the hall is closed\n")
    with serving(tmp_path) as (printed, process):
        assert printed["link"] is None
        process.send_signal(signal.SIGTERM)  # as a service manager does
        _, errors = process.communicate(timeout=30)
        assert (process.returncode, errors) == (0, "readmark: the hall is closed\n")


@pytest.mark.process
def test_with_a_certificate_the_cookie_is_bound_to_the_host(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
            "-keyout",
            "key.pem",
            "-out",
            "certificate.pem",
        ],
        cwd=tmp_path,
        capture_output=True,
        check=True,
    )
    options = ("--tls-certificate", "certificate.pem", "--tls-key", "key.pem")
    with serving(tmp_path, *options) as (printed, _):
        assert printed["link"].startswith("https://127.0.0.1:")
        context = ssl.create_default_context(cafile=tmp_path / "certificate.pem")
        origin = {"origin": printed["address"].rstrip("/")}
        joined = httpx.post(printed["link"], data=JOIN, headers=origin, verify=context)
        cookies = joined.headers.get_list("set-cookie")
        session = next(line for line in cookies if line.startswith("__Host-readmark_session="))
        parts = {part.strip().lower() for part in session.split(";")[1:]}
        assert parts >= {"httponly", "secure", "samesite=lax", "path=/"}
        assert not any(part.startswith("domain") for part in parts)
        assert "max-age" in joined.headers["strict-transport-security"]
        plain = {"origin": origin["origin"].replace("https:", "http:")}
        refused = httpx.post(printed["link"], data=JOIN, headers=plain, verify=context)
        assert refused.status_code == 403


def test_each_start_without_an_owner_makes_a_fresh_link(hall_app: Any) -> None:
    hall, client = hall_in(hall_app), client_of(hall_app)
    secrets = []
    for _ in range(2):
        with hall.database.writing() as session:
            secrets.append(invite_first_owner(session, hall))
    assert client.get(f"/invitation/{secrets[0]}").status_code == 404
    assert client.post(f"/invitation/{secrets[0]}", data=JOIN).status_code == 404
    assert client.post(f"/invitation/{secrets[1]}", data=JOIN).status_code == 303
    with hall.database.writing() as session:
        assert invite_first_owner(session, hall) is None


def test_a_network_address_needs_an_owner_and_then_hints_at_tls(
    hall_app: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    hall = hall_in(hall_app)
    with pytest.raises(UsageError, match="the hall has no owner yet"):
        require_owner(hall, "192.0.2.1")
    add_person(hall_app, "ada", is_owner=True)
    require_owner(hall, "192.0.2.1")
    _print_start(hall, Listening(), "…", as_json=False)
    assert capsys.readouterr().out in DOCS.read_text("utf-8")
    _print_start(hall, Listening(host="192.0.2.1"), None, as_json=False)
    printed = capsys.readouterr()
    assert printed.out.startswith("Exam hall: http://192.0.2.1:8000/\n")
    assert "--tls-certificate FILE --tls-key FILE" in printed.err
    assert "--behind-proxy https://NAME" in printed.err
    for listening in (Listening(), Listening(host="192.0.2.1", proxy="https://hall.example.org/")):
        _print_start(hall, listening, None, as_json=False)
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("listening", "is_loopback", "hosts"),
    [
        (Listening(), True, ()),
        (Listening(host="localhost"), True, ()),
        (Listening(host="::1"), True, ()),
        (Listening(host="127.8.8.8"), True, ("127.8.8.8",)),
        (Listening(host="192.0.2.1"), False, ("192.0.2.1",)),
        (Listening(host="2001:db8::1"), False, ("[2001:db8::1]",)),
        (Listening(host="0.0.0.0", allowed=("Hall.example",)), False, ("hall.example",)),
        (Listening(host="localhost.example"), False, ("localhost.example",)),
        (Listening(proxy="https://Hall.example:8443/"), True, ("hall.example",)),
    ],
)
def test_only_this_machine_and_named_hosts(
    listening: Listening, is_loopback: bool, hosts: tuple[str, ...]
) -> None:
    listening.check()
    assert listening.is_loopback is is_loopback
    assert listening.hosts() == ("127.0.0.1", "localhost", "[::1]", *hosts)


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("options", "status", "line"),
    [
        (["--host", "192.0.2.1"], 2, "the hall has no owner yet"),
        (["--host", "0.0.0.0"], 2, "--host 0.0.0.0 needs --allow-host NAME"),
        (["--tls-key", "key.pem"], 2, "--tls-certificate and --tls-key go together"),
        (["--behind-proxy", "http://hall.example"], 2, "such as https://hall.example.org"),
        (["--behind-proxy", "https://hall.example/x"], 2, "such as https://hall.example.org"),
        (["--tls-certificate", "no.pem", "--tls-key", "no.pem"], 1, "cannot be read"),
        (["--tls-certificate", "bad.db", "--tls-key", "bad.db"], 1, "bad.db: expected a certif"),
        (["--db", "sqlite:///bad.db"], 1, "bad.db: the database cannot be opened"),
        (["--db", "sqlite:///no/hall.db"], 1, "no/hall.db: cannot be opened"),
        (["--db", "hall.db"], 2, "'hall.db' is not a database address"),
        (["--db", "mysql://u:hidden@h/n"], 2, "mysql is not supported"),
        (["--port", "TAKEN"], 1, "is in use: choose another with --port"),
    ],
)
def test_a_start_that_fails_is_one_line(
    readmark_cli: Run, tmp_path: Path, options: list[str], status: int, line: str
) -> None:
    (tmp_path / "bad.db").write_text("not a database, and no certificate either\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = readmark_cli(
            "serve", *[port if option == "TAKEN" else option for option in options], cwd=tmp_path
        )
    assert (ran.returncode, ran.stdout) == (status, "")
    assert line in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert "hidden" not in ran.stderr


def test_a_secret_that_others_can_read_is_refused(readmark_cli: Run, tmp_path: Path) -> None:
    secret = tmp_path / "readmark.secret"
    secret.write_bytes(os.urandom(32))
    secret.chmod(0o640)
    ran = readmark_cli("serve", cwd=tmp_path)
    assert ran.returncode == 1
    assert "readmark.secret: others can read the hall's secret" in ran.stderr


def test_the_first_link_leads_into_the_demo(tmp_path: Path) -> None:
    app = open_hall(f"sqlite:///{tmp_path}/hall.db", shows_demo=True)
    hall = hall_in(app)
    secret, client = _prepare(hall, demo=True), client_of(app)
    page = client.post(f"/invitation/{secret}", data=JOIN).headers["location"]
    assert page.startswith("/assignments/")
    assert client.get(page).status_code == 200
    assert client.get(page.replace("/assignments/", "/api/assignments/")).json()["texts"][0]["text"]
    assert _prepare(hall, demo=True) is None  # a second start adds nothing
    assert len(client.get("/api/me").json()["memberships"]) == 2
    hall.database.close()


def test_an_upgrade_under_a_running_hall_changes_no_page(
    hall_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new version's templates ask for values that the old version's code does not have."""
    before = client_of(hall_app).get("/login").text

    def upgraded(*_: object) -> tuple[str, str, Callable[[], bool]]:
        return "{{ t.a_string_of_the_new_version }}", "", lambda: False

    loader = pages._templates().loader
    monkeypatch.setattr(loader, "get_source", upgraded)
    assert client_of(hall_app).get("/login").text == before
    never_shown_before = client_of(hall_app).get("/no-such-page")
    assert (never_shown_before.status_code, "<html" in never_shown_before.text) == (404, True)
