"""`readmark set crosscheck` and `set adjudicate` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from readmark.formats.registry import open_test
from readmark.settling import read_adjudication

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

ENGLISH = """\
Passage: tennis
English passage

<NP NE=PERSON>Hingis</NP> was so frustrated after <NP>the game</NP>. <NP>She</NP> left.

English questions

1. Who was frustrated?
"""
CHINESE = """\
Passage: tennis
Chinese passage

{zh}

Chinese questions

1. 谁 灰心丧气？
"""
ANN = CHINESE.format(
    zh="赛后 ， <NP NE=PERSON>轩 芝 丝</NP> 感到 灰心丧气。<NP>她</NP> 走 <NP>了</NP>。"
)
BO = CHINESE.format(
    zh="<ANSQ1>赛后 ， <NP NE=PERSON REFID=1>轩芝丝</NP> 感到 灰心丧气。</ANSQ1>"
    "<NP REF=1>她</NP> 走 了。"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ann.brcc").write_text(ANN, "utf-8")
    (tmp_path / "bo.brcc").write_text(BO, "utf-8")
    (tmp_path / "en.brcc").write_text(ENGLISH, "utf-8")
    return tmp_path


def decide(path: Path, **said: str) -> None:
    """Write a decision into every line, as somebody with an editor would."""
    first, *lines = path.read_text("utf-8").splitlines()
    made = []
    for line in lines:
        row: dict[str, Any] = json.loads(line)
        row |= {"decision": said.get(row["what"], "b"), "by": "chen"}
        made.append(json.dumps(row, ensure_ascii=False))
    path.write_text("\n".join([first, *made]) + "\n", "utf-8")


def test_from_two_files_to_gold(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli(
        "set",
        "crosscheck",
        "ann.brcc",
        "bo.brcc",
        "--english",
        "en.brcc",
        "-o",
        "adj.jsonl",
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "tennis:token:3-6  boundary" in done.stdout
    assert "轩 | 芝 | 丝" in done.stdout
    assert "[Hingis] was so frustrated after [the game]." in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "only bo has mention in passages: not compared" in done.stderr
    assert "adj.jsonl: 2 disagreements, 2 to decide" in done.stderr
    head = json.loads((folder / "adj.jsonl").read_text("utf-8").splitlines()[0])
    assert (head["readmark"], head["file"], head["work"]) == (1, "adjudication", "annotation")

    arguments = ("set", "adjudicate", "ann.brcc", "bo.brcc")
    arguments = (*arguments, "--decisions", "adj.jsonl", "-o", "gold.jsonl")
    done = readmark_cli(*arguments, cwd=folder)
    assert done.returncode == 1
    assert done.stdout.splitlines() == ["tennis:token:3-6", "tennis:np:15-16"]
    assert "adj.jsonl: 2 disagreements are undecided" in done.stderr
    assert not (folder / "gold.jsonl").exists()

    decide(folder / "adj.jsonl")
    done = readmark_cli(*arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["decisions"], told["by"], told["undecided"]) == ({"b": 2}, {"chen": 2}, [])
    [gold] = open_test(folder / "gold.jsonl").records()
    words = [one.quote for one in gold.layers["token"].over(gold.text)]
    assert words[2] == "轩芝丝"
    assert gold.key.layers["mention"].columns == {"id": (1, None), "ref": (None, 1)}
    assert gold.questions[0].key.sentences == ((0, 13),)
    done = readmark_cli("check", "gold.jsonl", cwd=folder)
    assert done.returncode == 0, done.stdout


def test_annotators_who_agree_leave_nothing_to_adjudicate(readmark_cli: Run, folder: Path) -> None:
    (folder / "cy.brcc").write_text(ANN, "utf-8")
    same = ("ann.brcc", "cy.brcc")
    done = readmark_cli("set", "crosscheck", *same, "-o", "adj.jsonl", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "nothing to adjudicate: adj.jsonl not written" in done.stderr
    assert json.loads(done.stdout)["output"] is None
    assert not (folder / "adj.jsonl").exists()
    gold = ("--decisions", "adj.jsonl", "-o", "gold.jsonl")
    assert readmark_cli("set", "adjudicate", *same, *gold, cwd=folder).returncode == 0
    assert (folder / "gold.jsonl").is_file()
    differ = ("ann.brcc", "bo.brcc")
    missing = readmark_cli("set", "adjudicate", *differ, *gold, cwd=folder)
    assert missing.returncode == 1
    assert "adj.jsonl: no such file" in missing.stderr


def test_decisions_are_kept_when_it_runs_again(readmark_cli: Run, folder: Path) -> None:
    arguments = ("set", "crosscheck", "ann.brcc", "bo.brcc", "-o", "adj.jsonl")
    assert readmark_cli(*arguments, cwd=folder).returncode == 0
    decide(folder / "adj.jsonl")
    (folder / "bo.brcc").write_text(BO.replace("轩芝丝", "轩 芝丝"), "utf-8")
    done = readmark_cli(*arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = {one["id"]: one for one in json.loads(done.stdout)["disagreements"]}
    assert rows["tennis:np:15-16"]["decision"] == "b"
    assert "decision" not in rows["tennis:token:4-6"]
    assert "1 decision about versions that no longer exist, now in adj.jsonl.dropped" in done.stderr
    _, dropped = read_adjudication(folder / "adj.jsonl.dropped")
    assert [(one.id, one.decision, one.by) for one in dropped] == [
        ("tennis:token:3-6", "b", "chen")
    ]
    decide(folder / "adj.jsonl", token="a")
    (folder / "bo.brcc").write_text(BO, "utf-8")
    assert readmark_cli(*arguments, cwd=folder).returncode == 0
    _, dropped = read_adjudication(folder / "adj.jsonl.dropped2")
    assert [(one.id, one.decision) for one in dropped] == [("tennis:token:4-6", "a")]
    done = readmark_cli(*arguments, "--names", "甲,乙", cwd=folder)
    assert done.returncode == 2
    assert "adj.jsonl: is the adjudication of ann and bo (annotation)" in done.stderr


def test_decisions_that_would_not_be_compared_are_not_lost(readmark_cli: Run, folder: Path) -> None:
    arguments = ("set", "crosscheck", "ann.brcc", "bo.brcc", "-o", "adj.jsonl")
    assert readmark_cli(*arguments, cwd=folder).returncode == 0
    decide(folder / "adj.jsonl")
    before = (folder / "adj.jsonl").read_bytes()
    done = readmark_cli(*arguments, "--layers", "np", cwd=folder)
    assert done.returncode == 2
    assert "adj.jsonl: has decisions about token, which would no longer be compared" in done.stderr
    assert (folder / "adj.jsonl").read_bytes() == before
    # What is compared beyond that takes nothing away.
    done = readmark_cli(*arguments, "--layers", "token,np,ne,mention", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "adj.jsonl: 3 disagreements, 1 to decide" in done.stderr
    assert not (folder / "adj.jsonl.dropped").exists()


def test_what_follows_needs_no_decision(readmark_cli: Run, folder: Path) -> None:
    (folder / "bo.brcc").write_text(ANN.replace("芝 丝</NP>", "芝</NP> 丝"), "utf-8")
    files = ("ann.brcc", "bo.brcc")
    done = readmark_cli("set", "crosscheck", *files, "-o", "adj.jsonl", cwd=folder)
    told = "adj.jsonl: 2 disagreements, 1 to decide (1 more follow from others)"
    assert told in done.stderr
    done = readmark_cli(
        *("set", "adjudicate", *files, "--decisions", "adj.jsonl", "-o", "gold.brcc"), cwd=folder
    )
    assert (done.returncode, done.stdout) == (1, "tennis:np:3-6\n")
    assert "adj.jsonl: 1 disagreement is undecided; decide it" in done.stderr
    decide(folder / "adj.jsonl")
    done = readmark_cli(
        *("set", "adjudicate", *files, "--decisions", "adj.jsonl", "-o", "gold.brcc"), cwd=folder
    )
    assert done.returncode == 0, done.stderr


def test_all_layers_when_asked(readmark_cli: Run, folder: Path) -> None:
    layers = "token,np,ne,mention,answer_sentence"
    done = readmark_cli(
        "set",
        "crosscheck",
        "ann.brcc",
        "bo.brcc",
        *("--layers", layers, "--names", "甲,乙", "--json"),
        cwd=folder,
    )
    told = json.loads(done.stdout)
    assert (told["a"], told["b"], told["output"]) == ("甲", "乙", None)
    causes = {one["id"]: one["cause"] for one in told["disagreements"]}
    assert causes == {
        "tennis:token:3-6": "boundary",
        "tennis:np:15-16": "only_a",
        "tennis:mention:13-14": "only_b",
        "tennis:tennis-1:answer_sentence": "sentence",
    }
    assert told["layers"]["ne"]["f1"] == 1.0


def test_conflicting_decisions(readmark_cli: Run, folder: Path) -> None:
    (folder / "bo.brcc").write_text(
        BO.replace("走 了", "走 <NP NE=TIME>了。</NP>").replace("</NP>。", "</NP>"), "utf-8"
    )
    arguments = ("set", "crosscheck", "ann.brcc", "bo.brcc", "-o", "adj.jsonl")
    assert readmark_cli(*arguments, cwd=folder).returncode == 0
    decide(folder / "adj.jsonl", np="a", ne="b")
    done = readmark_cli(
        "set",
        "adjudicate",
        "ann.brcc",
        "bo.brcc",
        "--decisions",
        "adj.jsonl",
        "-o",
        "gold.jsonl",
        cwd=folder,
    )
    assert done.returncode == 1
    assert not (folder / "gold.jsonl").exists()
    [line] = [one for one in done.stderr.splitlines() if "not a noun phrase" in one]
    assert "see tennis:ne:15-17 and tennis:np:15-17" in line


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (("ann.brcc",), 2, "expected two annotators' files, A and B; found 1"),
        (
            ("ann.brcc", "both.brcc"),
            2,
            "both.brcc has two languages, en and zh: run `readmark conv",
        ),
        (("ann.brcc", "ann.brcc"), 2, "both annotators are called"),
        (
            ("en.brcc", "ann.brcc"),
            2,
            "en.brcc is in en, ann.brcc in zh; --consistency compares parallel tests",
        ),
        (("ann.brcc", "bo.brcc", "--names", "ann,ann"), 2, "are called 'ann'"),
        (("ann.brcc", "bo.brcc", "-o", "bo.brcc"), 2, "is what is being read"),
        (("ann.brcc", "bo.brcc", "--layers", "nps"), 2, "did you mean np?"),
        (("ann.brcc", "other.brcc"), 1, "other.brcc: has no passage 'tennis'"),
        (
            ("ann.brcc", "changed.brcc"),
            1,
            "changed.brcc:tennis: belongs to another version of the text, which differs at "
            "character 3",
        ),
        (("ann.brcc", "asked.brcc"), 1, "asked.brcc:tennis-1: belongs to another version"),
        (("ann.brcc", "empty.brcc"), 1, "empty.brcc"),
        (("ann.brcc", "none.brcc"), 1, "none.brcc: no such file"),
        (("--consistency", "ann.brcc"), 2, "expected an English and a Chinese test, A and B; foun"),
        (("--consistency", "ann.brcc", "bo.brcc"), 2, "ann.brcc is in zh, bo.brcc in zh"),
        (("--consistency", "--corrections", "ann.brcc"), 2, "choose one"),
        (("--consistency", "zh.brcc", "--names", "a,b"), 2, "--names does nothing with"),
        (("--consistency", "zh.brcc", "--layers", "np"), 2, "--layers does nothing with"),
        (("--consistency", "zh.brcc", "--common"), 2, "--common does nothing with --consistency"),
        (("--consistency", "zh.brcc", "--english", "en.brcc"), 2, "--english does nothing with"),
        (
            ("--corrections", "ann.brcc", "bo.brcc", "--english", "none.brcc"),
            2,
            "--english does nothing with --corrections; leave it out",
        ),
        (("--corrections", "ann.brcc", "bo.brcc", "--show", "10"), 2, "--show does nothing with"),
        (("ann.brcc", "bo.brcc", "-o", "notes.txt"), 1, "notes.txt:1: is not a line of"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    readmark_cli: Run, folder: Path, arguments: tuple[str, ...], status: int, line: str
) -> None:
    for name, text in (
        ("other", ANN.replace("tennis", "golf")),
        ("changed", ANN.replace("轩", "宣")),
        ("asked", ANN.replace("谁 灰心丧气", "谁 走 了")),
        ("empty", ""),
        ("both", ENGLISH + ANN.removeprefix("Passage: tennis")),
    ):
        (folder / f"{name}.brcc").write_text(text, "utf-8")
    (folder / "notes.txt").write_text("as it was\n")
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    done = readmark_cli("set", "crosscheck", *arguments, cwd=folder)
    assert done.returncode == status, done.stderr
    assert done.stdout == ""
    [told] = done.stderr.splitlines()
    assert line in told
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before


def test_corrections(readmark_cli: Run, folder: Path) -> None:
    done = readmark_cli("set", "crosscheck", "ann.brcc", "bo.brcc", "--corrections", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "ann corrected as bo" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    done = readmark_cli(
        "set",
        "crosscheck",
        "ann.brcc",
        "bo.brcc",
        "--corrections",
        "--json",
        cwd=folder,
    )
    token = json.loads(done.stdout)["layers"]["token"]
    assert {name: token[name] for name in ("kept", "moved", "removed", "added")} == {
        "kept": 12,
        "moved": 1,
        "removed": 2,
        "added": 0,
    }


@pytest.mark.parametrize("tests", [("en.brcc", "ann.brcc"), ("ann.brcc", "en.brcc")])
def test_consistency(readmark_cli: Run, folder: Path, tests: tuple[str, str]) -> None:
    done = readmark_cli("set", "crosscheck", "--consistency", *tests, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    [text] = json.loads(done.stdout)["texts"]
    pairs = [(one["english"]["quote"], one["chinese"]["quote"]) for one in text["aligned"]]
    assert pairs == [("Hingis", "轩芝丝"), ("She", "她")]
    assert [one["quote"] for one in text["chinese_alone"]] == ["了"]
    assert [one["quote"] for one in text["english_alone"]] == ["the game"]
    done = readmark_cli("set", "crosscheck", "--consistency", *tests, cwd=folder)
    assert "Chinese without a counterpart: 了" in done.stdout


def test_brat_beside_brcc(readmark_cli: Run, folder: Path) -> None:
    """One annotator works in brat, which holds no questions; the gold has the other's."""
    done = readmark_cli("convert", "bo.brcc", "bo", "--to", "brat", cwd=folder)
    assert done.returncode == 0, done.stderr
    files = ("bo", "ann.brcc")
    done = readmark_cli("set", "crosscheck", *files, "-o", "adj.jsonl", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    found = {one["id"] for one in json.loads(done.stdout)["disagreements"]}
    assert found == {"tennis:token:3-6", "tennis:np:15-16"}
    assert "one file has no questions in 'tennis'" in done.stderr
    done = readmark_cli(
        *("set", "adjudicate", *files, "--decisions", "adj.jsonl", "--undecided", "a"),
        "-o",
        "gold.jsonl",
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    [gold] = open_test(folder / "gold.jsonl").records()
    assert [one.id for one in gold.questions] == ["tennis-1"]
    assert gold.layers["token"].spans[2] == (3, 6)
    assert gold.parallel == "tennis"


def test_passages_that_both_have(readmark_cli: Run, folder: Path) -> None:
    more = ANN + "\n" + ANN.replace("tennis", "golf")
    (folder / "more.brcc").write_text(more, "utf-8")
    files = ("more.brcc", "bo.brcc")
    done = readmark_cli("set", "crosscheck", *files, "--common", "-o", "a.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "only more has the passages 'golf': left out" in done.stderr
    done = readmark_cli(
        *("set", "adjudicate", *files, "--decisions", "a.jsonl", "--undecided", "b"),
        "-o",
        "gold.jsonl",
        "--json",
        cwd=folder,
    )
    assert json.loads(done.stdout)["passages"] == 1
