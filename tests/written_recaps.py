"""Recaps that we wrote in the wording of such recaps, with the events that they tell."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

TYPES = {"td": "touchdown", "fg": "field_goal", "sf": "safety"}
ASKED = ("winner", "loser", "home", "away")
WrittenEvent = tuple[str, str, str | None, int | None, int | None]
"""Type, team, player, yards and quarter."""


class WrittenRecap(NamedTuple):
    """A text with what a reader finds in it."""

    text: str
    events: tuple[WrittenEvent, ...]
    game: dict[str, str | bool | None]
    scores: dict[str, int]


def _event(line: str) -> WrittenEvent:
    first, player, yards, quarter = (part.strip() for part in line.split("|"))
    type, _, team = first.partition(" ")
    return (
        TYPES[type],
        team,
        None if player == "-" else player,
        None if yards == "-" else int(yards),
        None if quarter == "-" else int(quarter),
    )


def _recap(said: dict[str, Any]) -> WrittenRecap:
    words = said["game"].split()
    game: dict[str, str | bool | None] = {
        name: None if word == "-" else word
        for name, word in zip(ASKED, words, strict=False)
        if word != "?"
    }
    game["overtime"] = True if words[-1] == "overtime" else None
    events = tuple(_event(line) for line in said["events"])
    return WrittenRecap(" ".join(said["text"].split()), events, game, said["scores"])


RECAPS = {
    name: _recap(said)
    for name, said in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
