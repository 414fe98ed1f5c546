"""The general topic of a passage, by its words: current events, sports, science and so on.

Passages get a topic before they are assessed, as in the DARPA Machine Reading evaluation
(section 2.1), so that rounds and splits can be balanced by it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files

from readmark.text.words import words

RULES = "panel-topics-2"
"""The version of the word lists and weights, as reports and headers state it."""
GENERAL = "general"
STRONG, WEAK = 2.0, 0.75
LEAST = 2.75
"""The weight that a topic must reach: a strong word and a weak one, or four weak ones."""
_ENDINGS = ("s", "es", "ed", "ing", "er", "ers", "ies")


def topic_of(text: str, language: str) -> str:
    """The topic with the most weight of different words; ``general`` where none leads."""
    terms = _terms(language)
    if language == "zh":
        weights = _weights(topics for word, topics in terms.items() if word in text)
    else:
        # A word counts once, however often and in whatever form it occurs.
        forms = {form for word in words(text, "en") for form in _stems(word) if form in terms}
        weights = _weights(terms[form] for form in forms)
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    if not ranked or ranked[0][1] < LEAST:
        return GENERAL
    if len(ranked) > 1 and ranked[1][1] == ranked[0][1]:
        return GENERAL
    return ranked[0][0]


def topics(language: str) -> tuple[str, ...]:
    """The topics that passages of a language can have."""
    return (*sorted({topic for weights in _terms(language).values() for topic in weights}), GENERAL)


def _stems(word: str) -> list[str]:
    """The word, and what is left of it without an ending that it may have."""
    stems = [word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word[: -len(ending)]
            stems += [bare, f"{bare}e"]
            if ending == "ies":
                stems.append(f"{bare}y")
            if len(bare) > 3 and bare[-1] == bare[-2]:
                stems.append(bare[:-1])  # running: run
    return stems


def _weights(terms: Iterable[Mapping[str, float]]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for term in terms:
        for topic, weight in term.items():
            weights[topic] = weights.get(topic, 0.0) + weight
    return weights


@functools.cache
def _terms(language: str) -> dict[str, dict[str, float]]:
    """The weight of each word for each of its topics."""
    source = files("readmark.readability.panels").joinpath("data", "topics.toml").read_text("utf-8")
    terms: dict[str, dict[str, float]] = {}
    for topic, lists in tomllib.loads(source)["zh" if language == "zh" else "en"].items():
        for name, weight in (("weak", WEAK), ("strong", STRONG)):
            for word in lists.get(name, "").split():
                terms.setdefault(word, {})[topic] = weight
    return terms
