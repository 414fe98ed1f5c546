"""A third version of a place, as an adjudicator wrote it: quotes, or spans with their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Layer, Offsets, Passage
from readmark.making.adjudication import Disagreement
from readmark.making.crosscheck.comparison import Compared, row, same_versions
from readmark.making.crosscheck.differences import Difference, LayerPair
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    ANTECEDENT,
    NUMBERED,
    Item,
    Items,
    Part,
    antecedent_of,
    layer_items,
    mentions_of,
    parts_of,
)

WHOLE = frozenset({"token", "sentence"})
"""Layers that cover their text: dropping words would leave a hole, so they must be decided."""
NEEDED = {"ne": ("type",), "mention": (ANTECEDENT, NUMBERED)}
"""Labels of which an item of a layer must have one: a quote alone would say nothing."""

Wrong = Callable[[str], DataError]


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    span: tuple[int, int] | None = None
    quote: str | None = None


def written(one: Difference, other: Any, texts: Mapping[str, Part], file: str) -> tuple[Item, ...]:
    """The items of a third version: quotes in the order of the text, or spans with labels.

    ``texts`` are the parts of the passage by id, in which antecedents may be.
    """

    def wrong(message: str) -> DataError:
        return DataError(f"other: {message}", file=file, where=one.id)

    if not isinstance(other, list):
        raise wrong(f"found {other!r}, expected a list of spans or quotes")
    found: list[Item] = []
    for version in other:
        said = {"quote": version} if isinstance(version, str) else version
        try:
            place = msgspec.convert(said, _Written)
        except msgspec.ValidationError as error:
            raise wrong(str(error)) from None
        span = _placed(one, place, found, wrong)
        labels = {name: it for name, it in said.items() if name not in ("span", "quote")}
        if one.what in NEEDED and not any(labels.get(name) for name in NEEDED[one.what]):
            needed = NEEDED[one.what][0]
            raise wrong(f"{one.text[slice(*span)]!r} needs {needed}, beside its span or quote")
        if labels.get(ANTECEDENT):
            labels[ANTECEDENT] = _antecedent(one, labels[ANTECEDENT], texts, wrong)
        found.append(Item(span, labels))
    if one.what in WHOLE:
        _require_whole(one, found, wrong)
    return tuple(found)


def _placed(one: Difference, said: _Written, found: Sequence[Item], wrong: Wrong) -> Offsets:
    """Where an item stands: within the text, reading as it says, and at the place in question."""
    span = said.span or _quoted(one, said.quote, found)
    if span is None:
        raise wrong(f"{said.quote!r} does not occur in the text from {_from(one, found)} on")
    start, end = span
    if not 0 <= start < end <= len(one.text):
        raise wrong(f"span {start}–{end} is outside the text")
    if said.quote is not None and one.text[start:end] != said.quote:
        raise wrong(f"span {start}–{end} reads {one.text[start:end]!r}, not {said.quote!r}")
    if one.what != ANSWER_SENTENCE and not _overlap(span, one.place):
        raise wrong(
            f"{one.text[start:end]!r} at {start}–{end} is elsewhere; "
            f"the line is about {one.place[0]}–{one.place[1]}"
        )
    return span


def _from(one: Difference, found: Sequence[Item]) -> int:
    """Where a quote is sought: after the one before it; answer sentences stand anywhere."""
    if found:
        return found[-1].span[1]
    return 0 if one.what == ANSWER_SENTENCE else one.place[0]


def _quoted(one: Difference, quote: str | None, found: Sequence[Item]) -> Offsets | None:
    """The first place of a quote; the first item of all may begin before the place itself."""
    if not quote:
        return None
    start = one.text.find(quote, _from(one, found))
    if not found and not 0 <= start < one.place[1]:
        earlier = one.text.find(quote, max(0, one.place[0] - len(quote) + 1), one.place[1])
        start = earlier if earlier >= 0 else start
    return (start, start + len(quote)) if start >= 0 else None


def _antecedent(
    one: Difference, said: Any, texts: Mapping[str, Part], wrong: Wrong
) -> dict[str, Any]:
    """A written antecedent; where it does not say in which text, it is in the same."""
    span = said.get("span") if isinstance(said, dict) else None
    if not (isinstance(span, list) and len(span) == 2 and all(isinstance(n, int) for n in span)):
        raise wrong(f"antecedent {said!r}, expected an object with a span of two offsets")
    known = list(_within_reach(one.part, texts))
    id = said.get("in", one.part.id)
    if id not in known:
        raise wrong(f"antecedent in {id!r}, expected one of {', '.join(map(repr, known))}")
    text = texts[id].text
    if not 0 <= span[0] < span[1] <= len(text):
        raise wrong(f"antecedent {span[0]}–{span[1]} is outside the text of {id!r}")
    quote = text[slice(*span)]
    if said.get("quote", quote) != quote:
        raise wrong(f"antecedent {span[0]}–{span[1]} reads {quote!r}, not {said['quote']!r}")
    return {"in": id, "span": span, "quote": quote}


def _within_reach(part: Part, texts: Mapping[str, Part]) -> Iterable[str]:
    """The texts that a reference may lead into: its own and those before it."""
    at: str | None = part.id
    while at is not None:
        yield at
        at = texts[at].before


def _require_whole(one: Difference, found: Sequence[Item], wrong: Wrong) -> None:
    """Words and sentences leave no hole where A and B have none."""
    covered = {at for item in (*one.a, *one.b) for at in range(*item.span)}
    left = covered - {at for item in found for at in range(*item.span)}
    missing = [at for at in sorted(left) if not one.text[at].isspace()]
    if missing:
        raise wrong(
            f"{one.text[missing[0]]!r} at {missing[0]} is in none; "
            f"together they must cover {one.text[slice(*one.place)]!r}"
        )


def _overlap(one: Offsets, other: Offsets) -> bool:
    return one[0] < other[1] and other[0] < one[1]


# What was adopted at each difference: A's version, B's, or another that an adjudicator wrote.


Otherwise = Literal["a", "b", "drop"]
"""What to do where nothing was decided; drop takes neither version."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """The version adopted of one difference, by whom, and on whose decision it follows."""

    difference: Difference
    items: tuple[Item, ...]
    decision: str
    by: str | None = None
    follows: str | None = None

    def told(self) -> dict[str, Any]:
        """As it is recorded with the gold."""
        said = {"decision": self.decision, "by": self.by, "follows": self.follows}
        return {name: it for name, it in said.items() if it}


@dataclass(slots=True)
class Adoptions:
    """What was adopted, and the ids that nobody decided."""

    adopted: list[Adopted] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)


def adopt(
    compared: Compared,
    decisions: Mapping[str, Disagreement],
    *,
    file: str,
    otherwise: Otherwise | None = None,
) -> Adoptions:
    """Take the decisions of one passage; a line about other versions than the files' is refused."""
    found = Adoptions()
    texts = {part.id: part for part in parts_of(compared.a)}
    for one in compared.found:
        said = decisions.get(one.id)
        if said is not None and not same_versions(said, row(one)):
            raise DataError(
                "is about other versions than these files have; run set crosscheck again, "
                "which keeps the decisions that still hold",
                file=file,
                where=one.id,
            )
        taken = _decided(one, said, texts, file) or _followed(one, compared, decisions)
        taken = taken or _otherwise(one, otherwise)
        if taken is not None:
            found.adopted.append(taken)
        elif _stands_alone(one, compared, decisions):
            found.undecided.append(one.id)
    return found


def _stands_alone(
    one: Difference, compared: Compared, decisions: Mapping[str, Disagreement]
) -> bool:
    """Whether a decision on the phrases that a difference rests on would not settle it."""
    base = compared.follows.get(one.id)
    said = decisions.get(base) if base is not None else None
    return base is None or (said is not None and said.decision == "other")


def _decided(
    one: Difference, said: Disagreement | None, texts: Mapping[str, Part], file: str
) -> Adopted | None:
    if said is None or said.decision is None:
        return None
    if said.decision == "other":
        return Adopted(one, written(one, said.other, texts, file), "other", said.by)
    return Adopted(one, one.a if said.decision == "a" else one.b, said.decision, said.by)


def _followed(
    one: Difference, compared: Compared, decisions: Mapping[str, Disagreement]
) -> Adopted | None:
    base = decisions.get(compared.follows.get(one.id, ""))
    if base is None or base.decision not in ("a", "b"):
        return None
    items = one.a if base.decision == "a" else one.b
    return Adopted(one, items, base.decision, base.by, base.id)


def _otherwise(one: Difference, otherwise: Otherwise | None) -> Adopted | None:
    if otherwise in ("a", "b"):
        return Adopted(one, one.a if otherwise == "a" else one.b, f"undecided: {otherwise}")
    if otherwise is None or one.what in WHOLE:
        return None
    both = {item.span for item in one.a} & {item.span for item in one.b}
    kept = one.a if one.what == ANSWER_SENTENCE else ()
    return Adopted(one, tuple(item for item in kept if item.span in both), "undecided: drop")


def unknown_ids(decisions: Mapping[str, Disagreement], compared: Sequence[str]) -> list[str]:
    """Decided lines that are no difference of these files."""
    known = set(compared)
    return [id for id, one in decisions.items() if id not in known and one.decision is not None]


# Mentions of a merged annotation: numbered as A or B had them, else counted anew.


Layered = dict[str, Layer | None]
Places = frozenset[tuple[str, Offsets]]


def merged_mentions(
    a: Passage,
    b: Passage,
    base: Passage,
    items: Mapping[str, Items],
    pairs: Mapping[str, LayerPair],
    *,
    source: str,
) -> Layered:
    """The mention layer of every part of the gold passage."""
    sides = [{part.id: part for part in parts_of(one)} for one in (a, b)]
    said = [mentions_of(list(side.values())) for side in sides]
    there = list(parts_of(base))
    # Parts that were not compared come from the side that annotated them, and so do their numbers.
    whole: dict[str, Items] = {}
    both = said[0].numbered & said[1].numbered
    given = set(both)
    for part in there:
        if part.id in items:
            whole[part.id] = items[part.id]
        else:
            own = said[0] if _has(sides[0], part) or not _has(sides[1], part) else said[1]
            whole[part.id] = own.items.get(part.id, [])
            given |= {at for at in own.numbered if at[0] == part.id}
    wanted = _wanted(there, whole, given)
    for side, own in zip(sides, said, strict=True):
        if wanted == own.numbered and all(
            _said(part.id, whole[part.id], wanted, pairs)
            == _said(part.id, own.items.get(part.id, []), wanted, pairs)
            for part in there
        ):
            return {
                part.id: side[part.id].layers.get("mention") if part.id in side else None
                for part in there
            }
    return _counted(there, whole, wanted, sides, source)


def _has(side: Mapping[str, Part], part: Part) -> bool:
    """Whether an annotator marked references in a part, in these words."""
    own = side.get(part.id)
    return own is not None and own.text == part.text and "mention" in own.layers


def _wanted(
    there: list[Part], items: Mapping[str, Items], given: set[tuple[str, Offsets]]
) -> Places:
    """Everything that gets a number: what is referred to, and what was given one."""
    parts = {part.id for part in there}
    found = set(given)
    for id, own in items.items():
        found |= {at for item in own if (at := antecedent_of(item)) is not None}
        found |= {(id, item.span) for item in own if NUMBERED in item.labels}
    return frozenset(at for at in found if at[0] in parts)


def _said(
    id: str, items: Items, numbered: Places, pairs: Mapping[str, LayerPair]
) -> Counter[tuple[Offsets, bytes]]:
    """What a part's mentions say beyond their numbers."""
    columns = pairs[id].columns if id in pairs else (ANTECEDENT,)
    compared = [name for name in columns if name != NUMBERED]
    return Counter(
        item.key(compared)
        for item in items
        if ANTECEDENT in item.labels or (id, item.span) not in numbered
    )


def _counted(
    there: list[Part],
    items: Mapping[str, Items],
    wanted: Places,
    sides: list[dict[str, Part]],
    source: str,
) -> Layered:
    placed = _by_part(wanted)
    numbers = _numbers(there, placed)
    made: Layered = {}
    for part in there:
        here = {item.span: item for item in items[part.id]}
        spans = sorted({*here, *placed.get(part.id, ())})
        like = [
            layer
            for side in sides
            if _has(side, part) and (layer := side[part.id].layers.get("mention")) is not None
        ]
        # An antecedent's own labels stand in the layers that it comes of.
        known = {one.span: one.labels for layer in reversed(like) for one in layer_items(layer)}
        if not spans and not like:
            made[part.id] = None
            continue
        rows = [_row(part.id, span, here.get(span), numbers, known.get(span, {})) for span in spans]
        names = dict.fromkeys(("id", "ref", *(name for row in rows for name in row)))
        quotes = tuple(part.text[slice(*span)] for span in spans)
        made[part.id] = Layer(
            spans=tuple(spans),
            source=source,
            quotes=quotes if any(layer.quotes for layer in like) else (),
            columns={name: tuple(row.get(name) for row in rows) for name in names},
        )
    return made


def _by_part(places: Places) -> dict[str, list[Offsets]]:
    found: dict[str, list[Offsets]] = {}
    for id, span in places:
        found.setdefault(id, []).append(span)
    return found


def _numbers(
    there: list[Part], placed: Mapping[str, list[Offsets]]
) -> dict[tuple[str, Offsets], int]:
    """Numbers in the order of the text; a question's go on from its passage's."""
    found: dict[tuple[str, Offsets], int] = {}
    last: dict[str | None, int] = {None: 0}
    for part in there:
        first = last[part.before] + 1
        spans = sorted(placed.get(part.id, ()))
        found |= {(part.id, span): number for number, span in enumerate(spans, first)}
        last[part.id] = first + len(spans) - 1
    return found


def _row(
    id: str,
    span: Offsets,
    item: Item | None,
    numbers: Mapping[tuple[str, Offsets], int],
    known: Mapping[str, Any],
) -> dict[str, Any]:
    at = antecedent_of(item) if item is not None else None
    said = item.labels.get(ANTECEDENT) if item is not None else None
    ref = numbers[at] if at is not None else said.get("number") if said else None
    reserved = ("id", "ref", ANTECEDENT, NUMBERED)
    labels = item.labels if item is not None else known
    labels = {name: it for name, it in labels.items() if name not in reserved}
    return {"id": numbers.get((id, span)), "ref": ref, **labels}
