"""The general topic of a passage, by its words: current events, sports, science and so on.

The words stand in ``data/topics.toml``. Each different word counts for its topics, a strong one
more than a weak one; a topic must lead the next, else the passage is ``general``. What a file says
goes before what words tell.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files

from readmark.text.words import words

RULES = "panel-topics-2"
GENERAL = "general"
STRONG, WEAK = 2.0, 0.75
LEAST = 2.75
"""What a topic must come to: a strong word and a weak one, or four weak ones."""
_ENDINGS = ("s", "es", "ed", "ing", "er", "ers", "ies")


def topic_of(text: str, language: str) -> str:
    """The topic that the most different words of a text are of; ``general`` where none leads."""
    found = _chinese(text) if language == "zh" else _english(text)
    ranked = sorted(found.items(), key=lambda one: (-one[1], one[0]))
    if not ranked or ranked[0][1] < LEAST:
        return GENERAL
    if len(ranked) > 1 and ranked[1][1] == ranked[0][1]:
        return GENERAL
    return ranked[0][0]


def topics(language: str) -> tuple[str, ...]:
    """The topics that there are."""
    return (*sorted({one for each in _terms(language).values() for one in each}), GENERAL)


def _english(text: str) -> dict[str, float]:
    terms = _terms("en")
    known: dict[str, None] = {}
    for word in dict.fromkeys(words(text, "en")):
        known.update((form, None) for form in _stems(word) if form in terms)
    return _summed(terms[word] for word in known)


def _stems(word: str) -> list[str]:
    """The word, and what is left of it without an ending that it may have."""
    found = [word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word[: -len(ending)]
            found += [bare, f"{bare}e"]
            if ending == "ies":
                found.append(f"{bare}y")
            if len(bare) > 3 and bare[-1] == bare[-2]:
                found.append(bare[:-1])  # running: run
    return found


def _chinese(text: str) -> dict[str, float]:
    return _summed(of for word, of in _terms("zh").items() if word in text)


def _summed(terms: Iterable[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in terms:
        for topic, weight in one.items():
            found[topic] = found.get(topic, 0.0) + weight
    return found


@functools.cache
def _terms(language: str) -> dict[str, dict[str, float]]:
    """Each word's topics, with what it counts for them."""
    source = files("readmark.setting.panels").joinpath("data", "topics.toml").read_text("utf-8")
    found: dict[str, dict[str, float]] = {}
    for topic, lists in tomllib.loads(source)["zh" if language == "zh" else "en"].items():
        for name, weight in (("weak", WEAK), ("strong", STRONG)):
            for word in lists.get(name, "").split():
                found.setdefault(word, {})[topic] = weight
    return found
