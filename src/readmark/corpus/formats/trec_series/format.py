"""The format: targets and questions in XML, types and known answers from the files beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from readmark.corpus.files import read_bytes
from readmark.corpus.formats.series_gold import SERIES_GOLD
from readmark.corpus.formats.trec_series.companions import (
    beside,
    known_answers,
    plain,
    target_types,
)
from readmark.corpus.formats.trec_series.elements import Asked, Document, Target, parsed
from readmark.corpus.formats.trec_series.encoding import decoded_xml
from readmark.corpus.formats.trec_series.writing import write_trec
from readmark.corpus.problems import Problem, Report, fail, remark
from readmark.corpus.series_notation import OTHER, other_text
from readmark.corpus.source import Source
from readmark.corpus.test import Header, Placed, Test
from readmark.corpus.values import Series, SeriesQuestion

_LOOKS = re.compile(rb"<trecqa[\s>]|<!DOCTYPE\s+trec", re.IGNORECASE)


@dataclass(frozen=True)
class TrecSeries:
    """TREC's own files: ``trec13questions.xml`` with its ``targettypes`` and patterns."""

    companions: bool = field(
        default=True, metadata={"help": "read the types and patterns that lie beside the file"}
    )
    gold: str = field(
        default="", metadata={"help": "a series_gold file whose rewrites go to the questions"}
    )

    def recognises(self, source: Source) -> bool:
        """XML whose document is TREC's; UTF-16 is looked at without its zeros."""
        head = source.head.replace(b"\0", b"")
        return b"<" in head[:100] and _LOOKS.search(head) is not None

    def read(self, source: Source) -> Test:
        """The series in a file, which is read whole: a year's are some sixty kilobytes."""
        document = self._document(source, fail)
        fields = {name: value for name, value in document.attributes.items() if value}
        header = Header(kind="series", name=_name(source), fields=fields)
        return Test(header, lambda report: self._series(source, report), source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write targets and questions; what XML of this shape cannot hold is named."""
        return write_trec(test, path)

    def _document(self, source: Source, report: Report) -> Document:
        text = decoded_xml(read_bytes(source.path), source.file, report)
        return parsed(text, source.file)

    def _series(self, source: Source, report: Report) -> Iterator[Placed]:
        document = self._document(source, report)
        for name, line in document.unread.items():
            said = f"<{name}> and what stands in it is not read"
            remark(report, Problem(source.file, line, "unread", said, "warning"))
        types: Mapping[str, str] = {}
        answers: Mapping[str, tuple[str, ...]] = {}
        if self.companions:
            listed = beside(source.path, "targettypes")
            types = target_types(listed, report) if listed else {}
            listed = beside(source.path, "patterns_factoid")
            answers = known_answers(listed, report) if listed else {}
        golds = _golds(self.gold)
        for target in document.targets:
            one = _one(target, types, answers, source.file, report)
            if one is not None:
                yield target.line, _keyed(one, golds) if golds else one


def _one(
    target: Target,
    types: Mapping[str, str],
    answers: Mapping[str, tuple[str, ...]],
    file: str,
    report: Report,
) -> Series | None:
    id = plain(target.attributes.get("id", ""))
    for name, value in (("id", id), ("text", target.attributes.get("text"))):
        if value is None or (name == "id" and not value):
            said = f"the target {id!r} has no {name}" if id else f"a target has no {name}"
            report(Problem(file, target.line, "schema", said))
            return None
    text = plain(target.attributes["text"])
    questions: list[SeriesQuestion] = []
    before: tuple[str, ...] = ()
    last: str | None = None
    for asked in target.asked:
        fault = _fault(asked)
        if fault:
            report(Problem(file, asked.line, "schema", f"{id}: {fault}"))
            continue
        own = plain(asked.attributes["id"])
        category = plain(asked.attributes["type"]).upper()
        said = plain(asked.text)
        if category == OTHER:
            said = other_text(said)
        questions.append(
            SeriesQuestion(
                id=own,
                text=said,
                turn=len(questions) + 1,
                category=category,
                previous=before,
                previous_of=last if before else None,
            )
        )
        before, last = answers.get(own, ()), own
    return Series(id=id, target=text, target_type=types.get(text), questions=tuple(questions))


def _golds(path: str) -> dict[str, SeriesQuestion]:
    """The questions of a file of golds, by id."""
    if not path:
        return {}
    test = SERIES_GOLD.read(Source(path))
    return {question.id: question for series in test.records() for question in series.questions}


def _keyed(series: Series, golds: Mapping[str, SeriesQuestion]) -> Series:
    """A series with the golds of its questions; one that asks something else is not the same."""
    questions = []
    for one in series.questions:
        found = golds.get(one.id)
        same = found is not None and plain(found.text) == one.text
        key = found.key if found is not None and same else None
        questions.append(msgspec.structs.replace(one, key=key))
    return msgspec.structs.replace(series, questions=tuple(questions))


def _fault(asked: Asked) -> str:
    id = plain(asked.attributes.get("id", ""))
    if not id:
        return "a question has no id"
    return "" if plain(asked.attributes.get("type", "")) else f"the question {id!r} has no type"


def _name(source: Source) -> str:
    name = source.path.name
    for suffix in (".gz", ".zst", ".xml"):
        name = name.removesuffix(suffix)
    return name


TREC_SERIES = TrecSeries()
