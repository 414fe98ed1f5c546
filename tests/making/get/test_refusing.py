"""``readmark get``: replies, redirects and names that are refused, and secrets not told."""

import urllib.request
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from data_server import DataServer, moved, send
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.making.get.get import get
from readmark.making.get.http_requests import FetchLimits, Guard, fetch_document
from small_store import DATA, QUICK, left


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
    limits = FetchLimits(largest=50_000, silence=5, attempts=1)
    with pytest.raises(DataError, match=r"--set files\.download=SIZE"):
        get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=limits)
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (None, "no such file"),
        (lambda handler: send(handler, b"", status=403), "not allowed"),
        (lambda handler: send(handler, b"<!DOCTYPE html><p>Log in"), "sent a web page"),
        (lambda handler: send(handler, b"\xef\xbb\xbf<!doctype HTML>"), "sent a web page"),
        (lambda handler: send(handler, b"<!-- log in -->\n<html>"), "sent a web page"),
        (lambda handler: send(handler, b"<?xml version='1.0'?><Error/>"), "sent a web page"),
        (lambda handler: send(handler, b"{}", Content_Type="text/html; x"), "sent a web page"),
        (lambda handler: send(handler, b""), "sent nothing"),
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
    ("target", "words"),
    [("kiln.json.gz", "end the name in .json"), ("absent/kiln.json", "no such folder")],
)
def test_a_name_that_would_be_misread(
    server: DataServer, tmp_path: Path, target: str, words: str
) -> None:
    with pytest.raises(ReadmarkError, match=words):
        get("kiln", tmp_path / target, mirror=server.url, limits=QUICK)
    assert server.asked == []


@pytest.mark.parametrize(
    ("path", "secret"), [("\u6570", "hf_SECRET"), ("a", "hf_SECRET\nx"), ("a", "hf_SECRET\u201c")]
)
def test_what_cannot_be_sent_is_one_line_without_the_secret(
    server: DataServer, path: str, secret: str
) -> None:
    with pytest.raises(DataError, match="not a valid address") as caught:
        fetch_document(f"{server.url}/{path}", QUICK, secret=secret)
    assert "SECRET" not in str(caught.value)
    assert server.asked == []


def test_a_server_that_repeats_the_token_is_not_repeated(server: DataServer) -> None:
    """A status line that is none is quoted in the message, cut at 200 characters."""
    secret = "hf_SECRET-0123456789"

    def echo(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"x" * 185 + handler.headers["Authorization"].encode() + b"\r\n\r\n")
        handler.close_connection = True

    server.paths["/a"] = echo
    with pytest.raises(ReadmarkError, match=r"xBearer \[") as caught:
        fetch_document(f"{server.url}/a", QUICK, secret=secret)
    assert "hf_SECRET" not in str(caught.value)


def test_the_signed_address_of_a_store_is_not_told(server: DataServer, tmp_path: Path) -> None:
    server.paths |= {
        "/data/kiln.json": moved("/store?signature=SECRET"),
        "/store": lambda handler: send(handler, DATA, Content_Encoding="gzip"),
    }
    with pytest.raises(DataError, match="sent compressed") as caught:
        get("kiln", tmp_path / "kiln.json", mirror=server.url, limits=QUICK)
    assert "SECRET" not in str(caught.value)
