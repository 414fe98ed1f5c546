"""``readmark doctor``."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata, requires, version
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.builtin import BUILTIN
from readmark.core.display import Result, plain_table
from readmark.core.extras import EXTRAS
from readmark.core.registry import Registry
from readmark.core.version import __version__


@click.command("doctor")
@options.json_option
@click.pass_context
def doctor_command(ctx: click.Context, as_json: bool) -> None:
    """Report versions, extras and licences of this installation, and what to install for more.

    Exits with status 1 if a required package is missing.
    """
    diagnosis = examine()
    options.print_result(diagnosis, as_json=as_json)
    ctx.exit(1 if "base" in diagnosis.missing else 0)


@dataclass(frozen=True, slots=True)
class RequiredPackage:
    """A package that an extra needs: whether it is here, and under which licence."""

    package: str
    extra: str
    version: str | None
    licence: str


_NOUNS = {
    "readmark.kinds": "kind of test",
    "readmark.formats": "format",
    "readmark.candidates": "candidate",
    "readmark.metrics": "metric",
    "readmark.analysers": "analyser",
    "readmark.transforms": "paper transform",
    "readmark.commands": "command",
    "readmark.report_sections": "report section",
}


@dataclass(frozen=True, slots=True)
class Plugin:
    """What an entry point of another package adds, and why it cannot be used, if so."""

    kind: str
    name: str
    package: str
    problem: str | None


@dataclass(frozen=True, repr=False)
class Diagnosis(Result):
    """What works on this machine, and what to install for the rest."""

    machine: Mapping[str, str]
    packages: Sequence[RequiredPackage]
    """Each once, with the first extra that needs it."""
    missing: Mapping[str, Sequence[str]]
    """The packages that are not here, by extra."""
    plugins: Sequence[Plugin]
    """What other packages add."""

    @property
    def broken_plugins(self) -> dict[str, str]:
        """Plug-ins that cannot be used, each with the reason."""
        return {
            f"{plugin.kind} {plugin.name}": plugin.problem
            for plugin in self.plugins
            if plugin.problem
        }

    def as_json(self) -> dict[str, Any]:
        """The document that ``doctor --json`` prints."""
        return {**asdict(self), "broken_plugins": self.broken_plugins}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per package."""
        return [asdict(package) for package in self.packages]

    def show(self, console: Console) -> None:
        """Print the machine, the packages, and whether each extra is ready."""
        for name, value in self.machine.items():
            console.print(f"{name} {value}", soft_wrap=True)
        table = plain_table("package", "extra", "version", "licence")
        for package in self.packages:
            table.add_row(
                package.package, package.extra, package.version or "missing", package.licence
            )
        console.print(table)
        for plugin in self.plugins:
            state = plugin.problem or f"from {plugin.package}"
            console.print(f"plug-in {plugin.kind} {plugin.name}: {state}", soft_wrap=True)
        for extra, purpose in EXTRAS.items():
            if extra not in self.missing:
                console.print(f"{extra}: ready ({purpose})")
                continue
            lacking = ", ".join(self.missing[extra])
            command = "readmark" if extra == "base" else f"'readmark[{extra}]'"
            console.print(f"{extra}: lacks {lacking} ({purpose}); pip install {command}")


def examine() -> Diagnosis:
    """This installation: versions, the declared packages of every extra, plug-ins."""
    declared = [_package(package, extra) for package, extra in _declared()]
    missing: dict[str, list[str]] = {}
    once: dict[str, RequiredPackage] = {}
    for required_package in declared:
        once.setdefault(required_package.package, required_package)
        if required_package.version is None:
            missing.setdefault(required_package.extra, []).append(required_package.package)
    return Diagnosis(
        machine={
            "readmark": __version__,
            "python": platform.python_version(),
            "executable": sys.executable,
            "platform": platform.platform(terse=True),
        },
        packages=list(once.values()),
        missing=missing,
        plugins=[
            Plugin(registry.noun, *plugin)
            for registry in (Registry(_NOUNS.get(group, group), group) for group in BUILTIN)
            for plugin in registry.plugins()
        ],
    )


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


def _package(package: str, extra: str) -> RequiredPackage:
    try:
        about = metadata(package)
        return RequiredPackage(package, extra, version(package), _licence(about))
    except PackageNotFoundError:
        return RequiredPackage(package, extra, None, "")
