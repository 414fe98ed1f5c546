"""Whether annotators can be compared: people who differ, texts and papers that do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from readmark.corpus.errors import DataError, UsageError
from readmark.setting.agreement.values import Annotator
from readmark.setting.same_text import require_same_text


def require_distinct(people: Sequence[Annotator]) -> None:
    """Two files of one name may be one person's."""
    seen: dict[str, str] = {}
    for one in people:
        if one.name in seen:
            both = f"{seen[one.name]} and {one.file}"
            where = f"in {one.file}" if seen[one.name] == one.file else f"in {both}"
            raise UsageError(
                f"two annotators are called {one.name!r}, {where}; tell them apart with --names"
            )
        seen[one.name] = one.file


def require_same_texts(people: Sequence[Annotator]) -> None:
    """Offsets of two versions of a text cannot be compared."""
    first: dict[str, str] = {}
    for one in people:
        for record in one.records.values():
            for id, text in _texts(record):
                require_same_text(first.setdefault(id, text), text, file=one.file, id=id)


def require_same_paper(people: Sequence[Annotator]) -> None:
    """Answers to other questions may have the same ids: a sitting is of one paper only."""
    sat = [one for one in people if one.paper is not None]
    for one in sat[1:]:
        if one.paper != sat[0].paper:
            raise DataError(
                f"is a sitting of another paper ({one.paper}); {sat[0].file} is of {sat[0].paper}",
                file=one.file,
            )
    tests = [one.test for one in people if one.test is not None]
    # Tests may have more or fewer passages than one another: their texts have been compared.
    if sat and tests and all(test.facts.paper != sat[0].paper for test in tests):
        raise DataError(
            f"is a sitting of another paper ({sat[0].paper}); "
            f"{tests[0].file} has {tests[0].facts.paper}",
            file=sat[0].file,
        )


def _texts(record: Any) -> Iterator[tuple[str, str]]:
    text = getattr(record, "text", None)
    if isinstance(text, str):
        yield record.id, text
    for question in getattr(record, "questions", ()):
        yield f"{record.id}:{question.id}", question.text
