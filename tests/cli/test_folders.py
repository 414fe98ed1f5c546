"""Folders and zips as tests through the real command line, and folders that are written."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

FILES = {
    "boat.story": "HEADLINE: A Boat\nDATE: May 4\nSTORYID: boat\n\nTEXT:\n\nAnn built a boat.\n",
    "boat.questions": "QuestionID: boat-1\nQuestion: Who built it?\nDifficulty: easy\n",
    "boat.answers": (
        "QuestionID: boat-1\nQuestion: Who built it?\nAnswer: Ann | she\nDifficulty: easy\n"
    ),
}


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    folder = tmp_path / "stories"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    shutil.make_archive(str(tmp_path / "stories"), "zip", folder)
    return tmp_path


@pytest.mark.parametrize("test", ["stories", "stories.zip"])
def test_a_folder_is_sat_and_marked(readmark_cli: Run, stories: Path, test: str) -> None:
    sat = readmark_cli("sit", test, "-r", "lead", "-o", "s.jsonl", "--workers", "2", cwd=stories)
    assert sat.returncode == 0, sat.stderr
    marked = readmark_cli("mark", test, "s.jsonl", "-m", "contains", "--json", cwd=stories)
    assert marked.returncode == 0, marked.stderr
    assert json.loads(marked.stdout)["units"] == 1


def test_a_folder_is_checked_and_converted(readmark_cli: Run, stories: Path) -> None:
    again = "\n" + FILES["boat.answers"].replace("Ann | she", "Ben")
    with (stories / "stories" / "boat.answers").open("a") as stream:
        stream.write(again)
    checked = readmark_cli("check", "stories", cwd=stories)
    assert checked.returncode == 1
    assert checked.stdout.splitlines()[0] == (
        "stories/boat.answers:6: no_question: boat-1: the question file has no record of it"
    )
    assert "stories/boat.answers:6: repeated_id: boat-1: the id occurs" in checked.stdout
    done = readmark_cli("convert", "stories", "boat.jsonl", cwd=stories)
    assert (done.returncode, done.stderr) == (0, "readmark: boat.jsonl written as native\n")
    assert "boat-1#2" in (stories / "boat.jsonl").read_text()


def test_a_folder_is_written_once(readmark_cli: Run, stories: Path) -> None:
    first = readmark_cli("convert", "stories", "out", "--to", "brat", cwd=stories)
    assert first.returncode == 0
    assert "readmark: brat: questions cannot be stored (1: boat-1)" in first.stderr
    assert sorted(one.name for one in (stories / "out").iterdir()) == ["boat.ann", "boat.txt"]
    second = readmark_cli("convert", "stories", "out", "--to", "brat", cwd=stories)
    assert second.returncode == 1
    assert second.stderr == "readmark: out: is a folder that is not empty: write to a new one\n"


def test_a_sitting_that_is_a_folder_is_refused(readmark_cli: Run, stories: Path) -> None:
    done = readmark_cli("mark", "stories", "stories", cwd=stories)
    assert done.returncode == 1
    assert done.stderr.startswith("readmark: stories: is a directory, expected a file; it holds")
