"""Answers that take inference."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.corpus.documents import Solution
from readmark.marking.metrics.bindings import Bindings
from readmark.measures.judged_answers import is_inference


@dataclass(frozen=True)
class Inferences(Bindings):
    """F of answers that require inference; its ratio to people's is PR_I.

    "The DARPA Machine Reading Program", section 3.3.
    """

    def counts(self, solution: Solution) -> bool:
        """Those that are inferred."""
        return is_inference(solution)
