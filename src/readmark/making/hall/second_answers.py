"""Second answers: people who do not know the key mark where the passage answers a question.

What they return is a sitting each, and a test whose key has everybody's answers, as ``readmark set
merge`` makes it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.numbers import mark
from readmark.core.records import Answer, Passage
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import save_test
from readmark.making.blind.merge import merge_gathered
from readmark.making.blind.plan import people_knowing
from readmark.making.blind.returns import GatheredWork, ReturnedAnswer, returned
from readmark.making.blind.same_question import require_same_question
from readmark.making.hall.key_answers import (
    LEAST_F1,
    exact_and_f1,
    key_texts,
    unanswered_finding,
    wrong_answer_finding,
)
from readmark.making.hall.question_forms import answer_value, key_of_fields
from readmark.making.hall.rule_findings import question_faults, question_findings, rule_findings
from readmark.works import Configuration, ItemView, Objects, ProjectWork, WorkFinding, WorkItem
from readmark.works.forms import entries_of, fields_of
from readmark.works.passages import (
    fixed_entries,
    fixed_id,
    language_of_item,
    only_test,
    paper_of,
    passage_items,
    passage_view,
    record_of,
    sat_paper,
    test_of,
)
from readmark.works.people_files import asked_in, by_item, named_work, people_folder, work_on

ENTRY = "answer"
MERGED = "answers.jsonl"
"""The test with everybody's answers, in an export."""


class SecondAnswers:
    """Answer the questions of others without seeing their answers."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without a field for the answer, and a threshold that is not a share."""
        yield from question_faults(configuration, ENTRY, "answer")
        least = configuration.options.get("least_f1", LEAST_F1)
        if not isinstance(least, (int, float)) or not 0 <= least <= 1:
            yield ("options", "least_f1"), f"least_f1 is {least!r}, expected a number from 0 to 1"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage with questions, not for people who know its key."""
        return passage_items(only_test(tests), is_asked=True, knowing=people_knowing)

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage and its questions."""
        return passage_view(item, fixed_entries(item, configuration, ENTRY))

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Answers that break a rule of the project's profile, and questions without an answer."""
        paper = paper_of(item)
        forms = dict(entries_of(objects, ENTRY))
        entries: list[tuple[str, Mapping[str, Any]]] = []
        ids, answered = {}, []
        for number, question in enumerate(paper.questions, 1):
            id = fixed_id(number)
            fields = forms.get(id, {})
            entries.append((id, fields))
            if _is_answered(fields):
                ids[question.id] = id
                key = key_of_fields(fields, paper.text, None)
                answered.append(msgspec.structs.replace(question, key=key))
        record = msgspec.structs.replace(paper, questions=tuple(answered))
        findings = rule_findings(record, language_of_item(item), configuration, ENTRY, ids)
        # Rules on the passage itself are not for those who answer its questions.
        on_answers = (finding for finding in findings if finding.object is not None)
        yield from question_findings(on_answers, configuration, ENTRY, entries)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Answers that are not the key's, by EM and F1."""
        least = float(configuration.options.get("least_f1", LEAST_F1))
        record, forms = record_of(item), dict(entries_of(objects, ENTRY))
        language = record.language or language_of_item(item)
        for number, question in enumerate(record.questions, 1):
            references = key_texts(question.key)
            if not references:
                continue
            fields = forms.get(fixed_id(number), {})
            if not _is_answered(fields):
                yield unanswered_finding(fixed_id(number))
                continue
            answers = key_of_fields(fields, record.text, None).answers
            text = answers[0].text if answers else ""
            exact, f1 = exact_and_f1(item, text, references, language)
            if exact < 1 and f1 < least:
                message = {"en": f"F1 {mark(100 * f1, 100)}", "zh": f"F1 值 {mark(100 * f1, 100)}"}
                yield wrong_answer_finding(fixed_id(number), message, references)

    def keyed_test(self, project: ProjectWork) -> Test:
        """The passages and questions with the key that came with them."""
        return test_of(project.header, map(record_of, project.items))

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A sitting for each person, and the test with everybody's answers in its key."""
        if not project.items:
            return []
        test = self.keyed_test(project)
        binding = sat_paper(project.items, test)
        gathered: GatheredWork[ReturnedAnswer] = GatheredWork()
        paths: list[Path] = []
        for person in named_work(project):
            name = person.person
            rows = {
                row.id: row
                for item, objects in work_on(person, project.items)
                for row in answer_rows(item, objects, person.seconds.get(item.name))
            }
            if not rows:
                continue
            path = people_folder(folder) / f"{name}.jsonl"
            header = SittingHeader(kind=test.kind.name, candidate=name, **binding)
            NATIVE_SITTING.write_sitting(Sitting(header, rows), path)
            paths.append(path)
            for id, row in rows.items():
                answer = ReturnedAnswer(
                    id=id,
                    annotator=name,
                    file=str(path),
                    place=id,
                    text=row.text,
                    start=row.start,
                )
                gathered.take(answer, "answers")
        if paths:
            with_texts = {
                id
                for id, answers in gathered.by_id.items()
                if any(answer.text for answer in answers)
            }
            merged, _ = merge_gathered(_answerable(test, with_texts), gathered)
            save_test(merged, folder / MERGED)
            paths.append(folder / MERGED)
        return paths

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Answers of a sheet of ``set blind``, a sitting, a dictionary of answers, or a test."""
        return by_item(_read(path, items, configuration))


def _is_answered(fields: Mapping[str, Any]) -> bool:
    return bool(key_of_fields(fields, "", None).answers) or fields.get("unanswerable") is True


def answer_rows(item: WorkItem, objects: Objects, seconds: float | None) -> Iterator[Row]:
    """A person's answers; the time for the item is divided among them."""
    record, forms = paper_of(item), dict(entries_of(objects, ENTRY))
    answered = [
        (question, fields)
        for number, question in enumerate(record.questions, 1)
        if _is_answered(fields := forms.get(fixed_id(number), {}))
    ]
    for question, fields in answered:
        answers = key_of_fields(fields, record.text, None).answers
        if fields.get("unanswerable") is True or not answers:
            answer = Answer(text="")
        else:
            answer = answers[0]
        yield Row(
            id=question.id,
            answer=answer.text,
            start=answer.start,
            end=None if answer.offsets is None else answer.offsets[1],
            seconds=round(seconds / len(answered), 3) if seconds else None,
        )


def _answerable(test: Test, answered: Container[str]) -> Test:
    """The test, in which questions that somebody answered are no longer unanswerable.

    A key has either answers or the mark that there is none.
    """

    def change(record: Passage) -> Passage:
        questions = []
        for question in record.questions:
            key = question.key
            if key is not None and key.unanswerable and question.id in answered:
                key = msgspec.structs.replace(key, unanswerable=False)
                question = msgspec.structs.replace(question, key=key)
            questions.append(question)
        return msgspec.structs.replace(record, questions=tuple(questions))

    return test.changed(change)


def _read(
    path: Path, items: Mapping[str, WorkItem], configuration: Configuration
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    questions = asked_in(items.values())
    field = fields_of(configuration, ENTRY).get("answer")
    language = next((language_of_item(item) for item in items.values()), "en")
    test = test_of(Header(language=language), map(paper_of, items.values()))
    entries = {name: fixed_entries(item, configuration, ENTRY) for name, item in items.items()}
    for answer in returned(path, test):
        if answer.id not in questions:
            raise answer.fault(f"the project has no question {answer.id!r}")
        item, number, question = questions[answer.id]
        record = paper_of(item)
        require_same_question(answer, record, question)
        fields: dict[str, Any] = {"unanswerable": True}
        if answer.text.strip():
            answers = [Answer(text=answer.text, start=answer.start)]
            try:
                value = answer_value(field, record, answers, language_of_item(item))
            except DataError as error:
                raise answer.fault(error.message) from None
            fields = {"answer": value}
        entry = entries[item.name][fixed_id(number)]
        filled = {**entry, "fields": {**entry["fields"], **fields}}
        yield answer.annotator, item.name, fixed_id(number), filled


SECOND_ANSWERS = SecondAnswers()
