"""Answers that are in no gold yet, pooled from sittings to be judged.

"All answers provided by reading systems are retained ... these may include correct answers which
should be included in the gold standard" ("The DARPA Machine Reading Program", section 3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from readmark.core.fingerprint import text_id
from readmark.core.json_lines import json_line
from readmark.core.records import Unit, Value
from readmark.core.sitting import Sitting
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.core.test import Test
from readmark.tasks.judgement import judge
from readmark.tasks.manifest import AnswerRow, identity
from readmark.tasks.records import INFERRED, ROLE, Solution

UNJUDGED = ""
"""The verdict of a row that nobody has judged."""
AROUND = 60
"""Code points of the document that are shown on either side of an excerpt."""


class CandidateReading(Value, frozen=True):
    """Where one candidate read an answer."""

    candidate: str
    excerpts: tuple[Excerpt, ...] = ()
    inferred: bool | None = None
    """Whether it says that it inferred the answer."""


class PooledRow(AnswerRow, frozen=True):
    """An answer to judge: the verdict is to be filled in, with by and why.

    ``inferred`` is a proposal: true by the property's role, or where all who say so inferred it.
    """

    verdict: str = UNJUDGED
    question: str | None = None
    graph: str | None = None
    context: tuple[str, ...] = ()
    """The excerpts with the text around them."""
    candidates: tuple[str, ...] = ()
    readings: tuple[CandidateReading, ...] = ()
    """The excerpts of each candidate."""


def answer_id(row: AnswerRow) -> str:
    """An id of an answer that is the same in every pool."""
    document, query, bound = identity(row)
    return f"{document}:{query}:{text_id(json_line(bound).decode())}"


def pool(test: Test, sittings: Sequence[Sitting]) -> Iterator[PooledRow]:
    """Every answer of the sittings that marking calls unjudged, each once.

    In whatever order the sittings come, the rows are the same.
    """

    @cache
    def texts() -> dict[str, str]:
        return {record.id: record.text for record in test.records()}

    in_order = sorted(sittings, key=lambda sitting: (sitting.candidate, sitting.file))
    for unit in test.units():
        references = test.kind.references(unit)
        unjudged: dict[tuple[tuple[str, str], ...], list[tuple[str, Solution]]] = {}
        for sitting in in_order:
            for row in sitting.of(unit.id):
                if row.error is None:
                    answer = test.kind.read_answer(row)
                    for solution in judge(unit, references, answer, credit="partial").unjudged:
                        unjudged.setdefault(solution.bound, []).append(
                            (sitting.candidate, solution)
                        )
        for answers in unjudged.values():
            yield _pooled(unit, answers, texts)


def _pooled(
    unit: Unit,
    answers: Sequence[tuple[str, Solution]],
    texts: Callable[[], Mapping[str, str]],
) -> PooledRow:
    """One row for the same answer of several candidates."""
    first = answers[0][1]
    excerpts = tuple(sorted({excerpt for _, solution in answers for excerpt in solution.excerpts}))
    mentions: dict[str, dict[str, None]] = {}
    for _, solution in answers:
        for entity, words in solution.mentions.items():
            mentions.setdefault(entity, {}).update(dict.fromkeys(words))
    readings = [
        CandidateReading(candidate, tuple(sorted(solution.excerpts)), solution.inferred)
        for candidate, solution in answers
    ]
    claims = {reading.inferred for reading in readings if reading.inferred is not None}
    is_inferred = claims == {True} or unit.item.fields.get(ROLE) == INFERRED
    return PooledRow(
        document=unit.group,
        query=unit.item.query or unit.id,
        values=first.values,
        inferred=True if is_inferred else None,
        excerpts=excerpts,
        mentions={entity: tuple(words) for entity, words in mentions.items()},
        probability=first.probability,
        derivation=first.derivation,
        question=unit.item.text,
        graph=unit.item.graph,
        context=tuple(_in_context(excerpt, unit, texts) for excerpt in excerpts),
        candidates=tuple(dict.fromkeys(candidate for candidate, _ in answers)),
        readings=tuple(dict.fromkeys(readings)),
    )


def _in_context(excerpt: Excerpt, unit: Unit, texts: Callable[[], Mapping[str, str]]) -> str:
    """An excerpt with the text around it; the document is named where it is another's."""
    if excerpt.document == unit.group:
        return _bracketed(excerpt, unit.record.text)
    text = texts().get(excerpt.document)
    if text is None:
        return f"{excerpt.document}: not a document of the task; it says “{excerpt.quote}”"
    return f"{excerpt.document}: {_bracketed(excerpt, text)}"


def _bracketed(excerpt: Excerpt, text: str) -> str:
    if fault := excerpt_fault(excerpt, text):
        return f"the excerpt {fault}"
    start, end = excerpt.start, excerpt.end
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return f"{before}[{text[start:end]}]{after}"
