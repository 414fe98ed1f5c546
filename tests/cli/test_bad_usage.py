"""Bad usage through the real command line, and output that cannot be written."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from small_files import HEADER, PASSAGE, bad_file, lines

pytestmark = pytest.mark.slow

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

MARK = ("mark", "t.jsonl", "p.json", "-o", "out.jsonl", "--json")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("chekc", "t.jsonl"), "no command 'chekc'; did you mean check?"),
        (("poem",), "no command 'poem'; known: demo, run, get, list, "),
        (("--poem",), "No such option '--poem'"),
        (("check",), "Missing argument 'TEST...'"),
        (("mark", "t.jsonl"), "Missing argument 'SITTING'"),
        (("compare", "t.jsonl", "p.json"), "Missing argument 'B [C...]'"),
        (("list", "formats", "squad", "t.jsonl"), "unexpected extra argument (t.jsonl)"),
        ((*MARK, "--poem"), "No such option '--poem'"),
        ((*MARK, "--strikt"), "No such option '--strikt'"),
        ((*MARK, "-m", "f2"), "unknown metric 'f2'; known: em, f1, "),
        ((*MARK, "-m", "contians"), "unknown metric 'contians'; did you mean contains?"),
        ((*MARK, "-m", "f1(profil=zh)"), "metric f1 has no parameter 'profil'; did you mean pro"),
        ((*MARK, "-m", "f1(profile=cmrc)"), "metric f1: profile=cmrc is not one of squad|squad2|"),
        ((*MARK, "-m", "f1(simplify=2)"), "metric f1: simplify=2 is not true or false"),
        (
            (*MARK, "-m", "f1(match=bag,profile=cmrc2018)"),
            "profile cmrc2018 has no match=bag; known: substring, subsequence",
        ),
        ((*MARK, "-m", "f1(match=bag)"), "profile squad has no match=bag; only zh and"),
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
        ((*MARK, "--draws", "0"), "--draws 0 is not from 1 to 1,000,000"),
        ((*MARK, "--draws", "1000001"), "--draws 1,000,001 is not from 1 to"),
        ((*MARK, "--confidence", "95"), "95.0 is not between 0 and 1"),
        ((*MARK, "--confidence", "nan"), "nan is not between 0 and 1"),
        ((*MARK, "--interval", "normal"), "'normal' is not one of 'percentile', 'bca'"),
        (("compare", "t.jsonl", "p.json", "s.jsonl", "--alpha", "5"), "alpha 5.0 is not between"),
        (
            ("compare", "t.jsonl", "p.json", "s.jsonl", "--trials", "99999999999"),
            "--trials 99,999,999,999 is not from 1 to 1,000,000",
        ),
        (
            ("people", "t.jsonl", "--draws", "1000001"),
            "--draws 1,000,001 is not from 1 to",
        ),
        (
            ("panel", "power", "--panels", "100001"),
            "panels must be from 1 to 100,000, found 100,001",
        ),
        (("panel", "power", "--novices", "8,99999"), "novices must be from 2 to 1,000, found"),
        (("panel", "power", "--passages", "100001"), "passages must be from 2 to 100,000, found"),
        (("stats", "t.jsonl", "--from", "sitting"), "format 'sitting' does not hold tests"),
        (("check", "t.jsonl", "--from", "json"), "unknown format 'json'; known: native, flat"),
        (("convert", "t.jsonl", "out.json", "--to", "squat"), "unknown format 'squat'; did you me"),
        (("convert", "t.jsonl", "out.txt"), "out.txt: name the format with --to, or a file that"),
        (("convert", "t.jsonl", "out.json", "--to", "sitting"), "tests cannot be written as 'sitt"),
        (("convert", "s.jsonl", "out.json", "--to", "squad"), "a sitting cannot be written as 'sq"),
        (("convert", "s.jsonl", "out.json", "--repair"), "--repair, --public and --split are for"),
        (
            ("convert", "series.jsonl", "out.json", "--to", "squad"),
            "only comprehension tests can be written as squ",
        ),
        (("convert", "t.jsonl", "out.jsonl", "--hide", "test"), "--hide goes with --public"),
        (
            ("series", "table", "series.jsonl", "--set", "limits.cost=1"),
            "--set stands before the command: readmark --set KEY=VALUE series table",
        ),
        (("doctor", "--config=c.toml"), "before the command: readmark --config FILE doctor"),
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


@pytest.mark.parametrize("target", ["t.jsonl", "p.json", "./t.jsonl"])
def test_a_marksheet_does_not_replace_what_is_marked(fails: Run, target: str) -> None:
    fails("mark", "t.jsonl", "p.json", "-o", target, status=2, line=re.escape(target))
