"""Makes a readability test of CLEAR, for ``readmark train rater`` and studies of raters.

    python benchmarks/clear_test.py ../shared/data/clear/clear.csv.gz out/clear.jsonl

The teachers' easiness (Bradley-Terry) is put on the scale from 1 to 5 by a straight line from the
hardest to the easiest excerpt, so that order and correlation stay. CC BY-NC-SA 4.0: for study; no
weight made from it ships. Excerpts of one title are one article, so that folds keep them together.
"""

from __future__ import annotations

import csv
import gzip
import re
import sys
from pathlib import Path

from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from readmark.readability.kind import RatedPassage, Rating, RatingKey

_SIGNS = re.compile(r"[\W_]+")
"""Titles are spelt in several ways: Red Riding-Hood, RED RIDING HOOD."""


def main(source: Path, out: Path) -> None:
    with gzip.open(source, "rt", encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    header = Header(
        kind="readability",
        name="clear",
        language="en",
        licence="CC BY-NC-SA 4.0",
        source="CommonLit Ease of Readability corpus",
    )
    save_test(in_memory(header, passages(rows)), out)
    print(len(rows), "passages")


def passages(rows: list[dict[str, str]]) -> list[RatedPassage]:
    """The excerpts with their easiness from 1 to 5."""
    values = [float(row["BT_easiness"]) for row in rows]
    low, high = min(values), max(values)
    return [
        RatedPassage(
            id=row["ID"],
            text=row["Excerpt"],
            article=" ".join(_SIGNS.sub(" ", row["Title"].casefold()).split()) or None,
            key=RatingKey(
                ratings=(Rating(round(1 + 4 * (value - low) / (high - low), 4), "teachers"),)
            ),
        )
        for row, value in zip(rows, values, strict=True)
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
