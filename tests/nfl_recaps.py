"""Game summaries with their gold statements, as annotated graphs of the NFL Scoring domain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.graphs import Asserted, Statement, Support
from readmark.tasks.reasoning.terms import Literal, Name

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
RECAPS = SHARED / "data" / "nfl" / "recaps.json"
GOLD = SHARED / "golden" / "nfl_recaps.json"
ROLES = {
    "winner": "gameWinner",
    "loser": "gameLoser",
    "home": "homeTeamInGame",
    "away": "awayTeamInGame",
}
COUNTS = {
    "final_score": "pointsScored",
    "touchdowns": "touchdownCompleteCount",
    "field_goals": "fieldGoalCompleteCount",
    "two_point_conversions": "twoPointConversionCompleteCount",
    "safeties": "safetyCompleteCount",
}
EVENTS = {"touchdown": "Touchdown", "field_goal": "FieldGoal", "safety": "Safety"}
KICKED = (None, "one_point")
"""A kick after a touchdown counts as made, as in the gold's sums, unless something else is told."""


def passages() -> dict[str, str]:
    """The text of each summary."""
    found: dict[str, Any] = json.loads(RECAPS.read_text(encoding="utf-8"))
    return {id: one["passage"] for id, one in found.items()}


def gold() -> dict[str, dict[str, Any]]:
    """What people found in each summary."""
    found: dict[str, dict[str, Any]] = json.loads(GOLD.read_text(encoding="utf-8"))
    return found


def annotated(*, explicit: bool) -> list[Asserted]:
    """The gold as statements: everything, or only what the text says of who played and won.

    What a team scored is told event by event, and all of it; a final score is stated only where the
    text has it.
    """
    texts = passages()
    return [one for id, said in gold().items() for one in _graph(id, said, texts[id], explicit)]


def _graph(id: str, said: dict[str, Any], text: str, explicit: bool) -> Iterator[Asserted]:
    game = Name("Game-1")

    def state(subject: Name, predicate: str, value: Name | Literal, words: str | None) -> Asserted:
        support = Support()
        if words is not None:
            start = text.index(words)
            support = Support((Excerpt(id, start, start + len(words), words),))
        return Asserted(id, Statement(subject, Name(predicate), value), support, annotator="gold")

    yield state(game, "type", Name("NFLGame"), None)
    facts = said["game"]
    for role, predicate in ROLES.items():
        words = facts[f"evidence_{role}"]
        if facts[role] is not None and (words is not None or not explicit):
            yield state(game, predicate, Name(facts[role]), words)
    if facts["overtime"] is not None:
        yield state(game, "hasOvertimePlay", Literal(True), facts["evidence_overtime"])
    if facts["periods"] is not None and not explicit:
        yield state(game, "numberOfPeriods", Literal(facts["periods"]), None)
    for one in said["teams"]:
        score = Name(f"Score-{one['team']}")
        yield state(Name(one["team"]), "type", Name("NFLTeam"), None)
        yield state(score, "type", Name("TeamSummaryScore"), None)
        yield state(game, "teamFinalScoreInGame", score, None)
        yield state(score, "teamScoringAll", Name(one["team"]), None)
        if one["final_score_explicit"]:
            words = one["evidence_final_score"]
            yield state(score, "pointsScored", Literal(one["final_score"]), words)
        events = [each for each in said["events"] if each["team"] == one["team"]]
        before, link = score, "firstScoringEvent"
        for name, kind, words in _events(one["team"], events):
            yield state(name, "type", Name(kind), words)
            yield state(before, link, name, None)
            before, link = name, "nextScoringEvent"
        if before != score:
            yield state(score, "lastScoringEvent", before, None)


def _events(team: str, events: list[dict[str, Any]]) -> Iterator[tuple[Name, str, str | None]]:
    """A team's events in the order of the text, with their classes and words."""
    for number, one in enumerate(events, 1):
        yield Name(f"{team}-{number}"), EVENTS[one["type"]], one["evidence"]
        if one["type"] == "touchdown" and one.get("conversion") in KICKED:
            yield Name(f"{team}-{number}-kick"), "OnePointConversion", None
