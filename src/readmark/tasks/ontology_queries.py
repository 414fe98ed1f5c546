"""Query graphs made from an ontology, each with the question that people read.

There are queries for every property, for the entities of every class, for two properties together,
and for what has a value that statements attest.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from readmark.tasks.question_wording import (
    chained_questions,
    class_question,
    holder_question,
    joined_questions,
    value_question,
)
from readmark.tasks.reasoning.datatypes import datatype
from readmark.tasks.reasoning.graphs import Pattern, Statement, write_graph
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology, Property
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, written

MENTIONED = "mentioned"
"""The annotation of a class that says whether words of a text name its entities."""
ASKED_ROLES = ("target", "inferred")
_HEAD = re.compile(r"[A-Z]?[a-z0-9]+$|[A-Z]+$")


@dataclass(frozen=True, slots=True)
class OntologyQuery:
    """A query with its question; ``variables`` are those whose values make the answer."""

    id: str
    graph: str
    text: str
    property: str | None
    variables: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Other properties for which the same would be asked."""


def property_queries(ontology: Ontology, *roles: str) -> list[OntologyQuery]:
    """A query for every property of the roles, all but built-ins by default.

    An entity that no text names, such as what ties a score to its game, is found through what it
    belongs to and recognised by what it must have; it is no part of the answer. Properties that
    ask the same have one query, that of a property whose values are part of the answer.
    """
    properties = list(ontology.with_role(*(roles or ASKED_ROLES)))
    same: dict[tuple[str, tuple[str, ...]], list[OntologyQuery]] = {}
    with_values = set()
    for property in properties:
        query = _value_query(ontology, property)
        same.setdefault((query.graph, query.variables), []).append(query)
        if not _is_hidden(ontology, property.range):
            with_values.add(query.id)
    chosen = {}
    for queries in same.values():
        first = next((query for query in queries if query.id in with_values), queries[0])
        also = tuple(query.id for query in queries if query is not first)
        chosen[first.id] = replace(first, also=also)
    return [chosen[property.name.text] for property in properties if property.name.text in chosen]


def class_queries(ontology: Ontology) -> list[OntologyQuery]:
    """A query for the entities of every class that texts name and a property is about."""
    ends = {
        end
        for property in ontology.properties.values()
        for end in (property.domain, property.range)
    }
    queries = []
    for name in ontology.classes:
        has_properties = not ends.isdisjoint({name, *ontology.ancestors(name)})
        if has_properties and not _is_hidden(ontology, name):
            graph = _QueryGraph(ontology)
            graph.add(graph.variable(_last_word(name)), TYPE, name)
            queries.append(graph.query(name.text, class_question(ontology, name), None))
    return queries


def joint_queries(ontology: Ontology) -> list[OntologyQuery]:
    """Queries for two properties together: of one subject, or one property of another's value.

    Of one subject, neighbours in the ontology that have one value each are asked together.
    """
    properties = [
        property
        for property in ontology.with_role(*ASKED_ROLES)
        if property.domain in ontology.classes
        and not _is_hidden(ontology, property.domain)
        and not _is_hidden(ontology, property.range)
    ]
    queries = []
    for first, second in pairwise(properties):
        if first.domain == second.domain and first.greatest == second.greatest == 1:
            graph = _QueryGraph(ontology)
            subject = graph.subject(first)
            for property in (first, second):
                graph.add(subject, property.name, graph.value(property))
            id = f"{first.name.text}+{second.name.text}"
            queries.append(graph.query(id, joined_questions(ontology, first, second), None))
    for first in properties:
        for second in properties:
            if first.range != second.domain or first.range == first.domain:
                continue
            graph = _QueryGraph(ontology)
            middle = graph.value(first)
            graph.add(graph.subject(first), first.name, middle)
            graph.add(middle, second.name, graph.value(second))
            text = chained_questions(ontology, first, second, second.domain or THING)
            queries.append(graph.query(f"{first.name.text}/{second.name.text}", text, None))
    return queries


def attested_queries(
    ontology: Ontology, statements: Iterable[Statement], *, most: int | None = None, seed: int = 1
) -> list[OntologyQuery]:
    """For every property, queries for what has a value that statements attest.

    Where a property has more than ``most`` of them, they are drawn, each as likely as it is
    attested often; the draws are the same on any machine.
    """
    properties = {property.name: property for property in ontology.with_role(*ASKED_ROLES)}
    attested: dict[Name, Counter[Name | Literal]] = {name: Counter() for name in properties}
    for statement in statements:
        property = properties.get(statement.predicate)
        if property is not None and not _is_hidden(ontology, property.range):
            attested[statement.predicate][statement.object] += 1
    return [
        _holder_query(ontology, properties[name], value)
        for name, values in attested.items()
        for value in sorted(_drawn(values, most, f"{seed}/{name.text}"), key=written)
    ]


def _value_query(ontology: Ontology, property: Property) -> OntologyQuery:
    """Asks for the subjects and the values of a property."""
    graph = _QueryGraph(ontology)
    subject = graph.subject(property)
    value = graph.value(property)
    graph.add(subject, property.name, value)
    if property.range is not None and _is_hidden(ontology, property.range):
        graph.describe(value, property.range, except_for=property.name)
    return graph.query(property.name.text, value_question(ontology, property), property.name)


def _holder_query(ontology: Ontology, property: Property, value: Name | Literal) -> OntologyQuery:
    """Asks for the subjects that have a value of a property."""
    graph = _QueryGraph(ontology)
    graph.add(graph.subject(property), property.name, value)
    words = str(value.lexical) if isinstance(value, Literal) else value.text
    text = holder_question(ontology, property, words)
    return graph.query(f"{property.name.text}={written(value)}", text, property.name)


class _QueryGraph:
    """The triples of a query as they are put together."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._triples: list[Pattern] = []
        self._hidden: set[Variable] = set()
        self._names: Counter[str] = Counter()

    def add(self, subject: Term, predicate: Name, value: Term) -> None:
        """Add a triple, once."""
        triple = Pattern(subject, predicate, value)
        if triple not in self._triples:
            self._triples.append(triple)

    def variable(self, word: str) -> Variable:
        """A new variable, called after what it stands for."""
        self._names[word] += 1
        number = self._names[word]
        return Variable(word if number == 1 else f"{word}{number}")

    def subject(self, property: Property) -> Variable:
        """A variable for what has the property; adds the triples that tell it from others."""
        if property.domain is None or property.domain == THING:
            return self.variable("thing")
        return self._entity(property.domain, property.name, frozenset())

    def value(self, property: Property) -> Variable:
        """A variable for the property's value; an entity that no text names is not asked for."""
        if property.range is None or datatype(property.range) is not None:
            return self.variable("value")
        variable = self.variable(_last_word(property.range))
        if _is_hidden(self._ontology, property.range):
            self._hidden.add(variable)
        return variable

    def describe(self, entity: Term, of: Name, *, except_for: Name) -> None:
        """Add the properties that everything of a class has."""
        for property in self._ontology.properties.values():
            fits = property.domain is not None and self._ontology.is_a(of, property.domain)
            if fits and property.least and property.name != except_for:
                self.add(entity, property.name, self.value(property))

    def _entity(self, of: Name, asked: Name, seen: frozenset[Name]) -> Variable:
        """A variable for an entity; one that no text names is found through what it belongs to."""
        ontology = self._ontology
        holders = [
            property
            for property in ontology.properties.values()
            if property.range is not None
            and ontology.is_a(of, property.range)
            and datatype(property.range) is None
            and property.domain not in (None, of, *seen)
        ]
        if not _is_hidden(ontology, of) or not holders:
            variable = self.variable(_last_word(of))
            self.add(variable, TYPE, of)
            return variable
        holder = holders[0]
        owner = self._entity(holder.domain or THING, asked, seen | {of})
        variable = self.variable(_last_word(of))
        self._hidden.add(variable)
        self.add(owner, holder.name, variable)
        for property in ontology.properties.values():
            identifies = (
                property.domain == of
                and property.least
                and property.range
                and datatype(property.range) is None
            )
            if identifies and property.name != asked:
                self.add(variable, property.name, self.value(property))
        return variable

    def query(self, id: str, text: str, property: Name | None) -> OntologyQuery:
        """The query of all triples that were added."""
        terms = (term for triple in self._triples for term in (triple.subject, triple.object))
        variables = dict.fromkeys(term for term in terms if isinstance(term, Variable))
        answer = tuple(variable.text for variable in variables if variable not in self._hidden)
        name = None if property is None else property.text
        return OntologyQuery(id, write_graph(self._triples), text, name, answer)


def _is_hidden(ontology: Ontology, name: Name | None) -> bool:
    """Whether no text names the entities of a class."""
    owl_class = ontology.classes.get(name) if name is not None else None
    return owl_class is not None and owl_class.annotations.get(MENTIONED) == "false"


def _last_word(name: Name) -> str:
    """The last word of a class name: ``game`` of ``NFLGame``."""
    match = _HEAD.search(re.split(r"[#/:]", name.text)[-1])
    return match[0].lower() if match else "thing"


def _drawn(
    values: Mapping[Name | Literal, int], most: int | None, seed: str
) -> Iterator[Name | Literal]:
    """At most so many, without repetition, each as likely as it is attested often."""
    if most is None or len(values) <= most:
        yield from values
        return
    ranked = sorted(values, key=lambda value: (-_rank(seed, value, values[value]), written(value)))
    yield from ranked[:most]


def _rank(seed: str, value: Name | Literal, times: int) -> float:
    """u to the power 1 / times ("Weighted random sampling with a reservoir"), u from a hash."""
    digest = hashlib.sha256(f"{seed}/{written(value)}".encode()).digest()
    return float(((int.from_bytes(digest[:7], "big") + 1) / 2**56) ** (1 / times))
