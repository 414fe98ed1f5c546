"""Files: compression by suffix, what is cut off, byte order marks, and writes that are whole."""

import bz2
import gzip
import lzma
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import zstandard

from readmark.core.errors import DataError
from readmark.core.files import read_bytes, read_head, read_json, read_lines, reading
from readmark.core.writing import writing

LINES = b'{"a":1}\n{"b":"\xe5\x8c\x97\xe4\xba\xac"}\n'
LONG = b"".join(b'{"id":"q%d","text":"words and words"}\n' % at for at in range(20_000))


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


@pytest.mark.parametrize("data", [LINES, LONG, b""], ids=["short", "long", "empty"])
@pytest.mark.parametrize("suffix", ["", ".jsonl", ".gz", ".jsonl.gz", ".zst", ".jsonl.zst"])
def test_what_is_written_is_read(tmp_path: Path, suffix: str, data: bytes) -> None:
    path = tmp_path / f"file{suffix}"
    with writing(path) as stream:
        stream.write(data[:7])
        stream.write(data[7:])
    assert read_bytes(path) == data
    assert list(tmp_path.iterdir()) == [path]
    magic = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}.get(path.suffix, data[:2])
    assert path.read_bytes()[:2] == magic[:2]


@pytest.mark.parametrize("suffix", [".gz", ".zst", ".jsonl"])
def test_equal_content_gives_equal_bytes(tmp_path: Path, suffix: str) -> None:
    paths = [tmp_path / f"{name}{suffix}" for name in ("a", "another")]
    for path in paths:
        with writing(path) as stream:
            stream.write(LINES)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_frames_and_members_follow_each_other(tmp_path: Path) -> None:
    skippable = struct.pack("<II", 0x184D2A50, 4) + b"note"
    (tmp_path / "a.zst").write_bytes(zst(b"one\n") + zst(b"") + skippable + zst(LONG) + zst(b"end"))
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"one\n") + gzip.compress(LONG + b"end"))
    assert read_bytes(tmp_path / "a.zst") == b"one\n" + LONG + b"end"
    assert read_bytes(tmp_path / "a.gz") == b"one\n" + LONG + b"end"


@pytest.mark.parametrize(("suffix", "library"), [(".bz2", bz2), (".xz", lzma)])
def test_dumps_are_read_in_the_formats_that_they_come_in(
    tmp_path: Path, suffix: str, library: Any
) -> None:
    path = tmp_path / f"a.xml{suffix}"
    whole = library.compress(LONG) + library.compress(b"end")  # two streams, one after the other
    path.write_bytes(whole)
    assert read_bytes(path) == LONG + b"end"
    assert read_head(path, 7) == LONG[:7]
    path.write_bytes(whole[: len(library.compress(LONG)) // 2])
    with pytest.raises(DataError, match=r"cut off before its end"):
        read_bytes(path)
    path.write_bytes(b"no such thing at all")
    with pytest.raises(DataError, match=r"cannot be read"):
        read_bytes(path)


def test_a_frame_that_grows_a_thousandfold_is_read_a_piece_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(zst(b"x" * 10_000_000) + zst(b"y\n"))
    with reading(path) as stream:
        assert stream.read(5) == b"xxxxx"
        rest = stream.read()
    assert len(rest) == 10_000_000 - 5 + 2
    assert rest.endswith(b"xy\n")


@pytest.mark.parametrize("keep", [1, 3, 11, 0.5, -9, -1])
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_what_is_cut_off_is_never_taken_for_whole(tmp_path: Path, suffix: str, keep: float) -> None:
    whole = gzip.compress(LONG) if suffix == ".gz" else zst(LONG)
    path = tmp_path / f"t.jsonl{suffix}"
    path.write_bytes(whole[: int(len(whole) * keep) if isinstance(keep, float) else int(keep)])
    with pytest.raises(DataError, match=r"cut off|not a valid") as caught:
        read_bytes(path)
    assert str(caught.value).startswith(f"{path}: ")


@pytest.mark.parametrize("cut", [1, -1])
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_second_frame_that_is_cut_off(tmp_path: Path, suffix: str, cut: int) -> None:
    squeeze = gzip.compress if suffix == ".gz" else zst
    path = tmp_path / f"t{suffix}"
    path.write_bytes(squeeze(b"first\n") + squeeze(LONG)[:cut])
    with pytest.raises(DataError, match=r"cut off|not a valid"):
        read_bytes(path)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("data", [b"plain text\n", b"\0\0\0\0\0\0\0\0", LINES])
def test_what_is_not_compressed_says_so(tmp_path: Path, suffix: str, data: bytes) -> None:
    path = tmp_path / f"t{suffix}"
    path.write_bytes(data)
    with pytest.raises(
        DataError, match=f"not a valid {'gzip' if suffix == '.gz' else 'zstd'} file"
    ):
        read_bytes(path)


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_a_flipped_byte_is_found(tmp_path: Path, suffix: str) -> None:
    if suffix == ".gz":
        whole = bytearray(gzip.compress(LINES))
    else:
        whole = bytearray(zstandard.ZstdCompressor(write_checksum=True).compress(LINES))
    whole[-5 if suffix == ".gz" else -1] ^= 0xFF
    path = tmp_path / f"t{suffix}"
    path.write_bytes(bytes(whole))
    with pytest.raises(DataError, match="not a valid"):
        read_bytes(path)


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_lines_keep_their_numbers(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t{suffix}"
    with writing(path) as stream:
        stream.write(b"\xef\xbb\xbf\r\n  one \r\n\r\n\t\ntwo\x85\n\xef\xbb\xbfthree")
    assert list(read_lines(path)) == [(2, b"one"), (5, b"two\x85"), (6, b"\xef\xbb\xbfthree")]


def test_a_byte_order_mark_is_passed_over_once(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b"\xef\xbb\xbf" + '{"a":"\ufeffb"}'.encode())
    assert read_json(path) == {"a": "\ufeffb"}
    assert read_head(path)[:1] == b"{"
    assert next(read_lines(path))[1][:1] == b"{"


@pytest.mark.parametrize(
    ("data", "place", "what"),
    [
        (b"", "1:1", "ends too early"),
        (b'{"a": 1,\n "b": }', "2:7", "found '}'"),
        (b'{"a": NaN}', "1:7", "found 'N'"),
        (b'{"a": -Infinity}', "1:8", "found 'I'"),
        ('{"a": 北}'.encode(), "1:7", "found '北'"),
        (b'{"a": "\xff"}', "1:8", "not valid UTF-8 (byte 0xff)"),
        (b'{"a": 1}\n\xe5\x8c', "2:1", "not valid UTF-8 (byte 0xe5)"),
        (b'{"a": 1}\r\n{', "2:1", "found '{'"),
        (b'{"a": "b', "1:9", "ends too early"),
        (b'{"a": "\\ud800"}', "1:16", "half a surrogate pair"),
        (b"[" * 100_000, "1:1", "nested too deep"),
        (b'{"a":' * 100_000, "1:1", "nested too deep"),
    ],
)
def test_malformed_json_is_told_with_line_and_column(
    tmp_path: Path, data: bytes, place: str, what: str
) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(data)
    with pytest.raises(DataError) as caught:
        read_json(path)
    assert str(caught.value).startswith(f"{path}:{place}: not valid") or "nested" in what
    assert what in str(caught.value)
    assert caught.value.where == place


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    for path, what in (
        (tmp_path / "none", "no such file"),
        (tmp_path / "none.gz", "no such file"),
        (tmp_path, "is a directory, expected a file"),
        (file / "below", "cannot be read (Not a directory)"),
        (tmp_path / ("n" * 300), "cannot be read (File name too long)"),
        (Path("/dev/zero"), "is a character device, expected a file"),
    ):
        with pytest.raises(DataError) as caught:
            read_bytes(path)
        assert str(caught.value) == f"{path}: {what}"


@pytest.fixture
def nobody() -> Iterator[None]:
    """Without the rights of root, which no mode of a folder stops."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


class Halted(Exception):
    """Something goes wrong in the middle of writing."""


def write_and_fail(path: Path, failure: BaseException) -> None:
    with writing(path) as stream:
        stream.write(LONG)
        raise failure


@pytest.mark.parametrize(
    "failure", [Halted(), KeyboardInterrupt(), DataError("bad"), OSError(5, "Input")]
)
@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz", "t.jsonl.zst"])
def test_failing_in_the_middle_leaves_the_old_file(
    tmp_path: Path, name: str, failure: BaseException
) -> None:
    path = tmp_path / name
    path.write_bytes(b"old and whole")
    with pytest.raises(DataError if isinstance(failure, OSError) else type(failure)):
        write_and_fail(path, failure)
    assert path.read_bytes() == b"old and whole"
    assert list(tmp_path.iterdir()) == [path]


def test_failing_in_the_middle_leaves_nothing_where_nothing_was(tmp_path: Path) -> None:
    with pytest.raises(Halted):
        write_and_fail(tmp_path / "t", Halted())
    assert list(tmp_path.iterdir()) == []


def test_the_old_file_can_be_read_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"old")
    with writing(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"


def test_a_read_only_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "old").write_bytes(b"old")
    folder.chmod(0o555)
    monkeypatch.chdir(folder)  # a relative path needs no rights on the folders above
    request.getfixturevalue("nobody")
    for name in ("old", "new"):
        with (
            pytest.raises(DataError, match=rf"^{name}: cannot be written \(Permission denied\)$"),
            writing(name) as stream,
        ):
            stream.write(b"x")
    assert [one.name for one in Path().iterdir()] == ["old"]
    assert Path("old").read_bytes() == b"old"


def test_a_file_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "secret").write_bytes(b"x")
    (tmp_path / "secret").chmod(0)
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    request.getfixturevalue("nobody")
    with pytest.raises(DataError, match=r"^secret: cannot be read \(Permission denied\)$"):
        read_bytes("secret")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (".", "is a directory, expected a file to write"),
        ("none/t.jsonl", "cannot be written (No such file or directory)"),
        ("file/t.jsonl", "cannot be written (Not a directory)"),
        (f"{'n' * 300}.jsonl", "cannot be written (File name too long)"),
    ],
)
def test_what_cannot_be_written(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "file").write_bytes(b"x")
    path = tmp_path / name
    before = sorted(tmp_path.iterdir())
    with pytest.raises(DataError) as caught, writing(path) as stream:
        stream.write(b"x")
    assert str(caught.value) == f"{path}: {what}"
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["n" * 249 + ".jsonl", "名" * 83 + ".gz"])
def test_the_longest_names_that_a_folder_takes(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with writing(path) as stream:
        stream.write(LINES)
    assert read_bytes(path) == LINES


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "data"
    target.write_bytes(b"old")
    for name in ("t.jsonl", "t.jsonl.gz"):
        link = tmp_path / name
        link.symlink_to(target)
        with writing(link) as stream:
            stream.write(LINES)
        assert link.is_symlink()
        assert read_bytes(link) == LINES
        assert target.read_bytes()[:2] == (b"\x1f\x8b" if name.endswith("gz") else LINES[:2])
    dangling = tmp_path / "later.jsonl"
    dangling.symlink_to(tmp_path / "made-later")
    with writing(dangling) as stream:
        stream.write(LINES)
    assert (tmp_path / "made-later").read_bytes() == LINES
    assert sorted(one.name for one in (tmp_path / "elsewhere").iterdir()) == ["data"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device() -> None:
    with (
        pytest.raises(DataError, match=r"/dev/full: cannot be written \(No space left on device\)"),
        writing("/dev/full") as stream,
    ):
        stream.write(b"x")


def test_a_device_is_written_to_and_stays(tmp_path: Path) -> None:
    with writing("/dev/null") as stream:
        stream.write(b"x")
    assert Path("/dev/null").is_char_device()
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    with writing(fifo) as stream:
        stream.write(LINES)
    assert os.read(reader, 1000) == LINES
    os.close(reader)
    assert fifo.is_fifo()


WRITE = """
import sys
from readmark.core.writing import writing
with writing(sys.argv[1]) as stream:
    stream.write(b"new\\n")
"""


@pytest.mark.process
@pytest.mark.parametrize("mode", ["w", "a"])
@pytest.mark.parametrize("name", ["/dev/stdout", "link"])
def test_standard_output_is_written_through(tmp_path: Path, name: str, mode: str) -> None:
    """Even when it goes to a file, which must neither be replaced nor lose what it holds."""
    if name == "link":
        # As /dev/stdout is, but where a wrong replacement harms nobody.
        (tmp_path / "link").symlink_to("/proc/self/fd/1")
        name = str(tmp_path / "link")
    out = tmp_path / "out"
    out.write_bytes(b"old\n")
    before = out.stat().st_ino
    with out.open(mode) as stdout:
        subprocess.run([sys.executable, "-c", WRITE, name], stdout=stdout, check=True)
    assert out.read_bytes() == (b"new\n" if mode == "w" else b"old\nnew\n")
    assert out.stat().st_ino == before
    assert Path(name).is_symlink()
    assert sorted(one.name for one in tmp_path.iterdir() if one.suffix == ".part") == []


@pytest.mark.process
def test_standard_output_as_a_pipe() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITE, "/dev/stdout"], capture_output=True, check=True
    )
    assert done.stdout == b"new\n"
