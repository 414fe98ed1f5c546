"""A rule compiled: the SELECT of its instantiations and the INSERTs of its conclusions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from readmark.reasoning.engine.bodies import Body
from readmark.reasoning.engine.store import Store, is_name
from readmark.reasoning.graphs import Pattern
from readmark.reasoning.rules.strata import Dependencies
from readmark.reasoning.rules.values import Rule, patterns_of, variables_of
from readmark.reasoning.terms import Name, Term, Variable


@dataclass(frozen=True)
class Conclusion:
    """One conclusion: where it goes, and its subject and object over the instantiations."""

    table: str
    subject: str
    object: str
    assumed: bool
    names_only: str
    """The condition that the subject is a name, empty where it must be."""
    distinct: bool
    """Whether different instantiations always conclude differently."""


class Program:
    """A rule over a store's tables. Instantiations are rows (g, v0, v1, ...), one a variable."""

    def __init__(self, store: Store, rule: Rule, dependencies: Dependencies, number: int) -> None:
        self.rule = rule
        self.table = f"r{number}"
        own = dependencies.defaults(rule)
        denied = [one for group in rule.groups() for one in patterns_of(group)]
        settled = [one for one in denied if dependencies.relation(one) in own]
        self._body = Body(store)
        self._body.add([*rule.positive, *rule.builtins])
        self.variables = tuple(sorted(self._body.codes))
        self.columns: Mapping[Variable, str] = {
            variable: f"v{at}" for at, variable in enumerate(self.variables)
        }
        """The column of each variable."""
        self._codes = dict(self._body.codes)
        for group in sorted(rule.groups(), key=repr):
            self._body.deny(group, settled)
        self.atoms = self._body.atoms
        self.computes = bool(self._body.computed)
        heads = () if rule.contradicts is not None else rule.head
        self.conclusions = tuple(
            self._conclusion(store, one, dependencies.relation(one) in own) for one in heads
        )

    def layout(self) -> str:
        """The columns of the instantiation table."""
        return ", ".join(
            ["g INTEGER", *(f"{one} BIGINT" for one in self.columns.values()), "round INTEGER"]
        )

    def select(self, round: int, rounds: Mapping[int, str] | None = None) -> str:
        """The instantiations, limited to certain rounds of certain atoms."""
        body = self._body
        columns = [f"{body.graph} AS g"]
        columns.extend(f"{self._codes[one]} AS {name}" for one, name in self.columns.items())
        columns.append(f"{round} AS round")
        for at, one in enumerate(body.computed):
            columns.append(f"{one.kind} AS x{at}_kind, ({one.text})::VARCHAR AS x{at}_text")
            columns.append(f"({one.number})::DOUBLE AS x{at}_number, {one.code} AS x{at}_code")
        return f"SELECT {', '.join(columns)} FROM {body.tables()}{body.conditions(rounds)}"

    def fresh_literals(self, source: str) -> Iterator[str]:
        """SELECTs of the literals that instantiations computed, as rows of ``literals``."""
        for at in range(len(self._body.computed)):
            yield (
                f"SELECT DISTINCT x{at}_code AS id, x{at}_kind AS kind, "
                f"COALESCE(x{at}_text, x{at}_number::VARCHAR) AS text, x{at}_number AS number, "
                f"NULL::TIMESTAMP AS moment FROM {source} WHERE x{at}_kind IS NOT NULL"
            )

    def kept(self) -> str:
        """The columns that an instantiation table keeps."""
        return ", ".join(["g", *self.columns.values(), "round"])

    def insert(self, conclusion: Conclusion, source: str, *, empty: bool) -> str:
        """The INSERT of one conclusion from instantiations; rows that are there stay single."""
        one = conclusion
        where = [one.names_only] if one.names_only else []
        if not empty:
            where.append(
                f"NOT EXISTS (SELECT 1 FROM {one.table} AS known WHERE known.g = i.g "
                f"AND known.s = {one.subject} AND known.o = {one.object})"
            )
        distinct = "" if one.distinct else "DISTINCT "
        return (
            f"INSERT INTO {one.table} SELECT {distinct}i.g, {one.subject}, {one.object}, i.round, "
            f"{str(one.assumed).lower()} FROM {source} AS i"
            + (f" WHERE {' AND '.join(where)}" if where else "")
        )

    def side(self, store: Store, term: Term, alias: str = "i") -> str:
        """A term of the rule as SQL over an instantiation."""
        if isinstance(term, Variable):
            return f"{alias}.{self.columns[term]}"
        return f"{store.code(term)}::BIGINT"

    def _conclusion(self, store: Store, pattern: Pattern, assumed: bool) -> Conclusion:
        predicate = pattern.predicate
        table = store.table(predicate.text if isinstance(predicate, Name) else "")
        subject = self.side(store, pattern.subject)
        sure = not isinstance(pattern.subject, Variable) or any(
            one.subject == pattern.subject for one in self.rule.positive
        )
        free = set(variables_of(self.rule.positive))
        return Conclusion(
            table,
            subject,
            self.side(store, pattern.object),
            assumed,
            "" if sure else is_name(subject),
            free <= set(variables_of([pattern])),
        )
