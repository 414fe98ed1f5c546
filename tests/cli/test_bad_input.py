"""Bad input through the real command line: one line, the right status, nothing half-written."""

import gzip
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

HEADER = {"readmark": 1, "kind": "comprehension", "name": "kitchen"}
PASSAGE = {
    "id": "p1",
    "text": "The kettle stood on the stove until noon.",
    "questions": [
        {"id": "q1", "text": "Where?", "key": {"answers": [{"text": "on the stove", "start": 17}]}},
        {"id": "q2", "text": "What?", "key": {"answers": [{"text": "The kettle", "start": 0}]}},
    ],
}
SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "Kitchen",
            "paragraphs": [
                {
                    "context": "The kettle stood.",
                    "qas": [
                        {
                            "id": "q1",
                            "question": "What?",
                            "answers": [{"text": "kettle", "answer_start": 4}],
                        }
                    ],
                }
            ],
        }
    ],
}
SERIES = [
    {"readmark": 1, "kind": "series"},
    {
        "id": "s",
        "target": "the kettle",
        "questions": [
            {"id": "q1", "text": "Who made it?", "key": {"rewrites": [{"text": "Who made it?"}]}}
        ],
    },
]
SITTING = {"readmark": 1, "file": "sitting", "candidate": "reader"}
PREDICTIONS = {"q1": "the stove", "q2": "a kettle"}
OLD = b"old and whole\n"


def lines(*values: Any) -> bytes:
    said = (one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in values)
    return "".join(f"{one}\n" for one in said).encode()


def document(value: Any) -> bytes:
    return json.dumps(value).encode()


TEST = lines(HEADER, PASSAGE)
SOUND = {
    "t.jsonl": TEST,
    "series.jsonl": lines(*SERIES),
    "p.json": document(PREDICTIONS),
    "s.jsonl": lines(SITTING, *({"id": id, "text": text} for id, text in PREDICTIONS.items())),
    "out.jsonl": OLD,
    "out.json": OLD,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of sound files, and results of an earlier run."""
    for name, data in SOUND.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "sub").mkdir()
    return tmp_path


@pytest.fixture
def fails(readmark_cli: Run, folder: Path) -> Callable[..., Done]:
    """Runs a command that must fail: one line, empty stdout, no file made or changed."""

    def run(*args: str, status: int, line: str) -> Done:
        before = contents(folder)
        done = readmark_cli(*args, cwd=folder)
        assert "Traceback" not in done.stderr
        [told] = done.stderr.splitlines()
        assert told.startswith("readmark: ")
        assert re.search(line, told), told
        assert done.returncode == status
        assert done.stdout == ""
        assert contents(folder) == before
        return done

    return run


def contents(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() if one.is_file() else b"" for one in folder.iterdir()}


UNKNOWN = "not a test of a format that is known: it looks like"
GZIPPED = gzip.compress(TEST * 200)
BAD_TESTS: dict[str, tuple[str, bytes | None, str, str]] = {
    # what is wrong: the file's name, what it holds, where, and what the line says
    "missing": ("none.jsonl", None, "", "no such file"),
    "missing gz": ("none.jsonl.gz", None, "", "no such file"),
    "a directory": ("sub", None, "", "is a directory, expected a file"),
    "empty": ("b.jsonl", b"", "", f"{UNKNOWN} an empty file; known: native, squad"),
    "binary": ("b.jsonl", bytes(range(256)) * 40, "", f"{UNKNOWN} a binary file"),
    "plain text": ("b.jsonl", b"Once upon a time\n", "", f"{UNKNOWN} text that begins 'Once upon"),
    "a truncated gzip": ("b.jsonl.gz", GZIPPED[:-20], "", "is cut off before its end"),
    "no gzip": ("b.jsonl.gz", TEST, "", "not a sound gzip file"),
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
        f"{UNKNOWN} a JSON object with members q1, q2",
    ),
    "a passage id twice": (
        "b.jsonl",
        TEST + lines(PASSAGE),
        ":3",
        "duplicate_id: passage id 'p1' stands twice",
    ),
    "a question id twice": (
        "b.jsonl",
        TEST + lines({**PASSAGE, "id": "p2", "questions": PASSAGE["questions"][:1]}),
        ":3",
        "duplicate_id: id 'q1' stands twice",
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
        "JSON Lines without a header, expected a first line such as",
    ),
    "cut off JSON": (
        "b.json",
        document(SQUAD)[:-9],
        r":1:\d+",
        "not valid JSON: it ends too early",
    ),
    "nested too deep": ("b.json", b"[" * 100_000, ":1:1", "nested too deep"),
    "a sitting": ("s.jsonl", None, "", f"{UNKNOWN} a Readmark sitting"),
    "a bad line at the end": (
        "b.jsonl",
        TEST + lines(*({"id": f"r{at}", "text": "x"} for at in range(500)), '{"id": "last"'),
        ":503",
        "json: not valid JSON: it ends too early",
    ),
    "a header alone": ("b.jsonl", lines(HEADER), "", "the test has no records"),
}


def bad_file(folder: Path, name: str, data: bytes | None) -> None:
    if data is not None:
        (folder / name).write_bytes(data)


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


BAD_SITTINGS: dict[str, tuple[str, bytes | None, str, str]] = {
    "missing": ("none.json", None, "", "no such file"),
    "a directory": ("sub", None, "", "is a directory, expected a file"),
    "empty": ("b.json", b"", "", "it looks like an empty file; known: sitting, predictions"),
    "binary": ("b.json", b"\x89PNG\r\n\x1a\n\0\0", "", "it looks like a binary file"),
    "a truncated gzip": ("b.json.gz", gzip.compress(b"{" * 99)[:-3], "", "is cut off before"),
    "invalid UTF-8": ("b.json", b'{"q1": "caf\xe9"}', ":1:12", r"not valid UTF-8 \(byte 0xe9\)"),
    "an array": ("b.json", b'["the stove"]', "", "it looks like a JSON array; known: sitting, pr"),
    "an array of objects": (
        "b.json",
        b'[{"id": "q1"}]',
        "",
        "a JSON array of objects with members",
    ),
    "an id twice": ("b.json", b'{"q1": "a", "q1": "a"}', ":q1", "the id stands twice"),
    "NaN": ("b.json", b'{"q1": NaN}', ":1:8", r"not valid JSON: invalid character \(found 'N'\)"),
    "null": ("b.json", b'{"q1": null}', ":q1", "the prediction is null, expected str"),
    "a number": ("b.json", b'{"q1": 3}', ":q1", "the prediction is 3, expected str"),
    "a list": ("b.json", b'{"q1": ["a"]}', ":q1", r"the prediction is \[\"a\"\], expected str"),
    "a newer schema": (
        "b.jsonl",
        lines({**SITTING, "readmark": 7, "new": 1}, {"id": "q1", "text": "x"}),
        ":1",
        "newer_schema: made for schema 7",
    ),
    "another kind": (
        "b.jsonl",
        lines({**SITTING, "kind": "series"}, {"id": "q1", "rewrite": "x"}),
        ":1",
        "is a sitting of a series test, expected comprehension",
    ),
    "another paper": (
        "b.jsonl",
        lines({**SITTING, "paper": "0" * 32}, {"id": "q1", "text": "x"}),
        "",
        "is a sitting of another paper",
    ),
    "a bad line in the middle": (
        "b.jsonl",
        lines(SITTING, '{"id": "q1", "text"', {"id": "q2", "text": "x"}),
        ":2",
        "json: not valid JSON",
    ),
    "a row without an answer": (
        "b.jsonl",
        lines(SITTING, {"id": "q1"}),
        ":2",
        "the row of 'q1' has neither 'text' nor 'error'",
    ),
    "a test": ("t.jsonl", None, "", "it looks like a Readmark test; known: sitting, predictions"),
}


@pytest.mark.parametrize("what", BAD_SITTINGS)
def test_a_bad_sitting_is_not_marked(folder: Path, fails: Run, what: str) -> None:
    name, data, where, said = BAD_SITTINGS[what]
    bad_file(folder, name, data)
    args = ("mark", "t.jsonl", name, "-o", "out.jsonl")
    fails(*args, "--json", status=1, line=f"^readmark: {name}{where}: .*{said}")


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (("compare", "t.jsonl", "p.json", "{}"), "missing"),
        (("compare", "t.jsonl", "{}", "p.json"), "an id twice"),
        (("people", "t.jsonl", "{}", "-o", "out.jsonl"), "null"),
        (("mark", "t.jsonl", "p.json", "--people", "{}", "-o", "out.jsonl"), "a list"),
        (("convert", "{}", "out.json"), "a newer schema"),
        (("convert", "{}", "out.jsonl"), "a number"),
    ],
)
def test_bad_sittings_elsewhere(folder: Path, fails: Run, args: tuple[str, ...], what: str) -> None:
    name, data, where, said = BAD_SITTINGS[what]
    bad_file(folder, name, data)
    chosen = [name if one == "{}" else one for one in args]
    fails(*chosen, status=1, line=f"^readmark: {name}{where}: .*{said}")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"own": 1}, "schema: object contains unknown field own"),
        ({"kind": "poetry"}, "kind 'poetry' is unknown; known: comprehension, series"),
    ],
)
def test_bad_headers_of_sittings_are_not_converted(
    folder: Path, fails: Run, header: dict[str, Any], said: str
) -> None:
    bad_file(folder, "b.jsonl", lines({**SITTING, **header}, {"id": "q1", "text": "x"}))
    fails("convert", "b.jsonl", "out.json", status=1, line=f"b.jsonl:1: {said}")


def test_answers_to_unknown_units(folder: Path, readmark_cli: Run, fails: Run) -> None:
    strangers = {f"x{at}": "words" for at in range(7)}
    bad_file(folder, "b.json", document({**PREDICTIONS, **strangers}))
    said = "b.json: answers to units that the test does not have: 7 (x0, x1, x2, x3, x4, …)"
    done = readmark_cli("mark", "t.jsonl", "b.json", "--json", "--no-units", cwd=folder)
    assert done.returncode == 0
    assert done.stderr == f"readmark: {said}\n"
    assert json.loads(done.stdout)["unknown"] == 7
    for more in (("--json",), ("-o", "out.jsonl")):
        args = ("mark", "t.jsonl", "b.json", "--strict", *more)
        fails(*args, status=1, line=f"^readmark: {re.escape(said)}$")


def test_a_torn_sitting_is_marked_with_a_note(folder: Path, readmark_cli: Run) -> None:
    bad_file(folder, "b.jsonl", lines(SITTING, {"id": "q1", "text": "x"}) + b'{"id": "q2", "te')
    done = readmark_cli("mark", "t.jsonl", "b.jsonl", "--json", cwd=folder)
    assert done.returncode == 0
    assert done.stderr == "readmark: b.jsonl:3: the last line is cut off and was left out\n"
    assert json.loads(done.stdout)["unanswered"] == ["q2"]


@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_error_rows_end_in_status_1(
    folder: Path, readmark_cli: Run, json_too: tuple[str, ...]
) -> None:
    row = {"id": "q2", "error": "timed out", "attempt": 3}
    bad_file(folder, "b.jsonl", lines(SITTING, {"id": "q1", "text": "x"}, row))
    done = readmark_cli("mark", "t.jsonl", "b.jsonl", *json_too, cwd=folder)
    assert done.returncode == 1
    assert re.fullmatch(r"readmark: b\.jsonl: error rows: 1 \(q2\); .*\n", done.stderr)
    assert done.stdout
    forgiven = readmark_cli("mark", "t.jsonl", "b.jsonl", "--errors-as-wrong", cwd=folder)
    assert (forgiven.returncode, forgiven.stderr) == (0, "")


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


MARK = ("mark", "t.jsonl", "p.json", "-o", "out.jsonl", "--json")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("chekc", "t.jsonl"), "no command 'chekc'; did you mean check?"),
        (("poem",), "no command 'poem'; known: demo, check, "),
        (("--poem",), "No such option '--poem'"),
        (("check",), "Missing argument 'TEST...'"),
        (("mark", "t.jsonl"), "Missing argument 'SITTING'"),
        (("compare", "t.jsonl", "p.json"), "Missing argument 'B [C...]'"),
        (("formats", "t.jsonl"), "unexpected extra argument (t.jsonl)"),
        ((*MARK, "--poem"), "No such option '--poem'"),
        ((*MARK, "--strikt"), "No such option '--strikt'"),
        ((*MARK, "-m", "f2"), "unknown metric 'f2'; known: em, f1, "),
        ((*MARK, "-m", "contians"), "unknown metric 'contians'; did you mean contains?"),
        ((*MARK, "-m", "f1(profil=zh)"), "metric f1 has no parameter 'profil'; did you mean pro"),
        ((*MARK, "-m", "f1(profile=cmrc)"), "metric f1: profile=cmrc is not one of squad|squad2|"),
        ((*MARK, "-m", "f1(simplify=2)"), "metric f1: simplify=2 is not true or false"),
        ((*MARK, "-m", "f1(match=bag)"), "profile squad has no match=bag; only zh has a choice"),
        ((*MARK, "-m", "f1(profile=zh"), "cannot read the parameters of 'f1(profile=zh'"),
        ((*MARK, "-m", ""), "not a name: ''; expected name or name(key=value,...)"),
        ((*MARK, "-m", "exact"), "metric exact marks series tests, this one is comprehension"),
        (
            ("mark", "series.jsonl", "p.json", "-m", "em", "-o", "out.jsonl"),
            "metric em marks comprehension tests, this one is series",
        ),
        ((*MARK, "--from", "natif"), "unknown format 'natif'; did you mean native?"),
        ((*MARK, "--from", "predictions"), "format 'predictions' does not hold tests"),
        ((*MARK, "--seed", "-1"), "seed -1 is negative"),
        ((*MARK, "--seed", "one"), "Invalid value for '--seed': 'one'"),
        ((*MARK, "--draws", "0"), "draws and trials must be 1 or more"),
        ((*MARK, "--confidence", "95"), "95.0 is not between 0 and 1"),
        ((*MARK, "--confidence", "nan"), "nan is not between 0 and 1"),
        ((*MARK, "--interval", "normal"), "'normal' is not one of 'percentile', 'bca'"),
        (("compare", "t.jsonl", "p.json", "s.jsonl", "--alpha", "5"), "alpha 5.0 is not between"),
        (("people", "t.jsonl", "--method", "panel"), "the panel method takes people's sittings"),
        (("stats", "t.jsonl", "--from", "sitting"), "format 'sitting' does not hold tests"),
        (("check", "t.jsonl", "--from", "json"), "unknown format 'json'; known: native, squad"),
        (("convert", "t.jsonl", "out.json", "--to", "squat"), "unknown format 'squat'; did you me"),
        (("convert", "t.jsonl", "out.txt"), "out.txt: name the format with --to, or a file that"),
        (("convert", "t.jsonl", "out.json", "--to", "sitting"), "tests cannot be written as 'sitt"),
        (("convert", "s.jsonl", "out.json", "--to", "squad"), "a sitting cannot be written as 'sq"),
        (("convert", "s.jsonl", "out.json", "--repair"), "--repair and --public are for tests"),
        (("convert", "series.jsonl", "out.json"), "only comprehension tests can be written as squ"),
        (("convert", "t.jsonl", "out.jsonl", "--hide", "test"), "--hide goes with --public"),
    ],
)
def test_bad_usage(fails: Run, args: tuple[str, ...], said: str) -> None:
    fails(*args, status=2, line=re.escape(said))


def test_no_command_at_all_shows_the_commands(readmark_cli: Run) -> None:
    done = readmark_cli()
    assert done.returncode == 2
    assert "compare" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("none/out.jsonl", r"cannot be written \(No such file or directory\)"),
        ("sub", "is a directory, expected a file to write"),
        ("t.jsonl/out.jsonl", r"cannot be written \(Not a directory\)"),
        (f"{'n' * 300}.jsonl", r"cannot be written \(File name too long\)"),
    ],
)
@pytest.mark.parametrize(
    "command", [("mark", "t.jsonl", "p.json", "-o"), ("convert", "t.jsonl", "--to", "native")]
)
def test_where_nothing_can_be_written(
    fails: Run, command: tuple[str, ...], target: str, said: str
) -> None:
    fails(*command, target, status=1, line=f"^readmark: {re.escape(target)}: {said}$")


@pytest.mark.parametrize(
    "args", [("stats", "{}"), ("mark", "{}", "p.json"), ("mark", "t.jsonl", "{}"), ("check", "{}")]
)
def test_a_pipe_is_refused_in_words(folder: Path, readmark_cli: Run, args: tuple[str, ...]) -> None:
    os.mkfifo(folder / "pipe")
    done = readmark_cli(*("pipe" if one == "{}" else one for one in args), cwd=folder)
    assert done.returncode == 1
    assert "is a pipe or a device, expected a file" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "args", [("stats", "t.jsonl"), ("stats", "t.jsonl", "--json"), ("--help",)]
)
def test_output_that_cannot_be_written(folder: Path, args: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "readmark", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=folder,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == (
        "readmark: the output cannot be read or written (No space left on device)\n"
    )


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m readmark stats t.jsonl | true"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, encoding="utf-8", cwd=folder, check=False
    )
    assert done.stderr == ""


def test_a_closed_output_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m readmark stats t.jsonl >&-"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, encoding="utf-8", cwd=folder, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_an_output_that_lacks_the_letters(folder: Path, readmark_cli: Run) -> None:
    bad_file(folder, "b.jsonl", lines({**HEADER, "name": "茶馆"}, PASSAGE))
    done = readmark_cli("stats", "b.jsonl", cwd=folder, env={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u8336\\u9986" in done.stdout


@pytest.mark.xfail(strict=True, reason="what a sitting covers is printed with mark-up in force")
@pytest.mark.parametrize("without", ["[/passage]", "[bold]passage"])
def test_a_header_that_looks_like_mark_up(folder: Path, readmark_cli: Run, without: str) -> None:
    header = {**SITTING, "candidate": without, "without": without}
    bad_file(folder, "b.jsonl", lines(header, {"id": "q1", "text": "x"}))
    done = readmark_cli("mark", "t.jsonl", "b.jsonl", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{without} on kitchen: ")
    assert f"without the {without} " in done.stdout


@pytest.mark.xfail(strict=True, reason="the width of a marksheet's vectors is not looked at")
@pytest.mark.parametrize("vector", [[1.0], [1.0, 1.0, 1.0]])
def test_a_marksheet_with_vectors_of_another_width(
    folder: Path, readmark_cli: Run, fails: Run, vector: list[float]
) -> None:
    readmark_cli("mark", "t.jsonl", "p.json", "-o", "m.jsonl", cwd=folder)
    rows = [json.loads(line) for line in (folder / "m.jsonl").read_bytes().splitlines()]
    units = [row for row in rows if row.get("row") == "unit"]
    units[-1]["vectors"]["f1"] = vector
    bad_file(folder, "m.jsonl", lines(*rows))
    fails("compare", "t.jsonl", "m.jsonl", "p.json", status=1, line="^readmark: m.jsonl:.*f1")


@pytest.mark.xfail(strict=True, reason="mark -o replaces the test or the sitting")
@pytest.mark.parametrize("target", ["t.jsonl", "p.json", "./t.jsonl"])
def test_a_marksheet_does_not_replace_what_is_marked(fails: Run, target: str) -> None:
    fails("mark", "t.jsonl", "p.json", "-o", target, status=2, line=re.escape(target))


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
    assert (
        done.stdout
        == "b.json:q 1: offset: answer 'kettle' does not stand at 5–11, found 'ettle '\n"
    )
    bad_file(folder, "b2.json", document({"stranger\nis here": "x", "q1": "y", "q2": "z"}))
    marked = readmark_cli("mark", "t.jsonl", "b2.json", cwd=folder)
    assert len(marked.stderr.splitlines()) == 1


def test_too_many_draws_for_the_memory(folder: Path) -> None:
    done = bounded("mark", "t.jsonl", "p.json", "--draws", "1000000000", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "readmark: there is not enough memory for this\n"


LIMIT = 1_200_000_000


def bounded(*args: str, cwd: Path) -> Done:
    """Runs a command within 1.2 GB of address space."""
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


def long_test(path: Path, size: int) -> int:
    """A test of that many bytes whose last line is bad; gives back that line's number."""

    def passages() -> Iterable[bytes]:
        text = "The kettle stood on the stove until noon, and nobody came to lift it. " * 20
        number = written = 0
        while written < size:
            number += 1
            key = {"answers": [{"text": "The kettle", "start": 0}]}
            asked = {"id": f"long-q{number}", "text": "What stood?", "key": key}
            line = lines({"id": f"long-p{number}", "text": text, "questions": [asked]})
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


@pytest.mark.parametrize(
    "size", [5_000_000, pytest.param(200_000_000, marks=pytest.mark.slow)], ids=["5 MB", "200 MB"]
)
def test_one_bad_line_at_the_end_of_a_long_file(folder: Path, size: int) -> None:
    last = long_test(folder / "long.jsonl", size)
    said = f"long.jsonl:{last}: schema: expected str, got int - at $.text"
    before = sorted(folder.iterdir())
    for args in (
        ("mark", "long.jsonl", "p.json", "-o", "out.jsonl", "--json"),
        ("convert", "long.jsonl", "out.jsonl"),
    ):
        done = bounded(*args, cwd=folder)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == f"readmark: {said}\n"
        assert (folder / "out.jsonl").read_bytes() == OLD
        assert sorted(folder.iterdir()) == before
    checked = bounded("check", "long.jsonl", cwd=folder)
    assert checked.returncode == 1
    assert checked.stdout == f"{said}\n"
    assert checked.stderr == "readmark: long.jsonl: 1 problem\n"
    (folder / "long.jsonl").unlink()
