"""Packages that tests need, looked for without an import, which takes seconds at collection."""

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import Any

import pytest


def require(*names: str) -> None:
    """Skip a module's tests where one of the packages is not installed."""
    for name in names:
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed", allow_module_level=True)


def lazy(name: str) -> Any:
    """A package that is imported when something of it is first used, as few tests do."""
    require(name.partition(".")[0])
    if name in sys.modules:
        return sys.modules[name]
    spec = find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
