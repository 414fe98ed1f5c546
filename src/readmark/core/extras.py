"""Libraries without the large packages that they would import only because they are there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without(package: str) -> Iterator[None]:
    """Inside, an import of the package fails, and a library that can do without it does.

    One that is imported already costs nothing more, so it stays.
    """
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]  # as the import system documents it
    try:
        yield
    finally:
        if sys.modules.get(package, without) is None:
            del sys.modules[package]
