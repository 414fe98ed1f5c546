"""What is adopted at each difference: A's version, B's, or one that an adjudicator wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from readmark.core.errors import DataError
from readmark.core.records import Offsets
from readmark.core.spans import overlap
from readmark.making.crosscheck.comparison import ComparedPassage, row
from readmark.making.crosscheck.differences import Difference
from readmark.making.crosscheck.items import (
    ANSWER_SENTENCE,
    ANTECEDENT,
    NUMBERED,
    LayerItem,
    TextPart,
    parts_of,
)
from readmark.settling import Disagreement

Otherwise = Literal["a", "b", "drop"]
"""What to do where nothing was decided; drop takes neither version."""


@dataclass(frozen=True, slots=True)
class AdoptedItems:
    """The version adopted of one difference, by whom, and on whose decision it follows."""

    difference: Difference
    items: tuple[LayerItem, ...]
    decision: str
    by: str | None = None
    follows: str | None = None

    def record(self) -> dict[str, Any]:
        """As it is recorded with the gold."""
        record = {"decision": self.decision, "by": self.by, "follows": self.follows}
        return {name: value for name, value in record.items() if value}


def adopt(
    compared: ComparedPassage,
    decisions: Mapping[str, Disagreement],
    *,
    file: str,
    otherwise: Otherwise | None = None,
) -> tuple[list[AdoptedItems], list[str]]:
    """What was adopted in one passage, and the ids that nobody decided.

    A line about other versions than the files' is refused.
    """
    adopted: list[AdoptedItems] = []
    undecided: list[str] = []
    texts = {part.id: part for part in parts_of(compared.a)}
    for difference in compared.differences:
        line = decisions.get(difference.id)
        if line is not None and not line.is_about(row(difference)):
            raise DataError(
                "is about other versions than these files have; run set crosscheck again, "
                "which keeps the decisions that still hold",
                file=file,
                where=difference.id,
            )
        base = compared.follows.get(difference.id)
        settling = decisions.get(base) if base is not None else None
        if line is not None and line.decision == "other":
            own = written(difference, line.other, texts, file)
            adopted.append(AdoptedItems(difference, own, "other", line.by))
        elif line is not None and line.decision is not None:
            adopted.append(_side(difference, line.decision, by=line.by))
        elif settling is not None and settling.decision in ("a", "b"):
            adopted.append(_side(difference, settling.decision, by=settling.by, follows=base))
        elif otherwise in ("a", "b"):
            adopted.append(_side(difference, otherwise, decision=f"undecided: {otherwise}"))
        elif otherwise is not None and difference.what not in COVERING_LAYERS:
            both = {item.span for item in difference.a} & {item.span for item in difference.b}
            own = difference.a if difference.what == ANSWER_SENTENCE else ()
            own = tuple(item for item in own if item.span in both)
            adopted.append(AdoptedItems(difference, own, "undecided: drop"))
        elif base is None or (settling is not None and settling.decision == "other"):
            undecided.append(difference.id)
    return adopted, undecided


def _side(one: Difference, side: str, **about: Any) -> AdoptedItems:
    items = one.a if side == "a" else one.b
    return AdoptedItems(one, items, **{"decision": side, **about})


# A third version of a place, as an adjudicator wrote it: quotes, or spans with their labels.


COVERING_LAYERS = frozenset({"token", "sentence"})
"""Layers that cover their text: dropping words would leave a hole, so they must be decided."""
NEEDED = {"ne": ("type",), "mention": (ANTECEDENT, NUMBERED)}
"""Labels of which an item of a layer must have one: a quote alone would say nothing."""

Wrong = Callable[[str], DataError]


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    span: tuple[int, int] | None = None
    quote: str | None = None


def written(
    difference: Difference, other: Any, texts: Mapping[str, TextPart], file: str
) -> tuple[LayerItem, ...]:
    """The items of a third version: quotes in the order of the text, or spans with labels.

    ``texts`` are the parts of the passage by id, in which antecedents may be.
    """

    def wrong(message: str) -> DataError:
        return DataError(f"other: {message}", file=file, where=difference.id)

    if not isinstance(other, list):
        raise wrong(f"found {other!r}, expected a list of spans or quotes")
    items: list[LayerItem] = []
    for version in other:
        given = {"quote": version} if isinstance(version, str) else version
        try:
            place = msgspec.convert(given, _Written)
        except msgspec.ValidationError as error:
            raise wrong(str(error)) from None
        span = _placed(difference, place, items, wrong)
        labels = {name: it for name, it in given.items() if name not in ("span", "quote")}
        if difference.what in NEEDED and not any(
            labels.get(name) for name in NEEDED[difference.what]
        ):
            needed = NEEDED[difference.what][0]
            raise wrong(
                f"{difference.text[slice(*span)]!r} needs {needed} as well as its span or quote"
            )
        if labels.get(ANTECEDENT):
            labels[ANTECEDENT] = _antecedent(difference, labels[ANTECEDENT], texts, wrong)
        items.append(LayerItem(span, labels))
    if difference.what in COVERING_LAYERS:
        _require_cover(difference, items, wrong)
    return tuple(items)


def _placed(one: Difference, given: _Written, found: Sequence[LayerItem], wrong: Wrong) -> Offsets:
    """The place of an item: within the text, reading as it says, and at the place in question."""
    span = given.span or _quoted(one, given.quote, found)
    if span is None:
        raise wrong(f"{given.quote!r} does not occur in the text from {_from(one, found)} on")
    start, end = span
    if not 0 <= start < end <= len(one.text):
        raise wrong(f"span {start}–{end} is outside the text")
    if given.quote is not None and one.text[start:end] != given.quote:
        raise wrong(f"span {start}–{end} reads {one.text[start:end]!r}, not {given.quote!r}")
    if one.what != ANSWER_SENTENCE and not overlap(span, one.place):
        raise wrong(
            f"{one.text[start:end]!r} at {start}–{end} is elsewhere; "
            f"the line is about {one.place[0]}–{one.place[1]}"
        )
    return span


def _from(one: Difference, found: Sequence[LayerItem]) -> int:
    """Where a quote is sought: after the one before it; answer sentences may be anywhere."""
    if found:
        return found[-1].span[1]
    return 0 if one.what == ANSWER_SENTENCE else one.place[0]


def _quoted(one: Difference, quote: str | None, found: Sequence[LayerItem]) -> Offsets | None:
    """The first place of a quote; the first item of all may begin before the place itself."""
    if not quote:
        return None
    start = one.text.find(quote, _from(one, found))
    if not found and not 0 <= start < one.place[1]:
        earlier = one.text.find(quote, max(0, one.place[0] - len(quote) + 1), one.place[1])
        start = earlier if earlier >= 0 else start
    return (start, start + len(quote)) if start >= 0 else None


def _antecedent(
    one: Difference, given: Any, texts: Mapping[str, TextPart], wrong: Wrong
) -> dict[str, Any]:
    """A written antecedent; where it does not say in which text, it is in the same."""
    span = given.get("span") if isinstance(given, dict) else None
    if not (isinstance(span, list) and len(span) == 2 and all(isinstance(n, int) for n in span)):
        raise wrong(f"antecedent {given!r}, expected an object with a span of two offsets")
    known = list(_reachable(one.part, texts))
    id = given.get("in", one.part.id)
    if id not in known:
        raise wrong(f"antecedent in {id!r}, expected one of {', '.join(map(repr, known))}")
    text = texts[id].text
    if not 0 <= span[0] < span[1] <= len(text):
        raise wrong(f"antecedent {span[0]}–{span[1]} is outside the text of {id!r}")
    quote = text[slice(*span)]
    if given.get("quote", quote) != quote:
        raise wrong(f"antecedent {span[0]}–{span[1]} reads {quote!r}, not {given['quote']!r}")
    return {"in": id, "span": span, "quote": quote}


def _reachable(part: TextPart, texts: Mapping[str, TextPart]) -> Iterable[str]:
    """The texts that a reference may lead into: its own and those before it."""
    at: str | None = part.id
    while at is not None:
        yield at
        at = texts[at].before


def _require_cover(one: Difference, found: Sequence[LayerItem], wrong: Wrong) -> None:
    """Words and sentences leave no hole where A and B have none."""
    covered = {index for item in (*one.a, *one.b) for index in range(*item.span)}
    left = covered - {index for item in found for index in range(*item.span)}
    missing = [at for at in sorted(left) if not one.text[at].isspace()]
    if missing:
        raise wrong(
            f"{one.text[missing[0]]!r} at {missing[0]} is in none; "
            f"together they must cover {one.text[slice(*one.place)]!r}"
        )
