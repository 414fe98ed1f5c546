"""Instances of the answer's class in the passage (CMRC 2018's second criterion).

An answer that is an entity, or belongs to some class, must not be the only one of it there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.corpus.values import Layer, Offsets
from readmark.setting.challenge.sameness import Spelt, spelt
from readmark.text.classes import counted, members
from readmark.text.numerals import NUMERALS

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
_NUMBER = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[个名位人]?")


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
            kind = ENTITIES.get(type, str(type).lower())
            # A phrase may be typed by a word of time, or by whom it counts, and say how many.
            number = counted(text, span, language) if kind in ("time", "person") else None
            if number is not None:
                found.setdefault("number", []).append(number)
            if number is None or kind != "time":
                found.setdefault(kind, []).append(span)
    return found


def company(text: str, answer: Offsets, classes: Classes) -> Company:
    """The answer's class, and every other instance of it, each once."""
    kind = _kind(text, answer, classes)
    if kind is None:
        return Company(None)
    own = spelt(text[slice(*answer)], kind)
    others: dict[Spelt, Instance] = {}
    for start, end in sorted(classes[kind]):
        one = spelt(text[start:end], kind)
        if one == Spelt("") or one.same(own) or _overlap((start, end), answer):
            continue
        if not any(one.same(known) for known in others):
            others[one] = Instance(text[start:end], start, end)
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
    if "number" in shares and _NUMBER.fullmatch(text, *answer):
        return "number"
    return max(shares, key=lambda name: (shares[name], name != "number"), default=None)


def _letters(text: str, span: Offsets) -> int:
    return len(_LETTER.findall(text, *span))


def _overlap(one: Offsets, other: Offsets) -> bool:
    return one[0] < other[1] and other[0] < one[1]
