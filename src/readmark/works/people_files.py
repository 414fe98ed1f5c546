"""People's work as files of tests, one for each person, and such files as people's work again."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.records import Passage, Question
from readmark.core.test import Header
from readmark.formats.people_names import repeated_name, require_name
from readmark.formats.registry import save_test
from readmark.formats.text_versions import require_same_text
from readmark.works.passages import paper_of, test_of
from readmark.works.work import PEOPLE, Objects, PersonsWork, ProjectWork, WorkItem

__all__ = [
    "PassageIndex",
    "asked_in",
    "by_item",
    "named_work",
    "people_folder",
    "save_records",
    "without_taken",
    "work_on",
]


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
    people = folder / PEOPLE
    people.mkdir(parents=True, exist_ok=True)
    return people


def save_records(header: Header, records: Iterable[Any], path: Path) -> list[Path]:
    """Write records as a native test; nothing where there are none."""
    listed = list(records)
    if not listed:
        return []
    save_test(test_of(header, listed), path)
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
        match = self._by_id.get(record.id) or self._by_text.get(record.text)
        if match is None:
            hint = did_you_mean(record.id, self._by_id)
            message = f"the project has no passage {record.id!r}; {hint}"
            raise DataError(message, file=self._file)
        paper, _ = match
        require_same_text(paper.text, record.text, file=self._file, id=record.id)
        return match


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
    rows: Iterable[tuple[str, str, str, dict[str, Any]]],
) -> Iterator[tuple[str, str, Objects]]:
    """(Person, item, id, object) gathered as (person, item, objects)."""
    by_person: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for person, item, id, value in rows:
        by_person.setdefault((person, item), {})[id] = value
    for (person, item), objects in by_person.items():
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
