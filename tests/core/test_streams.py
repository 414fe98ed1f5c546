"""Standard input and output as ``-``, and pipes: copied once, read as often as a file is."""

import bz2
import gzip
import io
import lzma
import os
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from readmark.core.compression import zstd
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes, read_json, read_lines
from readmark.core.folders import Folder
from readmark.core.new_folders import making_folder
from readmark.core.outputs import writing_together
from readmark.core.source import Source
from readmark.core.streams import (
    command_streams,
    is_standard,
    readable_file,
    reserve_output,
    standard_output,
)
from readmark.core.writing import writing

TEXT = b'{"a": 1}\n{"b": 2}\n'


@pytest.fixture(autouse=True)
def own_streams() -> Iterator[None]:
    with command_streams():
        yield


def give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def zipped(name: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(name, "x")
    return made.getvalue()


@pytest.mark.parametrize("path", ["-", Path("-")])
def test_standard_input_is_read_as_often_as_a_file(
    monkeypatch: pytest.MonkeyPatch, path: str | Path
) -> None:
    give(monkeypatch, TEXT)
    assert is_standard(path)
    assert read_bytes(path) == TEXT
    assert [line for _, line in read_lines(path)] == TEXT.splitlines()
    source = Source(path)
    assert source.file == "-"
    assert source.first_line == {"a": 1}
    assert source.path.parents[1].stat().st_mode & 0o077 == 0
    with command_streams():
        give(monkeypatch, b"another command")
        assert read_bytes(path) == b"another command"
        inner = readable_file(path)
    assert not inner.exists()
    assert read_bytes(path) == TEXT


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (gzip.compress(TEXT, mtime=0), ".gz"),
        (bz2.compress(TEXT), ".bz2"),
        (lzma.compress(TEXT), ".xz"),
        (zstd().compress(TEXT), ".zst"),
    ],
)
def test_what_is_packed_is_unpacked(
    monkeypatch: pytest.MonkeyPatch, data: bytes, suffix: str
) -> None:
    give(monkeypatch, data)
    assert readable_file("-").suffix == suffix
    assert read_bytes("-") == TEXT


@pytest.mark.parametrize(
    ("data", "suffix"),
    [
        (zipped("a.txt"), ".zip"),
        (zipped("xl/workbook.xml"), ".xlsx"),
        (b"PK\3\4cut", ""),
        (b"", ""),
    ],
)
def test_zips_and_workbooks_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, data: bytes, suffix: str
) -> None:
    give(monkeypatch, data)
    assert readable_file("-").suffix == suffix


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{"a": ', "-:1:7: not valid JSON: it ends too early, or holds half a surrogate pair"),
        (gzip.compress(TEXT, mtime=0)[:-9], "-: the compressed file is cut off before its end"),
    ],
)
def test_errors_name_what_the_user_named(
    monkeypatch: pytest.MonkeyPatch, data: bytes, line: str
) -> None:
    give(monkeypatch, data)
    with pytest.raises(DataError) as caught:
        read_json(Source("-").path)
    assert str(caught.value) == line


def test_standard_input_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DataError, match=r"^-: standard input is closed$"):
        read_bytes("-")


def test_a_named_pipe_keeps_its_suffix(tmp_path: Path) -> None:
    pipe = tmp_path / "test.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(TEXT), daemon=True)
    writer.start()
    source = Source(pipe)
    assert source.first_line == {"a": 1}
    assert source.suffixes == (".jsonl",)
    assert read_bytes(pipe) == TEXT
    writer.join(10)
    assert pipe.is_fifo()


def test_a_pipe_in_a_folder_is_no_file_of_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(DataError, match=r"pipe\.txt: is a pipe, expected a file"):
        Folder(tmp_path).text("pipe.txt")


def test_output_goes_to_standard_output_alone(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with command_streams():
        with writing("-") as stream:
            stream.write(b"plain\n")
        reserve_output()
        reserve_output()
        print("a message")
        with writing("-") as stream:
            stream.write(TEXT)
        with writing_together(["-"]) as [place], writing(place) as stream:
            stream.write(b"together\n")
        with standard_output() as stream:
            stream.write(b"end\n")
    print("afterwards")
    out, err = capfdbinary.readouterr()
    assert out == b"plain\n" + TEXT + b"together\nend\nafterwards\n"
    assert err == b"a message\n"


def test_a_folder_is_not_standard_output() -> None:
    with pytest.raises(UsageError, match=r"- is standard output, expected a folder"):
        making_folder("-").__enter__()
