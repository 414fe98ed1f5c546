"""Answers that are in no gold yet: pooled from sittings, judged in a file, added with who and why.

"All answers provided by reading systems are retained ... these may include correct answers which
should be included in the gold standard" ("The DARPA Machine Reading Program", section 3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import read_lines
from readmark.core.fingerprint import text_id
from readmark.core.json_lines import decode, json_line
from readmark.core.problems import fail
from readmark.core.records import Unit, Value
from readmark.core.sitting import Sitting
from readmark.core.spans import Excerpt, excerpt_fault
from readmark.core.test import Test
from readmark.tasks.alignment import align
from readmark.tasks.excerpt_overlap import count_pieces
from readmark.tasks.judgement import judge
from readmark.tasks.manifest import VERDICTS, AnswerRow, GoldVersion, Judgement
from readmark.tasks.mention_classes import mention_class
from readmark.tasks.names import respell
from readmark.tasks.reasoning.terms import Name
from readmark.tasks.records import INFERRED, ROLE, Solution
from readmark.tasks.value_tokens import is_value, token

UNJUDGED = ""
UNITED = "their annotations together"
"""Why answers of several annotators' united graphs are in the gold."""
SORTS = ("explicit", "inferred", "wrong", "out_of_bounds")
"""A verdict in one word: right answers are explicit or inferred."""
AROUND = 60
"""Code points of the document that are shown on either side of an excerpt."""

Identity = tuple[str, str, tuple[tuple[str, str], ...]]


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


def identity(row: AnswerRow) -> Identity:
    """What makes two rows the same answer."""
    return row.document, row.query, row.solution().bound


def answer_id(row: AnswerRow) -> str:
    """A name for an answer that is the same in every pool."""
    document, query, bound = identity(row)
    return f"{document}:{query}:{text_id(json_line(bound).decode())}"


def pool(test: Test, sittings: Sequence[Sitting]) -> Iterator[PooledRow]:
    """Every answer of the sittings that marking calls unjudged, each once.

    In whatever order the sittings come, the rows are the same.
    """

    @cache
    def texts() -> dict[str, str]:
        return {record.id: record.text for record in test.records()}

    ordered = sorted(sittings, key=lambda sitting: (sitting.candidate, sitting.file))
    for unit in test.units():
        references = test.kind.references(unit)
        found: dict[tuple[tuple[str, str], ...], list[tuple[str, Solution]]] = {}
        for sitting in ordered:
            for row in sitting.of(unit.id):
                if row.error is None:
                    answer = test.kind.read_answer(row)
                    for solution in judge(unit, references, answer, credit="partial").unjudged:
                        found.setdefault(solution.bound, []).append((sitting.candidate, solution))
        for several in found.values():
            yield _pooled(unit, several, texts)


def _pooled(
    unit: Unit,
    several: Sequence[tuple[str, Solution]],
    texts: Callable[[], Mapping[str, str]],
) -> PooledRow:
    first = several[0][1]
    excerpts = tuple(sorted({each for _, solution in several for each in solution.excerpts}))
    mentions: dict[str, dict[str, None]] = {}
    for _, solution in several:
        for entity, words in solution.mentions.items():
            mentions.setdefault(entity, {}).update(dict.fromkeys(words))
    readings = dict.fromkeys(
        (who, tuple(sorted(solution.excerpts)), solution.inferred) for who, solution in several
    )
    claims = {claim for _, _, claim in readings if claim is not None}
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
        context=tuple(_shown(each, unit, texts) for each in excerpts),
        candidates=tuple(dict.fromkeys(who for who, _ in several)),
        readings=tuple(
            CandidateReading(candidate=who, excerpts=each, inferred=claim)
            for who, each, claim in readings
        ),
    )


def _shown(excerpt: Excerpt, unit: Unit, texts: Callable[[], Mapping[str, str]]) -> str:
    """An excerpt with the text around it; the document is named where it is another's."""
    if excerpt.document == unit.group:
        return _context(excerpt, unit.record.text)
    text = texts().get(excerpt.document)
    if text is None:
        return f"{excerpt.document}: no document of the task; it says “{excerpt.quote}”"
    return f"{excerpt.document}: {_context(excerpt, text)}"


def _context(excerpt: Excerpt, text: str) -> str:
    if fault := excerpt_fault(excerpt, text):
        return f"the excerpt {fault}"
    start, end = excerpt.start, excerpt.end
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return f"{before}[{text[start:end]}]{after}"


# Verdicts of several judges.


class JudgeVerdict(Value, frozen=True):
    """What one judge says of an answer: a word of ``SORTS``, and perhaps why."""

    sort: str
    why: str = ""


def sort_of(row: AnswerRow) -> str:
    """The verdict of a row as a word of ``SORTS``; empty where nobody has judged it."""
    if row.verdict != "right":
        return row.verdict
    return "inferred" if row.inferred else "explicit"


def judged_as(row: PooledRow, verdict: JudgeVerdict, by: str) -> PooledRow:
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
    sorts = {verdict.sort for verdict in verdicts.values()}
    if len(sorts) != 1 or len(verdicts) < needed:
        return None
    reasons = dict.fromkeys(verdict.why for verdict in verdicts.values() if verdict.why)
    return judged_as(row, JudgeVerdict(sorts.pop(), "; ".join(reasons)), ", ".join(verdicts))


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
    found: dict[Identity, tuple[Judgement, str]] = {}
    unjudged = 0
    for file in files:
        for number, raw in read_lines(file):
            row = decode(file, number, raw, decoder, fail)
            if row is None or row.verdict == UNJUDGED:
                unjudged += 1
                continue
            if fault := _fault(row, documents, queries):
                raise DataError(fault, file=file, where=number)
            answer = _judgement(row, namespaces or {}, Path(file).name)
            before = found.get(identity(answer))
            if before is not None and before[0].verdict != row.verdict:
                message = f"judged {row.verdict}, and {before[0].verdict} at {before[1]}"
                raise DataError(message, file=file, where=number)
            found.setdefault(identity(answer), (answer, f"{file}:{number}"))
    return Judgements(tuple(row for row, _ in found.values()), unjudged)


def _fault(
    row: PooledRow, documents: Container[str] | None, queries: Container[str] | None
) -> str | None:
    if row.verdict not in VERDICTS:
        return f"verdict {row.verdict!r}, expected one of {', '.join(VERDICTS)}"
    if not row.by:
        return "a verdict says by whom it is"
    if documents is not None and row.document not in documents:
        return f"{row.document!r} is no document of the task"
    if queries is not None and row.query not in queries:
        return f"{row.query!r} is no query of the task"
    return None


def _judgement(row: PooledRow, namespaces: Mapping[str, str], pool: str) -> Judgement:
    """The row without what was only there to judge it by."""
    solution = respell(row.solution(), namespaces)
    excerpts, inferred = shortest_reading(row)
    own = {name: getattr(row, name) for name in AnswerRow.__struct_fields__}
    own |= {"values": solution.values, "mentions": solution.mentions, "excerpts": excerpts}
    own |= {"inferred": inferred if row.inferred is None else row.inferred, "why": row.why or None}
    return Judgement(**own, pool=pool, candidates=row.candidates)


def shortest_reading(row: PooledRow) -> tuple[tuple[Excerpt, ...], bool]:
    """The excerpts of whoever read an answer from the least text, and whether it is inferred.

    It is explicit when one candidate found it in a single piece of text.
    """
    sources = [reading.excerpts for reading in row.readings if reading.excerpts]
    if not sources or {each for source in sources for each in source} != set(row.excerpts):
        return row.excerpts, is_inferred(row.excerpts)  # the adjudicator has chosen
    least = min(
        sources,
        key=lambda source: (
            count_pieces(source),
            sum(each.end - each.start for each in source),
            source,
        ),
    )
    return least, is_inferred(least)


def is_inferred(excerpts: Iterable[Excerpt]) -> bool:
    """Whether an adjudicated answer rests on more than one, disjoint pieces of text."""
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
    found = []
    for row in judged:
        before = recorded.get(identity(row))
        if before is not None and before.verdict == row.verdict:
            if revise and sort_of(before) != sort_of(row):
                found.append(row)
            continue
        if before is not None and not revise:
            raise DataError(
                f"{row.document}:{row.query}: {row.solution().text} was judged {before.verdict} by "
                f"{before.by} ({before.pool}), and is now judged {row.verdict} by {row.by}; "
                "--revise replaces the earlier verdict",
                file=row.pool,
            )
        found.append(row)
    return found


def widened(row: AnswerRow, mentions: Mapping[tuple[str, Name], Sequence[str]]) -> AnswerRow:
    """A judged answer whose entities have every word that the annotation has for them.

    So a verdict on an answer holds for the same answer under another mention of the entity.
    """
    classes = [
        (mention_class(words), words)
        for (document, _), words in mentions.items()
        if document == row.document
    ]
    known = {}
    for entity, words in row.mentions.items():
        own = mention_class(words)
        more = [word for folded, every in classes if own & folded for word in every]
        known[entity] = tuple(dict.fromkeys((*words, *more)))
    return msgspec.structs.replace(row, mentions=known) if known != row.mentions else row


def answer_row(row: AnswerRow) -> AnswerRow:
    """A judgement as a row of the gold."""
    return AnswerRow(**{name: getattr(row, name) for name in AnswerRow.__struct_fields__})


def with_judgements(gold: Iterable[AnswerRow], judgements: Iterable[AnswerRow]) -> list[AnswerRow]:
    """The gold with what adjudicators added; a verdict on a gold answer takes its place.

    A right answer whose entities are a gold answer's by their mentions is that answer: the words
    for them are added to it.
    """
    rows = {identity(row): row for row in gold}
    for row in judgements:
        before = rows.get(identity(row))
        if before is not None and row.verdict == before.verdict:
            continue
        same = _same_answer(row, rows.values()) if before is None else None
        if same is not None:
            rows[identity(same)] = _with_mentions(same, row)
        else:
            rows[identity(row)] = row
    return list(rows.values())


def _same_answer(row: AnswerRow, gold: Iterable[AnswerRow]) -> AnswerRow | None:
    """The gold answer that a right one is, by the words for its entities."""
    if row.verdict != "right":
        return None
    here = [
        answer_row
        for answer_row in gold
        if answer_row.document == row.document and answer_row.verdict == "right"
    ]
    known = {token(value) for answer_row in here for value in answer_row.values.values()}
    same_query = [answer_row for answer_row in here if answer_row.query == row.query]
    matched = align([row.solution()], [answer_row.solution() for answer_row in same_query])
    if not matched:
        return None
    same = same_query[matched[0].gold]
    theirs = {token(value) for value in same.values.values()}
    others = {token(value) for value in row.values.values() if not is_value(token(value))}
    # What the gold knows by this very name is another entity, whatever words they share.
    return None if (others - theirs) & known else same


def _with_mentions(gold: AnswerRow, said: AnswerRow) -> AnswerRow:
    mentions = dict(gold.mentions)
    for name, value in gold.values.items():
        words = said.mentions.get(token(said.values[name]), ()) if name in said.values else ()
        if words and not is_value(token(value)):
            mentions[token(value)] = tuple(dict.fromkeys((*mentions.get(token(value), ()), *words)))
    return msgspec.structs.replace(gold, mentions=mentions)
