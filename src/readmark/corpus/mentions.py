"""Checks of anaphors and antecedents: who refers to whom, and whether somebody nearer is meant."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from readmark.corpus.kinds import Finding
from readmark.corpus.notation.spacing import is_han
from readmark.corpus.spans import clip
from readmark.corpus.values import Layer, Layers, Offsets

_WORD = re.compile(r"[\w’'‧·-]+")
_NO_NAMES = frozenset(
    {
        *("i", "me", "my", "mine", "you", "your", "yours", "we", "us", "our", "ours"),
        *("he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs"),
        *("the", "a", "an", "this", "that", "these", "those", "such", "one", "ones"),
        *("who", "which", "whom"),
        *("what", "whose", "some", "any", "all", "both", "each", "every", "other", "another"),
    }
)
"""Words that name nobody: determiners and pronouns."""
SHORTEST_NAME = 2
"""Characters that a Chinese name has at least; 他 and 它 are none."""


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
        self.phrases = _spans(layers.get("np"))
        self.mentions = _mentions(layers.get("mention"))
        self.before = before
        own = {one.id for one in self.mentions if one.id is not None}
        self.ids: frozenset[int] = frozenset(own) | (before.ids if before else frozenset())
        """Every number given to an antecedent here or before."""

    @property
    def earlier(self) -> frozenset[int]:
        """The numbers given before this text."""
        return self.before.ids if self.before else frozenset()

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
    name = own.text[antecedent.start : antecedent.end]
    first = bisect_left(own.phrases, (antecedent.end, 0))
    last = bisect_left(own.phrases, (anaphor.start, 0))
    for start, end in reversed(own.phrases[first:last]):
        if end <= anaphor.start and _same_name(name, own.text[start:end]):
            yield (
                owner,
                "nearer_antecedent",
                f"{called}{own.quote(anaphor)} refers to {own.quote(antecedent)} at "
                f"{antecedent.start}, and {own.quote((start, end))} at {start} is nearer",
            )
            return


def _same_name(one: str, other: str) -> bool:
    """Whether two noun phrases may name the same: Thomas Edison and Thomas Alva Edison may.

    English: the same last word, which is the head, and all other words of the one in the other;
    Chinese: the one ends in the other.
    """
    if is_han(one[-1:]) or is_han(other[-1:]):
        shorter, longer = sorted((one, other), key=len)
        return len(shorter) >= SHORTEST_NAME and longer.endswith(shorter)
    names = [
        [word for word in _WORD.findall(name.casefold()) if word not in _NO_NAMES]
        for name in (one, other)
    ]
    few, many = sorted(names, key=len)
    return bool(few) and few[-1] == many[-1] and set(few) <= set(many)


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
