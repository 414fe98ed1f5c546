"""CPU seconds of minimal sets of contradictions: by neighbourhoods, and over whole graphs.

Run: python benchmarks/contradictions.py [--contradictions N] [--few N]

Every game has a winner with fewer points, which breaks five rules of NFL Scoring.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from unittest import mock

from figures import Figure

from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.reasoning.contradictions import Contradiction, contradictions
from readmark.tasks.reasoning.engine.inference import infer
from readmark.tasks.reasoning.graphs import Asserted, read_statements
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.rules.parser import parse_rules

CONTRADICTIONS = 1_000
FEW = 200
"""Over whole graphs the time grows with the square of it."""
A_GAME = 5
GAME = """((G{0} type NFLGame) (A{0} type NFLTeam) (B{0} type NFLTeam) (G{0} homeTeamInGame A{0})
(G{0} awayTeamInGame B{0}) (G{0} teamFinalScoreInGame S{0}) (G{0} teamFinalScoreInGame T{0})
(S{0} teamScoringAll A{0}) (T{0} teamScoringAll B{0}) (S{0} pointsScored 20) (T{0} pointsScored 17)
(G{0} gameWinner B{0}))"""


def games(count: int, *, together: bool) -> Iterator[Asserted]:
    """``count`` games, in one graph or in one graph per game."""
    for number in range(count):
        graph = "all" if together else f"d{number}"
        yield from (
            Asserted(graph, statement) for statement in read_statements(GAME.format(number))
        )


def timed_contradictions(most: int, *, together: bool) -> tuple[float, list[Contradiction]]:
    """The CPU seconds of up to ``most`` contradictions, and the contradictions."""
    folder = domain_folder("nfl_scoring")
    [file] = folder.glob("ontology.*")
    [rules] = folder.glob("*.dsrs")
    ontology = read_ontology(file.read_bytes(), file=str(file))
    theory = parse_rules(rules.read_text(encoding="utf-8"), str(rules))
    with infer(games(-(-most // A_GAME), together=together), theory, ontology) as inference:
        start = time.process_time()
        told = contradictions(inference, most=most)
        return time.process_time() - start, told


def measure(*, most: int = CONTRADICTIONS, few: int = FEW) -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    apart, _ = timed_contradictions(most, together=False)
    together, told = timed_contradictions(most, together=True)
    print(f"{len(told):,} contradictions: {apart:.2f} s in a graph each, {together:.2f} s in one")
    near, ours = timed_contradictions(few, together=True)
    with mock.patch("readmark.tasks.reasoning.minimal_inputs.joined_places", return_value=None):
        whole, theirs = timed_contradictions(few, together=True)
    if [one.inputs for one in ours] != [their.inputs for their in theirs]:
        raise SystemExit("not the same minimal sets as over the whole graph")
    print(f"{len(ours):,} contradictions: {near:.2f} s by neighbourhoods, {whole:.2f} s without")
    figures = [
        Figure("contradictions: in one graph beside many", together / apart, "times", most=2),
        Figure(
            "contradictions: whole graphs beside neighbourhoods", whole / near, "times", least=3
        ),
    ]
    for figure in figures:
        print(figure)
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--contradictions", type=int, default=CONTRADICTIONS)
    parser.add_argument("--few", type=int, default=FEW)
    given = parser.parse_args()
    figures = measure(most=given.contradictions, few=given.few)
    sys.exit(0 if all(figure.ok for figure in figures) else 1)
