"""Runs the ``console`` blocks of the documentation and puts their real output in place.

A line that begins with ``$ `` is a command; the lines under it are its output, standard error
included, without trailing spaces. An exit status other than 0 is the last line, in brackets. The
commands of a page run in order, 80 columns wide, in one copy of ``docs/examples``. Blocks whose
first line is a file's name after ``# `` make up a package, which is there as if installed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PAGES = {
    "README.md": DOCS.parent / "README.md",
    **{path.relative_to(DOCS).as_posix(): path for path in sorted(DOCS.rglob("*.md"))},
}
PACKAGE = ".package"

_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_FILE = re.compile(
    r"^```(?:python|toml)\n# (?P<name>[\w./-]+\.\w+)\n(?P<text>.*?)^```$", re.S | re.M
)
_PROGRESS = re.compile(r"readmark: [\d,]+/[\d,]+ ")
"""A line of progress, which only a slow machine prints."""
_UNWANTED = {"PYTHONIOENCODING", "FORCE_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "NO_COLOR"}


@dataclass(frozen=True, slots=True)
class Step:
    """A command as a page shows it, with the output under it."""

    command: str
    output: str


def steps(page: str) -> Iterator[Step]:
    """The commands of a page, in order."""
    for found in _BLOCK.finditer(page):
        yield from _steps(found[0])


def _steps(block: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield Step(command, output.rstrip("\n"))


def workplace(page: str, into: Path) -> Path:
    """A copy of the examples to work in, with the package that the page writes."""
    folder = Path(shutil.copytree(DOCS / "examples", into / "examples"))
    for found in _FILE.finditer(page):
        path = folder / PACKAGE / found["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found["text"], encoding="utf-8")
    declared = folder / PACKAGE / "pyproject.toml"
    if declared.exists():
        _install(tomllib.loads(declared.read_text(encoding="utf-8"))["project"], folder / PACKAGE)
    return folder


def _install(project: dict[str, object], package: Path) -> None:
    """What pip would leave: the package's name and its entry points."""
    about = package / f"{str(project['name']).replace('-', '_')}.dist-info"
    about.mkdir()
    text = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(text, encoding="utf-8")
    points = project["entry-points"]
    if isinstance(points, dict):
        lines = [
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in found.items())
            for group, found in points.items()
        ]
        (about / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")


def run(command: str, folder: Path, *programs: Path) -> str:
    """The output of a command in a folder, as a page shows it; ``programs`` are found first."""
    path = [*programs, Path(sys.executable).parent, os.environ.get("PATH", "")]
    environment = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    environment |= {
        "COLUMNS": "80",
        "PYTHONUTF8": "1",
        "PYTHONPATH": os.pathsep.join(
            filter(None, [str(folder / PACKAGE), os.environ.get("PYTHONPATH")])
        ),
        "PATH": os.pathsep.join(map(str, path)),
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
    return shown(done.stdout, done.returncode)


def shown(printed: str, status: int) -> str:
    """What a command has printed, as a page shows it."""
    lines = [line.rstrip() for line in printed.rstrip().split("\n") if not _PROGRESS.match(line)]
    if status:
        lines.append(f"[exit status {status}]")
    return "\n".join(lines).strip("\n")


def fresh(page: str) -> str:
    """A page with the output that its commands give now."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = workplace(page, Path(temporary))

        def made_anew(found: re.Match[str]) -> str:
            made = [f"$ {one.command}\n{run(one.command, folder)}" for one in _steps(found[0])]
            return "".join(one.rstrip("\n") + "\n" for one in made)

        return _BLOCK.sub(made_anew, page)


def main(names: list[str]) -> None:
    """Write every page anew (or those named) whose output has changed."""
    for name, path in PAGES.items():
        if names and name not in names:
            continue
        page = path.read_text(encoding="utf-8")
        made = fresh(page)
        if made != page:
            path.write_text(made, encoding="utf-8")
            print(f"{path.relative_to(DOCS.parent)}: written", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
