"""Readmark's own candidates that a hall lets sit beside people, as their registration says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readmark.sitting import CANDIDATES


def baselines(kind: str) -> list[str]:
    """Those that need nothing but Readmark and sit any test of a kind, the plainest first."""
    return [name for name in _of_kind(kind) if CANDIDATES.entry(name).baseline != "choice"]


def quick_baselines(kind: str) -> list[str]:
    """Those that sit a test of a kind within a request."""
    return [name for name in _of_kind(kind) if CANDIDATES.entry(name).baseline == "quick"]


def baselines_for(about: Mapping[str, Any]) -> list[str]:
    """Those that can sit a test, which ``about`` describes."""
    names = baselines(about["kind"])
    if about.get("choices"):
        every = _of_kind(about["kind"])
        names += [name for name in every if CANDIDATES.entry(name).baseline == "choice"]
    return names


def _of_kind(kind: str) -> list[str]:
    entries = ((name, CANDIDATES.entry(name)) for name in CANDIDATES)
    return [name for name, entry in entries if entry.baseline and kind in entry.kinds]


def baseline_names() -> list[str]:
    """All of them, whatever the kind of test."""
    return [name for name in CANDIDATES if CANDIDATES.entry(name).baseline]
