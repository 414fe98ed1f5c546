"""How likely each statement is: that of its likeliest derivation.

A derivation's probability is its rule's times those of its antecedents, as if they were
independent; a statement takes the greatest, so that recursion cannot raise it, and what was
asserted keeps its own. A statement that a rule matches twice counts once. Negation is not weighed:
what is asserted at any probability counts as said. Certain data cost nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.store import Store, ground
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.values import Rule
from readmark.tasks.reasoning.terms import Name, Variable

LEAST = 2.0**-1022
"""What a product of probabilities does not fall below: a smaller one would become 0."""


def uncertain(store: Store, rules: Iterable[Rule]) -> bool:
    """Whether anything has a probability below 1."""
    if any(rule.probability != 1 for rule in rules):
        return True
    return bool(store.run("SELECT 1 FROM chances LIMIT 1"))


def spread(store: Store, programs: Mapping[str, Program]) -> None:
    """Fills ``chances`` for derived statements, and sets each one's round by its derivation.

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
    store.run("DELETE FROM chances")
    for predicate, table in store.tables.items():
        store.run(
            f"INSERT INTO chances SELECT g, {store.code(Name(predicate))}, s, o, chance "
            f"FROM {table} WHERE chance < 1"
        )


def antecedents(store: Store, program: Program) -> tuple[str, str]:
    """The joins that bring a rule's antecedents to its instantiations, and their product."""
    joins = []
    for at, pattern in enumerate(program.rule.positive):
        subject, object_ = (program.side(store, term) for term in (pattern.subject, pattern.object))
        joins.append(
            f"JOIN {store.table(pattern.property_name)} AS b{at} ON b{at}.g = i.g "
            f"AND b{at}.s = {subject} AND b{at}.o = {object_} AND b{at}.chance > 0"
        )
    aliases = [f"b{at}" for at in range(len(joins))]
    return " ".join(joins), product(aliases, program.rule.positive, program.rule.probability)


def product(
    aliases: Sequence[str],
    patterns: Sequence[Pattern],
    first: float = 1.0,
    store: Store | None = None,
) -> str:
    """The product of what rows of statements are worth, each statement once.

    With a store, the rows of a pattern with a variable property have its code as ``p``.
    """
    factors = [f"{first!r}::DOUBLE"]
    for at, (alias, pattern) in enumerate(zip(aliases, patterns, strict=True)):
        same = []
        for before, earlier in zip(aliases[:at], patterns[:at], strict=True):
            alike = f"{before}.s = {alias}.s AND {before}.o = {alias}.o"
            if isinstance(pattern.predicate, Name) and isinstance(earlier.predicate, Name):
                if pattern.predicate == earlier.predicate:
                    same.append(f"({alike})")
            elif store is not None:
                one, other = (
                    f"{name}.p" if isinstance(term, Variable) else str(store.code(ground(term)))
                    for name, term in ((before, earlier.predicate), (alias, pattern.predicate))
                )
                same.append(f"({alike} AND {one} = {other})")
        chance = f"{alias}.chance"
        factors.append(
            f"CASE WHEN {' OR '.join(same)} THEN 1 ELSE {chance} END" if same else chance
        )
    return f"greatest({' * '.join(factors)}, {LEAST!r}::DOUBLE)"


def _apply(store: Store, program: Program, step: int) -> bool:
    joins, worth = antecedents(store, program)
    changed = 0
    for one in program.conclusions:
        changed += store.change(
            f"UPDATE {one.table} SET chance = better.chance, round = {step} FROM ("
            f"SELECT i.g AS g, {one.subject} AS s, {one.object} AS o, max({worth}) AS chance "
            f"FROM {program.table} AS i {joins} GROUP BY ALL) AS better "
            f"WHERE {one.table}.g = better.g AND {one.table}.s = better.s "
            f"AND {one.table}.o = better.o AND better.chance > {one.table}.chance "
            f"AND {one.table}.round <> 0"
        )
    return changed > 0
