"""Statements of several documents as one graph: which names are one entity, and why.

A name belongs to its document: Game-1 of two documents is two entities, written Game-1@DOCUMENT.
Only what is declared makes them one: keys, inverse functional properties and shared names of the
ontology, rules that conclude sameAs, and sameAs itself. One name then stands for all of an entity.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.tasks.reasoning.derivations import Derivation, leaves
from readmark.tasks.reasoning.document_names import with_document_names
from readmark.tasks.reasoning.engine.chance import either
from readmark.tasks.reasoning.engine.inference import Inference, infer_loaded, with_constraints
from readmark.tasks.reasoning.engine.loading import Supports, load
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.entity_links import EntityLink, EntityLinks
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.identity_rules import identity_rules, require_undenied
from readmark.tasks.reasoning.ontology import SAME, Ontology
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Name

CORPUS = "corpus"
"""The graph of all documents."""


@dataclass(frozen=True)
class Corpus:
    """What follows from all documents; closed after use."""

    inference: Inference
    asserted: tuple[Asserted, ...]
    """The statements of all documents as those of one graph, each once."""
    links: Mapping[Name, EntityLink]
    """Names that no longer stand for an entity themselves."""

    @property
    def documents(self) -> dict[Statement, tuple[str, ...]]:
        """The documents that state each statement, after links."""
        return {
            statement: tuple(dict.fromkeys(each.graph for each in asserted))
            for (_, statement), asserted in self.inference.supports.items()
        }


def documents_of(derivations: Iterable[Derivation]) -> tuple[str, ...]:
    """The documents that derivations rest on, links included, in their order."""
    inputs = leaves(derivations, linked=True)
    return tuple(dict.fromkeys(document for leaf in inputs for document in leaf.documents))


def gather(
    asserted: Iterable[Asserted],
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    seconds: float | None = None,
    memory: int | None = None,
) -> Corpus:
    """Infers over all documents together, round by round until no more names are linked.

    Links are made of everything that is stated, however unlikely. What was stated of another name
    then has bounds: its own probability, and that times its links'. Within a document a statement
    has the greatest of its probabilities; documents that state the same count as independent.
    """
    end = None if seconds is None else time.monotonic() + seconds
    whole = with_constraints(theory, ontology)
    if ontology is not None:
        whole = replace(whole, rules=(*whole.rules, *identity_rules(ontology)))
    require_undenied(whole)
    stated = list(with_document_names(list(asserted), whole, ontology))
    links = EntityLinks(stated)
    while True:
        merged = _merge(stated, links)
        store = Store(memory=memory)
        with store.closed_on_error():
            load(store, merged.asserted)
        left = None if end is None else max(end - time.monotonic(), 0.0001)
        inference = infer_loaded(store, merged.supports, whole, seconds=left)
        inference.namespaces = None if ontology is None else ontology.namespaces
        inference.links, inference.highs = links.steps(), merged.highs
        with store.closed_on_error():
            pairs = _new_links(inference)
            if not pairs:
                if SAME.text in store.tables:  # Each entity is itself: nothing to report.
                    store.run(f"DELETE FROM {store.tables[SAME.text]} WHERE s = o")
                return Corpus(inference, tuple(merged.asserted), links.by_name())
            links.add(inference, CORPUS, pairs)
        inference.close()


@dataclass(frozen=True)
class _Merged:
    """The statements of all documents as one graph."""

    asserted: list[Asserted]
    supports: Supports
    """Who states each."""
    highs: dict[tuple[str, Statement], float]
    """Upper bounds of probabilities that are not known exactly."""


def _merge(stated: Sequence[Asserted], links: EntityLinks) -> _Merged:
    """Statements with linked names, each once.

    A probability is a lower bound where links are uncertain. What these rest on has a bound too:
    it may not count as independent of what they link.
    """
    inputs: dict[Statement, list[Asserted]] = {}
    for each in stated:
        statement = links.linked(each.statement)
        if statement.predicate != SAME or statement.subject != statement.object:
            inputs.setdefault(statement, []).append(each)
    merged: list[Asserted] = []
    basis = links.basis_of_uncertain()
    highs: dict[tuple[str, Statement], float] = {}
    for statement, several in inputs.items():
        by_certain_links: dict[str, float] = {}
        by_any_links: dict[str, float] = {}
        low = 0.0
        for each in several:
            document, probability = each.graph, each.probability
            by_any_links[document] = max(by_any_links.get(document, 0.0), probability)
            link_chance = links.chance(each.statement)
            if link_chance == 1:
                by_certain_links[document] = max(by_certain_links.get(document, 0.0), probability)
            low = max(low, probability * link_chance)
        low = max(low, either(by_certain_links.values()))
        high = either(by_any_links.values())
        merged.append(Asserted(CORPUS, statement, probability=low))
        if high > low or statement in basis:
            highs[CORPUS, statement] = high
    supports = {(CORPUS, key): tuple(several) for key, several in inputs.items()}
    return _Merged(merged, supports, highs)


def _new_links(inference: Inference) -> list[Statement]:
    """The sameAs statements between different names."""
    store = inference.store
    table = store.tables.get(SAME.text)
    if table is None:
        return []
    rows = store.run(f"SELECT DISTINCT s, o FROM {table} WHERE s <> o ORDER BY s, o")
    terms = store.terms(code for row in rows for code in row)
    pairs = [(terms[subject], terms[object_]) for subject, object_ in rows]
    return [
        Statement(first, SAME, second)
        for first, second in pairs
        if isinstance(first, Name) and isinstance(second, Name)
    ]
