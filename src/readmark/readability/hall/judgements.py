"""What a judge gives to a round, as the hall keeps it: stars, an order in words, and criteria.

Each is an entry of a form; an order is written as ``p03 < p01 = p07``, the easiest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from readmark.readability.kind import RatedPassage
from readmark.readability.panels.judge_sheets import CRITERIA
from readmark.readability.panels.ratings import JudgeRating
from readmark.readability.panels.rounds import EXPERT, NOVICE
from readmark.readability.panels.written_numbers import number
from readmark.readability.scale import HIGHEST, LOWEST
from readmark.works import Objects, PersonsWork, WorkItem
from readmark.works.field_values import is_filled
from readmark.works.forms import entries_of

PASSAGE, ORDER = "passage", "order"
"""The form of a passage, and that of the order; the experts have one more, ``CRITERIA``."""
SKIP = "skip"
"""The field of a passage for why a judge gives it no stars."""


def entry_object(form: str, order: float, fields: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of a form as an object, in its place among the entries of the round."""
    return {"type": "entry", "entry": form, "order": float(order), "fields": dict(fields)}


def placed_records(item: WorkItem) -> list[tuple[int, RatedPassage]]:
    """The passages of a round with their key, each with its place in the test."""
    return [
        (int(place), msgspec.convert(record, RatedPassage)) for place, record in item.key["records"]
    ]


def ratings_of(item: WorkItem, objects: Objects, judge: str = "") -> Iterator[JudgeRating]:
    """The ratings in a judge's objects, one for each passage of the round that has an entry."""
    ids = {passage["code"]: passage["id"] for passage in item.paper["passages"]}
    entries = {code: fields for code, fields in entries_of(objects, PASSAGE) if code in ids}
    stars = {
        code: value
        for code, fields in entries.items()
        if (value := _number(fields.get("stars"))) is not None and LOWEST <= value <= HIGHEST
    }
    order = next((fields.get(ORDER) for _, fields in entries_of(objects, ORDER)), "")
    ranks = ranks_in(order, stars)
    for code, fields in entries.items():
        seconds = _number(fields.get("seconds"))
        yield JudgeRating(
            judge=judge,
            panel="",
            code=code,
            id=ids[code],
            stars=stars.get(code),
            rank=ranks.get(code),
            seconds=None if seconds is None or seconds < 0 else seconds,
            file="",
            line=0,
        )


def _number(value: object) -> float | None:
    """A number, also if a choice spells it as text."""
    return number(str(value)) if isinstance(value, int | float | str) else None


def order_words(ranks: Mapping[str, float]) -> str:
    """The order of ranked passages in words."""
    levels: dict[float, list[str]] = {}
    for code, rank in sorted(ranks.items(), key=lambda pair: pair[1]):
        levels.setdefault(rank, []).append(code)
    return " < ".join(" = ".join(codes) for codes in levels.values())


def ranks_in(order: object, rated: Iterable[str]) -> dict[str, int]:
    """The rank of each rated passage in an order; equals share the first of their places."""
    unranked = set(rated)
    ranks: dict[str, int] = {}
    for level in str(order or "").split("<"):
        place = len(ranks) + 1
        for code in map(str.strip, level.split("=")):
            if code in unranked:
                unranked.remove(code)
                ranks[code] = place
    return ranks


def panel_of(person: PersonsWork) -> str:
    """Whether a judge is an expert or a novice.

    Experts are those with that role. Somebody who has left has no role: then it is an expert who
    wrote criteria, for novices have no form for them.
    """
    if person.roles:
        return EXPERT if EXPERT in person.roles else NOVICE
    wrote_criteria = (
        is_filled(fields.get(CRITERIA))
        for objects in person.objects.values()
        for _, fields in entries_of(objects, CRITERIA)
    )
    return EXPERT if any(wrote_criteria) else NOVICE
