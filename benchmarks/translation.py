"""How often the suggested cause and adoption of a mismatch are right, on pairs labelled by hand.

The pairs were written and labelled before the rules were run: the development half was looked at
while they were made, the report half was not. They are one person's writing, shorter and cleaner
than translators' work, so read the figures as an upper bound.

Run: python benchmarks/translation.py
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from readmark.making.translation.causes import CAUSES, Suggestion
from readmark.making.translation.suggestions import suggest

PAIRS = Path(__file__).resolve().parent.parent / "tests" / "making" / "translation" / "pairs.tsv"
HALVES = ("development", "report")


def pairs(half: str) -> list[dict[str, str]]:
    """The labelled pairs of a half."""
    with PAIRS.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in rows if row["half"] == half]


def main() -> None:
    """Print both halves: accuracies, those of high confidence apart, and the confusions."""
    for half in HALVES:
        done = [(row, suggest(row["english"], row["a"], row["b"])) for row in pairs(half)]
        sure = [one for one in done if one[1].confidence == "high"]
        print(f"{half}: {summary(done)}; high confidence: {summary(sure)}")
        confused = Counter((row["cause"], found.cause) for row, found in done)
        print(f"  {'labelled':24}" + "".join(f"{cause[:9]:>11}" for cause in CAUSES))
        for cause in CAUSES:
            print(f"  {cause:24}" + "".join(f"{confused[cause, got]:>11}" for got in CAUSES))


def summary(done: list[tuple[dict[str, str], Suggestion]]) -> str:
    """Right causes and adoptions of all."""
    cause = sum(row["cause"] == found.cause for row, found in done)
    adopt = sum(row["adoption"] == found.adopt for row, found in done)
    return f"{len(done)} pairs, cause {cause} right, adoption {adopt} right"


if __name__ == "__main__":
    main()
