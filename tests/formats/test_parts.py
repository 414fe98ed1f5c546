"""Tests and sittings in parts: read as one file, written whole or not at all, at addresses too."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

import readmark
from command_line import plain_environment
from made import asked, comprehension, passage
from readmark.core.errors import DataError, UsageError
from readmark.core.parts import part_files, part_name
from readmark.core.test import Test

Run = Callable[..., subprocess.CompletedProcess[str]]


def made(count: int = 10) -> Test:
    """Passages of one to three questions, in two splits."""
    return comprehension(
        *(
            passage(
                f"p{at}",
                *(asked(f"p{at}q{number}", "kettle") for number in range(1 + at % 3)),
                split="dev" if at % 2 else "test",
            )
            for at in range(count)
        ),
        language="en",
        licence="Apache-2.0",
    )


@pytest.fixture
def one(tmp_path: Path) -> Path:
    path = tmp_path / "one.jsonl"
    readmark.save(made(), path)
    return path


@pytest.fixture
def store() -> Iterator[str]:
    """An address in memory that no other test writes to, read by the stream of stores as S3's."""
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec")
    from fsspec.implementations.memory import MemoryFileSystem
    from fsspec.spec import AbstractBufferedFile

    class Stream(AbstractBufferedFile):  # type: ignore[misc]
        def _fetch_range(self, start: int, end: int) -> bytes:
            return bytes(self.fs.store[self.path].getvalue()[start:end])

    class Store(MemoryFileSystem):  # type: ignore[misc]
        protocol = "store"
        store: ClassVar[dict[str, Any]] = {}
        pseudo_dirs: ClassVar[list[str]] = [""]

        def isdir(self, path: str) -> bool:
            if "locked" in path:
                raise LookupError("no\ncredentials")
            return bool(super().isdir(path))

        def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
            whole = super()._open(path, mode, **options)
            return Stream(self, path, mode) if mode == "rb" else whole

    fsspec.register_implementation("store", Store, clobber=True)
    yield "store://parts"
    Store.store.clear()
    Store.pseudo_dirs[:] = [""]


@pytest.mark.parametrize("count", [1, 3, 8, 25])
@pytest.mark.parametrize("compress", [None, "gz", "zst"])
def test_a_test_in_parts_is_the_same_test(
    one: Path, tmp_path: Path, count: int, compress: str | None
) -> None:
    """Some of 25 parts have no record at all."""
    folder = tmp_path / (f"parts.{compress}" if compress else "parts")
    readmark.convert(one, folder, parts=count)
    suffix = ".jsonl" + (f".{compress}" if compress else "")
    names = sorted(file.name for file in folder.iterdir())
    assert names == [part_name(index, count, suffix) for index in range(count)]
    whole, parts = readmark.load(one), readmark.load(folder)
    assert (parts.header, list(parts.records())) == (whole.header, list(whole.records()))
    assert (parts.facts.paper, parts.facts.key) == (whole.facts.paper, whole.facts.key)
    assert parts.facts.splits == whole.facts.splits
    assert parts.split("dev").facts.paper == whole.split("dev").facts.paper
    readmark.convert(folder, tmp_path / "back.jsonl")
    assert (tmp_path / "back.jsonl").read_bytes() == one.read_bytes()


def test_parquet_parts_keep_the_paper(one: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="needs duckdb")
    readmark.convert(one, tmp_path / "parts", parts=3, to_format="parquet")
    assert len(list((tmp_path / "parts").glob("part-*-of-00003.parquet"))) == 3
    assert readmark.load(tmp_path / "parts").facts.paper == readmark.load(one).facts.paper


@pytest.mark.parametrize(("format", "count"), [("parquet", 3), ("flat", 3), ("parquet", 25)])
def test_tables_in_parts_are_sat_and_marked_part_by_part(
    one: Path, tmp_path: Path, format: str, count: int
) -> None:
    """The journal has the same parts, and the marks are those of one file; 25 are more than all."""
    pytest.importorskip("duckdb", reason="needs duckdb")
    parts, sat = tmp_path / "parts", tmp_path / "sat"
    readmark.convert(one, parts, parts=count, to_format=format)
    readmark.sit(parts, "lead", f"{sat}/")
    assert [path.name for path in sorted(sat.iterdir())] == [
        part_name(index, count, ".jsonl") for index in range(count)
    ]
    whole = readmark.mark(one, readmark.sit(one, "lead", tmp_path / "lead.jsonl"))
    for workers in (1, 2):
        marks = readmark.mark(parts, sat, workers=workers)
        for name in ("em", "f1"):
            assert marks[name].score == whole[name].score
            assert (marks[name].low, marks[name].high) == (whole[name].low, whole[name].high)


def test_only_one_part_of_a_table_is_held(one: Path, tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="needs duckdb")
    parts = tmp_path / "parts"
    readmark.convert(one, parts, parts=2, to_format="parquet")
    first, second = sorted(parts.iterdir())
    half = len(list(readmark.load(first).records()))
    second.write_bytes(b"PAR1 and no more")
    records = readmark.load(parts).records()
    assert len([next(records) for _ in range(half)]) == half
    with pytest.raises(DataError, match="not a valid Parquet file") as wrong:
        next(records)
    assert str(wrong.value.file) == str(second)
    second.write_bytes(first.read_bytes())
    with pytest.raises(DataError) as wrong:
        list(readmark.load(parts).placed())
    assert first.name in str(wrong.value)
    assert second.name in str(wrong.value)


def test_more_parts_than_records_are_read_or_refused(one: Path, tmp_path: Path) -> None:
    """Some Parquet files have no row then; what is lost is named once, not for each part."""
    pytest.importorskip("duckdb", reason="needs duckdb")
    done = readmark.convert(one, tmp_path / "parts", parts=25, to_format="parquet")
    assert done.lost == ["the header's (language, licence) cannot be stored (1: made)"]
    assert readmark.load(tmp_path / "parts").facts.paper == readmark.load(one).facts.paper
    with pytest.raises(UsageError, match="`parts` 25 is more than the test's 10 records"):
        readmark.convert(one, tmp_path / "flat", parts=25, to_format="flat")
    assert not (tmp_path / "flat").exists()


def test_parts_of_a_task_name_the_files_that_are_not_stored(tmp_path: Path) -> None:
    task = Path(readmark.__file__).parent / "bundle" / "task.en.zip"
    done = [
        readmark.convert(task, tmp_path / name, parts=n)
        for name, n in (("a.jsonl", None), ("b", 2))
    ]
    assert done[0].lost == done[1].lost
    assert "1 ontology" in done[1].lost[0]


def test_an_empty_first_part_is_named(one: Path, tmp_path: Path) -> None:
    readmark.convert(one, tmp_path / "parts", parts=2)
    first = tmp_path / "parts" / part_name(0, 2, ".jsonl")
    first.write_bytes(b"")
    with pytest.raises(DataError, match="the file is empty, expected a header") as wrong:
        readmark.load(tmp_path / "parts")
    assert wrong.value.file == str(first)


def test_every_command_takes_a_folder(one: Path, tmp_path: Path, readmark_cli: Run) -> None:
    readmark_cli("convert", one, "parts", "--parts", "4", cwd=tmp_path)
    for name, test in (("a", str(one)), ("b", "parts")):
        sat = readmark_cli("sit", test, "-r", "lead", "-o", f"{name}.jsonl", cwd=tmp_path)
        assert sat.returncode == 0, sat.stderr
    first, second = ((tmp_path / f"{name}.jsonl").read_text("utf-8") for name in "ab")
    assert first.splitlines()[0] == second.splitlines()[0]
    cut = readmark_cli("convert", "b.jsonl", "sat", "--parts", "3", cwd=tmp_path)
    assert cut.returncode == 0, cut.stderr
    results = []
    for test, sitting in ((str(one), "a.jsonl"), ("parts", "sat"), ("parts", "a.jsonl")):
        marked = readmark_cli("mark", test, sitting, "--json", cwd=tmp_path)
        compared = readmark_cli("compare", test, sitting, "a.jsonl", "--json", cwd=tmp_path)
        assert marked.returncode == compared.returncode == 0, marked.stderr + compared.stderr
        counted = json.loads(readmark_cli("stats", test, "--json", cwd=tmp_path).stdout)
        results.append((marked.stdout, compared.stdout, counted["tests"][0]["paper"]))
    assert results[0] == results[1] == results[2]
    assert readmark_cli("check", "parts", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["part-00000-of-00003.jsonl", "part-00002-of-00003.jsonl"], "part 1 of 3 is missing"),
        (["part-00000.jsonl", "part-00003.jsonl"], "part 1 of 4 and 1 more is missing"),
        (["part-00001-of-00003.jsonl.gz"], "part 0 of 3 and 1 more is missing"),
        (
            ["part-00000.jsonl", "part-00000.jsonl.gz"],
            "has part 0 twice: part-00000.jsonl and part-00000.jsonl.gz",
        ),
        (
            ["part-00000-of-00001.jsonl", "part-00001-of-00002.jsonl"],
            "has parts of several sets: part-00000-of-00001.jsonl and part-00001-of-00002.jsonl",
        ),
        (
            ["part-00000.jsonl.gz", "part-00001.parquet"],
            "has parts of two formats: part-00000.jsonl.gz and part-00001.parquet",
        ),
        (
            ["part-00000-of-00001.jsonl", "part-00001.jsonl"],
            "has part-00001.jsonl, which is not one of 1 parts",
        ),
    ],
)
def test_parts_that_are_not_all_there(tmp_path: Path, names: list[str], message: str) -> None:
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(DataError) as wrong:
        part_files(str(tmp_path))
    assert wrong.value.message == message


def test_other_files_of_a_folder_are_passed_over(one: Path, tmp_path: Path) -> None:
    readmark.convert(one, tmp_path / "parts", parts=2)
    for name in ("_SUCCESS", "README.md", ".part-00002-of-00003.jsonl.7.part", "notes.jsonl"):
        (tmp_path / "parts" / name).write_text("{", "utf-8")
    assert readmark.load(tmp_path / "parts").facts.units == made().facts.units


def test_an_id_in_two_parts_names_both(one: Path, tmp_path: Path, readmark_cli: Run) -> None:
    readmark_cli("convert", one, "parts", "--parts", "2", cwd=tmp_path)
    first, second = (tmp_path / "parts" / part_name(index, 2, ".jsonl") for index in range(2))
    repeated = first.read_text("utf-8").splitlines()[2]
    second.write_text(second.read_text("utf-8") + repeated.replace('"p1"', '"other"') + "\n")
    where = "parts/part-00001-of-00002.jsonl:7: duplicate_id: id 'p1q0' occurs twice, also in "
    expected = where + "parts/part-00000-of-00002.jsonl"
    checked = readmark_cli("check", "parts", cwd=tmp_path)
    assert (checked.returncode, checked.stdout.splitlines()[0]) == (1, expected)
    (tmp_path / "said.json").write_text('{"p1q0": "kettle"}', "utf-8")
    sat = '{"readmark":1,"file":"sitting","candidate":"c"}\n{"id":"p1q0","text":"kettle"}\n'
    (tmp_path / "said.jsonl").write_text(sat, "utf-8")
    for sitting in ("said.json", "said.jsonl"):
        marked = readmark_cli("mark", "parts", sitting, cwd=tmp_path)
        assert marked.returncode == 1
        assert expected in marked.stderr


def test_headers_that_differ_name_both_files(one: Path, tmp_path: Path) -> None:
    readmark.convert(one, tmp_path / "parts", parts=2)
    second = tmp_path / "parts" / part_name(1, 2, ".jsonl")
    second.write_text(second.read_text("utf-8").replace('"made"', '"other"', 1), "utf-8")
    with pytest.raises(DataError) as wrong:
        readmark.load(tmp_path / "parts")
    assert wrong.value.file == str(second)
    assert "its header has another name (other) than that of" in wrong.value.message
    assert wrong.value.message.endswith("(made)")


def test_rows_of_a_unit_in_two_parts_name_both(tmp_path: Path, one: Path) -> None:
    header = '{"readmark":1,"file":"sitting","candidate":"c"}\n'
    for index in range(2):
        rows = header + '{"id":"p0q0","text":"kettle"}\n'
        (tmp_path / part_name(index, 2, ".jsonl")).write_text(rows, "utf-8")
    readmark.convert(one, tmp_path / "test", parts=2)
    for test in (one, tmp_path / "test"):
        with pytest.raises(DataError) as wrong:
            readmark.mark(test, tmp_path)
        assert wrong.value.file == str(tmp_path / part_name(1, 2, ".jsonl"))
        assert wrong.value.message == (
            f"rows of 'p0q0' are in {tmp_path / part_name(0, 2, '.jsonl')} too"
        )


SLOW = """
import sys, time
from readmark.formats import native
real = native.json_line
def slow(value):
    time.sleep(0.02)
    return real(value)
native.json_line = slow
from readmark.cli.main import run
run(sys.argv[1:])
"""


@pytest.mark.process
def test_a_kill_amid_writing_leaves_no_folder_that_can_be_read(
    tmp_path: Path, readmark_cli: Run
) -> None:
    readmark.save(made(200), tmp_path / "one.jsonl")
    command = [sys.executable, "-c", SLOW, "convert", "one.jsonl", "parts", "--parts", "20"]
    writer = subprocess.Popen(
        command, cwd=tmp_path, env=plain_environment(), stderr=subprocess.DEVNULL
    )

    def begun() -> list[Path]:
        return list(tmp_path.glob(".parts.*.part/part-0000[3-9]*"))

    while not begun():
        assert writer.poll() is None
        time.sleep(0.01)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    assert not (tmp_path / "parts").exists()
    left = begun()[0].parent
    assert "is missing" in readmark_cli("check", left.name, cwd=tmp_path).stdout
    again = readmark_cli("convert", "one.jsonl", "parts", "--parts", "20", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert not left.exists()
    assert readmark.load(tmp_path / "parts").facts.paper == made(200).facts.paper


@pytest.mark.parametrize("compress", ["gz", "zst"])
def test_a_packed_part_that_is_cut_off_is_refused(
    one: Path, tmp_path: Path, readmark_cli: Run, compress: str
) -> None:
    folder = f"parts.{compress}"
    readmark_cli("convert", one, folder, "--parts", "2", cwd=tmp_path)
    part = tmp_path / folder / part_name(1, 2, f".jsonl.{compress}")
    part.write_bytes(part.read_bytes()[:-7])
    checked = readmark_cli("check", folder, cwd=tmp_path)
    assert checked.returncode == 1
    assert f"{part.relative_to(tmp_path)}:1: unreadable: the compressed file is cut off" in (
        checked.stdout
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--parts", "0"], "--parts 0 is not from 1 to 100,000"),
        (["--parts", "2", "--to", "squad"], "--parts are written as native or flat or parquet"),
    ],
)
def test_parts_that_cannot_be_written(
    one: Path, tmp_path: Path, readmark_cli: Run, options: list[str], message: str
) -> None:
    done = readmark_cli("convert", one, "parts.jsonl", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == [one]


def test_a_folder_with_files_is_not_written_to(one: Path, readmark_cli: Run) -> None:
    done = readmark_cli("convert", one, one.parent, "--parts", "2")
    assert done.returncode == 1
    assert "is a folder that is not empty" in done.stderr


# Addresses.


def test_tests_and_sittings_at_addresses(
    one: Path, tmp_path: Path, store: str, readmark_cli: Run
) -> None:
    readmark_cli("sit", one, "-r", "lead", "-o", "lead.jsonl", cwd=tmp_path)
    for source, target, more in (
        (str(one), f"{store}/test.zst", ["--parts", "3"]),
        (str(one), f"{store}/one.jsonl.gz", []),
        (str(one), f"{store}/squad.json", []),
        ("lead.jsonl", f"{store}/sitting", ["--parts", "2"]),
        (f"{store}/sitting", f"{store}/sitting.jsonl", []),
        (str(one), f"{store}/tables", ["--parts", "2", "--to", "parquet"]),
    ):
        done = readmark_cli("convert", source, target, *more, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    expected = readmark_cli("mark", one, "lead.jsonl", "--json", cwd=tmp_path)
    again = readmark_cli("convert", one, f"{store}/test.zst", "--parts", "2")
    assert (
        again.stderr
        == f"readmark: {store}/test.zst: is a folder that is not empty: write to a new one\n"
    )
    sat = readmark_cli("sit", f"{store}/test.zst", "-r", "lead", "-o", f"{store}/sat.jsonl")
    assert (sat.returncode, "a sitting is written to a file" in sat.stderr) == (2, True)
    tables = json.loads(readmark_cli("stats", f"{store}/tables", "--json").stdout)["tests"][0]
    assert (tables["name"], tables["paper"]) == ("tables", readmark.load(one).facts.paper)
    for test in ("test.zst", "one.jsonl.gz"):
        assert readmark_cli("check", f"{store}/{test}").returncode == 0
        for sitting in ("sitting", "sitting.jsonl"):
            marked = readmark_cli("mark", f"{store}/{test}", f"{store}/{sitting}", "--json")
            assert (marked.returncode, marked.stdout) == (0, expected.stdout), marked.stderr
    copied = readmark_cli("stats", f"{store}/squad.json", "--json")
    assert json.loads(copied.stdout)["tests"][0]["paper"]
    address = (tmp_path / "at").as_uri()
    assert readmark_cli("convert", one, address, "--parts", "2").returncode == 0
    assert readmark_cli("check", address).returncode == 0


def test_addresses_that_lead_nowhere(store: str, readmark_cli: Run) -> None:
    for address, status, message in (
        (f"{store}/none.jsonl", 1, f"{store}/none.jsonl: no such file"),
        ("s3://bucket/test.jsonl", 2, "s3://bucket/test.jsonl: Install s3fs to access S3"),
        (f"{store}/locked", 1, f"{store}/locked: cannot be read (LookupError: no credentials)"),
        ("stuff://test.jsonl", 2, "stuff://test.jsonl: Protocol not known: stuff"),
    ):
        done = readmark_cli("stats", address)
        assert (done.returncode, done.stdout) == (status, "")
        assert done.stderr.strip() == f"readmark: {message}"
