"""Settings of the effect of rewriting on retrieval and reading."""

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
"""The values of ``EffectSettings.previous``."""


@dataclass(frozen=True, slots=True)
class EffectSettings:
    """Everything but the files that decides the numbers."""

    rewriters: Sequence[str] = STRATEGIES
    """Rewriters by name; ``gold`` takes the gold rewrites of the series."""
    sittings: Sequence[str | Path] = ()
    """Files of rewrites to compare as well."""
    reader: str = READER
    metrics: Sequence[str] = METRICS
    """What the reader's answers are marked by."""
    unit: str = "passage"
    """What is retrieved: a passage, or a smaller part of one."""
    background: Sequence[Test] = ()
    """Tests whose passages are searched as well, which makes retrieval harder."""
    previous: str = "known"
    """What stands for PREVIOUS_ANSWER: the answer that the series knows, or nothing."""
    k1: float = K1
    b: float = B
    """Parameters of BM25."""
    settings: MarkSettings = field(default_factory=MarkSettings)
    """Intervals and significance tests."""
