"""Two people's golds of one question as two versions, and the decisions between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readmark.core.errors import DataError, UsageError
from readmark.core.spans import clip
from readmark.core.test import Test
from readmark.making.blind.golds import ReturnedGolds, gold_findings
from readmark.settling import Disagreement

WORK = "golds"
"""The sort of work that an adjudication file of golds is about."""
CONTEXT = ("target", "question")
"""What else a decision on golds depends on: it is void if one of these changes."""


def compared_golds(people: Mapping[str, Sequence[ReturnedGolds]], test: Test) -> list[Disagreement]:
    """The questions on which two people differ, in the order of the test."""
    if len(people) != 2:
        raise UsageError(
            f"disagreements are between two people, found {len(people)}: {', '.join(people)}"
        )
    first, second = ({work.id: work.golds for work in golds} for golds in people.values())
    faults = [_faults_by_question(golds, test) for golds in people.values()]
    return [
        Disagreement(
            id=question.id,
            what=WORK,
            record=series.id,
            unit=question.id,
            a=list(first[question.id]),
            b=list(second[question.id]),
            beside={"target": series.target, "question": question.text},
            **_suggested(*(by_question.get(question.id, []) for by_question in faults)),
        )
        for series in test.records()
        for question in series.questions
        if question.id in first
        and question.id in second
        and set(first[question.id]) != set(second[question.id])
    ]


def _faults_by_question(golds: Sequence[ReturnedGolds], test: Test) -> dict[str, list[str]]:
    messages: dict[str, list[str]] = {}
    for finding in gold_findings(golds, test):
        messages.setdefault(finding.id, []).append(finding.message)
    return messages


def _suggested(first: Sequence[str], second: Sequence[str]) -> dict[str, Any]:
    """The version without faults, if the other has some."""
    if bool(first) == bool(second):
        return {}
    suggestion, other = ("b", "a") if first else ("a", "b")
    return {"suggestion": suggestion, "why": f"{other}: {'; '.join(first or second)}"}


def decided_golds(
    people: Mapping[str, Sequence[ReturnedGolds]], rows: Sequence[Disagreement], file: str
) -> list[ReturnedGolds]:
    """One version of each question's golds: the decided, the agreed, or the only one."""
    adopted = {work.id: work for golds in people.values() for work in golds}
    for row in rows:
        if row.decision is not None:
            adopted[row.id] = ReturnedGolds(
                id=row.id, annotator="", golds=_adopted(row, file), file=file, place=row.id
            )
    return list(adopted.values())


def _adopted(row: Disagreement, file: str) -> tuple[str, ...]:
    golds = [row.adopted] if isinstance(row.adopted, str) else row.adopted
    texts = golds if isinstance(golds, list) else []
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise DataError(
            f"other is {clip(str(row.other))!r}, expected a gold or a list of golds",
            file=file,
            where=row.id,
        )
    return tuple(dict.fromkeys(text.strip() for text in texts))
