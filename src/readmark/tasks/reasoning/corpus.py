"""Statements of several documents as one graph: which names are one entity, and why.

A name belongs to its document: Game-1 of two documents is two entities, written Game-1@DOCUMENT.
Only what is declared makes them one: keys, inverse functional properties and shared names of the
ontology, rules that conclude sameAs, and sameAs itself. One name then stands for all of an entity.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from readmark.core.errors import DataError
from readmark.tasks.names import escaped
from readmark.tasks.reasoning.blank_nodes import scopes
from readmark.tasks.reasoning.derivations import Derivation, explain, leaves
from readmark.tasks.reasoning.disjoint_sets import DisjointSets
from readmark.tasks.reasoning.engine.chance import either
from readmark.tasks.reasoning.engine.inference import (
    Inference,
    infer_loaded,
    with_constraints,
)
from readmark.tasks.reasoning.engine.loading import Supports, load
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.graphs import Asserted, Pattern, Statement
from readmark.tasks.reasoning.ontology import SAME, TYPE, Ontology
from readmark.tasks.reasoning.rdf_terms import BLANK
from readmark.tasks.reasoning.rules.builtins import ORDERED
from readmark.tasks.reasoning.rules.reach import reach
from readmark.tasks.reasoning.rules.values import Builtin, Condition, Rule, Theory, terms_of
from readmark.tasks.reasoning.terms import Literal, Name, Variable

CORPUS = "corpus"
"""The graph of all documents."""
PREFIX = "identity:"
"""What the names of the ontology's identity rules start with."""


@dataclass(frozen=True)
class EntityLink:
    """Two names of one entity, and the sameAs statements between them with their derivations."""

    name: Name
    entity: Name
    """The name that stands for the entity."""
    steps: tuple[Derivation, ...]

    def as_json(self) -> dict[str, Any]:
        """Both names, and the rules that link them."""
        rules = [step.rule.name if step.rule is not None else None for step in self.steps]
        return {
            "name": self.name.text,
            "entity": self.entity.text,
            "rules": rules,
            "probability": min(step.probability for step in self.steps),
        }


@dataclass(frozen=True)
class Corpus:
    """What follows from all documents; closed after use."""

    inference: Inference
    asserted: tuple[Asserted, ...]
    """The statements of all documents as those of one graph, each once."""
    links: Mapping[Name, EntityLink]
    """Names that stand for nothing themselves any more."""

    @property
    def documents(self) -> dict[Statement, tuple[str, ...]]:
        """The documents that state each statement, after links."""
        return {
            statement: tuple(dict.fromkeys(one.graph for one in found))
            for (_, statement), found in self.inference.supports.items()
        }


def documents_of(derivations: Iterable[Derivation]) -> tuple[str, ...]:
    """The documents that derivations rest on, links included, in their order."""
    found = leaves(derivations, linked=True)
    return tuple(dict.fromkeys(name for leaf in found for name in leaf.documents))


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
    whole = replace(
        with_constraints(theory, ontology),
        rules=(*with_constraints(theory, ontology).rules, *identity_rules(ontology)),
    )
    _require_plain(whole)
    stated = list(_apart(list(asserted), whole, ontology))
    links = _Links(stated)
    while True:
        merged, supports, highs = _merged(stated, links)
        store = Store(memory=memory)
        with store.closed_on_error():
            load(store, merged)
        left = None if end is None else max(end - time.monotonic(), 0.0001)
        inference = infer_loaded(store, supports, whole, seconds=left)
        inference.namespaces = None if ontology is None else ontology.namespaces
        inference.links, inference.highs = links.found(), highs
        with store.closed_on_error():
            pairs = _same(inference)
            if not pairs:
                if SAME.text in store.tables:  # Each entity is itself: nothing to report.
                    store.run(f"DELETE FROM {store.tables[SAME.text]} WHERE s = o")
                return Corpus(inference, tuple(merged), links.links())
            links.add(inference, pairs)
        inference.close()


def identity_rules(ontology: Ontology | None) -> Iterator[Rule]:
    """Keys and inverse functional properties as rules that conclude sameAs."""
    if ontology is None:
        return
    one, other = Variable("a"), Variable("b")
    apart = (Builtin(ORDERED, (one, other)),)
    same = (Pattern(one, SAME, other),)
    for known in ontology.properties.values():
        if known.identifies:
            body = (
                Pattern(one, known.name, Variable("v")),
                Pattern(other, known.name, Variable("v")),
            )
            name = f"{PREFIX} {known.name.text} is inverse functional"
            comment = f"What has the same {known.name.text} is one entity."
            yield Rule(name, body, builtins=apart, head=same, comment=comment)
    for class_ in ontology.classes.values():
        for key in class_.keys:
            values = [Variable(f"v{number}") for number in range(1, len(key) + 1)]
            patterns = [Pattern(x, TYPE, class_.name) for x in (one, other)]
            patterns += [
                Pattern(x, part, value)
                for part, value in zip(key, values, strict=True)
                for x in (one, other)
            ]
            parts = ", ".join(part.text for part in key)
            name = f"{PREFIX} {class_.name.text} has the key {parts}"
            comment = f"Of the class {class_.name.text}, what has the same {parts} is one entity."
            yield Rule(name, tuple(patterns), builtins=apart, head=same, comment=comment)


def _require_plain(theory: Theory) -> None:
    """An identity that rests on a denial could be undone by the links that follow from it."""
    plain = [rule for rule in theory.rules if rule.contradicts is None]
    for rule in plain:
        links = any(pattern.predicate == SAME for pattern in rule.head)
        if links and (rule.groups() or reach(rule, plain).denies):
            message = f"{rule.name}: what is concluded to be the same may not rest on :if-not"
            raise DataError(message, file=theory.file, where=rule.line or None)


# Names of documents: their own, unless they are those of the domain.


def _apart(
    asserted: Sequence[Asserted], theory: Theory, ontology: Ontology | None
) -> Iterator[Asserted]:
    """The statements with the names of each document's own entities marked by the document."""
    shared = set(_named(theory))
    classes: set[Name] = set()
    if ontology is not None:
        shared |= {*ontology.classes, *ontology.properties, *ontology.individuals}
        classes = {
            name
            for name in ontology.classes
            if any(
                ontology.classes[above].same_name
                for above in ontology.ancestors(name)
                if above in ontology.classes
            )
        }
    named = set(_of_classes(asserted, classes, ontology))
    blank = scopes(dict.fromkeys(one.graph for one in asserted))

    def own(name: Name, document: str) -> Name:
        text = name.text
        if text.startswith(BLANK):
            return Name(f"{BLANK}{blank[document]}{text[len(BLANK) :]}")
        if ":" in text or name in shared or (document, name) in named:
            return name
        return Name(f"{text}@{escaped(document)}")

    for one in asserted:
        statement, document = one.statement, one.graph
        object_ = statement.object
        if isinstance(object_, Name) and statement.predicate != TYPE:
            object_ = own(object_, document)
        changed = Statement(own(statement.subject, document), statement.predicate, object_)
        yield replace(one, statement=changed)


def _of_classes(
    asserted: Iterable[Asserted], classes: set[Name], ontology: Ontology | None
) -> Iterator[tuple[str, Name]]:
    """The names in each document that are of the classes, by what is said or by a property's."""
    for one in asserted:
        statement = one.statement
        known = None if ontology is None else ontology.properties.get(statement.predicate)
        if statement.predicate == TYPE and statement.object in classes:
            yield one.graph, statement.subject
        if known is not None and known.domain in classes:
            yield one.graph, statement.subject
        if known is not None and known.range in classes and isinstance(statement.object, Name):
            yield one.graph, statement.object


def _named(theory: Theory) -> Iterator[Name]:
    """The names that rules mention."""
    for rule in theory.rules:
        conditions: list[Condition] = [*rule.positive, *rule.builtins]
        conditions += [condition for group in rule.negative for condition in group]
        conditions += rule.head if rule.contradicts is None else ()
        for condition in conditions:
            yield from (term for term in terms_of(condition) if isinstance(term, Name))


def _merged(
    stated: Sequence[Asserted], links: _Links
) -> tuple[list[Asserted], Supports, dict[tuple[str, Statement], float]]:
    """The statements of all documents as one graph, who states each, and upper bounds.

    A probability is a lower bound where links are uncertain. What these rest on has a bound too:
    it may not count as independent of what they link.
    """
    found: dict[Statement, list[Asserted]] = {}
    for one in stated:
        statement = links.changed(one.statement)
        if statement.predicate != SAME or statement.subject != statement.object:
            found.setdefault(statement, []).append(one)
    merged: list[Asserted] = []
    basis = links.basis()
    highs: dict[tuple[str, Statement], float] = {}
    for statement, several in found.items():
        sure: dict[str, float] = {}
        every: dict[str, float] = {}
        low = 0.0
        for one in several:
            every[one.graph] = max(every.get(one.graph, 0.0), one.probability)
            link = links.chance(one.statement)
            if link == 1:
                sure[one.graph] = max(sure.get(one.graph, 0.0), one.probability)
            low = max(low, one.probability * link)
        low = max(low, either(sure.values()))
        high = either(every.values())
        merged.append(Asserted(CORPUS, statement, probability=low))
        if high > low or statement in basis:
            highs[CORPUS, statement] = high
    return merged, {(CORPUS, key): tuple(several) for key, several in found.items()}, highs


def _same(inference: Inference) -> list[Statement]:
    """The links between different names."""
    store = inference.store
    table = store.tables.get(SAME.text)
    if table is None:
        return []
    rows = store.run(f"SELECT DISTINCT s, o FROM {table} WHERE s <> o ORDER BY s, o")
    terms = store.terms(code for row in rows for code in row)
    found = []
    for subject, object_ in rows:
        first, second = terms[subject], terms[object_]
        if isinstance(first, Name) and isinstance(second, Name):
            found.append(Statement(first, SAME, second))
    return found


class _Links:
    """Names that are one entity: a forest of links, of which each tree has one name for all."""

    def __init__(self, stated: Iterable[Asserted]) -> None:
        self._groups = DisjointSets()
        self._place: dict[Name | Literal, int] = {}
        for one in stated:
            for term in (one.statement.subject, one.statement.object):
                self._place.setdefault(term, len(self._place))
        self._steps: dict[Name, list[tuple[Name, Derivation]]] = {}
        self._names: dict[Name, Name] = {}
        self._found: dict[Name, tuple[Derivation, ...]] = {}

    def add(self, inference: Inference, pairs: Sequence[Statement]) -> None:
        """Links names, each pair that was not linked yet, with its derivation."""
        new = []
        for pair in pairs:
            first, second = pair.subject, pair.object
            if self._groups.root(first) != self._groups.root(second):
                self._groups.join([first, second])
                new.append(pair)
        for tree in explain(inference, [(CORPUS, pair) for pair in new]):
            first, second = tree.statement.subject, tree.statement.object
            if isinstance(second, Name):
                self._steps.setdefault(first, []).append((second, tree))
                self._steps.setdefault(second, []).append((first, tree))
        members: dict[Any, list[Name]] = {}
        for name in self._steps:
            members.setdefault(self._groups.root(name), []).append(name)
        for several in members.values():
            entity = min(several, key=self._order)  # The one that was stated first.
            self._names.update((name, entity) for name in several)
            self._walk(entity)

    def _order(self, name: Name) -> tuple[int, str]:
        return self._place.get(name, len(self._place)), name.text

    def _walk(self, entity: Name) -> None:
        """The steps from each name of an entity to the one that stands for it."""
        self._found.pop(entity, None)
        waiting: deque[tuple[Name, tuple[Derivation, ...]]] = deque([(entity, ())])
        seen = {entity}
        while waiting:
            name, steps = waiting.popleft()
            for other, tree in self._steps[name]:
                if other not in seen:
                    seen.add(other)
                    self._found[other] = (tree, *steps)
                    waiting.append((other, self._found[other]))

    def changed(self, statement: Statement) -> Statement:
        """The statement with the names that stand for entities."""
        object_: Name | Literal = statement.object
        if isinstance(object_, Name):
            object_ = self._names.get(object_, object_)
        subject = self._names.get(statement.subject, statement.subject)
        return Statement(subject, statement.predicate, object_)

    def chance(self, statement: Statement) -> float:
        """The least probability of the links of a statement's names."""
        steps = {
            step.statement: step.probability
            for term in (statement.subject, statement.object)
            if isinstance(term, Name)
            for step in self._found.get(term, ())
        }
        return math.prod(steps.values())

    def basis(self) -> set[Statement]:
        """What the uncertain links rest on."""
        uncertain = (
            step for steps in self._found.values() for step in steps if step.probability < 1
        )
        return {self.changed(leaf.statement) for leaf in leaves(uncertain, linked=True)}

    def found(self) -> dict[Name, tuple[Derivation, ...]]:
        """The steps of every name that is linked to another."""
        return dict(self._found)

    def links(self) -> dict[Name, EntityLink]:
        """The same by name, sorted."""
        return {
            name: EntityLink(name, self._names[name], self._found[name])
            for name in sorted(self._found)
        }
