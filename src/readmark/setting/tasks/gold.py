"""Gold answers: what the annotated statements and the rules answer to each query.

"We classify these as explicit and the assertions derived from applying the DSRS rules over these
are inferred" ("The DARPA Machine Reading Program", section 3.3): an answer is explicit when every
statement in it was annotated, else inferred, even from one excerpt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from readmark.corpus.documents import Excerpt, Solution, asked_of
from readmark.corpus.sitting import Row, Sitting, SittingHeader
from readmark.corpus.task_package import AnswerRow, QueryRow
from readmark.corpus.test import Test
from readmark.reasoning.contradictions import leaves
from readmark.reasoning.engine import Inference, infer
from readmark.reasoning.explanations import Derivation, explain
from readmark.reasoning.graphs import Asserted
from readmark.reasoning.namespaces import Namespaces
from readmark.reasoning.queries import answer
from readmark.reasoning.rules import Theory, parse_query
from readmark.reasoning.terms import Literal, Name, written
from readmark.setting.tasks.package import Package


@dataclass(frozen=True)
class Gold:
    """The answers, and the documents that contradict the theory, which have none."""

    rows: tuple[AnswerRow, ...]
    contradicted: tuple[str, ...]


def gold_of(package: Package, *, split: str | None = None, annotator: str | None = None) -> Gold:
    """The gold of a split's documents (all by default), from one annotator's graphs or from all."""
    ontology = package.ontology()
    namespaces = ontology.namespaces if ontology is not None else Namespaces()
    wanted = [id for id, of in package.splits.items() if split in (None, of)]
    asserted = [
        one
        for one in package.asserted(namespaces)
        if one.graph in package.splits and annotator in (None, one.annotator or annotator)
    ]
    queries = [row for _, _, row in package.queries()]
    with infer(asserted, package.theory() or Theory("Ontology"), ontology) as inference:
        broken = {one.graph for one in inference.contradictions()}
        sound = [id for id in wanted if id not in broken]
        mentions = mentions_of(asserted)
        rows = [row for one in queries for row in _answers(inference, one, sound, mentions)]
    order = {id: at for at, id in enumerate(wanted)}
    places = {row.id: at for at, row in enumerate(queries)}
    rows.sort(key=lambda row: (order[row.document], places[row.query]))
    return Gold(tuple(rows), tuple(id for id in wanted if id in broken))


def sitting_of(test: Test, gold: Gold, *, name: str, documents: Iterable[str]) -> Sitting:
    """A gold as somebody's sitting: they answered every query on the documents they annotated."""
    read = frozenset(documents)
    found: dict[tuple[str, str], list[Solution]] = defaultdict(list)
    for row in gold.rows:
        found[row.document, row.query].append(row.solution())
    asked = list(test.units())
    rows = {
        unit.id: Row(id=unit.id, bindings=msgspec.to_builtins(found[unit.group, unit.item.query]))
        for unit in asked
        if unit.group in read and unit.group not in gold.contradicted
    }
    covers = tuple(unit.id for unit in asked if unit.group in read)
    header = SittingHeader(
        kind=test.kind.name,
        paper=test.facts.paper,
        candidate=name,
        signature={"annotator": name},
        covers=None if len(covers) == len(asked) else covers,
    )
    return Sitting(header, rows)


Mentions = Mapping[tuple[str, Name], tuple[str, ...]]
"""Document and entity -> the words that the document has for it."""


def mentions_of(asserted: Iterable[Asserted]) -> Mentions:
    """What each document calls its entities, by the excerpts of subjects and objects."""
    found: dict[tuple[str, Name], dict[str, None]] = defaultdict(dict)
    for one in asserted:
        statement, support = one.statement, one.support
        for term, excerpts in (
            (statement.subject, support.subject),
            (statement.object, support.object),
        ):
            if isinstance(term, Name):
                for excerpt in excerpts:
                    found[one.graph, term].setdefault(excerpt.quote)
    return {key: tuple(quotes) for key, quotes in found.items()}


def _answers(
    inference: Inference, query: QueryRow, documents: Sequence[str], mentions: Mentions
) -> Iterator[AnswerRow]:
    asked = [id for id in documents if query.documents is None or id in query.documents]
    found = answer(inference, parse_query(query.graph), graphs=asked)
    wanted = [(one.graph, statement) for one in found for statement in one.statements]
    trees = iter(explain(inference, wanted))
    told: set[object] = set()
    pairs = [(one, [next(trees) for _ in one.statements]) for one in found]
    names = asked_of(query.fields)
    for one, derivations in sorted(pairs, key=lambda pair: pair[0].inferred):
        bound = {
            name: term for name, term in one.bindings.items() if names is None or name in names
        }
        if (one.graph, *bound.items()) in told:
            continue
        told.add((one.graph, *bound.items()))
        yield AnswerRow(
            document=one.graph,
            query=query.id,
            values={name: value_of(term) for name, term in bound.items()},
            inferred=one.inferred,
            excerpts=excerpts_of(derivations),
            mentions=_named(one.graph, bound, mentions),
            probability=one.probability if one.probability < 1 else None,
        )


def excerpts_of(derivations: Sequence[Derivation]) -> tuple[Excerpt, ...]:
    """The text behind derivations: of whole statements, else of their parts, in reading order."""
    found: set[Excerpt] = set()
    for leaf in leaves(derivations):
        support = leaf.support
        parts = (*support.subject, *support.predicate, *support.object)
        found |= set(support.statement or parts)
    return tuple(sorted(found))


def value_of(term: Name | Literal) -> str | int | float | bool:
    """A value in a row: numbers and truth as they are, the rest as the notation writes it."""
    if isinstance(term, Literal) and isinstance(term.value, bool | int | float):
        return term.value
    return written(term)


def _named(
    graph: str, bound: Mapping[str, Name | Literal], mentions: Mentions
) -> dict[str, tuple[str, ...]]:
    entities = (term for term in bound.values() if isinstance(term, Name))
    named = {written(term): mentions.get((graph, term), ()) for term in entities}
    return {entity: quotes for entity, quotes in named.items() if quotes}
