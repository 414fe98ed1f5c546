"""Readmark compared with other tools: the same items, marked by each in one run.

Every tool works in a process of its own. The page beside this file is written anew: versions,
values, CPU time and peak memory as ratios to Readmark's, and the cases of ``verdicts.toml``, each
checked against the tools.

Run: python benchmarks/peers/run.py [DATA] [--python PYTHON]... [--area AREA]... [--rounds N]

DATA is a folder of the public sets (see the page); without it their rows are left out. PYTHON is
the Python of an environment with peers, several where they cannot share one; by default this one.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import platform
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from processes import TASKS, Columns, Result, Task, in_process  # noqa: E402

AREAS = {
    "answers": "Marks of answers",
    "strings": "Similarity of texts",
    "labels": "Agreement",
    "texts": "Readability",
    "rules": "Rules",
}
PAGE, VERDICTS = HERE / "README.md", HERE / "verdicts.toml"
CASES = "cases"
SOURCE = HERE.parents[1] / "src"
CLAIMED = 0.00051
"""Values of cases are written with three digits."""


@dataclass(frozen=True)
class Measured:
    """What the tools of an area gave, and what they were given."""

    area: str
    tasks: list[Task]
    results: dict[str, Result]

    @property
    def ours(self) -> Result:
        """Readmark's."""
        return self.results["readmark"]

    @property
    def there(self) -> dict[str, Result]:
        """The tools that are installed."""
        return {name: result for name, result in self.results.items() if not result.missing}

    def tool(self, name: str) -> Any:
        """Its entry in the area's table."""
        return importlib.import_module(self.area).TOOLS[name]


def verdict_file() -> dict[str, Any]:
    """The text of the page, and the cases."""
    return tomllib.loads(VERDICTS.read_text(encoding="utf-8"))


def verdicts(area: str | None = None) -> list[dict[str, Any]]:
    """The cases, of one area or of all."""
    return [case for case in verdict_file()["case"] if area in (None, case["area"])]


def case_tasks(area: str) -> list[Task]:
    """A task for each example, not timed."""
    make = importlib.import_module(area).case_task
    return [
        {"name": f"{CASES}/{index}", "timed": False, **make(case)}
        for index, case in enumerate(verdicts(area))
    ]


def measure(
    area: str, data: Path | None, pythons: Sequence[str], rounds: int, *, only_cases: bool = False
) -> Measured:
    """All tools of an area; of the rounds the least time and memory count."""
    module = importlib.import_module(area)
    tasks: list[Task] = [] if only_cases else prepared(area, data)
    tasks += case_tasks(area)
    results: dict[str, Result] = {}
    for name in module.TOOLS:
        for _ in range(rounds):
            result = first_found(area, name, tasks, pythons)
            results[name] = result if name not in results else least(results[name], result)
        print(f"{area}: {name} {results[name].missing or 'measured'}", file=sys.stderr)
    return Measured(area, tasks, results)


def prepared(area: str, data: Path | None) -> list[Task]:
    """The tasks, made by Readmark in a process of its own: this one stays small."""
    given = str(data.resolve()) if data else None
    made: list[Task] = in_process(sys.executable, area, TASKS, given, path=SOURCE)
    return made


def first_found(area: str, name: str, tasks: Sequence[Task], pythons: Sequence[str]) -> Result:
    """A tool's work in the first environment that has it; Readmark's in this one."""
    if name.startswith("readmark"):
        return Result(**in_process(sys.executable, area, name, tasks, path=SOURCE))
    missing = Result(missing="no environment was given")
    for python in pythons:
        result = Result(**in_process(python, area, name, tasks))
        if not result.missing:
            return result
        missing = result
    return missing


def least(one: Result, other: Result) -> Result:
    """The less disturbed of two rounds, figure by figure."""
    if one.missing:
        return one
    seconds = {
        task: {step: min(took, other.seconds[task][step]) for step, took in steps.items()}
        for task, steps in one.seconds.items()
    }
    return Result(
        **{
            **vars(one),
            "seconds": seconds,
            "imported": min(one.imported, other.imported),
            "memory": min(one.memory, other.memory),
        }
    )


# Differences.


def differing(ours: Columns, theirs: Columns, tolerance: float) -> list[int]:
    """The places where a tool's value is not Readmark's."""
    places: set[int] = set()
    for name in theirs.keys() & ours.keys():
        for index, (own, other) in enumerate(zip(ours[name], theirs[name], strict=True)):
            if not same(own, other, tolerance):
                places.add(index)
    return sorted(places)


def same(own: float | None, other: float | None, tolerance: float) -> bool:
    """Whether two values are the same, both undefined included."""
    if own is None or other is None:
        return own is other
    return abs(own - other) <= tolerance


def wrong_claims(measured: Measured) -> list[str]:
    """What a case claims and a tool does not show; empty is what is wanted."""
    problems = []
    for index, case in enumerate(verdicts(measured.area)):
        task = f"{CASES}/{index}"
        claims = {"readmark": case["ours"], **dict.fromkeys(case["peers"], case["theirs"])}
        for name, claimed in claims.items():
            result = measured.results.get(name)
            if result is None:
                problems.append(f"{case['name']}: {name} is no tool of {measured.area}")
            elif not result.missing:
                got = result.values[task]
                for column, value in claimed.items():
                    wanted = None if value == "undefined" else value
                    if column not in got or not same(wanted, got[column][0], CLAIMED):
                        problems.append(f"{case['name']}: {name} gives {got}, not {claimed}")
                        break
    return problems


# The page.


def main() -> int:
    """Measure, check the cases, write the page; status 1 if a case is not as claimed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--area", action="append", choices=AREAS)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    areas = given.area or list(AREAS)
    pythons = given.python or [sys.executable]
    measured = [measure(area, given.data, pythons, given.rounds) for area in areas]
    problems = [problem for each in measured for problem in wrong_claims(each)]
    print(*problems, sep="\n", file=sys.stderr)
    text = page(measured, given.rounds)
    if areas == list(AREAS):
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 1 if problems else 0


def page(measured: Iterable[Measured], rounds: int) -> str:
    """The whole page."""
    import page as pages

    today = datetime.date.today().isoformat()
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    return pages.written(list(measured), f"{today}, {machine}, least of {rounds} rounds")


if __name__ == "__main__":
    raise SystemExit(main())
