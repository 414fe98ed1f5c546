"""Instances of the answer's class in the passage (CMRC 2018's second criterion).

An answer that is an entity, or belongs to some class, must not be the only one of it there.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from readmark.core.language import primary
from readmark.core.records import Layer, Offsets
from readmark.text.analysers import registry as tables
from readmark.text.folding import NUMERALS, number_of
from readmark.text.script import simplified

# Whether two members of a class are one: names that contain each other, figures that are equal.


VALUED = frozenset({"number", "time"})
"""Classes whose members are values: 5 is no shorter name of 25, nor 1990 of May 1990."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*[万亿]*|[零〇一二两三四五六七八九十百千万亿]+")
_ASIDE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Spelt:
    """A member as it is compared: its letters, and the figures among them."""

    letters: str
    figures: tuple[float | str, ...] = ()

    def same(self, other: Spelt) -> bool:
        """Whether the figures are equal, if there are any, and one has the letters of the other."""
        contained = self.letters in other.letters or other.letters in self.letters
        return self.figures == other.figures and contained


def spelt(text: str, kind: str) -> Spelt:
    """A member of a class."""
    plain = simplified(text).lower()
    if kind not in VALUED:
        return Spelt(_bare(plain))
    figures = tuple(_value(one) for one in _FIGURE.findall(plain))
    return Spelt(_bare(_FIGURE.sub("", plain)), figures)


def _value(figure: str) -> float | str:
    plain = figure.replace(",", "")
    value = number_of(plain)
    return plain if value is None else value


def _bare(text: str) -> str:
    return _ASIDE.sub("", text)


# Members of closed classes in a text: colours, seasons, animals, languages, and titles of works.


_WORKS = re.compile(r"《[^《》]{1,60}》")
_CHINESE_HEADS = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[名位人]")
_ENGLISH_COUNT = re.compile(
    r"(?<![\w.,-])(?:\d+(?:[.,]\d+)*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|dozens?|hundreds?|thousands?|millions?|billions?)(?=\s)",
    re.IGNORECASE,
)
_ENGLISH_WORD = re.compile(r"[^\W\d_][\w.'’]*")
_YEAR = re.compile(r"1\d{3}|20\d{2}|2100")


def members(text: str, language: str) -> dict[str, list[Offsets]]:
    """Where members of each class occur in a text; longer ones before shorter ones."""
    code = primary(language)
    plain = simplified(text).lower()
    if len(plain) != len(text):  # a letter whose small form is longer
        plain = text
    found = {
        name: [match.span() for match in shape.finditer(plain)] for name, shape in _shapes(code)
    }
    found["work"] = [match.span() for match in _WORKS.finditer(text)]
    return {name: spans for name, spans in found.items() if spans}


def counted(text: str, span: Offsets, language: str) -> Offsets | None:
    """The part of a phrase that says how many: 5 members of *Later 5 members*, 25名 of 25名学生.

    None where nothing is counted, or time is: *5 years*, *5 June*, *the 1990 election*.
    """
    start, end = span
    if primary(language) == "zh":
        heads = _CHINESE_HEADS.search(simplified(text[start:end]))
        return None if heads is None else (start + heads.start(), end)
    for found in _ENGLISH_COUNT.finditer(text, start, end):
        after = [match[0] for match in _ENGLISH_WORD.finditer(text, found.end(), end)]
        if after and not _YEAR.fullmatch(found[0]) and not any(map(_is_of_time, after)):
            return found.start(), end
    return None


def _is_of_time(word: str) -> bool:
    lower = word.lower().replace("’", "'")
    one = {lower, lower.removesuffix("s"), lower.removesuffix("ies") + "y"}
    if word in tables.words("en", "time", "capitalised") or lower in ("millennia", "bc", "ad"):
        return True
    lists = (tables.words("en", "time", name) for name in ("units", "words", "seasons"))
    return any(not one.isdisjoint(words) for words in lists)


@functools.cache
def _shapes(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lists: dict[str, Any] = _lists().get(language, {})
    shapes = []
    for name, words in lists.items():
        if name == "endings":
            continue
        longest_first = sorted(words.split(), key=len, reverse=True)
        ending = lists["endings"].get(name, "")
        if language == "zh":
            shape = _chinese(longest_first, ending)
        else:
            shape = rf"\b(?:{'|'.join(longest_first)})(?:s|es)?\b"
        shapes.append((name, re.compile(shape)))
    return tuple(shapes)


def _chinese(words: list[str], ending: str) -> str:
    """A single character is a member only with its class's ending: 红 occurs in 红军 too."""
    long = "|".join(word for word in words if len(word) > 1)
    short = "".join(word for word in words if len(word) == 1)
    if ending:
        return f"(?:{long})(?:{ending})?|[{short}]{{1,2}}{ending}"
    return long


@functools.cache
def _lists() -> dict[str, Any]:
    data = files("readmark.text").joinpath("data/classes.toml")
    return tomllib.loads(data.read_text("utf-8"))


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
    """One member of a class, where it first occurs."""

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
    """Where the members of every class occur in a passage."""
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
