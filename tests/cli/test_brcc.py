"""BRCC files through the real command line: read, checked, converted there and back."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

BOTH = """\
Passage: kite

English passage

<ANSQ1><NP NE=PERSON REFID=1>Lin Bo</NP> built <NP>a kite</NP>.</ANSQ1> <NP REF=1>He</NP> flew it.

English questions

1. Who built <NP>the kite</NP>?

English answer keys

1. <NP NE=PERSON>Lin Bo</NP>

Chinese passage

<ANSQ1><NP NE=PERSON REFID=1>林波</NP> 做 了 <NP>一只 风筝</NP>。</ANSQ1><NP REF=1>他</NP> 放 了。

Chinese questions

1. 谁 做 了 <NP>风筝</NP>？

Chinese answer keys

1. 是 <NP NE=PERSON>林波</NP> 的 人
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "both.brcc").write_text(BOTH, encoding="utf-8")
    return tmp_path


def test_there_and_back(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("convert", "both.brcc", "both/", cwd=folder)
    assert done.stderr.splitlines() == [
        "readmark: both/en.jsonl written as native",
        "readmark: both/zh.jsonl written as native",
    ]
    args = ("convert", "both/en.jsonl", "both/zh.jsonl", "again.brcc")
    done = readmark_cli(*args, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "readmark: again.brcc written as brcc\n")
    assert (folder / "again.brcc").read_text(encoding="utf-8") == BOTH
    done = readmark_cli("convert", "both/zh.jsonl", "zh.brcc", cwd=folder)
    assert done.returncode == 0
    done = readmark_cli("stats", "--json", "zh.brcc", "both/en.jsonl", cwd=folder)
    tables = json.loads(done.stdout)["tests"]
    assert [(one["language"], one["records"], one["units"]) for one in tables] == [
        ("zh", 1, 1),
        ("en", 1, 1),
    ]


def test_sound(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "both.brcc", cwd=folder)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "readmark: both.brcc: no problems\n"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("<NP>a kite</NP>", "<NP>a kite", "5: unclosed_tag: <NP> is never closed"),
        ("REF=1>He", "REF=2>He", "5: reference: kite: 'He' has REF=2 and no REFID=2 comes before"),
        ("NE=PERSON>Lin", "NE=BIRD>Lin", "5: entity: kite-1: answer key: 'Lin Bo' has the entity"),
        ("Chinese passage", "French passage", "15: language: 'French passage': a side is English"),
    ],
)
def test_unsound(folder: Path, readmark_cli: Run, old: str, new: str, line: str) -> None:
    (folder / "both.brcc").write_text(BOTH.replace(old, new, 1), encoding="utf-8")
    done = readmark_cli("check", "both.brcc", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith(f"both.brcc:{line}")


def test_two_files_beside_each_other(folder: Path, readmark_cli: Run) -> None:
    english, chinese = BOTH.split("Chinese passage")
    more = english.replace("flew it.", "flew it. " + "<NP>Birds</NP> sang. " * 7)
    (folder / "en.brcc").write_text(more, encoding="utf-8")
    (folder / "zh.brcc").write_text(f"Passage: kite\nChinese passage{chinese}", encoding="utf-8")
    done = readmark_cli("check", "en.brcc", "zh.brcc", cwd=folder)
    assert done.returncode == 0
    assert done.stdout == (
        "zh.brcc:4: np_count: warning: kite: 3 noun phrases, its en parallel in en.brcc has 10\n"
    )
    assert done.stderr.splitlines() == [
        "readmark: en.brcc: no problems",
        "readmark: zh.brcc: no problems, 1 warning",
    ]


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("en.brcc", "en.brcc", "o.brcc"), "both tests are English"),
        (("en.brcc", "en.brcc"), "en.brcc is what is being read"),
        (("en.brcc", "both.brcc", "both.brcc"), "both.brcc is what is being read"),
        (
            ("en.brcc", "o.brcc", "--with", "en.brcc"),
            "--with is for the statements of a reading task, which",
        ),
    ],
)
def test_bad_usage(folder: Path, readmark_cli: Run, args: tuple[str, ...], line: str) -> None:
    (folder / "en.brcc").write_text(BOTH.split("Chinese passage")[0], encoding="utf-8")
    done = readmark_cli("convert", *args, cwd=folder)
    assert done.returncode == 2
    assert line in done.stderr
    assert "Traceback" not in done.stderr


def test_the_format_shows_its_parameters(readmark_cli: Run) -> None:
    shown = readmark_cli("list", "formats").stdout
    about = shown.partition("\nbrcc ")[2].partition("\ncbc4kids")[0]
    assert " ".join(about.split()).endswith("(notation)")
    told = json.loads(readmark_cli("list", "brcc", "--json").stdout)["formats"]["brcc"]
    assert told["parameters"]["notation"]["choices"] == ["tags", "brackets"]
    assert told["holds"] == ["tests"]


def test_stats_shows_both_languages_side_by_side(tmp_path: Path, readmark_cli: Run) -> None:
    file = tmp_path / "both.brcc"
    file.write_text(BOTH, encoding="utf-8")
    done = readmark_cli("stats", str(file), "--json")
    assert done.returncode == 0, done.stderr
    assert [one["language"] for one in json.loads(done.stdout)["tests"]] == ["en", "zh"]


def test_a_named_format_checks_both_languages(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("check", "both.brcc", "--from", "brcc", cwd=folder)
    assert done.returncode == 0, done.stderr
