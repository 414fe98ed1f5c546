"""Packages that a library is imported without, and that are there again afterwards."""

import importlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from readmark.core.extras import without


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package that nobody has imported."""
    (tmp_path / "vast_package.py").write_text("SIZE = 9\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "vast_package", raising=False)
    return "vast_package"


def test_inside_it_cannot_be_imported_and_afterwards_it_can(package: str) -> None:
    with without(package), pytest.raises(ImportError):
        importlib.import_module(package)
    assert package not in sys.modules
    assert importlib.import_module(package).SIZE == 9


def test_an_error_inside_leaves_nothing_behind(package: str) -> None:
    with pytest.raises(KeyError), without(package):
        raise KeyError
    assert importlib.import_module(package).SIZE == 9


def test_what_is_imported_already_stays(package: str) -> None:
    there = importlib.import_module(package)
    with without(package):
        assert importlib.import_module(package) is there
    assert sys.modules[package] is there


@pytest.mark.slow
@pytest.mark.parametrize(
    ("needed", "spared", "use"),
    [
        ("spacy", "torch", "text.analysers.registry import analyser; analyser('en')"),
        ("nltk", "scipy", "text.word_vectors import key_of; key_of('gribblings', 'en')"),
    ],
)
def test_libraries_come_without(needed: str, spared: str, use: str) -> None:
    for name in (needed, spared):
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    both = f"{needed!r} in sys.modules, {spared!r} in sys.modules"
    told = f"import sys; from readmark.{use}; print({both})"
    done = subprocess.run(
        [sys.executable, "-c", f"{told}; import {spared}"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.stdout, done.returncode) == ("True False\n", 0), done.stderr
