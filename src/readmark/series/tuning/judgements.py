"""Fitting the weights of a metric to people's scores of a sitting's rewrites."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Test
from readmark.formats.sheets import read_rows
from readmark.series.tables.document_metrics import CHOSEN
from readmark.series.tuning.fitted_weights import Correlations, FittedWeights
from readmark.series.tuning.halves import halves_of
from readmark.series.tuning.order_similarities import OrderSimilarities, mean_scores
from readmark.series.tuning.regression import regress
from readmark.series.tuning.sitting_rewrites import gold_words, keyed_units, read_rewrites
from readmark.series.tuning.weighted_metric import (
    name_with_weights,
    order_comparison,
    weighted_name,
)
from readmark.series.words import cutter
from readmark.statistics.correlation import pearson, spearman
from readmark.statistics.similarity.order_weights import OrderWeights

_LEAST = 3  # judged rewrites that each half needs: as many as there are weights


def fit_judgements(
    test: Test,
    sittings: Sequence[str | Path],
    judgements: str | Path,
    *,
    metric: str = "jaccard",
    seed: int = 1,
) -> FittedWeights:
    """Weights by least squares to people's scores of a sitting's rewrites."""
    test.require_kind("series")
    if len(sittings) != 1:
        raise UsageError(f"--judgements takes the one sitting they are of; found {len(sittings)}")
    name = weighted_name(metric)
    compare = order_comparison(test, name)
    cut = cutter(test.language)
    sitting = read_rewrites(test, sittings[0], str(name))
    words = {id: cut(text) for id, text in sitting.rewrites.items() if text is not None}
    scores = _mean_scores(test, judgements)
    judged = frozenset(scores) & frozenset(words)
    # In the order of ids, so that no sum depends on that of the file.
    units = sorted(
        (unit for unit in keyed_units(test) if unit.id in judged), key=lambda unit: unit.id
    )
    if not units:
        raise DataError("judges no rewrite of the sitting", file=judgements)

    whole = halves_of(test, seed)
    halves: dict[str, tuple[list[OrderSimilarities], list[float]]] = {}
    for label, series in (("train", whole.train), ("held", whole.held)):
        half = [unit for unit in units if unit.group in series]
        if len(half) < _LEAST:
            raise DataError(
                f"judges {counted(len(half), 'rewrite')} of the {label} half of the series, "
                f"expected {_LEAST} or more",
                file=judgements,
            )
        halves[label] = (
            [compare(words[unit.id], gold_words(test, unit)) for unit in half],
            [scores[unit.id] for unit in half],
        )
    train, held = halves["train"], halves["held"]

    # A score is linear in the weights only where every order counts.
    linear = [
        (rewrite, score) for rewrite, score in zip(*train, strict=True) if rewrite.present.all()
    ]
    if len(linear) < _LEAST:
        raise DataError(
            f"judges {counted(len(linear), 'rewrite')} of three words or more in the train half of "
            f"the series, expected {_LEAST} or more",
            file=judgements,
        )
    regression = regress(
        [rewrite for rewrite, _ in linear], [score for _, score in linear], CHOSEN, file=judgements
    )

    notes = list(sitting.notes)
    if unused := len(scores) - len(units):
        notes.append(f"{judgements}: {counted(unused, 'judged question')} without rewrite or gold")
    if short := len(train[0]) - len(linear):
        notes.append(
            f"{judgements}: the fit leaves out {counted(short, 'rewrite')} too short for "
            "triples of words"
        )
    return FittedWeights(
        series=test.header.name or Path(test.file).name,
        candidate=sitting.candidate,
        metric=name_with_weights(name, regression.weights),
        halves=halves_of(test, seed, judged),
        seed=seed,
        regression=regression,
        train=_correlations(*train, regression.weights),
        held=_correlations(*held, regression.weights),
        default_metric=name_with_weights(name, CHOSEN),
        default_train=_correlations(*train, CHOSEN),
        default_held=_correlations(*held, CHOSEN),
        signature=sitting.signature,
        errors=sitting.errors,
        notes=notes,
    )


def _mean_scores(test: Test, path: str | Path) -> dict[str, float]:
    """The mean judgement of each question; several rows of an id are several people's."""
    ids = {unit.id for unit in test.units()}
    scores: dict[str, list[float]] = {}
    for line, row in read_rows(path, ("id", "score")):
        id, value = str(row["id"]).strip(), row["score"]
        if id not in ids:
            raise DataError(f"the series have no question {id!r}", file=path, where=line)
        if isinstance(value, str) and not value.strip():
            continue  # not judged
        try:
            score = float(value)
        except (TypeError, ValueError):
            score = math.nan
        if not math.isfinite(score) or isinstance(value, bool):
            raise DataError(f"score {value!r} is not a number", file=path, where=line)
        scores.setdefault(id, []).append(score)
    return {id: sum(values) / len(values) for id, values in scores.items()}


def _correlations(
    rewrites: Sequence[OrderSimilarities], people: Sequence[float], weights: OrderWeights
) -> Correlations:
    scores = np.array([float(mean_scores([rewrite], [weights])[0]) for rewrite in rewrites])
    judged = np.array(people, dtype=np.float64)
    # Rounded: sums in another order must not make a tie into two ranks.
    values = pearson(scores, judged), spearman(np.round(scores, 9), np.round(judged, 9))
    return Correlations(len(scores), *(None if math.isnan(value) else value for value in values))
