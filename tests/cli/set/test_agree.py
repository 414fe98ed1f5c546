"""`readmark set agree` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from readmark.cli.main import cli
from readmark.formats.registry import open_languages, save_test

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

KITE = Path(__file__).resolve().parents[3] / "docs" / "examples" / "kite.brcc"
BOOK = Path(__file__).resolve().parents[3] / "src" / "readmark" / "bundle" / "reading.zh.jsonl"


@pytest.fixture
def annotated(tmp_path: Path) -> Path:
    """Two annotators' BRCC files: another word, another noun phrase, another antecedent."""
    [chinese] = [test for test in open_languages(KITE) if test.language == "zh"]
    save_test(chinese, tmp_path / "ann.brcc", format="brcc")
    text = (tmp_path / "ann.brcc").read_text("utf-8")
    (tmp_path / "ann.brcc").write_text(text, "utf-8")
    for old, new in (
        ("<NP>丝绸 和 竹子</NP>", "<NP>丝绸</NP> 和 <NP>竹子</NP>"),
        ("放 上 了", "放上 了"),
        ("放 的 <NP REF=2>", "放 的 <NP>"),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "bo.brcc").write_text(text, "utf-8")
    return tmp_path


def test_two_annotators_of_a_corpus(readmark_cli: Run, annotated: Path) -> None:
    done = readmark_cli(
        "set", "agree", "ann.brcc", "bo.brcc", "--json", "-o", "r.json", cwd=annotated
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert json.loads((annotated / "r.json").read_text("utf-8")) == told
    assert [one["name"] for one in told["annotators"]] == ["ann", "bo"]
    assert set(told["what"]) == {
        "type",
        "token",
        "np",
        "ne",
        "coreference",
        "answers",
        "answer_sentences",
    }
    words = told["what"]["token"]["pairs"][0]["figures"]["words"]
    # 45 and 44 words of passage, questions and keys; 43 are the same.
    assert words["value"] == pytest.approx(2 * 43 / 89)
    assert words["n"] == 89
    phrases = told["what"]["np"]["pairs"][0]["figures"]
    assert phrases["exact"]["value"] == pytest.approx(2 * 14 / 31)
    assert phrases["overlap"]["value"] == 1
    chains = told["what"]["coreference"]["pairs"][0]["figures"]
    # Four links against three, all three kept.
    assert chains["muc"]["value"] == pytest.approx(6 / 7)
    assert told["what"]["ne"]["pairs"][0]["figures"]["exact"]["value"] == 1
    assert told["what"]["answers"]["figures"]["percent"]["value"] == 1
    assert told["what"]["answers"]["figures"]["alpha(unitizing)"]["value"] is None


def test_annotators_of_two_formats(readmark_cli: Run, annotated: Path) -> None:
    for target, options in (("bo.jsonl", ()), ("bo", ("--to", "brat"))):
        source = "bo.brcc" if target == "bo.jsonl" else "bo.jsonl"
        done = readmark_cli("convert", source, target, *options, cwd=annotated)
        assert done.returncode == 0, done.stderr
    done = readmark_cli(
        "set", "agree", "ann.brcc", "bo", "--what", "np,token", "--json", cwd=annotated
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["what"]
    # brat holds the passage alone: 9 of 10 and 11 noun phrases, 25 of 27 and 26 words.
    assert told["np"]["pairs"][0]["figures"]["exact"]["value"] == pytest.approx(18 / 21)
    assert told["token"]["pairs"][0]["figures"]["words"]["value"] == pytest.approx(50 / 53)


def test_the_table_fits(readmark_cli: Run, annotated: Path) -> None:
    (annotated / "刘先生的标注.brcc").write_bytes((annotated / "bo.brcc").read_bytes())
    done = readmark_cli("set", "agree", "ann.brcc", "bo.brcc", "刘先生的标注.brcc", cwd=annotated)
    assert done.returncode == 0, done.stderr
    assert max(map(cell_len, done.stdout.splitlines())) <= 80
    assert "bo – 刘先生的标注" in done.stdout
    assert "mean of pairs" in done.stdout
    assert "CoNLL mean" in done.stdout
    assert "no intervals: there is one passage" in done.stdout


def test_answers_of_several_people(readmark_cli: Run) -> None:
    done = readmark_cli("set", "agree", BOOK, "--json", "--draws", "100")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["what"]
    assert list(told) == ["answers"]
    assert told["answers"]["annotators"] == ["r1", "r2", "r3"]
    alpha = told["answers"]["figures"]["alpha(unitizing)"]
    assert alpha["low"] < alpha["value"] < alpha["high"] < 1


def test_labels_and_what_is_undefined(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("\ufeffid,level\nq1,1\nq2,1\nq3,1\n", "utf-8")
    (tmp_path / "b.csv").write_text("id,level\nq1,1\nq2,1\nq4,1\n", "utf-8")
    done = readmark_cli("set", "agree", "a.csv", "b.csv", "--names", "安,博", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "level (labels, ordinal): 2 units by all, 2 (q3, q4) by some only" in done.stdout
    assert "by 安, 博" in done.stdout
    assert "100.0%" in done.stdout
    assert "1.000" not in done.stdout
    assert done.stdout.count("undefined") >= 6
    told = " ".join(done.stdout.split())
    assert "undefined: every label is 1" in told


def test_a_confusion(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "all.csv").write_text(
        "id,decision,person,passage\n"
        "s1,keep,ann,p1\ns2,discard,ann,p2\ns3,keep,ann,p3\n"
        "s1,keep,bo,p1\ns2,keep,bo,p2\ns3,keep,bo,p3\n",
        "utf-8",
    )
    done = readmark_cli("set", "agree", "all.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["ann", "\\", "bo", "discard", "keep"] in rows
    assert ["discard", "–", "1"] in rows
    assert ["keep", "–", "2"] in rows
    assert "not equal: 1 (s2)" in done.stdout


def test_missing_intervals_are_told(readmark_cli: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,decision,type\nq1,x,x\nq2,y,\nq3,x,\n", "utf-8")
    (tmp_path / "b.csv").write_text("id,decision,type\nq1,x,y\nq2,y,\nq3,y,\n", "utf-8")
    done = readmark_cli("set", "agree", "a.csv", "b.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    first, second = " ".join(done.stdout.split()).split("type (labels")
    assert "no interval" not in first
    assert (
        "no interval of equal, Fleiss' kappa, alpha (nominal), Cohen's kappa: "
        "there is one passage, which cannot be resampled" in second
    )
    assert "intervals: 95%" in second
    done = readmark_cli("set", "agree", "a.csv", "b.csv", "--what", "type", cwd=tmp_path)
    assert done.stdout.count("no interval") == 1
    assert "no intervals: there is one passage" in done.stdout


@pytest.mark.command
def test_a_long_bootstrap_says_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readmark.console.ticker.EVERY_LOG", 0.0)
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_text("id,decision\nq1,x\nq2,y\n", "utf-8")
    done = CliRunner().invoke(cli, ["set", "agree", *map(str, paths), "--json", "--draws", "2000"])
    assert done.exit_code == 0, done.output
    assert "decision: 2,000/2,000 draws of kappa" in done.stderr
    assert json.loads(done.stdout)["draws"] == 2000


def test_unicode_text_of_a_spreadsheet(readmark_cli: Run, tmp_path: Path) -> None:
    for name in ("安.csv", "博.tsv"):
        (tmp_path / name).write_text("id\ttype\r\nq1\t谁\r\nq2\t哪里\r\n", "utf-16")
    done = readmark_cli("set", "agree", "安.csv", "博.tsv", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["what"]["type"]["labels"] == ["哪里", "谁"]


@pytest.mark.parametrize(
    ("arguments", "status", "line"),
    [
        (("a.csv",), 2, "agreement needs two annotators; found one ('a') in a.csv"),
        (("a.csv", "sub/a.csv"), 2, "two annotators are called 'a', in a.csv and sub/a.csv"),
        (("a.csv", "b.csv", "--names", "x,x"), 2, "two annotators are called 'x'"),
        (("a.csv", "b.csv", "--names", "x"), 2, "--names has 1; there are 2 annotators: a, b"),
        (("a.csv", "b.csv", "--what", "np", "--scale", "ratio"), 2, "ratio labels are numbers"),
        (
            ("a.csv", "b.csv", "--scale", "ordinal"),
            2,
            "unless --order names them; 'label' has 'easy'",
        ),
        (("a.csv", "b.csv", "--ordinal"), 2, "--ordinal is gone: write --scale ordinal"),
        (("a.csv", "b.csv", "--order", "hard"), 2, "--order does not have 'easy'"),
        (("a.csv", "b.csv", "-o", "a.csv"), 2, "a.csv is what is being read"),
        (("a.csv", "b.csv", "--confidence", "2"), 2, "between 0 and 1"),
        (("a.csv", "b.csv", "--draws", "-1"), 2, "draws must be from 0 to 1,000,000, found -1"),
        (("a.csv", "empty.csv"), 1, "empty.csv: has no labels"),
        (("a.csv", "other.csv"), 1, "labelled no unit in common"),
        (("a.csv", "none.csv"), 1, "none.csv: no such file"),
        (("a.csv", "bad.csv"), 1, "bad.csv: is a binary file"),
        (("a.csv", "bad.jsonl"), 1, "bad.jsonl:2: not valid JSON"),
        (("ann.brcc", "dee.brcc"), 1, "dee.brcc:kite: belongs to another version of the text"),
        (("ann.brcc",), 2, "agreement needs two annotators"),
        (
            ("ann.brcc", "bo.brcc", "--what", "nq"),
            2,
            "no annotator has 'nq'; known: answer_sentences",
        ),
        (("ann.brcc", "a.csv"), 2, "nothing in common to compare"),
    ],
)
def test_bad_input_is_one_line(
    readmark_cli: Run, annotated: Path, arguments: tuple[str, ...], status: int, line: str
) -> None:
    (annotated / "sub").mkdir()
    for name in ("a.csv", "sub/a.csv", "b.csv"):
        (annotated / name).write_text("id,label\nq1,easy\nq2,hard\n", "utf-8")
    (annotated / "empty.csv").write_text("", "utf-8")
    (annotated / "other.csv").write_text("id,label\nz,easy\n", "utf-8")
    (annotated / "bad.csv").write_bytes(b"id,label\nq1,\xff\0\n")
    (annotated / "bad.jsonl").write_bytes(b'{"id": "q1", "label": 1}\n{"id":\n')
    changed = (annotated / "ann.brcc").read_text("utf-8").replace("一个 星期天", "两个 星期天")
    (annotated / "dee.brcc").write_text(changed, "utf-8")
    before = (annotated / "a.csv").read_bytes()
    done = readmark_cli("set", "agree", *arguments, cwd=annotated)
    assert done.returncode == status
    assert done.stdout == ""
    [told] = done.stderr.splitlines()
    assert line in told
    assert (annotated / "a.csv").read_bytes() == before
