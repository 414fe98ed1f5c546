"""Selectors of the Web Annotation Data Model: where a target stands in its text, and back.

Positions count Unicode code points, as the model asks; a quote without a position is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from readmark.corpus.formats.members import Fault, is_whole, objects, shown
from readmark.corpus.spans import clip, places
from readmark.corpus.values import Offsets

POSITION, QUOTE = "TextPositionSelector", "TextQuoteSelector"
AROUND = 32
"""Characters of prefix and suffix that are written with a quote."""
SHOWN_PLACES = 4


def selectors_for(text: str, span: Offsets) -> list[dict[str, Any]]:
    """Both selectors of a span: its position, and its quote between what stands around it."""
    start, end = span
    return [
        {"type": POSITION, "start": start, "end": end},
        {
            "type": QUOTE,
            "exact": text[start:end],
            "prefix": text[max(0, start - AROUND) : start],
            "suffix": text[end : end + AROUND],
        },
    ]


def located(text: str, selector: Any, where: str) -> Offsets:
    """Where a selector's target stands; a position and a quote must say the same."""
    found = {kind: one for one in _listed(selector) for kind in types_of(one)}
    position, quote = found.get(POSITION), found.get(QUOTE)
    for one in (position, quote):
        if one is not None and one.get("refinedBy"):
            raise Fault(where, "a selector that another refines is not read", "selector")
    if position is not None:
        return _at_position(text, position, quote, where)
    if quote is not None:
        return _at_quote(text, quote, where)
    kinds = ", ".join(found) or shown(selector)
    raise Fault(where, f"the selector is {kinds}, expected {POSITION} or {QUOTE}", "selector")


def types_of(value: Mapping[str, Any]) -> list[str]:
    """The types of an object: JSON-LD has one or several, and what is no text is passed over."""
    said = value.get("type", value.get("@type"))
    return [one for one in (said if isinstance(said, list) else [said]) if isinstance(one, str)]


def _listed(selector: Any) -> Iterator[dict[str, Any]]:
    return objects(selector if isinstance(selector, list) else [selector])


def _at_position(
    text: str, position: Mapping[str, Any], quote: Mapping[str, Any] | None, where: str
) -> Offsets:
    start, end = position.get("start"), position.get("end")
    if not (is_whole(start) and is_whole(end)) or start is None or end is None:
        raise Fault(
            where, f"the position is {shown(start)} to {shown(end)}, expected whole numbers"
        )
    if not 0 <= start <= end <= len(text):
        what = f"the position {start}–{end} is outside the text of {len(text)} characters"
        raise Fault(where, what, "selector")
    exact = quote.get("exact") if quote else None
    if isinstance(exact, str) and exact != text[start:end]:
        hint = ""
        if _by_units(text, start, end) == exact:
            hint = "; counted in UTF-16 units they agree, but positions are code points"
        what = f"the position {start}–{end} reads {clip(text[start:end])!r}"
        raise Fault(where, f"{what}, the quote says {clip(exact)!r}{hint}", "selector")
    return start, end


def _by_units(text: str, start: int, end: int) -> str:
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le", "replace")


def _at_quote(text: str, quote: Mapping[str, Any], where: str) -> Offsets:
    exact = quote.get("exact")
    if not isinstance(exact, str) or not exact:
        raise Fault(where, f"exact is {shown(exact)}, expected text that is not empty")
    prefix, suffix = (str(quote.get(name) or "") for name in ("prefix", "suffix"))
    found = [
        at
        for at in places(text, exact)
        if text.endswith(prefix, 0, at) and text.startswith(suffix, at + len(exact))
    ]
    if len(found) == 1:
        return found[0], found[0] + len(exact)
    if not found:
        beside = " with that prefix and suffix" if prefix or suffix else ""
        what = f"the quote {clip(exact)!r} does not stand in the text{beside}"
        raise Fault(where, what, "selector")
    more = ", …" if len(found) > SHOWN_PLACES else ""
    listed = ", ".join(map(str, found[:SHOWN_PLACES])) + more
    what = f"the quote {clip(exact)!r} stands at {len(found)} places ({listed})"
    raise Fault(where, f"{what}, and nothing tells which", "selector")
