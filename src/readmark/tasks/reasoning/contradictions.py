"""What contradicts a theory: the rule, how it was met, and a minimal set of inputs that do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from readmark.tasks.reasoning.derivations import (
    Derivation,
    Search,
    antecedent_keys,
    bindings_of,
    computed_of,
    denied_of,
    leaves,
)
from readmark.tasks.reasoning.engine.codes import StatementKey
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.programs import Program
from readmark.tasks.reasoning.graphs import Statement
from readmark.tasks.reasoning.minimal_inputs import Breach, minimal_inputs
from readmark.tasks.reasoning.rules.values import CONTRADICTS, Builtin, Condition, Rule
from readmark.tasks.reasoning.terms import Literal, Name

MOST = 1_000
"""Contradictions that are explained, unless more are asked for."""


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
    bound: float | None = None
    """The most that the probability can be, where only bounds are known."""

    def derivation(self) -> Derivation:
        """How the graph comes to contradict the theory, as the derivation of that statement."""
        theory = Name(self.rule.contradicts or "")
        return Derivation(
            self.graph,
            Statement(Name(self.graph), CONTRADICTS, theory),
            rule=self.rule,
            bindings=self.bindings,
            antecedents=self.antecedents,
            computed=self.computed,
            denied=self.denied,
            ways=1,
        )


def contradictions(
    inference: Inference, *, most: int = MOST, minimal: bool = True
) -> list[Contradiction]:
    """The contradictions of every graph, by rule, graph and values.

    Without ``minimal`` their inputs are all that they were derived from, which takes no trials.
    """
    store = inference.store
    matches: list[tuple[Program, int, tuple[int, ...], tuple[StatementKey, ...]]] = []
    for program in inference.programs.values():
        if program.rule.contradicts is None or not program.held or len(matches) >= most:
            continue
        for graph, *codes in store.run(f"{_ordered_matches(program)} LIMIT {most - len(matches)}"):
            keys = antecedent_keys(inference, program, graph, codes)
            matches.append((program, graph, tuple(codes), keys))
    search = Search(inference)
    search.add(key for *_, keys in matches for key in keys)
    trees = search.trees()
    graphs = store.graph_names(graph for _, graph, _, _ in matches)
    terms = store.terms(code for _, _, codes, _ in matches for code in codes)
    breaches = [
        Breach(
            graphs[graph],
            program.rule,
            bindings_of(program, codes, terms),
            tuple(dict.fromkeys(leaf.statement for leaf in leaves(trees[key] for key in keys))),
        )
        for program, graph, codes, keys in matches
    ]
    inputs = (
        minimal_inputs(inference, breaches) if minimal else [breach.inputs for breach in breaches]
    )
    listed: list[Contradiction] = []
    for (_, _, _, keys), breach, needed in zip(matches, breaches, inputs, strict=True):
        [chance] = inference.chances.joint([keys], breach.rule.probability)
        listed.append(
            Contradiction(
                graph=breach.graph,
                rule=breach.rule,
                bindings=breach.bindings,
                antecedents=tuple(trees[key] for key in keys),
                computed=computed_of(breach.rule, breach.bindings),
                denied=denied_of(breach.rule, breach.bindings),
                inputs=needed,
                probability=chance.low,
                bound=chance.bound,
            )
        )
    return listed


def _ordered_matches(program: Program) -> str:
    """A query for how a rule held, by the names of graphs and terms; numbers by their value."""
    columns = ["i.g", *(f"i.{column}" for column in program.columns.values())]
    joins, order = ["JOIN graphs AS n ON n.id = i.g"], ["natural_key(n.text)", "n.text"]
    for column in program.columns.values():
        joins.append(f"LEFT JOIN names AS n_{column} ON n_{column}.id = i.{column}")
        joins.append(f"LEFT JOIN literals AS l_{column} ON l_{column}.id = i.{column}")
        text = f"COALESCE(n_{column}.text, l_{column}.text)"
        order += [f"natural_key({text}) NULLS FIRST", f"{text} NULLS FIRST", f"i.{column}"]
    return (
        f"SELECT {', '.join(columns)} FROM {program.table} AS i {' '.join(joins)} "
        f"ORDER BY {', '.join(order)}"
    )
