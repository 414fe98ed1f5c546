"""Chinese words by which two wordings of one thing may differ, and what a question asks for."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from readmark.text.simplified import simplified
from readmark.text.words import words

_ENGLISH = {
    "who": "who",
    "whom": "who",
    "whose": "who",
    "when": "when",
    "where": "where",
    "why": "why",
    "which": "which",
    "what": "what",
}
_QUANTITY = "many much long far old often tall big high deep large wide fast"
_OPEN = frozenset({"what", "which"})
_LOOSE = _OPEN | {"how"}
"""How somebody feels is also what feelings he has."""


def listed(name: str) -> frozenset[str]:
    """The words of one of the lists: particles, classifiers, pronouns, negations and so on."""
    return _lists()[name]


def question_words(text: str) -> list[tuple[int, int, str]]:
    """Where the question words of a Chinese text stand, each with what it asks for."""
    pattern, asks = _questions()
    return [
        (found.start(), found.end(), asks[found[0]])
        for found in pattern.finditer(simplified(text))
        if asks[found[0]] != "none"
    ]


def asked_in_chinese(text: str) -> frozenset[str]:
    """What a Chinese question asks for; "what" beside a noun such as 原因 asks what "why" does."""
    plain = simplified(text)
    found = {one for _, _, asks in question_words(plain) for one in asks.split()}
    if found & _OPEN:
        found |= {asks for asks, nouns in _nouns().items() if any(noun in plain for noun in nouns)}
    return frozenset(found)


def asked_in_english(text: str) -> frozenset[str]:
    """What an English question asks for."""
    found = set()
    tokens = words(text, "en")
    for at, word in enumerate(tokens):
        if word in _ENGLISH:
            found.add(_ENGLISH[word])
        elif word == "how":
            following = tokens[at + 1] if at + 1 < len(tokens) else ""
            found.add("quantity" if following in _QUANTITY.split() else "how")
    return frozenset(found)


def asks_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two questions may ask for the same thing; what asks nothing contradicts nothing."""
    if not one or not other or one & other:
        return True
    return bool(one & _LOOSE) and bool(other & _LOOSE)


@functools.cache
def _table() -> Mapping[str, Any]:
    source = files("readmark.text").joinpath("data", "wording.zh.toml").read_text("utf-8")
    return tomllib.loads(source)


@functools.cache
def _lists() -> Mapping[str, frozenset[str]]:
    return {
        name: frozenset(said.split()) for name, said in _table().items() if isinstance(said, str)
    }


@functools.cache
def _nouns() -> Mapping[str, frozenset[str]]:
    return {asks: frozenset(said.split()) for asks, said in _table()["nouns"].items()}


@functools.cache
def _questions() -> tuple[re.Pattern[str], Mapping[str, str]]:
    asks: dict[str, str] = {}
    for name, said in _table()["questions"].items():
        for word in said.split():  # 怎么样 asks how or what
            asks[word] = f"{asks[word]} {name}" if word in asks else name
    longest_first = sorted(asks, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))), asks
