"""Folders and zips: what is seen in them, what is told of them, and writing one whole."""

import os
import pickle
import stat
import zipfile
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.new_folders import claiming_folder, locked, writing_folder
from readmark.core.source import Source
from readmark.formats.registry import open_test


def filled(folder: Path) -> Path:
    for name in ("b.txt", "sub/a.TXT", ".hidden", "sub/.git/x.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"\xef\xbb\xbf" + name.encode())
    return folder


def zipped(folder: Path, path: Path, top: str = "") -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for one in sorted(folder.rglob("*")):
            packed.write(one, top + one.relative_to(folder).as_posix())
        packed.writestr(f"{top}__MACOSX/b.txt", "")
    return path


@pytest.mark.parametrize("shape", ["folder", "zip", "zip of a folder"])
def test_files_are_seen_by_name_and_hidden_ones_are_not(tmp_path: Path, shape: str) -> None:
    path = filled(tmp_path / "f")
    if shape != "folder":
        path = zipped(path, tmp_path / "f.ZIP", "top/" if shape == "zip of a folder" else "")
    folder = Source(path).folder
    assert folder is not None
    assert folder.names == ("b.txt", "sub/a.TXT")
    assert folder.named(".txt") == ["b.txt", "sub/a.TXT"]
    assert folder.read("b.txt") == b"b.txt"
    assert folder.read("sub/a.TXT", whole=True) == b"\xef\xbb\xbfsub/a.TXT"
    assert folder.place("b.txt") == f"{path}/b.txt"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}")
    assert Source(tmp_path / "a.jsonl").folder is None
    assert Source(tmp_path / "none.zip").folder is None


def test_damaged_zips_get_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no zip at all")
    with pytest.raises(DataError, match=r"a\.zip: not a valid zip file"):
        Folder(tmp_path / "a.zip")
    path = zipped(filled(tmp_path / "f"), tmp_path / "b.zip")
    path.write_bytes(path.read_bytes().replace(b"\xef\xbb\xbfb.txt", b"\xef\xbb\xbfX.txt"))
    with pytest.raises(DataError, match=r"b\.zip/b\.txt: cannot be unpacked \(Bad CRC-32"):
        Folder(path).read("b.txt")


@pytest.mark.parametrize("name", ["/etc/x.txt", "../x.txt", "a/../../x.txt"])
def test_a_zip_with_files_outside_it_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "out.zip"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("inside.txt", "x")
        packed.writestr(name, "x")
    with pytest.raises(DataError, match=r"out\.zip: names a file outside it: "):
        Folder(path)


def test_a_link_in_a_zip_is_not_followed(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr(link, "/etc/hostname")
    assert Folder(tmp_path / "a.zip").read("link.txt") == b"/etc/hostname"


def test_folders_that_no_format_knows_say_what_they_hold(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        open_test(tmp_path)
    known = "flat, parquet, cbc4kids, remedia, brat, task"
    what = f"is a directory, expected a file or a folder of a known format ({known})"
    assert str(caught.value) == f"{tmp_path}: {what}; it holds nothing"
    for name in "abcde":
        (tmp_path / f"{name}.py").write_text("")
    with pytest.raises(DataError, match=r"it holds a\.py, b\.py, c\.py, d\.py, …$"):
        open_test(tmp_path)


def test_zips_that_no_format_knows_say_what_they_hold(tmp_path: Path) -> None:
    path = zipped(filled(tmp_path / "f"), tmp_path / "f.zip")
    with pytest.raises(DataError, match=r"looks like a zip that holds b\.txt, sub/a\.TXT; known"):
        open_test(path)


def test_a_folder_named_as_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a directory, expected a file"):
        open_test(tmp_path, format="squad")


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_a_folder_is_written_whole(tmp_path: Path, name: str) -> None:
    for _ in range(2 if name.endswith("zip") else 1):
        with writing_folder(tmp_path / name) as put:
            put("a.txt", "甲\r\n")
            put("b.txt", "")
    folder = Folder(tmp_path / name)
    assert [folder.read(one) for one in folder.names] == ["甲\r\n".encode(), b""]
    assert [one.name for one in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["out", "out.zip"])
def test_nothing_half_written_is_left(tmp_path: Path, name: str) -> None:
    def interrupted() -> None:
        with writing_folder(tmp_path / name) as put:
            put("a.txt", "x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_writing_left_is_cleared(tmp_path: Path) -> None:
    left = [tmp_path / f".out.{at}.part" for at in (os.getpid(), 4194999)]
    others = [tmp_path / name for name in (".out.mine.part", ".other.1.part", ".out.5.text")]
    for one in (*left, *others):
        one.mkdir()
        (one / "a.txt").write_text("half")
    with writing_folder(tmp_path / "out") as put:
        put("a.txt", "whole")
    assert sorted(tmp_path.iterdir()) == sorted([*others, tmp_path / "out"])


def test_what_another_is_writing_is_left_alone(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    other = tmp_path / ".out.4194999.part"
    other.mkdir()
    held = os.open(other, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        with writing_folder(tmp_path / "out") as put:
            put("a.txt", "whole")
    finally:
        os.close(held)
    assert other.is_dir()


@pytest.mark.parametrize("renames_open", [True, False])
def test_a_claimed_folder_is_refused_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renames_open: bool
) -> None:
    pytest.importorskip("fcntl")
    monkeypatch.setattr("readmark.core.new_folders.RENAMES_OPEN", renames_open)
    with claiming_folder(tmp_path, "filling"):
        with (
            pytest.raises(DataError) as caught,
            claiming_folder(tmp_path, "filling"),
        ):
            pytest.fail("it was given twice")
        assert str(caught.value) == f"{tmp_path}: process {os.getpid()} is filling this folder"
        (tmp_path / ".process").write_bytes(b"\xff")
        with (
            pytest.raises(DataError, match="another process is filling"),
            claiming_folder(tmp_path, "filling"),
        ):
            pytest.fail("it was given twice")
    (tmp_path / ".process").write_text("4194999")  # of one that was killed
    with claiming_folder(tmp_path, "filling"):
        assert (tmp_path / ".process").read_text() == str(os.getpid())
    assert list(tmp_path.iterdir()) == []


def test_a_lock_is_got_by_one_or_not_to_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    with locked(tmp_path) as first, locked(tmp_path) as other:
        assert (first, other) == (True, False)

    def unsupported(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", unsupported)
    with locked(tmp_path) as none, claiming_folder(tmp_path, "filling"):
        assert none is None


def test_what_stands_there_is_not_mixed_with_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    for name, what in (("full", "is a folder that is not empty"), ("file", "is a file, expected")):
        with pytest.raises(DataError, match=what), writing_folder(tmp_path / name) as put:
            put("a.txt", "x")
    with writing_folder(tmp_path / "empty") as put:
        put("a.txt", "x")
    assert (tmp_path / "empty" / "a.txt").read_text() == "x"
    assert (tmp_path / "full" / "mine.txt").read_text() == "mine"
    with (
        pytest.raises(DataError, match=r"cannot be written \(No such file"),
        writing_folder(tmp_path / "none" / "out") as put,
    ):
        put("a.txt", "x")


def test_a_zip_is_opened_once_however_many_files_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(filled(tmp_path / "f"), tmp_path / "b.zip")
    opened = []

    class Counted(zipfile.ZipFile):
        def __init__(self, file: Path) -> None:
            opened.append(file)
            super().__init__(file)

    monkeypatch.setattr("readmark.core.zips.zipfile.ZipFile", Counted)
    folder = Folder(path)
    assert [folder.read(name) for name in folder.names] == [b"b.txt", b"sub/a.TXT"]
    assert ("b.txt" in folder, "B.txt" in folder) == (True, False)
    assert opened == [path]
    # a copy in another process has a file of its own
    assert pickle.loads(pickle.dumps(folder)).read("b.txt") == b"b.txt"
    assert opened == [path, path]
