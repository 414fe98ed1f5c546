"""What the tests of bad input share: a folder of sound files, and a command that must fail."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kitchen import SOUND, contents

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


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
