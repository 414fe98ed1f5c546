"""Answers that are in no gold yet: pooled from sittings, judged in a file, added with who and why.

"All answers provided by reading systems are retained ... these may include correct answers which
should be included in the gold standard" ("The DARPA Machine Reading Program", section 3.3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from readmark.corpus.documents import Excerpt, QueryKey, Solution, asked_of
from readmark.corpus.errors import DataError
from readmark.corpus.files import read_lines
from readmark.corpus.formats.lines import decode
from readmark.corpus.problems import fail
from readmark.corpus.sitting import Sitting
from readmark.corpus.task_package import VERDICTS, AnswerRow
from readmark.corpus.test import Test
from readmark.measures.excerpt_overlap import disjoint

UNJUDGED = ""
AROUND = 60
"""Code points of the document that are shown on either side of an excerpt."""

Identity = tuple[str, str, tuple[tuple[str, str], ...]]


class PooledRow(AnswerRow, frozen=True):
    """An answer to judge: the verdict is to be filled in, with by and why."""

    verdict: str = UNJUDGED
    question: str | None = None
    graph: str | None = None
    context: tuple[str, ...] = ()
    """The excerpts with what stands around them."""
    candidates: tuple[str, ...] = ()


def identity(row: AnswerRow) -> Identity:
    """What makes two rows the same answer."""
    return row.document, row.query, row.solution().bound


def pool(test: Test, sittings: Sequence[Sitting]) -> Iterator[PooledRow]:
    """Every answer of the sittings that the key has not judged, each once."""
    for unit in test.units():
        asked = asked_of(unit.item.fields)
        known = {one.of(asked).bound for one in judged(unit.key)} if unit.key is not None else set()
        found: dict[tuple[tuple[str, str], ...], tuple[Solution, list[str]]] = {}
        for sitting in sittings:
            for row in sitting.of(unit.id):
                said = test.kind.read_answer(row).solutions if row.error is None else ()
                for one in (each.of(asked) for each in said):
                    if one.bound not in known:
                        _, who = found.setdefault(one.bound, (one, []))
                        who += [sitting.candidate] if sitting.candidate not in who else []
        for one, who in found.values():
            yield PooledRow(
                document=unit.group,
                query=unit.item.query or unit.id,
                values=one.values,
                excerpts=one.excerpts,
                mentions=one.mentions,
                probability=one.probability,
                question=unit.item.text,
                graph=unit.item.graph,
                context=tuple(_context(each, unit.record.text) for each in one.excerpts),
                candidates=tuple(who),
            )


def judged(key: QueryKey) -> tuple[Solution, ...]:
    """Every answer that somebody has judged."""
    return (*key.solutions, *key.rejected, *key.out_of_bounds)


def _context(excerpt: Excerpt, text: str) -> str:
    start, end = excerpt.start, excerpt.end
    if not 0 <= start < end <= len(text):
        return excerpt.quote
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return f"{before}[{text[start:end]}]{after}"


@dataclass(frozen=True)
class Judgements:
    """The rows that were judged, and how many were left open."""

    rows: tuple[AnswerRow, ...]
    unjudged: int


def read_judgements(files: Iterable[str]) -> Judgements:
    """The filled files of adjudicators; two verdicts on one answer are an error."""
    decoder = msgspec.json.Decoder(PooledRow)
    found: dict[Identity, tuple[AnswerRow, str]] = {}
    unjudged = 0
    for file in files:
        for number, raw in read_lines(file):
            row = decode(file, number, raw, decoder, fail)
            if row is None or row.verdict == UNJUDGED:
                unjudged += 1
                continue
            if row.verdict not in VERDICTS:
                said = f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
                raise DataError(said, file=file, where=number)
            if not row.by:
                raise DataError("a verdict says by whom it is", file=file, where=number)
            before = found.get(identity(row))
            if before is not None and before[0].verdict != row.verdict:
                said = f"judged {row.verdict}, and {before[0].verdict} at {before[1]}"
                raise DataError(said, file=file, where=number)
            found.setdefault(identity(row), (_answer(row), f"{file}:{number}"))
    return Judgements(tuple(row for row, _ in found.values()), unjudged)


def _answer(row: PooledRow) -> AnswerRow:
    """The row without what was only there to judge it by."""
    return AnswerRow(
        document=row.document,
        query=row.query,
        values=row.values,
        inferred=is_inferred(row.excerpts) if row.inferred is None else row.inferred,
        excerpts=row.excerpts,
        mentions=row.mentions,
        verdict=row.verdict,
        probability=row.probability,
        by=row.by,
        why=row.why,
    )


def is_inferred(excerpts: Iterable[Excerpt]) -> bool:
    """Whether an adjudicated answer rests on more than one, disjoint pieces of text."""
    return disjoint(excerpts) > 1


def with_judgements(gold: Iterable[AnswerRow], judgements: Iterable[AnswerRow]) -> list[AnswerRow]:
    """The gold with what adjudicators added; a verdict on a gold answer takes its place."""
    rows = {identity(row): row for row in gold}
    for row in judgements:
        before = rows.get(identity(row))
        if before is not None and row.verdict == before.verdict:
            continue
        rows[identity(row)] = row
    return list(rows.values())
