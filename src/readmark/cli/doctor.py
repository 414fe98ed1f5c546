"""``readmark doctor``."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from readmark import console as options
from readmark.builtin import groups
from readmark.core.configuration import configuration
from readmark.core.configuration_sections import (
    FILE,
    ConfiguredValue,
    UserConfiguration,
    short_path,
)
from readmark.core.display import Result, plain_table
from readmark.core.errors import UsageError
from readmark.core.extras import EXTRAS, install_command
from readmark.core.registry import Registry
from readmark.core.version import __version__
from readmark.formats.tables.column_map import configured_columns

if TYPE_CHECKING:
    from readmark.llm import ModelCheck


@click.command("doctor")
@click.option(
    "--models",
    is_flag=True,
    help="Ask each configured model one question. If an endpoint does not have a model of that "
    "name, list the models that it has.",
)
@options.full_option
@options.json_option
@click.pass_context
def doctor_command(ctx: click.Context, models: bool, full: bool, as_json: bool) -> None:
    """Report what works here: extras, plug-ins, and the configuration in force.

    --full adds every package with its version and licence, and the configuration's defaults.
    Exits with status 1 if a required package is missing or a model does not answer.
    """
    diagnosis = examine(models=models)
    options.print_result(diagnosis, as_json=as_json, full=full)
    ctx.exit(1 if "base" in diagnosis.missing or diagnosis.silent_models else 0)


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
    "readmark.works": "work",
    "readmark.adjudications": "adjudication",
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
    file: str | None
    """The configuration file in force."""
    configuration: Sequence[ConfiguredValue]
    models: Sequence[ModelCheck] = ()
    """The answers of the models, if they were asked."""

    @property
    def silent_models(self) -> list[str]:
        """The models that did not answer."""
        return [check.name for check in self.models if not check.answers]

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
        """Print the versions, whether each extra is ready, and the plug-ins."""
        console.print(
            f"readmark {self.machine['readmark']}, Python {self.machine['python']}", soft_wrap=True
        )
        table = plain_table("extra", "state", "what it adds")
        for column in table.columns:
            column.justify = "left"
        for extra, purpose in EXTRAS.items():
            table.add_row(extra, _state(self.missing.get(extra, ())), purpose)
        console.print(table)
        self._show_plugins(console)
        self._show_configuration(console, full=False)
        if lacking := [extra for extra in EXTRAS if extra in self.missing]:
            console.print(f"to install one: {_install(lacking[0])}", soft_wrap=True)
        console.print("packages and licences: readmark doctor --full", soft_wrap=True)

    def show_full(self, console: Console) -> None:
        """Print the machine, the packages, the plug-ins, and what each extra lacks."""
        for name, value in self.machine.items():
            console.print(f"{name} {value}", soft_wrap=True)
        table = plain_table("package", "extra", "version", "licence")
        for package in self.packages:
            table.add_row(
                package.package, package.extra, package.version or "missing", package.licence
            )
        console.print(table)
        self._show_plugins(console)
        for extra, purpose in EXTRAS.items():
            lacking = ", ".join(self.missing.get(extra, ()))
            state = f"lacks {lacking} ({purpose}); {_install(extra)}"
            console.print(f"{extra}: {state if lacking else f'ready ({purpose})'}")
        self._show_configuration(console, full=True)

    def _show_configuration(self, console: Console, *, full: bool) -> None:
        """The keys that are set, or all; then the models that were asked."""
        rows = [value for value in self.configuration if full or value.origin != "default"]
        if self.file is None:
            console.print(f"configuration: no {FILE} in this folder or a parent", soft_wrap=True)
        else:
            console.print(f"configuration: {short_path(Path(self.file))}", soft_wrap=True)
        if rows:
            table = plain_table("key", "value", "from")
            for column in table.columns:
                column.justify, column.overflow = "left", "fold"
            for value in rows:
                table.add_row(value.key, value.shown, value.origin)
            console.print(table)
        for check in self.models:
            seconds = "" if check.seconds is None else f" ({check.seconds:.2f} s)"
            console.print(f"model {check.name}: {check.message}{seconds}", soft_wrap=True)
            if check.known:
                console.print(f"  its endpoint has: {', '.join(check.known)}", soft_wrap=True)

    def _show_plugins(self, console: Console) -> None:
        for plugin in self.plugins:
            state = plugin.problem or f"from {plugin.package}"
            console.print(f"plug-in {plugin.kind} {plugin.name}: {state}", soft_wrap=True)


def _state(missing: Sequence[str]) -> str:
    if not missing:
        return "ready"
    return f"lacks {missing[0] if len(missing) == 1 else f'{len(missing)} packages'}"


def _install(extra: str) -> str:
    return "pip install readmark" if extra == "base" else install_command(extra)


def examine(*, models: bool = False) -> Diagnosis:
    """This installation: versions, packages of every extra, plug-ins, configuration.

    ``models`` asks each configured model one question.
    """
    in_force = configuration()
    configured_columns(in_force)
    if models and not in_force.models:
        raise UsageError(f"no model is configured: [models.NAME] of {FILE}")
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
            for registry in (Registry(_NOUNS.get(group, group), group) for group in groups())
            for plugin in registry.plugins()
        ],
        file=None if in_force.file is None else os.fspath(in_force.file),
        configuration=list(in_force.values()),
        models=_asked_models(in_force) if models else (),
    )


def _asked_models(in_force: UserConfiguration) -> list[ModelCheck]:
    from readmark.llm import check_models

    return list(check_models(in_force))


def _declared() -> list[tuple[str, str]]:
    """Packages and extras in the order of ``EXTRAS``; none that this Python has itself."""
    pairs = []
    for line in requires("readmark") or []:
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", line)
        before = re.search(r"python_version\s*<\s*['\"](\d+)\.(\d+)", line)
        if before is not None and sys.version_info[:2] >= (int(before[1]), int(before[2])):
            continue
        if name is not None and name[0] != "readmark":
            pairs.append((name[0], extra[1] if extra is not None else "base"))
    order = list(EXTRAS)
    return sorted(pairs, key=lambda pair: order.index(pair[1]) if pair[1] in order else len(order))


def _licence(about: PackageMetadata) -> str:
    """The licence as the package states it: an expression, a classifier, or a short text."""
    if "License-Expression" in about:
        return about["License-Expression"]
    for line in about.get_all("Classifier") or []:
        if line.startswith("License ::"):
            return str(line).rsplit(" :: ", 1)[-1]
    licence = "".join(about.get_all("License") or [])
    return licence if "\n" not in licence else "see the package"


def _package(package: str, extra: str) -> RequiredPackage:
    try:
        about = metadata(package)
        return RequiredPackage(package, extra, version(package), _licence(about))
    except PackageNotFoundError:
        return RequiredPackage(package, extra, None, "")
