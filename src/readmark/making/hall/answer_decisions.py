"""Adjudication of answers: which of people's answers to a question is the best one.

The key keeps everybody's answers by name, as ``set merge`` writes them, with the adopted one first.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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
from readmark.works import Configuration, EntryField, ProjectWork, WorkItem
from readmark.works.decisions import OTHER, DecisionForms, DisputedPlace, dispute_item, finished_by
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
_Version = dict[str, Any]
"""An answer as text and start; an empty text says that the passage has no answer."""
FIELD = "adjudication"
"""In a question's key: who decided, and whose answer was adopted."""


class AnswerDecisions(DecisionForms):
    """The best answer to each question that people answered differently."""

    def other_field(self, project: Configuration) -> EntryField:
        """The field of those who answered: a span of the passage, or words."""
        declared = fields_of(project, second_answers.ENTRY)["answer"]
        return EntryField(widget="span" if declared.widget in ("span", "spans") else "text")

    def disputes(self, project: ProjectWork) -> Iterator[WorkItem]:
        """An item for each passage with a question that was answered differently.

        The answers that the key had before count as versions, too.
        """
        for item in project.items:
            record, places = record_of(item), []
            language = record.language or language_of_item(item)
            given = _answers(project, item)
            for question in record.questions:
                groups = grouped_versions(given[question.id])
                if len(groups) < 2:
                    continue
                line = version_line(question.id, "answer", record.id, groups, unit=question.id)
                texts = [version["text"] for version, _ in groups]
                spans = [
                    (number, _place(version))
                    for number, (version, _) in enumerate(groups)
                    if version["start"] is not None
                ]
                best, why = _closest(given[question.id], groups, language)
                places.append(
                    DisputedPlace(
                        line,
                        question.text,
                        texts,
                        spans=spans,
                        # The first in the text, not the one of most people.
                        place=min((s for _, s in spans), key=lambda s: s["start"], default=None),
                        suggested=best,
                        why=why,
                    )
                )
            if places:
                seed = project.configuration.project.seed
                yield dispute_item(item.name, passage_view(item).texts, places, seed)

    def other_version(self, fields: Mapping[str, Any], line: Disagreement) -> Any:
        """The marked span, or the words."""
        given = fields.get(OTHER)
        if isinstance(given, str):
            return {"text": given.strip(), "start": None}
        spans = spans_in(given, "")
        return {"text": spans[0][2], "start": spans[0][0]} if spans else None

    def write(self, project: ProjectWork, decided: ProjectWork, folder: Path) -> list[Path]:
        """The test with the adopted answers first, and the adopted answers as a sitting."""
        lines = {line.id: line for own in self.decided(decided).values() for line in own}
        adopted: dict[str, tuple[_Version, list[str], str | None]] = {}
        for item in project.items:
            for id, given in _answers(project, item).items():
                line = lines.get(id)
                if line is not None and line.decision is not None:
                    version = line.adopted
                    if not isinstance(version, Mapping):
                        raise DataError("the other version is empty", where=id)
                    names = [name for name, own in given if own == version]
                    adopted[id] = dict(version), names, line.by
                elif groups := grouped_versions(given):
                    adopted[id] = groups[0][0], groups[0][1], None
        merged = folder / second_answers.MERGED
        if not merged.exists():
            return []
        test = open_test(merged)
        gold = test.changed(lambda record: _with_adopted(record, adopted))
        save_test(gold, folder / GOLD)
        rows = {
            id: Row(
                id=id,
                answer=version["text"],
                start=version["start"],
                end=None if version["start"] is None else version["start"] + len(version["text"]),
            )
            for id, (version, _, _) in adopted.items()
        }
        sat = sat_paper(project.items, test_of(project.header, map(record_of, project.items)))
        header = SittingHeader(kind=test.kind.name, candidate="adjudicated", **sat)
        NATIVE_SITTING.write_sitting(Sitting(header, rows), folder / ADOPTED)
        made = [folder / GOLD, folder / ADOPTED]
        return made + write_decision_lines(folder, "answers", list(lines.values()))


def _answers(project: ProjectWork, item: WorkItem) -> dict[str, list[tuple[str, _Version]]]:
    """Everybody's answers to each question, those of the key first."""
    record = record_of(item)
    found: dict[str, list[tuple[str, _Version]]] = {}
    for question in record.questions:
        key = question.key or QuestionKey()
        found[question.id] = [
            (answer.annotator or "", {"text": answer.text, "start": answer.start})
            for answer in key.answers
        ]
    for person in finished_by(project, item.name):
        for row in second_answers.answer_rows(item, person.objects.get(item.name, {}), None):
            version = {"text": row.text, "start": row.start}
            found[row.id].append((person.person, version))
    return found


def _place(version: _Version) -> dict[str, Any]:
    start = version["start"]
    return {"text": TEXT, "start": start, "end": start + len(version["text"])}


def _closest(
    given: list[tuple[str, _Version]], groups: list[tuple[_Version, list[str]]], language: str
) -> tuple[int | None, Any]:
    """The version with the highest mean F1 to everybody's answers; none where several have it."""
    texts = [version["text"] for _, version in given]
    means = [
        sum(_f1(version["text"], text, language) for text in texts) / len(texts)
        for version, _ in groups
    ]
    best = max(means)
    figures = mark(100 * best, 100)
    if means.count(best) > 1:
        return None, {
            "en": f"Several are equally close to all answers (mean F1 {figures}).",
            "zh": f"有几个版本与全部答案同样接近（平均 F1 {figures}）。",
        }
    return means.index(best), {
        "en": f"Closest to all answers: mean F1 {figures}.",
        "zh": f"与全部答案最接近：平均 F1 {figures}。",
    }


@functools.lru_cache(maxsize=1 << 16)
def _f1(answer: str, reference: str, language: str) -> float:
    """The F1 of two answers, which every look at the tab asks for again."""
    return float(score("f1", answer, [reference], language=language))


def _with_adopted(
    record: Passage, adopted: Mapping[str, tuple[_Version, list[str], str | None]]
) -> Passage:
    def change(question: Question) -> Question:
        if question.id not in adopted or question.key is None:
            return question
        version, names, by = adopted[question.id]
        key = question.key
        first = [answer for answer in key.answers if _version(answer) == version]
        others = [answer for answer in key.answers if _version(answer) != version]
        if not first and version["text"]:
            first = [Answer(text=version["text"], start=version["start"], annotator=by)]
        about: dict[str, Any] = {"from": [name for name in names if name]}
        about |= {"by": by} if by else {}
        if not version["text"] and others:  # a key is either answers or that there is none
            about["answers"] = [msgspec.to_builtins(answer) for answer in others]
        made = msgspec.structs.replace(
            key,
            answers=(*first, *others) if version["text"] else (),
            unanswerable=not version["text"],
            fields={**key.fields, FIELD: about},
        )
        return msgspec.structs.replace(question, key=made)

    return msgspec.structs.replace(record, questions=tuple(map(change, record.questions)))


def _version(answer: Answer) -> _Version:
    return {"text": answer.text, "start": answer.start}


ANSWERS = AnswerDecisions()
