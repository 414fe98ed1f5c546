"""Questions of a series on passages, rewritten to stand alone before a reader sees them.

The rewriter sees what a candidate may see of the series: its target and its questions in order.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Passage, Question
from readmark.core.registry import parameter
from readmark.core.sitting import Row, evidence_without
from readmark.core.test import Header, Test, in_memory
from readmark.hooks import Candidate, PaperTransform
from readmark.series.gathered_series import FIELD, TITLE, Gathered, gather_series, known_answers
from readmark.series.notation import with_known_answers
from readmark.series.records import Series
from readmark.sitting import (
    Ask,
    answers,
    build_candidate,
    declared,
    header_members,
    make_ready,
)

EVIDENCE = "rewritten"
"""The member of a row's evidence that states how its question was asked."""
_CACHED_SERIES = 64  # a series may have questions on several passages, which come one by one


@dataclass
class Rewriting:
    """A rewriter over the series of a test; each series is rewritten when it is first asked."""

    name: str
    signature: Mapping[str, Any]
    candidate: Candidate
    gathered: Mapping[str, Gathered]
    refused: list[Row] = field(default_factory=list)
    """Error rows of questions that were not rewritten and so not asked; the runner takes them."""
    _evidence: dict[str, dict[str, Any]] = field(default_factory=dict)
    """How each question was asked, until the reader's row of it comes."""
    _rewritten: OrderedDict[str, dict[str, Row]] = field(default_factory=OrderedDict)

    def __call__(self, ask: Ask) -> Ask:
        """A passage whose questions are rewritten; those that were not are no longer wanted."""
        record: Passage = ask.record
        wanted = frozenset(ask.wanted)
        refused: set[str] = set()
        questions = []
        for question in record.questions:
            row = self._row(question)
            if row is None:
                questions.append(question)
            elif not row.answered:
                questions.append(question)
                if question.id in wanted:
                    refused.add(question.id)
                    reason = row.error or row.no_answer_reason
                    self.refused.append(Row(id=question.id, error=f"not rewritten: {reason}"))
            else:
                text = with_known_answers(row.text, known_answers(question))
                if question.id in wanted:
                    self._evidence[question.id] = self._rewrite_evidence(question, row, text)
                # Layers are offsets in the text: they hold only while it is the same.
                layers = question.layers if text == question.text else {}
                questions.append(msgspec.structs.replace(question, text=text, layers=layers))
        passage = msgspec.structs.replace(record, questions=tuple(questions))
        return Ask(passage, tuple(id for id in ask.wanted if id not in refused))

    def noted(self, row: Row) -> Row:
        """A reader's row with what its question became in its evidence."""
        members = self._evidence.pop(row.id, None)
        if members is None:
            return row
        evidence = {**evidence_without(row.evidence, EVIDENCE), EVIDENCE: members}
        return msgspec.structs.replace(row, evidence=evidence)

    def take_refused(self) -> Iterator[Row]:
        """The error rows so far, once."""
        while self.refused:
            yield self.refused.pop(0)

    def _rewrite_evidence(self, question: Question, row: Row, text: str) -> dict[str, Any]:
        gathered = self.gathered[question.series or ""]
        members: dict[str, Any] = {"asked": text, "by": self.name}
        if row.text != text:
            members["rewrite"] = row.text
        members |= {"target": gathered.series.target, "target_from": gathered.target_from}
        return members if row.evidence is None else {**members, "evidence": row.evidence}

    def _row(self, question: Question) -> Row | None:
        """The rewriter's row; None for a question of no series."""
        if question.series is None:
            return None
        if question.series not in self._rewritten:
            self._rewritten[question.series] = self._rewrite(self.gathered[question.series].series)
            while len(self._rewritten) > _CACHED_SERIES:
                self._rewritten.popitem(last=False)
        rows = self._rewritten[question.series]
        missing = Row(id=question.id, error=f"{self.name} gave no rewrite")
        return rows.get(question.id, missing)

    def _rewrite(self, series: Series) -> dict[str, Row]:
        ask = Ask(series, tuple(question.id for question in series.questions))
        return {row.id: row for row in answers(self.candidate, kind_named("series"), [ask])}


def rewriting(text: str, test: Test, *, titles: bool = True) -> Rewriting:
    """The rewriter with a name, over the series of a comprehension test.

    A target is ``fields.target`` of a question or its passage, else the passage's title, unless
    ``titles`` may not be shown.
    """
    if test.kind.name != "comprehension":
        raise UsageError(
            f"`rewrite` is for comprehension tests, {test.file} is a {test.kind.name} test; "
            "there a rewriter is the candidate"
        )
    gathered = gather_series(test, titles=titles)
    if not gathered:
        raise UsageError(
            f"`rewrite` {text}: {test.file} has no series: no question has the member 'series'"
        )
    kind = kind_named("series")
    name, candidate = build_candidate(text, in_memory(Header(kind=kind.name), (), file=test.file))
    if declared(candidate, "needs", ()):
        raise UsageError(f"`rewrite` {name}: needs gold annotation, which a series has none of")
    signature = make_ready(name, candidate, kind, test.language)
    targets = f"{FIELD}, else {TITLE}" if titles else FIELD
    return Rewriting(name, {"rewriter": name, **signature, "targets": targets}, candidate, gathered)


@dataclass
class RewriteSeries:
    """Asks the questions of series as a rewriter gives them."""

    by: str = parameter(help="the rewriter, such as guided or append")
    _rewriting: Rewriting | None = field(default=None, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """Gather the series of the test and make the rewriter ready."""
        members = header_members(others)
        for clashes, name in (
            ("cross" in members, "`cross`"),
            (members.get("without") == "question", "`without` question"),
        ):
            if clashes:
                raise UsageError(f"`rewrite` and {name} do not go together")
        # A title that is left out with its passage must not come back in a question.
        self._rewriting = rewriting(self.by, test, titles=members.get("without") != "passage")

    @property
    def rewriting(self) -> Rewriting:
        """The prepared rewriter."""
        assert self._rewriting is not None
        return self._rewriting

    def header(self) -> Mapping[str, Any]:
        """The rewriter's canonical name."""
        return {"rewrite": self._rewriting.name if self._rewriting is not None else self.by}

    def signature(self) -> Mapping[str, Any]:
        """The rewriter's own signature."""
        return {"rewrite": dict(self.rewriting.signature)}

    def asks(self, asks: Iterator[Ask], repeat: int) -> Iterator[Ask]:
        """Passages whose questions are rewritten; one without questions left is not asked."""
        for ask in asks:
            rewritten = self.rewriting(ask)
            if rewritten.wanted:
                yield rewritten

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows with how their question was asked, and error rows of questions without a rewrite."""
        for row in rows:
            yield from self.rewriting.take_refused()
            yield self.rewriting.noted(row)
        yield from self.rewriting.take_refused()
