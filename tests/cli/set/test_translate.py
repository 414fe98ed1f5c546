"""`readmark set translate` through the real command line, on the files of the documentation."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from installed import require
from readmark.formats.registry import open_test

pytestmark = pytest.mark.slow

require("spacy")

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
    assert percents == pytest.approx([100 / 3, 200 / 9, 100 / 9, 100 / 9, 100 / 9, 100 / 9])
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


def test_translators_who_agree_leave_nothing_to_adjudicate(readmark_cli: Run, folder: Path) -> None:
    shutil.copy(folder / "harbour.ann.tsv", folder / "harbour.bo.tsv")
    command = ("set", "translate", *FILES, *NAMED)
    done = readmark_cli(*command, "-o", "adj.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "nothing to adjudicate: adj.jsonl not written" in done.stderr
    assert "to decide" not in done.stderr
    assert not (folder / "adj.jsonl").exists()
    adopt = ("--decisions", "adj.jsonl", "--passages", "harbour.zh.jsonl", "-o", "zh.jsonl")
    adopted = readmark_cli(*command, *adopt, cwd=folder)
    assert adopted.returncode == 0, adopted.stderr
    assert open_test(folder / "zh.jsonl").facts.units > 0


def test_comparing_again_keeps_decisions(readmark_cli: Run, folder: Path) -> None:
    again = ("set", "translate", *FILES, *NAMED, "-o", "adj.jsonl")
    assert readmark_cli(*again, cwd=folder).returncode == 0
    path = folder / "adj.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for row in rows[1:]:
        if row["id"] in ("h1/question", "h2/question"):
            row |= {"decision": "b", "by": "chen"}
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    english = folder / FILES[0]
    said = english.read_text("utf-8").replace("What was painted", "What was drawn")
    english.write_text(said + "h6\tharbour\tWho came?\tnobody\n", "utf-8")

    done = readmark_cli(*again, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "their strings have changed or gone: 1 decision (h2/question)" in done.stderr
    told = json.loads(done.stdout)
    assert (told["kept"], told["set_aside"]) == (1, ["h2/question"])
    decided = {row["id"]: row.get("by") for row in told["mismatches"] if row.get("decision")}
    assert decided == {"h1/question": "chen"}

    english.write_text(said.replace("What was drawn", "What was painted"), "utf-8")
    back = readmark_cli(*again, "--json", cwd=folder)
    told = json.loads(back.stdout)
    assert (told["kept"], told["set_aside"]) == (2, [])

    whole = path.read_text("utf-8")
    for broken in (whole.replace('"decision":"b"', '"decision":"c"', 1), "{\n", "a table\n"):
        path.write_text(broken, "utf-8")
        refused = readmark_cli(*again, cwd=folder)
        assert refused.returncode == 1
        assert "it may contain people's decisions: fix it" in refused.stderr
        assert path.read_text("utf-8") == broken
    path.write_text(whole, "utf-8")
    other = readmark_cli(*again[:-3], "eve,bo", "-o", "adj.jsonl", cwd=folder)
    assert other.returncode == 1
    assert "adj.jsonl:1: compares ann with bo, expected eve with bo" in other.stderr


def test_a_translators_key_is_no_second_person(readmark_cli: Run, folder: Path) -> None:
    """The key that a translator's test holds as an answer gives way to the adopted one."""

    def test_file(name: str, language: str, text: str, question: str, answer: str) -> None:
        header = {"readmark": 1, "kind": "comprehension", "language": language}
        key = {"answers": [{"text": answer, "start": text.index(answer)}]}
        record = {"id": "p", "text": text, "questions": [{"id": "q", "text": question, "key": key}]}
        (folder / name).write_text("\n".join(map(json.dumps, (header, record))), "utf-8")

    chinese = "战争之后，暴风雨之前，水手离开了港口。"
    storm = "The sailors left before the storm."
    test_file("en.jsonl", "en", storm, "When did they leave?", "before the storm")
    test_file("one.jsonl", "zh", chinese, "他们何时离开？", "战争之后")
    test_file("two.jsonl", "zh", chinese, "他们何时离开？", "暴风雨之前")
    files = ("en.jsonl", "one.jsonl", "two.jsonl")
    readmark_cli("set", "translate", *files, "-o", "adj.jsonl", cwd=folder)
    made = readmark_cli(
        *("set", "translate", *files, "--decisions", "adj.jsonl", "--adopt-suggestions"),
        "-o",
        "zh.jsonl",
        cwd=folder,
    )
    assert made.returncode == 0, made.stderr
    assert "no longer in the key of q: 战争之后" in made.stderr
    (unit,) = open_test(folder / "zh.jsonl").units()
    assert [(one.text, one.start) for one in unit.key.answers] == [("暴风雨之前", 5)]
    assert unit.key.published == ()
    assert readmark_cli("people", "zh.jsonl", cwd=folder).returncode != 0


def test_in_a_terminal(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("set", "translate", *FILES, *NAMED, "-o", "adj.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "h2/question  voice, adopt bo\n" in done.stdout
    assert "  why      被 in b only; the English is passive (What was painted)\n" in done.stdout
    assert "anaphora or direct reference" in done.stdout
    assert "100.0 (9)" in done.stdout
    assert "7 to decide" in done.stderr


def test_tests_of_both_languages(readmark_cli: Run, folder: Path) -> None:
    """Translators may work in tests: their passages serve, and keys have alternatives."""
    readmark_cli("convert", "kite.brcc", "kite/", cwd=folder)
    for name in ("one", "two"):
        shutil.copy(folder / "kite" / "zh.jsonl", folder / f"{name}.jsonl")
    files = ("kite/en.jsonl", "one.jsonl", "two.jsonl")
    done = readmark_cli("set", "translate", *files, "-o", "adj.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    made = readmark_cli(
        *("set", "translate", *files),
        "--decisions",
        "adj.jsonl",
        "-o",
        "zh.jsonl",
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
        ((*FILES, "--names", "a,a", "-o", "adj.jsonl"), 2, "both translators are called 'a'"),
        ((*FILES, "--names", "ann", "-o", "adj.jsonl"), 2, "--names takes two names"),
        ((*FILES, *NAMED, "-o", "harbour.bo.tsv"), 2, "harbour.bo.tsv is what is being read"),
        ((*FILES[:2], FILES[1], *NAMED, "-o", "x"), 2, "are one file: give two translators' files"),
        ((*FILES, *NAMED, "-o", "x", "--adopt-suggestions"), 2, "go with --decisions"),
        ((*FILES, "--decisions", "x", "-o", "y", "--by", "suggestion"), 2, "takes a person's name"),
        ((*FILES, "--decisions", "x", "-o", "y", "--by", " "), 2, "--by: person name ' ' is empty"),
        ((*FILES[:2], "none.tsv", *NAMED, "-o", "x"), 1, "none.tsv: no such file"),
        (
            (*FILES, "--decisions", "harbour.zh.jsonl", "-o", "x"),
            1,
            "is not a line of an adjudication file",
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
