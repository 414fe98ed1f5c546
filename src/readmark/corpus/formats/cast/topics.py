"""A topic of TREC CAsT: its turns with what people and systems made of each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from readmark.corpus.formats.members import (
    Fault,
    a_label,
    an_array,
    an_object,
    others,
    unexpected,
)

MANUAL, AUTOMATIC = "manual_rewritten_utterance", "automatic_rewritten_utterance"
RAW = ("raw_utterance", "utterance")
"""What was asked: the name until 2021, and that of 2022."""
TOPIC_MEMBERS = frozenset({"number", "title", "description", "turn"})
TURN_MEMBERS = frozenset({"number", "parent", "participant", MANUAL, *RAW})
PARENTS = ("parent", "parent_turn")


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked in a turn; ``members`` is all else that the file says of it."""

    number: str
    raw: str | None = None
    manual: str | None = None
    parent: str | None = None
    system: bool = False
    """Whether the system speaks: a turn of its own in the trees of 2022."""
    members: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Topic:
    """A conversation, or in 2022 a tree of them."""

    number: str
    place: int | str
    title: str | None = None
    description: str | None = None
    turns: tuple[Turn, ...] = ()
    members: dict[str, Any] = field(default_factory=dict)


def topic_of(raw: Any, where: str) -> Topic:
    """A topic of a JSON document."""
    an_object(raw, "the topic", where)
    number = _number(raw, where, "topic")
    turns = [
        _turn(one, f"{number}.turn[{at}]") for at, one in enumerate(an_array(raw, "turn", number))
    ]
    return Topic(
        number,
        number,
        a_label(raw, "title", number),
        a_label(raw, "description", number),
        tuple(turns),
        others(raw, TOPIC_MEMBERS),
    )


def _turn(raw: Any, where: str) -> Turn:
    an_object(raw, "the turn", where)
    number = _number(raw, where, "turn")
    system = raw.get("participant") == "System"
    asked = next((a_label(raw, name, where) for name in RAW if name in raw), None)
    if asked is None and not system:
        raise Fault(where, "raw_utterance is missing, expected text")
    parent = next((a_label(raw, name, where) for name in PARENTS if name in raw), None)
    members = others(raw, TURN_MEMBERS | {*PARENTS})
    return Turn(number, asked, a_label(raw, MANUAL, where), parent, system, members)


def _number(raw: dict[str, Any], where: str, noun: str) -> str:
    found = a_label(raw, "number", where)
    if not found:
        said = unexpected("number", raw.get("number"), f"the {noun}'s number")
        raise Fault(where, said)
    return found


def paths(topic: Topic) -> list[Topic]:
    """The conversations of a topic: itself, or every way through the tree from root to leaf.

    What the system says goes to the turn that it answers.
    """
    if not any(turn.parent is not None or turn.system for turn in topic.turns):
        return [topic]
    known = {turn.number: turn for turn in topic.turns}
    inner = {turn.parent for turn in topic.turns}
    found = []
    for leaf in topic.turns:
        if leaf.number not in inner:
            found.append(replace(topic, turns=_answered(_way(leaf, known, topic.number))))
    if not found:
        raise Fault(topic.number, "the turns' parents form a circle")
    return found


def _way(leaf: Turn, known: dict[str, Turn], where: str) -> list[Turn]:
    way = [leaf]
    while way[-1].parent is not None:
        parent = way[-1].parent
        if parent not in known:
            raise Fault(where, f"turn {way[-1].number!r} has an unknown parent {parent!r}")
        if len(way) > len(known):
            raise Fault(where, "the turns' parents form a circle")
        way.append(known[parent])
    return way[::-1]


def _answered(way: list[Turn]) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    for turn in way:
        if not turn.system:
            turns.append(turn)
        elif turns:
            members = {**turns[-1].members, **turn.members}
            turns[-1] = replace(turns[-1], members=members)
    return tuple(turns)
