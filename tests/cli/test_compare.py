"""``readmark compare``: its document, its verdict in words, its exit status."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import readmark
from made import SYSTEMS, asked, chinese, comprehension, passage
from readmark.core.sitting import Row, Sitting, SittingHeader

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]
FIRST, BEST, STUDENT = SYSTEMS
KEYS = {
    "metric",
    "a",
    "b",
    "difference",
    "low",
    "high",
    "p",
    "units",
    "clusters",
    "discordant",
    "detectable",
    "signature",
}
FORTY = [f"q{at:02}" for at in range(40)]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Chinese test of three passages, and one of forty, where differences can be proved."""
    folder = tmp_path_factory.mktemp("desk")
    readmark.save(chinese(), folder / "test.jsonl")
    readmark.save(
        comprehension(*(passage(id, asked(id, "kettle")) for id in FORTY)), folder / "l.jsonl"
    )
    made = {
        **SYSTEMS,
        "good": dict.fromkeys(FORTY, "kettle"),
        "fair": dict.fromkeys(FORTY[:38], "kettle"),
        "bad": dict.fromkeys(FORTY[:20], "kettle"),
    }
    for name, answers in made.items():
        (folder / f"{name}.json").write_text(json.dumps(answers), encoding="utf-8")
    return folder


@pytest.fixture
def run(readmark_cli: Run, desk: Path) -> Run:
    """The command in that folder, with the status it must have."""

    def call(*args: str, status: int = 0, **more: Any) -> subprocess.CompletedProcess[str]:
        done = readmark_cli("compare", *args, cwd=desk, **more)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return call


def only(done: subprocess.CompletedProcess[str]) -> Any:
    """The entry of a document with one comparison."""
    (found,) = json.loads(done.stdout)["comparisons"]
    return found


def test_json(run: Run) -> None:
    done = run("l.jsonl", "good.json", "bad.json", "--json")
    assert done.stdout.count("\n") == 1
    document = json.loads(done.stdout)
    assert (document["metrics"], document["a"], document["alpha"]) == (["f1"], "good", 0.05)
    (found,) = document["comparisons"]
    assert found.keys() >= KEYS
    assert (found["metric"], found["a"], found["b"]) == ("f1", "good", "bad")
    assert found["difference"] == -50
    assert found["low"] < -50 < found["high"] < 0
    assert found["p"] == 1 / 10_001
    assert (found["units"], found["clusters"], found["discordant"]) == (40, 40, 20)
    # the difference is 0 or 1 a passage, half of each: its standard error is near 0.5 / sqrt(40)
    assert found["detectable"] == pytest.approx(100 * 2.8 * 0.5 / 40**0.5, rel=0.1)
    assert "test:paired-randomisation|trials:10000" in found["signature"]


def test_several_are_adjusted_and_say_so(run: Run) -> None:
    done = run("l.jsonl", "good.json", "bad.json", "fair.json", "good.json", "--json", "-m", "em")
    found = json.loads(done.stdout)
    several = found["comparisons"]
    assert [one["b"] for one in several] == ["bad", "fair", "good (2)"]
    assert all(one.keys() >= KEYS and one["a"] == "good" for one in several)
    assert all("adjusted:holm" in one["signature"] for one in several)
    assert [one["adjusted_p"] for one in several] == pytest.approx(
        [3 / 10_001, min(1, 2 * several[1]["p"]), 1]
    )
    assert several[2]["p"] == 1
    shown = run("l.jsonl", "good.json", "bad.json", "fair.json").stdout
    assert "Holm" in shown


def test_options(run: Run) -> None:
    more = ("--trials", "99", "--seed", "5", "--draws", "50", "-m", "em(profile=zh)")
    found = only(run("l.jsonl", "good.json", "bad.json", "--json", *more))
    assert found["metric"] == "em(profile=zh)"
    assert found["p"] == 0.01
    assert "trials:99" in found["signature"]
    assert "draws:50|seed:5" in found["signature"]


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (["good.json", "bad.json"], 3),
        (["bad.json", "good.json"], 0),  # different, but better
        (["good.json", "good.json"], 0),
        (["good.json", "fair.json"], 0),  # worse by two of forty, which chance explains
        (["good.json", "fair.json", "--alpha", "0.6"], 3),
        (["good.json", "fair.json", "bad.json"], 3),  # one of several
        (["fair.json", "good.json", "fair.json"], 0),
    ],
)
def test_fail_if_worse(run: Run, args: list[str], status: int) -> None:
    done = run("l.jsonl", *args, "--fail-if-worse", "--trials", "2000", status=status)
    assert ("significantly worse" in done.stderr) == bool(status)
    assert done.stdout  # the table is printed either way


def test_fail_if_worse_goes_by_the_adjusted_p(run: Run) -> None:
    """Twice the same small difference: alone it is under the limit, adjusted it is not."""
    found = only(run("l.jsonl", "good.json", "fair.json", "--json"))
    assert found["p"] < 0.6 < 2 * found["p"]
    limit = ("--fail-if-worse", "--alpha", "0.6")
    run("l.jsonl", "good.json", "fair.json", *limit, status=3)
    run("l.jsonl", "good.json", "fair.json", "good.json", "fair.json", *limit, status=0)


def test_every_metric_is_a_reason_to_fail(run: Run) -> None:
    metrics = ("-m", "em", "-m", "f1", "--fail-if-worse", "--json")
    done = run("l.jsonl", "good.json", "bad.json", "good.json", *metrics, status=3)
    found = json.loads(done.stdout)["comparisons"]
    assert [(one["metric"], one["b"]) for one in found] == [
        ("em", "bad"),
        ("em", "good (2)"),
        ("f1", "bad"),
        ("f1", "good (2)"),
    ]
    last = done.stderr.splitlines()[-1]
    assert last == (
        "readmark: condition not met: significantly worse than good: "
        "bad in em (-50.00, p = 0.0002), bad in f1 (-50.00, p = 0.0002)"
    )


def test_slices_are_compared_with_holm_over_them(run: Run) -> None:
    by = ("--by", "question_word,passage_length", "--trials", "999")
    entry = only(run("l.jsonl", "good.json", "bad.json", "--json", *by))
    assert entry["by"].keys() == {"question_word", "passage_length"}
    whole = entry["by"]["question_word"]["what"]  # every question asks what
    for name in ("difference", "low", "high", "p", "units", "discordant", "adjusted_p"):
        assert whole[name] == entry[name]
    shown = " ".join(run("l.jsonl", "good.json", "bad.json", *by, "--full").stdout.split())
    assert "f1 by question_word: bad − good" in shown
    assert "p (Holm) is adjusted over all slices of a field" in shown
    assert "question_word question words:rules-2" in shown


def test_without_the_option_worse_is_no_failure(run: Run) -> None:
    done = run("l.jsonl", "good.json", "bad.json", status=0)
    assert "worse than good" in " ".join(done.stdout.split())
    assert done.stderr.startswith("readmark: bad.json: unanswered, counted as wrong: 20 (q20,")


def test_what_is_not_compared_is_not_told_as_unanswered(run: Run, desk: Path) -> None:
    rows = [{"id": id, "text": "kettle"} for id in FORTY[:30]]
    header = {"readmark": 1, "file": "sitting", "candidate": "first", "limit": 30}
    lines = [json.dumps(one) for one in (header, *rows)]
    (desk / "first.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    covers = "readmark: first.jsonl: what was sat: the first 30 units\n"
    for args in (("fair.json", "first.jsonl"), ("first.jsonl", "fair.json")):
        assert run("l.jsonl", *args, status=0).stderr == covers
    told = run("l.jsonl", "bad.json", "first.jsonl", status=0).stderr
    some = "q20, q21, q22, q23, q24, …"
    assert told == f"readmark: bad.json: unanswered, counted as wrong: 10 ({some})\n" + covers
    # the first is compared with each of the others: what one of them has counts
    told = run("l.jsonl", "bad.json", "first.jsonl", "good.json", status=0).stderr
    assert "bad.json: unanswered, counted as wrong: 20 (q20," in told


def test_identical_in_words(run: Run) -> None:
    shown = " ".join(run("l.jsonl", "good.json", "good.json", "--full").stdout.split())
    assert "no significant difference from good (p = 1.0000)" in shown
    assert re.search(r"of 40 units in \d+ passages, 0 differ", shown)
    assert "four times in five" not in shown  # nothing can be said of what would be found


def test_tables_fit_eighty_columns(run: Run) -> None:
    others = [f"{name}.json" for name in (BEST, STUDENT)]
    for args in ([f"{FIRST}.json", *others], [others[0], others[1]]):
        short = run("test.jsonl", *args).stdout.splitlines()
        assert max(map(cell_len, short)) <= 80
        assert not any(line.startswith("signature ") for line in short)
        done = run("test.jsonl", *args, "--full")
        lines = done.stdout.splitlines()
        end = next(at for at, line in enumerate(lines) if line.startswith("signature "))
        assert max(map(cell_len, lines[:end])) <= 80
        # a name may be folded over several lines, with numbers between its pieces
        assert BEST in re.sub(r"[\x00-\x7f–─]", "", done.stdout)
        assert "\x1b" not in done.stdout


def test_names_are_not_broken_inside_their_words(run: Run, desk: Path) -> None:
    long = "logistic_regression_baseline(seed=12,features=lexical)"
    for name, answers in ((long, FORTY[:30]), ("short", FORTY[:10])):
        (desk / f"{name}.json").write_text(json.dumps(dict.fromkeys(answers, "kettle")))
    readmark.mark(desk / "l.jsonl", desk / "good.json", marksheet=desk / "whole.jsonl")
    few = readmark.load(desk / "l.jsonl")
    given = Sitting(
        SittingHeader(candidate="ten", limit=10), {id: Row(id=id, answer="x") for id in FORTY[:10]}
    )
    readmark.mark(few, given, marksheet=desk / "ten.jsonl")
    for others in ([f"{long}.json", "short.json"], [f"{long}.json", "ten.jsonl"]):
        lines = run("l.jsonl", "whole.jsonl", *others).stdout.splitlines()
        start = next(at for at, line in enumerate(lines) if line.startswith("candidate"))
        end = next(at for at, line in enumerate(lines) if line.startswith(long))
        assert max(map(cell_len, lines[:end])) <= 80
        first = [line.split()[0] for line in lines[start + 2 : end] if line[:1].strip()]
        for piece in first:
            assert piece in ("short", "ten") or piece.endswith(tuple("_(,=)")), piece
        assert not re.search(r"differen$|differen ce", lines[start])


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["l.jsonl", "good.json"], 2, "Missing argument"),
        (["l.jsonl", "good.json", "bad.json", "--alpha", "5"], 2, "alpha 5.0 is not between"),
        (["l.jsonl", "good.json", "bad.json", "--trials", "0"], 2, "--trials 0 is not from 1 to"),
        (["l.jsonl", "good.json", "bad.json", "-m", "exact"], 2, "this one is comprehension"),
        (["l.jsonl", "good.json", "l.jsonl"], 1, "looks like a Readmark test"),
        (["l.jsonl", "good.json", "nowhere.json"], 1, "nowhere.json: no such file"),
    ],
)
def test_bad_usage(run: Run, args: list[str], status: int, words: str) -> None:
    done = run(*args, status=status)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert words in done.stderr


@pytest.mark.golden
def test_two_real_systems(shared: Path, readmark_cli: Run) -> None:
    systems = ("logistic_regression_baseline", "match-lstm_with_ans-ptr")
    files = [shared / "data" / "squad_predictions" / f"{name}.json" for name in systems]
    test = shared / "data" / "xquad" / "en.json"
    done = readmark_cli("compare", test, *files, "-m", "em", "--json", "--fail-if-worse")
    assert done.returncode == 0
    found = only(done)
    assert round(found["difference"], 4) == round(58.5366 - 32.7913, 4)
    assert found["p"] == 1 / 10_001
    done = readmark_cli("compare", test, *files[::-1], "-m", "em", "--json", "--fail-if-worse")
    assert done.returncode == 3
    assert only(done)["difference"] == -found["difference"]
