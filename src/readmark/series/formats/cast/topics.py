"""Topics of CAsT's JSON files: their turns, and in 2022 the conversations of a tree."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from readmark.formats.members import (
    Fault,
    a_label,
    an_array,
    an_object,
    others,
    unexpected,
)

MANUAL, AUTOMATIC = "manual_rewritten_utterance", "automatic_rewritten_utterance"
RAW = ("raw_utterance", "utterance")  # until 2021, and in 2022
_PARENTS = ("parent", "parent_turn")
_TOPIC_MEMBERS = frozenset({"number", "title", "description", "turn"})
_TURN_MEMBERS = frozenset({"number", "participant", MANUAL, *RAW, *_PARENTS})


@dataclass(frozen=True, slots=True)
class CastTurn:
    """What was asked in a turn; ``members`` is all else that the file says of it."""

    number: str
    raw: str | None = None
    manual: str | None = None
    parent: str | None = None
    system: bool = False
    """Whether the system speaks: a turn of its own in the trees of 2022."""
    members: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CastTopic:
    """A conversation, or in 2022 a tree of them."""

    number: str
    place: int | str
    title: str | None = None
    description: str | None = None
    turns: tuple[CastTurn, ...] = ()
    members: dict[str, Any] = field(default_factory=dict)


def turn_id(topic: CastTopic, turn: CastTurn) -> str:
    """A turn's id as the resolved files write it, such as ``31_2``."""
    return f"{topic.number}_{turn.number}"


def topic_of(raw: Any, where: str) -> CastTopic:
    """A topic of a JSON document."""
    an_object(raw, "the topic", where)
    number = _number(raw, where, "topic")
    turns = [
        _turn(turn, f"{number}.turn[{index}]")
        for index, turn in enumerate(an_array(raw, "turn", number))
    ]
    return CastTopic(
        number=number,
        place=number,
        title=a_label(raw, "title", number),
        description=a_label(raw, "description", number),
        turns=tuple(turns),
        members=others(raw, _TOPIC_MEMBERS),
    )


def _turn(raw: Any, where: str) -> CastTurn:
    an_object(raw, "the turn", where)
    number = _number(raw, where, "turn")
    is_system = raw.get("participant") == "System"
    utterance = next((a_label(raw, name, where) for name in RAW if name in raw), None)
    if utterance is None and not is_system:
        raise Fault(where, "raw_utterance is missing, expected text")
    return CastTurn(
        number=number,
        raw=utterance,
        parent=next((a_label(raw, name, where) for name in _PARENTS if name in raw), None),
        manual=a_label(raw, MANUAL, where),
        system=is_system,
        members=others(raw, _TURN_MEMBERS),
    )


def _number(raw: dict[str, Any], where: str, noun: str) -> str:
    number = a_label(raw, "number", where)
    if not number:
        raise Fault(where, unexpected("number", raw.get("number"), f"the {noun}'s number"))
    return number


def conversations(topic: CastTopic) -> list[CastTopic]:
    """The conversations of a topic: itself, or every path through the tree from root to leaf.

    What the system says goes to the turn that it answers.
    """
    if not any(turn.parent is not None or turn.system for turn in topic.turns):
        return [topic]
    by_number = {turn.number: turn for turn in topic.turns}
    parents = {turn.parent for turn in topic.turns}
    branches = [
        replace(topic, turns=_with_responses(_path_to(leaf, by_number, topic.number)))
        for leaf in topic.turns
        if leaf.number not in parents
    ]
    if not branches:
        raise Fault(topic.number, "the turns' parents form a circle")
    return branches


def _path_to(leaf: CastTurn, by_number: dict[str, CastTurn], where: str) -> list[CastTurn]:
    path = [leaf]
    while path[-1].parent is not None:
        parent = path[-1].parent
        if parent not in by_number:
            raise Fault(where, f"turn {path[-1].number!r} has an unknown parent {parent!r}")
        if len(path) > len(by_number):
            raise Fault(where, "the turns' parents form a circle")
        path.append(by_number[parent])
    return path[::-1]


def _with_responses(path: list[CastTurn]) -> tuple[CastTurn, ...]:
    """The user's turns; each takes the members of the system's turns after it."""
    turns: list[CastTurn] = []
    for turn in path:
        if not turn.system:
            turns.append(turn)
        elif turns:
            turns[-1] = replace(turns[-1], members={**turns[-1].members, **turn.members})
    return tuple(turns)
