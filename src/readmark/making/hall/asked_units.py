"""What is asked in an item of a sitting, whatever the kind of test.

An item is a passage with its questions, a document with its queries in words, a series to rewrite,
or a few passages to rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from readmark.core.kinds import kind_named
from readmark.series import Series
from readmark.tasks import offers_for, variables_asked
from readmark.works import WorkItem

LETTERS = "ABCDEFGHIJ"
"""What options are called."""
OFFERS = "offers"
"""The member of a paper with what the questions on a document can be about."""
MOST_OFFERS = 30
"""Choices of a field."""


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
        for unit in ask(record, text_id(number), paper)
    ]


def records_of_paper(item: WorkItem) -> list[Any]:
    """The records of an item as candidates may see them."""
    return _records(item.paper["kind"], item.paper["records"])


def records_with_key(item: WorkItem) -> list[Any]:
    """The records of an item with their keys, where the organiser has them."""
    keyed = item.key.get("records") if isinstance(item.key, Mapping) else None
    return records_of_paper(item) if keyed is None else _records(item.paper["kind"], keyed)


def _records(kind: str, stored: Sequence[Any]) -> list[Any]:
    return [msgspec.convert(record, kind_named(kind).record) for record in stored]


def text_id(number: int) -> str:
    """The id of an item's text on the page, counted from 1."""
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


def field_offers(record: Any, language: str) -> dict[str, dict[str, list[str]]]:
    """By query and field, what a question on a document can be about, in words."""
    offers = offers_for(record.queries, language)
    return {
        query.id: {
            f"value_{number}": offers[query.id][name][:MOST_OFFERS]
            for number, name in enumerate(variables_asked(query), 1)
            if name in offers[query.id]
        }
        for query in record.queries
        if offers[query.id]
    }


def text_of(record: Any) -> str:
    """What a person reads: the text, or the questions of a series."""
    if not isinstance(record, Series):
        return str(record.text)
    lines = (f"{number}. {each.text}" for number, each in enumerate(record.questions, 1))
    return "\n".join(lines)
