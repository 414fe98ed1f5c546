"""Differences as lines of an adjudication file, and decisions kept from an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from readmark.corpus.values import Offsets
from readmark.setting.adjudication import Disagreement
from readmark.setting.crosscheck.comparing import Difference
from readmark.setting.crosscheck.items import Item

FOLLOWS = "follows"
"""In ``beside``: the id of the disagreement whose decision settles this one too."""
CONTEXT, CONTEXT_START, ENGLISH = "context", "context_start", "english"

_encode = msgspec.json.Encoder(order="deterministic").encode


def row(
    one: Difference,
    *,
    context: Offsets | None = None,
    english: str | None = None,
    follows: str | None = None,
) -> Disagreement:
    """A line of the file: both versions, the sentence around, the parallel English."""
    beside: dict[str, Any] = {}
    if context is not None:
        beside[CONTEXT] = one.text[slice(*context)]
        beside[CONTEXT_START] = context[0]
    if english is not None:
        beside[ENGLISH] = english
    if follows is not None:
        beside[FOLLOWS] = follows
    return Disagreement(
        id=one.id,
        what=one.what,
        record=one.part.record,
        unit=one.part.unit,
        place=one.place,
        a=told(one.a, one.text),
        b=told(one.b, one.text),
        beside=beside,
        cause=one.sort,
    )


def told(items: Iterable[Item], text: str) -> list[dict[str, Any]]:
    """Items as they stand in the file: span, quote and what is said of it."""
    return [
        {
            "span": list(item.span),
            "quote": text[slice(*item.span)],
            **{name: said for name, said in item.labels.items() if said is not None},
        }
        for item in items
    ]


def same_versions(one: Disagreement, other: Disagreement) -> bool:
    """Whether two lines are about the same two versions."""
    return _encode((one.a, one.b)) == _encode((other.a, other.b))


def with_decisions(
    rows: Iterable[Disagreement], earlier: Iterable[Disagreement]
) -> tuple[list[Disagreement], list[Disagreement]]:
    """The lines with what was decided before, and decisions whose versions are no longer there."""
    decided: Mapping[str, Disagreement] = {
        one.id: one for one in earlier if one.decision is not None
    }
    kept: set[str] = set()
    made = []
    for one in rows:
        before = decided.get(one.id)
        if before is not None and same_versions(one, before):
            kept.add(one.id)
            one = msgspec.structs.replace(
                one, decision=before.decision, other=before.other, by=before.by
            )
        made.append(one)
    return made, [one for id, one in decided.items() if id not in kept]
