"""``readmark mark`` as a program calls it and as a person reads it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import readmark
from made import LONG_NAME, SYSTEMS, asked, chinese, comprehension, passage

Run = Callable[..., subprocess.CompletedProcess[str]]
BEST = list(SYSTEMS)[1]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a Chinese test of long names, and every system's predictions."""
    folder = tmp_path_factory.mktemp("desk")
    readmark.save(chinese(), folder / "test.jsonl")
    for name, answers in SYSTEMS.items():
        (folder / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    header = {"readmark": 1, "file": "sitting", "candidate": "failing"}
    rows = [{"id": "码头一", "text": "七条木船"}, {"id": "码头二", "error": "timed out"}]
    lines = [json.dumps(line, ensure_ascii=False) for line in (header, *rows)]
    (folder / "failing.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def run(readmark_cli: Run, desk: Path) -> Run:
    """The command in that folder, with the status it must have."""

    def call(*args: str, status: int = 0, **more: Any) -> subprocess.CompletedProcess[str]:
        done = readmark_cli(*args, cwd=desk, **more)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return call


def test_json(run: Run) -> None:
    """Every key of the contract, and one document alone on stdout."""
    done = run("mark", "test.jsonl", "起点.json", "--json", "--by", "level,topic")
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert found.keys() >= {
        "test",
        "candidate",
        "units",
        "answered",
        "unanswered",
        "errors",
        "marks",
        "by",
        "per_unit",
        "people",
    }
    assert found["test"].keys() == {"name", "paper", "key"}
    assert found["test"]["name"] == LONG_NAME
    assert len(found["test"]["paper"]) == len(found["test"]["key"]) == 32
    assert found["candidate"] == "起点"
    assert (found["units"], found["answered"]) == (6, 3)
    assert found["unanswered"] == ["码头二", "蜂房一", "蜂房二"]
    assert found["errors"] == []
    assert list(found["marks"]) == ["em", "f1", "average", "f1(profile=zh)"]
    for mark in found["marks"].values():
        assert mark.keys() == {"score", "low", "high", "scale", "signature", "clusters"}
        assert mark["low"] <= mark["score"] <= mark["high"]
        assert mark["scale"] == 100
    # 河 is one of five characters: 2 / 6
    assert found["marks"]["em"]["score"] == pytest.approx(100 * 2 / 6)
    assert found["marks"]["f1"]["score"] == pytest.approx(100 * (2 + 1 / 3) / 6)
    assert list(found["by"]) == ["level", "topic"]
    assert list(found["by"]["level"]) == ["1", "2", "3"]
    slice_1 = found["by"]["level"]["1"]
    assert slice_1.keys() == {"units", *found["marks"]}
    assert slice_1["units"] == 3
    assert slice_1["em"].keys() == {"score", "low", "high", "clusters"}
    absent = {"score": 0, "low": None, "high": None, "clusters": 1}
    assert found["by"]["level"]["2"]["em"] == absent
    assert found["per_unit"]["磨坊二"] == {
        "em": 0,
        "f1": pytest.approx(1 / 3),
        "average": pytest.approx(1 / 6),
        "f1(profile=zh)": pytest.approx(1 / 3),
    }
    people = found["people"]
    assert people.keys() == {"method", "who", "units", "skipped", "clusters", "marks", "by"}
    assert (people["method"], people["units"], people["skipped"]) == ("leave-one-out", 5, 1)
    assert people["marks"]["f1"].keys() == {"machine", "people", "ratio", "low", "high"}
    assert people["by"]["level"]["1"]["f1"].keys() == people["marks"]["f1"].keys()


def test_json_without_units_and_without_people(run: Run, desk: Path) -> None:
    assert "per_unit" not in json.loads(
        run("mark", "test.jsonl", "起点.json", "--json", "--no-units").stdout
    )
    lonely = comprehension(passage("p", asked("a", "kettle")), passage("q", asked("b", "coat")))
    readmark.save(lonely, desk / "lonely.jsonl")
    (desk / "few.json").write_text('{"a": "kettle"}')
    found = json.loads(run("mark", "lonely.jsonl", "few.json", "--json").stdout)
    assert "people" not in found
    assert found["by"] == {}


def test_panel(run: Run) -> None:
    command = ("mark", "test.jsonl", f"{BEST}.json", "-m", "em", "--json", "--people")
    found = json.loads(run(*command, "学生甲.json", "--people", "起点.json").stdout)
    assert found["people"]["method"] == "panel"
    # 学生甲 has 木船, 正在补网 and 水车; 起点 has 七条木船 and 水车
    assert found["people"]["marks"]["em"]["people"] == pytest.approx(100 * (3 / 6 + 2 / 6) / 2)
    assert found["people"]["marks"]["em"]["machine"] == found["marks"]["em"]["score"] == 100


def test_options_reach_the_signature(run: Run) -> None:
    command = ("mark", "test.jsonl", "起点.json", "--json", "-m", "f1", "-m", "em(profile=zh)")
    more = ("--seed", "7", "--draws", "99", "--interval", "bca")
    found = json.loads(run(*command, *more).stdout)
    assert list(found["marks"]) == ["f1", "em(profile=zh)"]
    for mark in found["marks"].values():
        assert "interval:bca" in mark["signature"]
        assert "draws:99|seed:7" in mark["signature"]


def test_strangers(run: Run, desk: Path) -> None:
    (desk / "strange.json").write_text(json.dumps({"码头一": "木船", "x9": "y"}))
    done = run("mark", "test.jsonl", "strange.json", "--json")
    assert "does not have: 1 (x9)" in done.stderr
    assert json.loads(done.stdout)["units"] == 6
    done = run("mark", "test.jsonl", "strange.json", "--json", "--strict", status=1)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_errors(run: Run) -> None:
    done = run("mark", "test.jsonl", "failing.jsonl", "--json", status=1)
    found = json.loads(done.stdout)
    assert found["errors"] == ["码头二"]
    assert found["answered"] == 1
    assert len(found["unanswered"]) == 4
    assert "error rows: 1 (码头二)" in done.stderr
    calm = run("mark", "test.jsonl", "failing.jsonl", "--json", "--errors-as-wrong")
    assert json.loads(calm.stdout) == found
    assert calm.stderr == ""


def test_marksheet(run: Run, desk: Path) -> None:
    done = run("mark", "test.jsonl", "起点.json", "--json", "-o", "marks.jsonl.gz", "--redact")
    assert "marks.jsonl.gz" in done.stderr
    found = json.loads(done.stdout)
    direct = run("compare", "test.jsonl", "起点.json", f"{BEST}.json", "--json").stdout
    assert run("compare", "test.jsonl", "marks.jsonl.gz", f"{BEST}.json", "--json").stdout == direct
    assert found["candidate"] == json.loads(direct)["a"]


def tables(stdout: str) -> list[str]:
    """The lines before the signatures, which alone may run on."""
    lines = stdout.splitlines()
    [first] = [at for at, line in enumerate(lines) if line.startswith("signature ")]
    return lines[:first]


def test_tables_fit_eighty_columns(run: Run) -> None:
    command = ("mark", "test.jsonl", f"{BEST}.json", "--by", "level,topic")
    for more in ((), ("-m", "em"), ("--people", "学生甲.json")):
        assert max(map(cell_len, run(*command, *more).stdout.splitlines())) <= 80
        done = run(*command, *more, "--full")
        lines = tables(done.stdout)
        assert max(map(cell_len, lines)) <= 80
        # a name may be folded over several lines, with numbers between its pieces
        whole = re.sub(r"[\x00-\x7f–─]", "", done.stdout)
        assert LONG_NAME in whole
        assert BEST in whole
        assert "100.00" in done.stdout
        assert "\x1b" not in done.stdout


def test_columns_are_aligned_by_cells(run: Run) -> None:
    """Chinese labels are two cells a character: the numbers still end under one another."""
    lines = run("mark", "test.jsonl", "起点.json", "-m", "em", "--by", "topic").stdout.splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("topic"))
    rule = lines[start + 1]
    assert set(rule.strip()) == {"─"}
    end = cell_len(lines[start].rstrip())
    row = next(line for line in lines[start + 2 :] if line.startswith("水上"))
    assert cell_len(row.rstrip()) == end


def test_a_narrower_window(run: Run) -> None:
    command = ("mark", "test.jsonl", f"{BEST}.json", "--by", "topic")
    done = run(*command, "--full", env={"COLUMNS": "60"})
    assert max(map(cell_len, tables(done.stdout))) <= 60
    short = run(*command, env={"COLUMNS": "60"}).stdout.splitlines()
    assert max(map(cell_len, short)) <= 60


def test_markup_in_names_is_text(run: Run, desk: Path) -> None:
    name = "[bold]reader[/bold] \\[x]"
    sitting = {"readmark": 1, "file": "sitting", "candidate": name}
    (desk / "marked.jsonl").write_text(json.dumps(sitting) + '\n{"id":"码头一","text":"木船"}\n')
    assert name in run("mark", "test.jsonl", "marked.jsonl", "-m", "em").stdout


@pytest.mark.process
def test_colour_on_a_terminal_only(desk: Path) -> None:
    pty = pytest.importorskip("pty")
    command = [sys.executable, "-m", "readmark", "mark", "test.jsonl", "起点.json", "-m", "em"]
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    environment = clean | {"TERM": "xterm-256color", "COLUMNS": "80"}
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            command, cwd=desk, env=environment, stdout=theirs, stderr=subprocess.DEVNULL
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other side has left
                break
            if not piece:
                break
            shown += piece
        assert process.wait() == 0
    finally:
        os.close(ours)
    assert b"\x1b[1m" in shown
    piped = subprocess.run(command, cwd=desk, env=environment, capture_output=True, check=True)
    assert b"\x1b" not in piped.stdout
    assert "33.33" in piped.stdout.decode()


@pytest.mark.process
@pytest.mark.parametrize("args", [["--help"], ["mark", "--help"], ["compare", "--help"]])
def test_help_imports_nothing_heavy(args: list[str]) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "readmark", *args]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    assert "Usage" in done.stdout
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "click" in imported  # the list can be read
    assert imported & {"numpy", "rich", "nltk", "opencc", "regex", "scipy", "backports"} == set()


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["mark", "test.jsonl"], 2, "Missing argument 'SITTING'"),
        (["mark", "test.jsonl", "起点.json", "-m", "f3"], 2, "unknown metric 'f3'"),
        (["mark", "test.jsonl", "起点.json", "-m", "exact"], 2, "this one is comprehension"),
        (
            ["mark", "test.jsonl", "起点.json", "--draws", "0"],
            2,
            "--draws 0 is not from 1 to",
        ),
        (["mark", "test.jsonl", "起点.json", "--interval", "t"], 2, "'t' is not one of"),
        (["mark", "test.jsonl", "nowhere.json"], 1, "nowhere.json: no such file"),
        (["mark", "test.jsonl", "test.jsonl"], 1, "looks like a Readmark test"),
    ],
)
def test_bad_usage(run: Run, args: list[str], status: int, words: str) -> None:
    done = run(*args, status=status)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


GOLDEN = [
    ("cmrc2018_trial.expected.json", "golden/cmrc2018_trial.predictions.json"),
    ("xquad_en.logistic_regression_baseline.expected.json", None),
    ("xquad_en.match-lstm_with_ans-ptr.expected.json", None),
]


@pytest.mark.golden
@pytest.mark.parametrize(("expected", "predictions"), GOLDEN)
def test_golden(expected: str, predictions: str | None, shared: Path, readmark_cli: Run) -> None:
    gold = json.loads((shared / "golden" / expected).read_text(encoding="utf-8"))
    given = shared / (predictions or gold["predictions"])
    done = readmark_cli("mark", shared / gold["test"], given, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["units"] == gold["questions"]
    assert len(found["unanswered"]) == gold["unanswered"]
    assert found["answered"] == gold["questions"] - gold["unanswered"]
    for name in ("em", "f1"):
        assert round(found["marks"][name]["score"], 4) == gold[name]
    per_unit = {
        id: [round(one["em"], 6), round(one["f1"], 6)] for id, one in found["per_unit"].items()
    }
    assert per_unit == gold["per_question"]


def test_error_classes_are_printed_and_can_be_left_out(run: Run) -> None:
    command = ("mark", "test.jsonl", "起点.json", "--by", "level", "--full")
    done = run(*command)
    assert "error classes" in done.stdout
    assert any(line.split()[:1] == ["boundary"] for line in done.stdout.splitlines())
    told = json.loads(run(*command, "--json").stdout)["error_classes"]
    whole = told["machine"]["all"]
    assert sum(whole["counts"].values()) == whole["units"] == 6
    assert whole["counts"]["no_answer"] == 3
    assert len(told["per_unit"]) == 6
    assert "error classes" not in run(*command, "--no-classes").stdout
    assert "error_classes" not in json.loads(run(*command, "--no-classes", "--json").stdout)


def test_marking_imports_no_more_than_it_needs(tmp_path: Path) -> None:
    """Imports cost more than marking a SQuAD file does, so only what is needed is imported."""
    test = comprehension(passage("p", asked("q", "kettle"), asked("r", "boat")), language="en")
    readmark.save(test, tmp_path / "t.json")
    lines = ['{"readmark": 1, "file": "sitting", "candidate": "c"}', '{"id": "q", "text": "coat"}']
    (tmp_path / "s.jsonl").write_text("\n".join(lines) + "\n")
    code = (
        "import sys; from readmark.cli.main import run; run(['mark', 't.json', 's.jsonl']); "
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    imported = set(done.stderr.splitlines()[-1].split())
    assert "readmark.marking.mark_sitting" in imported
    unneeded = {
        "numpy.ma",
        "multiprocessing",
        "subprocess",
        "statistics",
        "matplotlib",
        "jinja2",
        "readmark.sitting.runner",
        "readmark.sitting.candidates",
        "readmark.text.analysers.chinese",
        "readmark.text.answers.replies",
        "rjieba",
    }
    assert not imported & unneeded
    for room in ("readmark.tasks", "readmark.series", "readmark.readability"):  # declared alone
        assert {name for name in imported if name.startswith(room)} <= {room, f"{room}.plugins"}
