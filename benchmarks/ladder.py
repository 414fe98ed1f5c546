"""What fitting a board by its own figures gains, with the ladder and without it.

The boosting attack of Blum and Hardt ("The Ladder: a reliable leaderboard for machine learning
competitions", 2015, section 4): questions have two answers, and the adversary knows nothing. It
submits random answers, keeps the submissions that the board says are better than chance, and
submits the majority of their answers. On fresh questions that is worth 50; what the board shows of
it is the damage. With the ladder the adversary keeps the submissions that were released. The rule
is that of the hall: `Gain.is_improvement`. A second adversary climbs: it changes some answers of
its best submission at random, and goes on from there whenever the board shows a better mark.

Run: python benchmarks/ladder.py [--units 1000] [--runs 50] [--submissions 10 30 100 300 1000]
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from readmark.core.hidden_marks import on_grid
from readmark.server.boards.ladder import Gain
from readmark.server.shared_tasks.options import SharedTaskOptions

Bits = NDArray[np.bool_]
FEWEST = SharedTaskOptions().smallest_slice


def score(answers: Bits, key: Bits) -> float:
    """The share of right answers, of 100."""
    return 100.0 * float(np.mean(answers == key))


def gain(best: Bits, new: Bits, key: Bits) -> Gain:
    """What the hall compares: the paired difference and its standard error."""
    difference = (new == key).astype(float) - (best == key).astype(float)
    error = float(np.std(difference, ddof=1)) / math.sqrt(len(key))
    return Gain(100.0 * float(np.mean(difference)), 100.0 * error, int(np.sum(difference != 0)))


@dataclass
class Board:
    """What a board shows to one team."""

    key: Bits
    has_ladder: bool
    best: Bits | None = None
    shown: float = 0.0
    """The team's best mark on the board."""

    def submit(self, answers: Bits) -> float | None:
        """The mark that is shown, None if the ladder withholds it."""
        own = score(answers, self.key)
        if self.has_ladder:
            if self.best is not None:
                improvement = gain(self.best, answers, self.key)
                if not improvement.is_improvement(FEWEST):
                    return None
            own = on_grid(own, units=len(self.key), scale=100.0) or 0.0
            self.best = answers
        self.shown = max(self.shown, own)
        return own


def boost(board: Board, count: int, chance: np.random.Generator) -> None:
    """Submit random answers, then the majority of those that the board says are good."""
    size = len(board.key)
    votes = np.zeros(size)
    for _ in range(count - 1):
        answers = chance.random(size) < 0.5
        shown = board.submit(answers)
        if shown is not None and shown > 50.0:
            votes += np.where(answers, 1.0, -1.0)
    board.submit(np.where(votes == 0, chance.random(size) < 0.5, votes > 0))


def ascend(board: Board, count: int, chance: np.random.Generator) -> None:
    """Change a few answers of the best submission, again and again."""
    size = len(board.key)
    best = chance.random(size) < 0.5
    known = board.submit(best) or 0.0
    for _ in range(count - 1):
        answers = best ^ (chance.random(size) < CHANGED / size)
        shown = board.submit(answers)
        if shown is not None and shown > known:
            best, known = answers, shown


ADVERSARIES = {"boosting": boost, "climbing": ascend}
CHANGED = 2 * FEWEST
"""Answers that the second adversary changes, on average: with fewer nothing is ever released."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--submissions", type=int, nargs="+", default=[10, 30, 100, 300, 1000])
    options = parser.parse_args()
    noise = 100.0 * 0.5 / math.sqrt(options.units)
    print(
        f"{options.units} hidden units, {options.runs} runs, seeds from 1; on fresh data every "
        f"submission is worth 50.0; one standard error of a mark is {noise:.2f}"
    )
    print("adversary | submissions | shown without ladder | shown with ladder")
    for name, attack in ADVERSARIES.items():
        for count in options.submissions:
            shown: dict[bool, list[float]] = {False: [], True: []}
            for seed in range(1, options.runs + 1):
                key = np.random.default_rng(seed).random(options.units) < 0.5
                for has_ladder, marks in shown.items():
                    board = Board(key, has_ladder)
                    attack(board, count, np.random.default_rng(seed + 10_000))
                    marks.append(board.shown)
            means = " | ".join(
                f"{fmean(shown[has_ladder]):{width}.2f}"
                for has_ladder, width in ((False, 20), (True, 17))
            )
            print(f"{name:9} | {count:11,} | {means}")


if __name__ == "__main__":
    main()
