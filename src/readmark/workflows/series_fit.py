"""Fitting the weights of a metric to people's judgements of rewrites."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.rows import read_rows
from readmark.corpus.test import Test
from readmark.marking.series.tables import CHOSEN
from readmark.marking.series.tuned import Correlations, Fit
from readmark.marking.series.weights import Parts, mean_scores, pearson, regress, spearman
from readmark.measures.similarity.orders import Weights
from readmark.measures.similarity.words import cutter
from readmark.workflows.series import require_series
from readmark.workflows.series_parts import (
    comparing,
    golds_of,
    halves_of,
    keyed,
    read_answers,
    spelt_with,
    weighted_name,
)

LEAST = 3
"""Judged questions that each half needs."""


def fit_judgements(
    test: Test,
    sittings: Sequence[str | Path],
    judgements: str | Path,
    *,
    metric: str = "jaccard",
    seed: int = 1,
) -> Fit:
    """Weights by least squares to people's scores of a sitting's rewrites."""
    require_series(test)
    if len(sittings) != 1:
        raise UsageError(f"--judgements takes the one sitting they are of; found {len(sittings)}")
    name = weighted_name(metric)
    compare = comparing(test, name)
    cut = cutter(test.language)
    answers = read_answers(test, sittings[0], str(name))
    said = {id: cut(text) for id, text in answers.said.items() if text is not None}
    judged = _judged(test, judgements)
    both = frozenset(judged) & frozenset(said)
    # In the order of ids, so that no sum hangs on that of the file.
    units = sorted((unit for unit in keyed(test) if unit.id in both), key=lambda unit: unit.id)
    if not units:
        raise DataError("judges no rewrite of the sitting", file=judgements)
    halves = halves_of(test, seed)
    sides = []
    for label, half in (("train", halves.train), ("held", halves.held)):
        ids = frozenset(half)
        mine = [unit for unit in units if unit.group in ids]
        if len(mine) < LEAST:
            raise DataError(
                f"judges {len(mine)} rewrites of the {label} half of the series, "
                f"expected {LEAST} or more",
                file=judgements,
            )
        parts = [compare(said[unit.id], golds_of(test, unit)) for unit in mine]
        sides.append((parts, [judged[unit.id] for unit in mine]))
    (parts, people), _ = sides
    found = regress(parts, people, CHOSEN, file=judgements)
    left = len(judged) - len(units)
    return Fit(
        series=test.header.name or Path(test.file).name,
        candidate=answers.candidate,
        metric=spelt_with(name, found.weights),
        halves=halves_of(test, seed, both),
        seed=seed,
        regression=found,
        train=_correlations(*sides[0], found.weights),
        held=_correlations(*sides[1], found.weights),
        default_metric=spelt_with(name, CHOSEN),
        default_train=_correlations(*sides[0], CHOSEN),
        default_held=_correlations(*sides[1], CHOSEN),
        signature=answers.signature,
        errors=answers.errors,
        notes=[
            *answers.notes,
            *(
                [f"{judgements}: {left} judged questions have no rewrite or no gold"]
                if left
                else []
            ),
        ],
    )


def _judged(test: Test, path: str | Path) -> dict[str, float]:
    """The mean judgement of each question; several rows of an id are several people's."""
    known = {unit.id for unit in test.units()}
    found: dict[str, list[float]] = {}
    for place, row in read_rows(path, ("id", "score")):
        id, said = str(row["id"]).strip(), row["score"]
        if id not in known:
            raise DataError(f"the series have no question {id!r}", file=path, where=place)
        if isinstance(said, str) and not said.strip():
            continue  # not judged
        try:
            score = float(said)
        except (TypeError, ValueError):
            score = math.nan
        if not math.isfinite(score) or isinstance(said, bool):
            raise DataError(f"score {said!r} is not a number", file=path, where=place)
        found.setdefault(id, []).append(score)
    return {id: sum(scores) / len(scores) for id, scores in found.items()}


def _correlations(
    rewrites: Sequence[Parts], people: Sequence[float], weights: Weights
) -> Correlations:
    scores = [float(mean_scores([parts], [weights])[0]) for parts in rewrites]
    return Correlations(len(scores), pearson(scores, people), spearman(scores, people))
