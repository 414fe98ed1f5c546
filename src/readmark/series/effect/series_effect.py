"""The effect of rewriting on one series test and the test that has its passages."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from readmark.core.arrays import Floats
from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.test import Header, Test
from readmark.hooks import Kind, Metric
from readmark.marking import build_metrics, compare_vectors
from readmark.series.effect.outcomes import strategy_outcomes
from readmark.series.effect.ranking_metric import RankingMetric
from readmark.series.effect.result import Effect, EffectPart
from readmark.series.effect.settings import PREVIOUS, EffectSettings
from readmark.series.retrieval.bm25 import Bm25
from readmark.series.retrieval.questions import SearchQuestion, search_questions
from readmark.series.retrieval.rankings import measures_of
from readmark.series.retrieval.reading import Desk
from readmark.series.retrieval.texts import texts_to_search
from readmark.series.strategies import GOLD
from readmark.sitting import Watch, build_candidate


def series_effect(
    series: Test,
    passages: Test,
    settings: EffectSettings | None = None,
    *,
    watch: Watch | None = None,
) -> Effect:
    """What each strategy's rewrites retrieve, and what a reader makes of them."""
    settings = settings or EffectSettings()
    series.require_kind("series")
    if series.language != passages.language and passages.kind.name == "comprehension":
        raise UsageError(
            f"{series.file} is in {series.language}, {passages.file} in {passages.language}"
        )
    if settings.previous not in PREVIOUS:
        raise UsageError(f"previous {settings.previous!r} is not one of {'|'.join(PREVIOUS)}")
    searched, repeated = texts_to_search(passages, settings.background, settings.unit)
    for name in settings.rewriters:  # a wrong name must fail before anybody sits
        if name != GOLD:
            build_candidate(name, series)
    build_candidate(settings.reader, passages)

    on_passages, left_out = search_questions(series, passages)
    questions = [question for question in on_passages if searched.grades(question).any()]
    if not questions:
        raise DataError("no answer of a question is in its passages", file=passages.file)
    ids = {question.id for question in questions}
    unanswerable = [question.id for question in on_passages if question.id not in ids]

    metrics = build_metrics(settings.metrics, passages)
    index = Bm25(searched.texts(), passages.language, k1=settings.k1, b=settings.b)
    header = Header(
        name=passages.header.name, language=passages.language, profile=passages.header.profile
    )
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        desk = Desk(Path(folder), header, settings.reader, metrics, searched.passages, watch)
        outcomes = strategy_outcomes(series, questions, settings, index, searched, desk)

    notes = [*outcomes.notes]
    if unanswerable:
        listed = listed_ids(unanswerable)
        notes.append(f"left out, answered in no {settings.unit} of their passages: {listed}")
    if repeated:
        size = counted(repeated, "passage")
        notes.append(f"left out of the background, since also in the test: {size}")
    failed = outcomes.failed()
    for name, failures in failed.items():
        listed = listed_ids(failures)
        notes.append(f"{name}: no rewrite or no answer, which counts as wrong: {listed}")

    ranking_metric = RankingMetric(index.signature(), settings.unit, settings.previous)
    ranking_metrics = dict.fromkeys(measures_of(questions), ranking_metric)
    by_strategy = outcomes.by_strategy.items()
    rankings = {name: outcome.rankings.vectors for name, outcome in by_strategy}
    on_retrieved = {name: outcome.on_retrieved.vectors for name, outcome in by_strategy}
    on_right = {name: outcome.on_right.vectors for name, outcome in by_strategy}
    return Effect(
        series=series.header.name or Path(series.file).name,
        passages=passages.header.name or Path(passages.file).name,
        language=series.language,
        questions=len(questions),
        clusters=len({question.series for question in questions}),
        left_out=left_out + len(unanswerable),
        unit=settings.unit,
        searched=len(searched.places),
        background=len(searched.passages) - searched.of_test,
        retriever=index.signature(),
        reader=settings.reader,
        previous=settings.previous,
        strategies=list(outcomes.by_strategy),
        signatures=desk.signatures,
        papers={
            "series": series.facts.paper,
            "key": series.facts.key,
            "passages": passages.facts.paper,
        },
        retrieval=_compared(ranking_metrics, rankings, questions, series.kind, settings),
        retrieved=_compared(metrics, on_retrieved, questions, series.kind, settings),
        right=_compared(metrics, on_right, questions, series.kind, settings),
        each=outcomes.documents(),
        failed=failed,
        notes=notes,
    )


def _compared(
    metrics: Mapping[str, Metric],
    vectors: Mapping[str, Mapping[str, Floats]],
    questions: Sequence[SearchQuestion],
    kind: Kind,
    settings: EffectSettings,
) -> EffectPart:
    """Marks of strategies, and their differences from the first; whole series are resampled."""
    ids = [question.id for question in questions]
    clusters = [question.series for question in questions]
    compared = compare_vectors(metrics, vectors, ids, clusters, kind, settings.settings)
    return EffectPart(list(metrics), compared.marks, compared.differences)
