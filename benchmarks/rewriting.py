"""How well and how fast questions of a series are rewritten: none, append and guided.

The gold series are cut in two halves by a hash of year and target: the first was looked at while
the rules were made, the second was not. The metric is the document's, jaccard(u=2,b=1,t=0), best
over the golds; ``equal`` is the share of rewrites that are a gold letter for letter but for
spaces. Intervals resample whole series. Rates count the rewriting with and without the parsing.

Run: python benchmarks/rewriting.py ../shared/golden/series_gold.json [--half first|second|all]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from readmark.models.rewriting.parsing import parse_all
from readmark.models.rewriting.rewriter import rewrite_parsed, rewrite_series

DRAWS, SEED, ROUNDS = 1_000, 1, 20
_WORD = re.compile(r"[^\W_]+(?:[-'’_][^\W_]+)*")

Rewriter = Callable[[str, list[str]], list[str]]


@dataclass(frozen=True)
class Marks:
    """Likeness and equality a question, series by series."""

    likeness: list[list[float]]
    equal: list[list[float]]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("gold", type=Path)
    asked.add_argument("--half", choices=("first", "second", "all"), action="append")
    given = asked.parse_args()
    series = json.loads(given.gold.read_text(encoding="utf-8"))["series"]
    ordered = sorted(series, key=_digest)
    parts = {"first": ordered[::2], "second": ordered[1::2], "all": ordered}
    rewriters: dict[str, Rewriter] = {
        "none": lambda target, questions: questions,
        "append": lambda target, questions: [f"{one} {target}" for one in questions],
        "guided": lambda target, questions: [one.text for one in rewrite_series(target, questions)],
    }
    print(f"{'half':8}{'rewriter':10}{'questions':>10}  {'jaccard(u=2,b=1,t=0)':26}equal to a gold")
    for half in given.half or parts:
        for name, rewriter in rewriters.items():
            marks = _marked(parts[half], rewriter)
            count = sum(map(len, marks.likeness))
            print(
                f"{half:8}{name:10}{count:10}  {_interval(marks.likeness):26}"
                f"{_interval(marks.equal)}"
            )
    _rates(ordered)


def _digest(series: dict[str, Any]) -> str:
    return hashlib.sha256(f"{series['year']}-{series['target_id']}".encode()).hexdigest()


def _marked(series: Sequence[dict[str, Any]], rewriter: Rewriter) -> Marks:
    likeness, equal = [], []
    for one in series:
        questions = one["questions"]
        made = rewriter(one["target"], [question["question"] for question in questions])
        pairs = list(zip(made, (question["gold"] for question in questions), strict=True))
        likeness.append([max(jaccard(text, gold) for gold in golds) for text, golds in pairs])
        equal.append(
            [
                float(" ".join(text.split()) in {" ".join(gold.split()) for gold in golds})
                for text, golds in pairs
            ]
        )
    return Marks(likeness, equal)


def jaccard(one: str, other: str) -> float:
    """(2 J1 + J2) / 3 over sets of words and of pairs; an order empty on both sides counts 1."""
    scores = []
    for size in (1, 2):
        first, second = _grams(one, size), _grams(other, size)
        either = first | second
        scores.append(len(first & second) / len(either) if either else 1.0)
    return (2 * scores[0] + scores[1]) / 3


def _grams(text: str, size: int) -> set[tuple[str, ...]]:
    words = _WORD.findall(text.lower().replace("’", "'"))
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def _interval(values: list[list[float]]) -> str:
    sums = np.array([sum(one) for one in values])
    sizes = np.array([len(one) for one in values])
    picks = np.random.default_rng(SEED).integers(0, len(values), (DRAWS, len(values)))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return f"{sums.sum() / sizes.sum():.4f} [{low:.4f}, {high:.4f}]"


def _rates(series: Sequence[dict[str, Any]]) -> None:
    """Questions a second on one core: reading them, and rewriting what was read."""
    read = []
    started = time.process_time()
    for one in series:
        texts = [one["target"], *(question["question"] for question in one["questions"])]
        read.append((one["target"], parse_all(texts)))
    parsing = time.process_time() - started
    count = sum(len(parsed) - 1 for _, parsed in read)
    started = time.process_time()
    for _ in range(ROUNDS):
        for target, parsed in read:
            rewrite_parsed(target, parsed[0], parsed[1:])
    rewriting = (time.process_time() - started) / ROUNDS
    print(
        f"parsing {count / parsing:.0f} questions/s, rewriting {count / rewriting:.0f} questions/s"
    )


if __name__ == "__main__":
    main()
