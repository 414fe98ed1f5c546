"""`readmark convert` through the real command line: suffixes, repair, public tests."""

import itertools
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from converted import plain, write_lines
from readmark.formats.registry import open_test

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


def passage(number: int, split: str | None) -> dict[str, Any]:
    """A passage whose key says SECRET and its number wherever it can say something."""
    secret = f"SECRET{number}"
    layer = {"spans": [[0, 1]], "columns": {"entity": [f"{secret}layer"]}}
    key = {
        "answers": [{"text": f"{secret}答案", "annotator": f"{secret}annotator"}],
        "published": [{"text": f"{secret}published"}],
        "plausible": [{"text": f"{secret}plausible"}],
        "type": f"{secret}type",
        "level": f"{secret}level",
        "difficulty": f"{secret}difficulty",
        "layers": {"mention": layer},
        "fields": {f"{secret}name": f"{secret}field"},
    }
    record = {
        "id": f"p{number}",
        "text": f"第{number}段：茶馆开在老街的尽头。",
        "questions": [
            {"id": f"q{number}a", "text": "茶馆在哪里？", "key": key},
            {"id": f"q{number}b", "text": "谁开的？", "key": {"unanswerable": True}},
        ],
        "key": {"layers": {"mention": layer}, "fields": {"note": f"{secret}note"}},
    }
    return record if split is None else {**record, "split": split}


def write_test(path: Path, *splits: str | None, **header: Any) -> Path:
    records = [passage(number, split) for number, split in enumerate(splits, 1)]
    return write_lines(path, {"readmark": 1, "name": "茶馆", **header}, *records)


SQUAD = {
    "version": "1.1",
    "data": [
        {
            "title": "Kitchen",
            "paragraphs": [
                {
                    "id": "p1",
                    "context": "The kettle stood on the stove. The stove was cold.",
                    "qas": [
                        {
                            "id": "sound",
                            "question": "What stood?",
                            "answers": [{"text": "kettle", "answer_start": 4}],
                        },
                        {
                            "id": "one-place",
                            "question": "How was it?",
                            "answers": [{"text": "cold", "answer_start": 3}],
                        },
                        {
                            "id": "two-places",
                            "question": "Where?",
                            "answers": [{"text": "stove", "answer_start": 2}],
                        },
                        {
                            "id": "no-place",
                            "question": "Who?",
                            "answers": [{"text": "nobody", "answer_start": 0}],
                        },
                    ],
                }
            ],
        }
    ],
}


@pytest.fixture
def squad(tmp_path: Path) -> Path:
    path = tmp_path / "kitchen.json"
    path.write_text(json.dumps(SQUAD), encoding="utf-8")
    return path


def withheld(done: Done) -> int:
    """How many units' keys a message says were withheld."""
    [told] = [line for line in done.stderr.splitlines() if "withheld" in line]
    return int(re.findall(r"\d+", told)[0])


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("out.jsonl", "native"),
        ("out.jsonl.gz", "native"),
        ("out.jsonl.zst", "native"),
        ("out.json", "squad"),
        ("out.json.gz", "squad"),
        ("out.JSON", "squad"),
        ("out.v1.json.zst", "squad"),
    ],
)
def test_the_suffix_says_the_format(
    tmp_path: Path, readmark_cli: Run, squad: Path, name: str, format: str
) -> None:
    done = readmark_cli("convert", "kitchen.json", name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == f"readmark: {name} written as {format}\n"
    written = plain(tmp_path / name)
    if format == "native":
        header = json.loads(written.splitlines()[0])
        assert (header["readmark"], header["kind"], header["name"]) == (
            1,
            "comprehension",
            "kitchen",
        )
    else:
        assert json.loads(written) == SQUAD
    assert open_test(tmp_path / name).facts == open_test(squad).facts


def test_there_and_back(tmp_path: Path, readmark_cli: Run, squad: Path) -> None:
    steps = ["kitchen.json", "a.jsonl.zst", "b.json.gz", "c.jsonl", "d.json"]
    for source, target in itertools.pairwise(steps):
        assert readmark_cli("convert", source, target, cwd=tmp_path).returncode == 0
    assert json.loads((tmp_path / "d.json").read_bytes()) == SQUAD


@pytest.mark.parametrize("more", [[], ["--public", "--hide", "test"]], ids=["plain", "public"])
def test_a_file_is_not_converted_onto_itself(
    more: list[str], tmp_path: Path, readmark_cli: Run
) -> None:
    """The only copy of a key would be gone."""
    path = write_test(tmp_path / "t.jsonl", "dev", "test")
    before = path.read_bytes()
    done = readmark_cli("convert", "t.jsonl", "./t.jsonl", *more, cwd=tmp_path)
    assert done.returncode == 2
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["t.jsonl"]


def test_unanswerable_questions_make_a_json_file_squad2(tmp_path: Path, readmark_cli: Run) -> None:
    write_test(tmp_path / "t.jsonl", "dev")
    done = readmark_cli("convert", "t.jsonl", "out.json", cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == "readmark: out.json written as squad2"
    question = json.loads((tmp_path / "out.json").read_bytes())["data"][0]["paragraphs"][0]["qas"][
        1
    ]
    assert question["is_impossible"] is True


def test_what_a_format_cannot_store_is_named(tmp_path: Path, readmark_cli: Run) -> None:
    write_test(tmp_path / "t.jsonl", "dev", licence="CC0-1.0")
    done = readmark_cli("convert", "t.jsonl", "out.json", "--to", "cmrc2018", cwd=tmp_path)
    assert done.returncode == 0
    *lost, last = done.stderr.splitlines()
    assert last == "readmark: out.json written as cmrc2018"
    for what in (
        "licence",
        "the passage's split",
        "layers (mention)",
        "annotators",
        "unanswerable",
    ):
        assert any(what in line for line in lost), what
    document = json.loads(
        readmark_cli(
            "convert", "t.jsonl", "out.json", "--to", "cmrc2018", "--json", cwd=tmp_path
        ).stdout
    )
    assert len(document["lost"]) == len(lost)
    for line, told in zip(document["lost"], lost, strict=True):
        assert told.endswith(f"cmrc2018: {line}")


def test_repair(tmp_path: Path, readmark_cli: Run, squad: Path) -> None:
    done = readmark_cli("convert", "kitchen.json", "out.json", "--repair", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    left = "readmark: kitchen.json"
    *told, counts, last = done.stderr.splitlines()
    assert told == [
        f"{left}:two-places: not repaired: answer 'stove' occurs at 2 places: 24, 35",
        f"{left}:no-place: not repaired: answer 'nobody' does not occur in the passage",
    ]
    assert re.findall(r"\d+", counts) == ["1", "2"]
    assert last == "readmark: out.json written as squad"
    [paragraph] = json.loads((tmp_path / "out.json").read_bytes())["data"][0]["paragraphs"]
    starts = {one["id"]: one["answers"][0]["answer_start"] for one in paragraph["qas"]}
    assert starts == {"sound": 4, "one-place": 45, "two-places": 2, "no-place": 0}
    assert paragraph["context"][45:49] == "cold"


def test_repair_as_json(tmp_path: Path, readmark_cli: Run, squad: Path) -> None:
    done = readmark_cli("convert", "kitchen.json", "out.jsonl", "--repair", "--json", cwd=tmp_path)
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert document["format"] == "native"
    assert document["lost"] == []
    assert document["withheld"] == 0
    assert document["repairs"]["fixed"] == ["one-place"]
    assert [id for id, _ in document["repairs"]["left"]] == ["two-places", "no-place"]


def test_without_repair_nothing_is_touched(tmp_path: Path, readmark_cli: Run, squad: Path) -> None:
    done = readmark_cli("convert", "kitchen.json", "out.json", "--json", cwd=tmp_path)
    assert json.loads(done.stdout) == {
        "format": "squad",
        "lost": [],
        "repairs": None,
        "withheld": 0,
        "notes": [],
        "files": ["out.json"],
    }
    assert json.loads((tmp_path / "out.json").read_bytes()) == SQUAD


@pytest.mark.parametrize(
    ("target", "hidden", "options", "secret", "kept"),
    [
        ("out.jsonl", ["test"], [], {2, 4}, {1, 3, 5}),
        ("out.json", ["test", "challenge"], [], {2, 3, 4}, {1, 5}),
        ("out.json", [], ["--hide", "test"], {2, 4}, {1, 3, 5}),
        ("out.jsonl.gz", ["test"], ["--hide", "challenge"], {2, 3, 4}, {1, 5}),
    ],
    ids=["header", "two splits", "option", "both"],
)
def test_public(
    tmp_path: Path,
    readmark_cli: Run,
    target: str,
    hidden: list[str],
    options: list[str],
    secret: set[int],
    kept: set[int],
) -> None:
    """No text of a hidden split's key is anywhere in what is written."""
    path = tmp_path / "t.jsonl"
    write_test(path, "dev", "test", "challenge", "test", None, hidden=hidden)
    done = readmark_cli("convert", "t.jsonl", target, "--public", *options, cwd=tmp_path)
    assert done.returncode == 0
    assert withheld(done) == 2 * len(secret)
    written = plain(tmp_path / target).decode()
    assert "SECRET" in written
    for number in secret:
        assert f"SECRET{number}" not in written
        assert f"第{number}段" in written
    for number in kept:
        assert f"SECRET{number}答案" in written
    public = open_test(tmp_path / target)
    assert public.facts.paper == open_test(path).facts.paper
    keyed = {unit.id for unit in public.units() if unit.key is not None}
    assert keyed == {f"q{number}{letter}" for number in kept for letter in "ab"}
    if target != "out.json":
        assert set(public.header.hidden) == {*hidden, *options[1:]}


def test_public_series(tmp_path: Path, readmark_cli: Run) -> None:
    key = {"rewrites": [{"text": "SECRET rewrite"}], "guidelines": "SECRET guideline"}
    question = {"id": "q1", "text": "Who made it?", "key": key}
    write_lines(
        tmp_path / "s.jsonl",
        {"readmark": 1, "kind": "series", "hidden": ["test"]},
        {"id": "s1", "target": "the kettle", "split": "test", "questions": [question]},
    )
    done = readmark_cli("convert", "s.jsonl", "out.jsonl", "--public", cwd=tmp_path)
    assert done.returncode == 0
    assert "SECRET" not in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("header", "options", "said"),
    [
        ({}, (), "the test's header names no hidden splits; name them with --hide"),
        ({}, ("--hide", "tset"), "t.jsonl has no split 'tset'; it has dev, test"),
        ({"hidden": ["test"]}, ("--hide", "blind"), "t.jsonl has no split 'blind'; it has dev, "),
    ],
)
def test_public_without_a_split_to_hide(
    tmp_path: Path, readmark_cli: Run, header: dict[str, Any], options: tuple[str, ...], said: str
) -> None:
    write_test(tmp_path / "t.jsonl", "dev", "test", **header)
    (tmp_path / "out.jsonl").write_text("old", encoding="utf-8")
    done = readmark_cli("convert", "t.jsonl", "out.jsonl", "--public", *options, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"readmark: {said}")
    assert len(done.stderr.splitlines()) == 1
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize("hidden", ["test", "Dev"])
def test_a_hidden_split_that_is_not_there_publishes_nothing(
    hidden: str, tmp_path: Path, readmark_cli: Run
) -> None:
    """A misspelt split in the header would publish every key."""
    write_test(tmp_path / "t.jsonl", "dev", hidden=[hidden])
    done = readmark_cli("convert", "t.jsonl", "out.jsonl", "--public", cwd=tmp_path)
    assert done.returncode == 2
    assert hidden in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
    assert "hidden" in readmark_cli("check", "t.jsonl", cwd=tmp_path).stdout


def test_standard_output(tmp_path: Path, readmark_process: Run, squad: Path) -> None:
    done = readmark_process("convert", "kitchen.json", "/dev/stdout", "--to", "squad", cwd=tmp_path)
    assert json.loads(done.stdout) == SQUAD
    assert Path("/dev/stdout").is_symlink()


def test_empty_nodes_that_were_not_read_are_told(readmark_cli: Run, tmp_path: Path) -> None:
    rows = ["1\tAnn", "2\tslept", "2.1\tslept", "3\t."]
    lines = "".join(row + "\t_" * 8 + "\n" for row in rows)
    (tmp_path / "a.conllu").write_text(lines + "\n", encoding="utf-8")
    done = readmark_cli("convert", "a.conllu", "a.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "native: empty nodes of the source were not read (1: a)" in done.stderr


def test_a_table_with_other_headings(tmp_path: Path, readmark_cli: Run) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "mill.txt").write_text("The mill was built in 1890.\n")
    (tmp_path / "q.csv").write_text("file;Frage;A1;A2\nmill.txt;When?;1890;long ago\n")
    done = readmark_cli("convert", "q.csv", "t.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "q.csv:1: has no column for the question; columns: file, Frage, A1, A2" in done.stderr
    assert "name yours with --map, such as COLUMN=question" in done.stderr
    columns = ("Frage=question", "A1=answer", "A2=answer")
    mapped = ("convert", "q.csv", "t.jsonl", *(part for one in columns for part in ("--map", one)))
    done = readmark_cli(*mapped, cwd=tmp_path)
    assert done.returncode == 1
    assert "q.csv:2: schema: there is no file 'mill.txt' next to the table: use --passages" in (
        done.stderr
    )
    done = readmark_cli(*mapped, "--passages", "texts", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["notes"] == [
        "answers that are not in the passage, taken as free text: 1 (line 2)"
    ]
    assert readmark_cli("check", "t.jsonl", cwd=tmp_path).returncode == 0
    done = readmark_cli("convert", "t.jsonl", "o.jsonl", "--map", "Q=question", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.endswith("readmark: no file has a column 'Q', which --map names\n")
