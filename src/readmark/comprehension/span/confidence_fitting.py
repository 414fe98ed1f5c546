"""Fitting how sure a span reader is: logistic curves of a few parameters, and one threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from readmark.comprehension.span.confidence import Odds, SpanConfidence, log_odds
from readmark.comprehension.span.read_cases import ReadCase
from readmark.comprehension.tables.no_answer import best_threshold

_RIDGE = 1e-3  # keeps the two weights finite where a reader is never wrong
_STEPS = 50


def fit_confidence(cases: Sequence[ReadCase]) -> SpanConfidence:
    """The scores of answers and of giving none, and the threshold with the greatest F1."""
    answerable = [case for case in cases if case.answerable]
    gains = [(case.none, case.weight * (case.f1 if case.answerable else -1.0)) for case in cases]
    _, threshold, _ = best_threshold(gains)
    return SpanConfidence(
        answer=_fit(answerable, [case.f1 for case in answerable]),
        mixed=_fit(cases, [case.f1 for case in cases]),
        none=_fit(cases, [float(not case.answerable) for case in cases]),
        no_answer=round(threshold, 4) if threshold is not None else min(gains)[0] - 1.0,
    )


def _fit(cases: Sequence[ReadCase], targets: Sequence[float]) -> Odds:
    """Platt's curve by Newton's method, with a small penalty; targets are from 0 to 1."""
    columns = np.array([(log_odds(case.probability), case.none, 1.0) for case in cases])
    weights = np.array([case.weight for case in cases])
    weights = weights / weights.sum()
    penalty = _RIDGE * np.array([1.0, 1.0, 0.0])
    odds = np.zeros(3)
    for _ in range(_STEPS):
        predicted = 1 / (1 + np.exp(-(columns @ odds)))
        slope = columns.T @ (weights * (predicted - np.array(targets))) + penalty * odds
        bend = (columns * (weights * predicted * (1 - predicted))[:, None]).T @ columns
        odds = odds - np.linalg.solve(bend + np.diag(penalty) + 1e-9 * np.eye(3), slope)
    of_span, of_none, constant = (round(float(value), 5) for value in odds)
    return of_span, of_none, constant
