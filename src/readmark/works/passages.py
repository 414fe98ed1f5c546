"""Items that are passages with their questions, and people's work as files of tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from readmark.core.binding import paper_members
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.record_members import split_of
from readmark.core.records import Passage, Question, RecordKey
from readmark.core.splits import without_hidden
from readmark.core.test import Header, Test, in_memory
from readmark.formats.people_names import repeated_name, require_name
from readmark.formats.registry import save_test
from readmark.formats.text_versions import require_same_text
from readmark.works.configuration import Configuration
from readmark.works.forms import NOTE, TEXT, fields_of
from readmark.works.work import (
    PEOPLE,
    ItemView,
    Objects,
    PersonsWork,
    ProjectWork,
    TextView,
    WorkItem,
)

__all__ = [
    "PassageIndex",
    "asked_in",
    "by_item",
    "fixed_entries",
    "fixed_entry",
    "fixed_id",
    "language_of_item",
    "named_work",
    "note_of",
    "notes_in",
    "only_test",
    "paper_of",
    "passage_items",
    "passage_view",
    "people_folder",
    "record_items",
    "record_of",
    "sat_paper",
    "save_records",
    "test_of",
    "with_notes",
    "without_taken",
    "work_on",
]

R = TypeVar("R", bound=Any)
"""A record with a key, of whichever kind."""

NOTES = "notes"
"""The field of a passage's key with people's notes by name."""
LONGEST_NAME = 300
"""Characters of an item's name in the database."""


# A test as items, and items as a test again.


def only_test(tests: Sequence[Test]) -> Test:
    """The test, which must not be in two languages."""
    if len(tests) != 1:
        languages = " and ".join(test.language for test in tests)
        raise DataError(
            f"has two languages, {languages}, and this work takes one: `readmark convert` makes a "
            "test of each",
            file=tests[0].file,
        )
    return tests[0]


def passage_items(
    test: Test,
    *,
    is_asked: bool = False,
    knowing: Callable[[Passage], Sequence[str]] | None = None,
) -> Iterator[WorkItem]:
    """An item for each passage, as `record_items` makes them."""
    return record_items(test, "comprehension", is_asked=is_asked, knowing=knowing)


def record_items(
    test: Test,
    kind: str,
    *,
    is_asked: bool = False,
    knowing: Callable[[Any], Sequence[str]] | None = None,
) -> Iterator[WorkItem]:
    """An item for each record outside hidden splits; with ``is_asked`` those with questions only.

    ``knowing`` finds the people who know a record's key, so that they get others.
    """
    test.require_kind(kind)
    shown, _ = without_hidden(test, "in the hall")
    seen: Counter[str] = Counter()
    for record in shown.records():
        if is_asked and not record.questions:
            continue
        seen[record.id] += 1
        name = record.id if seen[record.id] == 1 else f"{record.id} ({seen[record.id]})"
        if len(name) > LONGEST_NAME:
            message = f"the id has {len(name)} characters, expected at most {LONGEST_NAME}"
            raise DataError(message, file=test.file, where=f"{name[:40]}…")
        key: dict[str, Any] = {
            "record": _builtins(record),
            "paper": paper_members(shown),
            "profile": test.header.profile,
        }
        if knowing is not None and (people := knowing(record)):
            key["known_by"] = list(people)
        yield WorkItem(
            name, {"record": _builtins(test.kind.paper(record)), "language": shown.language}, key
        )


def _builtins(record: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record))


def paper_of(item: WorkItem) -> Passage:
    """The passage as annotators may see it."""
    return msgspec.convert(item.paper["record"], Passage)


def record_of(item: WorkItem) -> Passage:
    """The passage with its key, where the organiser has one."""
    known = item.key.get("record") if isinstance(item.key, Mapping) else None
    return paper_of(item) if known is None else msgspec.convert(known, Passage)


def language_of_item(item: WorkItem) -> str:
    """The language of an item's passage."""
    return str(item.paper.get("language") or "en")


def test_of(header: Header, records: Iterable[Any]) -> Test:
    """Records as a test, whose header names no hidden split that it lacks."""
    own = list(records)
    splits = {split_of(record) for record in own}
    hidden = tuple(name for name in header.hidden if name in splits)
    return in_memory(msgspec.structs.replace(header, hidden=hidden), own)


def sat_paper(items: Sequence[WorkItem], test: Test) -> dict[str, Any]:
    """What binds a sitting to the test of some items, and so to the test that they are all of.

    Where the items are but a part of theirs, nothing does: such answers fit both by their ids.
    """
    own = paper_members(test)
    known = (item.key.get("paper") for item in items if isinstance(item.key, Mapping))
    return own if all(paper in (None, own) for paper in known) else {}


def passage_view(item: WorkItem, objects: Objects | None = None) -> ItemView:
    """The passage with what every annotator starts from."""
    record = paper_of(item)
    language = record.language or language_of_item(item)
    text = TextView(TEXT, record.text, language, record.title or "")
    return ItemView((text,), objects or {})


def fixed_id(number: int) -> str:
    """The id of the entry for an item's question, counted from 1."""
    return f"q-{number}"


def fixed_entries(
    item: WorkItem, configuration: Configuration, entry: str, contexts: Sequence[str] = ()
) -> dict[str, dict[str, Any]]:
    """An entry to fill in for each question of an item."""
    defaults = {
        name: field.default
        for name, field in fields_of(configuration, entry).items()
        if field.default is not None
    }
    made = {}
    for number, question in enumerate(paper_of(item).questions, 1):
        context = contexts[number - 1] if contexts else "\n".join(question.options)
        value = fixed_entry(entry, number, question.text, context)
        made[fixed_id(number)] = value | {"fields": dict(defaults)}
    return made


def fixed_entry(entry: str, number: int, prompt: str, context: str = "") -> dict[str, Any]:
    """An entry that an item brings, to be filled in."""
    value: dict[str, Any] = {"type": "entry", "entry": entry, "order": float(number)}
    return value | {"prompt": prompt, **({"context": context} if context else {}), "fields": {}}


# Notes on passages.


def note_of(objects: Objects) -> str:
    """The person's note on the item."""
    note = objects.get(NOTE)
    value = note.get("value") if isinstance(note, Mapping) else None
    return value if isinstance(value, str) else ""


def with_notes(record: R, notes: Mapping[str, str]) -> R:
    """A record with people's notes in its key."""
    if not notes:
        return record
    key = record.key or RecordKey()
    own = msgspec.structs.replace(key, fields={**key.fields, NOTES: dict(notes)})
    return msgspec.structs.replace(record, key=own)


def notes_in(record: Any) -> dict[str, dict[str, Any]]:
    """People's notes on a record, each as an object."""
    notes = record.key.fields.get(NOTES) if record.key is not None else None
    return {
        person: {"type": NOTE, "value": note}
        for person, note in (notes.items() if isinstance(notes, Mapping) else ())
        if isinstance(note, str) and note
    }


# One file for each person.


def named_work(project: ProjectWork) -> list[PersonsWork]:
    """People who did something, with names that files can have."""
    people = [person for person in project.people if any(person.objects.values())]
    for person in people:
        try:
            require_name(person.person, "person", is_file=True)
        except UsageError as error:
            raise DataError(str(error)) from None
    if (pair := repeated_name(person.person for person in people)) is not None:
        raise DataError(f"{pair[0]!r} and {pair[1]!r} would be one file: rename one of them")
    return people


def people_folder(folder: Path) -> Path:
    """The folder for people's files, which is made."""
    made = folder / PEOPLE
    made.mkdir(parents=True, exist_ok=True)
    return made


def save_records(header: Header, records: Iterable[Any], path: Path) -> list[Path]:
    """Write records as a native test; nothing where there are none."""
    own = list(records)
    if not own:
        return []
    save_test(test_of(header, own), path)
    return [path]


class PassageIndex:
    """The items of a project by their passages."""

    def __init__(self, items: Iterable[WorkItem], file: Path) -> None:
        papers = [(paper_of(item), item) for item in items]
        self._by_id = {paper.id: (paper, item) for paper, item in papers}
        self._by_text = {paper.text: (paper, item) for paper, item in papers}
        self._file = str(file)

    def find(self, record: Passage) -> tuple[Passage, WorkItem]:
        """The item that a record of a file is on; another version of its text is refused."""
        found = self._by_id.get(record.id) or self._by_text.get(record.text)
        if found is None:
            hint = did_you_mean(record.id, self._by_id)
            message = f"the project has no passage {record.id!r}; {hint}"
            raise DataError(message, file=self._file)
        require_same_text(found[0].text, record.text, file=self._file, id=record.id)
        return found


def work_on(person: PersonsWork, items: Iterable[WorkItem]) -> Iterator[tuple[WorkItem, Objects]]:
    """The items that a person has worked on, in order."""
    for item in items:
        if objects := person.objects.get(item.name):
            yield item, objects


def asked_in(items: Iterable[WorkItem]) -> dict[str, tuple[WorkItem, int, Question]]:
    """Every question of some items by its id, with its item and its number there."""
    return {
        question.id: (item, number, question)
        for item in items
        for number, question in enumerate(paper_of(item).questions, 1)
    }


def by_item(
    found: Iterable[tuple[str, str, str, dict[str, Any]]],
) -> Iterator[tuple[str, str, Objects]]:
    """(Person, item, id, object) gathered as (person, item, objects)."""
    gathered: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for person, item, id, value in found:
        gathered.setdefault((person, item), {})[id] = value
    for (person, item), objects in gathered.items():
        yield person, item, objects


def without_taken(id: str, taken: Container[str], *prefixes: str) -> str:
    """An id that no other question has: with prefixes, as many as it takes."""
    for prefix in prefixes:
        if id not in taken:
            break
        id = f"{prefix}-{id}"
    while id in taken:
        id += "+"
    return id
