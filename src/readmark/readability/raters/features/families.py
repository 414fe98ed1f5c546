"""All features of English passages by family, and how a passage is measured by them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from readmark.readability.raters.features.assertions import ASSERTIONS, measure_assertions
from readmark.readability.raters.features.discourse import DISCOURSE, measure_discourse
from readmark.readability.raters.features.feature import Feature
from readmark.readability.raters.features.fluency import FLUENCY, measure_fluency
from readmark.readability.raters.features.lexical import LEXICAL, measure_lexical
from readmark.readability.raters.features.surface import SURFACE, measure_surface
from readmark.readability.raters.features.syntactic import SYNTACTIC, measure_syntactic
from readmark.readability.raters.parses import ParsedPassage

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
        unbounded = measure_family(parsed)
        values |= {feature.name: feature.bounded(unbounded[feature.name]) for feature in features}
    return values


def row(parsed: ParsedPassage, names: Iterable[str]) -> NDArray[np.float64]:
    """The named features of a passage in order; an unknown name is a KeyError."""
    values = measure(parsed)
    return np.array([values[name] for name in names])
