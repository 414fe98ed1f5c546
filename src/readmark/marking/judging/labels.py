"""Answers that people called right or wrong: what a judge is held against before it marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.rows import read_rows
from readmark.corpus.test import Test
from readmark.corpus.values import Unit
from readmark.marking.judging.verdicts import Case, key_texts
from readmark.measures.agreement import Agreement, Resampling, cohen_kappa

UNVALIDATED = "unvalidated"
"""What a signature says where no agreement with people is shown."""
ENOUGH = 30
"""Labelled answers below which agreement says too little to lead a table by."""
_RIGHT = frozenset(("yes", "right", "true", "1", "correct", "y", "对", "是", "正确"))
_WRONG = frozenset(("no", "wrong", "false", "0", "incorrect", "n", "错", "否", "错误"))
_ALTERNATIVES = "|"


@dataclass(frozen=True, slots=True)
class Label:
    """An answer and what a person called it."""

    case: Case
    right: bool
    group: str
    """What it is resampled with: the passage."""


@dataclass(frozen=True, slots=True)
class Held:
    """A judge's verdicts beside people's."""

    both_right: int
    judge_alone: int
    """Right by the judge, wrong by people."""
    people_alone: int
    both_wrong: int
    unread: int
    kappa: Agreement

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
        interval = f" ({low:.2f} to {high:.2f})" if low is not None and high is not None else ""
        return f"kappa {kappa.value:.2f}{interval} n {self.judged}"

    @property
    def table(self) -> str:
        """The confusion in one line."""
        shares = (self.both_right + self.both_wrong) / self.judged if self.judged else 0.0
        unread = f", {self.unread} without a verdict" if self.unread else ""
        return (
            f"of {self.judged} labelled answers {self.both_right} are right by both, "
            f"{self.both_wrong} wrong by both, {self.judge_alone} right by the judge alone, "
            f"{self.people_alone} by people alone{unread}: {100 * shares:.1f}% agree"
        )


def read_labels(path: str, test: Test) -> list[Label]:
    """Labelled answers: id, question, key, answer, right; what is not there is the test's by id.

    Alternatives of a key are parted by a bar. A passage may stand in a column of its own.
    """
    rows = list(read_rows(path, ("answer", "right")))
    ids = {_cell(row, "id") for _, row in rows} - {""}
    units = {unit.id: unit for unit in test.units() if unit.id in ids} if ids else {}
    found = [_label(path, number, row, units, test) for number, row in rows]
    if not found:
        raise DataError("has no labelled answer", file=path)
    return found


def _label(
    path: str, number: int, row: Mapping[str, Any], units: Mapping[str, Unit], test: Test
) -> Label:
    unit = units.get(_cell(row, "id"))
    said = _cell(row, "right").lower()
    if said not in _RIGHT | _WRONG:
        raise DataError(f"right is {said!r}, expected yes or no", file=path, where=number)
    question = _cell(row, "question") or (unit.item.text if unit is not None else "")
    key: Sequence[str] = [one.strip() for one in _cell(row, "key").split(_ALTERNATIVES)]
    if not any(key) and unit is not None:
        key = key_texts(test.kind.references(unit))
    passage = _cell(row, "passage") or (unit.record.text if unit is not None else "")
    if not question or (not any(key) and unit is None):
        raise DataError(
            "has no question and key, and its id is none of the test's", file=path, where=number
        )
    case = Case(passage, question, tuple(dict.fromkeys(key)), str(row.get("answer") or ""))
    return Label(case, said in _RIGHT, unit.group if unit is not None else passage or question)


def _cell(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return _ALTERNATIVES.join(str(one) for one in value)
    return "" if value is None else str(value).strip()


def why_too_few(labels: Sequence[Label]) -> str | None:
    """Why labelled answers cannot show agreement; None where they can."""
    if len(labels) < ENOUGH:
        return f"{len(labels)} labelled answers are too few, {ENOUGH} are needed"
    if len({one.right for one in labels}) < 2:
        return "every labelled answer has the same label, so chance would agree as well"
    return None


def held_against(labels: Sequence[Label], verdicts: Sequence[bool | None]) -> Held:
    """A judge's verdicts on labelled answers beside people's labels."""
    both = [(one, said) for one, said in zip(labels, verdicts, strict=True) if said is not None]
    counts = {(people, judge): 0 for people in (True, False) for judge in (True, False)}
    for one, said in both:
        counts[one.right, said] += 1
    kappa = cohen_kappa(
        [one.right for one, _ in both],
        [said for _, said in both],
        clusters=[one.group for one, _ in both],
        resampling=Resampling(),
    )
    return Held(
        both_right=counts[True, True],
        judge_alone=counts[False, True],
        people_alone=counts[True, False],
        both_wrong=counts[False, False],
        unread=len(labels) - len(both),
        kappa=kappa,
    )
