"""How the effect of rewriting is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from readmark.core.test import Test
from readmark.marking import MarkSettings
from readmark.series.retrieval.bm25 import K1, B
from readmark.series.strategies import APPEND, GOLD, NONE

STRATEGIES = (NONE, APPEND, "guided", GOLD)
READER = "evidence(answer_with=phrase,encoder=false)"  # fast: each strategy asks every question
METRICS = ("em", "f1")
PREVIOUS = ("known", "none")


@dataclass(frozen=True, slots=True)
class EffectSettings:
    """Everything but the files that decides the numbers."""

    rewriters: Sequence[str] = STRATEGIES
    sittings: Sequence[str | Path] = ()
    reader: str = READER
    metrics: Sequence[str] = METRICS
    unit: str = "passage"
    background: Sequence[Test] = ()
    previous: str = "known"
    """What stands for PREVIOUS_ANSWER: the answer that the series knows, or nothing."""
    k1: float = K1
    b: float = B
    settings: MarkSettings = field(default_factory=MarkSettings)
