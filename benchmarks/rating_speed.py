"""CPU time of ``readmark rate``, now and in another version, in turns on the same excerpts.

    git archive c16db83c src | tar x -C out/before
    python benchmarks/rating_speed.py ../shared/data/clear/clear.csv.gz out/before/src

Every run is a process of its own on one thread; all its CPU seconds count (user and system). A run
on one excerpt is the start-up. What an excerpt costs after that is the rest of a run on 200
excerpts, each another one. Machines that are busy are slower: go by the ratios.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

MANY = 200
SIZES = (1, 5, MANY)
ROUNDS = 3


def main(clear: Path, before: Path) -> None:
    with gzip.open(clear, "rt", encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    rows = rows[:: len(rows) // MANY][:MANY]
    trees = {"before": before, "now": Path(__file__).resolve().parents[1] / "src"}
    spent: dict[tuple[str, int], list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        files = {size: Path(folder) / f"{size}.jsonl" for size in SIZES}
        for size, file in files.items():
            lines = [json.dumps({"id": row["ID"], "text": row["Excerpt"]}) for row in rows[:size]]
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for _ in range(ROUNDS):
            for size, file in files.items():
                for name, tree in trees.items():
                    spent.setdefault((name, size), []).append(seconds(tree, file))
    print("CPU seconds, median (least to most)   before   now   before/now")
    for size in SIZES:
        print_line(f"{size} excerpts, a process", spent["before", size], spent["now", size])
    each = [
        [
            (many - one) / (MANY - 1)
            for many, one in zip(spent[name, MANY], spent[name, 1], strict=True)
        ]
        for name in trees
    ]
    print_line("an excerpt after start-up", *each)


def seconds(tree: Path, file: Path) -> float:
    """All CPU seconds of one process that rates a file."""
    start = used()
    subprocess.run(
        [sys.executable, "-m", "readmark", "rate", "--json", str(file)],
        env=os.environ | {"PYTHONPATH": str(tree), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return used() - start


def used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def print_line(what: str, before: list[float], now: list[float]) -> None:
    cells = [
        f"{statistics.median(each):.4f} ({min(each):.4f} to {max(each):.4f})"
        for each in (before, now)
    ]
    ratios = [first / second for first, second in zip(before, now, strict=True)]
    print(
        f"{what:28}",
        *cells,
        f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
