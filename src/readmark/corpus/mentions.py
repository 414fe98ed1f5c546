"""Checks of anaphors and antecedents: who refers to whom, and whether somebody nearer is meant."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from readmark.corpus.kinds import Finding
from readmark.corpus.same_names import Names
from readmark.corpus.spans import clip
from readmark.corpus.values import Layer, Layers, Offsets


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun phrase with its number as an antecedent, the number it refers to, or both."""

    start: int
    end: int
    id: int | None
    ref: int | None


class Antecedents:
    """The mentions of a text, in its order, and what the texts before it have numbered."""

    def __init__(self, text: str, layers: Layers, *, before: Antecedents | None = None) -> None:
        self.text = text
        self._names = Names(text, _spans(layers.get("np")))
        self.mentions = _mentions(layers.get("mention"))
        self.before = before
        own = {one.id for one in self.mentions if one.id is not None}
        self.ids: frozenset[int] = frozenset(own) | (before.ids if before else frozenset())
        """Every number given to an antecedent here or before."""

    @property
    def earlier(self) -> frozenset[int]:
        """The numbers given before this text."""
        return self.before.ids if self.before else frozenset()

    def between(self, antecedent: Mention, anaphor: Mention) -> Offsets | None:
        """The noun phrase of the antecedent's name that stands nearest before the anaphor."""
        same = self._names.like(self.text[antecedent.start : antecedent.end])
        for at in range(bisect_left(same, (anaphor.start, 0)) - 1, -1, -1):
            start, end = same[at]
            if start < antecedent.end:
                return None
            if end <= anaphor.start:
                return start, end
        return None

    def quote(self, span: Offsets | Mention) -> str:
        """The words of a span, short enough for a message."""
        start, end = (span.start, span.end) if isinstance(span, Mention) else span
        return repr(clip(self.text[start:end]))


def mention_findings(owner: str, own: Antecedents, called: str) -> Iterator[Finding]:
    """References to nothing, numbers that repeat or are not counted, nearer antecedents."""
    numbered: dict[int, Mention] = {}
    for one in own.mentions:
        if one.ref is not None:
            antecedent = numbered.get(one.ref)
            if antecedent is not None:
                yield from _nearer(owner, own, called, antecedent, one)
            elif one.ref not in own.earlier:
                yield (
                    owner,
                    "reference",
                    f"{called}{own.quote(one)} has REF={one.ref} and no REFID={one.ref} stands "
                    "before it",
                )
        if one.id is None:
            continue
        if one.id in numbered:
            both = f"{own.quote(numbered[one.id])} and {own.quote(one)}"
            yield owner, "reference", f"{called}REFID={one.id} stands twice, at {both}"
            continue
        fault = _miscounted(own, numbered, one.id)
        if fault:
            yield owner, "reference", f"{called}{own.quote(one)} has REFID={one.id}, {fault}"
        numbered[one.id] = one


def _miscounted(own: Antecedents, numbered: dict[int, Mention], id: int) -> str | None:
    """A passage counts from 1; a question or key from 1 too, or on from where its passage ends."""
    if numbered:
        expected = max(numbered) + 1
        return None if id == expected else f"expected {expected}: antecedents are counted in order"
    if id == 1 or (own.before is not None and id > max(own.earlier, default=0)):
        return None
    return "expected 1: antecedents are counted from the start of the passage"


def _nearer(
    owner: str, own: Antecedents, called: str, antecedent: Mention, anaphor: Mention
) -> Iterator[Finding]:
    """A noun phrase of the same name between the two, of which the nearest counts."""
    found = own.between(antecedent, anaphor)
    if found is not None:
        yield (
            owner,
            "nearer_antecedent",
            f"{called}{own.quote(anaphor)} refers to {own.quote(antecedent)} at "
            f"{antecedent.start}, and {own.quote(found)} at {found[0]} is nearer",
        )


def _spans(layer: Layer | None) -> list[Offsets]:
    return sorted(layer.spans) if layer is not None else []


def _mentions(layer: Layer | None) -> list[Mention]:
    if layer is None:
        return []
    columns = [_numbers(layer, name) for name in ("id", "ref")]
    found = [
        Mention(start, end, id, ref)
        for (start, end), id, ref in zip(layer.spans, *columns, strict=True)
    ]
    return sorted(found, key=lambda one: (one.start, one.end))


def _numbers(layer: Layer, name: str) -> list[int | None]:
    """A column of numbers as long as the spans; what is no number is none."""
    column: tuple[Any, ...] = layer.columns.get(name, ())
    found = [column[at] if at < len(column) else None for at in range(len(layer.spans))]
    return [one if isinstance(one, int) and not isinstance(one, bool) else None for one in found]
