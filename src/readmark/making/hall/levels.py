"""Labels of questions: the level of reasoning that each needs, and types or abilities besides.

People's labels become the CSV that ``readmark set agree`` and ``readmark set levels --labels``
read. Every field of the form is a column.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.comprehension import (
    COMPREHENSION,
    UNNAMED_PERSON,
    LevelLabels,
    as_level,
    judge_levels,
    levelled,
    read_label,
    with_levels,
)
from readmark.core.errors import DataError, did_you_mean
from readmark.core.records import Passage, Question
from readmark.core.test import Test
from readmark.formats.label_sheets import spell
from readmark.formats.registry import save_test
from readmark.formats.sheets import write_sheet
from readmark.making.agreement.annotator_files import signed_labels
from readmark.making.agreement.annotators import annotators_in
from readmark.making.blind.plan import proposers
from readmark.making.hall.key_answers import key_texts
from readmark.making.hall.rule_findings import question_faults
from readmark.works import (
    Configuration,
    EntryField,
    ItemView,
    Objects,
    ProjectWork,
    WorkFinding,
    WorkItem,
)
from readmark.works.field_values import fields_of_labels, is_filled
from readmark.works.forms import NOTE, entries_of, fields_of, form_findings
from readmark.works.notes import note_of
from readmark.works.passages import (
    fixed_entries,
    fixed_id,
    language_of_item,
    only_test,
    paper_of,
    passage_items,
    passage_view,
    record_of,
    test_of,
)
from readmark.works.people_files import asked_in, by_item, named_work, people_folder, work_on

ENTRY = "label"
ALL, MERGED = "labels.csv", "levels.jsonl"
"""Everybody's labels, and the test with the levels that people gave, in an export."""
ANSWERS = "answers"
"""The option that shows the first answer of each question to the people who label it."""
_IN_KEY = {"reasons": "level_reasons"}
"""Fields of a form that have another name in a question's key."""


class LabellingQuestions:
    """Give questions their level, and other labels that a project asks for."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """Fields that cannot be columns of labels, and an option that is neither true nor false."""
        yield from question_faults(configuration, ENTRY)
        if not isinstance(configuration.options.get(ANSWERS, False), bool):
            yield ("options", ANSWERS), f"{ANSWERS} is true or false"
        for name, field in fields_of(configuration, ENTRY).items():
            if field.widget in ("span", "spans"):
                yield ("entry", ENTRY, "fields", name), f"{name} is a span, expected a label"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage with questions, not for people who wrote or labelled them."""
        test = only_test(tests)
        shows_answers = configuration.options.get(ANSWERS) is True
        for item in passage_items(test, is_asked=True, knowing=_people_knowing):
            if shows_answers:
                texts = [key_texts(question.key) for question in record_of(item).questions]
                answers = [references[0] if references else "" for references in texts]
                item = WorkItem(item.name, {**item.paper, ANSWERS: answers}, item.key)
            yield item

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage and its questions, with an answer each where the project shows them."""
        answers = item.paper.get(ANSWERS) or ()
        contexts = [f"→ {answer}" if answer else "" for answer in answers]
        return passage_view(item, fixed_entries(item, configuration, ENTRY, contexts))

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Levels that do not agree with their reasons, and missing labels."""
        entries = entries_of(objects, ENTRY)
        findings = []
        for id, fields in entries:
            if is_filled(fields.get("level")) and is_filled(fields.get("reasons")):
                try:
                    read_label({**label_columns(fields), "id": id}, ENTRY, 1)
                except DataError as error:
                    message = error.message.removeprefix(f"{id!r}: ")
                    zh = "等级与理由不一致：3 级是一种推理，4 级是几种推理。"
                    findings.append(WorkFinding("level", {"en": message, "zh": zh}, "error", id))
        yield from form_findings(findings, configuration, ENTRY, entries)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Labels that are not the key's; for a level with the reason that the rules see for it."""
        record, forms = record_of(item), dict(entries_of(objects, ENTRY))
        for number, question in enumerate(record.questions, 1):
            labels = label_columns(forms.get(fixed_id(number), {}))
            for name in fields_of(configuration, ENTRY):
                expected = _key_label(question, name)
                if expected is None or labels.get(name) == expected:
                    continue
                en, zh = f"The key has {expected}.", f"参考答案是 {expected}。"
                if name == "level" and (why := _why(question, record, expected, item)):
                    en, zh = f"{en} The rules: {why}.", f"{zh}规则的判断：{why}。"
                message = f"{name}: {labels.get(name, '–')}"
                yield WorkFinding(name, message, "error", fixed_id(number), {"en": en, "zh": zh})

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """Labels of each person, of all, and the test with the levels that people gave."""
        declared = fields_of(project.configuration, ENTRY)
        columns = ("id", "passage", *declared, "text", NOTE, "person")
        paths: list[Path] = []
        all_rows: list[dict[str, str]] = []
        for person in named_work(project):
            rows = [
                row
                for item, objects in work_on(person, project.items)
                for row in _rows(item, objects, person.person, declared)
            ]
            if rows:
                path = people_folder(folder) / f"{person.person}.csv"
                paths += write_labels(path, columns, rows)
                all_rows += rows
        if not all_rows:
            return []
        paths += write_labels(folder / ALL, columns, all_rows)
        return paths + write_levels(project, all_rows, folder / MERGED)

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Labels of a CSV or JSON Lines file, or of a test whose key has people's labels."""
        return by_item(_read(path, items, configuration))


def _people_knowing(record: Passage) -> list[str]:
    """Who wrote or labelled the questions of a passage."""
    units = COMPREHENSION.units(record)
    labelled = (person for unit in units for person, _, _ in signed_labels(unit))
    return sorted({*proposers(record), *labelled})


def label_columns(fields: Mapping[str, Any]) -> dict[str, str]:
    """The labels of a form as cells of a sheet, without empty ones."""
    return {name: label for name, value in fields.items() if (label := spell(value))}


def _key_label(question: Question, name: str) -> str | None:
    key = question.key
    if key is None:
        return None
    if name in ("level", "type", "difficulty"):
        return spell(getattr(key, name))
    return spell(key.fields.get(_IN_KEY.get(name, name)))


def _why(question: Question, record: Passage, expected: str, item: WorkItem) -> str:
    """Why the rules give the level that the key has; nothing where they give another."""
    language = record.language or language_of_item(item)
    judged = levelled(question, record, language)
    return judged.why if str(judged.level) == expected else ""


def _rows(
    item: WorkItem, objects: Objects, person: str, declared: Mapping[str, EntryField]
) -> Iterator[dict[str, str]]:
    """A row for each question with a label; the note on a passage is in the first."""
    record, forms = paper_of(item), dict(entries_of(objects, ENTRY))
    note = note_of(objects)
    for number, question in enumerate(record.questions, 1):
        labels = {
            name: label
            for name, label in label_columns(forms.get(fixed_id(number), {})).items()
            if name in declared
        }
        if labels:
            ids = {"id": question.id, "passage": record.id}
            yield {**labels, **ids, "text": question.text, NOTE: note, "person": person}
            note = ""


def write_labels(
    path: Path, columns: Iterable[str], rows: Iterable[Mapping[str, str]]
) -> list[Path]:
    """Write labels as a sheet that ``set levels --labels`` reads."""
    names = tuple(columns)
    write_sheet(path, names, ([row.get(name, "") for name in names] for row in rows))
    return [path]


def write_levels(project: ProjectWork, rows: Iterable[Mapping[str, str]], path: Path) -> list[Path]:
    """Write the test with the levels that people gave; nothing where nobody gave one."""
    labels = _level_labels(rows)
    if not labels:
        return []
    test = test_of(project.header, map(record_of, project.items))
    judgements = judge_levels(_only_questions(test, labels), labels)
    save_test(with_levels(test, judgements), path)
    return [path]


def _level_labels(rows: Iterable[Mapping[str, str]]) -> LevelLabels:
    """People's levels; a row without one has other labels only."""
    labels: LevelLabels = {}
    for row in rows:
        if as_level(row.get("level")) is not None:
            try:
                id, label = read_label(row, ALL, 1)
            except DataError:  # the level counts; the check names reasons that do not make it
                id, label = read_label({**row, "reasons": None}, ALL, 1)
            labels.setdefault(id, []).append(label)
    return labels


def _only_questions(test: Test, ids: Container[str]) -> Test:
    """The test with some of its questions."""

    def change(record: Passage) -> Passage:
        questions = tuple(question for question in record.questions if question.id in ids)
        return msgspec.structs.replace(record, questions=questions)

    return test.changed(change)


def _read(
    path: Path, items: Mapping[str, WorkItem], configuration: Configuration
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    questions = asked_in(items.values())
    declared = fields_of(configuration, ENTRY)
    entries = {name: fixed_entries(item, configuration, ENTRY) for name, item in items.items()}
    passages = {paper_of(item).id for item in items.values()}
    for annotator in annotators_in(str(path)):
        if annotator.passages and annotator.name == UNNAMED_PERSON:
            continue  # a level that the test had before
        for id, labels in annotator.labels.items():
            fields = fields_of_labels(declared, labels, path, id)
            if id not in questions:
                if fields and id not in passages:
                    hint = did_you_mean(id, questions)
                    raise DataError(f"the project has no question {id!r}; {hint}", file=path)
                continue
            item, number, _ = questions[id]
            if note := labels.get(NOTE):
                yield annotator.name, item.name, NOTE, {"type": NOTE, "value": note}
            if fields:
                entry = entries[item.name][fixed_id(number)]
                filled = {**entry, "fields": {**entry["fields"], **fields}}
                yield annotator.name, item.name, fixed_id(number), filled


LEVELS_WORK = LabellingQuestions()
