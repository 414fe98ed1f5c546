"""A rule compiled: the SELECT of its instantiations and the INSERTs of its conclusions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from readmark.core.confinement import Late
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.engine.conditions import Body
from readmark.tasks.reasoning.engine.limits import (
    LARGE,
    Deadline,
    OutOfTime,
    expected_rows,
    fetch_large,
)
from readmark.tasks.reasoning.engine.store import Store, is_name
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.strata import Dependencies, Stratum, stratified
from readmark.tasks.reasoning.rules.values import Rule, Theory, patterns_of, variables_of
from readmark.tasks.reasoning.terms import Name, Term, Variable


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
        self.held = 0
        """How many instantiations the table has; without any there may be no table."""
        own = dependencies.defaults(rule)
        denied = [pattern for group in rule.groups() for pattern in patterns_of(group)]
        settled = [pattern for pattern in denied if dependencies.relation(pattern) in own]
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
            self._conclusion(store, head, dependencies.relation(head) in own) for head in heads
        )

    def select(self, round: int, rounds: Mapping[int, str] | None = None) -> str:
        """The instantiations, limited to certain rounds of certain atoms."""
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

    def side(self, store: Store, term: Term) -> str:
        """A term of the rule as SQL over an instantiation."""
        if isinstance(term, Variable):
            return f"i.{self.columns[term]}"
        return f"{store.code(term)}::BIGINT"

    def _conclusion(self, store: Store, pattern: Pattern, assumed: bool) -> Conclusion:
        table = store.table(pattern.property_name)
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


# Strata run in order: once where nothing recurs, else round by round over what is new.


MOST_ROUNDS = 10_000
"""A recursion that still finds something new by then is taken for endless."""


class RuleRun:
    """One evaluation of a theory over a store; fills the tables and the instantiations."""

    def __init__(
        self, store: Store, theory: Theory, *, provenance: bool, seconds: float | None = None
    ) -> None:
        self._store = store
        self._theory = theory
        self._provenance = provenance
        self._deadline = None if seconds is None else Deadline(store, seconds)
        self._weighed: dict[str, int] = {}
        self._round = 0
        self._sizes: dict[str, int] = {}
        self.programs: dict[str, Program] = {}
        """The compiled rules by name, in the order they ran."""
        dependencies = stratified(theory)
        numbers = {rule.name: number for number, rule in enumerate(theory.rules)}
        for rule in theory.rules:  # Every table is there before a rule that reads it is compiled.
            for pattern in rule.head:
                if rule.contradicts is None:
                    store.table(pattern.property_name)
        self._count()
        strata = list(dependencies.strata())
        stratum = strata[0] if strata else None
        try:
            with nullcontext() if self._deadline is None else self._deadline.enforced():
                for stratum in strata:
                    for rule in stratum.rules:
                        try:
                            program = Program(store, rule, dependencies, numbers[rule.name])
                        except DataError as wrong:
                            raise _explained(wrong, rule, theory) from None
                        self.programs[rule.name] = program
                    self._stratum(stratum)
        except Late:
            if stratum is not None:
                raise self._late(stratum.rules[0]) from None

    def _stratum(self, stratum: Stratum) -> None:
        programs = [self.programs[rule.name] for rule in stratum.rules]
        self._round += 1
        if not stratum.recursive:
            for program in programs:
                self._apply(program, [{}])
            return
        concluded = {conclusion.table for program in programs for conclusion in program.conclusions}
        recurring = {
            program.rule.name: [
                index
                for index, atom in enumerate(program.atoms)
                if self._store.table(atom.property_name) in concluded
            ]
            for program in programs
        }
        start = self._round
        new = sum(
            self._apply(program, [dict.fromkeys(recurring[program.rule.name], f"< {start}")])
            for program in programs
        )
        while new:
            last = self._round
            self._round += 1
            if self._round - start > MOST_ROUNDS:
                names = ", ".join(rule.name for rule in stratum.rules)
                message = f"the rules never terminate: {names}"
                line = min(rule.line for rule in stratum.rules)
                raise DataError(message, file=self._theory.file, where=line or None)
            new = sum(
                self._apply(program, list(_deltas(recurring[program.rule.name], last)))
                for program in programs
            )

    def _apply(self, program: Program, variants: Sequence[Mapping[int, str]]) -> int:
        """Runs a rule for each way that something new can take part; how many rows came."""
        found = 0
        if not all(self._sizes_of(program)):
            return found  # most rules of a domain: a condition that no statement meets
        for rounds in variants:
            sql = program.select(self._round, rounds)
            try:
                if self._deadline is not None and self._is_large(program, sql):
                    sql = f"SELECT * FROM {fetch_large(self._store, sql, self._deadline)}"
                found += self._conclude(program, sql)
            except Late:
                raise self._late(program.rule) from None
            except Exception as wrong:
                if self._deadline is not None and self._deadline.is_over(wrong):
                    raise self._late(program.rule) from None
                raise _explained(wrong, program.rule, self._theory) from wrong
        return found

    def _sizes_of(self, program: Program) -> list[int]:
        """The rows of the table of each condition."""
        tables = (self._store.table(atom.property_name) for atom in program.atoms)
        return [self._sizes.get(table, 0) for table in tables]

    def _is_large(self, program: Program, sql: str) -> bool:
        """Whether the planner expects too much; asked again when the tables have doubled."""
        sizes = self._sizes_of(program)
        if math.prod(sizes) < LARGE:
            return False
        rows = sum(sizes)
        before = self._weighed.get(program.rule.name)
        if before is not None and rows < 2 * before:
            return False
        found = expected_rows(self._store, sql) >= LARGE
        if not found:
            self._weighed[program.rule.name] = rows
        return found

    def _late(self, rule: Rule) -> DataError:
        seconds = self._deadline.seconds if self._deadline is not None else 0.0
        message = f"{rule.name}: the rules took more than {seconds:g} s and were stopped"
        return OutOfTime(message, file=self._theory.file, where=rule.line or None)

    def _conclude(self, program: Program, sql: str) -> int:
        store = self._store
        keep = self._provenance or program.rule.contradicts is not None
        if program.computes:
            store.run(f"CREATE OR REPLACE TEMP TABLE made AS {sql}")
            for literals in program.fresh_literals("made"):
                store.run(f"CREATE OR REPLACE TEMP TABLE fresh AS {literals}")
                store.keep_literals("fresh")
            sql = f"SELECT {program.kept()} FROM made"
        if keep:
            into = "INSERT INTO {} {}" if program.held else "CREATE OR REPLACE TABLE {} AS {}"
            held = store.change(into.format(program.table, sql))
            program.held += held
            if not held:
                return 0
            source = f"(SELECT * FROM {program.table} WHERE round = {self._round})"
        elif len(program.conclusions) > 1:
            store.run(f"CREATE OR REPLACE TEMP TABLE bound AS {sql}")
            source = "bound"
        else:
            source = f"({sql})"
        found = 0
        for conclusion in program.conclusions:
            size = self._sizes.get(conclusion.table, 0)
            new = store.change(program.insert(conclusion, source, empty=size == 0))
            self._sizes[conclusion.table] = size + new
            found += new
        return found

    def _count(self) -> None:
        for table in self._store.tables.values():
            self._sizes[table] = self._store.run(f"SELECT count(*) FROM {table}")[0][0]


def _deltas(recurring: Sequence[int], last: int) -> Iterator[dict[int, str]]:
    """For each recurring atom: it new, those before it old, those after it either."""
    for place, at in enumerate(recurring):
        rounds = dict.fromkeys(recurring[:place], f"< {last}")
        rounds[at] = f"= {last}"
        rounds.update(dict.fromkeys(recurring[place + 1 :], f"<= {last}"))
        yield rounds


def _explained(wrong: Exception, rule: Rule, theory: Theory) -> Exception:
    require("duckdb")
    import duckdb

    if isinstance(wrong, duckdb.InterruptException):
        return wrong
    if isinstance(wrong, DataError) and wrong.file is None:
        first = wrong.message
    elif isinstance(wrong, duckdb.Error):
        first = str(wrong).splitlines()[0].removeprefix("Invalid Input Error: ")
    else:
        return wrong
    return DataError(f"{rule.name}: {first}", file=theory.file, where=rule.line or None)


# How likely the likeliest derivation of each statement is: its rule's probability times those of
# its antecedents, as if they were independent. What was asserted keeps its own here. The statement
# is at least as likely (see ``lineage``); its likeliest derivation is the one that is shown. A
# statement that a rule matches twice counts once. Certain data cost nothing here.


LEAST = 2.0**-1022
"""What a product of probabilities does not fall below: a smaller one would become 0."""


def is_uncertain(store: Store, rules: Iterable[Rule]) -> bool:
    """Whether anything has a probability below 1."""
    if any(rule.probability != 1 for rule in rules):
        return True
    return bool(store.run("SELECT 1 FROM chances LIMIT 1"))


def derive_probabilities(store: Store, programs: Mapping[str, Program]) -> None:
    """Fills the column ``chance``, and sets each statement's round by its derivation.

    Afterwards the antecedents of a statement's likeliest derivation have lower rounds than it.
    What has no probability yet is below 0, and no antecedent.
    """
    store.weighed = True
    for table in store.tables.values():
        store.run(f"ALTER TABLE {table} ADD COLUMN chance DOUBLE DEFAULT 1.0")
        store.run(f"UPDATE {table} SET chance = -1, round = -1 WHERE round > 0")
    for predicate, table in store.tables.items():
        store.run(
            f"UPDATE {table} SET chance = c.probability FROM chances c WHERE {table}.round = 0 "
            f"AND c.p = {store.code(Name(predicate))} AND c.g = {table}.g AND c.s = {table}.s "
            f"AND c.o = {table}.o"
        )
    step, changed = 0, True
    while changed:
        changed = False
        for program in programs.values():
            step += 1
            changed = _apply(store, program, step) or changed


def antecedents(store: Store, program: Program) -> tuple[str, str]:
    """The joins that bring a rule's antecedents to its instantiations, and their product."""
    joins = []
    for index, pattern in enumerate(program.rule.positive):
        subject, object_ = (program.side(store, term) for term in (pattern.subject, pattern.object))
        joins.append(
            f"JOIN {store.table(pattern.property_name)} AS b{index} ON b{index}.g = i.g "
            f"AND b{index}.s = {subject} AND b{index}.o = {object_} AND b{index}.chance > 0"
        )
    return " ".join(joins), _product(program.rule.positive, program.rule.probability)


def _product(patterns: Sequence[Pattern], first: float) -> str:
    """The product of what the rows b0, b1, ... of statements are worth, each statement once."""
    factors = [f"{first!r}::DOUBLE"]
    for index, pattern in enumerate(patterns):
        same = [
            f"(b{before}.s = b{index}.s AND b{before}.o = b{index}.o)"
            for before, earlier in enumerate(patterns[:index])
            if earlier.predicate == pattern.predicate
        ]
        chance = f"b{index}.chance"
        factors.append(
            f"CASE WHEN {' OR '.join(same)} THEN 1 ELSE {chance} END" if same else chance
        )
    return f"greatest({' * '.join(factors)}, {LEAST!r}::DOUBLE)"


def _apply(store: Store, program: Program, step: int) -> bool:
    if not program.held:
        return False
    joins, worth = antecedents(store, program)
    changed = 0
    for conclusion in program.conclusions:
        changed += store.change(
            f"UPDATE {conclusion.table} SET chance = better.chance, round = {step} FROM ("
            f"SELECT i.g AS g, {conclusion.subject} AS s, {conclusion.object} AS o, "
            f"max({worth}) AS chance FROM {program.table} AS i {joins} GROUP BY ALL) AS better "
            f"WHERE {conclusion.table}.g = better.g AND {conclusion.table}.s = better.s "
            f"AND {conclusion.table}.o = better.o AND better.chance > {conclusion.table}.chance "
            f"AND {conclusion.table}.round <> 0"
        )
    return changed > 0
