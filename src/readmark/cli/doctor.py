"""``readmark doctor``."""

from __future__ import annotations

import platform
import re
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata, requires, version

import click

from readmark import console as options
from readmark.core.extras import EXTRAS
from readmark.core.kinds import KINDS
from readmark.core.version import __version__
from readmark.formats.registry import FORMATS
from readmark.marking.metrics import METRICS
from readmark.sitting.candidates import CANDIDATES


@click.command("doctor")
@options.json_option
@click.pass_context
def doctor_command(ctx: click.Context, as_json: bool) -> None:
    """Report versions, extras and licences of this installation, and what to install for more.

    Exits with status 1 if a required package is missing.
    """

    machine, parts = examine()
    absent = missing(parts)
    if as_json:
        options.print_json(
            {
                "machine": machine,
                "packages": [asdict(part) for part in _once(parts)],
                "missing": absent,
                "broken_plugins": broken_plugins(),
            }
        )
    else:
        from readmark.core.display import make_console, plain_table

        console = make_console()
        for name, value in machine.items():
            console.print(f"{name} {value}", soft_wrap=True)
        table = plain_table("package", "extra", "version", "licence")
        for part in _once(parts):
            table.add_row(part.package, part.extra, part.version or "missing", part.licence)
        console.print(table)
        for name, why in broken_plugins().items():
            console.print(f"{name}: {why}", soft_wrap=True)
        for extra, purpose in EXTRAS.items():
            if extra not in absent:
                console.print(f"{extra}: ready ({purpose})")
            else:
                lacking = ", ".join(absent[extra])
                command = "readmark" if extra == "base" else f"'readmark[{extra}]'"
                console.print(
                    f"{extra}: lacks {lacking} ({purpose}); pip install {command}", markup=False
                )
    ctx.exit(1 if "base" in absent else 0)


# What works on this machine, and what to install for the rest.


@dataclass(frozen=True, slots=True)
class Part:
    """A package that an extra needs: whether it is here, and under which licence."""

    package: str
    extra: str
    version: str | None
    licence: str


def examine() -> tuple[dict[str, str], list[Part]]:
    """The machine in words, and the declared packages of every extra."""
    machine = {
        "readmark": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "platform": platform.platform(terse=True),
    }
    return machine, [_part(package, extra) for package, extra in _declared()]


def broken_plugins() -> dict[str, str]:
    """Plug-ins of other packages that cannot be loaded, each with the reason."""
    return {
        f"{registry.noun} {name}": why
        for registry in (FORMATS, METRICS, KINDS, CANDIDATES)
        for name, why in registry.broken().items()
    }


def missing(parts: list[Part]) -> dict[str, list[str]]:
    """The packages that are not here, by extra."""
    found: dict[str, list[str]] = {}
    for part in parts:
        if part.version is None:
            found.setdefault(part.extra, []).append(part.package)
    return found


def _once(parts: list[Part]) -> list[Part]:
    """Each package once, with the first extra that needs it."""
    found: dict[str, Part] = {}
    for part in parts:
        found.setdefault(part.package, part)
    return list(found.values())


def _declared() -> list[tuple[str, str]]:
    """Packages and extras in the order of ``EXTRAS``; none that this Python has itself."""
    found = []
    for line in requires("readmark") or []:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", line)
        before = re.search(r"python_version\s*<\s*['\"](\d+)\.(\d+)", line)
        if before is not None and sys.version_info[:2] >= (int(before[1]), int(before[2])):
            continue
        if name is not None and name[0] != "readmark":
            found.append((name[0], extra[1] if extra is not None else "base"))
    order = list(EXTRAS)
    return sorted(found, key=lambda pair: order.index(pair[1]) if pair[1] in order else len(order))


def _licence(about: PackageMetadata) -> str:
    """The licence as the package states it: an expression, a classifier, or a short text."""
    if "License-Expression" in about:
        return about["License-Expression"]
    for line in about.get_all("Classifier") or []:
        if line.startswith("License ::"):
            return str(line).rsplit(" :: ", 1)[-1]
    said = "".join(about.get_all("License") or [])
    return said if "\n" not in said else "see the package"


def _part(package: str, extra: str) -> Part:
    try:
        about = metadata(package)
        return Part(package, extra, version(package), _licence(about))
    except PackageNotFoundError:
        return Part(package, extra, None, "")
