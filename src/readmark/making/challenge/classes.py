"""The class of an answer, and the other members of that class in the passage.

An answer that is an entity, or belongs to some class, must not be the only one of its class in the
passage: a reader could pick it out without reading (CMRC 2018's second criterion).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from readmark.core.records import Layer, Offsets
from readmark.core.spans import overlap
from readmark.making.challenge.closed_classes import counted, members
from readmark.text.chinese_numbers import NUMERALS, number_of
from readmark.text.script import simplified

ENTITIES = {
    "PERSON": "person",
    "LOCATION": "place",
    "ORGANIZATION": "organisation",
    "TIME": "time",
    "NUM": "number",
}
"""The classes of named entities, by the types that analysers give them."""

COVERED = 0.6
"""An answer is of a class if its members make up this share of the answer's letters."""

VALUED = frozenset({"number", "time"})
"""Classes whose members are values: 5 is no shorter name of 25, nor 1990 of May 1990."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*[万亿]*|[零〇一二两三四五六七八九十百千万亿]+")
_NUMBER = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[个名位人]?")
_LETTER = re.compile(r"[^\W_]")
_ASIDE = re.compile(r"[\W_]+")

Classes = Mapping[str, Sequence[Offsets]]
"""Where the members of every class occur in a passage."""


@dataclass(frozen=True, slots=True)
class Spelt:
    """A member as it is compared: its letters, and the figures among them."""

    letters: str
    figures: tuple[float | str, ...] = ()

    def same(self, other: Spelt) -> bool:
        """Whether two members name one thing: equal figures, and one's letters in the other's."""
        contained = self.letters in other.letters or other.letters in self.letters
        return self.figures == other.figures and contained


def spelt(text: str, kind: str) -> Spelt:
    """A member of a class as it is compared."""
    plain = simplified(text).lower()
    if kind not in VALUED:
        return Spelt(_ASIDE.sub("", plain))
    figures = [figure.replace(",", "") for figure in _FIGURE.findall(plain)]
    values = [number_of(figure) for figure in figures]
    return Spelt(
        _ASIDE.sub("", _FIGURE.sub("", plain)),
        tuple(
            figure if value is None else value
            for figure, value in zip(figures, values, strict=True)
        ),
    )


@dataclass(frozen=True, slots=True)
class Instance:
    """A member of a class, where it first occurs."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Company:
    """The class of an answer, and the others of its class in the passage."""

    kind: str | None
    """None when the answer belongs to no class."""
    others: tuple[Instance, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether the answer is the only instance of its class."""
        return self.kind is not None and not self.others


def classes_of(text: str, language: str, entities: Layer | None) -> dict[str, list[Offsets]]:
    """Where the members of every class occur in a passage: its entities, and closed classes."""
    classes = members(text, language)
    if entities is not None:
        for span, type in zip(entities.spans, entities.columns.get("type", ()), strict=False):
            kind = ENTITIES.get(type, str(type).lower())
            # Analysers mark "Later 5 members" as a time and "25 students" as a person: the count
            # in such a phrase is a number, and only a person remains what the analyser says.
            number = counted(text, span, language) if kind in ("time", "person") else None
            if number is not None:
                classes.setdefault("number", []).append(number)
            if number is None or kind != "time":
                classes.setdefault(kind, []).append(span)
    return classes


def company(text: str, answer: Offsets, classes: Classes) -> Company:
    """The answer's class, and every other instance of it, each once."""
    kind = _class_of(text, answer, classes)
    if kind is None:
        return Company(None)
    answer_spelt = spelt(text[slice(*answer)], kind)
    others: dict[Spelt, Instance] = {}
    for start, end in sorted(classes[kind]):
        member = spelt(text[start:end], kind)
        if member == Spelt("") or member.same(answer_spelt) or overlap((start, end), answer):
            continue
        if not any(member.same(earlier) for earlier in others):
            others[member] = Instance(text[start:end], start, end)
    return Company(kind, tuple(others.values()))


def _class_of(text: str, answer: Offsets, classes: Classes) -> str | None:
    """The class whose members make up most of the answer; others before numbers if equal."""
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
