"""``readmark series tune``: weights fitted to people's judgements, or searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from readmark.core.splits import without_hidden
from readmark.core.test import Test
from readmark.series.tuning.fitted_weights import FittedWeights
from readmark.series.tuning.judgements import fit_judgements
from readmark.series.tuning.search import search_weights
from readmark.series.tuning.tuned_weights import TunedWeights


def tune_weights(
    test: Test,
    sittings: Sequence[str | Path] = (),
    *,
    judgements: str | Path | None = None,
    metric: str = "jaccard",
    seed: int = 1,
    **search: Any,
) -> TunedWeights | FittedWeights:
    """Weights fitted to people's judgements where there are some, else ``search_weights``.

    Hidden splits are not tuned on, unless the test is one that was selected by its name.
    """
    visible, hidden_notes = without_hidden(test, "for tuning")
    result: TunedWeights | FittedWeights
    if judgements is not None:
        result = fit_judgements(visible, sittings, judgements, metric=metric, seed=seed)
    else:
        result = search_weights(visible, sittings, metric=metric, seed=seed, **search)
    return replace(result, notes=[*hidden_notes, *result.notes])
