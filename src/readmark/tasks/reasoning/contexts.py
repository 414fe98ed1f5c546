"""The most probable consistent groups of statements that contradict one another.

"To determine the most likely grouping of extracted formal statements into consistent contexts"
("The DARPA Machine Reading Program", section 3). A context keeps as much as it can: nothing that
it drops could be kept as well. Its probability is the product of p for what it keeps and 1 - p for
what it drops, over all contexts of the same conflict.

Conflicts are found by inference (``conflicts``) and solved as sets of numbers (``context_search``).
Where rules deny something, dropping a statement may let another rule hold, so contexts are then
tried by inference, and what still contradicts is a conflict more.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from readmark.core.numbers import significant
from readmark.tasks.reasoning.conflicts import (
    NO_TIME,
    ConflictFinder,
    Input,
    InputConflict,
    seconds_left,
    without_supersets,
)
from readmark.tasks.reasoning.context_results import (
    BestContext,
    ContextGroup,
    Contexts,
    DroppedStatement,
)
from readmark.tasks.reasoning.context_search import (
    MOST_LISTED,
    ROUNDING,
    ContextList,
    list_contexts,
    log_sum,
)
from readmark.tasks.reasoning.disjoint_sets import DisjointSets
from readmark.tasks.reasoning.engine.inference import infer, with_constraints
from readmark.tasks.reasoning.graphs import Asserted
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory

SECONDS = 30.0
ROUNDS = 20  # of trying contexts, each of which is an inference
TRIED = 500_000  # statements of all contexts that are tried in one inference, in memory
SEARCH_SHARE = 0.8  # of the time left may go into listing contexts; the rest is for trying them


def contexts(
    asserted: Iterable[Asserted],
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    seconds: float = SECONDS,
    most: int = MOST_LISTED,
    contradicted: Collection[str] | None = None,
) -> Contexts:
    """The most probable consistent groups of statements, within each graph.

    ``contradicted`` names the graphs that contradict the theory, where that is known.

    Statements of probability 1 are certain: they are kept before others, and where they contradict
    each other, every greatest consistent set counts the same. Rules count as certain. A statement
    that is asserted several times has the greatest of its probabilities.
    """
    end = time.monotonic() + seconds
    stated = list(asserted)
    probabilities: dict[Input, float] = {}
    for statement in stated:
        key = (statement.graph, statement.statement)
        probabilities[key] = max(probabilities.get(key, 0.0), statement.probability)
    rules = with_constraints(theory, ontology)
    rules = replace(rules, rules=tuple(replace(rule, probability=1.0) for rule in rules.rules))
    if contradicted is None:
        plain = [Asserted(graph, statement) for graph, statement in probabilities]
        with infer(plain, rules, provenance=False, seconds=seconds_left(end)) as inference:
            contradicted = inference.contradicted()
    if not contradicted:
        return Contexts(BestContext(tuple(stated), ()))
    finder = ConflictFinder(rules, end)
    finder.add([[key for key in probabilities if key[0] in contradicted]])
    return _Solver(probabilities, finder, end, most).solve(stated)


class _Tangle(NamedTuple):
    """Conflicts that share inputs, with their contexts; users are shown it as one conflict."""

    inputs: list[Input]
    conflicts_of: Mapping[Input, list[InputConflict]]
    """The conflicts that each input is in."""
    listed: ContextList

    def dropped(self, index: int) -> set[Input]:
        """What a context drops."""
        kept = self.listed.contexts[index].kept
        return {key for key, keep in zip(self.inputs, kept, strict=True) if not keep}


class _Solver:
    """The contexts of all conflicts, tried until what they keep contradicts nothing any more."""

    def __init__(
        self, probabilities: Mapping[Input, float], finder: ConflictFinder, end: float, most: int
    ) -> None:
        self._probabilities = probabilities
        self._finder = finder
        self._end = end
        self._most = most
        self._position = {key: index for index, key in enumerate(probabilities)}

    def solve(self, asserted: Sequence[Asserted]) -> Contexts:
        """The contexts, and what of the asserted statements is in none of their drops."""
        notes = self._finder.notes
        found_more = False
        tangles = self._tangles()
        for turn in range(ROUNDS):
            releases = self._finder.may_release_rules(
                key for tangle in tangles for key in tangle.inputs
            )
            if not releases and not notes:
                break
            if turn == ROUNDS - 1 or seconds_left(self._end) <= NO_TIME:
                notes["not tried against the rules again: out of time"] = None
                break
            count = len(self._finder)
            self._try_contexts(tangles, listed_too=releases)
            if len(self._finder) == count:
                is_short = any(
                    tangle.listed.examined > len(tangle.listed.contexts) for tangle in tangles
                )
                if releases and is_short:
                    notes["rules deny what contexts drop, and not every context was tried"] = None
                break
            found_more = True
            tangles = self._tangles()
        if self._finder.rests_on_denied_denials():
            notes["rules deny what rests on denials: some contexts may be missing"] = None
        if found_more:
            notes["rules deny what contexts drop: some contexts may be missing"] = None
        return self._result(tangles, asserted)

    def _tangles(self) -> list[_Tangle]:
        """The conflicts in groups that share no input, each with its contexts."""
        conflicts = self._contested_conflicts()
        joined = DisjointSets()
        for inputs, _ in conflicts:
            joined.join(list(inputs))
        tangled: dict[Hashable, list[tuple[frozenset[Input], InputConflict]]] = {}
        for inputs, conflict in conflicts:
            tangled.setdefault(joined.root(next(iter(inputs))), []).append((inputs, conflict))
        tangles: list[_Tangle] = []
        unsolved = len(conflicts)
        # Smaller ones first: they leave most of their share of the time to the larger ones.
        for group in sorted(tangled.values(), key=len):
            seconds = SEARCH_SHARE * seconds_left(self._end) * len(group) / unsolved
            unsolved -= len(group)
            members = {key for inputs, _ in group for key in inputs}
            ordered = sorted(members, key=self._position.__getitem__)
            number_of = {key: number for number, key in enumerate(ordered)}
            as_numbers = (frozenset(number_of[key] for key in inputs) for inputs, _ in group)
            listed = list_contexts(
                [self._probabilities[key] for key in ordered],
                list(dict.fromkeys(as_numbers)),
                most=self._most,
                end=time.monotonic() + seconds,
            )
            conflicts_of: dict[Input, list[InputConflict]] = {}
            for inputs, conflict in group:
                for key in inputs:
                    conflicts_of.setdefault(key, []).append(conflict)
            tangles.append(_Tangle(ordered, conflicts_of, listed))
        return sorted(tangles, key=lambda tangle: self._position[tangle.inputs[0]])

    def _contested_conflicts(self) -> list[tuple[frozenset[Input], InputConflict]]:
        """The smallest conflicts, with those of their inputs that contexts decide on.

        A certain input is decided on only where it conflicts with certain ones; elsewhere it is
        kept, and the uncertain rest of the conflict cannot be.
        """
        conflicts = self._finder.smallest()
        contested = {
            key
            for conflict in conflicts
            if all(self._probabilities[key] == 1 for key in conflict.inputs)
            for key in conflict.inputs
        }
        decided = {key for key, chance in self._probabilities.items() if chance < 1} | contested
        reduced = [(conflict.inputs & decided, conflict) for conflict in conflicts]
        smallest = set(without_supersets(inputs for inputs, _ in reduced))
        return [(inputs, conflict) for inputs, conflict in reduced if inputs in smallest]

    def _try_contexts(self, tangles: Sequence[_Tangle], *, listed_too: bool) -> None:
        """Looks for conflicts in what the best contexts keep, or all that are listed."""
        best = {key for tangle in tangles for key in tangle.dropped(0)}
        drops = [best]
        size = len(self._probabilities)
        for tangle in tangles if listed_too else ():
            for index in range(1, len(tangle.listed.contexts)):
                if size + len(self._probabilities) > TRIED:
                    self._finder.notes["not every context was tried"] = None
                    break
                size += len(self._probabilities)
                drops.append((best - set(tangle.inputs)) | tangle.dropped(index))
        graphs = {graph for tangle in tangles for graph, _ in tangle.inputs}
        inputs = [key for key in self._probabilities if key[0] in graphs]
        self._finder.add([[key for key in inputs if key not in dropped] for dropped in drops])

    def _result(self, tangles: Sequence[_Tangle], asserted: Sequence[Asserted]) -> Contexts:
        groups: list[ContextGroup] = []
        dropped_by_best: list[DroppedStatement] = []
        bound = 0.0
        for conflict, tangle in enumerate(tangles, 1):
            listed = tangle.listed
            whole = log_sum(listed.total, listed.missed)
            missed = 0.0 if listed.missed == -math.inf else math.exp(listed.missed - whole)
            bound = max(bound, missed)
            top = listed.contexts[0].weight - ROUNDING
            is_tied = sum(context.weight > top for context in listed.contexts) > 1
            for index, context in enumerate(listed.contexts):
                left_out = tangle.dropped(index)
                dropped = tuple(
                    self._dropped(key, tangle, left_out) for key in tangle.inputs if key in left_out
                )
                groups.append(
                    ContextGroup(
                        conflict=conflict,
                        graph=tangle.inputs[0][0],
                        probability=math.exp(context.weight - whole),
                        bound=math.exp(context.weight - listed.total) if missed else None,
                        kept=tuple(key[1] for key in tangle.inputs if key not in left_out),
                        dropped=dropped,
                        undecided=is_tied and context.weight > top,
                    )
                )
                if index == 0:
                    dropped_by_best += dropped
        if bound:
            note = f"up to {significant(bound)} of the probability was not looked at"
            self._finder.notes[note] = None
        left_out = {(dropped.graph, dropped.statement) for dropped in dropped_by_best}
        kept = (each for each in asserted if (each.graph, each.statement) not in left_out)
        notes = tuple(self._finder.notes)
        return Contexts(
            BestContext(tuple(kept), tuple(dropped_by_best)),
            tuple(groups),
            exact=not notes,
            bound=bound,
            notes=notes,
        )

    def _dropped(self, key: Input, tangle: _Tangle, left_out: set[Input]) -> DroppedStatement:
        """A dropped statement with its reason: a conflict of which everything else is kept."""

        def rank(conflict: InputConflict) -> tuple[bool, int, list[int]]:
            """For a certain statement others that are certain count; then the fewest, the first."""
            others = conflict.inputs - {key}
            unsure = any(self._probabilities[other] < 1 for other in others)
            positions = sorted(self._position[other] for other in others)
            return self._probabilities[key] == 1 and unsure, len(others), positions

        reasons = (each for each in tangle.conflicts_of[key] if len(each.inputs & left_out) == 1)
        inputs, rule = min(reasons, key=rank)
        against = sorted(inputs - {key}, key=self._position.__getitem__)
        statements = tuple(statement for _, statement in against)
        return DroppedStatement(*key, self._probabilities[key], rule, statements)
