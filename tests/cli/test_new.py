"""``readmark new plugin``: the package that it writes is built, installed, and passes its tests."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from readmark.cli.main import run
from readmark.cli.new import new_plugin
from readmark.core.errors import UsageError


def done(command: Sequence[str | Path], **how: object) -> str:
    """What a command prints, which must succeed."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False, **how)  # type: ignore[call-overload]
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return str(ended.stdout)


@pytest.mark.slow
def test_the_package_installs_and_passes_its_own_tests(tmp_path: Path) -> None:
    made = new_plugin("readmark-brief", tmp_path / "brief")
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    install += ["--no-deps", "--no-build-isolation", "--no-index", "--no-compile"]
    done([*install, "--target", tmp_path / "installed", made.folder])
    paths = [str(tmp_path / "installed"), *filter(None, [os.environ.get("PYTHONPATH")])]
    how = {"cwd": made.folder, "env": {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}}
    tests = done([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], **how)
    assert "6 passed" in tests
    listed = done([sys.executable, "-m", "readmark", "doctor"], **how)
    for kind in ("metric", "candidate", "format", "report section", "work"):
        assert f"plug-in {kind} brief: from readmark-brief" in listed


def test_names_are_those_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["new", "plugin", "kiln-tools"]) == 0
    assert "kiln-tools/src/kiln_tools/metric.py\n" in capsys.readouterr().out
    folder = tmp_path / "kiln-tools"
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["name"] == "kiln-tools"
    assert {name for group in project["entry-points"].values() for name in group} == {"kiln_tools"}
    texts = [path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()]
    assert len(texts) == 11
    assert not [text for text in texts if "_NAME" in text]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Brief", "'Brief' cannot name a package"),
        ("brief_", "'brief_' cannot name a package"),
        ("../brief", "'../brief' cannot name a package"),
        ("readmark", "readmark is taken"),
        ("readmark-f1", "f1 is taken"),
        ("readmark-1x", "'1x' is not a name: it begins with a digit"),
        ("class", "class is taken"),
        ("statistics", "statistics is taken"),  # by Python's own library
        ("full", "full already exists"),
    ],
)
def test_what_cannot_be_a_package_is_refused(
    name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(UsageError, match=message):
        new_plugin(name)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full"]
