"""A topic of TREC CAsT: its turns with what people and systems made of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from readmark.core.encodings import numbered_lines
from readmark.core.errors import DataError
from readmark.core.problems import Problem, Report
from readmark.formats.members import Fault, a_label, an_array, an_object, others, unexpected

MANUAL, AUTOMATIC = "manual_rewritten_utterance", "automatic_rewritten_utterance"
RAW = ("raw_utterance", "utterance")
"""What was asked: the name until 2021, and that of 2022."""
TOPIC_MEMBERS = frozenset({"number", "title", "description", "turn"})
TURN_MEMBERS = frozenset({"number", "parent", "participant", MANUAL, *RAW})
PARENTS = ("parent", "parent_turn")


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


def topic_of(raw: Any, where: str) -> CastTopic:
    """A topic of a JSON document."""
    an_object(raw, "the topic", where)
    number = _number(raw, where, "topic")
    turns = [
        _turn(one, f"{number}.turn[{index}]")
        for index, one in enumerate(an_array(raw, "turn", number))
    ]
    return CastTopic(
        number,
        number,
        a_label(raw, "title", number),
        a_label(raw, "description", number),
        tuple(turns),
        others(raw, TOPIC_MEMBERS),
    )


def _turn(raw: Any, where: str) -> CastTurn:
    an_object(raw, "the turn", where)
    number = _number(raw, where, "turn")
    system = raw.get("participant") == "System"
    asked = next((a_label(raw, name, where) for name in RAW if name in raw), None)
    if asked is None and not system:
        raise Fault(where, "raw_utterance is missing, expected text")
    parent = next((a_label(raw, name, where) for name in PARENTS if name in raw), None)
    members = others(raw, TURN_MEMBERS | {*PARENTS})
    return CastTurn(number, asked, a_label(raw, MANUAL, where), parent, system, members)


def _number(raw: dict[str, Any], where: str, noun: str) -> str:
    found = a_label(raw, "number", where)
    if not found:
        text = unexpected("number", raw.get("number"), f"the {noun}'s number")
        raise Fault(where, text)
    return found


def paths(topic: CastTopic) -> list[CastTopic]:
    """The conversations of a topic: itself, or every way through the tree from root to leaf.

    What the system says goes to the turn that it answers.
    """
    if not any(turn.parent is not None or turn.system for turn in topic.turns):
        return [topic]
    known = {turn.number: turn for turn in topic.turns}
    inner = {turn.parent for turn in topic.turns}
    cast_topics = []
    for leaf in topic.turns:
        if leaf.number not in inner:
            cast_topics.append(replace(topic, turns=_answered(_way(leaf, known, topic.number))))
    if not cast_topics:
        raise Fault(topic.number, "the turns' parents form a circle")
    return cast_topics


def _way(leaf: CastTurn, known: dict[str, CastTurn], where: str) -> list[CastTurn]:
    way = [leaf]
    while way[-1].parent is not None:
        parent = way[-1].parent
        if parent not in known:
            raise Fault(where, f"turn {way[-1].number!r} has an unknown parent {parent!r}")
        if len(way) > len(known):
            raise Fault(where, "the turns' parents form a circle")
        way.append(known[parent])
    return way[::-1]


def _answered(way: list[CastTurn]) -> tuple[CastTurn, ...]:
    turns: list[CastTurn] = []
    for turn in way:
        if not turn.system:
            turns.append(turn)
        elif turns:
            members = {**turns[-1].members, **turn.members}
            turns[-1] = replace(turns[-1], members=members)
    return tuple(turns)


# CAsT's text files: topics as of 2019, and resolved questions, one number and question per line.


_HEADING = re.compile(r"(Number|Title|Description):\s*(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"(\d+)\t\s*(\S.*)")
_RESOLVED = re.compile(r"(\S+?)_(\d[\d-]*)\t\s*(.*)")


def looks_like_topics(head: bytes) -> bool:
    """Whether a file begins as a file of topics does: with a number or title, and headings."""
    lines = [line.strip() for line in head.decode("utf-8", "replace").split("\n") if line.strip()]
    names = [match[1].lower() for line in lines[:3] if (match := _HEADING.fullmatch(line))]
    return names[:2] in (["number", "title"], ["title", "description"])


def looks_resolved(head: bytes) -> bool:
    """Whether a file begins with a line such as ``31_2``, a tab, and a question."""
    first = head.decode("utf-8", "replace").lstrip().partition("\n")[0]
    return _RESOLVED.match(first) is not None


def topics_of(text: str, file: str, report: Report) -> Iterator[CastTopic]:
    """The topics of a text file; one without a number is known by its place."""
    topic: CastTopic | None = None
    count = 0
    for index, line in numbered_lines(text):
        heading = _HEADING.fullmatch(line.strip())
        if heading is not None:
            name, said = heading[1].lower(), heading[2].strip()
            if name == "number" or (name == "title" and (topic is None or topic.title is not None)):
                if topic is not None:
                    yield topic
                count += 1
                topic = CastTopic(said if name == "number" else str(count), index)
            if topic is None:
                report(Problem(file, index, "schema", f"a {name} precedes the first topic"))
                continue
            if name == "title":
                topic = replace(topic, title=said or None)
            elif name == "description":
                topic = replace(topic, description=said or None)
        elif line.strip():
            if topic is None:
                report(Problem(file, index, "schema", "a question precedes the first topic"))
                continue
            turn = _text_files_turn(line, len(topic.turns) + 1)
            topic = replace(topic, turns=(*topic.turns, turn))
    if topic is not None:
        yield topic


def _text_files_turn(line: str, index: int) -> CastTurn:
    match = _NUMBERED.fullmatch(line.strip())
    return CastTurn(match[1], match[2].strip()) if match else CastTurn(str(index), line.strip())


def resolved_of(text: str, file: str) -> dict[str, tuple[int, str]]:
    """Resolved questions by id, each with its line; an id that occurs twice is an error."""
    found: dict[str, tuple[int, str]] = {}
    for index, line in numbered_lines(text):
        if not line.strip():
            continue
        row = _RESOLVED.fullmatch(line.strip())
        if row is None:
            raise DataError(
                f"expected TOPIC_TURN, a tab and a question, found {line.strip()[:40]!r}",
                file=file,
                where=index,
            )
        id = f"{row[1]}_{row[2]}"
        if id in found:
            raise DataError(
                f"{id!r} occurs twice, first at line {found[id][0]}", file=file, where=index
            )
        found[id] = index, row[3].strip()
    return found
