"""A test as items, and items as a test again: each item is a passage with its questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.binding import paper_members
from readmark.core.errors import DataError
from readmark.core.record_members import split_of
from readmark.core.records import Passage
from readmark.core.splits import without_hidden
from readmark.core.test import Header, Test, in_memory
from readmark.works.configuration import Configuration
from readmark.works.field_values import TEXT
from readmark.works.forms import fields_of
from readmark.works.work import ItemView, Objects, TextView, WorkItem

__all__ = [
    "fixed_entries",
    "fixed_entry",
    "fixed_id",
    "language_of_item",
    "only_test",
    "paper_of",
    "passage_items",
    "passage_view",
    "record_items",
    "record_of",
    "sat_paper",
    "test_of",
]

LONGEST_NAME = 300
"""Characters of an item's name in the database."""


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
    visible, _ = without_hidden(test, "in the hall")
    counts: Counter[str] = Counter()
    for record in visible.records():
        if is_asked and not record.questions:
            continue
        counts[record.id] += 1
        name = record.id if counts[record.id] == 1 else f"{record.id} ({counts[record.id]})"
        if len(name) > LONGEST_NAME:
            message = f"the id has {len(name)} characters, expected at most {LONGEST_NAME}"
            raise DataError(message, file=test.file, where=f"{name[:40]}…")
        key: dict[str, Any] = {
            "record": _builtins(record),
            "paper": paper_members(visible),
            "profile": test.header.profile,
        }
        if knowing is not None and (people := knowing(record)):
            key["known_by"] = list(people)
        yield WorkItem(
            name, {"record": _builtins(test.kind.paper(record)), "language": visible.language}, key
        )


def _builtins(record: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(record))


def paper_of(item: WorkItem) -> Passage:
    """The passage as annotators may see it."""
    return msgspec.convert(item.paper["record"], Passage)


def record_of(item: WorkItem) -> Passage:
    """The passage with its key, where the organiser has one."""
    record = item.key.get("record") if isinstance(item.key, Mapping) else None
    return paper_of(item) if record is None else msgspec.convert(record, Passage)


def language_of_item(item: WorkItem) -> str:
    """The language of an item's passage."""
    return str(item.paper.get("language") or "en")


def test_of(header: Header, records: Iterable[Any]) -> Test:
    """Records as a test, whose header names no hidden split that it lacks."""
    listed = list(records)
    splits = {split_of(record) for record in listed}
    hidden = tuple(name for name in header.hidden if name in splits)
    return in_memory(msgspec.structs.replace(header, hidden=hidden), listed)


def sat_paper(items: Sequence[WorkItem], test: Test) -> dict[str, Any]:
    """The members that bind a sitting to the test of some items.

    They are left out if the items are only a part of their test: then the answers fit that test
    and this one by their ids.
    """
    paper = paper_members(test)
    recorded = (item.key.get("paper") for item in items if isinstance(item.key, Mapping))
    return paper if all(members in (None, paper) for members in recorded) else {}


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
    entries = {}
    for number, question in enumerate(paper_of(item).questions, 1):
        context = contexts[number - 1] if contexts else "\n".join(question.options)
        value = fixed_entry(entry, number, question.text, context)
        entries[fixed_id(number)] = value | {"fields": dict(defaults)}
    return entries


def fixed_entry(entry: str, number: int, prompt: str, context: str = "") -> dict[str, Any]:
    """An entry that an item brings, to be filled in."""
    value: dict[str, Any] = {"type": "entry", "entry": entry, "order": float(number)}
    return value | {"prompt": prompt, **({"context": context} if context else {}), "fields": {}}
