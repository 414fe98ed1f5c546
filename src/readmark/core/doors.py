"""The door of a room: what other rooms may use of it, imported when it is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def door(
    package: str, names: Mapping[str, str], *, room: str | None = None
) -> Callable[[str], Any]:
    """A package's ``__getattr__``, which imports each public name from its module.

    ``names`` has the public names of each module, with spaces between them. A package inside a room
    that is a second door to it names the ``room``.
    """
    homes = {name: module for module, listed in names.items() for name in listed.split()}
    module = sys.modules[package]
    listing = sorted({*vars(module), *homes})
    vars(module)["__dir__"] = lambda: listing  # so that completion offers what is not imported yet

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{room or package}.{homes[name]}"), name)

    return find
