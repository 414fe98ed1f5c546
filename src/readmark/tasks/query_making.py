"""Queries made from an ontology and from what statements attest, with questions for people."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.errors import UsageError
from readmark.core.files import line, read_bytes, require_distinct_files, writing
from readmark.tasks.ground import Reasoning, ground
from readmark.tasks.manifest import QueryRow
from readmark.tasks.package import domain_folder
from readmark.tasks.reasoning.graphs import Pattern, Statement, write_graph
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology, Property, datatype
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, written

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class WrittenQueries(Result):
    """The queries of an ontology, and the file that they were written to, if any."""

    queries: tuple[QueryRow, ...]
    seed: int
    output: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was written."""
        return (
            ()
            if self.output is None
            else (f"{self.output}: {counted(len(self.queries), 'query')}",)
        )

    def as_json(self) -> dict[str, Any]:
        """The queries as rows of a task."""
        return {"queries": to_builtins(self.queries), "seed": self.seed}

    def show(self, console: Console) -> None:
        """A query a line, with tabs between id, question and graph; none where a file has them."""
        for query in self.queries if self.output is None else ():
            print(f"{query.id}\t{query.text}\t{query.graph}", file=console.file)


def write_queries(
    ontology: str,
    attested: Sequence[str] = (),
    *,
    output: str | None = None,
    most: int | None = None,
    seed: int = 1,
) -> WrittenQueries:
    """A query a property of an ontology or a domain; with tasks or files of statements, also one
    for every value that they attest, or for ``most`` of a property's, drawn by ``seed``.
    """
    file = _ontology_file(ontology)
    known = read_ontology(read_bytes(file), file=str(file))
    made = make_queries(known)
    if attested:
        domain = str(file.parent) if list(file.parent.glob("*.dsrs")) else None
        with ground(attested, Reasoning(ontology=str(file), domain=domain)) as found:
            statements = [statement.statement for statement in found.inference.statements()]
        made += make_attested(known, statements, most=most, seed=seed)
    rows = tuple(_row(query) for query in made)
    if output is not None:
        require_distinct_files([output], [ontology, *attested])
        with writing(output) as stream:
            for row in rows:
                stream.write(line(row))
    return WrittenQueries(rows, seed, output)


def _ontology_file(name: str) -> Path:
    """An ontology's file, or that of a domain."""
    if Path(name).is_file():
        return Path(name)
    files = sorted(domain_folder(name).glob("ontology.*"))
    if not files:
        raise UsageError(f"{name} has no ontology")
    return files[0]


def _row(query: MadeQuery) -> QueryRow:
    also = {"also": list(query.also)} if query.also else {}
    return QueryRow(
        id=query.id,
        graph=query.graph,
        text=query.text,
        property=query.property,
        fields={"variables": list(query.variables)} | also,
    )


# Queries generated from an ontology, one a property, each with the question that people read.


QUESTION, QUESTION_OF, MENTIONED = "question", "questionOf", "mentioned"
"""Annotations of an ontology: a property's questions, and whether words of a text name a class."""

_NUMBER_OF = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_HEAD = re.compile(r"[A-Z]?[a-z0-9]+$|[A-Z]+$")


@dataclass(frozen=True, slots=True)
class MadeQuery:
    """A query with its question; ``variables`` are those whose values make the answer."""

    id: str
    graph: str
    text: str
    property: str
    variables: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Other properties for which the same would be asked."""


def make_queries(ontology: Ontology, *roles: str) -> list[MadeQuery]:
    """A query for every property of the roles, all but built-ins by default.

    An entity that no text names, such as what ties a score to its game, is found through what it
    belongs to and recognised by what it must have; it is no part of the answer. Properties that
    ask the same have one query, that of a property whose values are part of the answer.
    """
    wanted = roles or ("target", "inferred")
    same: dict[tuple[str, tuple[str, ...]], list[MadeQuery]] = {}
    shown = []
    for one in ontology.with_role(*wanted):
        made = _open(ontology, one)
        same.setdefault((made.graph, made.variables), []).append(made)
        if not _is_hidden(ontology, one.range):
            shown.append(made)
    chosen = {}
    for several in same.values():
        first = next((query for query in several if query in shown), several[0])
        also = tuple(query.property for query in several if query is not first)
        chosen[first.id] = dataclasses.replace(first, also=also)
    order = [one.name.text for one in ontology.with_role(*wanted)]
    return [chosen[id] for id in order if id in chosen]


def make_attested(
    ontology: Ontology, statements: Iterable[Statement], *, most: int | None = None, seed: int = 1
) -> list[MadeQuery]:
    """For every property, queries for what has a value that statements attest.

    Where a property has more than ``most`` of them, they are drawn, each as likely as it is
    attested often; the draws are the same on any machine.
    """
    properties = {one.name: one for one in ontology.with_role("target", "inferred")}
    attested: dict[Name, Counter[Name | Literal]] = {name: Counter() for name in properties}
    for statement in statements:
        known = properties.get(statement.predicate)
        if known is not None and not _is_hidden(ontology, known.range):
            attested[statement.predicate][statement.object] += 1
    return [
        _bound(ontology, properties[name], value)
        for name, values in attested.items()
        for value in sorted(_drawn(values, most, f"{seed}/{name.text}"), key=written)
    ]


def _open(ontology: Ontology, one: Property) -> MadeQuery:
    graph = _Graph(ontology)
    subject = graph.subject(one)
    value = graph.value(one)
    graph.add(subject, one.name, value)
    if one.range is not None and _is_hidden(ontology, one.range):
        graph.describe(value, one.range, but=one.name)
    text = one.annotations.get(QUESTION) or _question(ontology, one)
    return graph.query(one.name.text, text, one)


def _bound(ontology: Ontology, one: Property, value: Name | Literal) -> MadeQuery:
    graph = _Graph(ontology)
    graph.add(graph.subject(one), one.name, value)
    shown = str(value.lexical) if isinstance(value, Literal) else value.text
    asked = one.annotations.get(QUESTION_OF)
    if asked is None:
        of = _label(ontology, one.domain) if one.domain is not None else "thing"
        asked = f"Of which {of} mentioned is {{}} the {_name(one)}?"
    return graph.query(f"{one.name.text}={written(value)}", _worded(asked, shown), one)


def _worded(question: str, value: str) -> str:
    """A question with its value in place of ``{}``; of ``{point|points}`` one goes with 1."""
    chosen = _NUMBER_OF.sub(lambda found: found[1 if value == "1" else 2], question)
    return chosen.replace("{}", value)


class _Graph:
    """The triples of a query as they are put together."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology
        self._triples: list[Pattern] = []
        self._hidden: set[Variable] = set()
        self._taken: Counter[str] = Counter()

    def add(self, subject: Term, predicate: Name, value: Term) -> None:
        triple = Pattern(subject, predicate, value)
        if triple not in self._triples:
            self._triples.append(triple)

    def variable(self, word: str) -> Variable:
        """A variable of its own, called after what it stands for."""
        self._taken[word] += 1
        number = self._taken[word]
        return Variable(word if number == 1 else f"{word}{number}")

    def subject(self, one: Property) -> Variable:
        """What has the property, with what distinguishes it from others."""
        if one.domain is None or one.domain == THING:
            return self.variable("thing")
        return self._entity(one.domain, one.name, frozenset())

    def value(self, one: Property) -> Variable:
        if one.range is None or datatype(one.range) is not None:
            return self.variable("value")
        variable = self.variable(_word(one.range))
        if _is_hidden(self._ontology, one.range):
            self._hidden.add(variable)
        return variable

    def describe(self, entity: Term, of: Name, *, but: Name) -> None:
        """The properties that everything of a class has."""
        for one in self._ontology.properties.values():
            fits = one.domain is not None and self._ontology.is_a(of, one.domain)
            if fits and one.least and one.name != but:
                self.add(entity, one.name, self.value(one))

    def _entity(self, of: Name, asked: Name, seen: frozenset[Name]) -> Variable:
        ontology = self._ontology
        holders = [
            one
            for one in ontology.properties.values()
            if one.range is not None
            and ontology.is_a(of, one.range)
            and datatype(one.range) is None
            and one.domain not in (None, of, *seen)
        ]
        if not _is_hidden(ontology, of) or not holders:
            variable = self.variable(_word(of))
            self.add(variable, TYPE, of)
            return variable
        holder = holders[0]
        owner = self._entity(holder.domain or THING, asked, seen | {of})
        variable = self.variable(_word(of))
        self._hidden.add(variable)
        self.add(owner, holder.name, variable)
        for one in ontology.properties.values():
            key = one.domain == of and one.least and one.range and datatype(one.range) is None
            if key and one.name != asked:
                self.add(variable, one.name, self.value(one))
        return variable

    def query(self, id: str, text: str, one: Property) -> MadeQuery:
        """The whole."""
        terms = (term for triple in self._triples for term in (triple.subject, triple.object))
        named = dict.fromkeys(term for term in terms if isinstance(term, Variable))
        shown = tuple(each.text for each in named if each not in self._hidden)
        return MadeQuery(id, write_graph(self._triples), text, one.name.text, shown)


def _is_hidden(ontology: Ontology, name: Name | None) -> bool:
    known = ontology.classes.get(name) if name is not None else None
    return known is not None and known.annotations.get(MENTIONED) == "false"


def _question(ontology: Ontology, one: Property) -> str:
    """A question from labels, where the ontology has none of its own."""
    of = _label(ontology, one.domain) if one.domain is not None else "thing"
    kind = datatype(one.range) if one.range is not None else None
    if kind == "boolean":
        return f"Is there {_name(one)}, for each {of} mentioned?"
    if one.range is None or kind is not None:
        return f"What is the {_name(one)} of each {of} mentioned?"
    return f"Which {_label(ontology, one.range)} is the {_name(one)} of each {of} mentioned?"


def _name(one: Property) -> str:
    return one.label or _spaced(one.name)


def _label(ontology: Ontology, name: Name) -> str:
    known = ontology.classes.get(name)
    return (known.label if known is not None else "") or _spaced(name)


def _spaced(name: Name) -> str:
    """``homeTeamInGame`` as words."""
    local = re.split(r"[#/:]", name.text)[-1]
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", local).lower()


def _word(name: Name) -> str:
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
    ranked = sorted(values, key=lambda value: (-_lot(seed, value, values[value]), written(value)))
    yield from ranked[:most]


def _lot(seed: str, value: Name | Literal, times: int) -> float:
    """u to the power 1 / times ("Weighted random sampling with a reservoir"), u from a hash."""
    digest = hashlib.sha256(f"{seed}/{written(value)}".encode()).digest()
    return float(((int.from_bytes(digest[:7], "big") + 1) / 2**56) ** (1 / times))
