"""What contradicts a theory: the rule, how it was met, and a minimal set of inputs that do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.reasoning.engine.inference import Inference
from readmark.reasoning.engine.programs import Program
from readmark.reasoning.explanations import (
    Derivation,
    Key,
    Search,
    antecedent_keys,
    bindings_of,
    computed_of,
    denied_of,
)
from readmark.reasoning.graphs import Statement
from readmark.reasoning.repairs import Broken, minimal_inputs
from readmark.reasoning.rules.values import Builtin, Condition, Rule
from readmark.reasoning.terms import Literal, Name

MOST = 1_000
"""So many contradictions are explained unless more are asked for."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A rule that a graph breaks, with the derivations that meet its conditions."""

    graph: str
    rule: Rule
    bindings: Mapping[str, Name | Literal]
    antecedents: tuple[Derivation, ...]
    computed: tuple[Builtin, ...]
    denied: tuple[tuple[Condition, ...], ...]
    inputs: tuple[Statement, ...]
    """Input statements that contradict the theory by this rule, none of which can be left out."""
    probability: float


def contradictions(
    inference: Inference, *, graphs: Iterable[str] | None = None, most: int = MOST
) -> list[Contradiction]:
    """The contradictions of every graph, or of those named, by rule, graph and values."""
    store = inference.store
    only = "" if graphs is None else f" WHERE i.g IN ({_listed(store.graph_codes(graphs))})"
    search = Search(inference)
    found: list[tuple[Rule, int, tuple[int, ...], tuple[Key, ...]]] = []
    for program in inference.programs.values():
        if program.rule.contradicts is None or len(found) >= most:
            continue
        rows = store.run(f"{_ordered(program, only)} LIMIT {most - len(found)}")
        for graph, *codes in rows:
            keys = antecedent_keys(inference, program, graph, codes)
            found.append((program.rule, graph, tuple(codes), keys))
    search.add(key for *_, keys in found for key in keys)
    trees = search.trees()
    names = store.graph_names(graph for _, graph, _, _ in found)
    terms = store.terms(code for _, _, codes, _ in found for code in codes)
    built = []
    for rule, graph, values, keys in found:
        bindings = bindings_of(inference.programs[rule.name], values, terms)
        antecedents = tuple(trees[key] for key in keys)
        probability = rule.probability
        for key in dict.fromkeys(keys):
            probability *= trees[key].probability
        built.append(
            Contradiction(
                names[graph],
                rule,
                bindings,
                antecedents,
                computed_of(rule, bindings),
                denied_of(rule, bindings),
                tuple(dict.fromkeys(leaf.statement for leaf in leaves(antecedents))),
                probability,
            )
        )
    broken = [Broken(one.graph, one.rule, one.bindings, one.inputs) for one in built]
    inputs = minimal_inputs(inference, broken)
    return [replace(one, inputs=kept) for one, kept in zip(built, inputs, strict=True)]


def leaves(derivations: Iterable[Derivation]) -> list[Derivation]:
    """The input statements that derivations rest on, each once, in reading order."""
    found: dict[tuple[str, Statement], Derivation] = {}
    stack = list(derivations)[::-1]
    seen: set[tuple[str, Statement]] = set()
    while stack:
        one = stack.pop()
        key = (one.graph, one.statement)
        if key in seen:
            continue
        seen.add(key)
        if one.rule is None:
            found[key] = one
        stack.extend(reversed(one.antecedents))
    return list(found.values())


def _ordered(program: Program, only: str) -> str:
    """The ways in which a rule held, by the names of graphs and terms; numbers by their value."""
    columns = ["i.g", *(f"i.{one}" for one in program.columns.values())]
    joins, order = ["JOIN graphs AS n ON n.id = i.g"], ["natural_key(n.text)", "n.text"]
    for one in program.columns.values():
        joins.append(f"LEFT JOIN names AS n_{one} ON n_{one}.id = i.{one}")
        joins.append(f"LEFT JOIN literals AS l_{one} ON l_{one}.id = i.{one}")
        text = f"COALESCE(n_{one}.text, l_{one}.text)"
        order += [f"natural_key({text}) NULLS FIRST", f"{text} NULLS FIRST", f"i.{one}"]
    return (
        f"SELECT {', '.join(columns)} FROM {program.table} AS i {' '.join(joins)}{only} "
        f"ORDER BY {', '.join(order)}"
    )


def _listed(codes: Sequence[int]) -> str:
    return ", ".join(str(one) for one in codes) or "NULL"
