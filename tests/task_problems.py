"""The problems of a task in a folder, as its checks report them."""

from pathlib import Path

from readmark.core.problems import Problem
from readmark.tasks.checks import check_task
from readmark.tasks.task_folder import gather


def problems_in(folder: Path) -> list[Problem]:
    return list(check_task(gather(folder).package))


def places_in(folder: Path) -> list[tuple[str, int | str, str]]:
    """File within the folder, line and code of each problem."""
    return [
        (str(Path(problem.file).relative_to(folder)), problem.where, problem.code)
        for problem in problems_in(folder)
    ]


OTTERS = "annotations/train/otters.trig"
