"""What contradicts a theory: the rule, how it was met, and a minimal set of inputs that do it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from readmark.reasoning.engine.inference import Inference, infer
from readmark.reasoning.explanations import (
    Derivation,
    Key,
    Search,
    antecedent_keys,
    bindings_of,
    computed_of,
    denied_of,
)
from readmark.reasoning.graphs import Asserted, Statement
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
    """The contradictions of every graph, or of those named, by rule and graph."""
    store = inference.store
    only = "" if graphs is None else f"WHERE g IN ({_listed(store.graph_codes(graphs))}) "
    search = Search(inference)
    found: list[tuple[Rule, int, tuple[int, ...], tuple[Key, ...]]] = []
    for program in inference.programs.values():
        if program.rule.contradicts is None or len(found) >= most:
            continue
        columns = ", ".join(["g", *program.columns.values()])
        rows = store.run(
            f"SELECT {columns} FROM {program.table} {only}ORDER BY ALL LIMIT {most - len(found)}"
        )
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
        for one in antecedents:
            probability *= one.probability
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
    inputs = _minimal(inference, built)
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


def _minimal(inference: Inference, built: Sequence[Contradiction]) -> list[tuple[Statement, ...]]:
    """Leaves out each input in turn where the rule is still broken without it.

    Every trial of a turn is a graph of one inference, so the turns are as many as the inputs of
    the largest set. Where negation makes the inputs alone break nothing, they stay as they are.
    """
    current = [one.inputs for one in built]
    rules = [one.rule.name for one in built]
    alone = _broken(inference, list(enumerate(current)), rules)
    for turn in range(max((len(one) for one in current), default=0)):
        trials = []
        for number, kept in enumerate(current):
            at = len(built[number].inputs) - 1 - turn
            if number in alone and at >= 0 and len(kept) > 1:
                target = built[number].inputs[at]
                trials.append((number, tuple(one for one in kept if one != target)))
        smaller = dict(trials)
        for number in _broken(inference, trials, rules):
            current[number] = smaller[number]
    return current


def _broken(
    inference: Inference,
    trials: Sequence[tuple[int, tuple[Statement, ...]]],
    rules: Sequence[str],
) -> set[int]:
    if not trials:
        return set()
    asserted = [Asserted(str(number), one) for number, kept in trials for one in kept]
    wanted = {rules[number] for number, _ in trials}
    with infer(asserted, inference.theory, provenance=False) as trial:
        return {
            int(one.graph)
            for name in wanted
            for one in trial.instantiations(name)
            if rules[int(one.graph)] == name
        }


def _listed(codes: Sequence[int]) -> str:
    return ", ".join(str(one) for one in codes) or "NULL"
