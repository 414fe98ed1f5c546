"""Differences as lines of an adjudication file, and decisions kept from an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from readmark.corpus.values import Offsets
from readmark.setting.adjudication import Disagreement
from readmark.setting.crosscheck.comparing import Difference
from readmark.setting.crosscheck.items import Item
from readmark.setting.crosscheck.scope import Scope
from readmark.setting.crosscheck.texts import KEY, PASSAGE, QUESTION

FOLLOWS = "follows"
"""In ``beside``: the id of the disagreement whose decision settles this one too."""
CONTEXT, CONTEXT_START, ENGLISH = "context", "context_start", "english"

_WRITTEN = ("decision", "other", "decided_cause", "by")
"""What people write into a line."""

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


def settled_by(one: Disagreement, decided: Mapping[str, Disagreement]) -> str | None:
    """The id of the line that settles this one too; one that was decided otherwise settles none."""
    base = one.beside.get(FOLLOWS)
    if base is None or (base in decided and decided[base].decision == "other"):
        return None
    return str(base)


def to_decide(rows: Sequence[Disagreement]) -> list[str]:
    """The ids that need a decision of their own and have none."""
    known = {one.id: one for one in rows}
    return [one.id for one in rows if one.decision is None and settled_by(one, known) is None]


def with_decisions(
    rows: Iterable[Disagreement], earlier: Iterable[Disagreement]
) -> tuple[list[Disagreement], list[Disagreement]]:
    """The lines with what was decided before, and worked lines whose versions are there no more."""
    worked: Mapping[str, Disagreement] = {one.id: one for one in earlier if is_worked(one)}
    kept: set[str] = set()
    made = []
    for one in rows:
        before = worked.get(one.id)
        if before is not None and same_versions(one, before):
            kept.add(one.id)
            said = {name: getattr(before, name) for name in _WRITTEN}
            one = msgspec.structs.replace(one, **said)
        made.append(one)
    return made, [one for id, one in worked.items() if id not in kept]


def is_worked(one: Disagreement) -> bool:
    """Whether somebody wrote anything into a line."""
    return any(getattr(one, name) is not None for name in _WRITTEN)


def outside(earlier: Iterable[Disagreement], before: Scope, now: Scope) -> list[str]:
    """Layers, some with their sort of text, that have decisions and are not compared any more.

    ``before`` tells what the earlier lines were compared in, ``now`` what is compared this time.
    """
    gone = {
        (name, sort)
        for name, sorts in before.items()
        for sort in sorts
        if sort not in now.get(name, ())
    }
    found: dict[str, None] = {}
    for one in earlier:
        if is_worked(one) and (one.what, _sort_of_text(one)) in gone:
            whole = not now.get(one.what)
            found[one.what if whole else f"{one.what} in {_sort_of_text(one)}s"] = None
    return list(found)


def _sort_of_text(one: Disagreement) -> str:
    """Whether a line is about the passage, a question, or a published key of it."""
    if one.unit is None:
        return PASSAGE
    return KEY if one.id.startswith(f"{one.record}:{one.unit}:key") else QUESTION
