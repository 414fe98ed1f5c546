"""Fits the NFL Scoring domain's prior of scoring events and prints it as its file holds it.

Run: python benchmarks/nfl_prior.py DATA [--write | --held-out]; DATA holds games.csv.gz,
quarter_scores_2024.csv and scoring_plays_2025.json (see benchmarks/reasoning.md).
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
from collections import Counter
from itertools import accumulate
from pathlib import Path

import numpy as np

from readmark.tasks.decompositions.scheme import Scheme, read_scheme
from training.score_prior import Fit, Scores, as_toml, fit, likelihood

SHIPPED = Path(__file__).parents[1] / "src/readmark/tasks/domains/nfl_scoring/decomposition.toml"
MARK = "# Everything below is written by benchmarks/nfl_prior.py.\n"
FIRST_SEASON = 2015
"""Since then the kick after a touchdown is taken from the 15-yard line, and fails more often."""


def finals(data: Path, first: int, last: int) -> Counter[Scores]:
    """Both teams' final scores of the seasons."""
    with gzip.open(data / "games.csv.gz", "rt", encoding="utf-8") as file:
        games = [one for one in csv.DictReader(file) if first <= int(one["season"]) <= last]
    return Counter((int(game[side]),) for game in games for side in ("score1", "score2"))


def quarters(data: Path) -> Counter[Scores]:
    """Both teams' scores at the ends of the quarters of games without overtime."""
    with (data / "quarter_scores_2024.csv").open(encoding="utf-8") as file:
        games = [one for one in csv.DictReader(file) if one["overtime"] == "0"]
    return Counter(
        tuple(accumulate(int(game[f"{side}_q{quarter}"]) for quarter in range(1, 5)))
        for game in games
        for side in "ha"
    )


def plays(data: Path) -> Counter[str | None]:
    """What the scoring plays were: field goals, and what followed each touchdown."""
    games = json.loads((data / "scoring_plays_2025.json").read_text(encoding="utf-8"))
    return Counter(_play(one) for game in games for one in game["scoring_plays"])


def _play(text: str) -> str | None:
    if re.search(r"Field Goal$", text):
        return "field_goal"
    if re.search(r"Kick\)$", text):
        return "one_point"
    if re.search(r"for Two-Point Conversion\)$", text):
        return "two_point"
    if re.search(r"(?:Failed|blocked)\)$", text):
        return None
    raise SystemExit(f"what is this play? {text}")


def fitted(scheme: Scheme, data: Path, *, last_season: int = 2020, pseudo: float = 50.0) -> Fit:
    """The prior from final scores, quarters' scores and what followed touchdowns."""
    followed = {one: n for one, n in plays(data).items() if one != "field_goal"}
    observed = finals(data, FIRST_SEASON, last_season) + quarters(data)
    return fit(scheme, observed, followed={"touchdown": followed}, pseudo=pseudo)


def means(scheme: Scheme, fit: Fit) -> dict[str, float]:
    """The mean counts of a team in a game."""
    number = float(fit.numbers @ np.arange(len(fit.numbers)))
    sums: Counter[str] = Counter()
    for play, share in zip(scheme.plays, fit.plays, strict=True):
        sums[play.quantity] += number * float(share)
    return dict(sums)


def main() -> None:
    """Fit, and print or write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true", help="into the domain's file")
    parser.add_argument("--held-out", action="store_true", help="how likely 2019-20 is found")
    asked = parser.parse_args()
    text = SHIPPED.read_text(encoding="utf-8")
    scheme = read_scheme(text, SHIPPED)
    if asked.held_out:
        later = finals(asked.data, 2019, 2020)
        for pseudo in (4.0, 50.0):
            found = fitted(scheme, asked.data, last_season=2018, pseudo=pseudo)
            print(f"pseudo {pseudo:g}: {likelihood(scheme, found, later):.4f} a score of 2019-20")
        return
    found = fitted(scheme, asked.data)
    section = as_toml(scheme, found)
    if asked.write:
        head, mark, _ = text.partition(MARK)
        SHIPPED.write_text(f"{head}{mark}\n{section.rstrip()}\n", encoding="utf-8")
    print(section)
    seen = plays(asked.data)
    sides = 2 * len(json.loads((asked.data / "scoring_plays_2025.json").read_text()))
    touchdowns = sum(n for one, n in seen.items() if one != "field_goal")
    print(f"# steps {found.steps}, log-likelihood an observation {found.likelihood:.4f}")
    for name, count in (("touchdown", touchdowns), ("field_goal", seen["field_goal"])):
        print(f"# {name}: fitted {means(scheme, found)[name]:.2f}, 2025 {count / sides:.2f} a team")


if __name__ == "__main__":
    main()
