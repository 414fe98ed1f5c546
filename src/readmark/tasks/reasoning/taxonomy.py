"""What follows from the taxonomy alone, and so counts as stated and not as inferred."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from readmark.tasks.reasoning.engine.conditions import Body
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.ontology import TYPE
from readmark.tasks.reasoning.rules.values import Theory
from readmark.tasks.reasoning.terms import Name, Variable


class TypeSource(NamedTuple):
    """A statement from which an entity's class follows by the taxonomy alone."""

    predicate: Name
    column: str
    """s or o: which side of the statement is the entity."""
    object: Name | None
    """The asserted class, where the statement is of a type."""


def inferred_sql(inference: Inference, body: Body) -> str:
    """The condition that a rule concluded any of the statements that a body matches."""
    sources = type_sources(inference.theory)
    parts = []
    for alias, pattern in zip(body.aliases(), body.atoms, strict=True):
        concluded = f"{alias}.round <> 0"
        if pattern.predicate == TYPE:
            classes = sources if isinstance(pattern.object, Variable) else [pattern.object]
            for name in classes:
                if isinstance(name, Name) and name in sources:
                    is_class = f"{alias}.o = {inference.store.code(name)}"
                    is_stated = _is_stated_sql(inference, alias, sources[name])
                    concluded += f" AND NOT ({is_class} AND ({is_stated}))"
        parts.append(f"({concluded})")
    return " OR ".join(parts) or "false"


def _is_stated_sql(inference: Inference, alias: str, sources: Iterable[TypeSource]) -> str:
    """The condition that one of the sources is asserted of the entity of a row."""
    store = inference.store
    joined = f"t.g = {alias}.g AND t.round = 0 AND"
    classes = [source.object for source in sources if source.object is not None]
    others = {(source.predicate, source.column) for source in sources if source.object is None}
    conditions = [
        f"EXISTS (SELECT 1 FROM {store.table(predicate.text)} t "
        f"WHERE {joined} t.{column} = {alias}.s)"
        for predicate, column in sorted(others)
    ]
    if classes:
        codes = ", ".join(str(store.code(name)) for name in classes)
        type_table = store.table(TYPE.text)
        conditions.append(
            f"EXISTS (SELECT 1 FROM {type_table} t "
            f"WHERE {joined} t.s = {alias}.s AND t.o IN ({codes}))"
        )
    return " OR ".join(conditions)


def type_sources(theory: Theory) -> dict[Name, set[TypeSource]]:
    """For each class, every statement that makes an entity one of it without other conditions.

    A step of the taxonomy is a rule with one condition that concludes types only: a superclass, or
    the class of whatever has a property.
    """
    steps = _steps(theory)
    sources: dict[Name, set[TypeSource]] = {}
    for name in steps:
        reached = sources[name] = set()
        waiting = [name]
        while waiting:
            new = steps.get(waiting.pop(), set()) - reached
            reached |= new
            waiting += [source.object for source in new if source.object is not None]
    return sources


def _steps(theory: Theory) -> dict[Name, set[TypeSource]]:
    """The sources of each class by a single rule."""
    steps: dict[Name, set[TypeSource]] = defaultdict(set)
    for rule in theory.rules:
        if len(rule.positive) != 1 or rule.groups() or rule.builtins or rule.probability != 1:
            continue
        [condition] = rule.positive
        for pattern in rule.head:
            if pattern.predicate != TYPE or not isinstance(pattern.object, Name):
                continue
            for column, term in (("s", condition.subject), ("o", condition.object)):
                if term != pattern.subject or not isinstance(condition.predicate, Name):
                    continue
                if condition.predicate != TYPE:
                    steps[pattern.object].add(TypeSource(condition.predicate, column, None))
                elif column == "s" and isinstance(condition.object, Name):
                    steps[pattern.object].add(TypeSource(TYPE, "s", condition.object))
    return steps
