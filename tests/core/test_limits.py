"""Files made to exhaust memory: each ends in one line, and little of it is ever held."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard
from click.testing import CliRunner

from readmark.cli.main import cli
from readmark.core.configuration import SETTINGS_VARIABLE
from readmark.core.errors import DataError, ReadmarkError
from readmark.core.files import read_bytes, read_head, read_lines
from readmark.core.folders import Folder
from readmark.core.zips import Zipped

MB = 1 << 20
TEST = (
    b'{"readmark":1,"kind":"comprehension","name":"t"}\n'
    b'{"id":"p","text":"Rye is a grain.","questions":[{"id":"q","text":"What is rye?",'
    b'"key":{"answers":[{"text":"a grain"}]}}]}\n'
)
MANIFEST = json.dumps(
    {"readmark": 1, "file": "task", "kind": "task", "name": "t",
     "files": [{"path": "documents/a.txt", "role": "document", "sha256": "0" * 64, "bytes": 1,
                "id": "a"}]}
).encode()  # fmt: skip
LOG = b'{"version":2,"status":"success","eval":{"model":"m","task":"t"}}'


def gzipped(path: Path, *, head: bytes, fill: bytes, size: int, tail: bytes = b"") -> None:
    with gzip.open(path, "wb", compresslevel=6) as stream:
        stream.write(head)
        for _ in range(size):
            stream.write(fill * (MB // len(fill)))
        stream.write(tail)


def packed(path: Path, head: tuple[str, bytes], name: str, fill: bytes, size: int) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(*head)
        with made.open(name, "w") as stream:
            for _ in range(size):
                stream.write(fill * (MB // len(fill)))


def frame(path: Path, head: bytes, fill: bytes, size: int) -> None:
    with path.open("wb") as raw, zstandard.ZstdCompressor().stream_writer(raw) as stream:
        stream.write(head)
        for _ in range(size):
            stream.write(fill * (MB // len(fill)))


BOMBS: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "t.jsonl.gz": (
        lambda path: gzipped(path, head=TEST, fill=b" ", size=65),
        "--set files.ratio=none check {}",
        ":3: unreadable: is longer than 64 MB; if you trust it, raise the limit: "
        "readmark --set files.line=256MB",
    ),
    "blank.jsonl.gz": (
        lambda path: gzipped(path, head=TEST, fill=b" " * 8191 + b"\n", size=80),
        "check {}",
        "unpacks to more than 200 times its",
    ),
    "t.json.gz": (
        lambda path: gzipped(path, head=b'{"data":"', fill=b"a", size=65, tail=b'"}'),
        "check {}",
        "unpacks to more than 200 times its",
    ),
    "spaces.json.zst": (lambda path: frame(path, b"[", b" ", 100), "check {}", "unpacks to more"),
    "text.txt.zst": (
        lambda path: frame(path, b"Rye", b" ", 100),
        "rate --formulas {}",
        "unpacks to",
    ),
    "sheets.zip": (
        lambda path: packed(path, ("a.txt", b"x"), "b.txt", b"a", 65),
        "check {}",
        "unpacks to more than 200 times its",
    ),
    "task.zip": (
        lambda path: packed(path, ("task.json", MANIFEST), "documents/a.txt", b"a", 65),
        "check {} --pairs out.jsonl",
        "unpacks to more than 200 times its",
    ),
    "log.eval": (
        lambda path: packed(path, ("header.json", LOG), "samples/a_epoch_1.json", b"a", 65),
        "mark {test} {}",
        "unpacks to more than 200 times its",
    ),
}


@pytest.fixture
def memory() -> Iterator[Callable[[], int]]:
    """The most that was held at a time since the test began."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


def run(command: str, *names: Path) -> tuple[object, str]:
    """A command's exit status and all that it printed."""
    done = CliRunner().invoke(cli, command.format(*names, test=names[0].parent / "test").split())
    error = done.exception if isinstance(done.exception, ReadmarkError) else None
    assert error or isinstance(done.exception, SystemExit | None), done.exception
    return (error.exit_status if error else done.exit_code), f"{done.output}{error or ''}"


@pytest.mark.command
@pytest.mark.parametrize("name", BOMBS)
def test_small_files_that_unpack_to_much(
    tmp_path: Path, memory: Callable[[], int], name: str
) -> None:
    make, command, message = BOMBS[name]
    make(tmp_path / name)
    (tmp_path / "test").write_bytes(TEST)
    assert (tmp_path / name).stat().st_size < MB // 2
    status, output = run(command, tmp_path / name)
    assert status == 1
    assert message in output
    assert "raise the limit: readmark --set files." in output
    assert memory() < 300 * MB


def test_recognising_a_zstd_file_holds_little(tmp_path: Path, memory: Callable[[], int]) -> None:
    frame(tmp_path / "a.zst", b"[", b" ", 600)
    assert len(read_head(tmp_path / "a.zst")) == 1 << 16
    assert memory() < 64 * MB


@pytest.mark.command
def test_limits_are_raised_by_option_or_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(TEST)
    monkeypatch.chdir(tmp_path)
    assert run("--set files.line=100 check {}", path)[0] == 1
    assert SETTINGS_VARIABLE not in os.environ
    assert run("--set files.line=1KB check {}", path)[0] == 0
    (tmp_path / "readmark.toml").write_text("[files]\nline = 100\n")
    assert ":2: unreadable: is longer than 100 bytes" in run("check {}", path)[1]
    assert run("--set files.line=none check {}", path)[0] == 0
    assert SETTINGS_VARIABLE not in os.environ


def set_limits(monkeypatch: pytest.MonkeyPatch, *settings: str) -> None:
    """Limits as the processes that a command starts find them."""
    monkeypatch.setenv(SETTINGS_VARIABLE, json.dumps([f"files.{each}" for each in settings]))


def test_lines_and_documents_at_their_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_limits(monkeypatch, "line=4", "document=8")
    for name, pack in (("a", bytes), ("a.gz", gzip.compress)):
        path = tmp_path / name
        path.write_bytes(pack(b"abcd\nefg"))
        assert [line for _, line in read_lines(path)] == [b"abcd", b"efg"]
        assert read_bytes(path) == b"abcd\nefg"
        path.write_bytes(pack(b"abcd\nefghi"))
        with pytest.raises(DataError, match=r":2: is longer than 4 bytes; .*--set files.line=16$"):
            list(read_lines(path))
        with pytest.raises(DataError, match=r"larger than 8 bytes .*--set files.document=32$"):
            read_bytes(path)


def test_zips_within_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as made:
        for kind in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
            made.writestr(f"{kind}.txt", b"rye " * 100_000, kind)
    assert {Zipped(path).read(name) for name in Zipped(path).names} == {b"rye " * 100_000}
    set_limits(monkeypatch, "members=3")
    with pytest.raises(DataError, match=r"a\.zip: holds 4 files, more than 3; .*members=12$"):
        Folder(path)
    set_limits(monkeypatch, "document=1KB")
    with pytest.raises(DataError, match=r"a\.zip/8\.txt: is 400,000 bytes, more than 1,024 bytes"):
        Folder(path).read("8.txt")


def test_folders_within_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(3):
        (tmp_path / f"{at}.txt").write_bytes(b"x")
    set_limits(monkeypatch, "members=2")
    with pytest.raises(DataError, match=r"holds more than 2 files; .*--set files.members=8$"):
        Folder(tmp_path)


def test_a_zip_that_states_a_wrong_size(tmp_path: Path, memory: Callable[[], int]) -> None:
    """No more is unpacked than the zip states."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("a.txt", b"a" * (50 * MB))
    path = tmp_path / "a.zip"
    size = (50 * MB).to_bytes(4, "little")
    path.write_bytes(made.getvalue().replace(size, (9).to_bytes(4, "little")))
    del made
    tracemalloc.reset_peak()
    with pytest.raises(DataError, match=r"a\.txt: cannot be unpacked \(Bad CRC-32"):
        Zipped(path).read("a.txt")
    assert memory() < 10 * MB


@pytest.mark.command
def test_devices_and_sockets(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.eval"))
        (tmp_path / "link.jsonl").symlink_to("/dev/zero")
        (tmp_path / "test").write_bytes(TEST)
        for name, kind in (
            ("/dev/zero", "a character device"),
            ("link.jsonl", "a character device"),
            ("socket.eval", "a socket"),
        ):
            for command in ("check {}", "mark {test} {}", "mark {} {}", "convert {} {}.jsonl",
                            "stats {}", "rate {}", "report {} -o {}.html",
                            "sit -r keyed(file={}) {test} -o {}.s.jsonl",
                            "sit -r evidence(model={}) {test} -o {}.s.jsonl"):  # fmt: skip
                path = str(tmp_path / name)
                line = command.replace("{test}", str(tmp_path / "test"))
                status, output = run(line.replace("{}", path), tmp_path)
                assert (status, f"{path}: is {kind}, expected a file" in output) == (1, True) or (
                    command == "check {}" and f"is {kind}, expected a file" in output
                ), (command, output)
