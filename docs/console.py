"""Runs the ``console`` blocks of the documentation and puts their real output in place.

A line that begins with ``$ `` is a command; the lines under it are its output, standard error
included, without trailing spaces. An exit status other than 0 is the last line, in brackets. The
commands of a page run in order, 80 columns wide, in one copy of ``docs/examples``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PAGES = (DOCS.parent / "README.md", *sorted(DOCS.glob("*.md")))

_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_UNWANTED = {"PYTHONIOENCODING", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "NO_COLOR"}


@dataclass(frozen=True, slots=True)
class Step:
    """A command as a page shows it, with the output under it."""

    command: str
    output: str


def blocks(page: str) -> Iterator[list[Step]]:
    """The console blocks of a page, each as its steps."""
    for found in _BLOCK.finditer(page):
        yield _steps(found[0])


def _steps(block: str) -> list[Step]:
    steps = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = f"{command}\n{more}"
        steps.append(Step(command, output.rstrip("\n")))
    return steps


def run(command: str, folder: Path) -> str:
    """The output of a command in a folder, as a page shows it."""
    environment = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    environment |= {
        "COLUMNS": "80",
        "PYTHONUTF8": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    lines = [line.rstrip() for line in done.stdout.rstrip().split("\n")]
    if done.returncode:
        lines.append(f"[exit status {done.returncode}]")
    return "\n".join(lines).strip("\n")


def examples(into: Path) -> Path:
    """A copy of the examples for commands to work in."""
    return Path(shutil.copytree(DOCS / "examples", into / "examples"))


def fresh(page: str) -> str:
    """A page with the output that its commands give now."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = examples(Path(temporary))

        def shown(found: re.Match[str]) -> str:
            steps = [Step(one.command, run(one.command, folder)) for one in _steps(found[0])]
            return "".join(f"$ {one.command}\n{one.output}\n".rstrip("\n") + "\n" for one in steps)

        return _BLOCK.sub(shown, page)


def main() -> None:
    """Write every page anew whose output has changed."""
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        made = fresh(page)
        if made != page:
            path.write_text(made, encoding="utf-8")
            print(f"{path.relative_to(DOCS.parent)}: written", file=sys.stderr)


if __name__ == "__main__":
    main()
