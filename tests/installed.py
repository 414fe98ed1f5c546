"""Packages that tests need, looked for without an import, which takes seconds at collection."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


def require(*names: str) -> None:
    """Skip a module's tests where one of the packages is not installed."""
    for name in names:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed", allow_module_level=True)


class Lazy:
    """A package that is imported when something of it is first used, as few tests do."""

    def __init__(self, name: str) -> None:
        require(name.partition(".")[0])
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest's questions of everything that a module names
            raise AttributeError(name)
        return getattr(import_module(self._name), name)
