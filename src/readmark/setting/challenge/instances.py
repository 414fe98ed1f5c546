"""Instances of the answer's class in the passage (CMRC 2018's second criterion).

An answer that is an entity, or belongs to some class, must not be the only one of it there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.corpus.values import Layer, Offsets
from readmark.text.classes import members
from readmark.text.simplified import simplified

ENTITIES = {
    "PERSON": "person",
    "LOCATION": "place",
    "ORGANIZATION": "organisation",
    "TIME": "time",
    "NUM": "number",
}
COVERED = 0.6
"""The share of an answer's letters that instances of a class make up, for it to be of the class."""
_LETTER = re.compile(r"[^\W_]")
_ASIDE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Instance:
    """One member of a class, where it first stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Company:
    """The class of an answer, and the others of its class in the passage."""

    kind: str | None
    """None when the answer is of no class that is known."""
    others: tuple[Instance, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether the answer is the only instance of its class."""
        return self.kind is not None and not self.others


Classes = Mapping[str, Sequence[Offsets]]


def classes_of(text: str, language: str, entities: Layer | None) -> dict[str, list[Offsets]]:
    """Where the members of every class stand in a passage."""
    found: dict[str, list[Offsets]] = {
        name: list(spans) for name, spans in members(text, language).items()
    }
    if entities is not None:
        for span, type in zip(entities.spans, entities.columns.get("type", ()), strict=False):
            found.setdefault(ENTITIES.get(type, str(type).lower()), []).append(span)
    return found


def company(text: str, answer: Offsets, classes: Classes) -> Company:
    """The answer's class, and every other instance of it, each once."""
    kind = _kind(text, answer, classes)
    if kind is None:
        return Company(None)
    own = _bare(text[slice(*answer)])
    others: dict[str, Instance] = {}
    for start, end in sorted(classes[kind]):
        quote = text[start:end]
        spelt = _bare(quote)
        if not spelt or spelt in own or own in spelt or _overlap((start, end), answer):
            continue
        if not any(spelt in known or known in spelt for known in others):
            others[spelt] = Instance(quote, start, end)
    return Company(kind, tuple(others.values()))


def _kind(text: str, answer: Offsets, classes: Classes) -> str | None:
    """The class whose members make up most of the answer."""
    size = _letters(text, answer)
    shares = {}
    for name, spans in classes.items():
        inside = [(max(start, answer[0]), min(end, answer[1])) for start, end in spans]
        covered = sum(_letters(text, span) for span in inside if span[0] < span[1])
        if size and covered >= COVERED * size:
            shares[name] = covered
    return max(shares, key=lambda name: shares[name]) if shares else None


def _letters(text: str, span: Offsets) -> int:
    return len(_LETTER.findall(text, *span))


def _overlap(one: Offsets, other: Offsets) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _bare(text: str) -> str:
    return _ASIDE.sub("", simplified(text).lower())
