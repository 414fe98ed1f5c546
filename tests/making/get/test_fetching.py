"""``readmark get``: what comes from a real server, whole or not at all, and is gone on with."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from data_server import DataServer, cut_at, send, serve, tag
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.version import __version__
from readmark.formats.registry import open_test
from readmark.making.get.get import get
from readmark.making.get.http_requests import FetchLimits
from small_store import DATA, HASH, QUICK, left, source


def test_a_file_comes_with_its_source(server: DataServer, tmp_path: Path) -> None:
    target = tmp_path / "kiln.json"
    download = get("kiln", target, mirror=server.url, limits=QUICK)
    assert download.fetched
    assert target.read_bytes() == DATA
    assert left(tmp_path) == ["kiln.json", "kiln.json.source.json"]
    provenance = source(target)
    assert (provenance.sha256, provenance.size, provenance.licence) == (
        HASH,
        len(DATA),
        "CC BY 4.0",
    )
    assert provenance.url == "https://example.org/data/kiln.json"
    assert provenance.asked == f"{server.url}/data/kiln.json"
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
    download = get("kiln", target, mirror=server.url, limits=QUICK, sha256=HASH)
    assert (download.fetched, server.asked) == (False, [])
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
    once = FetchLimits(silence=5, attempts=1)
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
        get("kiln-hashed", target, mirror=server.url, limits=FetchLimits(attempts=1))
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
        with pytest.raises(DataError, match=r"/kiln\.json: is being downloaded by another process"):
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
        get("kiln", target, mirror=server.url, limits=FetchLimits(attempts=1))
    part = tmp_path / ".kiln.json.part"
    part.write_bytes(DATA)
    get("kiln", target, mirror=server.url, limits=QUICK)
    assert server.ranges()[-1] == f"bytes={len(DATA)}-"
    assert target.read_bytes() == DATA


def test_a_server_that_hangs(server: DataServer, tmp_path: Path) -> None:
    done = threading.Event()
    server.paths["/data/kiln.json"] = lambda handler: (done.wait(20), None)[1]
    limits = FetchLimits(silence=0.2, attempts=2, first_wait=0.01)
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
