"""How likely each statement is: that of its likeliest derivation.

A derivation's probability is its rule's times those of its antecedents, as if they were
independent; a statement takes the greatest, so that recursion cannot raise it, and what was
asserted keeps its own. Negation is not
weighed: what is asserted at any probability counts as said. Certain data cost nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from readmark.reasoning.engine.programs import Program
from readmark.reasoning.engine.store import Store
from readmark.reasoning.graphs import Pattern
from readmark.reasoning.rules.values import Rule
from readmark.reasoning.terms import Name


def uncertain(store: Store, rules: Iterable[Rule]) -> bool:
    """Whether anything has a probability below 1."""
    if any(rule.probability != 1 for rule in rules):
        return True
    return bool(store.run("SELECT 1 FROM chances LIMIT 1"))


def spread(store: Store, programs: Mapping[str, Program]) -> None:
    """Fills ``chances`` for derived statements, and sets each one's round by its derivation.

    Afterwards the antecedents of a statement's likeliest derivation have lower rounds than it.
    """
    store.weighed = True
    for table in store.tables.values():
        store.run(f"ALTER TABLE {table} ADD COLUMN chance DOUBLE DEFAULT 1.0")
        store.run(f"UPDATE {table} SET chance = 0, round = -1 WHERE round > 0")
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
    store.run("DELETE FROM chances")
    for predicate, table in store.tables.items():
        store.run(
            f"INSERT INTO chances SELECT g, {store.code(Name(predicate))}, s, o, chance "
            f"FROM {table} WHERE chance < 1"
        )


def antecedents(store: Store, program: Program) -> tuple[str, str]:
    """The joins that bring a rule's antecedents to its instantiations, and their product."""
    joins, factors = [], [str(program.rule.probability)]
    for at, pattern in enumerate(program.rule.positive):
        subject, object_ = (program.side(store, term) for term in (pattern.subject, pattern.object))
        joins.append(
            f"JOIN {_table(store, pattern)} AS b{at} ON b{at}.g = i.g AND b{at}.s = {subject} "
            f"AND b{at}.o = {object_}"
        )
        factors.append(f"b{at}.chance")
    return " ".join(joins), " * ".join(factors)


def _apply(store: Store, program: Program, step: int) -> bool:
    joins, product = antecedents(store, program)
    changed = 0
    for one in program.conclusions:
        changed += store.change(
            f"UPDATE {one.table} SET chance = better.chance, round = {step} FROM ("
            f"SELECT i.g AS g, {one.subject} AS s, {one.object} AS o, max({product}) AS chance "
            f"FROM {program.table} AS i {joins} GROUP BY ALL) AS better "
            f"WHERE {one.table}.g = better.g AND {one.table}.s = better.s "
            f"AND {one.table}.o = better.o AND better.chance > {one.table}.chance "
            f"AND {one.table}.round <> 0"
        )
    return changed > 0


def _table(store: Store, pattern: Pattern) -> str:
    return store.table(pattern.predicate.text if isinstance(pattern.predicate, Name) else "")
