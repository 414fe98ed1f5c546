"""A third version of a place, as an adjudicator wrote it: quotes, or spans with their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Offsets
from readmark.core.spans import overlap
from readmark.making.crosscheck.differences import Difference
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    ANTECEDENT,
    NUMBERED,
    LayerItem,
)
from readmark.making.crosscheck.texts import TextPart

COVERING_LAYERS = frozenset({"token", "sentence"})
"""Layers that cover their text: dropping words would leave a hole, so they must be decided."""
NEEDED = {"ne": ("type",), "mention": (ANTECEDENT, NUMBERED)}
"""Labels of which an item of a layer must have one: a quote alone would say nothing."""

MakeFault = Callable[[str], DataError]


class _WrittenItem(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    span: tuple[int, int] | None = None
    quote: str | None = None


def third_version(
    difference: Difference, other: Any, texts: Mapping[str, TextPart], file: str
) -> tuple[LayerItem, ...]:
    """The items of a third version: quotes in the order of the text, or spans with labels.

    ``texts`` are the parts of the passage by id, in which antecedents may be.
    """

    def fault(message: str) -> DataError:
        return DataError(f"other: {message}", file=file, where=difference.id)

    if not isinstance(other, list):
        raise fault(f"found {other!r}, expected a list of spans or quotes")
    items: list[LayerItem] = []
    for entry in other:
        members = {"quote": entry} if isinstance(entry, str) else entry
        try:
            written = msgspec.convert(members, _WrittenItem)
        except msgspec.ValidationError as error:
            raise fault(str(error)) from None
        span = _span(difference, written, items, fault)
        labels = {name: value for name, value in members.items() if name not in ("span", "quote")}
        needed = NEEDED.get(difference.what, ())
        if needed and not any(labels.get(name) for name in needed):
            quote = difference.text[slice(*span)]
            raise fault(f"{quote!r} needs {needed[0]} as well as its span or quote")
        if labels.get(ANTECEDENT):
            labels[ANTECEDENT] = _antecedent(difference, labels[ANTECEDENT], texts, fault)
        items.append(LayerItem(span, labels))
    if difference.what in COVERING_LAYERS:
        _require_cover(difference, items, fault)
    return tuple(items)


def _span(
    difference: Difference, written: _WrittenItem, earlier: Sequence[LayerItem], fault: MakeFault
) -> Offsets:
    """The place of an item: within the text, with the quote it states, at the place in question."""
    text = difference.text
    span = written.span or _quoted_span(difference, written.quote, earlier)
    if span is None:
        offset = _search_offset(difference, earlier)
        raise fault(f"{written.quote!r} does not occur in the text from {offset} on")
    start, end = span
    if not 0 <= start < end <= len(text):
        raise fault(f"span {start}–{end} is outside the text")
    if written.quote is not None and text[start:end] != written.quote:
        raise fault(f"span {start}–{end} reads {text[start:end]!r}, not {written.quote!r}")
    if difference.what != ANSWER_SENTENCE and not overlap(span, difference.place):
        raise fault(
            f"{text[start:end]!r} at {start}–{end} is elsewhere; "
            f"the line is about {difference.place[0]}–{difference.place[1]}"
        )
    return span


def _search_offset(difference: Difference, earlier: Sequence[LayerItem]) -> int:
    """Where a quote is sought: after the one before it; answer sentences may be anywhere."""
    if earlier:
        return earlier[-1].span[1]
    return 0 if difference.what == ANSWER_SENTENCE else difference.place[0]


def _quoted_span(
    difference: Difference, quote: str | None, earlier: Sequence[LayerItem]
) -> Offsets | None:
    """The first place of a quote; the first item of all may begin before the place itself."""
    if not quote:
        return None
    text, (place_start, place_end) = difference.text, difference.place
    start = text.find(quote, _search_offset(difference, earlier))
    if not earlier and not 0 <= start < place_end:
        reaching_in = text.find(quote, max(0, place_start - len(quote) + 1), place_end)
        start = reaching_in if reaching_in >= 0 else start
    return (start, start + len(quote)) if start >= 0 else None


def _antecedent(
    difference: Difference, written: Any, texts: Mapping[str, TextPart], fault: MakeFault
) -> dict[str, Any]:
    """A written antecedent; where it does not say in which text, it is in the same."""
    span = written.get("span") if isinstance(written, dict) else None
    if not (isinstance(span, list) and len(span) == 2 and all(isinstance(n, int) for n in span)):
        raise fault(f"antecedent {written!r}, expected an object with a span of two offsets")
    reachable = list(_text_and_those_before(difference.part, texts))
    id = written.get("in", difference.part.id)
    if id not in reachable:
        raise fault(f"antecedent in {id!r}, expected one of {', '.join(map(repr, reachable))}")
    text = texts[id].text
    if not 0 <= span[0] < span[1] <= len(text):
        raise fault(f"antecedent {span[0]}–{span[1]} is outside the text of {id!r}")
    quote = text[slice(*span)]
    if written.get("quote", quote) != quote:
        raise fault(f"antecedent {span[0]}–{span[1]} reads {quote!r}, not {written['quote']!r}")
    return {"in": id, "span": span, "quote": quote}


def _text_and_those_before(part: TextPart, texts: Mapping[str, TextPart]) -> Iterator[str]:
    id: str | None = part.id
    while id is not None:
        yield id
        id = texts[id].before


def _require_cover(difference: Difference, items: Sequence[LayerItem], fault: MakeFault) -> None:
    """Words and sentences leave no hole where A and B have none."""
    covered = {index for item in (*difference.a, *difference.b) for index in range(*item.span)}
    left = covered - {index for item in items for index in range(*item.span)}
    missing = [index for index in sorted(left) if not difference.text[index].isspace()]
    if missing:
        raise fault(
            f"{difference.text[missing[0]]!r} at {missing[0]} is in none; "
            f"together they must cover {difference.text[slice(*difference.place)]!r}"
        )
