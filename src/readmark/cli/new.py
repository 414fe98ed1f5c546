"""``readmark new``: packages to start from."""

from __future__ import annotations

import keyword
import re
import sys
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.core.display import Result
from readmark.core.errors import UsageError
from readmark.core.new_folders import making_folder
from readmark.formats.registry import FORMATS
from readmark.marking import METRICS
from readmark.sitting import CANDIDATES
from readmark.works import WORKS

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@click.group("new", cls=options.CheckedGroup)
def new_command() -> None:
    """Create a package to start from."""


@new_command.command("plugin")
@click.argument("name", metavar="NAME")
@options.json_option
def plugin_command(name: str, as_json: bool) -> None:
    """Create a plug-in package in the new folder NAME, with tests that pass.

    The package has a metric, a reader, a format, a report section, an annotation project and a
    work of the exam hall. NAME is in lower case with hyphens, such as readmark-brief.
    """
    options.print_result(new_plugin(name), as_json=as_json)


@dataclass(frozen=True, repr=False)
class NewPlugin(Result):
    """A package that was written, and its files."""

    folder: str
    files: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The document that ``new plugin --json`` prints."""
        return {"folder": self.folder, "files": list(self.files)}

    def show(self, console: Console) -> None:
        """Print the files, and what to do next."""
        for file in self.files:
            console.print(f"{self.folder}/{file}", soft_wrap=True)
        console.print(f"next: cd {self.folder} && pip install -e . && pytest", soft_wrap=True)


def new_plugin(name: str, folder: str | Path | None = None) -> NewPlugin:
    """Write a package that adds to Readmark, in a folder that is new or empty.

    Without ``folder``, that is one with the package's name in the current folder.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot name a package: expected lower-case letters, digits and single "
            "hyphens, such as readmark-brief"
        )
    target = Path(folder or name)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} already exists; choose another name")
    module = name.replace("-", "_")
    short = module.removeprefix("readmark_")
    if short[:1].isdigit():  # a name that users type begins with a letter, see `parse_name`
        raise UsageError(f"{short!r} is not a name: it begins with a digit; choose another name")
    registered = {*METRICS, *CANDIDATES, *FORMATS, *WORKS, "readmark"}
    is_python = keyword.iskeyword(module) or module in sys.stdlib_module_names
    if is_python or short in registered:
        raise UsageError(f"{short} is taken; choose another name")
    words = {"PACKAGE_NAME": name, "MODULE_NAME": module, "SHORT_NAME": short}
    skeleton = Path(str(resources.files("readmark.cli"))) / "data" / "plugin"
    files = []
    with making_folder(target) as whole:
        for source in sorted(path for path in skeleton.rglob("*.txt") if path.is_file()):
            # The suffix keeps tools that look for Python from reading the skeleton itself.
            inside = source.relative_to(skeleton).as_posix().removesuffix(".txt")
            text = source.read_text(encoding="utf-8")
            for placeholder, word in words.items():
                inside, text = inside.replace(placeholder, word), text.replace(placeholder, word)
            (whole / inside).parent.mkdir(parents=True, exist_ok=True)
            (whole / inside).write_bytes(text.encode())
            files.append(inside)
    return NewPlugin(str(target), tuple(files))
