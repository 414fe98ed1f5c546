"""Queries: a graph with variables, answered by every instantiation that the statements hold."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError, did_you_mean
from readmark.tasks.reasoning.engine.conditions import Body
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.limits import run_limited
from readmark.tasks.reasoning.engine.probabilities import product
from readmark.tasks.reasoning.graphs import Pattern, Statement, statement_of, write_graph
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology, Property, datatype
from readmark.tasks.reasoning.rules.parser import condition_of, query_faults
from readmark.tasks.reasoning.rules.values import Condition, binding, patterns_of, rename_condition
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, written
from readmark.tasks.records import SHORT

SECONDS = 30.0
MOST = 1_000_000
LISTED = 20
"""Of at most so many graphs, the nearest to an unknown one is named."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A query's variables with values in one graph, and the statements that this makes."""

    graph: str
    bindings: Mapping[str, Name | Literal]
    statements: tuple[Statement, ...]
    probability: float
    inferred: bool
    """Whether a rule concluded any of the statements."""


def answer(
    inference: Inference,
    query: Iterable[Pattern | Condition],
    *,
    graphs: Iterable[str] | None = None,
    seconds: float | None = SECONDS,
    most: int = MOST,
) -> list[Answer]:
    """The answers in every graph, or in those named, sorted; at most so many and so long."""
    conditions = [_condition(one) for one in query]
    if inference.namespaces is not None:
        spell = inference.namespaces.canonical
        conditions = [rename_condition(one, spell) for one in conditions]
    for fault in query_faults(conditions):
        raise DataError(fault.message)
    store = inference.store
    body = Body(store)
    body.add(conditions)
    variables = sorted(body.codes)
    columns = [f"{body.graph} AS g", *(f"{body.codes[one]}" for one in variables)]
    aliases = body.aliases()
    columns.append(" OR ".join(f"{one}.round <> 0" for one in aliases) or "false")
    columns.append(product(aliases, body.atoms, store=store) if store.weighed else "1.0::DOUBLE")
    where = body.conditions()
    if graphs is not None:
        codes = ", ".join(str(one) for one in store.graph_codes(graphs)) or "NULL"
        where += f"{' AND' if where else ' WHERE'} {body.graph} IN ({codes})"
    sql = f"SELECT {', '.join(columns)} FROM {body.tables()}{where} LIMIT {most + 1}"
    rows = run_limited(store, sql, seconds)
    if len(rows) > most:
        raise DataError(f"the query has more than {most:,} answers")
    return _answers(inference, patterns_of(conditions), variables, rows)


def require_graphs(
    inference: Inference, graphs: Iterable[str], documents: Iterable[str] = ()
) -> None:
    """Refuses the name of a graph that is neither there nor a document without statements."""
    store, wanted = inference.store, list(dict.fromkeys(graphs))
    known = {*store.graph_names(store.graph_codes(wanted)).values(), *documents}
    for one in wanted:
        if one not in known:
            names = [text for (text,) in store.run("SELECT text FROM graphs ORDER BY id")]
            near = did_you_mean(one, names) if len(names) <= LISTED else f"{len(names):,} are known"
            raise DataError(f"there is no graph {one}: {near}")


def _answers(
    inference: Inference,
    patterns: Sequence[Pattern],
    variables: Sequence[Variable],
    rows: Sequence[tuple[Any, ...]],
) -> list[Answer]:
    store = inference.store
    graphs = store.graph_names(row[0] for row in rows)
    terms = store.terms(code for row in rows for code in row[1:-2])
    found = []
    for graph, *codes, inferred, probability in rows:
        values = [terms[code] for code in codes]
        bindings = {one.text: value for one, value in zip(variables, values, strict=True)}
        change = binding(bindings)
        statements = tuple(statement_of(one.with_terms(change)) for one in patterns)
        found.append(
            Answer(graphs[graph], bindings, statements, float(probability), bool(inferred))
        )
    return sorted(found, key=_order)


def _order(one: Answer) -> tuple[str, list[str]]:
    return one.graph, [written(value) for value in one.bindings.values()]


def _condition(one: Pattern | Condition) -> Condition:
    if not isinstance(one, Pattern):
        return one
    return condition_of([one.subject, one.predicate, one.object])


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
    belongs to and told by what it must have; it is no part of the answer. Properties that ask the
    same have one query, that of a property whose values are part of the answer.
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
        kept = next((one for one in several if one in shown), several[0])
        also = tuple(one.property for one in several if one is not kept)
        chosen[kept.id] = dataclasses.replace(kept, also=also)
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
    for one in statements:
        known = properties.get(one.predicate)
        if known is not None and not _is_hidden(ontology, known.range):
            attested[one.predicate][one.object] += 1
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
        graph.tell(value, one.range, but=one.name)
    text = one.annotations.get(QUESTION) or _question(ontology, one)
    return graph.query(one.name.text, text, one)


def _bound(ontology: Ontology, one: Property, value: Name | Literal) -> MadeQuery:
    graph = _Graph(ontology)
    graph.add(graph.subject(one), one.name, value)
    told = str(value.lexical) if isinstance(value, Literal) else value.text
    asked = one.annotations.get(QUESTION_OF)
    if asked is None:
        of = _label(ontology, one.domain) if one.domain is not None else "thing"
        asked = f"Of which {of} mentioned is {{}} the {_name(one)}?"
    return graph.query(f"{one.name.text}={written(value)}", _worded(asked, told), one)


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
        """What has the property, with what it takes to tell it from others."""
        if one.domain is None or one.domain == THING:
            return self.variable("thing")
        return self._entity(one.domain, one.name, frozenset())

    def value(self, one: Property) -> Variable:
        if one.range is None or datatype(one.range) is not None:
            return self.variable("value")
        found = self.variable(_word(one.range))
        if _is_hidden(self._ontology, one.range):
            self._hidden.add(found)
        return found

    def tell(self, entity: Term, of: Name, *, but: Name) -> None:
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
            found = self.variable(_word(of))
            self.add(found, TYPE, of)
            return found
        holder = holders[0]
        owner = self._entity(holder.domain or THING, asked, seen | {of})
        found = self.variable(_word(of))
        self._hidden.add(found)
        self.add(owner, holder.name, found)
        for one in ontology.properties.values():
            key = one.domain == of and one.least and one.range and datatype(one.range) is None
            if key and one.name != asked:
                self.add(found, one.name, self.value(one))
        return found

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
    found = _HEAD.search(re.split(r"[#/:]", name.text)[-1])
    return found[0].lower() if found else "thing"


def _drawn(
    values: Mapping[Name | Literal, int], most: int | None, seed: str
) -> Iterator[Name | Literal]:
    """At most so many, without repetition, each as likely as it is attested often."""
    if most is None or len(values) <= most:
        yield from values
        return
    ranked = sorted(values, key=lambda one: (-_lot(seed, one, values[one]), written(one)))
    yield from ranked[:most]


def _lot(seed: str, value: Name | Literal, times: int) -> float:
    """u to the power 1 / times ("Weighted random sampling with a reservoir"), u from a hash."""
    digest = hashlib.sha256(f"{seed}/{written(value)}".encode()).digest()
    return float(((int.from_bytes(digest[:7], "big") + 1) / 2**56) ** (1 / times))


# Names of a query that nothing knows, which would only ever give no answers.


def require_known(
    conditions: Iterable[Condition], ontology: Ontology, inference: Inference
) -> None:
    """Refuses a property or class that neither the ontology nor any statement has."""
    for pattern in patterns_of(conditions):
        predicate = pattern.predicate
        if isinstance(predicate, Name) and not _is_property(predicate, ontology, inference):
            hint = did_you_mean(predicate.text, (one.text for one in ontology.properties))
            raise DataError(f"there is no property {predicate.text}: {hint}", file="query")
        wanted = pattern.object
        if (
            predicate == TYPE
            and isinstance(wanted, Name)
            and wanted != THING
            and wanted not in ontology.classes
            and not _is_used(wanted, inference)
        ):
            hint = did_you_mean(wanted.text, (one.text for one in ontology.classes))
            raise DataError(f"there is no class {wanted.text}: {hint}", file="query")


def _is_property(name: Name, ontology: Ontology, inference: Inference) -> bool:
    return name in ontology.properties or name.text in SHORT or name.text in inference.store.tables


def _is_used(wanted: Name, inference: Inference) -> bool:
    store = inference.store
    return bool(
        store.run(
            f"SELECT 1 FROM {store.table(TYPE.text)} JOIN names ON names.id = o "
            "WHERE names.text = ? LIMIT 1",
            [wanted.text],
        )
    )
