"""Seconds and memory of `readmark mark` from files of ten thousand to a million units.

Every size is marked in a process of its own, with intervals, from native files. Seconds are the
processor's, so that a busy machine does not count; a tiny test's are taken off as starting up.

Run: python benchmarks/million.py [--quick]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import msgspec
from figures import Figure
from synthetic import Shape, Writer

from readmark.comprehension.kind import COMPREHENSION
from readmark.core.json_lines import json_line
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Row

QUESTIONS, CHARACTERS = 4, 120
TINY, SMALL, MIDDLE, LARGE = 400, 10_000, 100_000, 1_000_000
ROWS = row_lines(COMPREHENSION)
MOST_MEGABYTES = 1000.0
MOST_GROWTH = 1.5
"""How much more a unit may cost among a million than among ten thousand and pass for linear."""

ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Files:
    """A test, a native sitting of it, and the same answers as a dictionary of predictions."""

    test: Path
    sitting: Path
    predictions: Path


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took."""

    seconds: float
    megabytes: float


def write(folder: Path, units: int) -> Files:
    """Write the files of a size, a line at a time."""
    writer = Writer(seed=units)
    shape = Shape(units // QUESTIONS, questions=QUESTIONS, characters=CHARACTERS, answers=1)
    found = Files(folder / f"{units}.jsonl", folder / f"{units}.sitting.jsonl", folder / "p.json")
    header = {"readmark": 1, "file": "test", "kind": "comprehension", "name": f"{units} units"}
    with (
        found.test.open("wb") as test,
        found.sitting.open("wb") as sitting,
        found.predictions.open("wb") as predictions,
    ):
        test.write(json_line(header))
        sitting.write(json_line({"readmark": 1, "file": "sitting", "candidate": "synthetic"}))
        predictions.write(b"{")
        between = b""
        for passage in writer.passages(shape):
            test.write(json_line(passage))
            for unit in COMPREHENSION.units(passage):
                said = writer.prediction(passage.text, unit.key.answers[0])
                if said is None:
                    continue
                sitting.write(ROWS.line(Row(id=unit.id, answer=said)))
                pair = msgspec.json.encode({unit.id: said})
                predictions.write(between + pair[1:-1])
                between = b",\n"
        predictions.write(b"}\n")
    return found


def mark(test: Path, sitting: Path, *more: str) -> Cost:
    """Run `readmark mark` and wait for what it took.

    wait4 tells of this child alone, but what we hold when it starts counts as its own memory.
    """
    command = [sys.executable, "-m", "readmark", "mark", str(test), str(sitting)]
    child = subprocess.Popen(
        [*command, "--json", "--no-units", *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | ONE_CORE,
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"readmark mark ended with status {child.returncode}")
    in_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Cost(usage.ru_utime + usage.ru_stime, in_bytes / 1e6)


def measure(*, quick: bool = False) -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    sizes = (SMALL, MIDDLE) if quick else (SMALL, MIDDLE, LARGE)
    print("readmark mark TEST SITTING --json --no-units, native files, 1,000 draws, one core:")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny = write(folder, TINY)
        start = min(mark(tiny.test, tiny.sitting).seconds for _ in range(3))
        print(f"  {TINY} units, starting up: {start:.2f} s")
        per_unit: dict[int, float] = {}
        for units in sizes:
            files = write(folder, units)
            runs = 1 if units == LARGE else 3
            cost = _least([mark(files.test, files.sitting) for _ in range(runs)])
            per_unit[units] = (cost.seconds - start) / units
            _print_cost(f"{units:,} units", cost, per_unit[units])
            if units == MIDDLE:
                for what, answers, more in (
                    ("with a marksheet", files.sitting, ("-o", str(folder / "marksheet.jsonl"))),
                    ("from a dictionary of predictions", files.predictions, ()),
                ):
                    other = mark(files.test, answers, *more)
                    _print_cost(f"{units:,} units {what}", other, (other.seconds - start) / units)
            for path in folder.iterdir():
                path.unlink()
    growth = per_unit[sizes[-1]] / per_unit[SMALL]
    figures = [
        Figure(
            f"time a unit, {sizes[-1]:,} units against {SMALL:,}", growth, "times", most=MOST_GROWTH
        )
    ]
    if not quick:
        figures.append(
            Figure(f"memory of {LARGE:,} units", cost.megabytes, "MB", most=MOST_MEGABYTES)
        )
    print(*(f"  {figure}" for figure in figures), sep="\n")
    return figures


def _least(costs: list[Cost]) -> Cost:
    return Cost(min(cost.seconds for cost in costs), max(cost.megabytes for cost in costs))


def _print_cost(what: str, cost: Cost, per_unit: float) -> None:
    print(
        f"  {what}: {cost.seconds:.2f} s, {per_unit * 1e6:.1f} µs a unit after starting up, "
        f"peak {cost.megabytes:.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave the million out")
    wanted = measure(quick=parser.parse_args().quick)
    raise SystemExit(0 if all(figure.ok for figure in wanted) else 1)
