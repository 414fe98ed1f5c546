"""What a project can be made of without files: configurations and tests that ship with Readmark."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from importlib.resources import as_file, files
from pathlib import Path

from readmark.core.errors import UsageError, did_you_mean
from readmark.server.pages import ASSETS

SHIPPED = ASSETS / "projects"
_BUNDLED = re.compile(r"\w+\.(en|zh)\.(jsonl|zip)")


def shipped_names() -> list[str]:
    """The configurations that come with Readmark."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def shipped_configuration(name: str) -> str:
    """The text of a configuration that comes with Readmark."""
    if name not in shipped_names():
        raise UsageError(f"unknown configuration {name!r}; {did_you_mean(name, shipped_names())}")
    return (SHIPPED / f"{name}.toml").read_text("utf-8")


def bundled_tests() -> list[str]:
    """The tests that come with Readmark, by file."""
    names = (resource.name for resource in files("readmark.bundle").iterdir())
    return sorted(name for name in names if _BUNDLED.fullmatch(name))


def bundled_test(name: str) -> AbstractContextManager[Path]:
    """The file of a test that comes with Readmark."""
    if name not in bundled_tests():
        raise UsageError(f"unknown test {name[:80]!r}; {did_you_mean(name[:80], bundled_tests())}")
    return as_file(files("readmark.bundle").joinpath(name))
