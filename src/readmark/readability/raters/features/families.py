"""The features of a passage, by family: each has a name, a meaning and a place to be tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from readmark.readability.raters.parses import Parsed

# What is known of a feature before anything is measured.


@dataclass(frozen=True, slots=True)
class Feature:
    """A named number of a passage.

    ``easier`` is what readability research expects: 1 where more of it reads more easily, -1 where
    it reads harder, 0 where nothing is expected. ``low`` and ``high`` bound the value: a freak of
    the parser or a two-word text must not swing a rating.
    """

    name: str
    family: str
    says: str
    """What is counted, in words that go before a number."""
    easier: int
    low: float
    high: float


def bounded(features: tuple[Feature, ...], values: dict[str, float]) -> dict[str, float]:
    """The values of a family within their bounds, in the order of its features."""
    return {one.name: min(max(values[one.name], one.low), one.high) for one in features}


_HOMES = {
    "surface": "readmark.readability.raters.features.surface",
    "lexical": "readmark.readability.raters.features.lexical",
    "syntactic": "readmark.readability.raters.features.syntactic",
    "discourse": "readmark.readability.raters.features.discourse",
    "fluency": "readmark.readability.raters.features.fluency",
    "assertions": "readmark.readability.raters.features.assertions",
}
"""A module for each family, with ``FEATURES`` and ``measure``."""
FAMILIES = tuple(_HOMES)

Measure = Callable[[Parsed], dict[str, float]]


def features_of(families: Sequence[str] = FAMILIES) -> tuple[Feature, ...]:
    """The features of some families in their order."""
    return tuple(feature for name in families for feature in _family(name)[0])


def measure(parsed: Parsed, families: Iterable[str] = FAMILIES) -> dict[str, float]:
    """Every feature of a passage by name."""
    found: dict[str, float] = {}
    for name in families:
        found |= _family(name)[1](parsed)
    return found


def row(parsed: Parsed, names: Sequence[str]) -> NDArray[np.float64]:
    """The named features of a passage in order; a name that there is none of is a KeyError."""
    found = measure(parsed)
    return np.array([found[name] for name in names])


def _family(name: str) -> tuple[tuple[Feature, ...], Measure]:
    module = import_module(_HOMES[name])
    return module.FEATURES, module.measure
