"""Packing a task: it is gathered, checked, and written unless something is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from readmark.console import problems as counted_problems
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.problems import Problem
from readmark.tasks.checks import check_task
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.packer import at_version, pack
from readmark.tasks.task_folder import gather

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class PackedTask(Result):
    """The problems of a task and what was written; no output when the task was inconsistent."""

    source: str
    problems: Sequence[Problem]
    roles: Mapping[str, int]
    """How many files there are of each role."""
    output: str | None
    left_out: tuple[str, ...] | None = None
    """Files that a public task goes without; None where everything was packed."""

    @property
    def failed(self) -> bool:
        """Whether the task is inconsistent."""
        return bool(self._errors)

    @property
    def _errors(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.severity != "warning"]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written, and what was left out."""
        if self.output is None:
            return (f"{self.source}: {counted_problems(len(self._errors))}: nothing was written",)
        roles = ", ".join(f"{count} {role}" for role, count in self.roles.items())
        left_out = [f"{self.output}: left out: {', '.join(self.left_out)}"] if self.left_out else []
        return (f"{self.output}: {roles}", *left_out)

    def as_json(self) -> dict[str, Any]:
        """The output, how many files it has of each role, and the problems."""
        problems = [asdict(problem) for problem in self.problems]
        left_out = {} if self.left_out is None else {"left_out": self.left_out}
        return {"output": self.output, "files": self.roles, "problems": problems, **left_out}

    def show(self, console: Console) -> None:
        """A line a problem, with how a contradiction comes about below it."""
        for problem in self.problems:
            for line in (str(problem), *problem.details):
                print(line, file=console.file)

    def __str__(self) -> str:
        return "\n".join(filter(None, (super().__str__(), *self.notes)))


def pack_task(
    source: str | Path,
    output: str | Path,
    *,
    domain: str | None = None,
    public: bool = False,
    keep: Sequence[str] = (),
    anyway: bool = False,
    gold: int | None = None,
    about: Mapping[str, Any] | None = None,
) -> PackedTask:
    """Gather, check and write a task, unless something is wrong (or ``anyway``).

    ``about`` overrides what ``task.toml`` says: name, language, phase, capabilities, annotation,
    hidden. A ``public`` task goes without what reveals the answers of hidden splits. ``gold`` is
    the version of the answers, the newest by default.
    """
    require_distinct_files([output], [source])
    parts = gather(source, domain=domain_folder(domain) if domain else None, **(about or {}))
    if gold is not None:
        parts = at_version(parts, gold)
    files = parts.package.manifest.files
    result = PackedTask(
        source=str(source),
        problems=list(check_task(parts.package)),
        roles=dict(Counter(file.role for file in files)),
        output=None,
        left_out=() if public else None,
    )
    if result.failed and not anyway:
        return result
    packed = pack(parts, output, public=public, keep=keep).files
    return replace(
        result,
        roles=dict(Counter(file.role for file in packed)),
        output=str(output),
        left_out=tuple(file.path for file in files if file not in packed) if public else None,
    )
