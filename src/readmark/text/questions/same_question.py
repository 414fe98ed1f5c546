"""Whether a Chinese and an English question may ask for the same, by their question words.

Each question asks for a set of classes: who, when, why and so on. They are finer than the twelve
types (``types``) in one way: 怎么样 asks both how and what.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from readmark.text.script import simplified
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
_QUANTITIES = "many much long far old often tall big high deep large wide fast"
_AFTER_HOW = frozenset(_QUANTITIES.split())
_OPEN = frozenset({"what", "which"})
_LOOSE = _OPEN | {"how"}
"""How somebody feels is also what feelings they have."""


def question_words(text: str) -> list[tuple[int, int, str]]:
    """Where the question words of a Chinese text occur, each with the classes that it asks for."""
    pattern, classes = _chinese_question_words()
    return [
        (match.start(), match.end(), classes[match[0]])
        for match in pattern.finditer(simplified(text))
        if classes[match[0]] != "none"
    ]


def asked_in_chinese(text: str) -> frozenset[str]:
    """What a Chinese question asks for; "what" next to a noun such as 原因 asks what "why" does."""
    plain = simplified(text)
    classes = {name for _, _, names in question_words(plain) for name in names.split()}
    if classes & _OPEN:
        classes |= {
            name for name, nouns in _nouns().items() if any(noun in plain for noun in nouns)
        }
    return frozenset(classes)


def asked_in_english(text: str) -> frozenset[str]:
    """What an English question asks for."""
    classes = set()
    tokens = words(text, "en")
    for index, word in enumerate(tokens):
        if word in _ENGLISH:
            classes.add(_ENGLISH[word])
        elif word == "how":
            following = tokens[index + 1] if index + 1 < len(tokens) else ""
            classes.add("quantity" if following in _AFTER_HOW else "how")
    return frozenset(classes)


def asks_the_same(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two questions may ask for the same thing; no class contradicts no other."""
    if not first or not second or first & second:
        return True
    return bool(first & _LOOSE) and bool(second & _LOOSE)


@functools.cache
def _table() -> Mapping[str, Any]:
    source = files("readmark.text").joinpath("data", "question_classes.zh.toml")
    return tomllib.loads(source.read_text("utf-8"))


@functools.cache
def _nouns() -> Mapping[str, frozenset[str]]:
    """Nouns that ask for a class next to "what"."""
    return {name: frozenset(nouns.split()) for name, nouns in _table()["nouns"].items()}


@functools.cache
def _chinese_question_words() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Any question word, and the classes that each asks for, with spaces between them."""
    classes: dict[str, str] = {}
    for name, question_words in _table()["questions"].items():
        for word in question_words.split():
            classes[word] = f"{classes[word]} {name}" if word in classes else name
    longest_first = sorted(classes, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first))), classes
