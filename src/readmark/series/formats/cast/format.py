"""CAsT as a test: topics are series, turns are questions, manual rewrites are golds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from readmark.core.encodings import decoded
from readmark.core.files import read_bytes
from readmark.core.problems import Problem, ReportProblem
from readmark.core.records import Answer, RecordKey
from readmark.core.registry import parameter
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import Fault, name_of, unexpected
from readmark.series.formats.cast.automatic import SAMPLE
from readmark.series.formats.cast.companions import topics_next_to, with_companions
from readmark.series.formats.cast.text_files import (
    looks_like_topics,
    looks_resolved,
    read_resolved,
    read_topics,
)
from readmark.series.formats.cast.topics import (
    MANUAL,
    RAW,
    CastTopic,
    CastTurn,
    conversations,
    topic_of,
    turn_id,
)
from readmark.series.notation import CAST_GUIDELINES
from readmark.series.records import CONVERSATION, REPEATS, Series, SeriesQuestion, SeriesQuestionKey

_RESPONSES = ("response", "passage")  # what the system answered in a turn, since 2021


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
        topics = list(_topics(source, report))
        if self.companions:
            topics = with_companions(topics, source.path)
        counts: dict[str, int] = {}
        utterances: dict[str, str | None] = {}
        for topic in topics:
            try:
                branches = conversations(topic)
            except Fault as fault:
                report(fault.problem(source.file))
                continue
            for branch in branches:
                counts[branch.number] = count = counts.get(branch.number, 0) + 1
                yield topic.place, self._conversation(branch, count, utterances)

    def _conversation(
        self, topic: CastTopic, count: int, utterances: dict[str, str | None]
    ) -> Series:
        """One conversation; turns shared with an earlier one of its tree are not asked twice.

        ``count`` is the number of the conversation in its topic, ``utterances`` are those of the
        conversations so far, by the ids of their turns.
        """
        suffix = f"#{count}" if count > 1 else ""
        questions: list[SeriesQuestion] = []
        response: tuple[str, ...] = ()
        for turn in topic.turns:
            id = turn_id(topic, turn)
            repeated = bool(suffix) and utterances.get(id) == turn.raw
            utterances.setdefault(id, turn.raw)
            question = SeriesQuestion(
                id=id + suffix if repeated else id,
                text=turn.raw or "",
                turn=len(questions) + 1,
                previous=response,
                previous_of=questions[-1].id if response else None,
                fields={REPEATS: id} if repeated else {},
                key=None if repeated else _key(turn),
            )
            questions.append(question)
            if self.responses:
                values = [turn.members[name] for name in _RESPONSES if name in turn.members]
                response = (values[0],) if values and isinstance(values[0], str) else ()
        fields: dict[str, Any] = {}
        if topic.description is not None:
            fields["description"] = topic.description
        if not topic.title:
            fields[CONVERSATION] = True
        return Series(
            id=topic.number + suffix,
            target=topic.title or "",
            fields=fields,
            questions=tuple(questions),
            key=RecordKey(fields=topic.members) if topic.members else None,
        )


def _topics(source: Source, report: ReportProblem) -> Iterator[CastTopic]:
    if source.document is None:
        text = decoded(read_bytes(source.path), source.file)
        if looks_resolved(source.head):
            yield from _resolved_topics(topics_next_to(source.path), text, source.file, report)
        else:
            yield from read_topics(text, source.file, report)
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


def _resolved_topics(
    topics: list[CastTopic], text: str, file: str, report: ReportProblem
) -> Iterator[CastTopic]:
    """The topics that a file of resolved questions rewrites, each at the line of its first turn."""
    resolved = read_resolved(text, file)
    turn_ids = {turn_id(topic, turn) for topic in topics for turn in topic.turns}
    for id, (line, _) in resolved.items():
        if id not in turn_ids:
            message = f"{id!r} is not a turn of the topics file next to it"
            report(Problem(file, line, "schema", message))
    for topic in topics:
        in_file = [turn for turn in topic.turns if turn_id(topic, turn) in resolved]
        if in_file:
            line, _ = resolved[turn_id(topic, in_file[0])]
            yield replace(topic, place=line, turns=_resolved_turns(topic, resolved))


def _resolved_turns(
    topic: CastTopic, resolved: Mapping[str, tuple[int, str]]
) -> tuple[CastTurn, ...]:
    """Every turn, since later ones refer to earlier ones; those not resolved have no gold."""
    turns = []
    is_whole = all(turn_id(topic, turn) in resolved for turn in topic.turns)
    for turn in topic.turns:
        _, rewrite = resolved.get(turn_id(topic, turn), (0, None))
        if is_whole:
            turns.append(replace(turn, manual=rewrite))
        else:
            turns.append(CastTurn(turn.number, turn.raw, rewrite))
    return tuple(turns)


def _key(turn: CastTurn) -> SeriesQuestionKey | None:
    if turn.manual is None and not turn.members:
        return None
    if turn.manual is None:
        return SeriesQuestionKey(fields=turn.members)
    gold = Answer(text=turn.manual)
    return SeriesQuestionKey(rewrites=(gold,), guidelines=CAST_GUIDELINES, fields=turn.members)


def _has_turns(topic: Any) -> bool:
    if not isinstance(topic, dict) or not isinstance(topic.get("turn"), list):
        return False
    return any(
        isinstance(turn, dict) and any(name in turn for name in (*RAW, MANUAL))
        for turn in topic["turn"]
    )


CAST = Cast()
