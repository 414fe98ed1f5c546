"""A theory run over statements, and what it leaves: what is derived, and what contradicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from readmark.tasks.reasoning.engine.chance import CERTAIN
from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.constraints import constraint_rules
from readmark.tasks.reasoning.engine.likeliest import derive_probabilities, is_uncertain
from readmark.tasks.reasoning.engine.loading import Supports, load
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.rule_run import run_theory
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.engine.worlds import Chances
from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Rule, Theory, rename_theory
from readmark.tasks.reasoning.terms import Literal, Name

FEW = 100_000  # Fewer statements are one block of a table, on which only one thread works.


class Derived(NamedTuple):
    """A statement of a graph that rules concluded and nobody asserted."""

    graph: str
    statement: Statement
    probability: float
    bound: float | None = None
    """The most it can be, where only bounds of the probability are known."""


class Instantiation(NamedTuple):
    """A rule with a value for each of its variables, in a graph."""

    graph: str
    rule: Rule
    bindings: Mapping[str, Name | Literal]


class Inference:
    """The asserted and derived statements of every graph, with how each was derived.

    Holds a database in memory until it is closed; use it in a ``with`` statement.
    """

    def __init__(
        self,
        store: Store,
        theory: Theory,
        supports: Supports,
        programs: Mapping[str, Program],
        namespaces: Namespaces | None = None,
    ) -> None:
        self.store = store
        self.theory = theory
        self.supports = supports
        self.programs = programs
        self.namespaces = namespaces
        """How names are spelt, if there is an ontology."""
        self.highs: Mapping[tuple[str, Statement], float] = {}
        """Upper bounds of the probabilities of inputs, where these are only lower bounds."""
        self.links: Mapping[Name, tuple[Any, ...]] = {}
        """Across documents, the names that another name stands for, with the links to it."""

    def __enter__(self) -> Inference:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the database."""
        self.store.close()

    @cached_property
    def chances(self) -> Chances:
        """How likely statements are, all ways to them taken together."""
        keys: dict[StatementKey, float] = {}
        self.store.look_up(
            term for _, statement in self.highs for term in (statement.subject, statement.object)
        )
        graphs = {name: code for code, name in self.store.graph_names([0]).items()}
        for (graph, statement), high in self.highs.items():
            subject, object_ = self.store.code(statement.subject), self.store.code(statement.object)
            keys[StatementKey(graphs[graph], statement.predicate.text, subject, object_)] = high
        return Chances(self.store, self.programs, keys)

    def derived(self) -> Iterator[Derived]:
        """The statements that were derived and not asserted, with their probabilities."""
        return self._statements("round > 0")

    def asserted(self, graphs: Iterable[str]) -> Iterator[Asserted]:
        """The input statements of graphs, each once, with the probability it was asserted with."""
        listed = ", ".join(map(str, self.store.graph_codes(graphs))) or "NULL"
        chance = "chance" if self.store.weighed else "1.0::DOUBLE"
        for predicate, table in sorted(self.store.tables.items()):
            for batch in self.store.batches(
                f"SELECT g, s, o, {chance} FROM {table} WHERE round = 0 AND g IN ({listed}) "
                "ORDER BY ALL"
            ):
                names = self.store.graph_names(row[0] for row in batch)
                terms = self.store.terms(code for row in batch for code in row[1:3])
                for graph, subject, object_, probability in batch:
                    name = terms[subject]
                    if isinstance(name, Name):
                        statement = Statement(name, Name(predicate), terms[object_])
                        yield Asserted(names[graph], statement, probability=probability)

    def contradicted(self) -> set[str]:
        """The graphs that contradict the theory."""
        codes = {
            code
            for program in self.programs.values()
            if program.rule.contradicts is not None and program.held
            for (code,) in self.store.run(f"SELECT DISTINCT g FROM {program.table}")
        }
        return set(self.store.graph_names(codes).values())

    def statements(self) -> Iterator[Derived]:
        """Every statement, asserted and derived."""
        return self._statements("true")

    def contradictions(self) -> Iterator[Instantiation]:
        """Each way in which a graph contradicts the theory."""
        for rule in self.theory.rules:
            if rule.contradicts is not None:
                yield from self.instantiations(rule.name)

    def instantiations(self, name: str) -> Iterator[Instantiation]:
        """The ways in which a rule held; without provenance only contradictions have any."""
        program = self.programs[name]
        if not program.held:
            return
        columns = ", ".join(["g", *program.columns.values()])
        sql = f"SELECT {columns} FROM {program.table} ORDER BY ALL"
        for batch in self.store.batches(sql):
            graphs = self.store.graph_names(row[0] for row in batch)
            terms = self.store.terms(code for row in batch for code in row[1:])
            for graph, *codes in batch:
                values = zip(program.variables, codes, strict=True)
                bindings = {variable.text: terms[code] for variable, code in values}
                yield Instantiation(graphs[graph], program.rule, bindings)

    def counts(self) -> dict[str, int]:
        """How many statements were asserted and derived, and how often rules held."""
        asserted = derived = 0
        for table in self.store.tables.values():
            row = self.store.run(
                f"SELECT count(*) FILTER (round = 0), count(*) FILTER (round > 0) FROM {table}"
            )[0]
            asserted += row[0]
            derived += row[1]
        instantiations = contradictions = 0
        for program in self.programs.values():
            if program.rule.contradicts is None:
                instantiations += program.held
            else:
                contradictions += program.held
        return {
            "asserted": asserted,
            "derived": derived,
            "instantiations": instantiations,
            "contradictions": contradictions,
        }

    def _statements(self, condition: str) -> Iterator[Derived]:
        for predicate, table in sorted(self.store.tables.items()):
            sql = f"SELECT g, s, o FROM {table} WHERE {condition} ORDER BY ALL"
            for batch in self.store.batches(sql):
                graphs = self.store.graph_names(row[0] for row in batch)
                terms = self.store.terms(code for row in batch for code in row[1:])
                chances = [CERTAIN] * len(batch)
                if self.store.weighed:
                    keys = [StatementKey(g, predicate, s, o) for g, s, o in batch]
                    chances = self.chances.of(keys)
                for (graph, subject, object_), chance in zip(batch, chances, strict=True):
                    name = terms[subject]
                    if isinstance(name, Name):
                        statement = Statement(name, Name(predicate), terms[object_])
                        yield Derived(graphs[graph], statement, chance.low, chance.bound)


def infer(
    asserted: Iterable[Asserted],
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    provenance: bool = True,
    memory: int | None = None,
    seconds: float | None = None,
    complete: bool = False,
    consistent: bool = False,
) -> Inference:
    """Runs a theory, and what an ontology implies and forbids, over every graph's statements.

    Rules that take longer than ``seconds`` are stopped: a DataError names the one that ran. Values
    that are missing contradict the ontology only if the statements are said to be ``complete``.
    If they are known to be ``consistent``, rules that conclude contradictions do not run.
    """
    few = isinstance(asserted, Sized) and len(asserted) < FEW
    store = Store(memory=memory, threads=1 if few else None)
    with store.closed_on_error():
        supports = load(store, asserted)
    return infer_loaded(
        store,
        supports,
        theory,
        ontology,
        provenance=provenance,
        seconds=seconds,
        complete=complete,
        consistent=consistent,
    )


def infer_loaded(
    store: Store,
    supports: Supports,
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    provenance: bool = True,
    seconds: float | None = None,
    complete: bool = False,
    consistent: bool = False,
) -> Inference:
    """The same over a store that is already filled, which is closed if anything goes wrong."""
    with store.closed_on_error():
        whole = with_constraints(theory, ontology, complete=complete)
        if consistent:
            rules = (rule for rule in whole.rules if rule.contradicts is None)
            whole = replace(whole, rules=tuple(rules))
        # The likeliest derivations are found among the instantiations.
        uncertain = is_uncertain(store, whole.rules)
        programs = run_theory(store, whole, provenance=provenance or uncertain, seconds=seconds)
        if uncertain:
            derive_probabilities(store, programs)
    namespaces = None if ontology is None else ontology.namespaces
    return Inference(store, whole, supports, programs, namespaces)


def with_constraints(
    theory: Theory, ontology: Ontology | None, *, complete: bool = False
) -> Theory:
    """The theory in the ontology's spelling of names, with the rules that it stands for."""
    if ontology is None:
        return theory
    renamed = rename_theory(theory, ontology.namespaces.canonical)
    constraints = constraint_rules(ontology, theory.name, complete=complete)
    return replace(renamed, rules=(*renamed.rules, *constraints))
