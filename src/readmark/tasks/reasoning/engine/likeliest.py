"""How likely the likeliest derivation of each statement is.

That is its rule's probability times those of its antecedents, as if they were independent; what was
asserted keeps its own. The statement is at least as likely (see ``lineage``); its likeliest
derivation is the one that is shown. A statement that a rule matches twice counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.engine.store import Store
from readmark.tasks.reasoning.graphs import Pattern
from readmark.tasks.reasoning.rules.values import Rule
from readmark.tasks.reasoning.terms import Name

LEAST = 2.0**-1022
"""Products of probabilities do not fall below the smallest normal number, so as not to be 0."""


def is_uncertain(store: Store, rules: Iterable[Rule]) -> bool:
    """Whether anything has a probability below 1; if not, the column is not even made."""
    if any(rule.probability != 1 for rule in rules):
        return True
    return bool(store.run("SELECT 1 FROM chances LIMIT 1"))


def derive_probabilities(store: Store, programs: Mapping[str, Program]) -> None:
    """Fills the column ``chance``, and sets each statement's round by its derivation.

    Afterwards the antecedents of a statement's likeliest derivation have lower rounds than it.
    What has no probability yet has -1, and is no antecedent.
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
            changed = _raise_chances(store, program, step) or changed


def antecedent_joins(store: Store, program: Program) -> tuple[str, str]:
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
    """The product of the chances of the rows b0, b1, ..., each statement once."""
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


def _raise_chances(store: Store, program: Program, step: int) -> bool:
    """Gives what a rule concludes the chance of its new derivations, where that is greater."""
    if not program.held:
        return False
    joins, product = antecedent_joins(store, program)
    changed = 0
    for conclusion in program.conclusions:
        changed += store.change(
            f"UPDATE {conclusion.table} SET chance = better.chance, round = {step} FROM ("
            f"SELECT i.g AS g, {conclusion.subject} AS s, {conclusion.object} AS o, "
            f"max({product}) AS chance FROM {program.table} AS i {joins} GROUP BY ALL) AS better "
            f"WHERE {conclusion.table}.g = better.g AND {conclusion.table}.s = better.s "
            f"AND {conclusion.table}.o = better.o AND better.chance > {conclusion.table}.chance "
            f"AND {conclusion.table}.round <> 0"
        )
    return changed > 0
