"""The features of a passage, by family: each has a name, a meaning and bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from readmark.readability.raters.fluency import FLUENCY, measure_fluency
from readmark.readability.raters.grammar import (
    ASSERTIONS,
    DISCOURSE,
    SYNTACTIC,
    measure_assertions,
    measure_discourse,
    measure_syntactic,
)
from readmark.readability.raters.parses import Feature, ParsedPassage
from readmark.readability.raters.words import LEXICAL, SURFACE, measure_lexical, measure_surface

FAMILIES: dict[str, tuple[tuple[Feature, ...], Callable[[ParsedPassage], dict[str, float]]]] = {
    "surface": (SURFACE, measure_surface),
    "lexical": (LEXICAL, measure_lexical),
    "syntactic": (SYNTACTIC, measure_syntactic),
    "discourse": (DISCOURSE, measure_discourse),
    "fluency": (FLUENCY, measure_fluency),
    "assertions": (ASSERTIONS, measure_assertions),
}
"""The features of each family, and the function that measures them."""


def features_of(families: Iterable[str] = FAMILIES) -> tuple[Feature, ...]:
    """The features of these families, in order."""
    return tuple(feature for name in families for feature in FAMILIES[name][0])


def measure(parsed: ParsedPassage, families: Iterable[str] = FAMILIES) -> dict[str, float]:
    """Every feature of a passage by name, within its bounds."""
    values: dict[str, float] = {}
    for name in families:
        features, measure_family = FAMILIES[name]
        raw = measure_family(parsed)
        values |= {one.name: min(max(raw[one.name], one.low), one.high) for one in features}
    return values


def row(parsed: ParsedPassage, names: Iterable[str]) -> NDArray[np.float64]:
    """The named features of a passage in order; an unknown name is a KeyError."""
    values = measure(parsed)
    return np.array([values[name] for name in names])
