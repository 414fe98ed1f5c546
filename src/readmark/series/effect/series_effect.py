"""The effect of rewriting on one series test and the test that has its passages."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from readmark.core.arrays import Floats
from readmark.core.display import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import listed_ids
from readmark.core.test import Header, Test
from readmark.hooks import Metric
from readmark.marking import build_metrics, compare_vectors
from readmark.series.effect.ranking_metric import RankingMetric
from readmark.series.effect.result import Effect, EffectPart
from readmark.series.effect.settings import PREVIOUS, EffectSettings
from readmark.series.effect.strategy_rewrites import strategy_rewrites
from readmark.series.retrieval.bm25 import Bm25
from readmark.series.retrieval.questions import SearchQuestion, search_questions
from readmark.series.retrieval.rankings import Rankings, measures_of, rank_all
from readmark.series.retrieval.reading import Desk, ReadAnswers
from readmark.series.retrieval.texts import SearchedTexts, texts_to_search
from readmark.series.strategies import GOLD
from readmark.sitting import Watch, build_candidate


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What one strategy's rewrites retrieved, and what a reader answered to them."""

    rewrites: Mapping[str, str]
    rankings: Rankings
    on_retrieved: ReadAnswers
    on_right: ReadAnswers

    def failed(self, ids: Sequence[str]) -> list[str]:
        """The questions without a rewrite, and those that the reader failed on."""
        errors = {*self.on_retrieved.errors, *self.on_right.errors}
        return [id for id in ids if id not in self.rewrites or id in errors]

    def of_question(self, id: str) -> dict[str, Any]:
        """What became of one question, for the JSON document."""
        return {
            "rewrite": self.rewrites.get(id),
            **self.rankings.values[id],
            "retrieved": self.rankings.best.get(id),
            "answer": self.on_retrieved.answers.get(id),
            "answer_on_right": self.on_right.answers.get(id),
        }


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
    for name in settings.rewriters:  # a name that is wrong must fail before anybody sits
        if name != GOLD:
            build_candidate(name, series)
    build_candidate(settings.reader, passages)

    known, left_out = search_questions(series, passages)
    questions = [question for question in known if searched.grades(question).any()]
    if not questions:
        raise DataError("no answer of a question is in its passages", file=passages.file)
    ids = [question.id for question in questions]
    answerable = frozenset(ids)
    unanswerable = [question.id for question in known if question.id not in answerable]

    metrics = build_metrics(settings.metrics, passages)
    index = Bm25(searched.texts(), passages.language, k1=settings.k1, b=settings.b)
    right = {question.id: _right_passage(question, searched) for question in questions}
    header = Header(
        name=passages.header.name, language=passages.language, profile=passages.header.profile
    )
    with tempfile.TemporaryDirectory(prefix="readmark-") as folder:
        desk = Desk(Path(folder), header, settings.reader, metrics, searched.passages, watch)
        rewrites, notes = strategy_rewrites(series, questions, settings, desk)
        outcomes = {}
        for name, texts in rewrites.items():
            rankings = rank_all(questions, texts, index, searched)
            outcomes[name] = _Outcome(
                rewrites=texts,
                rankings=rankings,
                on_retrieved=desk.read(questions, texts, rankings.best, right),
                on_right=desk.read(questions, texts, right, right),
            )
    groups = [question.series for question in questions]

    def part(
        metrics: Mapping[str, Metric], vectors: Mapping[str, Mapping[str, Floats]]
    ) -> EffectPart:
        compared = compare_vectors(metrics, vectors, ids, groups, series.kind, settings.settings)
        return EffectPart(list(metrics), compared.marks, compared.differences)

    ranking_metric = RankingMetric(index.signature(), settings.unit, settings.previous)
    failed = {name: wrong for name, outcome in outcomes.items() if (wrong := outcome.failed(ids))}
    if unanswerable:
        listed = listed_ids(unanswerable)
        notes.append(f"left out, answered in no {settings.unit} of their passages: {listed}")
    if repeated:
        size = counted(repeated, "passage")
        notes.append(f"left out of the background, since also in the test: {size}")
    for name, wrong in failed.items():
        notes.append(f"{name}: no rewrite or no answer, which counts as wrong: {listed_ids(wrong)}")
    return Effect(
        series=series.header.name or Path(series.file).name,
        passages=passages.header.name or Path(passages.file).name,
        language=series.language,
        questions=len(questions),
        clusters=len(set(groups)),
        left_out=left_out + len(unanswerable),
        unit=settings.unit,
        searched=len(searched.places),
        background=len(searched.passages) - searched.of_test,
        retriever=index.signature(),
        reader=settings.reader,
        previous=settings.previous,
        strategies=list(outcomes),
        signatures=desk.signatures,
        papers={
            "series": series.facts.paper,
            "key": series.facts.key,
            "passages": passages.facts.paper,
        },
        retrieval=part(
            dict.fromkeys(measures_of(questions), ranking_metric),
            {name: outcome.rankings.vectors for name, outcome in outcomes.items()},
        ),
        retrieved=part(
            metrics, {name: outcome.on_retrieved.vectors for name, outcome in outcomes.items()}
        ),
        right=part(metrics, {name: outcome.on_right.vectors for name, outcome in outcomes.items()}),
        each=[
            {
                "id": question.id,
                "series": question.series,
                "question": question.text,
                "answers": question.answers,
                "passages": question.grades,
                "right": right[question.id],
                "strategies": {
                    name: outcome.of_question(question.id) for name, outcome in outcomes.items()
                },
            }
            for question in questions
        ],
        failed=failed,
        notes=notes,
    )


def _right_passage(question: SearchQuestion, searched: SearchedTexts) -> str:
    """The passage that answers a question best; of equals the first that has an answer's words."""
    highest = max(question.grades.values())
    best = sorted(id for id, grade in question.grades.items() if grade == highest)
    for id in best:
        if any(answer in searched.passages[id].text for answer in question.answers):
            return id
    return best[0]
