"""TREC's series as a test: targets and questions, with types and known answers next to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from readmark.core.files import read_bytes
from readmark.core.problems import Problem, ReportProblem, fail, remark
from readmark.core.registry import parameter
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.series.formats.gold import SERIES_GOLD
from readmark.series.formats.trec.companions import companion, known_answers, target_types
from readmark.series.formats.trec.decoding import decoded_xml
from readmark.series.formats.trec.elements import (
    QuestionElement,
    TargetElement,
    TrecDocument,
    parse_document,
)
from readmark.series.notation import OTHER, other_text
from readmark.series.records import Series, SeriesQuestion

_LOOKS_LIKE_TREC = re.compile(rb"<trecqa[\s>]|<!DOCTYPE\s+trec", re.IGNORECASE)


@dataclass(frozen=True)
class TrecSeries:
    """TREC's own files: ``trec13questions.xml`` with its ``targettypes`` and patterns."""

    companions: bool = parameter(True, help="read the types and patterns next to the file")
    gold: str = parameter("", help="a series_gold file whose rewrites go to the questions")

    def recognises(self, source: Source) -> bool:
        """XML whose document is TREC's; zeros are skipped, since UTF-16 has one a character."""
        head = source.head.replace(b"\0", b"")
        return b"<" in head[:100] and _LOOKS_LIKE_TREC.search(head) is not None

    def read(self, source: Source) -> Test:
        """The series in a file, which is read whole: a year's are some sixty kilobytes."""
        document = _document(source, fail)
        name = source.path.name
        for suffix in (".gz", ".zst", ".xml"):
            name = name.removesuffix(suffix)
        fields = {key: value for key, value in document.attributes.items() if value}
        header = Header(kind="series", name=name, fields=fields)
        return Test(header, lambda report: self._series(source, report), source.file)

    def _series(self, source: Source, report: ReportProblem) -> Iterator[Placed]:
        document = _document(source, report)
        for name, line in document.unread.items():
            message = f"<{name}> and its content is not read"
            remark(report, Problem(source.file, line, "unread", message, "warning"))
        types: Mapping[str, str] = {}
        answers: Mapping[str, tuple[str, ...]] = {}
        if self.companions:
            types_file = companion(source.path, "targettypes")
            types = target_types(types_file, report) if types_file else {}
            patterns_file = companion(source.path, "patterns_factoid")
            answers = known_answers(patterns_file, report) if patterns_file else {}
        golds = _golds(self.gold)
        for target in document.targets:
            series = _make_series(target, types, answers, source.file, report)
            if series is not None:
                yield target.line, _with_golds(series, golds) if golds else series


def _document(source: Source, report: ReportProblem) -> TrecDocument:
    text = decoded_xml(read_bytes(source.path), source.file, report)
    return parse_document(text, source.file)


def _make_series(
    target: TargetElement,
    types: Mapping[str, str],
    answers: Mapping[str, tuple[str, ...]],
    file: str,
    report: ReportProblem,
) -> Series | None:
    id = _single_spaced(target.attributes.get("id", ""))
    if not id:
        report(Problem(file, target.line, "schema", "a target has no id"))
        return None
    if "text" not in target.attributes:
        report(Problem(file, target.line, "schema", f"the target {id!r} has no text"))
        return None
    text = _single_spaced(target.attributes["text"])
    questions: list[SeriesQuestion] = []
    previous: tuple[str, ...] = ()
    previous_of: str | None = None
    for element in target.questions:
        fault = _fault(element)
        if fault:
            report(Problem(file, element.line, "schema", f"{id}: {fault}"))
            continue
        question_id = _single_spaced(element.attributes["id"])
        category = _single_spaced(element.attributes["type"]).upper()
        question = _single_spaced(element.text)
        questions.append(
            SeriesQuestion(
                id=question_id,
                text=other_text(question) if category == OTHER else question,
                turn=len(questions) + 1,
                category=category,
                previous=previous,
                previous_of=previous_of if previous else None,
            )
        )
        previous, previous_of = answers.get(question_id, ()), question_id
    return Series(id=id, target=text, target_type=types.get(text), questions=tuple(questions))


def _fault(element: QuestionElement) -> str:
    id = _single_spaced(element.attributes.get("id", ""))
    if not id:
        return "a question has no id"
    if not _single_spaced(element.attributes.get("type", "")):
        return f"the question {id!r} has no type"
    return ""


def _golds(path: str) -> dict[str, SeriesQuestion]:
    """The questions of a file of golds, by id."""
    if not path:
        return {}
    test = SERIES_GOLD.read(Source(path))
    return {question.id: question for series in test.records() for question in series.questions}


def _with_golds(series: Series, golds: Mapping[str, SeriesQuestion]) -> Series:
    """A series with the golds of its questions; a gold of another text is not this question's."""
    questions = []
    for question in series.questions:
        gold = golds.get(question.id)
        is_same = gold is not None and _single_spaced(gold.text) == question.text
        key = gold.key if gold is not None and is_same else None
        questions.append(msgspec.structs.replace(question, key=key))
    return msgspec.structs.replace(series, questions=tuple(questions))


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


TREC_SERIES = TrecSeries()
