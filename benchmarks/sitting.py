"""What sitting costs: journalling, syncing, workers, and memory.

Journalling is measured against the bare loop over the same units in the same process. Rows a second
are those of a candidate that does nothing, with the disk synced as usual and never. One and two
workers sit the same test in turn; memory is the peak of `readmark sit` in a process of its own.

Run: python benchmarks/sitting.py [--quick]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import ClassVar

from figures import Figure
from synthetic import Shape, Writer

from readmark.core.json_lines import json_line
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.core.test import Header, Test, in_memory
from readmark.hooks import Kind

ROUNDS = 3
JOURNALLED, MOST_COST = 3_000, 5.0
SYNCED, MOST_SYNCING = 40_000, 15.0
SHARED, LEAST_GAIN = 4_000, 1.7
SMALL, LARGE = 10_000, 100_000
MOST_BYTES = 8.0
"""Bytes a unit: nothing is held of a unit, but the peaks of two processes differ by chance."""

HERE = Path(__file__).resolve().parent
POINTS = "[readmark.candidates]\nwait = sitting:Wait\ntoil = sitting:Toil\nidle = sitting:Idle\n"


@dataclass
class Wait:
    """Takes one millisecond of wall time per unit."""

    kinds: ClassVar[tuple[str, ...]] = ("comprehension",)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        for unit in units:
            yield self.reply(unit)

    def reply(self, unit: Unit) -> Row:
        """An answer with its offsets and evidence, as readers give them."""
        end = time.perf_counter() + 0.001
        while time.perf_counter() < end:
            pass
        text = unit.record.text
        return Row(id=unit.id, answer=text[:20], start=0, end=20, evidence={"shared": ["a", "b"]})

    def signature(self) -> Mapping[str, str]:
        return {}


@dataclass
class Toil(Wait):
    """Takes about two milliseconds of CPU time per unit."""

    def reply(self, unit: Unit) -> Row:
        total = 0
        for number in range(STEPS):
            total += number * number % 7
        return Row(id=unit.id, answer=str(total))


@dataclass
class Idle(Wait):
    """Takes no time at all."""

    def reply(self, unit: Unit) -> Row:
        return Row(id=unit.id, answer="x", start=0, end=20, evidence={"shared": ["a", "b"]})


STEPS = 40_000


def plug_in(folder: Path) -> None:
    """Register the candidates as another package would, here and in worker processes."""
    about = folder / "readmark_benchmarks-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: readmark-benchmarks\nVersion: 1")
    (about / "entry_points.txt").write_text(POINTS)
    for path in (str(HERE), str(folder)):
        if path not in sys.path:
            sys.path.insert(0, path)


def made(units: int) -> Test:
    """A test of that many units, four a passage."""
    passages = Writer(seed=units).passages(Shape(units // 4, characters=120, answers=1))
    return in_memory(Header(name=f"{units} units", language="zh"), passages)


def journalling(folder: Path) -> Figure:
    """What the runner adds to a candidate that takes one millisecond per unit, in per cent."""
    from readmark.sitting.runner import sit

    test = made(JOURNALLED)
    candidate = Wait()
    units = list(test.units())
    costs = []
    for at in range(ROUNDS):
        begun = time.perf_counter()
        for unit in units:
            candidate.reply(unit)
        bare = time.perf_counter() - begun
        begun = time.perf_counter()
        done = sit(test, "wait", folder / f"journal-{at}.jsonl")
        sat = time.perf_counter() - begun
        if done.progress.answered != JOURNALLED:
            raise SystemExit("not every unit was answered")
        costs.append(100 * (sat / bare - 1))
        print(f"  bare loop {bare:.3f} s, sat {sat:.3f} s: {costs[-1]:+.2f} %", flush=True)
    name = f"journalling, {JOURNALLED:,} units of 1 ms"
    return Figure(name, median(costs), "%", most=MOST_COST)


def syncing(folder: Path) -> Figure:
    """What syncing adds to a sitting that does nothing but write rows, in per cent."""
    from readmark.sitting.runner import sit

    test = made(SYNCED)
    real = os.fsync
    costs = []
    for at in range(ROUNDS):
        seconds = {}
        for how, sync in (("synced", real), ("never synced", lambda _: None)):
            os.fsync = sync  # type: ignore[assignment]
            begun = time.perf_counter()
            sit(test, "idle", folder / f"{how}-{at}.jsonl")
            seconds[how] = time.perf_counter() - begun
            print(f"  {how}: {SYNCED / seconds[how]:,.0f} rows/s", flush=True)
        os.fsync = real
        costs.append(100 * (seconds["synced"] / seconds["never synced"] - 1))
    return Figure(f"syncing, {SYNCED:,} rows", median(costs), "%", most=MOST_SYNCING)


def sharing(folder: Path) -> Figure:
    """How many times as fast two workers are as one, starting them included."""
    from readmark.sitting.runner import sit

    test = made(SHARED)
    gains = []
    for at in range(ROUNDS):
        seconds = {}
        for workers in (1, 2):
            begun = time.perf_counter()
            sit(test, "toil", folder / f"{workers}-{at}.jsonl", workers=workers)
            seconds[workers] = time.perf_counter() - begun
        gains.append(seconds[1] / seconds[2])
        each = 1000 * seconds[1] / SHARED
        print(
            f"  one {seconds[1]:.2f} s ({each:.2f} ms a unit), two {seconds[2]:.2f} s: "
            f"{gains[-1]:.2f} times (load {os.getloadavg()[0]:.1f})",
            flush=True,
        )
    return Figure(
        f"two workers against one, {SHARED:,} units", max(gains), "times", least=LEAST_GAIN
    )


def memory(folder: Path, *, workers: int = 1) -> list[Figure]:
    """Bytes per unit that the peak grows by, in a first run and a resumed one."""
    peaks: dict[str, dict[int, int]] = {"sat": {}, "gone on with": {}}
    for units in (SMALL, LARGE):
        test = folder / f"{units}.jsonl"
        if not test.exists():
            shape = Shape(units // 4, characters=120, answers=1)
            header = {"readmark": 1, "file": "test", "kind": "comprehension", "name": str(units)}
            with test.open("wb") as stream:
                stream.write(json_line(header))
                for passage in Writer(seed=units).passages(shape):
                    stream.write(json_line(passage))
        journal = folder / f"{units}-{workers}.sitting.jsonl"
        for one in peaks.values():
            one[units] = peak("sit", test, "-r", "lead", "-o", journal, "--workers", str(workers))
    figures = []
    for how, one in peaks.items():
        grown = (one[LARGE] - one[SMALL]) / (LARGE - SMALL)
        print(
            f"  workers {workers}, {how}: {SMALL:,} units {one[SMALL] / 1e6:.1f} MB, "
            f"{LARGE:,} units {one[LARGE] / 1e6:.1f} MB: {grown:.1f} bytes a unit",
            flush=True,
        )
        name = f"memory a unit, {SMALL:,} to {LARGE:,} units {how}, workers {workers}"
        figures.append(Figure(name, grown, "bytes", most=MOST_BYTES))
    return figures


def peak(*args: str | Path) -> int:
    """The most memory that a command had, in bytes; wait4 reports this child alone."""
    command = [sys.executable, "-m", "readmark", *map(str, args)]
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"readmark ended with status {child.returncode}")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def measure(*, quick: bool = False) -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # First, while this process is small: what it holds would count as its child's memory.
        print("readmark sit TEST -r lead, peak memory:")
        grown = memory(folder)
        if not quick:
            grown += memory(folder, workers=2)
        plug_in(folder)
        print(f"journalling beside a candidate that takes 1 ms a unit, {ROUNDS} rounds:")
        figures = [journalling(folder)]
        print(f"rows of a candidate that does nothing, {ROUNDS} rounds:")
        figures.append(syncing(folder))
        print(f"a candidate that is bound by the processor, {ROUNDS} rounds:")
        figures.append(sharing(folder))
        figures += grown
    print(*(f"  {figure}" for figure in figures), sep="\n")
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave the memory of workers out")
    wanted = measure(quick=parser.parse_args().quick)
    raise SystemExit(0 if all(figure.ok for figure in wanted) else 1)
