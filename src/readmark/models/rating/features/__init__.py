"""The features of a passage, by family: each has a name, a meaning and a place to be tested."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from readmark.models.rating.features.feature import Feature
from readmark.models.rating.parsed import Parsed

_HOMES = {
    "surface": "readmark.models.rating.features.surface",
    "lexical": "readmark.models.rating.features.lexical",
    "syntactic": "readmark.models.rating.features.syntactic",
    "discourse": "readmark.models.rating.features.discourse",
    "fluency": "readmark.models.rating.features.fluency",
    "assertions": "readmark.models.rating.features.assertions",
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
