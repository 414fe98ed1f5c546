"""Every Python example of a page runs and gives what the page says."""

import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = {
    path.relative_to(ROOT).as_posix(): text
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if ">>> " in (text := path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("name", PAGES)
def test_examples_give_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")
    source = "".join(block for block in BLOCK.findall(PAGES[name]) if ">>> " in block)
    test = doctest.DocTestParser().get_doctest(source, {}, name, name, 0)
    said: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert result.attempted
    assert not result.failed, "".join(said)


def test_the_pytest_example_passes(tmp_path: Path) -> None:
    folder = shutil.copytree(ROOT / "docs" / "examples", tmp_path / "examples")
    [block] = [
        found
        for found in BLOCK.findall(PAGES["docs/python.md"])
        if found.startswith("# test_reader.py")
    ]
    (folder / "test_reader.py").write_text(block, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_reader.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
