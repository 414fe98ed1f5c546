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
class _Rule:
    """A kind of calculation: what asks for it, and what states its result."""

    kind: str
    cue: re.Pattern[str]
    stated: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Rules:
    """The patterns of a language, as ``data/arithmetic.toml`` explains them."""

    quantity: re.Pattern[str]
    explicit: re.Pattern[str]
    numeral: re.Pattern[str]
    kinds: tuple[_Rule, ...]


def calculation(
    question: str, language: str, *, answer_sentence: str | None, answer: str = ""
) -> Calculation | None:
    """The calculation that a question asks for, or None.

    ``answer_sentence`` is the sentence that holds the answer; None when the answer does not occur
    in the passage, and then a quantity is asked for that somebody worked out.
    """
    rules = _rules(primary(language))
    if rules is None:
        return None
    question = simplified(question).lower()
    sentence = None if answer_sentence is None else simplified(answer_sentence).lower()
    numbers = len(rules.numeral.findall(simplified(answer).lower()))
    if not numbers:
        return None  # the result of a calculation is a number
    explicit = rules.explicit.search(question)
    if explicit is not None and (sentence is None or explicit[0] not in sentence):
        return Calculation("calculation", explicit[0])
    for rule in rules.kinds:
        cue = rule.cue.search(question)
        if cue is None:
            continue
        if sentence is None:
            return Calculation(rule.kind, cue[0])
        # The passage states the result; of a sum also by giving one number rather than its parts.
        is_stated = rule.stated.search(sentence) or (rule.kind == "sum" and numbers == 1)
        return None if is_stated else Calculation(rule.kind, cue[0])
    quantity = rules.quantity.search(question)
    if quantity is not None and sentence is None:
        return Calculation("number", quantity[0])
    return None


@functools.cache
def _rules(language: str) -> _Rules | None:
    patterns = _patterns().get(language)
    if patterns is None:
        return None
    return _Rules(
        quantity=re.compile(patterns["quantity"]),
        explicit=re.compile(patterns["explicit"]),
        numeral=re.compile(patterns["numeral"]),
        kinds=tuple(
            _Rule(group["name"], re.compile(group["cue"]), re.compile(group["stated"]))
            for group in patterns["groups"]
        ),
    )


@functools.cache
def _patterns() -> dict[str, Any]:
    data = files("readmark.text").joinpath("data/arithmetic.toml")
    return tomllib.loads(data.read_text("utf-8"))
