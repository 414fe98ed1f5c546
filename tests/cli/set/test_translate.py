"""`readmark set translate` through the real command line, on the files of the documentation."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from readmark.corpus.formats import open_test

pytestmark = pytest.mark.slow

pytest.importorskip("spacy", reason="spaCy is not installed")

Run = Callable[..., subprocess.CompletedProcess[str]]
EXAMPLES = Path(__file__).resolve().parents[3] / "docs" / "examples"
FILES = ("harbour.en.tsv", "harbour.ann.tsv", "harbour.bo.tsv")
NAMED = ("--names", "ann,bo")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (*FILES, "harbour.zh.jsonl", "kite.brcc"):
        shutil.copy(EXAMPLES / name, tmp_path)
    return tmp_path


def test_compare_decide_adopt(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("set", "translate", *FILES, *NAMED, "-o", "adj.jsonl", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "readmark: bo has no translation of 1: h5/key\n"
    told = json.loads(done.stdout)
    assert {row["id"]: (row.get("cause"), row.get("suggestion")) for row in told["mismatches"]} == {
        "h1/question": ("synonym", "either"),
        "h2/question": ("voice", "b"),
        "h3/question": ("anaphora", "b"),
        "h4/question": ("equivalent_description", "b"),
        "h4/key": ("different_meaning", "a"),
        "h5/question": ("synonym", "either"),
        "h5/key": (None, None),
    }
    assert told["incomplete"] == [{"id": "h5/key", "missing": ["bo"]}]
    percents = [one["percent"] for one in told["table"]["all"].values()]
    assert percents == [33.4, 22.2, 11.1, 11.1, 11.1, 11.1]
    lines = (folder / "adj.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 8
    for row in rows[1:]:
        if row["id"] == "h5/key":
            row |= {"decision": "a", "by": "chen"}
        if row["id"] == "h1/question":
            row |= {"decision": "b", "by": "chen"}
    (folder / "adj.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")

    again = ("set", "translate", *FILES, "--decisions", "adj.jsonl", "-o", "zh.jsonl")
    refused = readmark_cli(*again, "--passages", "harbour.zh.jsonl", cwd=folder)
    assert refused.returncode == 1
    assert "adj.jsonl: 5 undecided (h2/question, h3/question" in refused.stderr
    assert not (folder / "zh.jsonl").exists()
    options = ("--passages", "harbour.zh.jsonl", "--adopt-suggestions", "--json")
    done = readmark_cli(*again, *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["decisions"]["by"] == {"chen": 2, "suggestion": 5}
    (passage,) = open_test(folder / "zh.jsonl").records()
    assert [one.text for one in passage.questions] == [
        "里克在哪里购买了那条旧船？",
        "什么被画在船上？",
        "谁教里克驾船？",
        "北方的水手什么时候离开港口？",
        "灯塔为什么被关闭？",
    ]
    assert passage.questions[4].key.published[0].text == "因为没有人付钱给看守人"
    assert readmark_cli("check", "zh.jsonl", cwd=folder).returncode == 0

    spoilt = readmark_cli("set", "translate", *FILES, *NAMED, "-o", "adj.jsonl", cwd=folder)
    assert spoilt.returncode == 2
    assert "adj.jsonl holds 2 decisions: write to another file" in spoilt.stderr


def test_in_a_terminal(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("set", "translate", *FILES, *NAMED, "-o", "adj.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "h2/question  voice, adopt bo\n" in done.stdout
    assert "  why      被 in b only; the English is passive (What was painted)\n" in done.stdout
    assert "anaphora or direct reference" in done.stdout
    assert "100.0 (9)" in done.stdout
    assert "7 to decide" in done.stderr


def test_tests_of_both_sides(readmark_cli: Run, folder: Path) -> None:
    """Translators may work in tests: their passages serve, and keys have alternatives."""
    readmark_cli("convert", "kite.brcc", "one.jsonl", "--from", "brcc(side=zh)", cwd=folder)
    shutil.copy(folder / "one.jsonl", folder / "two.jsonl")
    done = readmark_cli(
        "set", "translate", "kite.brcc", "one.jsonl", "two.jsonl", "-o", "adj.jsonl", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    made = readmark_cli(
        *("set", "translate", "kite.brcc", "one.jsonl", "two.jsonl"),
        *("--decisions", "adj.jsonl", "-o", "zh.jsonl"),
        cwd=folder,
    )
    assert made.returncode == 0, made.stderr
    before, after = open_test(folder / "one.jsonl"), open_test(folder / "zh.jsonl")
    assert before.facts.paper == after.facts.paper
    assert [unit.key.published for unit in before.units()] != []
    assert [[one.text for one in unit.key.published] for unit in before.units()] == [
        [one.text for one in unit.key.published] for unit in after.units()
    ]


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        ((*FILES, "-o", "adj.jsonl"), 2, "both translators are called 'harbour': name them"),
        ((*FILES, "--names", "ann", "-o", "adj.jsonl"), 2, "--names takes two names"),
        ((*FILES, *NAMED, "-o", "harbour.bo.tsv"), 2, "harbour.bo.tsv is what is being read"),
        ((*FILES[:2], FILES[1], *NAMED, "-o", "x"), 2, "are one file: give two translators' files"),
        ((*FILES, *NAMED, "-o", "x", "--adopt-suggestions"), 2, "go with --decisions"),
        ((*FILES[:2], "none.tsv", *NAMED, "-o", "x"), 1, "none.tsv: no such file"),
        (
            (*FILES, "--decisions", "harbour.zh.jsonl", "-o", "x"),
            1,
            "is no line of an adjudication file",
        ),
        (("harbour.zh.jsonl", *FILES[1:], *NAMED, "-o", "x"), 1, "harbour.zh.jsonl"),
    ],
)
def test_bad_input(
    readmark_cli: Run, folder: Path, arguments: tuple[str, ...], status: int, line: str
) -> None:
    done = readmark_cli("set", "translate", *arguments, cwd=folder)
    assert done.returncode == status, done.stderr
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
