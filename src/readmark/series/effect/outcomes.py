"""What became of every strategy: what its rewrites retrieved, and what a reader answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.test import Test
from readmark.series.effect.settings import EffectSettings
from readmark.series.effect.strategy_rewrites import strategy_rewrites
from readmark.series.retrieval.bm25 import Bm25
from readmark.series.retrieval.questions import SearchQuestion
from readmark.series.retrieval.rankings import Rankings, rank_all
from readmark.series.retrieval.reading import Desk, ReadAnswers
from readmark.series.retrieval.texts import SearchedTexts


@dataclass(frozen=True, slots=True)
class StrategyOutcome:
    """What one strategy's rewrites retrieved, and what a reader answered to them."""

    rewrites: Mapping[str, str]
    rankings: Rankings
    on_retrieved: ReadAnswers
    """Answers read from the passages that were retrieved."""
    on_right: ReadAnswers
    """Answers read from the passages that have the answer."""

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


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcomes of every strategy on the same questions."""

    questions: Sequence[SearchQuestion]
    right_passages: Mapping[str, str]
    """The passage that answers each question best."""
    by_strategy: Mapping[str, StrategyOutcome]
    notes: Sequence[str]

    def failed(self) -> dict[str, list[str]]:
        """The questions that a strategy or the reader failed on, by strategy."""
        ids = [question.id for question in self.questions]
        failed = {name: outcome.failed(ids) for name, outcome in self.by_strategy.items()}
        return {name: failures for name, failures in failed.items() if failures}

    def documents(self) -> list[dict[str, Any]]:
        """What became of each question, for the JSON document."""
        return [
            {
                "id": question.id,
                "series": question.series,
                "question": question.text,
                "answers": question.answers,
                "passages": question.grades,
                "right": self.right_passages[question.id],
                "strategies": {
                    name: outcome.of_question(question.id)
                    for name, outcome in self.by_strategy.items()
                },
            }
            for question in self.questions
        ]


def strategy_outcomes(
    series: Test,
    questions: Sequence[SearchQuestion],
    settings: EffectSettings,
    index: Bm25,
    searched: SearchedTexts,
    desk: Desk,
) -> Outcomes:
    """Let every strategy rewrite, search with its rewrites, and let the reader answer them."""
    right_passages = {question.id: _right_passage(question, searched) for question in questions}
    strategies, notes = strategy_rewrites(series, questions, settings, desk)
    outcomes = {}
    for name, rewrites in strategies.items():
        rankings = rank_all(questions, rewrites, index, searched)
        outcomes[name] = StrategyOutcome(
            rewrites=rewrites,
            rankings=rankings,
            on_retrieved=desk.read(questions, rewrites, rankings.best, right_passages),
            on_right=desk.read(questions, rewrites, right_passages, right_passages),
        )
    return Outcomes(questions, right_passages, outcomes, notes)


def _right_passage(question: SearchQuestion, searched: SearchedTexts) -> str:
    """The passage that answers a question best; of equals the first that has an answer's words."""
    highest = max(question.grades.values())
    best = sorted(id for id, grade in question.grades.items() if grade == highest)
    for id in best:
        if any(answer in searched.passages[id].text for answer in question.answers):
            return id
    return best[0]
