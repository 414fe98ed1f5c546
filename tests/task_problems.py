"""What the checks of a task find, told by its files."""

from pathlib import Path

from readmark.core.problems import Problem
from readmark.tasks.checks import check_task
from readmark.tasks.task_folder import gather


def found(folder: Path) -> list[Problem]:
    return list(check_task(gather(folder).package))


def told(folder: Path) -> list[tuple[str, int | str, str]]:
    """File within the folder, line, code."""
    return [(str(Path(one.file).relative_to(folder)), one.where, one.code) for one in found(folder)]


OTTERS = "annotations/train/otters.trig"
