"""How sure a span reader is of an answer, and of giving none: curves over its probabilities."""

from __future__ import annotations

import math
from typing import Any

import msgspec

Odds = tuple[float, float, float]
"""A logistic curve: weights of the log-odds of a span and of the no-answer score, a constant."""
_CLOSEST = 1e-9  # to 0 or 1: a network may be so sure that the odds are not finite
_STEEPEST = 50.0  # beyond this the curve is 0 or 1, and e to it may be too large


class SpanConfidence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes scores of a reader's probabilities, fitted by ``readmark train span --scores``."""

    answer: Odds
    """The expected F1 of an answer, where every question has one."""
    mixed: Odds
    """The same where half of the questions have none."""
    none: Odds
    """There: the probability that a question has no answer."""
    no_answer: float
    """The no-answer score above which an answer is withheld."""
    note: dict[str, Any] = {}

    def score(self, probability: float, none: float, *, mixed: bool = False) -> float:
        """The score of an answer."""
        return _curve(self.mixed if mixed else self.answer, probability, none)

    def none_score(self, probability: float, none: float) -> float:
        """The score of giving no answer."""
        return _curve(self.none, probability, none)


def _curve(odds: Odds, probability: float, none: float) -> float:
    total = odds[0] * log_odds(probability) + odds[1] * none + odds[2]
    return 1 / (1 + math.exp(-min(max(total, -_STEEPEST), _STEEPEST)))


def log_odds(probability: float) -> float:
    """The logarithm of the odds, kept finite."""
    bounded = min(max(probability, _CLOSEST), 1 - _CLOSEST)
    return math.log(bounded / (1 - bounded))
