"""Items of judges: the pooled answers on a document, some of them for two people.

Which systems gave an answer is in the item's key, never in its paper.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import msgspec

from readmark.tasks.hall.judging_view import answer_on_paper
from readmark.tasks.pooled_answers import PooledRow, answer_id
from readmark.works import Configuration, TextView, WorkItem

DOUBLE = "double"
"""The option with the share of items that two people judge; in an item's key, whether it is one."""
_MOST_ANSWERS = 20  # of an item: a document with more has several


def judging_items(
    rows: Sequence[PooledRow],
    documents: Mapping[str, TextView],
    present: Sequence[WorkItem],
    configuration: Configuration,
) -> list[WorkItem]:
    """An item for each document with answers that no present item asks about.

    A share of all items, drawn by the project's seed, is for two judges.
    """
    ids = {id for item in present for id in item.key["ids"]}
    by_document: dict[str, list[PooledRow]] = {}
    for row in rows:
        if answer_id(row) not in ids:
            by_document.setdefault(row.document, []).append(row)
    names = {item.name for item in present}
    groups: dict[str, tuple[TextView, list[PooledRow]]] = {}
    for document, new in by_document.items():
        for first in range(0, len(new), _MOST_ANSWERS):
            name, number = document, 1
            while name in names:
                number += 1
                name = f"{document} ({number})"
            names.add(name)
            groups[name] = documents[document], new[first : first + _MOST_ANSWERS]

    share = float(configuration.options.get(DOUBLE, 0))
    present_doubles = sum(bool(item.key[DOUBLE]) for item in present)
    count = max(0, round(share * (len(present) + len(groups))) - present_doubles)
    doubles = sorted(
        groups, key=lambda name: random.Random(f"{configuration.project.seed}:{name}").random()
    )[:count]
    return [
        _item(name, document, answers, is_double=name in doubles)
        for name, (document, answers) in groups.items()
    ]


def _item(name: str, document: TextView, rows: Sequence[PooledRow], *, is_double: bool) -> WorkItem:
    paper = {
        "id": document.id,
        "title": document.title,
        "text": document.text,
        "language": document.language,
        "answers": [answer_on_paper(row, document.text) for row in rows],
    }
    key = {
        "ids": [answer_id(row) for row in rows],
        "rows": [msgspec.to_builtins(row) for row in rows],
        DOUBLE: is_double,
    }
    return WorkItem(name, paper, key)


def rows_of(item: WorkItem) -> list[PooledRow]:
    """The pooled answers that an item asks about."""
    return msgspec.convert(item.key["rows"], list[PooledRow])


def judges_of(item: WorkItem, configuration: Configuration) -> int | None:
    """Two for the items that were drawn, as long as the project asks for a share of them."""
    is_double = item.key[DOUBLE] and configuration.options.get(DOUBLE, 0)
    return 2 if is_double and configuration.project.overlap == 1 else None
