"""`llm`: a key that is refused, and one that is nowhere to be seen."""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from llm_endpoint import Answer, Endpoint, Misdeed, Says, completion, in_turn
from llm_papers import SECRET, configure, says, sit_paper
from readmark.cli.main import cli
from readmark.core.errors import ReadmarkError
from readmark.core.traffic import Traffic
from readmark.llm.client import Asker
from readmark.llm.endpoint import Endpoint as Chat
from readmark.sitting.runner import sit
from spelt_keys import SPELLINGS, shows

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_refused_key_ends_the_sitting_at_once(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    no = Misdeed(401, json.dumps({"error": {"message": "bad key"}}).encode())
    with Endpoint(lambda body: no, probed=True) as endpoint:
        done = readmark_cli(
            "sit", str(paper), "-r", f'llm(model=m,base_url="{endpoint.url}")', "-o", "s.jsonl",
            "--parallel", "1", cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "m: the key is refused: HTTP 401: bad key" in done.stderr
        assert (len(endpoint.probes), len(endpoint.asked)) == (1, 0)
    with Endpoint(lambda body: no) as endpoint:  # after the probe
        done = readmark_cli(
            "sit", str(paper), "-r", f'llm(model=m,base_url="{endpoint.url}")', "-o", "s.jsonl",
            "--parallel", "1", cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr.splitlines()[1:] == ["readmark: the key is refused: HTTP 401: bad key"]
        assert len(endpoint.asked) == 1


def pieces(text: bytes) -> list[str]:
    """The pieces of eight characters of the key that are in a file or stream."""
    runs = (SECRET[at : at + 8] for at in range(len(SECRET) - 7))
    return [run for run in runs if run.encode() in text.lower()]


def require_hidden(folder: Path) -> None:
    for path in filter(Path.is_file, folder.rglob("*")):
        data = path.read_bytes()
        assert pieces(data) == [], path
        if path.suffix == ".jsonl":
            assert shows(data.decode(), SECRET) is None, path


def escaped(key: str) -> str:
    return SPELLINGS["\\u, lower-case digits"](key)


def error(message: str, status: int = 400) -> Misdeed:
    return Misdeed(status, b'{"error": {"message": "%s"}}' % message.encode())


def test_the_key_is_nowhere(
    paper: Path, tmp_path: Path, readmark_cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the journal, the cache, the marksheet, the report, the messages or the errors."""
    replies = in_turn(
        error("x" * 185 + SECRET, 500),
        Misdeed(raw=b"HTTP/1.1 200 OK\r\nX-Echo: " + b"y" * 140 + SECRET.encode() + b"\0\r\n\r\n"),
        error("x" * 190 + escaped(SECRET)),
        Misdeed(
            200,
            completion(says(f"Tom {SECRET}", escaped(SECRET)), {"messages": []}),
            {"Set-Cookie": f'no name {SECRET}"=1'},
        ),
    )
    shown = b""
    monkeypatch.chdir(tmp_path)
    with Endpoint(replies) as endpoint:
        configure(tmp_path, endpoint.url, "attempts = 1", 'shape = "text"')
        for _ in range(3):
            done = readmark_cli(
                "sit", str(paper), "-r", "m", "-o", "s.jsonl", "--parallel", "1", "--json",
                cwd=tmp_path, env={"OPENAI_API_KEY": SECRET},
            )  # fmt: skip
            shown += (done.stdout + done.stderr).encode()
            if done.returncode == 0:
                break
        assert all(sent["Authorization"] == f"Bearer {SECRET}" for sent in endpoint.headers)
        assert len(endpoint.asked) == 6
        judge = f'judge(model=m,base_url="{endpoint.url}")'
        for command in (
            ("mark", str(paper), "s.jsonl", "-m", judge, "-o", "j.jsonl"),  # no verdict
            ("mark", str(paper), "s.jsonl", "-m", "em", "-o", "m.jsonl"),
            ("report", "m.jsonl", "-o", "r.html"),
            ("table", "m.jsonl", "--json"),
            ("doctor", "--json"),
        ):
            result = CliRunner().invoke(cli, command)
            assert isinstance(result.exception, ReadmarkError | SystemExit | None), result.output
            shown += f"{result.output}{result.exception}".encode()
    assert b"[key]" in shown
    assert pieces(shown) == []
    files = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert {"s.jsonl", "m.jsonl", "r.html", "s.jsonl.cache.sqlite"} <= files
    assert "Tom [key]" in (tmp_path / "s.jsonl").read_text("utf-8")
    require_hidden(tmp_path)


ECHO = SECRET.encode()
PAIRS = base64.b64encode(f"user:{SECRET}".encode())
ESCAPED = escaped(SECRET)
SPELT_OTHERWISE = completion(f"Answer: {SECRET}", {"messages": []}).replace(ECHO, ESCAPED.encode())


@pytest.mark.server
@pytest.mark.parametrize(
    "said",
    [
        error(f"Bad key: {SECRET}"),
        *(error("x" * (200 - at) + SECRET) for at in (1, 9, 17)),
        *(error("x" * (200 - at) + ESCAPED) for at in (1, 50, 70)),
        error("x" * 190 + ESCAPED, 200),
        error("x" * 190 + ESCAPED.upper().replace("U", "u")),
        error("Basic " + PAIRS.decode()),
        error("moved to /?key=" + SPELLINGS["percent, everything"](SECRET)),
        error(SPELLINGS["hexadecimal entities"](SECRET)),
        error("<br>".join((SECRET, SPELLINGS["decimal entities"](SECRET)))),
        error(SPELLINGS["wrapped"](SECRET).replace("\n", "\\n")),
        Misdeed(400, json.dumps({"headers": {"authorization": [f"Bearer {SECRET}"]}}).encode()),
        Misdeed(200, b"y" * 110 + ECHO),
        Misdeed(200, b'{"choices": [{"finish": "' + ESCAPED.encode()),
        Misdeed(200, json.dumps({"choices": SECRET}).encode("utf-16-le")),
        Misdeed(302, ECHO, {"Location": f"http://127.0.0.1:1/{SECRET}"}),
        Misdeed(429, ECHO, {"Retry-After": SECRET}),
        Misdeed(200, b"{}", {"Set-Cookie": f'no name {SECRET}"=1'}),
        Misdeed(200, ECHO, {"Content-Encoding": "gzip"}),
        Misdeed(raw=ECHO + b"\r\n\r\n"),
        Misdeed(raw=b"HTTP/1.1 2x0 " + ECHO + b"\r\n\r\n"),
        Misdeed(raw=b"HTTP/1.1 200 OK\r\n" + b"y" * 120 + ECHO + b"\r\n\r\n"),
        Misdeed(raw=b"HTTP/1.1 200 OK\r\nContent-Length: " + ECHO + b"\r\n\r\n"),
        Misdeed(raw=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + ECHO + b"\r\n"),
        Says(None, refusal=f"I know {SECRET}"),
        Says(says(SECRET), finish=SECRET),
        Says(says(SECRET[:12], SECRET[12:])),
        Says('{"answer": "' + ESCAPED + '", "evidence": "' + ESCAPED + '"}'),
        Says(SECRET[:11] + "<think>no</think>" + SECRET[11:]),
        Says(f'{{"answer": {json.dumps([SECRET, ESCAPED])}}}'),
        Misdeed(200, SPELT_OTHERWISE),
    ],
)
def test_a_server_that_repeats_the_key_is_not_repeated(
    paper: Path, tmp_path: Path, said: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    with Endpoint(lambda body: said) as endpoint, contextlib.suppress(ReadmarkError):
        sit_paper(paper, endpoint, tmp_path / "s.jsonl", "shape=text", attempts=1)
    require_hidden(tmp_path)
    assert pieces(caplog.text.encode()) == []


@pytest.mark.server
def test_a_key_in_an_older_cache_does_not_reach_the_journal(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Endpoint(lambda body: says(SECRET, ESCAPED)) as endpoint:
        monkeypatch.setenv("OPENAI_API_KEY", "another-key-altogether")
        sit_paper(paper, endpoint, tmp_path / "a.jsonl", cache=str(tmp_path / "c.sqlite"))
        assert pieces((tmp_path / "a.jsonl").read_bytes())
        monkeypatch.setenv("OPENAI_API_KEY", SECRET)
        sit_paper(paper, endpoint, tmp_path / "b.jsonl", cache=str(tmp_path / "c.sqlite"))
        assert len(endpoint.asked) == 3
    assert pieces((tmp_path / "b.jsonl").read_bytes()) == []


@pytest.mark.server
def test_an_exception_that_quotes_the_key_is_a_row_without_it(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both where a request is made and where its reply is read."""

    def fail(*_: object, **__: object) -> None:
        raise KeyError("x" * 280 + SECRET + "x" * 190 + SECRET)

    for name in ("llm.attempts.exchange", "llm.answers.read_answer"):
        with Endpoint(lambda body: says("Tom")) as endpoint, monkeypatch.context() as patched:
            patched.setattr(f"readmark.{name}", fail)
            rows = sit_paper(paper, endpoint, tmp_path / f"{name}.jsonl", attempts=1)
        assert all("[key]" in row.error for row in rows.values())
        require_hidden(tmp_path)


@pytest.mark.server
def test_a_proxy_that_repeats_its_password(
    paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
    word = f"user:{SECRET}"
    monkeypatch.setenv("OPENAI_API_KEY", "another-key-altogether")
    with Endpoint(lambda body: error(f"{word} {PAIRS.decode()} {SECRET}")) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.replace("//", f"//{word}@"))
        url = "http://readmark.invalid/v1"
        sit(str(paper), f'llm(model=m,base_url="{url}")', str(tmp_path / "s.jsonl"))
        assert proxy.headers[0]["Proxy-Authorization"] == f"Basic {PAIRS.decode()}"
    assert b"HTTP 400: [key]" in (tmp_path / "s.jsonl").read_bytes()
    require_hidden(tmp_path)


@pytest.mark.parametrize(
    "candidate",
    [
        'llm(model=m,base_url="http://user:{}@127.0.0.1:9/v1")',
        'llm(model=m,base_url="http://user:{}@127.0.0.1:9/v1"',
        'llm(model=m,base_url="http://127.0.0.1:x/v1?key={}")',
        'llm(model=m,base_url="ftp://user:{}@127.0.0.1/v1")',
        'llm(model=m,base_url="http://127.0.0.1:9/v1",key="{}")',
    ],
)
def test_a_password_in_a_candidates_name_is_not_shown(
    paper: Path, tmp_path: Path, candidate: str
) -> None:
    with pytest.raises(ReadmarkError) as caught:
        sit(str(paper), candidate.format(SECRET), str(tmp_path / "s.jsonl"))
    assert pieces(str(caught.value).encode()) == []
    require_hidden(tmp_path)


def test_what_holds_the_key_does_not_show_it() -> None:
    asker = Asker(Chat("http://127.0.0.1:9/v1", "m"), Traffic())
    assert SECRET in asker.destination.headers["Authorization"]
    assert SECRET not in f"{asker!r} {asker.destination!r} {asker.secrets!r} {asker.endpoint!r}"
