"""A new task: a commented skeleton in a folder, to be edited."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.core.display import Result
from readmark.core.errors import UsageError
from readmark.core.new_folders import making_folder

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class NewTask(Result):
    """A folder that was made, with every file of a small task."""

    folder: str
    files: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What to do next."""
        return (
            f"{self.folder}: {len(self.files)} files; edit them, then readmark check {self.folder}",
            f"gold answers: readmark task gold {self.folder} -o FILE",
        )

    def as_json(self) -> dict[str, Any]:
        """The folder and its files."""
        return {"folder": self.folder, "files": list(self.files)}

    def show(self, console: Console) -> None:
        """A file a line."""
        for name in self.files:
            print(f"{self.folder}/{name}", file=console.file)


def new_task(folder: str | Path) -> NewTask:
    """Make a commented skeleton of a task, in a folder that is not there yet or is empty.

    It is a complete task: two documents with annotated statements, an ontology with a subclass, a
    rule and a contradiction, guidelines and queries. Everything in it is there to be replaced.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{folder} is there already; name a new folder")
    # The folder's name becomes part of the ontology's IRIs, so only plain characters stay.
    name = re.sub(r"[^A-Za-z0-9]+", "-", target.resolve().name).strip("-").lower() or "task"
    skeleton = Path(str(resources.files("readmark.tasks"))) / "skeleton"
    paths = []
    with making_folder(target) as new_folder:
        for source in sorted(path for path in skeleton.rglob("*") if path.is_file()):
            path = source.relative_to(skeleton)
            (new_folder / path).parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text(encoding="utf-8").replace("NAME", name)
            (new_folder / path).write_bytes(text.encode())  # line feeds on every system
            paths.append(path.as_posix())
    return NewTask(str(folder), tuple(paths))
