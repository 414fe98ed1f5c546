"""A rule compiled: the SELECT of its instantiations and the INSERTs of its conclusions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from readmark.tasks.reasoning.engine.codes import is_name
from readmark.tasks.reasoning.engine.conditions import Body
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.strata import Dependencies
from readmark.tasks.reasoning.rules.values import Rule, patterns_of, variables_of
from readmark.tasks.reasoning.terms import Term, Variable


@dataclass(frozen=True)
class Conclusion:
    """One conclusion: its table, and its subject and object in SQL over the instantiations."""

    table: str
    subject: str
    object: str
    assumed: bool
    """Whether it is a default's, which other defaults do not see."""
    names_only: str
    """The condition that the subject is a name; empty if it can be nothing else."""
    distinct: bool
    """Whether different instantiations always conclude differently."""


class Program:
    """A rule over a store's tables.

    An instantiation is a row (g, v0, v1, ...): a graph, and a value for each variable.
    """

    def __init__(self, store: Store, rule: Rule, dependencies: Dependencies, number: int) -> None:
        self.rule = rule
        self.table = f"r{number}"
        self.held = 0
        """How many instantiations the table has; without any there may be no table."""
        # A default denies what was asserted and what other rules conclude, but no default's
        # conclusion.
        assumed = dependencies.defaults(rule)
        denied = [pattern for group in rule.groups() for pattern in patterns_of(group)]
        settled = [pattern for pattern in denied if dependencies.relation(pattern) in assumed]
        self._body = Body(store)
        self._body.add([*rule.positive, *rule.builtins])
        self.variables = tuple(sorted(self._body.codes))
        self.columns: Mapping[Variable, str] = {
            variable: f"v{index}" for index, variable in enumerate(self.variables)
        }
        """The column of each variable."""
        self._codes = dict(self._body.codes)
        for group in sorted(rule.groups(), key=repr):
            self._body.deny(group, settled)
        self.atoms = self._body.atoms
        self.computes = bool(self._body.computed)
        heads = () if rule.contradicts is not None else rule.head
        self.conclusions = tuple(
            self._conclusion(store, head, dependencies.relation(head) in assumed) for head in heads
        )

    def select(self, round: int, rounds: Mapping[int, str] | None = None) -> str:
        """The instantiations; ``rounds`` limits those of an atom's statements, such as "< 3"."""
        body = self._body
        columns = [f"{body.graph} AS g"]
        columns.extend(
            f"{self._codes[variable]} AS {name}" for variable, name in self.columns.items()
        )
        columns.append(f"{round} AS round")
        for index, operand in enumerate(body.computed):
            columns.append(
                f"{operand.kind} AS x{index}_kind, ({operand.text})::VARCHAR AS x{index}_text"
            )
            columns.append(
                f"({operand.number})::DOUBLE AS x{index}_number, {operand.code} AS x{index}_code"
            )
        listed, where = ", ".join(columns), body.conditions(rounds)
        return f"SELECT {listed} FROM {body.tables(listed + where)}{where}"

    def fresh_literals(self, source: str) -> Iterator[str]:
        """SELECTs of the literals that instantiations computed, as rows of ``literals``."""
        for index in range(len(self._body.computed)):
            yield (
                f"SELECT DISTINCT x{index}_code AS id, x{index}_kind AS kind, "
                f"COALESCE(x{index}_text, x{index}_number::VARCHAR) AS text, "
                f"x{index}_number AS number, NULL::TIMESTAMP AS moment "
                f"FROM {source} WHERE x{index}_kind IS NOT NULL"
            )

    def stored_columns(self) -> str:
        """The columns of the table of instantiations, without what was computed on the way."""
        return ", ".join(["g", *self.columns.values(), "round"])

    def insert(self, conclusion: Conclusion, source: str, *, empty: bool) -> str:
        """The INSERT of one conclusion from instantiations, without rows that are there already.

        ``empty`` says that the table has none, which saves the look.
        """
        table, subject, object_ = conclusion.table, conclusion.subject, conclusion.object
        where = [conclusion.names_only] if conclusion.names_only else []
        if not empty:
            where.append(
                f"NOT EXISTS (SELECT 1 FROM {table} AS known WHERE known.g = i.g "
                f"AND known.s = {subject} AND known.o = {object_})"
            )
        distinct = "" if conclusion.distinct else "DISTINCT "
        return (
            f"INSERT INTO {table} SELECT {distinct}i.g, {subject}, {object_}, i.round, "
            f"{str(conclusion.assumed).lower()} FROM {source} AS i"
            + (f" WHERE {' AND '.join(where)}" if where else "")
        )

    def side(self, store: Store, term: Term) -> str:
        """A term of the rule as SQL over an instantiation."""
        if isinstance(term, Variable):
            return f"i.{self.columns[term]}"
        return f"{store.code(term)}::BIGINT"

    def _conclusion(self, store: Store, pattern: Pattern, assumed: bool) -> Conclusion:
        table = store.table(pattern.property_name)
        subject = self.side(store, pattern.subject)
        # What is the subject of a stored statement is a name already.
        must_be_name = not isinstance(pattern.subject, Variable) or any(
            condition.subject == pattern.subject for condition in self.rule.positive
        )
        variables = set(variables_of(self.rule.positive))
        return Conclusion(
            table,
            subject,
            self.side(store, pattern.object),
            assumed,
            names_only="" if must_be_name else is_name(subject),
            distinct=variables <= set(variables_of([pattern])),
        )
