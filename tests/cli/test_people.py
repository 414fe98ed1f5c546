"""``readmark people``: its document, its table, and what it says when there are no people."""

import gzip
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import readmark
from made import LONG_NAME, SYSTEMS, asked, chinese, comprehension, passage
from oracles.official import cmrc_em
from readmark.core.marksheet import read_marksheet_rows

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
FIRST, BEST, STUDENT = SYSTEMS


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Chinese test with several people's answers, one with a single answer, and sittings."""
    folder = tmp_path_factory.mktemp("desk")
    readmark.save(chinese(), folder / "test.jsonl")
    readmark.save(comprehension(passage("p", asked("a", "kettle"))), folder / "lonely.jsonl")
    for name, answers in SYSTEMS.items():
        (folder / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    return folder


@pytest.fixture
def run(readmark_cli: Run, desk: Path) -> Run:
    """The command in that folder, with the status it must have."""

    def call(*args: str, status: int = 0, **more: Any) -> subprocess.CompletedProcess[str]:
        done = readmark_cli("people", *args, cwd=desk, **more)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return call


def test_json(run: Run) -> None:
    done = run("test.jsonl", "--json", "--by", "level")
    assert done.stdout.count("\n") == 1
    found = json.loads(done.stdout)
    assert found.keys() >= {"method", "units", "skipped", "marks", "by"}
    assert found["test"].keys() == {"name", "paper", "key"}
    assert (found["method"], found["units"], found["skipped"]) == ("leave-one-out", 5, 1)
    assert list(found["marks"]) == ["em", "f1", "average", "f1(profile=zh)"]
    for mark in found["marks"].values():
        assert mark.keys() == {"score", "low", "high", "scale", "signature", "clusters"}
    # EM: 2/3 and 2/3 at the harbour, 1 at the mill, 0 and 0 among the bees
    assert found["marks"]["em"]["score"] == pytest.approx(100 * (4 / 3 + 1) / 5)
    # F1: 木船 is 2 of 七条木船 (2/3), 补网 of 正在补网 too; 三十箱 6/7, 小满 2/3
    harbour = (1 + 2 / 3 + 1) / 3
    assert found["marks"]["f1"]["score"] == pytest.approx(
        100 * (harbour + harbour + 1 + 6 / 7 + 2 / 3) / 5
    )
    assert {label: one["units"] for label, one in found["by"]["level"].items()} == {
        "1": 3,
        "2": 1,
        "3": 1,
    }
    assert found["by"]["level"]["2"]["em"] == {
        "score": pytest.approx(200 / 3),
        "low": None,
        "high": None,
        "clusters": 1,
    }


def test_panel(run: Run) -> None:
    command = ("test.jsonl", f"{FIRST}.json", f"{BEST}.json", f"{STUDENT}.json")
    found = json.loads(run(*command, "--json", "-m", "em").stdout)
    assert (found["method"], found["units"], found["skipped"]) == ("panel", 6, 0)
    each = {name: own["em"]["score"] for name, own in found["each"].items()}
    assert each == pytest.approx({FIRST: 200 / 6, BEST: 100, STUDENT: 50})
    assert found["marks"]["em"]["score"] == pytest.approx((200 / 6 + 100 + 50) / 3)


def test_tables_fit_eighty_columns(run: Run) -> None:
    for more in ((), (f"{FIRST}.json", f"{BEST}.json")):
        short = run("test.jsonl", *more, "--by", "level,topic").stdout.splitlines()
        assert max(map(cell_len, short)) <= 80
        assert not any(line.startswith(("signature ", "error classes")) for line in short)
        done = run("test.jsonl", *more, "--by", "level,topic", "--full")
        lines = done.stdout.splitlines()
        end = next(at for at, line in enumerate(lines) if line.startswith("signature "))
        assert max(map(cell_len, lines[:end])) <= 80
        # a name may be folded over several lines, with numbers between its pieces
        whole = re.sub(r"[\x00-\x7f–─]", "", done.stdout)
        assert LONG_NAME in whole
        assert (BEST in whole) == bool(more)
        assert "\x1b" not in done.stdout


def test_marksheet(run: Run, desk: Path) -> None:
    done = run("test.jsonl", "-o", "people.jsonl", "--json")
    assert "people.jsonl" in done.stderr
    marks = list(read_marksheet_rows(str(desk / "people.jsonl")))[-1].marks  # type: ignore[union-attr]
    assert marks["marks"] == json.loads(done.stdout)["marks"]


def test_one_answer_a_question_has_no_human_figure(run: Run) -> None:
    done = run("lonely.jsonl", status=1)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "lonely.jsonl: has no human score" in done.stderr


def test_strangers_are_told(run: Run, desk: Path) -> None:
    (desk / "lost.json").write_text('{"x1": "y", "x2": "z", "码头一": "雾"}', encoding="utf-8")
    done = run("test.jsonl", "lost.json", "--json")
    assert "lost.json: warning: only 1 of 3 answers are to units of test.jsonl" in done.stderr
    assert "lost.json: answers to units that the test does not have: 2 (x1, x2)" in done.stderr


def test_strangers_alone_are_refused(run: Run, desk: Path) -> None:
    (desk / "lost.json").write_text('{"x1": "y", "x2": "z"}')
    done = run("test.jsonl", "lost.json", "--json", status=1)
    assert done.stderr == (
        "readmark: lost.json: no answer is to a unit of test.jsonl: the answers are to "
        "'x1', 'x2'; the test has '码头一', '码头二', '磨坊一', …\n"
    )


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        ([], 2, "Missing argument 'TEST'"),
        (["test.jsonl", "--method", "panel"], 2, "--method is gone: leave it out"),
        (["test.jsonl", "nowhere.json"], 1, "nowhere.json: no such file"),
    ],
)
def test_bad_usage(run: Run, args: list[str], status: int, words: str) -> None:
    done = run(*args, status=status)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


@pytest.mark.golden
def test_drcd(shared: Path, readmark_cli: Run) -> None:
    file = shared / "data" / "drcd" / "dev.json.gz"
    done = readmark_cli("people", file, "--json", "-m", "em")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        articles = json.load(stream)["data"]
    pairs = [
        [answer["text"] for answer in question["answers"]]
        for article in articles
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    ]
    # two people a question: each is the other's only reference, and EM is the same both ways
    right = sum(cmrc_em(one, other) for one, other in pairs)
    assert found["units"] == len(pairs) == 3524
    assert found["marks"]["em"]["score"] == pytest.approx(100 * right / len(pairs), abs=1e-9)
