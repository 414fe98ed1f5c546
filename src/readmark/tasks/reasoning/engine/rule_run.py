"""Rules run over a store: stratum by stratum, and a recursive one round by round."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext

from readmark.core.confinement import Late
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.engine.limits import (
    LARGE,
    Deadline,
    OutOfTime,
    expected_rows,
    fetch_large,
)
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.rules.strata import Stratum, stratified
from readmark.tasks.reasoning.rules.values import Rule, Theory

MOST_ROUNDS = 10_000
"""A recursion that still finds something new after so many rounds is taken to be endless."""


def run_theory(
    store: Store, theory: Theory, *, provenance: bool, seconds: float | None = None
) -> dict[str, Program]:
    """Fills a store's tables with all that rules conclude; gives the compiled rules by name.

    With ``provenance``, the instantiations of every rule stay, else only those of contradictions.
    """
    return _RuleRun(store, theory, provenance, seconds).run()


class _RuleRun:
    """One evaluation of a theory over a store."""

    def __init__(
        self, store: Store, theory: Theory, provenance: bool, seconds: float | None
    ) -> None:
        self._store = store
        self._theory = theory
        self._provenance = provenance
        self._deadline = None if seconds is None else Deadline(store, seconds)
        self._round = 0
        self._sizes: dict[str, int] = {}
        """The rows of each table of statements."""
        self._estimated: dict[str, int] = {}
        """Of each rule that the planner found small, how many rows its tables had then."""
        self._programs: dict[str, Program] = {}

    def run(self) -> dict[str, Program]:
        store, theory = self._store, self._theory
        dependencies = stratified(theory)
        numbers = {rule.name: number for number, rule in enumerate(theory.rules)}

        def compiled(rule: Rule) -> Program:
            try:
                return Program(store, rule, dependencies, numbers[rule.name])
            except DataError as wrong:
                raise _explained(wrong, rule, theory) from None

        # Every table is there before a rule that reads it is compiled.
        for rule in theory.rules:
            for pattern in rule.head:
                if rule.contradicts is None:
                    store.table(pattern.property_name)
        for table in store.tables.values():
            self._sizes[table] = store.run(f"SELECT count(*) FROM {table}")[0][0]
        strata = list(dependencies.strata())
        stratum = strata[0] if strata else None
        try:
            with nullcontext() if self._deadline is None else self._deadline.enforced():
                for stratum in strata:
                    for rule in stratum.rules:
                        self._programs[rule.name] = compiled(rule)
                    self._run_stratum(stratum)
        except Late:
            if stratum is not None:
                raise self._late(stratum.rules[0]) from None
        return self._programs

    def _run_stratum(self, stratum: Stratum) -> None:
        """Runs rules once where nothing recurs, else round by round over what is new."""
        programs = [self._programs[rule.name] for rule in stratum.rules]
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
        if not all(self._sizes_of(program)):
            return 0  # Most rules of a domain have a condition that no statement meets.
        count = 0
        for rounds in variants:
            sql = program.select(self._round, rounds)
            try:
                if self._deadline is not None and self._is_large(program, sql):
                    sql = f"SELECT * FROM {fetch_large(self._store, sql, self._deadline)}"
                count += self._conclude(program, sql)
            except Late:
                raise self._late(program.rule) from None
            except Exception as wrong:
                if self._deadline is not None and self._deadline.is_over(wrong):
                    raise self._late(program.rule) from None
                raise _explained(wrong, program.rule, self._theory) from wrong
        return count

    def _sizes_of(self, program: Program) -> list[int]:
        """The rows of the table of each condition."""
        tables = (self._store.table(atom.property_name) for atom in program.atoms)
        return [self._sizes.get(table, 0) for table in tables]

    def _is_large(self, program: Program, sql: str) -> bool:
        """Whether the planner expects too many rows; it is asked again when tables have doubled."""
        sizes = self._sizes_of(program)
        if math.prod(sizes) < LARGE:
            return False
        rows = sum(sizes)
        before = self._estimated.get(program.rule.name)
        if before is not None and rows < 2 * before:
            return False
        is_large = expected_rows(self._store, sql) >= LARGE
        if not is_large:
            self._estimated[program.rule.name] = rows
        return is_large

    def _late(self, rule: Rule) -> DataError:
        seconds = self._deadline.seconds if self._deadline is not None else 0.0
        message = f"{rule.name}: the rules took more than {seconds:g} s and were stopped"
        return OutOfTime(message, file=self._theory.file, where=rule.line or None)

    def _conclude(self, program: Program, sql: str) -> int:
        """Adds what a rule concludes from the rows of a query; how many statements are new."""
        store = self._store
        if program.computes:
            store.run(f"CREATE OR REPLACE TEMP TABLE made AS {sql}")
            for literals in program.fresh_literals("made"):
                store.run(f"CREATE OR REPLACE TEMP TABLE fresh AS {literals}")
                store.keep_literals("fresh")
            sql = f"SELECT {program.stored_columns()} FROM made"
        if self._provenance or program.rule.contradicts is not None:
            into = "INSERT INTO {} {}" if program.held else "CREATE OR REPLACE TABLE {} AS {}"
            count = store.change(into.format(program.table, sql))
            program.held += count
            if not count:
                return 0
            source = f"(SELECT * FROM {program.table} WHERE round = {self._round})"
        elif len(program.conclusions) > 1:
            store.run(f"CREATE OR REPLACE TEMP TABLE bound AS {sql}")
            source = "bound"
        else:
            source = f"({sql})"
        total = 0
        for conclusion in program.conclusions:
            size = self._sizes.get(conclusion.table, 0)
            new = store.change(program.insert(conclusion, source, empty=size == 0))
            self._sizes[conclusion.table] = size + new
            total += new
        return total


def _deltas(recurring: Sequence[int], last: int) -> Iterator[dict[int, str]]:
    """For each recurring condition: it new, those before it old, those after it either.

    So each combination of statements with a new one among them comes once.
    """
    for index, recurring_atom in enumerate(recurring):
        rounds = dict.fromkeys(recurring[:index], f"< {last}")
        rounds[recurring_atom] = f"= {last}"
        rounds.update(dict.fromkeys(recurring[index + 1 :], f"<= {last}"))
        yield rounds


def _explained(wrong: Exception, rule: Rule, theory: Theory) -> Exception:
    """The error as one of the rule, where it is the database's or has no place yet."""
    require("duckdb")
    import duckdb

    if isinstance(wrong, duckdb.InterruptException):
        return wrong
    if isinstance(wrong, DataError) and wrong.file is None:
        message = wrong.message
    elif isinstance(wrong, duckdb.Error):
        message = str(wrong).splitlines()[0].removeprefix("Invalid Input Error: ")
    else:
        return wrong
    return DataError(f"{rule.name}: {message}", file=theory.file, where=rule.line or None)
