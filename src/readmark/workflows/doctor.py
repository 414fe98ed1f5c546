"""What works on this machine, and what to install for the rest."""

from __future__ import annotations

import platform
import re
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata, requires, version

from readmark.corpus.version import __version__

EXTRAS = {
    "base": "marking, statistics, formats, tables",
    "zh": "traditional characters to simplified inside the zh profile",
    "test": "the project's own tests",
}
"""The extras that the package declares, and what each is for."""


@dataclass(frozen=True, slots=True)
class Part:
    """A package that Readmark uses: whether it is here, and under which licence."""

    package: str
    extra: str
    version: str | None
    licence: str


def examine() -> tuple[dict[str, str], list[Part]]:
    """The machine in words, and every declared package."""
    machine = {
        "readmark": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(terse=True),
    }
    return machine, [_part(package, extra) for package, extra in _declared()]


def missing(parts: list[Part]) -> dict[str, list[str]]:
    """The packages that are not here, by extra."""
    found: dict[str, list[str]] = {}
    for part in parts:
        if part.version is None:
            found.setdefault(part.extra, []).append(part.package)
    return found


def _declared() -> list[tuple[str, str]]:
    found = []
    for line in requires("readmark") or []:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", line)
        if name is not None:
            found.append((name[0], extra[1] if extra is not None else "base"))
    return found


def _part(package: str, extra: str) -> Part:
    try:
        about = metadata(package)
        fields = [name for name in ("License-Expression", "License") if name in about]
        licence = about[fields[0]] if fields else ""
        return Part(package, extra, version(package), licence.split("\n")[0][:40])
    except PackageNotFoundError:
        return Part(package, extra, None, "")
