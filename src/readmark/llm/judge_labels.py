"""Answers that people called right or wrong: a judge is compared with them before it marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core import numbers
from readmark.core.counts import counted
from readmark.core.errors import DataError
from readmark.core.records import Unit
from readmark.core.test import Test
from readmark.formats.sheets import read_rows
from readmark.llm.verdicts import JudgedCase, key_texts, settled_without_judge
from readmark.statistics.agreement.cohen import cohen_kappa
from readmark.statistics.agreement.value import Agreement, Resampling

ENOUGH = 30
"""Different labelled answers below which agreement says too little to lead a table by."""
_RIGHT = frozenset({"yes", "right", "true", "1", "correct", "y", "对", "是", "正确"})
_WRONG = frozenset({"no", "wrong", "false", "0", "incorrect", "n", "错", "否", "错误"})
_SEPARATOR = "|"
"""What separates the alternatives of a key in one cell."""


@dataclass(frozen=True, slots=True)
class AnswerLabel:
    """An answer and what a person called it."""

    case: JudgedCase
    right: bool
    group: str
    """What it is resampled with: the passage."""


@dataclass(frozen=True, slots=True)
class LabelledAnswers:
    """The labelled answers that show agreement: each once, and only those that need a judge."""

    each: Sequence[AnswerLabel]
    repeats: int = 0
    settled: int = 0

    @classmethod
    def of(cls, labels: Sequence[AnswerLabel]) -> LabelledAnswers:
        """Take the first of equal labels.

        An answer that two people label differently stays there twice: no judge agrees with both.
        """
        judged = [label for label in labels if settled_without_judge(label.case) is None]
        distinct: dict[tuple[str, bool], AnswerLabel] = {}
        for label in judged:
            distinct.setdefault((label.case.known_by, label.right), label)
        each = tuple(distinct.values())
        return cls(each, repeats=len(judged) - len(each), settled=len(labels) - len(judged))

    @property
    def words(self) -> str:
        """The labels that do not count; nothing if all do."""
        reasons = []
        if self.repeats:
            reasons.append(f"{self.repeats} that repeat another")
        if self.settled:
            reasons.append(f"{self.settled} of empty answers, which need no judge")
        return f"labels that do not count: {', '.join(reasons)}" if reasons else ""


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """A judge's verdicts compared with people's."""

    both_right: int
    judge_alone: int
    """Right by the judge, wrong by people."""
    people_alone: int
    both_wrong: int
    unread: int
    """Labelled answers whose verdict could not be read."""
    kappa: Agreement
    too_few: str | None = None
    """Why the labels that have a verdict cannot show agreement; None where they can."""
    failed: int = 0
    """Labelled answers whose request brought no reply."""

    @property
    def judged(self) -> int:
        """Labelled answers with a verdict."""
        return self.both_right + self.judge_alone + self.people_alone + self.both_wrong

    @property
    def words(self) -> str:
        """The agreement in one short line."""
        kappa = self.kappa
        if kappa.value is None:
            return f"kappa undefined ({kappa.reason}) n {self.judged}"
        low, high = kappa.low, kappa.high
        interval = f" ({_shown(low)} to {_shown(high)})" if None not in (low, high) else ""
        return f"kappa {_shown(kappa.value)}{interval} n {self.judged}"

    @property
    def table(self) -> str:
        """The confusion in one line."""
        without = f", {self.unread} without a verdict" if self.unread else ""
        without += f", {self.failed} without a reply" if self.failed else ""
        if not self.judged:
            return f"no labelled answer has a verdict{without}"
        agree = (self.both_right + self.both_wrong) / self.judged
        return (
            f"of {counted(self.judged, 'labelled answer')} {self.both_right} are right by both, "
            f"{self.both_wrong} wrong by both, {self.judge_alone} right by the judge alone, "
            f"{self.people_alone} by people alone{without}: {numbers.percent(agree)} agree"
        )


def _shown(value: float | None) -> str:
    return numbers.decimal(value or 0.0)  # two places: signatures of earlier marks have them


def read_labels(path: str, test: Test) -> list[AnswerLabel]:
    """Labelled answers: id, question, key, answer, right; what is not there is the test's by id.

    Alternatives of a key are a list, or separated by a bar. The passage may be in a column.
    """
    rows = list(read_rows(path, ("answer", "right")))
    ids = {_cell(row, "id") for _, row in rows} - {""}
    units = {unit.id: unit for unit in test.units() if unit.id in ids} if ids else {}
    answer_labels = [_label(path, number, row, units, test) for number, row in rows]
    if not answer_labels:
        raise DataError("has no labelled answer", file=path)
    return answer_labels


def _label(
    path: str, number: int, row: Mapping[str, Any], units: Mapping[str, Unit], test: Test
) -> AnswerLabel:
    unit = units.get(_cell(row, "id"))
    label = _cell(row, "right").lower()
    if label not in _RIGHT | _WRONG:
        raise DataError(f"right is {label!r}, expected yes or no", file=path, where=number)
    question = _cell(row, "question") or (unit.item.text if unit is not None else "")
    key = _alternatives(row.get("key"))
    if not any(key) and unit is not None:
        key = key_texts(test.kind.references(unit))
    passage = _cell(row, "passage") or (unit.record.text if unit is not None else "")
    # A question of the test may have a key that is empty: it has no answer.
    missing = [] if question else ["no question"]
    missing += [] if any(key) or unit is not None else ["no key"]
    if missing:
        id = _cell(row, "id")
        reason = f"the test has no question {id!r}" if id else "no id of a question of the test"
        raise DataError(f"has {' and '.join(missing)}, and {reason}", file=path, where=number)
    if isinstance(row.get("answer"), (list, dict)):
        raise DataError("the answer is not text", file=path, where=number)
    case = JudgedCase(passage, question, tuple(dict.fromkeys(key)), _text(row.get("answer")))
    group = unit.group if unit is not None else passage or question
    return AnswerLabel(case, label in _RIGHT, group)


def _alternatives(value: Any) -> Sequence[str]:
    """A key's answers: a list's as they are, those of a cell between its bars.

    An empty one of a list says that no answer is right too; in a cell it is a bar too many.
    """
    if isinstance(value, list):
        return [_text(alternative).strip() for alternative in value]
    alternatives = [alternative.strip() for alternative in _text(value).split(_SEPARATOR)]
    return [alternative for alternative in alternatives if alternative] or [""]


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _text(value).strip()


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def why_too_few(labels: Sequence[AnswerLabel], *, judged: bool = False) -> str | None:
    """Why labelled answers, or those that were judged, cannot show agreement; None if they can."""
    count = len({label.case.known_by for label in labels})
    with_verdict = " with a verdict" if judged else ""
    if count < ENOUGH:
        answers = counted(count, "labelled answer", "different labelled answers")
        verb = "is" if count == 1 else "are"
        return f"{answers}{with_verdict} {verb} too few, {ENOUGH} are needed"
    if len({label.right for label in labels}) < 2:
        return (
            f"every labelled answer{with_verdict} has the same label, so chance would agree as well"
        )
    return None


def compare_with_labels(
    labels: Sequence[AnswerLabel], verdicts: Sequence[bool | None], *, failed: int = 0
) -> JudgeAgreement:
    """People's labels and a judge's verdicts; ``failed`` of those without one had no reply."""
    pairs = [
        (label, verdict)
        for label, verdict in zip(labels, verdicts, strict=True)
        if verdict is not None
    ]
    counts = Counter((label.right, verdict) for label, verdict in pairs)
    kappa = cohen_kappa(
        [label.right for label, _ in pairs],
        [verdict for _, verdict in pairs],
        clusters=[label.group for label, _ in pairs],
        resampling=Resampling(),
    )
    return JudgeAgreement(
        both_right=counts[True, True],
        judge_alone=counts[False, True],
        people_alone=counts[True, False],
        both_wrong=counts[False, False],
        unread=len(labels) - len(pairs) - failed,
        failed=failed,
        kappa=kappa,
        too_few=why_too_few([label for label, _ in pairs], judged=True),
    )
