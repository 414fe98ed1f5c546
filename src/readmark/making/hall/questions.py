"""Writing questions: a question on a passage, its answer marked in the text, its level.

The rules of CMRC 2018, SMART or BRCC are those of ``readmark check --profile``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Passage, Question, QuestionKey
from readmark.core.test import Test
from readmark.formats.people_names import person_by_file, require_name
from readmark.formats.registry import open_test
from readmark.making.blind.plan import PROPOSER
from readmark.making.collected_sheet import without_reasons
from readmark.making.hall.question_forms import fields_of_key, key_of_fields
from readmark.making.hall.rule_findings import question_faults, question_findings, rule_findings
from readmark.marking import score
from readmark.works import Configuration, ItemView, Objects, ProjectWork, WorkFinding, WorkItem
from readmark.works.field_values import is_filled
from readmark.works.forms import NOTE, entries_of, fields_of, object_id
from readmark.works.notes import note_of, notes_in, with_notes
from readmark.works.passages import (
    language_of_item,
    only_test,
    paper_of,
    passage_items,
    passage_view,
    record_of,
)
from readmark.works.people_files import (
    PassageIndex,
    by_item,
    named_work,
    people_folder,
    save_records,
    without_taken,
    work_on,
)

ENTRY = "question"
MERGED = "questions.jsonl"
"""The test with everybody's questions, in an export."""
_RANDOM_ID = re.compile("e-[0-9a-z]{24}")
"""The id that a page gives to a new entry."""


class WritingQuestions:
    """Write questions on a passage and mark their answers."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without a field for the question or the answer, and an unknown profile."""
        return question_faults(configuration, ENTRY, "question", "answer")

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage."""
        return passage_items(only_test(tests))

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage."""
        return passage_view(item)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """What the rules of the project's profile say of the questions that a person has written.

        Questions that the passage has already do not count: the page does not show them.
        """
        paper = paper_of(item)
        taken = {question.id for question in paper.questions}
        entries = entries_of(objects, ENTRY)
        questions = {
            id: _question(without_taken(id, taken, item.name), fields, paper, None)
            for id, fields in entries
            if _is_begun(fields)
        }
        record = msgspec.structs.replace(paper, questions=tuple(questions.values()))
        ids = {question.id: id for id, question in questions.items()}
        findings = rule_findings(record, language_of_item(item), configuration, ENTRY, ids)
        yield from question_findings(findings, configuration, ENTRY, entries)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Broken rules, and a level that no question of the key with the same answer has."""
        entries = [(id, fields) for id, fields in entries_of(objects, ENTRY) if _is_begun(fields)]
        if not entries:
            message = {"en": "No question has been written.", "zh": "还没有写问题。"}
            yield WorkFinding("no_questions", message, "error")
        yield from self.check(item, objects, configuration)
        model, language = record_of(item), language_of_item(item)
        for id, fields in entries:
            key = key_of_fields(fields, model.text, None)
            if not key.answers or key.level is None:
                continue
            answer = key.answers[0].text
            levels = {
                question.key.level: question
                for question in model.questions
                if question.key is not None
                and question.key.level is not None
                and _has_answer(question.key, answer, language)
            }
            if levels and key.level not in levels:
                level, question = next(iter(levels.items()))
                yield WorkFinding(
                    "level",
                    {"en": f"Level {key.level}", "zh": f"等级 {key.level}"},
                    "warning",
                    id,
                    {
                        "en": f"A question with this answer is of level {level}: {question.text}",
                        "zh": f"以此为答案的范例问题是 {level} 级：{question.text}",
                    },
                )

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A test for each person, and one with everybody's questions."""
        people = named_work(project)
        taken = {question.id for item in project.items for question in paper_of(item).questions}
        written: dict[tuple[str, str], list[Question]] = {}  # by person and item
        notes: dict[str, dict[str, str]] = {}  # by item and person
        for person in people:
            for item, objects in work_on(person, project.items):
                paper = paper_of(item)
                if note := note_of(objects):
                    notes.setdefault(item.name, {})[person.person] = note
                for entry_id, fields in entries_of(objects, ENTRY):
                    if _is_begun(fields):
                        id = _readable_id(entry_id, item.name, project.numbers)
                        id = without_taken(id, taken, item.name, person.person)
                        taken.add(id)
                        question = _question(id, fields, paper, person.person)
                        written.setdefault((person.person, item.name), []).append(question)
        paths: list[Path] = []
        for person in people:
            name = person.person
            records = []
            for item, _ in work_on(person, project.items):
                questions = tuple(written.get((name, item.name), ()))
                notes_of_item = notes.get(item.name, {})
                persons_note = {name: notes_of_item[name]} if name in notes_of_item else {}
                if questions or persons_note:
                    record = msgspec.structs.replace(record_of(item), questions=questions)
                    records.append(with_notes(record, persons_note))
            paths += save_records(project.header, records, people_folder(folder) / f"{name}.jsonl")
        if written:
            all_records = []
            for item in project.items:
                record = record_of(item)
                new = [
                    question
                    for person in people
                    for question in written.get((person.person, item.name), ())
                ]
                record = msgspec.structs.replace(record, questions=(*record.questions, *new))
                all_records.append(with_notes(record, notes.get(item.name, {})))
            paths += save_records(project.header, all_records, folder / MERGED)
        return paths

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """The questions of a test or of a sheet that `set sheet` wrote, by who proposed them."""
        return by_item(_read(path, items, configuration))


def _readable_id(entry_id: str, item: str, numbers: Mapping[str, Mapping[str, int]]) -> str:
    """The id of a question: its entry's, or the item's and a number for one that a page drew.

    Questions of a passage are numbered as they are begun, so an id never changes.
    """
    number = numbers.get(item, {}).get(entry_id)
    return f"{item}-q{number}" if number and _RANDOM_ID.fullmatch(entry_id) else entry_id


def _is_begun(fields: Mapping[str, Any]) -> bool:
    """Whether a question has its text or its answer already."""
    return is_filled(fields.get("question")) or is_filled(fields.get("answer"))


def _question(id: str, fields: Mapping[str, Any], record: Passage, person: str | None) -> Question:
    text = fields.get("question")
    key = key_of_fields(fields, record.text, person)
    if person is not None:
        key = msgspec.structs.replace(key, fields={**key.fields, PROPOSER: person})
    return Question(id=id, text=text if isinstance(text, str) else "", key=key)


def _has_answer(key: QuestionKey, answer: str, language: str) -> bool:
    references = [answer.text for answer in key.answers]
    return bool(references) and score("em", answer, references, language=language) == 1.0


def _read(
    path: Path, items: Mapping[str, WorkItem], configuration: Configuration
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    declared = fields_of(configuration, ENTRY)
    test = open_test(path)
    test.require_kind("comprehension")
    index = PassageIndex(items.values(), path)
    for record in test.changed(without_reasons).records():
        paper, item = index.find(record)
        for person, note in notes_in(record).items():
            yield person, item.name, NOTE, note
        ids_of_paper = {question.id for question in paper.questions}
        counts: Counter[str] = Counter()
        for question in record.questions:
            if question.id in ids_of_paper:
                continue
            person = _proposer(question) or person_by_file(path)
            require_name(person, "person", file=path, where=question.id)
            counts[person] += 1
            try:
                fields = fields_of_key(
                    question.key, record, declared, language=language_of_item(item)
                )
            except DataError as error:
                raise DataError(error.message, file=path, where=question.id) from None
            fields = {"question": question.text, **fields}
            entry = {"type": "entry", "entry": ENTRY, "order": float(counts[person])}
            yield person, item.name, object_id(question.id), {**entry, "fields": fields}


def _proposer(question: Question) -> str | None:
    """Who wrote a question: the person it names as proposer, else who gave its first answer."""
    key = question.key or QuestionKey()
    names = [key.fields.get(PROPOSER), question.fields.get(PROPOSER)]
    names += [answer.annotator for answer in key.answers[:1]]
    return next((name for name in names if isinstance(name, str) and name.strip()), None)


QUESTIONS = WritingQuestions()
