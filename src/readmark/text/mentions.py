"""Mentions: noun phrases with a number as an antecedent or as an anaphor, and their checks.

The guidelines are in section 4.5 of "Design and Development of a Bilingual Reading Comprehension
Corpus": antecedents are counted from the beginning of the passage, and an anaphor has the number of
the nearest antecedent before it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from readmark.core.kinds import Finding
from readmark.core.problems import WarningCode
from readmark.core.records import Layer, Layers, Offsets
from readmark.core.spans import clip
from readmark.text.names import NameIndex


@dataclass(frozen=True, slots=True)
class NumberedMention:
    """A noun phrase with its number as an antecedent, the number it refers to, or both."""

    start: int
    end: int
    id: int | None
    ref: int | None


class Antecedents:
    """The mentions of a text, in its order, and what the texts before it have numbered."""

    def __init__(self, text: str, layers: Layers, *, before: Antecedents | None = None) -> None:
        self.text = text
        phrases = layers.get("np")
        self._names = NameIndex(text, sorted(phrases.spans) if phrases is not None else [])
        self.mentions = _numbered_mentions(layers.get("mention"))
        self.before = before
        ids = {mention.id for mention in self.mentions if mention.id is not None}
        self.ids: frozenset[int] = frozenset(ids) | self.earlier
        """Every number given to an antecedent here or before."""

    @property
    def earlier(self) -> frozenset[int]:
        """The numbers given before this text."""
        return self.before.ids if self.before else frozenset()

    def between(self, antecedent: NumberedMention, anaphor: NumberedMention) -> Offsets | None:
        """The noun phrase of the antecedent's name that comes nearest before the anaphor."""
        alike = self._names.like(self.text[antecedent.start : antecedent.end])
        for index in range(bisect_left(alike, (anaphor.start, 0)) - 1, -1, -1):
            start, end = alike[index]
            if start < antecedent.end:
                return None
            if end <= anaphor.start:
                return start, end
        return None

    def quote(self, span: Offsets | NumberedMention) -> str:
        """The words of a span, short enough for a message."""
        start, end = (span.start, span.end) if isinstance(span, NumberedMention) else span
        return repr(clip(self.text[start:end]))


def mention_findings(owner: str, text: Antecedents, called: str) -> Iterator[Finding]:
    """References to nothing, numbers that repeat or are not counted, nearer antecedents.

    ``called`` says which text of its owner it is, where that is not clear.
    """
    numbered: dict[int, NumberedMention] = {}
    for mention in text.mentions:
        if mention.ref is not None:
            antecedent = numbered.get(mention.ref)
            if antecedent is not None:
                nearer = text.between(antecedent, mention)
                if nearer is not None:
                    yield (
                        owner,
                        WarningCode("nearer_antecedent"),
                        f"{called}{text.quote(mention)} refers to {text.quote(antecedent)} at "
                        f"{antecedent.start}, and {text.quote(nearer)} at {nearer[0]} is nearer",
                    )
            elif mention.ref not in text.earlier:
                yield (
                    owner,
                    "reference",
                    f"{called}{text.quote(mention)} has REF={mention.ref} and no "
                    f"REFID={mention.ref} comes before it",
                )
        if mention.id is None:
            continue
        if mention.id in numbered:
            both = f"{text.quote(numbered[mention.id])} and {text.quote(mention)}"
            yield owner, "reference", f"{called}REFID={mention.id} occurs twice, at {both}"
            continue
        if fault := _miscounted(mention.id, numbered, text):
            message = f"{called}{text.quote(mention)} has REFID={mention.id}, {fault}"
            yield owner, "reference", message
        numbered[mention.id] = mention


def _miscounted(id: int, numbered: dict[int, NumberedMention], text: Antecedents) -> str | None:
    """A passage counts from 1; a question or key from 1 too, or on from where its passage ends."""
    if numbered:
        expected = max(numbered) + 1
        return None if id == expected else f"expected {expected}: antecedents are counted in order"
    if id == 1 or (text.before is not None and id > max(text.earlier, default=0)):
        return None
    return "expected 1: antecedents are counted from the start of the passage"


def _numbered_mentions(layer: Layer | None) -> list[NumberedMention]:
    if layer is None:
        return []
    ids, refs = ([_number(cell) for cell in layer.column(name)] for name in ("id", "ref"))
    mentions = [
        NumberedMention(start, end, id, ref)
        for (start, end), id, ref in zip(layer.spans, ids, refs, strict=True)
    ]
    return sorted(mentions, key=lambda mention: (mention.start, mention.end))


def _number(cell: object) -> int | None:
    """A cell of a layer in any file, where it is a number."""
    return cell if isinstance(cell, int) and not isinstance(cell, bool) else None
