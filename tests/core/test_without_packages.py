"""Imports of a library without a large package that it would import because it is there."""

import importlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from readmark.core.extras import without


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package that is not imported yet."""
    (tmp_path / "vast_package.py").write_text("SIZE = 9\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "vast_package", raising=False)
    return "vast_package"


def test_package_cannot_be_imported_inside_and_can_afterwards(package: str) -> None:
    with without(package), pytest.raises(ImportError):
        importlib.import_module(package)
    assert package not in sys.modules
    assert importlib.import_module(package).SIZE == 9


def test_package_can_be_imported_after_an_error_inside(package: str) -> None:
    with pytest.raises(KeyError), without(package):
        raise KeyError
    assert importlib.import_module(package).SIZE == 9


def test_package_that_is_imported_already_stays(package: str) -> None:
    module = importlib.import_module(package)
    with without(package):
        assert importlib.import_module(package) is module
    assert sys.modules[package] is module


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "absent", "use"),
    [
        ("spacy", "torch", "text.analysers.registry import analyser; analyser('en')"),
        ("nltk", "scipy", "text.word_vectors import key_of; key_of('gribblings', 'en')"),
    ],
)
def test_analysers_import_libraries_without(library: str, absent: str, use: str) -> None:
    for name in (library, absent):
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    imported = f"{library!r} in sys.modules, {absent!r} in sys.modules"
    program = f"import sys; from readmark.{use}; print({imported}); import {absent}"
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False
    )
    assert (process.stdout, process.returncode) == ("True False\n", 0), process.stderr
