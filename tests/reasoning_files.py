"""Table 3 of the document, and short ways to infer over parenthesised graphs."""

from __future__ import annotations

from readmark.tasks.reasoning.engine.inference import Inference, infer
from readmark.tasks.reasoning.graphs import Asserted, read_statements
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.parser import parse_rules
from readmark.tasks.reasoning.rules.values import Theory

OVERTIME = """
(:theory NFLScoringTheory)
(:rule overtime
 :comment "If overtime is mentioned but no period count, assume 5."
 :if (?g hasOvertimePlay true)
 :if-not (?g numberOfPeriods ?n)
 :then (?g numberOfPeriods 5))
(:rule four-at-most
 :comment "A statement of overtime play contradicts one of at most 4 periods."
 :if (?game numberOfPeriods ?N)
     (?N mrq:lessThanOrEqualTo 4)
     (?game hasOvertimePlay true)
 :then (?inputGraph contradicts NFLScoringTheory))
"""
PERIODS = "((?G type NFLGame) (?G numberOfPeriods ?N))"


def asserted(*graphs: str) -> list[Asserted]:
    """The statements of graphs g0, g1, ..."""
    return [
        Asserted(f"g{number}", statement)
        for number, graph in enumerate(graphs)
        for statement in read_statements(graph)
    ]


def inferred(
    rules: str | Theory,
    *graphs: str,
    ontology: Ontology | None = None,
    provenance: bool = True,
    complete: bool = False,
) -> Inference:
    """A theory over graphs g0, g1, ..."""
    theory = parse_rules(rules) if isinstance(rules, str) else rules
    return infer(asserted(*graphs), theory, ontology, provenance=provenance, complete=complete)


def derived(rules: str | Theory, graph: str) -> set[str]:
    """What a theory derives from one graph, written out."""
    from readmark.tasks.reasoning.graphs import write_triple

    with inferred(rules, graph) as inference:
        return {write_triple(one.statement) for one in inference.derived()}
