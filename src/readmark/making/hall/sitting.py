"""Sitting a test: people answer what machines answer, and their answers are sittings.

All four kinds of test can be sat. An item is a passage with its questions, a document with its
queries in words, a series to rewrite, or a few passages to rate.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.errors import DataError
from readmark.core.kinds import kind_named
from readmark.core.language import primary
from readmark.core.records import Passage
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.spans import Excerpt, places
from readmark.core.splits import without_hidden
from readmark.core.test import Header, Test
from readmark.formats.native import NATIVE_SITTING
from readmark.formats.registry import open_people, save_test
from readmark.making.blind.plan import people_knowing
from readmark.making.blind.returns import placed
from readmark.marking import score
from readmark.series import Series
from readmark.tasks import (
    DocumentEntity,
    ReadAnswer,
    asked_in,
    choices_for,
    document_entities,
    read_answer,
    variables_asked,
)
from readmark.works import (
    PEOPLE,
    Configuration,
    ItemView,
    Objects,
    PersonsWork,
    ProjectWork,
    TextView,
    Viewer,
    WorkFinding,
    WorkItem,
)
from readmark.works.forms import form_faults, is_filled, span_value, spans_in
from readmark.works.passages import (
    by_item,
    fixed_id,
    named_work,
    only_test,
    people_folder,
    sat_paper,
    test_of,
    work_on,
)

ENTRY = "question"
"""The form with every field that a question of any kind of test can have."""
TEST = "test.jsonl"
"""The test that people sat, with its key, in an export."""
SITTINGS = "sittings/"
"""The folder of machines' sittings among a project's files."""
GROUP = 5
"""Passages to rate in one item."""
OFFERS = "offers"
"""The member of a paper with what the questions on a document can be about."""
MOST_OFFERS = 30
"""Choices of a field."""
MOST_VALUES = 6
"""Variables of a query that the form has fields for."""
LETTERS = "ABCDEFGHIJ"
LONGEST_TIME = 24 * 60
"""Minutes of a sitting."""
NO_ANSWER = "-"
"""What is typed for "the passage has no answer"."""
LEAST_F1 = 0.8
"""The F1 from which an answer in practice counts as right."""
_ABSENT = {
    "en": "is not in the document. Use its words, and a further answer for each thing",
    "zh": "在原文中没有。请用原文的词语，每个答案各填一次",
}
_UNCLEAR = {
    "en": "does not say which is meant. Use one of the choices",
    "zh": "可能指不止一个。请从选项中选一个",
}
_ENTRY_ID = re.compile(r"q-([1-9][0-9]{0,5})(?:\.[0-9]{1,4})?")
_NUMBERED = re.compile(r"(?P<words>.*\S)\s*#(?P<number>[1-9][0-9]{0,3})", re.DOTALL)


# What is asked in an item, whatever the kind of test.


@dataclass(frozen=True)
class AskedUnit:
    """A unit as a person is asked it: the words, and the fields of the form that it has."""

    id: str
    prompt: str
    record: Any
    item: Any
    text: str
    """The id of its text on the page."""
    fields: tuple[str, ...]
    context: str = ""
    options: tuple[str, ...] = ()
    offers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What a person may take into a field for a value, instead of typing it."""
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def values(self) -> tuple[str, ...]:
        """The fields for the values of a query."""
        return tuple(name for name in self.fields if name.startswith("value_"))


def asked_in_item(item: WorkItem) -> list[AskedUnit]:
    """The units of an item in their order."""
    paper, records = item.paper, records_of_paper(item)
    ask = {"series": _series, "readability": _rated, "task": _queries}.get(paper["kind"], _asked)
    return [
        unit
        for number, record in enumerate(records, 1)
        for unit in ask(record, _text_id(number), paper)
    ]


def records_of_paper(item: WorkItem) -> list[Any]:
    """The records of an item as candidates may see them."""
    return _records(item.paper["kind"], item.paper["records"])


def records_with_key(item: WorkItem) -> list[Any]:
    """The records of an item with their keys, where the organiser has them."""
    known = item.key.get("records") if isinstance(item.key, Mapping) else None
    return records_of_paper(item) if known is None else _records(item.paper["kind"], known)


def _records(kind: str, stored: Sequence[Any]) -> list[Any]:
    return [msgspec.convert(record, kind_named(kind).record) for record in stored]


def _text_id(number: int) -> str:
    return "passage" if number == 1 else f"passage-{number}"


def _asked(record: Any, text: str, paper: Mapping[str, Any]) -> Iterator[AskedUnit]:
    none = ("unanswerable",) if paper.get("no_answer") else ()
    for question in record.questions:
        fields = ("option",) if question.options else (paper.get("answer", "answer"), *none)
        yield AskedUnit(
            question.id, question.text, record, question, text, fields, options=question.options
        )


def _series(series: Any, text: str, paper: Mapping[str, Any]) -> Iterator[AskedUnit]:
    for question in series.questions:
        context = "\n".join(question.previous)
        yield AskedUnit(
            question.id, question.text, series, question, text, ("rewrite",), context=context
        )


def _rated(record: Any, text: str, paper: Mapping[str, Any]) -> Iterator[AskedUnit]:
    words = " ".join(record.text.split())
    prompt = words if len(words) <= 60 else f"{words[:60]}…"
    yield AskedUnit(record.id, prompt, record, record, text, ("rating",))


def _queries(record: Any, text: str, paper: Mapping[str, Any]) -> Iterator[AskedUnit]:
    for query in record.queries:
        names = variables_asked(query)
        labels = {f"value_{number}": name for number, name in enumerate(names, 1)}
        fields = (*labels, "excerpts", "unanswerable")
        prompt = query.text or query.graph
        offers = paper.get(OFFERS, {}).get(query.id, {})
        yield AskedUnit(query.id, prompt, record, query, text, fields, offers=offers, labels=labels)


def _offers(record: Any, language: str) -> dict[str, dict[str, list[str]]]:
    """By query and field, what a question on a document can be about, in words."""
    entities = document_entities(record.queries)
    found: dict[str, dict[str, list[str]]] = {}
    for query in record.queries:
        asked = asked_in(query)
        for number, name in enumerate(variables_asked(query), 1):
            offered = choices_for(asked[name], entities, language) if name in asked else []
            if offered:
                found.setdefault(query.id, {})[f"value_{number}"] = offered[:MOST_OFFERS]
    return found


@dataclass(frozen=True)
class SatFiles:
    """The test that people sat as a file, with its key, and who sat it."""

    test: Path
    people: Sequence[Path]
    machines: Mapping[str, Path]
    """By the machine's name."""


def write_sat(project: ProjectWork, folder: Path) -> SatFiles:
    """Write a test that people sat, their sittings and those of machines, for marking."""
    written = SITTING.write(project, folder)
    people = [path for path in written if path.parent == folder / PEOPLE]
    return SatFiles(folder / TEST, people, _machine_files(project, folder))


def _machine_files(project: ProjectWork, folder: Path) -> dict[str, Path]:
    """Where the sittings of machines are in an export, by the machine's name."""
    files: dict[str, Path] = {}
    for path in project.files:
        name = path.removeprefix(SITTINGS)
        safe = re.sub(r"[^\w.-]+", "-", name).strip("-.")[:60] or "machine"
        target = folder / "machines" / f"{safe}.jsonl"
        if target in files.values():
            target = target.with_name(f"{safe}-{len(files) + 1}.jsonl")
        files[name] = target
    return files


class SittingWork:
    """People sit a test as candidates do, and each is a sitting."""

    def faults(self, configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
        """A form that is missing, and options that are none."""
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
        about: dict[str, Any] = {"kind": kind.name, "language": primary(test.language)}
        if kind.name == "comprehension":
            answer = configuration.options.get("answer") or _way_to_answer(test)
            about["answer"] = "answer" if answer == "span" else "written"
            about["no_answer"] = test.facts.count("unanswerable") > 0
        key = {"paper": paper_members(test), "profile": test.header.profile}
        size = configuration.options.get("group", GROUP) if kind.name == "readability" else 1
        asked = (record for record in test.records() if any(kind.units(record)))
        while records := tuple(islice(asked, size)):
            papers = [_builtins(kind.paper(record)) for record in records]
            if kind.name == "task" and configuration.options.get("choices", True):
                about[OFFERS] = _offers(records[0], about["language"])
            item = WorkItem(
                records[0].id if len(records) == 1 else f"{records[0].id} – {records[-1].id}",
                {**about, "records": papers},
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
                _text_id(number),
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
        """The options of questions in an order of the person's own, if that is wanted."""
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
                answer = _read_fields(unit, fields) if unit.values else None
                for each in answer.unread if answer is not None else ():
                    message = {
                        "en": f"Question {number}, {each.variable}: {each.problem}",
                        "zh": f"第 {number} 题，{each.variable}：{each.problem.chinese}",
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
                values = [is_filled(fields.get(name)) for name in unit.values]
                if any(values) and not all(values):
                    message = {
                        "en": f"Question {number}: fill in every value of the answer",
                        "zh": f"第 {number} 题：请把答案的每一项都填上",
                    }
                    yield WorkFinding("incomplete", message, "warning", id)

    def grade(
        self, item: WorkItem, objects: Objects, configuration: Configuration
    ) -> Iterator[WorkFinding]:
        """In practice on a passage: answers that are not the key's, by EM and F1."""
        profile = item.key.get("profile") if isinstance(item.key, Mapping) else None
        rules = f"(profile={profile})" if profile else ""
        keys = {
            question.id: question.key
            for record in records_with_key(item)
            for question in getattr(record, "questions", ())
        }
        rows = {row.id: row for row in rows_of(item, objects, is_done=True)}
        for number, unit in enumerate(asked_in_item(item), 1):
            key = keys.get(unit.id)
            if key is None:
                continue
            given = [answer.text for answer in key.answers] or [one.text for one in key.published]
            references = [""] if key.unanswerable else given
            if not references:
                continue
            if unit.id not in rows:
                message = {"en": "not answered", "zh": "没有作答"}
                yield WorkFinding("no_answer", message, "error", fixed_id(number))
                continue
            own, language = rows[unit.id].text, item.paper["language"]
            exact, f1 = (
                score(f"{metric}{rules}", own, references, language=language)
                for metric in ("em", "f1")
            )
            if exact < 1 and (unit.options or f1 < LEAST_F1):
                said = " | ".join(dict.fromkeys(references))
                yield WorkFinding(
                    "answer",
                    {"en": "not right yet", "zh": "还不对"},
                    "error",
                    fixed_id(number),
                    {
                        "en": f"The key has: {said}" if said else "The passage has no answer.",
                        "zh": f"标准答案：{said}" if said else "篇章中没有答案。",
                    },
                )

    def keyed_test(self, project: ProjectWork) -> Test:
        """The test that people sat, with its key."""
        records = (each for item in project.items for each in records_with_key(item))
        return test_of(project.header, records)

    def write(self, project: ProjectWork, folder: Path) -> list[Path]:
        """The test, a sitting for each person, and those of machines.

        Everything in an item that is handed in was sat. Of other items only what is answered was.
        """
        if not project.items:
            return []
        test = self.keyed_test(project)
        folder.mkdir(parents=True, exist_ok=True)
        save_test(test, folder / TEST)
        made = [folder / TEST]
        sat = sat_paper(project.items, test)
        units = [unit.id for item in project.items for unit in asked_in_item(item)]
        for person in named_work(project):
            rows: dict[str, Row] = {}
            covered: list[str] = []
            for item, objects in work_on(person, project.items):
                is_done = item.name in person.finished
                own = {row.id: row for row in rows_of(item, objects, is_done=is_done)}
                seconds = _seconds(item, person)
                rows |= {
                    id: msgspec.structs.replace(row, seconds=seconds.get(id))
                    for id, row in own.items()
                }
                covered += [unit.id for unit in asked_in_item(item)] if is_done else own
            if not covered:
                continue
            header = SittingHeader(
                kind=test.kind.name,
                candidate=person.person,
                covers=None if len(covered) == len(units) else tuple(covered),
                **sat,
            )
            path = people_folder(folder) / f"{person.person}.jsonl"
            NATIVE_SITTING.write_sitting(Sitting(header, rows), path)
            made.append(path)
        for name, target in _machine_files(project, folder).items():
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(project.files[SITTINGS + name])
            made.append(target)
        return made

    def read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, Objects]]:
        """People's sittings, or what people answered in a test."""
        return by_item(self._read(path, items, configuration))

    def _read(
        self, path: Path, items: Mapping[str, WorkItem], configuration: Configuration
    ) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
        asked = {
            unit.id: (item, number, unit)
            for item in items.values()
            for number, unit in enumerate(asked_in_item(item), 1)
        }
        first = next(iter(items.values()))
        header = Header(kind=first.paper["kind"], language=first.paper["language"])
        test = test_of(header, (each for item in items.values() for each in records_of_paper(item)))
        views = {name: self.view(item, configuration).objects for name, item in items.items()}
        for sitting in open_people(path, test):
            person = sitting.header.candidate or path.name.partition(".")[0]
            for id, rows in sitting.rows.items():
                row = rows[0] if isinstance(rows, tuple) else rows
                if not row.answered:
                    continue
                if id not in asked:
                    raise DataError(f"the project has no question {id!r}", file=path)
                item, number, unit = asked[id]
                entry = views[item.name][fixed_id(number)]
                for place, fields in enumerate(_fields_of_row(unit, row), 1):
                    own = fixed_id(number) if place == 1 else f"{fixed_id(number)}.{place}"
                    yield person, item.name, own, with_fields(entry, fields)


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


def _way_to_answer(test: Test) -> str:
    """``span`` if the key's answers are all marked in the passages, else ``text``."""
    for unit in test.units():
        if not unit.item.options and unit.key is not None and not unit.key.unanswerable:
            answers = unit.key.answers
            if not answers or any(answer.start is None for answer in answers):
                return "text"
    return "span"


def text_of(record: Any) -> str:
    """What a person reads: the text, or the questions of a series."""
    if not isinstance(record, Series):
        return str(record.text)
    lines = (f"{number}. {each.text}" for number, each in enumerate(record.questions, 1))
    return "\n".join(lines)


def _title(record: Any, number: int, count: int) -> str:
    if count > 1:
        return str(number)
    return str(getattr(record, "title", None) or getattr(record, "target", None) or "")


# Objects as answers.


def entries_for(objects: Objects, number: int) -> list[tuple[str, Mapping[str, Any]]]:
    """The entries for a question, of which a query may have several, with their fields."""
    found = []
    for id, value in objects.items():
        match = _ENTRY_ID.fullmatch(id)
        if match is None or int(match[1]) != number or not isinstance(value, Mapping):
            continue
        fields = value.get("fields")
        if value.get("type") == "entry" and isinstance(fields, Mapping):
            found.append((id, fields))
    return sorted(found, key=lambda pair: [int(part) for part in pair[0][2:].split(".")])


def _is_answered(unit: AskedUnit, fields: Mapping[str, Any]) -> bool:
    if "unanswerable" in unit.fields and fields.get("unanswerable") is True:
        return True
    if unit.values:
        return all(is_filled(fields.get(name)) for name in unit.values)
    return any(is_filled(fields.get(name)) for name in (*unit.fields, "written"))


@dataclass(frozen=True)
class OpenQuestions:
    """The numbers of an item's questions without an answer, and of those with an unread one."""

    count: int = 0
    """How many questions the item has in all."""
    unanswered: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()


def open_questions(item: WorkItem, objects: Objects) -> OpenQuestions:
    """The questions of an item that have no answer, or one that cannot be read."""
    unanswered, unread, units = [], [], asked_in_item(item)
    for number, unit in enumerate(units, 1):
        entries = [fields for _, fields in entries_for(objects, number)]
        if unit.values and any(_read_fields(unit, fields).unread for fields in entries):
            unread.append(number)
        elif not any(_is_answered(unit, fields) for fields in entries):
            unanswered.append(number)
    return OpenQuestions(len(units), tuple(unanswered), tuple(unread))


def rows_of(item: WorkItem, objects: Objects, *, is_done: bool) -> Iterator[Row]:
    """A person's answers. A query without one has none, if the document is handed in."""
    entities: dict[str, Mapping[str, DocumentEntity]] = {
        record.id: document_entities(record.queries)
        for record in (records_with_key(item) if item.paper["kind"] == "task" else ())
    }
    for number, unit in enumerate(asked_in_item(item), 1):
        given = [
            (objects[id], fields)
            for id, fields in entries_for(objects, number)
            if _is_answered(unit, fields)
        ]
        if unit.values:
            if given or is_done:
                found = [
                    _read_fields(unit, fields, entities[unit.record.id]).solution
                    for _, fields in given
                    if fields.get("unanswerable") is not True
                ]
                yield Row(id=unit.id, answer=msgspec.to_builtins(found))
        elif given and (row := _row(unit, *given[0])) is not None:
            yield row


def _row(unit: AskedUnit, entry: Mapping[str, Any], fields: Mapping[str, Any]) -> Row | None:
    """An answer that is no query's; None if it cannot be read."""
    if "rewrite" in unit.fields:
        return Row(id=unit.id, answer=str(fields["rewrite"]).strip())
    if "rating" in unit.fields:
        is_rating = re.fullmatch("[1-5]", str(fields.get("rating")))
        return Row(id=unit.id, answer=float(is_rating[0])) if is_rating else None
    if fields.get("unanswerable") is True and "unanswerable" in unit.fields:
        return Row(id=unit.id, answer="")
    if unit.options:
        chosen = LETTERS.find(str(fields.get("option")))
        if not 0 <= chosen < len(unit.options):
            return None
        return Row(id=unit.id, answer=unit.options[chosen], order=_order(unit, entry))
    if spans := spans_in(fields.get("answer"), text_of(unit.record)):
        start, end, quote = spans[0]
        return Row(id=unit.id, answer=quote, start=start, end=end)
    written = fields.get("written")
    return Row(id=unit.id, answer=written.strip()) if isinstance(written, str) else None


def _seconds(item: WorkItem, person: PersonsWork) -> dict[str, float]:
    """How long a person took for each unit: until its entry changed last, reading included."""
    spent: dict[str, float] = {}
    for id, seconds in person.object_seconds.get(item.name, {}).items():
        if match := _ENTRY_ID.fullmatch(id):
            spent[match[1]] = spent.get(match[1], 0.0) + seconds
    return {
        unit.id: round(spent[str(number)], 3)
        for number, unit in enumerate(asked_in_item(item), 1)
        if spent.get(str(number))
    }


def _order(unit: AskedUnit, entry: Mapping[str, Any]) -> tuple[int, ...] | None:
    """The order in which options were shown, where it is not the paper's."""
    choices = entry.get("choices")
    shown = choices.get("option") if isinstance(choices, Mapping) else None
    letters = shown if isinstance(shown, Mapping) else ()
    order = tuple(LETTERS.find(letter) for letter in letters)
    places_of = tuple(range(len(unit.options)))
    return order if order != places_of and tuple(sorted(order)) == places_of else None


def _read_fields(
    unit: AskedUnit,
    fields: Mapping[str, Any],
    entities: Mapping[str, DocumentEntity] | None = None,
) -> ReadAnswer:
    """What a person typed as an answer to a query; fields that are empty are left out."""
    typed = {
        name: str(fields[place]).strip()
        for place, name in unit.labels.items()
        if is_filled(fields.get(place))
    }
    spans = spans_in(fields.get("excerpts"), unit.record.text)
    excerpts = (Excerpt(unit.record.id, start, end, quote) for start, end, quote in spans)
    return read_answer(
        unit.item,
        list(typed),
        list(typed.values()),
        excerpts,
        document=unit.record.text,
        entities=entities,
        offers={name: unit.offers.get(place, ()) for place, name in unit.labels.items()},
    )


# Answers as objects: from a sitting, or typed in from an answer sheet.


def with_fields(entry: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """An entry filled in; one with an answer in other words than the passage's has that field."""
    only = list(entry["only"])
    if "written" in fields and "written" not in only:
        only = ["written", *(name for name in only if name != "answer")]
    return {**entry, "only": only, "fields": dict(fields)}


def _fields_of_row(unit: AskedUnit, row: Row) -> Iterator[dict[str, Any]]:
    if unit.values:
        yield from _fields_of_solutions(unit, row.answer) or ({"unanswerable": True},)
    elif "rewrite" in unit.fields:
        yield {"rewrite": row.text}
    elif "rating" in unit.fields:
        yield {"rating": f"{row.answer:g}"}
    else:
        text = row.text
        typed = typed_answer(unit, text or NO_ANSWER, "en", start=row.start)
        yield typed.fields[0] if typed.fields else {"written": text}


def _fields_of_solutions(unit: AskedUnit, bindings: Any) -> list[dict[str, Any]]:
    found = []
    for solution in bindings if isinstance(bindings, list) else ():
        values, mentions = solution.get("values", {}), solution.get("mentions", {})
        fields: dict[str, Any] = {
            place: str(next(iter(mentions.get(str(values.get(name))) or ()), values.get(name, "")))
            for place, name in unit.labels.items()
        }
        excerpts = solution.get("excerpts", ())
        spans = [{**span_value(one["start"], one["quote"]), "text": unit.text} for one in excerpts]
        found.append({**fields, "excerpts": spans} if spans else fields)
    return found


@dataclass(frozen=True)
class TypedAnswer:
    """What was typed for a question: the fields of its entries, and what to look at."""

    fields: tuple[dict[str, Any], ...] = ()
    problem: str = ""
    """``absent``, ``ambiguous`` and ``unread`` values are stored and should be looked at;
    what is ``unreadable`` is not stored."""


def typed_answer(
    unit: AskedUnit, typed: str, language: str, *, start: int | None = None
) -> TypedAnswer:
    """An answer as somebody typed it from a sheet of paper; nothing typed is no answer.

    Options are letters. Words are sought in the passage as ``set merge`` does; ``#2`` after them
    means the second place. Values of a query have ``|`` between them, further answers a line each.
    """
    typed = typed.strip()
    if not typed:
        return TypedAnswer()
    if typed == NO_ANSWER and "unanswerable" in unit.fields:
        return TypedAnswer(({"unanswerable": True},))
    if unit.values:
        rows = [[cell.strip() for cell in line.split("|")] for line in typed.splitlines() if line]
        if any(len(row) != len(unit.values) or not all(row) for row in rows):
            return TypedAnswer(problem="unreadable")
        fields = tuple(dict(zip(unit.values, row, strict=True)) for row in rows)
        is_unread = any(_read_fields(unit, own).unread for own in fields)
        return TypedAnswer(fields, "unread" if is_unread else "")
    if "rating" in unit.fields:
        is_rating = re.fullmatch(r"[1-5]", typed)
        return TypedAnswer(({"rating": typed},)) if is_rating else TypedAnswer(problem="unreadable")
    if "rewrite" in unit.fields:
        return TypedAnswer(({"rewrite": typed},))
    if unit.options:
        known = dict(zip(unit.options, LETTERS, strict=False))
        letter = known.get(typed, typed.upper())
        if letter not in LETTERS[: len(unit.options)] or len(letter) != 1:
            return TypedAnswer(problem="unreadable")
        return TypedAnswer(({"option": letter},))
    if "answer" not in unit.fields:
        return TypedAnswer(({"written": typed},))
    return _placed(unit, typed, language, start)


def _placed(unit: AskedUnit, typed: str, language: str, start: int | None) -> TypedAnswer:
    text = text_of(unit.record)
    if start is None and (match := _NUMBERED.fullmatch(typed)) and typed not in text:
        typed, found = match["words"], places(text, match["words"])
        number = int(match["number"])
        start = found[number - 1] if number <= len(found) else None
    place = placed(text, typed, start, "", language=language)
    if place.answer.start is None:
        return TypedAnswer(({"written": typed},), "absent")
    span = {**span_value(place.answer.start, place.answer.text), "text": unit.text}
    return TypedAnswer(({"answer": span},), "ambiguous" if place.several else "")


SITTING = SittingWork()
