"""Bad tests through the real command line: one line, the right status, nothing half-written."""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from small_files import (
    HEADER,
    OLD,
    PASSAGE,
    PREDICTIONS,
    SQUAD,
    TEST,
    bad_file,
    contents,
    document,
    lines,
)

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

UNKNOWN = "not a test of a format that is known: it looks like"
GZIPPED = gzip.compress(TEST * 200)
BAD_TESTS: dict[str, tuple[str, bytes | None, str, str]] = {
    # what is wrong: the file's name, what it holds, where, and what the line says
    "missing": ("none.jsonl", None, "", "no such file"),
    "missing gz": ("none.jsonl.gz", None, "", "no such file"),
    "a directory": ("sub", None, "", "is a directory, expected a file"),
    "empty": ("b.jsonl", b"", "", f"{UNKNOWN} an empty file; known: native, flat"),
    "binary": ("b.jsonl", bytes(range(256)) * 40, "", f"{UNKNOWN} a binary file"),
    "plain text": ("b.jsonl", b"Once upon a time\n", "", f"{UNKNOWN} text that begins 'Once upon"),
    "a truncated gzip": ("b.jsonl.gz", GZIPPED[:-20], "", "is cut off before its end"),
    "no gzip": ("b.jsonl.gz", TEST, "", "not a valid gzip file"),
    "a truncated zstd": ("b.jsonl.zst", b"\x28\xb5\x2f\xfd\x04", "", "is cut off before its end"),
    "invalid UTF-8": (
        "b.jsonl",
        TEST + b'{"id": "p2", "text": "caf\xe9"}\n',
        ":3",
        r"not valid UTF-8 \(byte 0xe9\) at byte 26 of the line",
    ),
    "invalid UTF-8 in JSON": (
        "b.json",
        document(SQUAD).replace(b"Kitchen", b"K\xfctchen"),
        r":1:\d+",
        r"not valid UTF-8 \(byte 0xfc\)",
    ),
    "an array for an object": (
        "b.jsonl",
        TEST + b'["p2", "text"]\n',
        ":3",
        "schema: expected object, got array",
    ),
    "an array for a document": ("b.json", b"[1, 2]", "", f"{UNKNOWN} a JSON array"),
    "an object of something else": (
        "b.json",
        document(PREDICTIONS),
        "",
        "holds answers and is no test; the test comes first",
    ),
    "a passage id twice": (
        "b.jsonl",
        TEST + lines(PASSAGE),
        ":3",
        "duplicate_id: passage id 'p1' occurs twice",
    ),
    "a question id twice": (
        "b.jsonl",
        TEST + lines({**PASSAGE, "id": "p2", "questions": PASSAGE["questions"][:1]}),
        ":3",
        "duplicate_id: id 'q1' occurs twice",
    ),
    "NaN": (
        "b.jsonl",
        TEST + b'{"id": "p2", "text": "x", "fields": {"a": NaN}}\n',
        ":3",
        r"json: not valid JSON: invalid character \(found 'N'\) at byte 43 of the line",
    ),
    "a newer schema": (
        "b.jsonl",
        lines({"readmark": 2, "kind": "poetry", "new": 1}, PASSAGE),
        ":1",
        "newer_schema: made for schema 2, this Readmark reads up to 1",
    ),
    "an unknown kind": (
        "b.jsonl",
        lines({"readmark": 1, "kind": "poetry"}, PASSAGE),
        ":1",
        "kind 'poetry' is unknown; known: comprehension, series",
    ),
    "lines without a header": (
        "b.jsonl",
        lines(PASSAGE, PASSAGE),
        ":1",
        "JSON Lines without a header: a test begins with",
    ),
    "cut off JSON": (
        "b.json",
        document(SQUAD)[:-9],
        r":1:\d+",
        "not valid JSON: it ends too early",
    ),
    "nested too deep": ("b.json", b"[" * 100_000, ":1:1", "nested too deep"),
    "a sitting": ("s.jsonl", None, "", "holds answers and is no test; the test comes first"),
    "a bad line at the end": (
        "b.jsonl",
        TEST + lines(*({"id": f"r{at}", "text": "x"} for at in range(500)), '{"id": "last"'),
        ":503",
        "json: not valid JSON: it ends too early",
    ),
    "a header alone": ("b.jsonl", lines(HEADER), "", "the test has no records"),
}


@pytest.mark.parametrize("what", BAD_TESTS)
def test_a_bad_test_is_not_marked(folder: Path, fails: Run, what: str) -> None:
    name, data, where, said = BAD_TESTS[what]
    bad_file(folder, name, data)
    args = ("mark", name, "p.json", "-o", "out.jsonl")
    fails(*args, "--json", status=1, line=f"^readmark: {name}{where}: .*{said}")


COMMANDS = [
    ("stats", "{}"),
    ("stats", "t.jsonl", "{}", "--json"),
    ("convert", "{}", "out.jsonl"),
    ("convert", "{}", "out.json", "--to", "squad2", "--json"),
    ("people", "{}", "-o", "out.jsonl"),
    ("compare", "{}", "p.json", "s.jsonl", "--json"),
]
"""The other commands that read a test; each takes its turn with what can be wrong."""

OTHERS = [
    (COMMANDS[at // 2 % len(COMMANDS)], what)
    for at, what in enumerate(BAD_TESTS)
    if at % 2 == 0 and what not in ("an object of something else", "a sitting")
]


@pytest.mark.parametrize(("command", "what"), OTHERS, ids=[f"{c[0]}-{w}" for c, w in OTHERS])
def test_nor_is_anything_else_done_with_it(
    folder: Path, fails: Run, command: tuple[str, ...], what: str
) -> None:
    name, data, where, said = BAD_TESTS[what]
    bad_file(folder, name, data)
    args = [name if one == "{}" else one for one in command]
    fails(*args, status=1, line=f"^readmark: {name}{where}: .*{said}")


@pytest.mark.parametrize("what", [what for at, what in enumerate(BAD_TESTS) if at % 2 == 1])
def test_check_tells_the_same_on_stdout(folder: Path, readmark_cli: Run, what: str) -> None:
    name, data, where, said = BAD_TESTS[what]
    bad_file(folder, name, data)
    before = contents(folder)
    done = readmark_cli("check", name, cwd=folder)
    assert done.returncode == 1
    [told] = done.stdout.splitlines()
    place = where or r":1"
    assert re.search(f"^{name}{place}: [a-z_]+: ", told), told
    assert re.search(said.removeprefix("json: ").removeprefix("schema: "), told), told
    assert done.stderr == f"readmark: {name}: 1 problem\n"
    assert contents(folder) == before


def test_offsets_astray_are_noted_and_the_text_trusted(folder: Path, readmark_cli: Run) -> None:
    astray = json.loads(json.dumps(PASSAGE).replace('"start": 17', '"start": 3'))
    bad_file(folder, "b.jsonl", lines(HEADER, astray))
    bad_file(folder, "b.json", document({"q1": "on the stove", "q2": "The kettle"}))
    done = readmark_cli("mark", "b.jsonl", "b.json", "--json", cwd=folder)
    assert done.returncode == 0
    assert done.stderr == (
        "readmark: b.jsonl: offsets of 1 (q1) do not point at their answers; "
        "the answer's text was trusted\n"
    )
    assert json.loads(done.stdout)["marks"]["em"]["score"] == 100


def test_a_name_that_is_not_utf8(folder: Path, readmark_cli: Run) -> None:
    name = os.fsdecode(b"caf\xe9.jsonl")
    try:
        (folder / name).write_bytes(TEST)
    except OSError:
        pytest.skip("the file system takes UTF-8 names only")
    for args in (("stats", name), ("convert", name, "out2.jsonl"), ("mark", name, "p.json")):
        done = readmark_cli(*args, cwd=folder)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.fullmatch(
            r"readmark: caf.+\.jsonl: the file's name is not valid UTF-8\n", done.stderr
        )
    done = readmark_cli("check", "--json", name, cwd=folder)
    assert done.returncode == 1
    assert json.loads(done.stdout)["problems"][0]["code"] == "unreadable"


def test_an_id_with_a_line_break_is_told_in_one_line(folder: Path, readmark_cli: Run) -> None:
    broken = json.loads(
        json.dumps(SQUAD).replace('"q1"', '"q\\n1"').replace('_start": 4', '_start": 5')
    )
    bad_file(folder, "b.json", document(broken))
    done = readmark_cli("check", "b.json", cwd=folder)
    assert done.stdout == "b.json:q 1: offset: answer 'kettle' is not at 5–11, found 'ettle '\n"
    bad_file(folder, "b2.json", document({"stranger\nis here": "x", "q1": "y", "q2": "z"}))
    marked = readmark_cli("mark", "t.jsonl", "b2.json", cwd=folder)
    assert len(marked.stderr.splitlines()) == 1


LIMIT = 1_200_000_000


def bounded(*args: str, cwd: Path) -> Done:
    """Runs a command within 1.2 GB of address space."""
    resource = pytest.importorskip("resource")
    return subprocess.run(
        [sys.executable, "-m", "readmark", *args],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        # One thread: what others would reserve is not what the command needs.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        check=False,
    )


def test_no_number_of_draws_uses_up_the_memory(folder: Path) -> None:
    most = bounded("mark", "t.jsonl", "p.json", "--draws", "1000000", cwd=folder)
    assert most.returncode == 0, most.stderr
    more = bounded("mark", "t.jsonl", "p.json", "--draws", "1000000000", cwd=folder)
    assert (more.returncode, more.stdout) == (2, "")
    assert more.stderr.startswith("readmark: --draws 1,000,000,000 is not from 1 to 1,000,000")


def long_test(path: Path, size: int) -> int:
    """A test of that many bytes whose last line is bad; gives back that line's number."""

    def passages() -> Iterable[bytes]:
        text = "The kettle stood on the stove until noon, and nobody came to lift it. " * 20
        key = {"answers": [{"text": "The kettle", "start": 0}]}
        asked = {"id": "long-q@", "text": "What stood?", "key": key}
        pattern = lines({"id": "long-p@", "text": text, "questions": [asked]})
        number = written = 0
        while written < size:
            number += 1
            line = pattern.replace(b"@", b"%d" % number)
            written += len(line)
            yield line

    with path.open("wb") as stream:
        stream.write(lines(HEADER))
        last = 1
        for line in passages():
            last += 1
            stream.write(line)
        stream.write(b'{"id": "last", "text": 5}\n')
    return last + 1


# From a small process: a child's peak is never reported as less than its parent's size.
MEASURED = """
import pathlib, resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
pathlib.Path(sys.argv[1]).write_text(str(peak * (1 if sys.platform == "darwin" else 1024)))
sys.exit(status)
"""


def with_peak(*args: str, cwd: Path) -> tuple[Done, int]:
    """Runs a command; also gives the most memory that it took, in bytes."""
    with tempfile.NamedTemporaryFile() as peak:
        command = [sys.executable, "-c", MEASURED, peak.name, sys.executable, "-m", "readmark"]
        done = subprocess.run(
            [*command, *args], capture_output=True, encoding="utf-8", cwd=cwd, check=False
        )
        return done, int(peak.read())


def test_one_bad_line_at_the_end_of_a_long_file(folder: Path) -> None:
    """Of 40 MB more, less than half is ever held."""
    peaks: list[list[int]] = []
    for size in (5_000_000, 45_000_000):
        last = long_test(folder / "long.jsonl", size)
        said = f"long.jsonl:{last}: schema: expected text, got int - at $.text"
        before = sorted(folder.iterdir())
        taken = []
        for args in (
            ("mark", "long.jsonl", "p.json", "-o", "out.jsonl", "--json"),
            ("convert", "long.jsonl", "out.jsonl"),
        ):
            done, peak = with_peak(*args, cwd=folder)
            assert (done.returncode, done.stdout) == (1, "")
            assert done.stderr == f"readmark: {said}\n"
            assert (folder / "out.jsonl").read_bytes() == OLD
            assert sorted(folder.iterdir()) == before
            taken.append(peak)
        checked, peak = with_peak("check", "long.jsonl", cwd=folder)
        assert checked.returncode == 1
        assert checked.stdout == f"{said}\n"
        assert checked.stderr == "readmark: long.jsonl: 1 problem\n"
        peaks.append([*taken, peak])
        (folder / "long.jsonl").unlink()
    growths = [large - small for small, large in zip(*peaks, strict=True)]
    assert max(growths) < 20_000_000, growths
