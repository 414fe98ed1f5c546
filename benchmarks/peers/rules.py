"""Reasoning by rules over generated games. Items are numbers of games; the values are statements.

Readmark, Nemo and clingo get the same rules. Nemo and Readmark read N-Quads; clingo reads facts in
its own language, with the year in the place of the date, since it has no dates.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from processes import Step, Task, Tool, Work

GAMES = 50_000
_QUAD = re.compile(
    r"<urn:readmark:names#(.+?)> <.+?[#/]([^#/>]+)> (?:<.+?[#/]([^#/>]+)>|\"(.+?)\"\S*) <.+:(d\d+)>"
)
CLINGO = """
team(D,G,T) :- homeTeamInGame(D,G,T).
team(D,G,T) :- awayTeamInGame(D,G,T).
team(D,G,T) :- teamFinalScoreInGame(D,G,S), teamScoringAll(D,S,T).
type(D,S,"TeamSummaryScore") :- teamFinalScoreInGame(D,G,S).
type(D,T,"NFLTeam") :- team(D,G,T).
type(D,G,"Event") :- type(D,G,"NFLGame").
season(D,G,Y) :- gameDate(D,G,Y).
both(D,G,S,X,U,Y) :- teamFinalScoreInGame(D,G,S), teamFinalScoreInGame(D,G,U),
    pointsScored(D,S,X), pointsScored(D,U,Y), X > Y.
winner(D,G,A) :- both(D,G,S,X,U,Y), teamScoringAll(D,S,A).
loser(D,G,B) :- both(D,G,S,X,U,Y), teamScoringAll(D,U,B).
margin(D,G,X-Y) :- both(D,G,S,X,U,Y).
total(D,G,X+Y) :- homeTeamInGame(D,G,T), awayTeamInGame(D,G,V),
    teamFinalScoreInGame(D,G,S), teamScoringAll(D,S,T), pointsScored(D,S,X),
    teamFinalScoreInGame(D,G,U), teamScoringAll(D,U,V), pointsScored(D,U,Y).
periods(D,G,N) :- numberOfPeriods(D,G,N).
known(D,G) :- numberOfPeriods(D,G,N).
periods(D,G,5) :- hasOvertimePlay(D,G,1), not known(D,G).
four(D,G) :- periods(D,G,N), N <= 4, hasOvertimePlay(D,G,1).
"""


def tasks(data: Path | None) -> list[Task]:
    """Games, each a document of about ten statements."""
    return [{"name": f"{GAMES:,} games", "items": [GAMES], "warm": [10]}]


def case_task(case: dict[str, Any]) -> Task:
    """The example of a case."""
    return {"items": [case["games"]]}


def text_of(item: Any) -> str:
    """Nothing that a pattern could find."""
    return ""


def _written(games: int, folder: str) -> Path:
    from reasoning_games import write_games

    file = Path(folder, "games.nq")
    write_games(file, games)
    return file


def _measured(name: str) -> Work:
    """A measurement of benchmarks/reasoning.py; writing the games is not timed."""
    import reasoning

    measure = reasoning.TASKS[name]

    def run(task: Task) -> Iterator[Step]:
        for games in task["items"]:
            with tempfile.TemporaryDirectory() as folder:
                file = _written(games, folder)
                yield "", {}
                found = measure(file)
                yield "reading and rules", {"statements": [found["rows"]]}

    return run


def readmark() -> Work:
    """Rules compiled to SQL, without provenance, as Nemo and clingo have none."""
    import readmark.tasks.reasoning.engine.inference  # noqa: F401 - imported before it is timed

    return _measured("bare")


def readmark_provenance() -> Work:
    """With the provenance of every statement, and a thousand explanations."""
    import readmark.tasks.reasoning.derivations  # noqa: F401  imported before it is timed
    import readmark.tasks.reasoning.engine.inference  # noqa: F401

    return _measured("ours")


def nemo() -> Work:
    """Nemo through nemo-python."""
    import nmo_python  # noqa: F401

    return _measured("nemo")


def clingo() -> Work:
    """Grounding does all the work: the program is stratified."""
    import clingo as peer
    from reasoning_games import NEMO_CONCLUSIONS

    def run(task: Task) -> Iterator[Step]:
        for games in task["items"]:
            with tempfile.TemporaryDirectory() as folder:
                facts = Path(folder, "games.lp")
                facts.write_text(_facts(_written(games, folder)), encoding="utf-8")
                yield "", {}
                control = peer.Control(["--warn=none"])
                control.load(str(facts))
                control.add("base", [], CLINGO)
                control.ground([("base", [])])
                control.solve()
                counted = Counter(atom.symbol.name for atom in control.symbolic_atoms)
                rows = sum(counted[name] for name in NEMO_CONCLUSIONS)
                yield "reading and rules", {"statements": [rows]}

    return run


def _facts(games: Path) -> str:
    lines = []
    with games.open(encoding="utf-8") as quads:
        for quad in quads:
            matched = _QUAD.match(quad)
            assert matched, quad
            subject, name, value, literal, graph = matched.groups()
            if literal is None:
                term = f'"{value}"'
            elif name == "hasOvertimePlay":
                term = "1"
            else:
                term = literal[:4] if name == "gameDate" else literal
            lines.append(f'{name}({graph},"{subject}",{term}).')
    return "\n".join(lines)


TOOLS = {
    "readmark": Tool("Readmark, without provenance", "readmark", readmark),
    "readmark_provenance": Tool(
        "Readmark, with provenance and 1,000 explanations", "readmark", readmark_provenance
    ),
    "nemo": Tool("Nemo", "nemo-python", nemo),
    "clingo": Tool("clingo", "clingo", clingo),
}
