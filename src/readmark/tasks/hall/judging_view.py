"""What a judge sees of pooled answers.

"Annotators can quickly view the machine-provided answers along with their provenance" ("The DARPA
Machine Reading Program", section 3.3). Judges see where an answer was read and how it was found,
never which systems gave it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from readmark.core.spans import excerpt_fault
from readmark.tasks.excerpt_overlap import pieces
from readmark.tasks.pooled_answers import PooledRow
from readmark.tasks.value_tokens import token
from readmark.works import ItemView, TextView

ENTRY = "judgement"
_TEXT = "document"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def answer_on_paper(row: PooledRow, text: str) -> dict[str, Any]:
    """An answer as the paper of an item has it.

    Systems may send anything, and a form has to be saved: what they wrote is cut.
    """
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
    is_string = re.fullmatch(r'".*"', text, re.DOTALL) is not None
    name = _cut(text[1:-1] if is_string else text, 200)
    words = [word for word in mentions.get(str(value), ()) if word != str(value)]
    return f"{name} (“{_cut('”, “'.join(words), 200)}”)" if words else name


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
    document = TextView(_TEXT, paper["text"], paper["language"], title)
    return ItemView((document,), objects)


def entry_id(number: int) -> str:
    """The id of the form for an item's answer, counted from 1."""
    return f"a-{number}"
