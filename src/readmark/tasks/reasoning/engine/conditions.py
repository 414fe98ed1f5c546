"""Conditions of rules and queries compiled to one SELECT, whatever their order.

A pattern is a table, a variable that it shares with others a join, a built-in a condition, and a
denied group a NOT EXISTS.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from readmark.core.errors import DataError
from readmark.tasks.reasoning.engine.builtin_sql import compute, holds
from readmark.tasks.reasoning.engine.operands import NONE, Operand, constant, stored
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.builtins import MEANINGS, ORDERED, SMALLEST
from readmark.tasks.reasoning.rules.faults import needs
from readmark.tasks.reasoning.rules.values import (
    Builtin,
    Condition,
    builtins_of,
    patterns_of,
    write_condition,
)
from readmark.tasks.reasoning.terms import Name, Term, Variable, ground, written

LONGEST_SQL = 1 << 15
"""Characters of one computation: each step repeats those before it, so that they may double."""


class Body:
    """A compiled conjunction: its tables, joins and conditions, and the code of each variable."""

    def __init__(self, store: Store, *, outer: Body | None = None, prefix: str = "a") -> None:
        self._store = store
        self._outer = outer
        self._prefix = prefix
        self._sources: list[str] = []
        self._joined: dict[str, str] = {}
        self._where: list[str] = []
        self._rows: dict[str, str] = {}
        self._results: dict[Variable, Operand] = dict(outer._results) if outer else {}
        self.codes: dict[Variable, str] = dict(outer.codes) if outer else {}
        """The SQL expression of each variable's code."""
        self.graph: str | None = outer.graph if outer else None
        """The SQL expression of the graph."""
        self.atoms: list[Pattern] = []
        """The patterns in the order of their tables."""
        self.computed: list[Operand] = []
        """Results that may be literals that no table holds yet."""

    def add(
        self, conditions: Iterable[Condition], settled: Collection[Pattern] = frozenset()
    ) -> None:
        """Compiles the conditions; what defaults conclude does not meet the settled ones."""
        ordered = sorted(conditions, key=write_condition)
        builtins = builtins_of(ordered)
        smallest = {
            term: builtin.arguments
            for builtin in builtins
            if builtin.name == SMALLEST
            for term in builtin.arguments
        }
        for pattern in patterns_of(ordered):
            values = smallest.get(pattern.object)
            if values is None:
                self._atom(pattern, settled=pattern in settled)
            elif pattern.object == values[0]:  # One table stands for the patterns of all values.
                self._smallest(pattern, values)
        if self.graph is None:
            self._sources.append("(SELECT id AS g FROM graphs) AS every")
            self.graph = "every.g"
        self._builtins([builtin for builtin in builtins if builtin.name != SMALLEST])

    def deny(self, group: Sequence[Condition], settled: Collection[Pattern]) -> None:
        """Adds the condition that no choice of the group's own variables fulfils it."""
        inner = Body(self._store, outer=self, prefix=f"n{len(self._where)}_")
        inner.add(group, settled)
        if inner._sources:
            where = inner.conditions()
            self._where.append(f"NOT EXISTS (SELECT 1 FROM {inner.tables(where)}{where})")
        else:
            self._where.append(f"NOT ({' AND '.join(inner._where) or 'true'})")

    def tables(self, used: str) -> str:
        """What follows FROM: the patterns' tables, and those literals that the SQL uses."""
        joined = [join for alias, join in self._joined.items() if f"{alias}." in used]
        return " ".join([" CROSS JOIN ".join(self._sources), *joined])

    def aliases(self) -> list[str]:
        """The aliases of the patterns' tables."""
        return [f"{self._prefix}{index}" for index in range(len(self.atoms))]

    def conditions(self, rounds: Mapping[int, str] | None = None) -> str:
        """The WHERE clause, with what limits single atoms to certain rounds."""
        limits = [f"{self._prefix}{atom}.round {limit}" for atom, limit in (rounds or {}).items()]
        conditions = self._where + limits
        return f" WHERE {' AND '.join(conditions)}" if conditions else ""

    def _atom(self, pattern: Pattern, *, settled: bool) -> None:
        alias = f"{self._prefix}{len(self._sources)}"
        if isinstance(pattern.predicate, Name):
            self._sources.append(f"{self._store.table(pattern.predicate.text)} AS {alias}")
        else:
            self._store.table("type")  # So that there is a table even where nothing is asserted.
            self._sources.append(f"({every_statement(self._store)}) AS {alias}")
            self._match(pattern.predicate, f"{alias}.p")
        self.atoms.append(pattern)
        if self.graph is None:
            self.graph = f"{alias}.g"
        else:
            self._where.append(f"{alias}.g = {self.graph}")
        if settled:
            self._where.append(f"NOT {alias}.assumed")
        self._match(pattern.subject, f"{alias}.s")
        self._match(pattern.object, f"{alias}.o")

    def _smallest(self, pattern: Pattern, values: Sequence[Term]) -> None:
        """The first values of each subject that has so many, found without comparing pairs."""
        alias = f"{self._prefix}{len(self._sources)}"
        table = self._store.table(pattern.property_name)
        columns = ", ".join(f"least[{index}] AS o{index}" for index in range(1, len(values) + 1))
        self._sources.append(
            f"(SELECT g, s, {columns} FROM (SELECT g, s, min(o, {len(values)}) AS least "
            f"FROM {table} GROUP BY g, s HAVING count(*) >= {len(values)})) AS {alias}"
        )
        if self.graph is None:
            self.graph = f"{alias}.g"
        else:
            self._where.append(f"{alias}.g = {self.graph}")
        self._match(pattern.subject, f"{alias}.s")
        for index, term in enumerate(values, 1):
            self._match(term, f"{alias}.o{index}")

    def _match(self, term: Term, column: str) -> None:
        if not isinstance(term, Variable):
            self._where.append(f"{column} = {self._store.code(term)}")
        elif term in self.codes:
            self._where.append(f"{column} = {self.codes[term]}")
        else:
            self.codes[term] = column

    def _builtins(self, builtins: Sequence[Builtin]) -> None:
        # Constants first: they may bring kinds of literals, which variables then look up too.
        for builtin in builtins:
            for term in builtin.arguments:
                if not isinstance(term, Variable) and not builtin.name.endswith("Kind"):
                    self._store.code(term)
        waiting = list(builtins)
        while waiting:
            ready = [
                builtin for builtin in waiting if all(term in self.codes for term in needs(builtin))
            ]
            for builtin in ready:
                self._builtin(builtin)
            waiting = [builtin for builtin in waiting if builtin not in ready]

    def _builtin(self, builtin: Builtin) -> None:
        terms = builtin.arguments
        if builtin.name == ORDERED:
            codes = [self._operand(term).code for term in terms]
            self._where.extend(f"{low} < {high}" for low, high in pairwise(codes))
        elif builtin.name.endswith("Kind"):
            self._where.append(holds(builtin.name, [self._operand(terms[0])], written(terms[1])))
        elif not MEANINGS[builtin.name].computes:
            self._where.append(holds(builtin.name, [self._operand(term) for term in terms]))
        else:
            result, exists = compute(builtin.name, [self._operand(term) for term in terms[1:]])
            first = terms[0]
            if max(map(len, (result.code, result.text, result.number))) > LONGEST_SQL:
                raise DataError(
                    f"{written(first)} is computed from computed values in too many steps; "
                    "split the conditions over several rules"
                )
            self._where.append(exists)
            if isinstance(first, Variable) and first not in self.codes:
                self.codes[first] = result.code
                self._results[first] = result
                if result.kind != NONE:
                    self.computed.append(result)
            else:
                self._where.append(holds("mrq:equalTo", [result, self._operand(first)]))

    def _operand(self, term: Term) -> Operand:
        if not isinstance(term, Variable):
            return constant(ground(term), self._store.code(term))
        if term in self._results:
            return self._results[term]
        code = self.codes[term]
        return stored(code, lambda: self._look_up(code), self._store.kinds)

    def _look_up(self, column: str) -> str:
        """The alias of the row of ``literals`` behind a column.

        It is joined where the column comes from, which may be outside a denied group.
        """
        if self._outer is not None and column in self._outer.codes.values():
            return self._outer._look_up(column)
        if column not in self._rows:
            alias = self._rows[column] = f"{self._prefix}l{len(self._rows)}"
            self._joined[alias] = f"LEFT JOIN literals AS {alias} ON {alias}.id = {column}"
        return self._rows[column]


def every_statement(store: Store) -> str:
    """A SELECT over the tables of all properties, with the property's code as p."""
    parts = [
        f"SELECT {store.code(Name(predicate))}::BIGINT AS p, * FROM {table}"
        for predicate, table in store.tables.items()
    ]
    return " UNION ALL ".join(parts)
