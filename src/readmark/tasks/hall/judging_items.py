"""What judges get of pooled answers: items by document, and what a page shows of an answer.

"Annotators can quickly view the machine-provided answers along with their provenance" ("The DARPA
Machine Reading Program", section 3.3). Judges see where an answer was read and how it was found,
never which systems gave it: that is in the item's key.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.spans import excerpt_fault
from readmark.tasks.excerpt_overlap import pieces
from readmark.tasks.pooled_answers import PooledRow, answer_id
from readmark.tasks.value_tokens import token
from readmark.works import Configuration, ItemView, TextView, WorkItem

ENTRY = "judgement"
DOUBLE = "double"
"""The option with the share of items that two people judge; in an item's key, whether it is one."""
MOST_ANSWERS = 20
"""Answers of an item."""
_TEXT = "document"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def judging_items(
    rows: Sequence[PooledRow],
    documents: Mapping[str, TextView],
    present: Sequence[WorkItem],
    configuration: Configuration,
) -> list[WorkItem]:
    """An item for each document with answers that no present item asks about.

    A share of all items, drawn by the project's seed, is for two judges.
    """
    asked = {id for item in present for id in item.key["ids"]}
    by_document: dict[str, list[PooledRow]] = {}
    for row in rows:
        if answer_id(row) not in asked:
            by_document.setdefault(row.document, []).append(row)
    taken = {item.name for item in present}
    items = []
    for document, new in by_document.items():
        for first in range(0, len(new), MOST_ANSWERS):
            name, number = document, 1
            while name in taken:
                number += 1
                name = f"{document} ({number})"
            taken.add(name)
            items.append(_item(name, documents[document], new[first : first + MOST_ANSWERS]))
    share = float(configuration.options.get(DOUBLE, 0))
    before = sum(bool(item.key[DOUBLE]) for item in present)
    count = max(0, round(share * (len(present) + len(items))) - before)
    drawn = sorted(
        (item.name for item in items),
        key=lambda name: random.Random(f"{configuration.project.seed}:{name}").random(),
    )[:count]
    return [
        WorkItem(item.name, item.paper, {**item.key, DOUBLE: item.name in drawn}) for item in items
    ]


def _item(name: str, document: TextView, rows: Sequence[PooledRow]) -> WorkItem:
    """An item; its paper names no candidate."""
    paper = {
        "id": document.id,
        "title": document.title,
        "text": document.text,
        "language": document.language,
        "answers": [_shown(row, document.text) for row in rows],
    }
    key = {
        "ids": [answer_id(row) for row in rows],
        "rows": [msgspec.to_builtins(row) for row in rows],
        DOUBLE: False,
    }
    return WorkItem(name, paper, key)


def rows_of(item: WorkItem) -> list[PooledRow]:
    """The pooled answers that an item asks about."""
    return msgspec.convert(item.key["rows"], list[PooledRow])


def judges_of(item: WorkItem, configuration: Configuration) -> int | None:
    """Two for the items that were drawn, as long as the project asks for a share of them."""
    is_double = item.key[DOUBLE] and configuration.options.get(DOUBLE, 0)
    return 2 if is_double and configuration.project.overlap == 1 else None


# What a page shows.


def _shown(row: PooledRow, text: str) -> dict[str, Any]:
    """What a judge sees of an answer: texts of systems are cut, so that a form can be saved."""
    in_document = [
        excerpt
        for excerpt in row.excerpts
        if excerpt.document == row.document and not excerpt_fault(excerpt, text)
    ]
    elsewhere = [
        context
        for excerpt, context in zip(row.excerpts, row.context, strict=True)
        if excerpt not in in_document
    ]
    return {
        "question": _cut(row.question or row.graph or row.query, 500),
        "values": {
            _cut(name, 60): value_words(value, row.mentions)
            for name, value in list(row.values.items())[:12]
        },
        "places": pieces(in_document).get(row.document, [])[:12],
        "context": [_cut(context, 300) for context in elsewhere[:8]],
        "derivation": _cut(row.derivation or "", 4000),
    }


def value_words(value: Any, mentions: Mapping[str, Sequence[str]]) -> str:
    """A value with the words that the document has for it."""
    text = token(value)
    shown = _cut(text[1:-1] if re.fullmatch(r'".*"', text, re.DOTALL) else text, 200)
    words = [word for word in mentions.get(str(value), ()) if word != str(value)]
    return f"{shown} (“{_cut('”, “'.join(words), 200)}”)" if words else shown


def values_text(answer: Mapping[str, Any]) -> str:
    """The values of an answer, as a paper has them, in a line."""
    return ", ".join(f"{name}: {value}" for name, value in answer["values"].items())


def _cut(text: str, most: int) -> str:
    text = _CONTROL.sub(" ", text)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def judging_view(paper: Mapping[str, Any]) -> ItemView:
    """The document, and a form for each of its answers."""
    objects = {}
    for number, answer in enumerate(paper["answers"], 1):
        quotes = [f"“{_cut(paper['text'][start:end], 200)}”" for start, end in answer["places"][:8]]
        form: dict[str, Any] = {
            "type": "entry",
            "entry": ENTRY,
            "order": float(number),
            "prompt": f"{answer['question']} → {values_text(answer)}",
            "context": "\n".join([*quotes, *answer["context"]]),
            "places": [
                {"text": _TEXT, "start": start, "end": end} for start, end in answer["places"]
            ],
            "fields": {},
        }
        if answer["derivation"]:
            form["detail"] = answer["derivation"]
        objects[entry_id(number)] = form
    title = paper["title"] or paper["id"]
    return ItemView((TextView(_TEXT, paper["text"], paper["language"], title),), objects)


def entry_id(number: int) -> str:
    """The id of the form for an item's answer, counted from 1."""
    return f"a-{number}"
