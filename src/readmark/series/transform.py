"""Questions of a series on passages, rewritten to stand alone before a reader sees them.

The rewriter sees what a candidate may see of the series: its target and its questions in order.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from readmark.core.errors import DataError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.records import Passage, Question
from readmark.core.registry import parameter
from readmark.core.sitting import Row, evidence_without
from readmark.core.test import Header, Test, in_memory
from readmark.hooks import Candidate, PaperTransform
from readmark.series.notation import with_known_answers
from readmark.series.records import Series, SeriesQuestion
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
MOST_SERIES = 64
"""Series whose rewrites are cached: one may have questions on several passages."""
FIELD, TITLE = "fields.target", "title"
"""Where a target may come from."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """A series of a comprehension test as a rewriter takes it, and where its target is from."""

    series: Series
    target_from: str | None


@dataclass
class Rewriting:
    """A rewriter over the series of a test; each series is rewritten when it is first asked."""

    name: str
    signature: Mapping[str, Any]
    candidate: Candidate
    gathered: Mapping[str, Gathered]
    refused: list[Row] = field(default_factory=list)
    """Error rows of questions that were not rewritten and so not asked; the runner takes them."""
    _asked: dict[str, dict[str, Any]] = field(default_factory=dict)
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
                    why = row.error or row.no_answer_reason
                    self.refused.append(Row(id=question.id, error=f"not rewritten: {why}"))
            else:
                asked = with_known_answers(row.text, _known(question))
                if question.id in wanted:
                    self._asked[question.id] = self._rewrite_evidence(question, row, asked)
                layers = question.layers if asked == question.text else {}
                questions.append(msgspec.structs.replace(question, text=asked, layers=layers))
        paper = msgspec.structs.replace(record, questions=tuple(questions))
        return Ask(paper, tuple(id for id in ask.wanted if id not in refused))

    def noted(self, row: Row) -> Row:
        """A reader's row with what its question became in its evidence."""
        members = self._asked.pop(row.id, None)
        if members is None:
            return row
        own = evidence_without(row.evidence, EVIDENCE)
        return msgspec.structs.replace(row, evidence={**own, EVIDENCE: members})

    def take_refused(self) -> Iterator[Row]:
        """The error rows so far, once."""
        while self.refused:
            yield self.refused.pop(0)

    def _rewrite_evidence(self, question: Question, row: Row, asked: str) -> dict[str, Any]:
        gathered = self.gathered[question.series or ""]
        members: dict[str, Any] = {"asked": asked, "by": self.name}
        if row.text != asked:
            members["rewrite"] = row.text
        members |= {"target": gathered.series.target, "target_from": gathered.target_from}
        return members if row.evidence is None else {**members, "evidence": row.evidence}

    def _row(self, question: Question) -> Row | None:
        """The rewriter's row; None for a question of no series."""
        if question.series is None:
            return None
        if question.series not in self._rewritten:
            self._rewritten[question.series] = self._rewrite(self.gathered[question.series].series)
            while len(self._rewritten) > MOST_SERIES:
                self._rewritten.popitem(last=False)
        rows = self._rewritten[question.series]
        missing = Row(id=question.id, error=f"{self.name} gave no rewrite")
        return rows.get(question.id, missing)

    def _rewrite(self, series: Series) -> dict[str, Row]:
        ask = Ask(series, tuple(question.id for question in series.questions))
        return {row.id: row for row in answers(self.candidate, kind_named("series"), [ask])}


def rewriting(text: str, test: Test, *, titles: bool = True) -> Rewriting:
    """The rewriter asked for, over the series of a comprehension test.

    A target is ``fields.target`` of a question or its passage, else the passage's title, unless
    ``titles`` may not be shown.
    """
    if test.kind.name != "comprehension":
        raise UsageError(
            f"`rewrite` is for comprehension tests, {test.file} is a {test.kind.name} test; "
            "there a rewriter is the candidate"
        )
    gathered = _gathered(test, titles=titles)
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


def _gathered(test: Test, *, titles: bool) -> dict[str, Gathered]:
    """Every series of a test, its questions in the order of their turns."""
    found: dict[str, list[tuple[Passage, Question]]] = {}
    for record in test.paper().records():
        bare = msgspec.structs.replace(record, text="", questions=(), layers={})
        for question in record.questions:
            if question.series is not None:
                found.setdefault(question.series, []).append((bare, question))
    return {id: _series(id, several, test, titles=titles) for id, several in found.items()}


def _series(
    id: str, several: Sequence[tuple[Passage, Question]], test: Test, *, titles: bool
) -> Gathered:
    if all(question.turn is not None for _, question in several):
        several = sorted(several, key=lambda one: one[1].turn or 0)
    said = dict.fromkeys(_field_texts("target", several))
    if len(said) > 1:
        shown = ", ".join(repr(one) for one in said)
        raise DataError(f"series {id!r} has several targets: {shown}", file=test.file)
    target, source = next(iter(said), None), FIELD
    if target is None and titles:
        target, source = _title(id, several, test), TITLE
    series = Series(
        id=id,
        target=target or "",
        target_type=next(_field_texts("target_type", several), None),
        language=test.language,
        questions=tuple(
            SeriesQuestion(
                id=question.id,
                text=question.text,
                turn=question.turn,
                category=_text(question.fields.get("category")),
                previous=_previous(question, test),
            )
            for _, question in several
        ),
    )
    return Gathered(series, source if target else None)


def _title(id: str, several: Iterable[tuple[Passage, Question]], test: Test) -> str | None:
    """The title that all passages of a series share."""
    found = list(dict.fromkeys(filter(None, (_text(passage.title) for passage, _ in several))))
    if len(found) > 1:
        shown = ", ".join(repr(one) for one in found)
        raise DataError(
            f"series {id!r} stands on passages with several titles: {shown}; "
            f"tell its target in {FIELD}",
            file=test.file,
        )
    return found[0] if found else None


def _field_texts(name: str, several: Iterable[tuple[Passage, Question]]) -> Iterator[str]:
    """The values of a field of the questions, else of their passages."""
    for passage, question in several:
        text = _text(question.fields.get(name)) or _text(passage.fields.get(name))
        if text is not None:
            yield text


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _known(question: Question) -> tuple[str, ...]:
    """Answers to earlier questions that the paper gives."""
    said = question.fields.get("previous") or ()
    several = (said,) if isinstance(said, str) else said
    return tuple(one for one in several if one.strip())


def _previous(question: Question, test: Test) -> tuple[str, ...]:
    """The same; anything but a text or a list of texts is reported with the question."""
    said = question.fields.get("previous")
    several = said if isinstance(said, (list, tuple)) else () if said is None else (said,)
    if not all(isinstance(one, str) for one in several):
        raise DataError(
            f"fields.previous is {said!r}, expected a text or a list of texts",
            file=test.file,
            where=question.id,
        )
    return _known(question)


@dataclass
class RewriteSeries:
    """Asks the questions of series as a rewriter gives them."""

    by: str = parameter(help="the rewriter, such as guided or append")
    _rewriting: Rewriting | None = field(default=None, init=False, repr=False)

    def prepare(self, test: Test, others: Sequence[PaperTransform]) -> None:
        """Gather the series of the test and make the rewriter ready."""
        asked = header_members(others)
        clash = "`cross`" if "cross" in asked else "`without` question"
        if "cross" in asked or asked.get("without") == "question":
            raise UsageError(f"`rewrite` and {clash} do not go together")
        # A title that is left out with its passage must not come back in a question.
        self._rewriting = rewriting(self.by, test, titles=asked.get("without") != "passage")

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
        """Passages whose questions are rewritten."""
        return (rewritten for ask in asks if (rewritten := self.rewriting(ask)).wanted)

    def rows(self, rows: Iterator[Row]) -> Iterator[Row]:
        """Rows with how their question was asked, and error rows of questions without a rewrite."""
        for row in rows:
            yield from self.rewriting.take_refused()
            yield self.rewriting.noted(row)
        yield from self.rewriting.take_refused()
