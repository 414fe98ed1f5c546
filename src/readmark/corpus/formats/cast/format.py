"""The format: topics as series, turns as questions, manual rewrites as golds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from readmark.corpus.decoding import decoded
from readmark.corpus.files import read_bytes
from readmark.corpus.formats.cast.companions import filled, topics_for
from readmark.corpus.formats.cast.text_files import (
    looks_like_topics,
    looks_resolved,
    resolved_of,
    topics_of,
)
from readmark.corpus.formats.cast.topics import MANUAL, RAW, Topic, Turn, paths, topic_of
from readmark.corpus.formats.cast.writing import REPEATS, write_cast
from readmark.corpus.formats.members import Fault, name_of, unexpected
from readmark.corpus.problems import Problem, Report
from readmark.corpus.series_notation import CAST_GUIDELINES
from readmark.corpus.source import Source
from readmark.corpus.test import Header, Placed, Test
from readmark.corpus.values import Answer, RecordKey, Series, SeriesQuestion, SeriesQuestionKey

SAMPLE = 20
ANSWERED = ("response", "passage")
"""What the system answered in a turn, since 2021."""


@dataclass(frozen=True)
class Cast:
    """Topics in JSON or text, or the resolved questions of topics that lie beside them."""

    companions: bool = field(
        default=True,
        metadata={"help": "take rewrites and titles that the file lacks from files beside it"},
    )
    responses: bool = field(
        default=False,
        metadata={"help": "take a system's response as the known answer before the next turn"},
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

    def write(self, test: Test, path: Path) -> list[str]:
        """Write JSON in the shape of 2020; what it cannot hold is named."""
        return write_cast(test, path)

    def _series(self, source: Source, report: Report) -> Iterator[Placed]:
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
                yield topic.place, self._one(way, time, asked)

    def _topics(self, source: Source, report: Report) -> Iterator[Topic]:
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
        for at, raw in enumerate(document):
            try:
                yield topic_of(raw, f"[{at}]")
            except Fault as fault:
                report(fault.problem(source.file))

    def _one(self, topic: Topic, time: int, asked: dict[str, str | None]) -> Series:
        """A conversation; turns that an earlier one of its tree had are not asked twice."""
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
            fields={"description": topic.description} if topic.description is not None else {},
            questions=tuple(questions),
            key=RecordKey(fields=topic.members) if topic.members else None,
        )


def _key(turn: Turn) -> SeriesQuestionKey | None:
    if turn.manual is None and not turn.members:
        return None
    if turn.manual is None:
        return SeriesQuestionKey(fields=turn.members)
    gold = Answer(text=turn.manual)
    return SeriesQuestionKey(rewrites=(gold,), guidelines=CAST_GUIDELINES, fields=turn.members)


def _resolved(topics: list[Topic], text: str, file: str, report: Report) -> Iterator[Topic]:
    """The topics that a file resolves; companions bring the rewrites themselves."""
    wanted = resolved_of(text, file)
    known = {f"{topic.number}_{turn.number}" for topic in topics for turn in topic.turns}
    for id, (line, _) in wanted.items():
        if id not in known:
            report(Problem(file, line, "schema", f"{id!r} is no turn of the topics beside it"))
    for topic in topics:
        turns = tuple(
            Turn(turn.number, turn.raw, wanted[id][1], turn.parent, turn.system, turn.members)
            for turn in topic.turns
            if (id := f"{topic.number}_{turn.number}") in wanted
        )
        if turns:
            first = wanted[f"{topic.number}_{turns[0].number}"][0]
            whole = len(turns) == len(topic.turns)
            kept = turns if whole else _with_rewrites(topic, wanted)
            yield Topic(topic.number, first, topic.title, topic.description, kept, topic.members)


def _with_rewrites(topic: Topic, wanted: dict[str, tuple[int, str]]) -> tuple[Turn, ...]:
    """Every turn, since later ones lean on earlier; those that are not resolved have no gold."""
    return tuple(
        Turn(turn.number, turn.raw, wanted.get(f"{topic.number}_{turn.number}", (0, None))[1])
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
