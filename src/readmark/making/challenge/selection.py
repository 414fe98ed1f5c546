"""The questions of a test that meet the challenge criteria, or all questions with verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from readmark.core.problems import ReportProblem
from readmark.core.records import Question, QuestionKey
from readmark.core.test import Placed, Test
from readmark.making.challenge.criteria import WORDS, ChallengeJudge, ChallengeVerdict

FIELD = "challenge"
"""The field of a question's key that stores its verdict."""

WatchSelection = Callable[["Selection"], None]


@dataclass(slots=True)
class Selection:
    """The questions that were judged; it fills while the records of the test are read."""

    questions: int = 0
    verdicts: list[ChallengeVerdict] = field(default_factory=list)
    """On the questions that meet the criteria; if all are checked, on every question."""
    fails: Counter[str] = field(default_factory=Counter)
    """How many questions fail each criterion; in a search, each counts for its first failure."""

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "questions": self.questions,
            "met": sum(verdict.meets_criteria for verdict in self.verdicts),
            "fails": {name: self.fails[name] for name in WORDS},
            "verdicts": {
                verdict.question.id: {
                    "question": verdict.question.text,
                    "answer": verdict.answer,
                    "found": verdict.meets_criteria,
                    **verdict.record(),
                }
                for verdict in self.verdicts
            },
        }


def selected(
    test: Test, judge: ChallengeJudge, *, find: bool, watch: WatchSelection | None = None
) -> tuple[Test, Selection]:
    """The test with the questions that meet the criteria, or with all of them, and their verdicts.

    A search leaves out passages without such a question. The selection fills as records are read.
    """
    test.require_kind("comprehension")
    selection = Selection()

    def stream(report: ReportProblem) -> Iterator[Placed]:
        # A test may be read more than once; the last reading counts.
        selection.questions = 0
        selection.verdicts.clear()
        selection.fails.clear()
        for place, passage in test.stream(report):
            questions = []
            for verdict in judge.verdicts(passage):
                selection.questions += 1
                # A search does not judge what comes after the first failure.
                selection.fails.update(verdict.fails[:1] if find else verdict.fails)
                if verdict.undecided and not find:
                    selection.fails["undecided"] += 1
                if verdict.meets_criteria or not find:
                    selection.verdicts.append(verdict)
                    questions.append(_with_verdict(verdict))
            if watch is not None:
                watch(selection)
            if questions or not find:
                yield place, msgspec.structs.replace(passage, questions=tuple(questions))

    return replace(test, stream=stream), selection


def _with_verdict(verdict: ChallengeVerdict) -> Question:
    key = verdict.question.key or QuestionKey()
    key = msgspec.structs.replace(key, fields={**key.fields, FIELD: verdict.record()})
    return msgspec.structs.replace(verdict.question, key=key)
