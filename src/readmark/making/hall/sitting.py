"""Sitting a test: people answer what machines answer, and their answers are sittings.

All four kinds of test can be sat. An item is a passage with its questions, a document with its
queries in words, a series to rewrite, or a few passages to rate.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.errors import DataError
from readmark.core.language import primary
from readmark.core.record_members import questions_of, title_of
from readmark.core.records import Passage
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.splits import without_hidden
from readmark.core.test import Header, Test
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_people, save_test
from readmark.making.blind.plan import people_knowing
from readmark.making.hall.asked_units import (
    LETTERS,
    OFFERS,
    asked_in_item,
    field_offers,
    records_of_paper,
    records_with_key,
    text_id,
    text_of,
)
from readmark.making.hall.key_answers import (
    LEAST_F1,
    exact_and_f1,
    key_texts,
    unanswered_finding,
    wrong_answer_finding,
)
from readmark.making.hall.printed import paper_to_print
from readmark.making.hall.sat_answers import (
    entries_for,
    open_questions,
    read_fields,
    rows_of,
    unit_seconds,
)
from readmark.making.hall.typed_answers import fields_of_row, with_fields
from readmark.works import (
    PEOPLE,
    Configuration,
    ItemView,
    Objects,
    OpenQuestions,
    PrintedPaper,
    ProjectExam,
    ProjectWork,
    SatFiles,
    TextView,
    Viewer,
    WorkFinding,
    WorkItem,
)
from readmark.works.field_values import is_filled
from readmark.works.forms import form_faults
from readmark.works.passages import fixed_id, only_test, sat_paper, test_of
from readmark.works.people_files import by_item, named_work, people_folder, work_on

ENTRY = "question"
"""The form with every field that a question of any kind of test can have."""
TEST = "test.jsonl"
"""The test that people sat, with its key, in an export."""
SITTINGS = "sittings/"
"""The folder of machines' sittings among a project's files."""
GROUP = 5
"""Passages to rate in one item, unless the project says otherwise."""
MOST_VALUES = 6
"""The form has fields for this many variables of a query."""
LONGEST_TIME = 24 * 60
"""The longest sitting that a project may ask for, in minutes."""
_ABSENT = {
    "en": "is not in the document. Use its words, and a further answer for each thing",
    "zh": "在原文中没有。请用原文的词语，每个答案各填一次",
}
_UNCLEAR = {
    "en": "does not say which is meant. Use one of the choices",
    "zh": "可能指不止一个。请从选项中选一个",
}


class SittingWork:
    """People sit a test as candidates do, and each is a sitting."""

    def faults(self, configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
        """A missing form, and options with values that they cannot have."""
        yield from form_faults(configuration, ENTRY)
        options = configuration.options
        minutes = options.get("minutes")
        if minutes is not None and not _is_number(minutes, 0.1, LONGEST_TIME):
            message = f"minutes is {minutes!r}, expected a number up to {LONGEST_TIME}"
            yield ("options", "minutes"), message
        group = options.get("group", GROUP)
        if not isinstance(group, int) or not _is_number(group, 1, 20):
            yield ("options", "group"), f"group is {group!r}, expected a number from 1 to 20"
        for name in ("shuffle", "choices"):
            if not isinstance(options.get(name, False), bool):
                yield ("options", name), f"{name} is true or false"
        if options.get("answer", "span") not in ("span", "text"):
            yield ("options", "answer"), 'answer is "span" or "text"'

    def divide(
        self, tests: Sequence[Test], configuration: Configuration, *, purpose: str = "work"
    ) -> Iterator[WorkItem]:
        """An item for each passage, document or series; passages to rate come in groups."""
        whole = only_test(tests)
        kind = whole.kind
        if purpose != "work" and kind.name != "comprehension":
            message = f"{purpose} items are for comprehension tests, and this is a {kind.name} test"
            raise DataError(message, file=whole.file)
        test, _ = without_hidden(whole, "in the hall")
        paper: dict[str, Any] = {"kind": kind.name, "language": primary(test.language)}
        if kind.name == "comprehension":
            answer = configuration.options.get("answer") or _answer_option(test)
            paper["answer"] = "answer" if answer == "span" else "written"
            paper["no_answer"] = test.facts.count("unanswerable") > 0
        key = {"paper": paper_members(test), "profile": test.header.profile}
        size = configuration.options.get("group", GROUP) if kind.name == "readability" else 1
        records_with_units = (record for record in test.records() if any(kind.units(record)))
        while records := tuple(islice(records_with_units, size)):
            if kind.name == "task" and configuration.options.get("choices", True):
                paper[OFFERS] = field_offers(records[0], paper["language"])
            item = WorkItem(
                records[0].id if len(records) == 1 else f"{records[0].id} – {records[-1].id}",
                {**paper, "records": [_builtins(kind.paper(record)) for record in records]},
                {**key, "records": [_builtins(record) for record in records], **_knowing(records)},
            )
            for unit in asked_in_item(item):
                if len(unit.values) > MOST_VALUES:
                    message = f"asks for {len(unit.values)} values, expected {MOST_VALUES} at most"
                    raise DataError(message, file=test.file, where=unit.id)
                if len(unit.options) > len(LETTERS):
                    message = f"has {len(unit.options)} options, expected {len(LETTERS)} at most"
                    raise DataError(message, file=test.file, where=unit.id)
            yield item

    def view(self, item: WorkItem, configuration: Configuration) -> ItemView:
        """The texts, and a form for each unit."""
        language = item.paper["language"]
        records = records_of_paper(item)
        texts = tuple(
            TextView(
                text_id(number),
                text_of(record),
                primary(record.language or language),
                _title(record, number, len(records)),
            )
            for number, record in enumerate(records, 1)
        )
        objects = {}
        for number, unit in enumerate(asked_in_item(item), 1):
            value: dict[str, Any] = {"type": "entry", "entry": ENTRY, "order": float(number)}
            value |= {"prompt": unit.prompt, "only": list(unit.fields), "fields": {}}
            if unit.context:
                value["context"] = unit.context
            if unit.options:
                value["choices"] = {"option": dict(zip(LETTERS, unit.options, strict=False))}
            if unit.labels:
                value |= {"labels": dict(unit.labels), "more": True}
            if unit.offers:
                value[OFFERS] = dict(unit.offers)
            objects[fixed_id(number)] = value
        return ItemView(texts, objects, page="sitting")

    def arrange(
        self, view: ItemView, item: WorkItem, configuration: Configuration, viewer: Viewer
    ) -> ItemView:
        """Each person gets the options of questions in another order, with ``shuffle``."""
        if not configuration.options.get("shuffle"):
            return view
        objects: dict[str, Mapping[str, Any]] = {}
        for id, value in view.objects.items():
            objects[id] = value
            if options := value.get("choices", {}).get("option"):
                letters = list(options)
                seed = configuration.project.seed
                random.Random(f"{seed}:{viewer.login}:{item.name}:{id}").shuffle(letters)
                mixed = {letter: options[letter] for letter in letters}
                objects[id] = {**value, "choices": {"option": mixed}}
        return replace(view, objects=objects)

    def check(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """Values that are missing or cannot be read; the overview has what is not answered."""
        for number, unit in enumerate(asked_in_item(item), 1):
            for id, fields in entries_for(objects, number):
                answer = read_fields(unit, fields) if unit.values else None
                for value in answer.unread if answer is not None else ():
                    message = {
                        "en": f"Question {number}, {value.variable}: {value.problem}",
                        "zh": f"第 {number} 题，{value.variable}：{value.problem.chinese}",
                    }
                    yield WorkFinding("unread", message, "error", id)
                for doubt in answer.doubtful if answer is not None else ():
                    message = {
                        "en": f"Question {number}, {doubt.variable}: “{doubt.words}” "
                        + (_ABSENT["en"] if doubt.is_absent else _UNCLEAR["en"]),
                        "zh": f"第 {number} 题，{doubt.variable}：“{doubt.words}”"
                        + (_ABSENT["zh"] if doubt.is_absent else _UNCLEAR["zh"]),
                    }
                    code = "absent" if doubt.is_absent else "unclear"
                    yield WorkFinding(code, message, "warning", id)
                filled = [is_filled(fields.get(name)) for name in unit.values]
                if any(filled) and not all(filled):
                    message = {
                        "en": f"Question {number}: fill in every value of the answer",
                        "zh": f"第 {number} 题：请把答案的每一项都填上",
                    }
                    yield WorkFinding("incomplete", message, "warning", id)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """In practice on a passage: answers that are not the key's, by EM and F1."""
        keys = {
            question.id: question.key
            for record in records_with_key(item)
            for question in questions_of(record)
        }
        rows = {row.id: row for row in rows_of(item, objects, is_done=True)}
        for number, unit in enumerate(asked_in_item(item), 1):
            references = key_texts(keys.get(unit.id))
            if not references:
                continue
            if unit.id not in rows:
                yield unanswered_finding(fixed_id(number))
                continue
            exact, f1 = exact_and_f1(item, rows[unit.id].text, references, item.paper["language"])
            # An option is right or wrong: words that it shares with the right one do not count.
            if exact < 1 and (unit.options or f1 < LEAST_F1):
                message = {"en": "not right yet", "zh": "还不对"}
                yield wrong_answer_finding(fixed_id(number), message, references)

    def keyed_test(self, project: ProjectWork) -> Test:
        """The test that people sat, with its key."""
        records = (record for item in project.items for record in records_with_key(item))
        return test_of(project.header, records)

    @property
    def exam(self) -> ProjectExam:
        """This work is the exam, too: times, open questions, the printed paper."""
        return self

    def minutes(self, configuration: Configuration) -> float | None:
        """How many minutes a person has; None where there is no limit."""
        minutes = configuration.options.get("minutes")
        return None if minutes is None else float(minutes)

    def open_questions(self, item: WorkItem, objects: Objects) -> OpenQuestions:
        """The questions of an item that have no answer, or one that cannot be read."""
        return open_questions(item, objects)

    def paper(self, project: ProjectWork, *, with_key: bool) -> PrintedPaper:
        """The paper to print; keys are in it only where they are asked for."""
        minutes = self.minutes(project.configuration)
        return paper_to_print(self.keyed_test(project), project.items, minutes, with_key=with_key)

    def write_sat(self, project: ProjectWork, folder: Path) -> SatFiles:
        """Write the test, people's sittings and those of machines, for marking."""
        paths = self.write(project, folder)
        people = [path for path in paths if path.parent == folder / PEOPLE]
        return SatFiles(folder / TEST, people, _machine_files(project, folder))

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """The test, a sitting for each person, and those of machines.

        A sitting covers every unit of an item that was handed in, and of other items those that
        have an answer.
        """
        if not project.items:
            return []
        test = self.keyed_test(project)
        folder.mkdir(parents=True, exist_ok=True)
        save_test(test, folder / TEST)
        paths = [folder / TEST]
        binding = sat_paper(project.items, test)
        unit_count = sum(len(asked_in_item(item)) for item in project.items)
        for person in named_work(project):
            rows: dict[str, Row] = {}
            covered: list[str] = []
            for item, objects in work_on(person, project.items):
                is_done = item.name in person.finished
                seconds = unit_seconds(item, person)
                item_rows = {
                    row.id: msgspec.structs.replace(row, seconds=seconds.get(row.id))
                    for row in rows_of(item, objects, is_done=is_done)
                }
                rows |= item_rows
                covered += [unit.id for unit in asked_in_item(item)] if is_done else item_rows
            if not covered:
                continue
            header = SittingHeader(
                kind=test.kind.name,
                candidate=person.person,
                covers=None if len(covered) == unit_count else tuple(covered),
                **binding,
            )
            path = people_folder(folder) / f"{person.person}.jsonl"
            NATIVE_SITTING.write_sitting(Sitting(header, rows), path)
            paths.append(path)
        for name, target in _machine_files(project, folder).items():
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(project.files[SITTINGS + name])
            paths.append(target)
        return paths

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """People's sittings, or what people answered in a test."""
        return by_item(self._read(path, items, configuration))

    def _read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        places = {
            unit.id: (item, number, unit)
            for item in items.values()
            for number, unit in enumerate(asked_in_item(item), 1)
        }
        first = next(iter(items.values()))
        header = Header(kind=first.paper["kind"], language=first.paper["language"])
        records = (record for item in items.values() for record in records_of_paper(item))
        test = test_of(header, records)
        forms = {name: self.view(item, configuration).objects for name, item in items.items()}
        for sitting in open_people(path, test):
            person = sitting.header.candidate or path.name.partition(".")[0]
            for id, rows in sitting.rows.items():
                row = rows[0] if isinstance(rows, tuple) else rows
                if not row.answered:
                    continue
                if id not in places:
                    raise DataError(f"the project has no question {id!r}", file=path)
                item, number, unit = places[id]
                form_id = fixed_id(number)
                form = forms[item.name][form_id]
                language = unit.record.language or item.paper["language"]
                for solution, fields in enumerate(fields_of_row(unit, row, language), 1):
                    # A query has a form for each of its solutions.
                    object_id = form_id if solution == 1 else f"{form_id}.{solution}"
                    yield person, item.name, object_id, with_fields(form, fields)


def _machine_files(project: ProjectWork, folder: Path) -> dict[str, Path]:
    """The path in an export of each machine's sitting, by the machine's name."""
    files: dict[str, Path] = {}
    for path in project.files:
        name = path.removeprefix(SITTINGS)
        safe = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:60] or "machine"
        target = folder / "machines" / f"{safe}.jsonl"
        if target in files.values():
            target = target.with_name(f"{safe}-{len(files) + 1}.jsonl")
        files[name] = target
    return files


def _is_number(value: Any, least: float, most: float) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and least <= value <= most


def _builtins(record: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record))


def _knowing(records: Sequence[Any]) -> dict[str, Any]:
    """Who knows the key of a passage, so that they do not sit it."""
    if not isinstance(records[0], Passage):
        return {}
    people = sorted({person for record in records for person in people_knowing(record)})
    return {"known_by": people} if people else {}


def _answer_option(test: Test) -> str:
    """``span`` if the key's answers are all marked in the passages, else ``text``."""
    for unit in test.units():
        if not unit.item.options and unit.key is not None and not unit.key.unanswerable:
            answers = unit.key.answers
            if not answers or any(answer.start is None for answer in answers):
                return "text"
    return "span"


def _title(record: Any, number: int, count: int) -> str:
    if count > 1:
        return str(number)
    return str(title_of(record) or getattr(record, "target", None) or "")


SITTING = SittingWork()
