"""Answers that a text states."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.corpus.documents import Solution
from readmark.marking.metrics.bindings import Bindings
from readmark.measures.judged_answers import is_inference


@dataclass(frozen=True)
class Facts(Bindings):
    """F of answers stated directly in text; its ratio to people's is PR_F.

    "The DARPA Machine Reading Program", section 3.3.
    """

    def counts(self, solution: Solution) -> bool:
        """Those that are not inferred."""
        return not is_inference(solution)
