"""All answers to queries, stated and inferred alike."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.marking.metrics.bindings import Bindings


@dataclass(frozen=True)
class Answers(Bindings):
    """F of all answers."""
