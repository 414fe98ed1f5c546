"""Questions that ask for a calculation: a sum, a difference, a mean, a ratio, an interval."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from readmark.core.language import primary
from readmark.text.script import simplified


@dataclass(frozen=True, slots=True)
class Calculation:
    """What a question wants calculated, and the words that say so."""

    kind: str
    cue: str


@dataclass(frozen=True, slots=True)
class _Group:
    kind: str
    cue: re.Pattern[str]
    stated: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Table:
    quantity: re.Pattern[str]
    explicit: re.Pattern[str]
    numeral: re.Pattern[str]
    groups: tuple[_Group, ...]


def calculation(
    question: str, language: str, *, answer_sentence: str | None, answer: str = ""
) -> Calculation | None:
    """The calculation that a question asks for, or None.

    ``answer_sentence`` is the sentence that holds the answer; None when the answer does not occur
    in the passage, and then a quantity is asked for that somebody worked out.
    """
    table = _table(primary(language))
    if table is None:
        return None
    asked = simplified(question).lower()
    said = None if answer_sentence is None else simplified(answer_sentence).lower()
    numbers = len(table.numeral.findall(simplified(answer).lower()))
    if not numbers:
        return None  # what is calculated is a number
    explicit = table.explicit.search(asked)
    if explicit is not None and (said is None or explicit[0] not in said):
        return Calculation("calculation", explicit[0])
    for group in table.groups:
        cue = group.cue.search(asked)
        if cue is None:
            continue
        counted = said is not None and group.kind == "sum" and numbers == 1
        if counted or (said is not None and group.stated.search(said)):
            return None
        return Calculation(group.kind, cue[0])
    quantity = table.quantity.search(asked)
    if quantity is not None and said is None:
        return Calculation("number", quantity[0])
    return None


@functools.cache
def _table(language: str) -> _Table | None:
    lists = _lists().get(language)
    if lists is None:
        return None
    groups = tuple(
        _Group(one["name"], re.compile(one["cue"]), re.compile(one["stated"]))
        for one in lists["groups"]
    )
    quantity, explicit, numeral = (
        re.compile(lists[name]) for name in ("quantity", "explicit", "numeral")
    )
    return _Table(quantity, explicit, numeral, groups)


@functools.cache
def _lists() -> dict[str, Any]:
    data = files("readmark.text").joinpath("data/arithmetic.toml")
    return tomllib.loads(data.read_text("utf-8"))
