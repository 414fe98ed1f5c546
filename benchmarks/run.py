"""Run every benchmark, then compare each figure with its target; status 1 if one misses.

Run: python benchmarks/run.py [--quick]
"""

from __future__ import annotations

import argparse
import os

# One core for all of them, as each would have it by itself.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")

import growth
import million
import sources
from figures import Figure

import sitting


def main() -> int:
    """Run them one after the other and print the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave the million units out")
    quick = parser.parse_args().quick
    figures = million.measure(quick=quick)
    figures += growth.measure(growth.UNITS)
    figures += sitting.measure(quick=quick)
    figures += sources.measure(quick=quick)
    # Imported after that: what this process holds would count as its children's memory.
    import analysing
    import contradictions
    import long_passage
    import panels
    import randomisation
    import rating
    import reading
    import reasoning
    import report
    import screening
    import similarity

    import llm
    import marking

    figures += marking.measure()
    figures += randomisation.measure()
    figures += report.measure()
    figures += analysing.measure()
    figures += reading.measure()
    figures += long_passage.measure()
    figures += screening.measure(quick=quick)
    figures += similarity.measure(quick=quick)
    figures += panels.measure()
    figures += rating.measure()
    figures += reasoning.measure(rounds=1)
    figures += contradictions.measure()
    figures += llm.measure(quick=quick)
    print(table(figures))
    return 0 if all(figure.ok for figure in figures) else 1


def table(figures: list[Figure]) -> str:
    """Figure, wanted, got, and whether it was reached."""
    rows = [("figure", "wanted", "got", "")]
    rows += [
        (
            figure.name,
            figure.wanted,
            f"{figure.got:.2f} {figure.unit}",
            "ok" if figure.ok else "NOT",
        )
        for figure in figures
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join(["", lines[0], "-" * len(lines[0]), *lines[1:]])


if __name__ == "__main__":
    raise SystemExit(main())
