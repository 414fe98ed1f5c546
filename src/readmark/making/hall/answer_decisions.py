"""Adjudication of answers: which of people's answers to a question is the best one.

The key keeps everybody's answers by name, as ``set merge`` writes them, with the adopted one first.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from readmark.core.errors import DataError
from readmark.core.numbers import mark
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test, save_test
from readmark.making.hall import second_answers
from readmark.marking import score
from readmark.settling import Disagreement, grouped_versions, version_line, write_decision_lines
from readmark.works import Configuration, EntryField, ProjectWork, Text, WorkItem
from readmark.works.decisions import DecisionForms
from readmark.works.disputed_places import OTHER, DisputedPlace, dispute_item
from readmark.works.field_values import TEXT, spans_in
from readmark.works.forms import fields_of
from readmark.works.passages import (
    language_of_item,
    passage_view,
    record_of,
    sat_paper,
    test_of,
)

ADOPTED, GOLD = "adjudicated.jsonl", "gold.jsonl"
"""The adopted answers as a sitting, and the test whose key has them first."""
FIELD = "adjudication"
"""In a question's key: who decided, and whose answer was adopted."""
_Version = dict[str, Any]
"""An answer as text and start; an empty text says that the passage has no answer."""


class _Adopted(NamedTuple):
    """The adopted answer to a question, the people who gave it, and who decided, if anybody did."""

    version: _Version
    people: list[str]
    by: str | None


class AnswerDecisions(DecisionForms):
    """The best answer to each question that people answered differently."""

    def other_field(self, project: Configuration) -> EntryField:
        """A field like that of the people who answered: a span of the passage, or words."""
        declared = fields_of(project, second_answers.ENTRY)["answer"]
        return EntryField(widget="span" if declared.widget in ("span", "spans") else "text")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage with a question that was answered differently.

        The answers that the key had before count as versions, too.
        """
        for item in project.items:
            record, places = record_of(item), []
            language = record.language or language_of_item(item)
            versions = _versions_by_question(project, item)
            for question in record.questions:
                groups = grouped_versions(versions[question.id])
                if len(groups) < 2:
                    continue
                line = version_line(question.id, "answer", record.id, groups, unit=question.id)
                texts = [version["text"] for version, _ in groups]
                spans = [
                    (number, _span(version))
                    for number, (version, _) in enumerate(groups)
                    if version["start"] is not None
                ]
                # The page turns to the first span in the text: the one of most people would show
                # what most people think.
                first_span = min(
                    (span for _, span in spans), key=lambda span: span["start"], default=None
                )
                closest, why = _closest(versions[question.id], groups, language)
                places.append(
                    DisputedPlace(
                        line,
                        question.text,
                        texts,
                        spans=spans,
                        place=first_span,
                        suggested=closest,
                        why=why,
                    )
                )
            if places:
                seed = project.configuration.project.seed
                yield dispute_item(item.name, passage_view(item).texts, places, seed)

    def other_version(self, fields: Mapping[str, Any], line: Disagreement) -> Any:
        """The marked span, or the words."""
        value = fields.get(OTHER)
        if isinstance(value, str):
            return {"text": value.strip(), "start": None}
        spans = spans_in(value, "")
        return {"text": spans[0][2], "start": spans[0][0]} if spans else None

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The test with the adopted answers first, and the adopted answers as a sitting."""
        lines = {line.id: line for of_item in self.decided(decided).values() for line in of_item}
        adopted: dict[str, _Adopted] = {}
        for item in project.items:
            for id, versions in _versions_by_question(project, item).items():
                line = lines.get(id)
                if line is not None and line.decision is not None:
                    version = line.adopted
                    if not isinstance(version, Mapping):
                        raise DataError("the other version is empty", where=id)
                    people = [name for name, answer in versions if answer == version]
                    adopted[id] = _Adopted(dict(version), people, line.by)
                elif groups := grouped_versions(versions):
                    adopted[id] = _Adopted(*groups[0], by=None)
        merged = folder / second_answers.MERGED
        if not merged.exists():
            return []
        test = open_test(merged)
        gold = test.changed(lambda record: _with_adopted(record, adopted))
        save_test(gold, folder / GOLD)
        rows = {}
        for id, (version, _, _) in adopted.items():
            text, start = version["text"], version["start"]
            end = None if start is None else start + len(text)
            rows[id] = Row(id=id, answer=text, start=start, end=end)
        binding = sat_paper(project.items, test_of(project.header, map(record_of, project.items)))
        header = SittingHeader(kind=test.kind.name, candidate="adjudicated", **binding)
        NATIVE_SITTING.write_sitting(Sitting(header, rows), folder / ADOPTED)
        paths = [folder / GOLD, folder / ADOPTED]
        return paths + write_decision_lines(folder, "answers", list(lines.values()))


def _versions_by_question(
    project: ProjectWork, item: WorkItem
) -> dict[str, list[tuple[str, _Version]]]:
    """Everybody's answers to each question with their names, those of the key first."""
    versions: dict[str, list[tuple[str, _Version]]] = {}
    for question in record_of(item).questions:
        key = question.key or QuestionKey()
        versions[question.id] = [
            (answer.annotator or "", _version(answer)) for answer in key.answers
        ]
    for person in project.finished_by(item.name):
        for row in second_answers.answer_rows(item, person.objects.get(item.name, {}), None):
            version = {"text": row.text, "start": row.start}
            versions[row.id].append((person.person, version))
    return versions


def _version(answer: Answer) -> _Version:
    return {"text": answer.text, "start": answer.start}


def _span(version: _Version) -> dict[str, Any]:
    start = version["start"]
    return {"text": TEXT, "start": start, "end": start + len(version["text"])}


def _closest(
    versions: list[tuple[str, _Version]], groups: list[tuple[_Version, list[str]]], language: str
) -> tuple[int | None, Text]:
    """The group with the highest mean F1 to everybody's answers, unless several share it."""
    texts = [version["text"] for _, version in versions]
    means = [
        sum(_f1(version["text"], text, language) for text in texts) / len(texts)
        for version, _ in groups
    ]
    highest = max(means)
    figure = mark(100 * highest, 100)
    if means.count(highest) > 1:
        return None, {
            "en": f"Several are equally close to all answers (mean F1 {figure}).",
            "zh": f"有几个版本与全部答案同样接近（平均 F1 {figure}）。",
        }
    return means.index(highest), {
        "en": f"Closest to all answers: mean F1 {figure}.",
        "zh": f"与全部答案最接近：平均 F1 {figure}。",
    }


@functools.lru_cache(maxsize=1 << 16)
def _f1(answer: str, reference: str, language: str) -> float:
    """The F1 of two answers, cached: every view of the adjudicators' tab asks for it again."""
    return float(score("f1", answer, [reference], language=language))


def _with_adopted(record: Passage, adopted: Mapping[str, _Adopted]) -> Passage:
    def change(question: Question) -> Question:
        if question.id not in adopted or question.key is None:
            return question
        version, people, by = adopted[question.id]
        key = question.key
        first = [answer for answer in key.answers if _version(answer) == version]
        others = [answer for answer in key.answers if _version(answer) != version]
        if not first and version["text"]:
            first = [Answer(text=version["text"], start=version["start"], annotator=by)]
        decision: dict[str, Any] = {"from": [name for name in people if name]}
        if by:
            decision["by"] = by
        if not version["text"] and others:
            # A key has either answers or the mark that there is none: answers are kept here.
            decision["answers"] = [msgspec.to_builtins(answer) for answer in others]
        gold = msgspec.structs.replace(
            key,
            answers=(*first, *others) if version["text"] else (),
            unanswerable=not version["text"],
            fields={**key.fields, FIELD: decision},
        )
        return msgspec.structs.replace(question, key=gold)

    return msgspec.structs.replace(record, questions=tuple(map(change, record.questions)))


ANSWERS = AnswerDecisions()
