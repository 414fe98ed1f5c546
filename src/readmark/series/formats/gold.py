"""Gold rewrites of question series in one JSON document, with the guidelines they follow.

``{"guidelines", "series": [{"year", "target_id", "target", "questions": [{"id", "question",
"gold": [...]}]}]}``. Readmark adds members where a test says more: ``target_type``, ``category``,
``previous`` and ``previous_of``, ``annotators`` beside ``gold``, ``refers``, ``guidelines`` of a
question.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.fingerprint import text_id
from readmark.core.problems import ReportProblem
from readmark.core.records import AS_WRITTEN, Answer, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.core.writing import writing
from readmark.formats.losses import (
    Losses,
    answer_losses,
    header_losses,
    layer_losses,
    members_to_write,
)
from readmark.formats.members import (
    Fault,
    a_label,
    a_question_id,
    a_text,
    an_array,
    an_object,
    name_of,
    others,
    texts_of,
    unexpected,
)
from readmark.series.notation import OTHER, other_text
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

GUIDELINES = "guidelines"
_SERIES_LABELS = ("target_type", "split", "topic")
_SERIES_MEMBERS = frozenset({"year", "target_id", "target", "questions", *_SERIES_LABELS})
_QUESTION_MEMBERS = frozenset(
    {
        "id",
        "question",
        "gold",
        "annotators",
        "category",
        "previous",
        "previous_of",
        "refers",
        GUIDELINES,
    }
)

_encode = msgspec.json.Encoder().encode


class SeriesGold:
    """A document of gold rewrites."""

    def recognises(self, source: Source) -> bool:
        """An object with series that have questions."""
        document = source.document
        rows = document.get("series") if isinstance(document, dict) else None
        return isinstance(rows, list) and any(
            isinstance(row, dict) and "questions" in row and "target" in row for row in rows
        )

    def read(self, source: Source) -> Test:
        """The series of a document, whose golds name the version of its guidelines."""
        file = source.file
        try:
            document = an_object(source.json, "the document", "")
            rows = an_array(document, "series", "")
            guidelines = a_label(document, GUIDELINES, "")
        except Fault as fault:
            raise fault.problem(file).error() from None
        fields = others(document, frozenset({"series"}))
        version = None if guidelines is None else _version(guidelines)

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for index, raw in enumerate(rows):
                try:
                    series = _read_series(raw, f"series[{index}]", version, file, report)
                except Fault as fault:
                    report(fault.problem(file))
                    continue
                yield series.id, series

        return Test(Header(kind="series", name=name_of(source), fields=fields), stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write the series one by one, and return lines on what the format cannot store."""
        if test.header.kind != "series":
            raise UsageError(
                f"{test.file}: only series can be written as series_gold, "
                f"this is a {test.header.kind} test"
            )
        losses = Losses()
        header_losses(losses, test.header, profile=None)
        fields = {name: value for name, value in test.header.fields.items() if name != "series"}
        guidelines = fields.get(GUIDELINES)
        if GUIDELINES in fields and not isinstance(guidelines, str):
            losses.cannot_store("guidelines that are not text", test.header.name or "header")
            del fields[GUIDELINES]
        version = _version(guidelines) if isinstance(guidelines, str) else None
        with writing(path) as stream:
            opening = _encode(fields)[:-1]
            stream.write(opening + (b",\n" if fields else b"") + b'"series":[')
            for index, series in enumerate(test.records()):
                stream.write(b",\n" if index else b"\n")
                stream.write(msgspec.json.format(_encode(_series_row(series, version, losses))))
            stream.write(b"\n]}\n")
        return losses.lines()


def _version(guidelines: str) -> str:
    """The version of guidelines, which is made of their words."""
    return f"guidelines {text_id(guidelines)}"


def _read_series(
    raw: Any, where: str, version: str | None, file: str, report: ReportProblem
) -> Series:
    an_object(raw, "the series", where)
    id = a_question_id(raw, "target_id", where)
    target = a_text(raw, "target", id)
    questions = []
    for index, question in enumerate(an_array(raw, "questions", id)):
        try:
            place = f"{id}.questions[{index}]"
            questions.append(_read_question(question, place, index + 1, version))
        except Fault as fault:
            report(fault.problem(file))
    key_fields = others(raw, _SERIES_MEMBERS)
    return Series(
        id=id,
        target=target,
        target_type=a_label(raw, "target_type", id),
        split=a_label(raw, "split", id),
        topic=a_label(raw, "topic", id),
        fields={"year": raw["year"]} if "year" in raw else {},
        questions=tuple(questions),
        key=RecordKey(fields=key_fields) if key_fields else None,
    )


def _read_question(raw: Any, where: str, turn: int, version: str | None) -> SeriesQuestion:
    an_object(raw, "the question", where)
    id = a_question_id(raw, "id", where)
    golds = texts_of(raw.get("gold", []), "gold", id)
    people = raw.get("annotators", [None] * len(golds))
    if not isinstance(people, list) or len(people) != len(golds):
        raise Fault(id, "annotators and gold differ in length")
    rewrites = []
    for gold, person in zip(golds, people, strict=True):
        if not isinstance(person, (str, type(None))):
            raise Fault(id, unexpected("an annotator", person, "text or null"))
        rewrites.append(Answer(text=gold, annotator=person))
    guidelines = version if rewrites else None
    if GUIDELINES in raw:
        guidelines = a_label(raw, GUIDELINES, id)
    refers = a_label(raw, "refers", id)
    key_fields = others(raw, _QUESTION_MEMBERS)
    category, text = a_label(raw, "category", id), a_text(raw, "question", id)
    has_key = bool("gold" in raw or key_fields or refers is not None)
    if category == OTHER:
        # An empty list of golds makes no key for an OTHER question.
        text = other_text(text)
        has_key = bool(golds or key_fields or refers or raw.get(GUIDELINES) is not None)
    key = SeriesQuestionKey(
        rewrites=tuple(rewrites), guidelines=guidelines, refers=refers, fields=key_fields
    )
    return SeriesQuestion(
        id=id,
        text=text,
        turn=turn,
        category=category,
        previous=tuple(texts_of(raw.get("previous", []), "previous", id)),
        previous_of=a_label(raw, "previous_of", id),
        key=key if has_key else None,
    )


def _series_row(series: Series, version: str | None, losses: Losses) -> dict[str, Any]:
    """A series as the document has it; what that cannot hold is added to the losses."""
    for name in ("language", "parallel"):
        if getattr(series, name) is not None:
            losses.cannot_store(f"the series' {name}", series.id)
    layer_losses(losses, series)
    for turn, question in enumerate(series.questions, 1):
        if question.turn != turn:
            losses.add("turns are read back as places in the series", question.id)
    visible = dict(series.fields)
    raw: dict[str, Any] = {}
    if "year" in visible:
        raw["year"] = visible.pop("year")
    raw |= {"target_id": series.id, "target": series.target}
    raw |= {name: label for name in _SERIES_LABELS if (label := getattr(series, name)) is not None}
    raw["questions"] = [_question_row(question, version, losses) for question in series.questions]
    hidden = series.key.fields if series.key is not None else {}
    return raw | members_to_write(
        losses, series.id, hidden=hidden, visible=visible, known=_SERIES_MEMBERS
    )


def _question_row(question: SeriesQuestion, version: str | None, losses: Losses) -> dict[str, Any]:
    layer_losses(losses, question)
    names = [name for name in question.fields if name != AS_WRITTEN]
    if names:
        losses.cannot_store("fields ()", question.id, names=names)
    raw: dict[str, Any] = {"id": question.id, "question": question.text}
    if question.category is not None:
        raw["category"] = question.category
    if question.previous:
        raw["previous"] = list(question.previous)
    if question.previous_of is not None:
        raw["previous_of"] = question.previous_of
    key = question.key
    if key is None:
        return raw
    for answer in key.rewrites:
        answer_losses(losses, question.id, answer, offsets=False)
        if answer.sentence is not None:
            losses.cannot_store("answer sentences", question.id)
    raw["gold"] = [rewrite.text for rewrite in key.rewrites]
    if any(rewrite.annotator is not None for rewrite in key.rewrites):
        raw["annotators"] = [rewrite.annotator for rewrite in key.rewrites]
    if key.refers is not None:
        raw["refers"] = key.refers
    if key.guidelines != (version if key.rewrites else None):
        raw[GUIDELINES] = key.guidelines
    return raw | members_to_write(
        losses, question.id, hidden=key.fields, visible={}, known=_QUESTION_MEMBERS
    )


SERIES_GOLD = SeriesGold()
