"""Second answers: people who do not know the key mark where the passage answers a question.

What they return is a sitting each, and a test whose key has everybody's answers, as ``readmark set
merge`` makes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.numbers import mark
from readmark.core.records import Answer, Passage, QuestionKey
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import save_test
from readmark.making.blind.merge import merge_gathered
from readmark.making.blind.plan import people_knowing
from readmark.making.blind.returns import GatheredWork, ReturnedAnswer, returned
from readmark.making.blind.same_question import require_same_question
from readmark.making.hall.question_forms import answer_value, key_of_fields
from readmark.making.hall.rule_findings import question_faults, question_findings, rule_findings
from readmark.marking import score
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
LEAST_F1 = 0.8
"""The F1 from which an answer in practice counts as right."""


class SecondAnswers:
    """Answer the questions of others without seeing their answers."""

    def faults(self, configuration: Configuration) -> Iterable[tuple[tuple[str, ...], str]]:
        """A form without an answer, and a threshold that is none."""
        yield from question_faults(configuration, ENTRY, "answer")
        least = configuration.options.get("least_f1", LEAST_F1)
        if not isinstance(least, (int, float)) or not 0 <= least <= 1:
            yield ("options", "least_f1"), f"least_f1 is {least!r}, expected a number from 0 to 1"

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage with questions; who answered one of them knows its key."""
        test = only_test(tests)
        return passage_items(test, is_asked=True, knowing=people_knowing)

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The passage and its questions."""
        return passage_view(item, fixed_entries(item, configuration, ENTRY))

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Answers that break a rule of the project's profile, and questions without an answer."""
        paper = paper_of(item)
        given = dict(entries_of(objects, ENTRY))
        ids, questions = {}, []
        for number, question in enumerate(paper.questions, 1):
            fields = given.get(fixed_id(number), {})
            if _is_answered(fields):
                ids[question.id] = fixed_id(number)
                key = key_of_fields(fields, paper.text, None)
                questions.append(msgspec.structs.replace(question, key=key))
        record = msgspec.structs.replace(paper, questions=tuple(questions))
        found = rule_findings(record, language_of_item(item), configuration, ENTRY, ids)
        yield from question_findings(
            (finding for finding in found if finding.object is not None),
            configuration,
            ENTRY,
            [
                (fixed_id(number), given.get(fixed_id(number), {}))
                for number in range(1, len(paper.questions) + 1)
            ],
        )

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Answers that are not the key's, by EM and F1."""
        least = float(configuration.options.get("least_f1", LEAST_F1))
        record, given = record_of(item), dict(entries_of(objects, ENTRY))
        language = record.language or language_of_item(item)
        profile = item.key.get("profile") if isinstance(item.key, Mapping) else None
        rules = f"(profile={profile})" if profile else ""
        for number, question in enumerate(record.questions, 1):
            references = _references(question.key)
            if not references:
                continue
            fields = given.get(fixed_id(number), {})
            if not _is_answered(fields):
                message = {"en": "not answered", "zh": "没有作答"}
                yield WorkFinding("no_answer", message, "error", fixed_id(number))
                continue
            answers = key_of_fields(fields, record.text, None).answers
            own = answers[0].text if answers else ""
            exact, f1 = (
                score(f"{metric}{rules}", own, references, language=language)
                for metric in ("em", "f1")
            )
            if exact < 1 and f1 < least:
                said = " | ".join(dict.fromkeys(references))
                yield WorkFinding(
                    "answer",
                    {"en": f"F1 {mark(100 * f1, 100)}", "zh": f"F1 值 {mark(100 * f1, 100)}"},
                    "error",
                    fixed_id(number),
                    {
                        "en": f"The key has: {said}" if said else "The passage has no answer.",
                        "zh": f"参考答案：{said}" if said else "篇章中没有答案。",
                    },
                )

    def keyed_test(self, project: ProjectWork) -> Test:
        """The passages and questions with the key that came with them."""
        return test_of(project.header, map(record_of, project.items))

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """A sitting for each person, and the test with everybody's answers in its key."""
        if not project.items:
            return []
        test = self.keyed_test(project)
        sat = sat_paper(project.items, test)
        came: GatheredWork[ReturnedAnswer] = GatheredWork()
        made: list[Path] = []
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
            header = SittingHeader(kind=test.kind.name, candidate=name, **sat)
            NATIVE_SITTING.write_sitting(Sitting(header, rows), path)
            made.append(path)
            for id, row in rows.items():
                answer = ReturnedAnswer(
                    id=id,
                    annotator=name,
                    file=str(path),
                    place=id,
                    text=row.text,
                    start=row.start,
                )
                came.take(answer, "answers")
        if made:
            answered = {id for id, work in came.by_id.items() if any(each.text for each in work)}
            everything, _ = merge_gathered(_answerable(test, answered), came)
            save_test(everything, folder / MERGED)
            made.append(folder / MERGED)
        return made

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """Answers of a sheet of ``set blind``, a sitting, a dictionary of answers, or a test."""
        return by_item(_read(path, items, configuration))


def _is_answered(fields: Mapping[str, Any]) -> bool:
    return bool(key_of_fields(fields, "", None).answers) or fields.get("unanswerable") is True


def _references(key: QuestionKey | None) -> list[str]:
    """What the key has; an empty text where the passage has no answer."""
    if key is None:
        return []
    if key.unanswerable:
        return [""]
    return [answer.text for answer in key.answers] or [phrase.text for phrase in key.published]


def answer_rows(item: WorkItem, objects: Objects, seconds: float | None) -> Iterator[Row]:
    """A person's answers; the time for the item is divided among them."""
    record, given = paper_of(item), dict(entries_of(objects, ENTRY))
    numbers = range(1, len(record.questions) + 1)
    done = [number for number in numbers if _is_answered(given.get(fixed_id(number), {}))]
    for number in done:
        fields = given[fixed_id(number)]
        answers = key_of_fields(fields, record.text, None).answers
        answer = None if fields.get("unanswerable") is True or not answers else answers[0]
        yield Row(
            id=record.questions[number - 1].id,
            answer="" if answer is None else answer.text,
            start=None if answer is None else answer.start,
            end=None if answer is None or answer.offsets is None else answer.offsets[1],
            seconds=None if not seconds else round(seconds / len(done), 3),
        )


def _answerable(test: Test, answered: set[str]) -> Test:
    """The test without the mark that there is no answer where somebody gave one."""

    def change(record: Passage) -> Passage:
        questions = tuple(
            msgspec.structs.replace(
                question, key=msgspec.structs.replace(question.key, unanswerable=False)
            )
            if question.key is not None and question.key.unanswerable and question.id in answered
            else question
            for question in record.questions
        )
        return msgspec.structs.replace(record, questions=questions)

    return test.changed(change)


def _read(
    path: Path, items: Mapping[str, WorkItem], configuration: Configuration
) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    asked = asked_in(items.values())
    declared = fields_of(configuration, ENTRY)
    language = next((language_of_item(item) for item in items.values()), "en")
    test = test_of(Header(language=language), map(paper_of, items.values()))
    entries = {name: fixed_entries(item, configuration, ENTRY) for name, item in items.items()}
    for answer in returned(path, test):
        if answer.id not in asked:
            raise answer.fault(f"the project has no question {answer.id!r}")
        item, number, question = asked[answer.id]
        record = paper_of(item)
        require_same_question(answer, record, question)
        fields: dict[str, Any] = {}
        if answer.text.strip():
            words = Answer(text=answer.text, start=answer.start)
            try:
                value = answer_value(
                    declared.get("answer"), record, [words], language_of_item(item)
                )
            except DataError as error:
                raise answer.fault(error.message) from None
            fields["answer"] = value
        else:
            fields["unanswerable"] = True
        value = entries[item.name][fixed_id(number)]
        value = {**value, "fields": {**value["fields"], **fields}}
        yield answer.annotator, item.name, fixed_id(number), value


SECOND_ANSWERS = SecondAnswers()
