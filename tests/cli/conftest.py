"""What tests of the command line share: folders of files, and commands whose end is checked."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from command_line import copies
from examination import UNITS, lines_of_a_test
from misbehaving_candidates import plug_in, python_path
from small_files import SOUND, contents

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]
IMPORTED = (
    "numpy",
    "readmark.cli.mark",
    "readmark.cli.list",
    "readmark.cli.sit",
    "readmark.comprehension.baselines",
    "readmark.comprehension.derived_fields",
    "readmark.comprehension.error_classes",
    "readmark.comprehension.metrics",
    "readmark.formats.native",
    "readmark.formats.squad.format",
    "readmark.marking.mark_sitting",
    "readmark.sitting.runner",
    "readmark.text.segmenter",
)
"""What commands that sit and mark take longest to import."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of sound files, and results of an earlier run."""
    for name, data in SOUND.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "sub").mkdir()
    return tmp_path


@pytest.fixture
def fails(readmark_cli: Run, folder: Path) -> Callable[..., Done]:
    """Runs a command that must fail: one line, empty stdout, no file made or changed."""

    def run(*args: str, status: int, line: str) -> Done:
        before = contents(folder)
        done = readmark_cli(*args, cwd=folder)
        assert "Traceback" not in done.stderr
        [told] = done.stderr.splitlines()
        assert told.startswith("readmark: ")
        assert re.search(line, told), told
        assert done.returncode == status
        assert done.stdout == ""
        assert contents(folder) == before
        return done

    return run


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """A folder with a test, answers to it, and a package of candidates that misbehave."""
    folder = tmp_path / "hall"
    folder.mkdir()
    (folder / "t.jsonl").write_text(lines_of_a_test(UNITS), encoding="utf-8")
    (folder / "small.jsonl").write_text(lines_of_a_test(6), encoding="utf-8")
    answers = {f"q{at}": f"q{at}!" for at in range(4)}
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    plug_in(tmp_path / "plugged")
    return folder


@pytest.fixture(scope="module")
def plugged_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs a command in a process that has the package of candidates."""
    folder = plug_in(tmp_path_factory.mktemp("plugged"))
    with copies(*IMPORTED, env=python_path(folder)) as run:
        yield run


@pytest.fixture
def sits(hall: Path, plugged_in: Run) -> Run:
    """Runs a command in the hall; the exit status is checked."""

    def run(*args: str, status: int = 0) -> Done:
        done = plugged_in(*args, cwd=hall)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == status, done.stderr
        return done

    return run
