"""Queries made from an ontology and from what statements attest, with questions for people."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from readmark.core.counts import counted
from readmark.core.display import Result
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.files import read_bytes
from readmark.core.json_lines import json_line
from readmark.core.writing import writing
from readmark.tasks.ground import Reasoning, ground
from readmark.tasks.manifest import QueryRow
from readmark.tasks.package import domain_folder
from readmark.tasks.reasoning.graphs import Pattern, Statement, write_graph
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology, Property, datatype
from readmark.tasks.reasoning.owl import read_ontology
from readmark.tasks.reasoning.terms import Literal, Name, Term, Variable, written

if TYPE_CHECKING:
    from rich.console import Console


SORTS = ("property", "class", "joint")
"""Queries for one property, for the entities of a class, and for two properties together."""


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
    sorts: Sequence[str] = SORTS,
    language: str = "en",
    most: int | None = None,
    seed: int = 1,
    split: str | None = None,
) -> WrittenQueries:
    """Queries for the properties of an ontology or a domain, its classes, and joined properties.

    With tasks or files of statements, also one for every value that they attest, or for ``most``
    of a property's, drawn by ``seed``. Questions are in English or Chinese. ``split`` selects
    documents of the tasks.
    """
    file = _ontology_file(ontology)
    known = in_language(read_ontology(read_bytes(file), file=str(file)), language)
    makers = {"property": make_queries, "class": make_class_queries, "joint": make_joint_queries}
    made = [query for sort in sorts for query in makers[sort](known)]
    if attested:
        domain = str(file.parent) if list(file.parent.glob("*.dsrs")) else None
        reasoning = Reasoning(ontology=str(file), domain=domain, split=split)
        with ground(attested, reasoning) as found:
            statements = [statement.statement for statement in found.inference.statements()]
        made += make_attested(known, statements, most=most, seed=seed)
    rows = tuple(_row(query) for query in made)
    if output is not None:
        require_distinct_files([output], [ontology, *attested])
        with writing(output) as stream:
            for row in rows:
                stream.write(json_line(row))
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
"""Annotations of an ontology: questions, and whether words of a text name a class."""
PLURAL, LANGUAGE = "plural", "language"

_NUMBER_OF = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")
_HEAD = re.compile(r"[A-Z]?[a-z0-9]+$|[A-Z]+$")


@dataclass(frozen=True, slots=True)
class MadeQuery:
    """A query with its question; ``variables`` are those whose values make the answer."""

    id: str
    graph: str
    text: str
    property: str | None
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
        also = tuple(query.id for query in several if query is not first)
        chosen[first.id] = dataclasses.replace(first, also=also)
    order = [one.name.text for one in ontology.with_role(*wanted)]
    return [chosen[id] for id in order if id in chosen]


def make_class_queries(ontology: Ontology) -> list[MadeQuery]:
    """A query for the entities of every class that texts name and a property is about."""
    ends = {end for one in ontology.properties.values() for end in (one.domain, one.range)}
    made = []
    for name, known in ontology.classes.items():
        used = name in ends or any(above in ends for above in ontology.ancestors(name) - {name})
        if used and not _is_hidden(ontology, name):
            graph = _Graph(ontology)
            variable = graph.variable(_word(name))
            graph.add(variable, TYPE, name)
            text = known.annotations.get(QUESTION) or _phrases(ontology).mentioned(
                known.annotations.get(PLURAL) or _label(ontology, name), PLURAL in known.annotations
            )
            made.append(graph.query(name.text, text, None))
    return made


def make_joint_queries(ontology: Ontology) -> list[MadeQuery]:
    """Queries for two properties together: of one subject, or one property of another's value.

    Of one subject, neighbours in the ontology that have one value each are asked together.
    """
    asked = [
        one
        for one in ontology.with_role("target", "inferred")
        if one.domain in ontology.classes and not _is_hidden(ontology, one.domain)
        if not _is_hidden(ontology, one.range)
    ]
    made = []
    for first, second in pairwise(asked):
        if first.domain == second.domain and first.greatest == second.greatest == 1:
            graph = _Graph(ontology)
            subject = graph.subject(first)
            for one in (first, second):
                graph.add(subject, one.name, graph.value(one))
            both = (_open(ontology, one).text for one in (first, second))
            text = _phrases(ontology).space.join(both)
            made.append(graph.query(f"{first.name.text}+{second.name.text}", text, None))
    for first in asked:
        for second in asked:
            if first.range != second.domain or first.range == first.domain:
                continue
            graph = _Graph(ontology)
            middle = graph.value(first)
            graph.add(graph.subject(first), first.name, middle)
            graph.add(middle, second.name, graph.value(second))
            of = _label(ontology, second.domain or THING)
            asks = _phrases(ontology).of_that(_open(ontology, second).text, of)
            text = _phrases(ontology).space.join((_open(ontology, first).text, asks))
            made.append(graph.query(f"{first.name.text}/{second.name.text}", text, None))
    return made


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
    return graph.query(one.name.text, text, one.name)


def _bound(ontology: Ontology, one: Property, value: Name | Literal) -> MadeQuery:
    graph = _Graph(ontology)
    graph.add(graph.subject(one), one.name, value)
    shown = str(value.lexical) if isinstance(value, Literal) else value.text
    asked = one.annotations.get(QUESTION_OF)
    if asked is None:
        asked = _phrases(ontology).having(_of(ontology, one), _name(one))
    return graph.query(f"{one.name.text}={written(value)}", _worded(asked, shown), one.name)


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

    def query(self, id: str, text: str, property: Name | None) -> MadeQuery:
        """The whole."""
        terms = (term for triple in self._triples for term in (triple.subject, triple.object))
        named = dict.fromkeys(term for term in terms if isinstance(term, Variable))
        shown = tuple(each.text for each in named if each not in self._hidden)
        name = None if property is None else property.text
        return MadeQuery(id, write_graph(self._triples), text, name, shown)


def _is_hidden(ontology: Ontology, name: Name | None) -> bool:
    known = ontology.classes.get(name) if name is not None else None
    return known is not None and known.annotations.get(MENTIONED) == "false"


# Questions from labels, where the ontology has none of its own.


_PREPOSITIONS = frozenset(
    ("of", "in", "by", "from", "to", "at", "on", "with", "for", "after", "into", "under", "near")
)
_PARTICIPLES = {
    "struck": "struck",
    "won": "won",
    "lost": "lost",
    "hit": "hit",
    "led": "led",
    "wrote": "written",
    "made": "made",
    "built": "built",
    "gave": "given",
    "held": "held",
    "sold": "sold",
    "bought": "bought",
    "met": "met",
    "beat": "beaten",
    "left": "left",
}
"""Verbs whose past is no -ed form, with their participles."""


class _English:
    """Questions about properties by the shape of their names: part of, has captain, struck."""

    space = " "

    def value(self, of: str, name: str, range: str | None, *, boolean: bool) -> str:
        """Asks for a property's values, or whether it is true."""
        words = name.split()
        what = f"Which {range}" if range is not None else "What"
        if boolean:
            if words[0] in ("has", "have"):
                return f"Does each {of} mentioned have {' '.join(words[1:])}?"
            if words[0] in ("is", "was"):
                return f"Is each {of} mentioned {_article(' '.join(words[1:]))}?"
            return f"Is it true of each {of} mentioned: {name}?"
        if words[0] in ("has", "have") and len(words) > 1:
            return f"{what} does each {of} mentioned have as {' '.join(words[1:])}?"
        if words[0] in ("is", "was") and len(words) > 1:
            words = words[1:]
        if words[-1] in _PREPOSITIONS and len(words) > 1:
            return f"{what} is each {of} mentioned {' '.join(words)}?"
        participle = _PARTICIPLES.get(words[-1]) or (
            words[-1] if words[-1].endswith("ed") else None
        )
        if len(words) == 1 and participle:
            return f"{what} was {participle} by each {of} mentioned?"
        return f"{what} is the {' '.join(words)} of each {of} mentioned?"

    def having(self, of: str, name: str) -> str:
        """Asks for what has a value of a property, which goes in place of {}."""
        words = name.split()
        if words[-1] in _PREPOSITIONS and len(words) > 1:
            return f"Which {of} mentioned is {name.removeprefix('is ')} {{}}?"
        if len(words) == 1 and _is_past(name):
            return f"Which {of} mentioned {name} {{}}?"
        return f"Of which {of} mentioned is {{}} the {name}?"

    def mentioned(self, label: str, is_plural: bool) -> str:
        """Asks for the entities of a class."""
        return f"Which {label if is_plural else _plural(label)} are mentioned?"

    def of_that(self, question: str, of: str) -> str:
        """The question about one thing that was just asked for."""
        return question.replace(f"each {of} mentioned", f"that {of}")


class _Chinese:
    """The same in Chinese."""

    space = ""

    def value(self, of: str, name: str, range: str | None, *, boolean: bool) -> str:
        """Asks for a property's values, or whether it is true."""
        if boolean:
            return f"文中提到的每个{of}是否{name}？"
        return f"文中提到的每个{of}的{name}是{'哪个' + range if range is not None else '什么'}？"

    def having(self, of: str, name: str) -> str:
        """Asks for what has a value of a property, which goes in place of {}."""
        return f"文中提到的哪个{of}的{name}是{{}}？"

    def mentioned(self, label: str, is_plural: bool) -> str:
        """Asks for the entities of a class."""
        return f"文中提到了哪些{label}？"

    def of_that(self, question: str, of: str) -> str:
        """The question about one thing that was just asked for."""
        return question.replace(f"文中提到的每个{of}", f"该{of}")


def in_language(ontology: Ontology, language: str) -> Ontology:
    """An ontology whose labels and questions are those in a language, where it has them."""

    def chosen(annotations: Mapping[str, str]) -> dict[str, str]:
        left_out = {QUESTION, QUESTION_OF, PLURAL} if language != "en" else set()
        plain = {
            name: text
            for name, text in annotations.items()
            if "@" not in name and name not in left_out
        }
        parts = ((name.partition("@"), text) for name, text in annotations.items())
        own = {name: text for (name, _, tag), text in parts if tag.partition("-")[0] == language}
        return plain | own

    classes = {
        name: replace(known, label=mine.get("label", known.label), annotations=mine)
        for name, known in ontology.classes.items()
        for mine in [chosen(known.annotations)]
    }
    properties = {
        name: replace(known, label=mine.get("label", known.label), annotations=mine)
        for name, known in ontology.properties.items()
        for mine in [chosen(known.annotations)]
    }
    return replace(ontology, classes=classes, properties=properties, language=language)


def _phrases(ontology: Ontology) -> _English | _Chinese:
    return _Chinese() if ontology.language == "zh" else _English()


def _question(ontology: Ontology, one: Property) -> str:
    kind = datatype(one.range) if one.range is not None else None
    named = None if one.range is None or kind is not None else _label(ontology, one.range)
    return _phrases(ontology).value(
        _of(ontology, one), _name(one), named, boolean=kind == "boolean"
    )


def _of(ontology: Ontology, one: Property) -> str:
    if one.domain is not None:
        return _label(ontology, one.domain)
    return "事物" if ontology.language == "zh" else "thing"


def _is_past(word: str) -> bool:
    return word in _PARTICIPLES or word.endswith("ed")


def _plural(label: str) -> str:
    if re.search(r"[^aeiou]y$", label):
        return label[:-1] + "ies"
    return label + ("es" if re.search(r"(?:s|x|z|ch|sh)$", label) else "s")


def _article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


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
