"""What statements rest on: every use of a rule that concludes them, down to the inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.terms import Term, Variable, ground

MOST_WAYS = 500_000
"""Where rules hold more often than this, only bounds of probabilities are found."""


class Way(NamedTuple):
    """A rule that concluded a statement from others."""

    rule: str
    number: int
    """Of the rule's instantiations; the conclusions of one have the same."""
    antecedents: tuple[StatementKey, ...]


class Lineage(NamedTuple):
    """The inputs of some graphs with their probabilities, and the ways to everything derived."""

    inputs: dict[StatementKey, float]
    ways: dict[StatementKey, list[Way]]
    likeliest: dict[StatementKey, float]
    """Of uncertain statements, the probability of the likeliest derivation."""
    complete: bool = True
    """False where there are too many ways; then none are here."""


def lineage(
    store: Store,
    programs: Mapping[str, Program],
    graphs: Iterable[int],
    *,
    uncertain: bool = False,
) -> Lineage:
    """What the statements of graphs rest on.

    With ``uncertain``, only what is uncertain, and antecedents that are certain are left out.
    """
    store.run(
        "CREATE OR REPLACE TEMP TABLE chosen AS SELECT unnest(?::INTEGER[]) AS id",
        [sorted(set(graphs))],
    )
    within = "IN (SELECT id FROM chosen)"
    chance_column = "chance" if store.weighed else "1.0::DOUBLE"
    result = Lineage({}, {}, {})
    if uncertain and not store.weighed:
        return result
    where = " AND t.chance < 1" if uncertain else " AND t.round = 0"
    for predicate, table in store.tables.items():
        rows = store.run(
            f"SELECT g, s, o, round, {chance_column} FROM {table} AS t WHERE g {within}{where}"
        )
        for graph, subject, object_, round_, chance in rows:
            key = StatementKey(graph, predicate, subject, object_)
            result.likeliest[key] = chance
            if round_ == 0:
                result.inputs[key] = chance
    total = 0
    for program in programs.values():
        if not program.held:
            continue
        for head, conclusion in zip(program.rule.head, program.conclusions, strict=False):
            join, conditions = "", [f"i.g {within}"]
            if uncertain:
                join = (
                    f" JOIN {conclusion.table} AS c ON c.g = i.g AND c.s = {conclusion.subject} "
                    f"AND c.o = {conclusion.object} AND c.chance < 1"
                )
            if conclusion.names_only:
                conditions.append(conclusion.names_only)
            columns = ["i.rowid", "i.g", conclusion.subject, conclusion.object]
            columns += [f"i.{column}" for column in program.columns.values()]
            rows = store.run(
                f"SELECT {', '.join(columns)} FROM {program.table} AS i{join} "
                f"WHERE {' AND '.join(conditions)} LIMIT {MOST_WAYS + 1 - total}"
            )
            total += len(rows)
            if total > MOST_WAYS:
                return result._replace(ways={}, complete=False)
            sources = _antecedent_sources(store, program)
            for number, graph, subject, object_, *codes in rows:
                antecedents = (
                    StatementKey(graph, predicate, first.code(codes), second.code(codes))
                    for predicate, first, second in sources
                )
                # Certain antecedents change no probability.
                relevant = dict.fromkeys(
                    key for key in antecedents if not uncertain or key in result.likeliest
                )
                way = Way(program.rule.name, number, tuple(relevant))
                key = StatementKey(graph, head.property_name, subject, object_)
                result.ways.setdefault(key, []).append(way)
    return result


class _Source(NamedTuple):
    """Where a term of a condition comes from: a column of the instantiation, or it is fixed."""

    column: int | None
    fixed: int = 0

    def code(self, row: Sequence[int]) -> int:
        return self.fixed if self.column is None else row[self.column]


def _antecedent_sources(store: Store, program: Program) -> list[tuple[str, _Source, _Source]]:
    """Of each condition: its property, and the sources of its subject and object."""
    columns = {variable: index for index, variable in enumerate(program.variables)}

    def source(term: Term) -> _Source:
        if isinstance(term, Variable):
            return _Source(columns[term])
        return _Source(None, store.code(ground(term)))

    return [
        (pattern.property_name, source(pattern.subject), source(pattern.object))
        for pattern in program.rule.positive
    ]
