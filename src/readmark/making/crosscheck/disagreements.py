"""Lines of an adjudication file: both versions of a place, with its sentence and its English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from readmark.core.counts import counted
from readmark.core.records import Offsets
from readmark.making.crosscheck.differences import REPEAT, Difference
from readmark.making.crosscheck.items import LayerItem
from readmark.settling import Disagreement

FOLLOWS = "follows"
"""In ``beside``: the id of the disagreement whose decision settles this one too."""
CONTEXT, CONTEXT_START, ENGLISH = "context", "context_start", "english"
AROUND = 24
"""Characters of the sentence that are printed on each side of a place: a terminal line is short."""


def disagreement(
    difference: Difference,
    *,
    context: Offsets | None = None,
    english: str | None = None,
    follows: str | None = None,
) -> Disagreement:
    """A line of the file: both versions, the sentence around, the parallel English."""
    beside: dict[str, Any] = {}
    if context is not None:
        beside |= {CONTEXT: difference.text[slice(*context)], CONTEXT_START: context[0]}
    if english is not None:
        beside[ENGLISH] = english
    if follows is not None:
        beside[FOLLOWS] = follows
    return Disagreement(
        id=difference.id,
        what=difference.what,
        record=difference.part.record,
        unit=difference.part.unit,
        place=difference.place,
        a=_version(difference.a, difference.text),
        b=_version(difference.b, difference.text),
        beside=beside,
        cause=difference.sort,
    )


def _version(items: Iterable[LayerItem], text: str) -> list[dict[str, Any]]:
    """Items as they are in the file: span, quote and labels."""
    return [
        {
            "span": list(item.span),
            "quote": text[slice(*item.span)],
            **{name: label for name, label in item.labels.items() if label is not None},
        }
        for item in items
    ]


def to_decide(rows: Sequence[Disagreement]) -> list[str]:
    """The ids that need a decision of their own and have none.

    A third version of a phrase settles no line that follows from the phrase: it says nothing of
    what an entity on it would be.
    """
    third_versions = {line.id for line in rows if line.decision == "other"}
    return [
        line.id
        for line in rows
        if line.decision is None and line.beside.get(FOLLOWS) in (None, *third_versions)
    ]


def left_to_decide(rows: Sequence[Disagreement]) -> str:
    """How much is left; what follows from another line needs no decision."""
    left = len(to_decide(rows))
    follow = sum(line.decision is None for line in rows) - left
    more = f" ({follow:,} more follow from others)" if follow else ""
    return f"{counted(len(rows), 'disagreement')}, {left:,} to decide{more}"


def version_words(items: Sequence[Mapping[str, Any]], cause: str | None) -> str:
    """One annotator's version of a place: the spans, with their labels."""
    if not items:
        return "(not marked again)" if cause == REPEAT else "(nothing)"
    versions = []
    for item in items:
        quote = " ".join(str(item["quote"]).split())
        labels = ", ".join(_label_words(item))
        versions.append(f"{quote} ({labels})" if labels else quote)
    return " | ".join(versions)


def _label_words(item: Mapping[str, Any]) -> Iterator[str]:
    for name, value in item.items():
        if name == "antecedent":
            yield f"→ {value.get('quote') or value.get('number')}"
        elif name == "type":
            yield str(value)
        elif name == "numbered":
            yield "an antecedent of nothing"
        elif isinstance(value, Mapping) and "span" in value:
            start, end = value["span"]
            yield f"{name} → {value.get('type')} {start}–{end}"
        elif name not in ("span", "quote"):
            yield f"{name} {value}"


def marked_context(line: Disagreement) -> str:
    """The place in its sentence, marked, and cut where the sentence is long."""
    context = line.beside.get(CONTEXT)
    if context is None or line.place is None:
        return ""
    context_start = int(line.beside.get(CONTEXT_START, 0))
    start, end = (max(0, offset - context_start) for offset in line.place)
    if start == 0 and end >= len(context):
        return " ".join(context.split())
    before, after = context[:start], context[end:]
    if len(before) > AROUND:
        before = f"…{before[-AROUND:]}"
    if len(after) > AROUND:
        after = f"{after[:AROUND]}…"
    return " ".join(f"{before}»{context[start:end]}«{after}".split())
