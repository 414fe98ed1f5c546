"""The adjudicator's item for an item: each place where people's versions differ is a form.

The page calls the versions A, B and so on, in an order drawn for each item, and names nobody.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from readmark.settling import Disagreement
from readmark.works.configuration import EntryField
from readmark.works.marks import Text
from readmark.works.work import TextView, WorkItem

__all__ = [
    "BETWEEN",
    "BOTH",
    "ENTRY",
    "LETTERS",
    "NOTHING",
    "OTHER",
    "DisputedPlace",
    "dispute_item",
    "drawn_order",
]

ENTRY = "decision"
"""The form of a disputed place."""
LETTERS = "abcdefgh"
"""What versions are called, in the order of the page: as many as `settling.versions` lets in."""
BOTH, OTHER = "both", "other"
"""Choices besides the letters: two versions, and one that nobody has."""
NOTHING = "–"
"""A version without anything."""
BETWEEN = " · "
"""What is between a letter and its version."""
VALUES = "values"
"""The member of a form with what another version must be: a widget and its choices."""


@dataclass(frozen=True)
class DisputedPlace:
    """A line of the adjudication file, and what the page shows of it."""

    line: Disagreement
    """Its versions are ``a``, ``b`` and where there may be more all of ``beside["versions"]``."""
    prompt: str
    versions: Sequence[str]
    """The versions in words, in the order of the line."""
    context: str = ""
    spans: Sequence[tuple[int, Mapping[str, Any]]] = ()
    """Where versions are in the texts: number of the version, and text, start and end."""
    place: Mapping[str, Any] | None = None
    suggested: int | None = None
    """The number of the version that the library suggests."""
    why: Text = ""
    allows_both: bool = False
    only: tuple[str, ...] = ()
    """The fields of the form, if not all."""
    others: Sequence[str] = ()
    """What another version can be, of the choices that the page has for it or offers."""
    field: EntryField | None = None
    """The field that versions are values of: another version must be one, too."""
    follows: str | None = None
    """The id of the line that settles this one, too, unless the decision there is another."""


def drawn_order(seed: int, item: str, count: int) -> list[int]:
    """The order in which an item's page shows versions: numbers of versions."""
    order = list(range(count))
    random.Random(f"{seed}:{item}:{count}").shuffle(order)
    return order


def dispute_item(
    name: str, texts: Sequence[TextView], places: Sequence[DisputedPlace], seed: int
) -> WorkItem:
    """The adjudicator's item for an item with disputed places; the key says whose versions are."""
    objects: dict[str, Any] = {}
    marks: dict[str, list[dict[str, Any]]] = {text.id: [] for text in texts}
    orders: list[list[int]] = []
    numbers = {disputed.line.id: f"d-{number}" for number, disputed in enumerate(places, 1)}
    for number, disputed in enumerate(places, 1):
        order = drawn_order(seed, name, len(disputed.versions))
        orders.append(order)
        id = f"d-{number}"
        objects[id] = _form(disputed, order, number)
        if disputed.follows in numbers:
            objects[id] |= {"follows": numbers[disputed.follows], "optional": ["decision"]}
        # By their letters: the order of the line is that of the people's names.
        spans = [(LETTERS[order.index(version)], span) for version, span in disputed.spans]
        spans.sort(key=lambda pair: (pair[0], pair[1]["start"], pair[1]["end"]))
        for index, (letter, span) in enumerate(spans):
            mark = {"id": f"{id}/{index}", "category": f"version_{letter}", "label": letter.upper()}
            place = {member: span[member] for member in ("start", "end")}
            marks[span["text"]].append({**mark, **place})
    views = [
        {
            "id": text.id,
            "text": text.text,
            "language": text.language,
            "title": text.title,
            "marks": marks[text.id],
        }
        for text in texts
    ]
    lines = [msgspec.to_builtins(disputed.line) for disputed in places]
    return WorkItem(
        name,
        {"item": name, "texts": views, "objects": objects},
        {"item": name, "lines": lines, "orders": orders},
    )


def _form(disputed: DisputedPlace, order: Sequence[int], number: int) -> dict[str, Any]:
    choices = {
        LETTERS[place]: LETTERS[place].upper() + BETWEEN + (disputed.versions[index] or NOTHING)
        for place, index in enumerate(order)
    }
    choices |= {BOTH: ""} if disputed.allows_both else {}
    form: dict[str, Any] = {
        "type": "entry",
        "entry": ENTRY,
        "order": float(number),
        "prompt": disputed.prompt,
        "what": disputed.line.what,
        "choices": {"decision": {**choices, OTHER: ""}},
        "fields": {},
    }
    if disputed.others:
        form["choices"][OTHER] = dict.fromkeys(disputed.others, "")
        form["offers"] = {OTHER: list(disputed.others)}
    if disputed.field is not None:
        field = disputed.field
        form[VALUES] = {"widget": field.widget, "choices": list(map(str, field.choices))}
    if disputed.only:
        form["only"] = list(disputed.only)
    if disputed.context:
        form["context"] = disputed.context
    if disputed.place is not None:
        form["places"] = [dict(disputed.place)]
    if disputed.suggested is not None or disputed.why:
        value = None
        if disputed.suggested is not None:
            value = LETTERS[order.index(disputed.suggested)]
        form["suggestion"] = {"value": value, "why": disputed.why}
    return form
