"""The door of a room: what other rooms may use of it, imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def door(room: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """A module's ``__getattr__`` that finds each of some names in its module of the room.

    ``names`` has the public names of each module, with spaces between them.
    """
    homes = {name: module for module, listed in names.items() for name in listed.split()}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(f"{room}.{homes[name]}"), name)

    return find
