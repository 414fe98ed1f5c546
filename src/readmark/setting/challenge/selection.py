"""A challenge set out of a test: the questions that meet the criteria, or all with verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from readmark.corpus.errors import UsageError
from readmark.corpus.problems import Report
from readmark.corpus.test import Placed, Test
from readmark.corpus.values import Passage, Question, QuestionKey
from readmark.setting.challenge.judge import Judge
from readmark.setting.challenge.verdict import WORDS, Verdict

FIELD = "challenge"
"""The field of a question's key that keeps its verdict."""

Watch = Callable[["Selection"], None]


@dataclass(slots=True)
class Selection:
    """What was judged; it counts along while the test is read."""

    questions: int = 0
    verdicts: list[Verdict] = field(default_factory=list)
    """Of the questions found; of all of them when they were to be checked."""
    fails: Counter[str] = field(default_factory=Counter)
    """How many questions fail by what; of those to be found, only the first that each fails by."""

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "questions": self.questions,
            "met": sum(one.found for one in self.verdicts),
            "fails": {name: self.fails[name] for name in WORDS},
            "verdicts": {
                one.question.id: {
                    "question": one.question.text,
                    "answer": one.answer,
                    "found": one.found,
                    **one.record(),
                }
                for one in self.verdicts
            },
        }


def selected(
    test: Test, judge: Judge, *, find: bool, watch: Watch | None = None
) -> tuple[Test, Selection]:
    """The test with the questions found, each with its verdict; or with every verdict.

    Passages without a question found are left out. The second value counts while records are read.
    """
    if test.kind.name != "comprehension":
        raise UsageError(f"{test.file}: a challenge set is of questions on passages")
    done = Selection()

    def stream(report: Report) -> Iterator[Placed]:
        # A test may be read more than once; the last reading counts.
        done.questions = 0
        done.verdicts.clear()
        done.fails.clear()
        for place, passage in test.stream(report):
            kept = []
            for verdict in judge.verdicts(passage):
                done.questions += 1
                # What comes after the first failure is not judged where questions are found.
                done.fails.update(verdict.fails[:1] if find else verdict.fails)
                if verdict.found or not find:
                    done.verdicts.append(verdict)
                    kept.append(_noted(verdict))
            if watch is not None:
                watch(done)
            if kept or not find:
                yield place, _with(passage, kept)

    return replace(test, stream=stream), done


def _with(passage: Passage, questions: list[Question]) -> Passage:
    return msgspec.structs.replace(passage, questions=tuple(questions))


def _noted(verdict: Verdict) -> Question:
    key = verdict.question.key or QuestionKey()
    fields = {**key.fields, FIELD: verdict.record()}
    return msgspec.structs.replace(
        verdict.question, key=msgspec.structs.replace(key, fields=fields)
    )
