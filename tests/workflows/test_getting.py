"""``readmark get``: what comes from a real server, whole or not at all, and what is refused."""

import gzip
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from tomllib import loads
from typing import Any

import msgspec
import pytest

from data_server import DataServer, cut_at, moved, send, serve, tag
from readmark.corpus.errors import DataError, ReadmarkError, UsageError
from readmark.corpus.formats import FORMATS, open_test
from readmark.corpus.version import __version__
from readmark.setting.fetching import hub, public
from readmark.setting.fetching.connection import Guard, Limits, look
from readmark.workflows.getting import Provenance, get

Run = Callable[..., subprocess.CompletedProcess[str]]

TEST = {
    "version": "1.1",
    "data": [
        {
            "title": "Kiln",
            "paragraphs": [
                {
                    "context": "The kiln was lit on Monday.",
                    "qas": [
                        {
                            "id": "k1",
                            "question": "When was the kiln lit?",
                            "answers": [{"text": "Monday", "answer_start": 20}],
                        }
                    ],
                }
            ],
        }
    ],
}
DATA = json.dumps(TEST).encode()
HASH = hashlib.sha256(DATA).hexdigest()
COMMIT = "0123456789abcdef0123456789abcdef01234567"
QUICK = Limits(silence=5, first_wait=0.01, attempts=3)


def known(**more: Any) -> public.Fetchable:
    return public.Fetchable(
        title="Kiln", url="https://example.org/data/kiln.json", licence="CC BY 4.0", **more
    )


@pytest.fixture(autouse=True)
def table(monkeypatch: pytest.MonkeyPatch) -> dict[str, public.Fetchable]:
    """A table of our own; no mirror and no token from outside."""
    tests = {
        "kiln": known(),
        "kiln-hashed": known(sha256=HASH),
        "kiln-closed": known(restricted=True),
    }
    monkeypatch.setattr(public, "public_tests", lambda: tests)
    monkeypatch.delenv("READMARK_MIRROR", raising=False)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    return tests


@pytest.fixture
def server() -> Iterator[DataServer]:
    with DataServer({"/data/kiln.json": DATA}) as running:
        yield running


def source(path: Path) -> Provenance:
    return msgspec.json.decode(Path(f"{path}.source.json").read_bytes(), type=Provenance)


def left(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_file_comes_with_its_source(server: DataServer, tmp_path: Path) -> None:
    target = tmp_path / "kiln.json"
    got = get("kiln", target, mirror=server.url, limits=QUICK)
    assert got.fetched
    assert target.read_bytes() == DATA
    assert left(tmp_path) == ["kiln.json", "kiln.json.source.json"]
    told = source(target)
    assert (told.sha256, told.size, told.licence) == (HASH, len(DATA), "CC BY 4.0")
    assert told.url == "https://example.org/data/kiln.json"
    assert told.asked == f"{server.url}/data/kiln.json"
    raw = json.loads((tmp_path / "kiln.json.source.json").read_bytes())
    assert (raw["checked"], raw["readmark"]) == ("first fetch", __version__)
    assert open_test(target).facts.units == 1


def test_what_is_here_is_not_asked_for_again(server: DataServer, tmp_path: Path) -> None:
    target = tmp_path / "kiln.json"
    get("kiln", target, mirror=server.url, limits=QUICK)
    assert not get("kiln", target, mirror=server.url, limits=QUICK).fetched
    assert len(server.asked) == 1
    target.write_bytes(b"{}")
    with pytest.raises(UsageError, match="--replace"):
        get("kiln", target, mirror=server.url, limits=QUICK)
    assert get("kiln", target, mirror=server.url, limits=QUICK, replace=True).fetched
    assert target.read_bytes() == DATA


def test_the_first_fetch_is_trusted_and_the_next_must_meet_it(
    server: DataServer, tmp_path: Path
) -> None:
    target = tmp_path / "kiln.json"
    get("kiln", target, mirror=server.url, limits=QUICK)
    target.unlink()
    other = DATA.replace(b"Monday", b"Friday")
    server.paths["/data/kiln.json"] = other
    with pytest.raises(DataError, match=r"expected .* by the first fetch"):
        get("kiln", target, mirror=server.url, limits=QUICK)
    assert left(tmp_path) == ["kiln.json.refused", "kiln.json.source.json"]
    assert (tmp_path / "kiln.json.refused").read_bytes() == other
    assert source(target).sha256 == HASH


def test_a_file_with_the_right_hash_needs_no_source(server: DataServer, tmp_path: Path) -> None:
    target = tmp_path / "kiln.json"
    target.write_bytes(DATA)
    with pytest.raises(UsageError, match="--replace"):
        get("kiln", target, mirror=server.url, limits=QUICK)
    got = get("kiln", target, mirror=server.url, limits=QUICK, sha256=HASH)
    assert (got.fetched, server.asked) == (False, [])
    assert (source(target).sha256, source(target).checked) == (HASH, "--sha256")
    assert source(target).fetched is None
    assert not get("kiln", target, mirror=server.url, limits=QUICK).fetched


@pytest.mark.parametrize(
    ("name", "more", "by"),
    [
        ("kiln-hashed", {}, "the table of public tests"),
        ("kiln", {"sha256": HASH.upper()}, "--sha256"),
    ],
)
def test_another_content_is_refused(
    server: DataServer, tmp_path: Path, name: str, more: dict[str, Any], by: str
) -> None:
    target = tmp_path / "kiln.json"
    server.paths["/data/kiln.json"] = DATA + b" "
    with pytest.raises(DataError, match=f"expected {HASH} by {by}"):
        get(name, target, mirror=server.url, limits=QUICK, **more)
    assert left(tmp_path) == ["kiln.json.refused"]
    server.paths["/data/kiln.json"] = DATA
    assert get(name, target, mirror=server.url, limits=QUICK, **more).provenance.checked == by


def test_what_is_cut_is_gone_on_with(server: DataServer, tmp_path: Path) -> None:
    server.paths["/data/kiln.json"] = cut_at(DATA, 100, 50)
    target = tmp_path / "kiln.json"
    get("kiln-hashed", target, mirror=server.url, limits=QUICK)
    assert target.read_bytes() == DATA
    assert server.ranges() == [None, "bytes=100-", "bytes=150-"]


def test_another_run_goes_on_too(server: DataServer, tmp_path: Path) -> None:
    server.paths["/data/kiln.json"] = cut_at(DATA, 100)
    target = tmp_path / "kiln.json"
    once = Limits(silence=5, attempts=1)
    with pytest.raises(ReadmarkError, match=f"cut after 100 of {len(DATA)} bytes"):
        get("kiln-hashed", target, mirror=server.url, limits=once)
    assert not target.exists()
    get("kiln-hashed", target, mirror=server.url, limits=once)
    assert target.read_bytes() == DATA
    assert server.ranges() == [None, "bytes=100-"]
    assert left(tmp_path) == ["kiln.json", "kiln.json.source.json"]


def test_a_part_of_another_content_is_begun_anew(server: DataServer, tmp_path: Path) -> None:
    server.paths["/data/kiln.json"] = cut_at(DATA.replace(b"kiln", b"oven"), 100)
    target = tmp_path / "kiln.json"
    with pytest.raises(ReadmarkError, match="cut"):
        get("kiln-hashed", target, mirror=server.url, limits=Limits(attempts=1))
    server.paths["/data/kiln.json"] = DATA
    get("kiln-hashed", target, mirror=server.url, limits=QUICK)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize("larger", [0, 1])
def test_a_part_of_another_content_is_not_gone_on_with(
    server: DataServer, tmp_path: Path, larger: int
) -> None:
    """A server that heeds no If-Range sends the rest of whatever it has now."""
    other = DATA.replace(b"kiln", b"oven") + b" " * larger

    def act(handler: Any) -> None:
        asked = handler.headers.get("Range")
        if asked is None and len(server.asked) == 1:
            serve(handler, other, cut=100)
        elif asked is None:
            serve(handler, DATA)
        else:
            body = DATA[100:]
            placed = f"bytes 100-{len(DATA) - 1}/{len(DATA)}"
            tags = {} if larger else {"ETag": tag(DATA)}
            send(handler, body, status=206, Content_Range=placed, **tags)

    server.paths["/data/kiln.json"] = act
    target = tmp_path / "kiln.json"
    get("kiln", target, mirror=server.url, limits=QUICK)
    assert target.read_bytes() == DATA
    assert server.ranges() == [None, "bytes=100-", None]


def test_two_at_once_do_not_share_what_is_begun(server: DataServer, tmp_path: Path) -> None:
    begun, done = threading.Event(), threading.Event()

    def act(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(DATA)))
        handler.end_headers()
        handler.wfile.write(DATA[:100])
        handler.wfile.flush()
        begun.set()
        done.wait(20)
        handler.wfile.write(DATA[100:])

    server.paths["/data/kiln.json"] = act
    target = tmp_path / "kiln.json"
    first = threading.Thread(target=get, args=("kiln", target), kwargs={"mirror": server.url})
    first.start()
    try:
        assert begun.wait(20)
        with pytest.raises(DataError, match=r"/kiln\.json: is being fetched by another process"):
            get("kiln", target, mirror=server.url, limits=QUICK)
    finally:
        done.set()
        first.join()
    assert target.read_bytes() == DATA
    assert source(target).sha256 == HASH
    assert left(tmp_path) == ["kiln.json", "kiln.json.source.json"]


def test_a_file_that_was_whole_but_not_placed(server: DataServer, tmp_path: Path) -> None:
    server.paths["/data/kiln.json"] = cut_at(DATA, len(DATA) - 1)
    target = tmp_path / "kiln.json"
    with pytest.raises(ReadmarkError, match="cut"):
        get("kiln", target, mirror=server.url, limits=Limits(attempts=1))
    part = tmp_path / ".kiln.json.part"
    part.write_bytes(DATA)
    get("kiln", target, mirror=server.url, limits=QUICK)
    assert server.ranges()[-1] == f"bytes={len(DATA)}-"
    assert target.read_bytes() == DATA


def test_a_server_that_hangs(server: DataServer, tmp_path: Path) -> None:
    done = threading.Event()
    server.paths["/data/kiln.json"] = lambda handler: (done.wait(20), None)[1]
    limits = Limits(silence=0.2, attempts=2, first_wait=0.01)
    try:
        with pytest.raises(ReadmarkError, match=r"silence \(tried 2 times\)"):
            get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=limits)
    finally:
        done.set()
    assert left(tmp_path) == []


def test_a_server_that_is_busy_is_asked_again(server: DataServer, tmp_path: Path) -> None:
    replies = iter([503, 429])

    def act(handler: Any) -> None:
        status = next(replies, None)
        if status is None:
            send(handler, DATA)
        else:
            send(handler, b"", status=status, Retry_After="0")

    server.paths["/data/kiln.json"] = act
    get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
    assert len(server.asked) == 3


def test_redirects_are_few_and_stay_encrypted(server: DataServer, tmp_path: Path) -> None:
    server.paths |= {
        "/data/kiln.json": moved("/there"),
        "/there": DATA,
        "/circle": moved("/circle"),
        "/long0": moved("/long1"),
        **{f"/long{at}": moved(f"/long{at + 1}") for at in range(1, 9)},
        "/file": moved("file:///etc/hostname"),
        "/ftp": moved("ftp://127.0.0.1/kiln.json"),
    }
    target = tmp_path / "kiln.json"
    get("kiln", target, mirror=server.url, limits=QUICK)
    assert target.read_bytes() == DATA
    for path, words in (
        ("/circle", "in a circle"),
        ("/long0", "more than 5 times"),
        ("/file", "to nowhere"),
        ("/ftp", "redirected to ftp:"),
    ):
        server.paths["/data/kiln.json"] = moved(path)
        with pytest.raises(DataError, match=words):
            get("kiln", tmp_path / "other.json", mirror=server.url, limits=QUICK)
    assert left(tmp_path) == ["kiln.json", "kiln.json.source.json"]


def test_encryption_is_not_left() -> None:
    asked = urllib.request.Request("https://example.org/a")
    with pytest.raises(DataError, match="out of encryption"):
        Guard(asked.full_url).redirect_request(asked, None, 302, "", {}, "http://example.org/a")


@pytest.mark.parametrize("says_its_size", [True, False])
def test_a_file_that_is_too_large(server: DataServer, tmp_path: Path, says_its_size: bool) -> None:
    def act(handler: Any) -> None:
        handler.send_response(200)
        if says_its_size:
            handler.send_header("Content-Length", "1000000")
        handler.send_header("Connection", "close")
        handler.close_connection = True
        handler.end_headers()
        for _ in range(100):
            handler.wfile.write(b"x" * 10_000)

    server.paths["/data/kiln.json"] = act
    limits = Limits(largest=50_000, silence=5, attempts=1)
    with pytest.raises(DataError, match="--max-size"):
        get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=limits)
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (None, "no such file"),
        (lambda handler: send(handler, b"", status=403), "not allowed"),
        (lambda handler: send(handler, b"<!DOCTYPE html><p>Log in"), "a web page came"),
        (lambda handler: send(handler, b"\xef\xbb\xbf<!doctype HTML>"), "a web page came"),
        (lambda handler: send(handler, b"<!-- log in -->\n<html>"), "a web page came"),
        (lambda handler: send(handler, b"<?xml version='1.0'?><Error/>"), "a web page came"),
        (lambda handler: send(handler, b"{}", Content_Type="text/html; x"), "a web page came"),
        (lambda handler: send(handler, b""), "nothing came"),
        (lambda handler: send(handler, b"version https://git-lfs.github.com/spec/v1\n"), "pointer"),
        (lambda handler: send(handler, DATA, Content_Encoding="gzip"), "sent compressed"),
        (lambda handler: send(handler, b"", status=500), "status 500"),
    ],
)
def test_what_is_no_file(server: DataServer, tmp_path: Path, act: Any, words: str) -> None:
    if act is None:
        del server.paths["/data/kiln.json"]
    else:
        server.paths["/data/kiln.json"] = act
    with pytest.raises(ReadmarkError, match=words) as caught:
        get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
    assert caught.value.exit_status == 1
    assert left(tmp_path) == []


def test_chunks_that_end_too_early(server: DataServer, tmp_path: Path) -> None:
    def act(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        handler.wfile.write(b"ff\r\n" + DATA[:20])
        handler.close_connection = True

    server.paths["/data/kiln.json"] = act
    with pytest.raises(ReadmarkError, match="cut in the middle"):
        get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
    assert not (tmp_path / "kiln.json").exists()


def test_a_licence_that_must_be_accepted(server: DataServer, tmp_path: Path) -> None:
    target = tmp_path / "kiln.json"
    with pytest.raises(UsageError, match="--accept-licence"):
        get("kiln-closed", target, mirror=server.url, limits=QUICK)
    assert server.asked == []
    assert get("kiln-closed", target, mirror=server.url, limits=QUICK, accept_licence=True)


@pytest.mark.parametrize(
    ("licence", "restricted"),
    [
        ("CC BY-SA 4.0", False),
        ("cc-by-nc-4.0", True),
        ("CC BY-NC-SA 4.0", True),
        ("non-commercial research use only", True),
        ("mit", False),
        ("apache-2.0", False),
        (None, False),
    ],
)
def test_licences_that_forbid_some_uses(licence: str | None, restricted: bool) -> None:
    assert public.is_restricted(licence) is restricted


@pytest.mark.parametrize(
    ("target", "words"),
    [("kiln.json.gz", "end the name in .json"), ("absent/kiln.json", "no such folder")],
)
def test_a_name_that_would_be_misread(
    server: DataServer, tmp_path: Path, target: str, words: str
) -> None:
    with pytest.raises(ReadmarkError, match=words):
        get("kiln", tmp_path / target, mirror=server.url, limits=QUICK)
    assert server.asked == []


class TestHub:
    """A hub that keeps the part of its protocol that is used."""

    def about(self, **more: Any) -> bytes:
        files = [
            {"rfilename": "README.md", "size": 12},
            {
                "rfilename": "plain/dev 1.json",
                "size": len(DATA),
                "lfs": {"sha256": HASH, "size": len(DATA)},
            },
        ]
        card = {"license": "cc-by-sa-4.0"}
        return json.dumps({"sha": COMMIT, "siblings": files, "cardData": card} | more).encode()

    def paths(self, **more: Any) -> dict[str, Any]:
        return {
            "/api/datasets/kilns/dev/revision/main": self.about(**more),
            "/api/datasets/kilns/dev/revision/v1%2F2": self.about(**more),
            f"/datasets/kilns/dev/resolve/{COMMIT}/plain/dev%201.json": moved("/store/blob"),
            "/store/blob": DATA,
        }

    @pytest.mark.parametrize(
        "name", ["hf:kilns/dev", "hf:kilns/dev/plain/dev 1.json", "hf:kilns/dev@main"]
    )
    def test_the_revision_is_pinned(self, tmp_path: Path, name: str) -> None:
        target = tmp_path / "kiln.json"
        with DataServer(self.paths()) as server:
            told = get(name, target, mirror=server.url, limits=QUICK).provenance
        assert target.read_bytes() == DATA
        assert told.revision == COMMIT
        assert COMMIT in told.url
        assert (told.licence, told.checked) == ("cc-by-sa-4.0", "the hub")

    @pytest.mark.parametrize(
        ("name", "more", "words"),
        [
            ("hf:kilns", {}, "is not hf:OWNER/SET"),
            ("hf:kilns/dev/../../x", {}, "is not hf:OWNER/SET"),
            ("hf:kilns/dev@absent", {}, "no such file"),
            ("hf:kilns/dev/dev.json", {}, "it has: README.md, plain/dev 1.json"),
            ("hf:kilns/dev", {"siblings": []}, "there are: none"),
            ("hf:kilns/dev", {"sha": "main"}, "names no commit"),
            ("hf:kilns/dev", {"cardData": {"license": "cc-by-nc-4.0"}}, "--accept-licence"),
            ("hf:kilns/dev", {"cardData": None, "tags": ["license:cc-by-nc-4.0"]}, "--accept-l"),
        ],
    )
    def test_what_the_hub_does_not_have(
        self, tmp_path: Path, name: str, more: dict[str, Any], words: str
    ) -> None:
        with DataServer(self.paths(**more)) as server, pytest.raises(ReadmarkError, match=words):
            get(name, tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
        assert left(tmp_path) == []

    def unhashed(self, **more: Any) -> dict[str, Any]:
        """The set with its file in Git itself: the hub says its size and Git's own hash."""
        file = {"rfilename": "dev.json", "size": len(DATA), **more}
        return {
            "/api/datasets/kilns/dev/revision/main": self.about(siblings=[file]),
            f"/datasets/kilns/dev/resolve/{COMMIT}/dev.json": DATA,
        }

    @pytest.mark.parametrize(
        ("says_its_size", "words"),
        [
            (True, f"100 bytes, expected {len(DATA)}"),
            (False, rf"cut after 100 of {len(DATA)} bytes \(tried 3 times\)"),
        ],
    )
    def test_the_size_must_be_what_the_hub_says(
        self, tmp_path: Path, says_its_size: bool, words: str
    ) -> None:
        def cut(handler: Any) -> None:
            handler.send_response(200)
            if says_its_size:
                handler.send_header("Content-Length", "100")
            handler.send_header("Connection", "close")
            handler.end_headers()
            handler.wfile.write(DATA[:100])
            handler.close_connection = True

        paths = self.unhashed()
        paths[f"/datasets/kilns/dev/resolve/{COMMIT}/dev.json"] = cut
        with DataServer(paths) as server, pytest.raises(ReadmarkError, match=words) as caught:
            get("hf:kilns/dev", tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
        assert caught.value.exit_status == 1
        assert not (tmp_path / "kiln.json").exists()

    def test_a_file_in_git_is_checked_by_gits_hash(self, tmp_path: Path) -> None:
        blob = hashlib.sha1(f"blob {len(DATA)}\0".encode() + DATA).hexdigest()
        target = tmp_path / "kiln.json"
        with DataServer(self.unhashed(blobId=blob)) as server:
            told = get("hf:kilns/dev", target, mirror=server.url, limits=QUICK).provenance
        assert told.checked == "the hub"
        target.unlink()
        Path(f"{target}.source.json").unlink()
        words = f"Git's SHA-1 {blob}, expected {'0' * 40} by the hub"
        wrong = self.unhashed(blobId="0" * 40)
        with DataServer(wrong) as server, pytest.raises(DataError, match=words):
            get("hf:kilns/dev", target, mirror=server.url, limits=QUICK)
        assert left(tmp_path) == ["kiln.json.refused"]

    @pytest.mark.parametrize("token", ["hf_SECRET\nabc", "hf_SECRET\u201c", "hf_SECRET abc"])
    def test_what_is_no_token_is_not_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", token)
        with DataServer(self.paths()) as server:
            monkeypatch.setattr(hub, "HUB", server.url)
            with pytest.raises(UsageError, match="HF_TOKEN is no token") as caught:
                get("hf:kilns/dev", tmp_path / "kiln.json", limits=QUICK)
            assert server.asked == []
        assert "SECRET" not in str(caught.value)

    def test_a_token_goes_to_the_hub_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HF_TOKEN", "hf_secret")
        with DataServer({"/store/blob": DATA}) as store:
            away = store.url.replace("127.0.0.1", "localhost")
            paths = self.paths()
            paths[f"/datasets/kilns/dev/resolve/{COMMIT}/plain/dev%201.json"] = moved(
                f"{away}/store/blob"
            )
            with DataServer(paths) as server:
                monkeypatch.setattr(hub, "HUB", server.url)
                get("hf:kilns/dev", tmp_path / "kiln.json", limits=QUICK)
                sent = [headers.get("Authorization") for _, headers in server.asked]
                get("hf:kilns/dev", tmp_path / "k.json", mirror=server.url, limits=QUICK)
                later = [headers.get("Authorization") for _, headers in server.asked[2:]]
            assert sent == ["Bearer hf_secret"] * 2
            assert later == [None] * 2
            assert all("Authorization" not in headers for _, headers in store.asked)
        for file in tmp_path.iterdir():
            assert b"hf_secret" not in file.read_bytes()


@pytest.mark.parametrize(
    ("mirror", "address"),
    [
        ("http://h.example/a/", "http://h.example/a/data/kiln.json"),
        ("http://H.example:81", "http://h.example:81/data/kiln.json"),
        ("http://[::1]:81", "http://[::1]:81/data/kiln.json"),
        (
            "http://镜像.example/数据",
            "http://xn--o1q148n.example/%E6%95%B0%E6%8D%AE/data/kiln.json",
        ),
        ("http://h/a%20b", "http://h/a%20b/data/kiln.json"),
    ],
)
def test_addresses_at_a_mirror(mirror: str, address: str) -> None:
    assert public.mirrored(known().url, mirror) == address


@pytest.mark.parametrize(
    ("mirror", "words"),
    [
        ("http://bob:hunter2@h.example", "holds a user or password"),
        ("http://bob@h.example", "holds a user or password"),
        ("ftp://bob:hunter2@h.example", "holds a user or password"),
        ("bob:hunter2@h.example", "no http or https address"),
        ("http://h.example/?key=hunter2", "no http or https address"),
        ("http://[::1", "no http or https address"),
        ("http://h:port", "no http or https address"),
        (f"http://{'x' * 70}.example", "no http or https address"),
        ("h.example", "'h.example' is no http or https address"),
    ],
)
def test_a_mirror_that_is_none_tells_no_password(mirror: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        public.mirrored(known().url, mirror)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "secret"), [("\u6570", "hf_SECRET"), ("a", "hf_SECRET\nx"), ("a", "hf_SECRET\u201c")]
)
def test_what_cannot_be_sent_is_one_line_without_the_secret(
    server: DataServer, path: str, secret: str
) -> None:
    with pytest.raises(DataError, match="cannot be asked for") as caught:
        look(f"{server.url}/{path}", QUICK, secret=secret)
    assert "SECRET" not in str(caught.value)
    assert server.asked == []


def test_the_signed_address_of_a_store_is_not_told(server: DataServer, tmp_path: Path) -> None:
    server.paths |= {
        "/data/kiln.json": moved("/store?signature=SECRET"),
        "/store": lambda handler: send(handler, DATA, Content_Encoding="gzip"),
    }
    with pytest.raises(DataError, match="sent compressed") as caught:
        get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
    assert "SECRET" not in str(caught.value)


def test_the_table_that_ships() -> None:
    file = resources.files("readmark.setting.fetching").joinpath("data/public_tests.toml")
    tests = msgspec.convert(loads(file.read_text("utf-8")), dict[str, public.Fetchable])
    assert len(tests) >= 12
    for name, one in tests.items():
        assert one.url.startswith("https://"), name
        assert one.licence, name
        assert one.citation, name
        assert one.format is not None, name
        assert one.format in FORMATS, name
        assert one.language in ("en", "zh"), name
        assert one.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", one.sha256), name
        assert one.revision is None or one.revision in one.url, name
        assert one.restricted is public.is_restricted(one.licence), name


@pytest.mark.golden
@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("c3-d-dev", "c3/c3-d-dev.json"),
        ("c3-m-dev", "c3/c3-m-dev.json.gz"),
        ("cmrc2018-trial", "cmrc2018/trial.original.json.gz"),
    ],
)
def test_hashes_are_those_of_the_files(shared: Path, name: str, file: str) -> None:
    text = resources.files("readmark.setting.fetching").joinpath("data/public_tests.toml")
    data = (shared / "data" / file).read_bytes()
    data = gzip.decompress(data) if file.endswith(".gz") else data
    assert loads(text.read_text("utf-8"))[name]["sha256"] == hashlib.sha256(data).hexdigest()


def test_the_command(readmark_cli: Run, tmp_path: Path) -> None:
    with DataServer(TestHub().paths()) as server:
        env = {"READMARK_MIRROR": server.url}
        done = readmark_cli("get", "hf:kilns/dev", "-o", "k.json", cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
        assert "licence: cc-by-sa-4.0" in done.stderr
        assert HASH in done.stderr
        again = readmark_cli("get", "hf:kilns/dev", "-o", "k.json", "--json", cwd=tmp_path, env=env)
        told = json.loads(again.stdout)
        assert (told["new"], told["sha256"], told["revision"]) == (False, HASH, COMMIT)
        absent = readmark_cli("get", "squad1-dev", "--attempts", "1", cwd=tmp_path, env=env)
        assert absent.returncode == 1
        assert "no such file" in absent.stderr.splitlines()[-1]
    assert left(tmp_path) == ["k.json", "k.json.source.json"]


@pytest.mark.parametrize(
    ("how", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_what_was_interrupted_is_gone_on_with(
    readmark_cli: Run, tmp_path: Path, how: signal.Signals, status: int
) -> None:
    waiting, done = threading.Event(), threading.Event()

    def act(handler: Any) -> None:
        if handler.headers.get("Range"):
            serve(handler, DATA)
            return
        handler.send_response(200)
        handler.send_header("ETag", tag(DATA))
        handler.send_header("Content-Length", str(len(DATA)))
        handler.end_headers()
        handler.wfile.write(DATA[:100])
        handler.wfile.flush()
        waiting.set()
        done.wait(60)

    paths = TestHub().paths() | {"/store/blob": act}
    with DataServer(paths) as server:
        env = {**os.environ, "READMARK_MIRROR": server.url}
        args = [sys.executable, "-m", "readmark", "get", "hf:kilns/dev", "-o", "k.json"]
        begun = subprocess.Popen(
            args, cwd=tmp_path, env=env, stderr=subprocess.PIPE, encoding="utf-8"
        )
        assert waiting.wait(60)
        part = tmp_path / ".k.json.part"
        while not part.exists() or part.stat().st_size < 100:
            time.sleep(0.01)
        begun.send_signal(how)
        _, said = begun.communicate(timeout=60)
        done.set()
        assert begun.returncode == status
        assert ("readmark: interrupted" in said) is (how == signal.SIGINT)
        assert not (tmp_path / "k.json").exists()
        again = readmark_cli(
            *("get", "hf:kilns/dev", "-o", "k.json"),
            cwd=tmp_path,
            env={"READMARK_MIRROR": server.url},
        )
    assert again.returncode == 0, again.stderr
    assert server.ranges()[-1] == "bytes=100-"
    assert (tmp_path / "k.json").read_bytes() == DATA
    assert left(tmp_path) == ["k.json", "k.json.source.json"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "which test?"),
        (["squad1-deev"], "did you mean squad1-dev?"),
        (["squad1-dev", "--base-url", "ftp://x"], "no http or https address"),
        (["squad1-dev", "--sha256", "abc"], "64 hexadecimal digits"),
        (["squad1-dev", "--max-size", "0"], "above 0"),
        (["c3-d-dev"], "--accept-licence"),
    ],
)
def test_bad_usage(readmark_cli: Run, tmp_path: Path, args: list[str], words: str) -> None:
    done = readmark_cli("get", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]
    assert left(tmp_path) == []


def test_the_list(readmark_cli: Run) -> None:
    done = readmark_cli("get", "--list")
    assert "squad2-dev" in done.stdout
    assert json.loads(readmark_cli("get", "--list", "--json").stdout)["tests"][0]["licence"]
