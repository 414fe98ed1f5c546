"""Verdicts on pooled answers: what judges say, the files they fill in, and what is new in them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import read_lines
from readmark.core.json_lines import decode
from readmark.core.problems import fail
from readmark.core.records import Value
from readmark.core.spans import Excerpt
from readmark.settling import grouped_versions
from readmark.tasks.excerpt_overlap import count_pieces
from readmark.tasks.manifest import (
    VERDICTS,
    AnswerRow,
    GoldVersion,
    Identity,
    Judgement,
    identity,
)
from readmark.tasks.names import respell
from readmark.tasks.pooled_answers import UNJUDGED, PooledRow

SORTS = ("explicit", "inferred", "wrong", "out_of_bounds")
"""A verdict in one word: right answers are explicit or inferred."""


class JudgeVerdict(Value, frozen=True):
    """What one judge says of an answer: a word of ``SORTS``, and perhaps why."""

    sort: str
    why: str = ""


def sort_of(row: AnswerRow) -> str:
    """The verdict of a row as a word of ``SORTS``; empty where nobody has judged it."""
    if row.verdict != "right":
        return row.verdict
    return "inferred" if row.inferred else "explicit"


def with_verdict(row: PooledRow, verdict: JudgeVerdict, by: str) -> PooledRow:
    """A row with somebody's verdict."""
    if verdict.sort not in SORTS:
        raise DataError(f"verdict {verdict.sort!r}, expected one of {', '.join(SORTS)}")
    is_right = verdict.sort in ("explicit", "inferred")
    return msgspec.structs.replace(
        row,
        verdict="right" if is_right else verdict.sort,
        inferred=verdict.sort == "inferred" if is_right else None,
        by=by,
        why=verdict.why,
    )


def settled(
    row: PooledRow, verdicts: Mapping[str, JudgeVerdict], *, needed: int = 1
) -> PooledRow | None:
    """A row with the verdict on which all its judges agree; None where they differ or are too few.

    It names all judges, and the reasons of those who gave one.
    """
    groups = judges_by_sort(verdicts)
    if len(groups) != 1 or len(verdicts) < needed:
        return None
    [(sort, judges)] = groups
    reasons = dict.fromkeys(verdict.why for verdict in verdicts.values() if verdict.why)
    return with_verdict(row, JudgeVerdict(sort, "; ".join(reasons)), ", ".join(judges))


def judges_by_sort(verdicts: Mapping[str, JudgeVerdict]) -> list[tuple[str, list[str]]]:
    """The sorts that judges gave an answer, each with who gave it, those of most judges first."""
    return grouped_versions((judge, verdict.sort) for judge, verdict in verdicts.items())


@dataclass(frozen=True)
class Judgements:
    """The rows that were judged, and how many were left open."""

    rows: tuple[Judgement, ...]
    unjudged: int


def read_judgements(
    files: Iterable[str],
    *,
    documents: Container[str] | None = None,
    queries: Container[str] | None = None,
    namespaces: Mapping[str, str] | None = None,
) -> Judgements:
    """The filled files of adjudicators; two verdicts on one answer are an error.

    So is one on a document or a query that the task does not have, where these are given.
    """
    decoder = msgspec.json.Decoder(PooledRow)
    judged: dict[Identity, tuple[Judgement, str]] = {}
    unjudged = 0
    for file in files:
        for number, raw in read_lines(file):
            row = decode(file, number, raw, decoder, fail)
            if row is None or row.verdict == UNJUDGED:
                unjudged += 1
                continue
            if fault := _fault(row, documents, queries):
                raise DataError(fault, file=file, where=number)
            judgement = _judgement(row, namespaces or {}, Path(file).name)
            earlier, place = judged.setdefault(identity(judgement), (judgement, f"{file}:{number}"))
            if earlier.verdict != row.verdict:
                message = f"judged {row.verdict}, and {earlier.verdict} at {place}"
                raise DataError(message, file=file, where=number)
    return Judgements(tuple(judgement for judgement, _ in judged.values()), unjudged)


def _fault(
    row: PooledRow, documents: Container[str] | None, queries: Container[str] | None
) -> str | None:
    if row.verdict not in VERDICTS:
        return f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
    if not row.by:
        return "the verdict does not say whose it is: fill in by"
    if documents is not None and row.document not in documents:
        return f"the task has no document {row.document!r}"
    if queries is not None and row.query not in queries:
        return f"the task has no query {row.query!r}"
    return None


def _judgement(row: PooledRow, namespaces: Mapping[str, str], pool: str) -> Judgement:
    """The row without what was only there to judge it by."""
    solution = respell(row.solution(), namespaces)
    excerpts, is_inferred = shortest_reading(row)
    members = {name: getattr(row, name) for name in AnswerRow.__struct_fields__} | {
        "values": solution.values,
        "mentions": solution.mentions,
        "excerpts": excerpts,
        "inferred": is_inferred if row.inferred is None else row.inferred,
        "why": row.why or None,
    }
    return Judgement(**members, pool=pool, candidates=row.candidates)


def shortest_reading(row: PooledRow) -> tuple[tuple[Excerpt, ...], bool]:
    """The excerpts of whoever read an answer from the least text, and whether it is inferred.

    It is explicit when one candidate found it in a single piece of text.
    """
    sources = [reading.excerpts for reading in row.readings if reading.excerpts]
    if not sources or {excerpt for source in sources for excerpt in source} != set(row.excerpts):
        return row.excerpts, takes_several_pieces(row.excerpts)  # the adjudicator has chosen
    shortest = min(
        sources,
        key=lambda source: (
            count_pieces(source),
            sum(excerpt.end - excerpt.start for excerpt in source),
            source,
        ),
    )
    return shortest, takes_several_pieces(shortest)


def takes_several_pieces(excerpts: Iterable[Excerpt]) -> bool:
    """Whether an answer rests on more than one, disjoint pieces of text, so that it is inferred."""
    return count_pieces(excerpts) > 1


def judgements_of(
    history: Iterable[GoldVersion], *, upto: int | None = None
) -> dict[Identity, Judgement]:
    """The last verdict on each answer, up to a version of the gold."""
    return {
        identity(row): row
        for version in history
        if upto is None or version.version <= upto
        for row in version.judgements
    }


def new_judgements(
    judged: Iterable[Judgement], recorded: Mapping[Identity, Judgement], *, revise: bool = False
) -> list[Judgement]:
    """Those that are not recorded yet; another verdict than the recorded one is a revision.

    So is, with ``revise``, that a right answer is inferred where it was explicit, or the reverse.
    """
    new = []
    for row in judged:
        earlier = recorded.get(identity(row))
        if earlier is not None and earlier.verdict == row.verdict:
            if revise and sort_of(earlier) != sort_of(row):
                new.append(row)
            continue
        if earlier is not None and not revise:
            raise DataError(
                f"{row.document}:{row.query}: {row.solution().text} was judged {earlier.verdict} "
                f"by {earlier.by} ({earlier.pool}), and is now judged {row.verdict} by {row.by}; "
                "--revise replaces the earlier verdict",
                file=row.pool,
            )
        new.append(row)
    return new
