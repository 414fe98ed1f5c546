"""TREC CAsT, 2019 to 2022: conversations as series, with manual and automatic rewrites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from readmark.core.encodings import decoded, numbered_lines
from readmark.core.errors import DataError
from readmark.core.files import read_bytes, read_head
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.records import Answer, RecordKey
from readmark.core.registry import parameter
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import (
    Fault,
    a_label,
    an_array,
    an_object,
    name_of,
    objects,
    others,
    unexpected,
)
from readmark.hooks import Kind
from readmark.series.notation import CAST_GUIDELINES
from readmark.series.records import CONVERSATION, REPEATS, Series, SeriesQuestion, SeriesQuestionKey

# A topic: its turns, with what people and systems made of each.


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


def topics_of(text: str, file: str, report: ReportProblem) -> Iterator[CastTopic]:
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


# The rewrites that a CAsT file brings along, as a sitting: what a system or a person made of it.


SAMPLE = 20


class CastAutomatic:
    """Automatic rewrites of JSON topics, or the questions of a resolved TSV."""

    def recognises(self, source: Source) -> bool:
        """A turn with an automatic rewrite, or lines of resolved questions."""
        if source.folder is not None:
            return False
        document = source.document
        if document is None:
            return looks_resolved(source.head)
        return isinstance(document, list) and any(
            AUTOMATIC in turn
            for topic in objects(document[:SAMPLE])
            for turn in islice(objects(topic.get("turn")), SAMPLE)
        )

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """A row a turn; a turn of several conversations of a tree has one."""
        rows = PackedRows()
        if source.document is None:
            name = source.path.name.removesuffix(".gz").removesuffix(".tsv")
            text = decoded(read_bytes(source.path), source.file)
            for id, (_, said) in resolved_of(text, source.file).items():
                rows[id] = Row(id=id, answer=said)
        else:
            name = f"{name_of(source)} automatic"
            for id, said in _automatic(source):
                rows.setdefault(id, Row(id=id, answer=said))
        return Sitting(SittingHeader(kind="series", candidate=name), rows, source.file)


def _automatic(source: Source) -> list[tuple[str, str]]:
    document: Any = source.json
    found = []
    for index, raw in enumerate(objects(document)):
        try:
            ways = paths(topic_of(raw, f"[{index}]"))
        except Fault as fault:
            raise fault.problem(source.file).error() from None
        for way in ways:
            for turn in way.turns:
                text = _automatic_rewrite(turn, f"{way.number}_{turn.number}", source.file)
                if text is not None:
                    found.append((f"{way.number}_{turn.number}", text))
    return found


def _automatic_rewrite(turn: CastTurn, id: str, file: str) -> str | None:
    said = turn.members.get(AUTOMATIC)
    if said is None or isinstance(said, str):
        return said
    raise DataError(f"{AUTOMATIC} is not text", file=file, where=id)


CAST_AUTOMATIC = CastAutomatic()


# The other files of a year of CAsT, next to the one read: resolved questions, titles.


def filled(topics: Sequence[CastTopic], path: Path) -> list[CastTopic]:
    """Topics; missing rewrites and titles come from the files next to theirs."""
    resolved = {}
    if not any(turn.manual for topic in topics for turn in topic.turns):
        for other in _sibling_files(path, "resolved", (".tsv",)):
            if looks_resolved(read_head(other)):
                resolved = resolved_of(decoded(read_bytes(other), str(other)), str(other))
                break
    titled = _titled(path) if not any(topic.title for topic in topics) else {}
    return [_with(topic, titled.get(topic.number), resolved) for topic in topics]


def topics_for(path: Path) -> list[CastTopic]:
    """The topics whose resolved questions are in a file; they must be in the same folder."""
    for other in _sibling_files(path, "topics", (".json", ".txt")):
        if "resolved" not in other.name:
            if other.suffix == ".json":
                return _of_json(other)
            return list(topics_of(decoded(read_bytes(other), str(other)), str(other), fail))
    raise DataError(
        "holds resolved questions alone: the questions are in a file of topics, such as "
        f"{_first(path)}_topics_v1.0.json, which is not next to it",
        file=path,
    )


def _with(
    topic: CastTopic, titled: CastTopic | None, resolved: dict[str, tuple[int, str]]
) -> CastTopic:
    def turned(turn: CastTurn) -> CastTurn:
        id = f"{topic.number}_{turn.number}"
        return replace(turn, manual=resolved[id][1]) if id in resolved else turn

    turns = tuple(map(turned, topic.turns)) if resolved else topic.turns
    if titled is None:
        return replace(topic, turns=turns)
    description = topic.description or titled.description
    return replace(topic, turns=turns, title=titled.title, description=description)


def _titled(path: Path) -> dict[str, CastTopic]:
    for other in sorted(path.parent.glob("*topics*annotated*.json")):
        if other != path:
            with suppress(DataError, Fault):  # it is a help, not what was asked for
                return {topic.number: topic for topic in _of_json(other)}
    return {}


def _of_json(path: Path) -> list[CastTopic]:
    found = Source(path).json
    return [topic_of(one, f"[{index}]") for index, one in enumerate(objects(found))]


def _sibling_files(path: Path, word: str, suffixes: Sequence[str]) -> Iterator[Path]:
    """Files of the same folder with the same prefix, such as ``evaluation_``, and a word."""
    for suffix in suffixes:
        yield from sorted(
            other for other in path.parent.glob(f"{_first(path)}*{word}*{suffix}") if other != path
        )


def _first(path: Path) -> str:
    return path.name.partition("_")[0].replace("[", "[[]")


# The format: topics as series, turns as questions, manual rewrites as golds.

ANSWERED = ("response", "passage")
"""What the system answered in a turn, since 2021."""


@dataclass(frozen=True)
class Cast:
    """Topics in JSON or text, or the resolved questions of topics in the same folder."""

    companions: bool = parameter(
        True, help="take rewrites and titles that the file lacks from files next to it"
    )
    responses: bool = parameter(
        False, help="take a system's response as the known answer before the next turn"
    )

    def recognises(self, source: Source) -> bool:
        """Objects with turns that have utterances; or text with headings or resolved questions."""
        if source.folder is not None:
            return False
        document = source.document
        if document is None:
            return looks_like_topics(source.head) or looks_resolved(source.head)
        return isinstance(document, list) and any(map(_has_turns, islice(document, SAMPLE)))

    def read(self, source: Source) -> Test:
        """The test in a file; topics are turned into series as they are asked for."""
        header = Header(kind="series", name=name_of(source))
        return Test(header, lambda report: self._series(source, report), source.file)

    def _series(self, source: Source, report: ReportProblem) -> Iterator[Placed]:
        topics = list(self._topics(source, report))
        if self.companions:
            topics = filled(topics, source.path)
        times: dict[str, int] = {}
        asked: dict[str, str | None] = {}
        for topic in topics:
            try:
                ways = paths(topic)
            except Fault as fault:
                report(fault.problem(source.file))
                continue
            for way in ways:
                times[way.number] = time = times.get(way.number, 0) + 1
                yield topic.place, self._conversation(way, time, asked)

    def _topics(self, source: Source, report: ReportProblem) -> Iterator[CastTopic]:
        if source.document is None:
            text = decoded(read_bytes(source.path), source.file)
            if looks_resolved(source.head):
                yield from _resolved(topics_for(source.path), text, source.file, report)
            else:
                yield from topics_of(text, source.file, report)
            return
        document = source.json
        if not isinstance(document, list):
            report(Problem(source.file, 1, "schema", unexpected("it", document, "an array")))
            return
        for index, raw in enumerate(document):
            try:
                yield topic_of(raw, f"[{index}]")
            except Fault as fault:
                report(fault.problem(source.file))

    def _conversation(self, topic: CastTopic, time: int, asked: dict[str, str | None]) -> Series:
        """One conversation; turns shared with an earlier one of its tree are not asked twice."""
        again = f"#{time}" if time > 1 else ""
        questions: list[SeriesQuestion] = []
        before: tuple[str, ...] = ()
        for turn in topic.turns:
            id = f"{topic.number}_{turn.number}"
            repeated = bool(again) and asked.get(id) == turn.raw
            asked.setdefault(id, turn.raw)
            question = SeriesQuestion(
                id=id + again if repeated else id,
                text=turn.raw or "",
                turn=len(questions) + 1,
                previous=before,
                previous_of=questions[-1].id if before else None,
                fields={REPEATS: id} if repeated else {},
                key=None if repeated else _key(turn),
            )
            questions.append(question)
            if self.responses:
                said = next((turn.members[name] for name in ANSWERED if name in turn.members), None)
                before = (said,) if isinstance(said, str) else ()
        return Series(
            id=topic.number + again,
            target=topic.title or "",
            fields={
                **({"description": topic.description} if topic.description is not None else {}),
                **({} if topic.title else {CONVERSATION: True}),
            },
            questions=tuple(questions),
            key=RecordKey(fields=topic.members) if topic.members else None,
        )


def _key(turn: CastTurn) -> SeriesQuestionKey | None:
    if turn.manual is None and not turn.members:
        return None
    if turn.manual is None:
        return SeriesQuestionKey(fields=turn.members)
    gold = Answer(text=turn.manual)
    return SeriesQuestionKey(rewrites=(gold,), guidelines=CAST_GUIDELINES, fields=turn.members)


def _resolved(
    topics: list[CastTopic], text: str, file: str, report: ReportProblem
) -> Iterator[CastTopic]:
    """The topics that a file resolves; companions bring the rewrites themselves."""
    wanted = resolved_of(text, file)
    known = {f"{topic.number}_{turn.number}" for topic in topics for turn in topic.turns}
    for id, (line, _) in wanted.items():
        if id not in known:
            report(
                Problem(file, line, "schema", f"{id!r} is not a turn of the topics file next to it")
            )
    for topic in topics:
        turns = tuple(
            CastTurn(turn.number, turn.raw, wanted[id][1], turn.parent, turn.system, turn.members)
            for turn in topic.turns
            if (id := f"{topic.number}_{turn.number}") in wanted
        )
        if turns:
            first = wanted[f"{topic.number}_{turns[0].number}"][0]
            whole = len(turns) == len(topic.turns)
            cast_turns = turns if whole else _with_rewrites(topic, wanted)
            yield CastTopic(
                topic.number, first, topic.title, topic.description, cast_turns, topic.members
            )


def _with_rewrites(topic: CastTopic, wanted: dict[str, tuple[int, str]]) -> tuple[CastTurn, ...]:
    """Every turn, since later ones lean on earlier; those that are not resolved have no gold."""
    return tuple(
        CastTurn(turn.number, turn.raw, wanted.get(f"{topic.number}_{turn.number}", (0, None))[1])
        for turn in topic.turns
    )


def _has_turns(topic: Any) -> bool:
    if not isinstance(topic, dict) or not isinstance(topic.get("turn"), list):
        return False
    return any(
        isinstance(turn, dict) and any(name in turn for name in (*RAW, MANUAL))
        for turn in topic["turn"]
    )


CAST = Cast()
