"""The words and signs that series are written with, after "A gold standard of question
reformulations for TREC question series": OTHER questions, PREVIOUS_ANSWER, bracketed targets.
"""

from __future__ import annotations

import re
from typing import NamedTuple

OTHER = "OTHER"
"""The category of the question that ends a series of TREC's."""
OTHER_TEXT = (
    "Provide any other interesting details about the target that have not already been asked for "
    "explicitly."
)
"""What an OTHER question without words of its own asks."""
PREVIOUS_ANSWER = "PREVIOUS_ANSWER"
"""What stands in a gold for the answer to an earlier question."""
MOST_GOLDS = 3
CANARD_GUIDELINES, CAST_GUIDELINES = "CANARD", "TREC CAsT manual rewrites"
OTHER_GUIDELINES = frozenset({CANARD_GUIDELINES, CAST_GUIDELINES})
"""Guidelines of sets whose golds do not come in variants for brackets."""

_BRACKETED = re.compile(
    r"^(?P<outer>[^()（）]*[^()（）\s])\s*[(（](?P<inner>[^()（）]*)[)）]\s*(?P<rest>[^()（）]*)$"
)


class Bracketed(NamedTuple):
    """A target with brackets, such as "Sony Pictures Entertainment (SPE)"."""

    whole: str
    outer: str
    """Without the brackets and what stands in them."""
    inner: str
    """What stands in the brackets."""


def bracketed(target: str) -> Bracketed | None:
    """The three forms of a target with one pair of brackets; None for any other."""
    found = _BRACKETED.match(target.strip())
    if found is None or not found["inner"].strip():
        return None
    between = "" if "（" in target else " "
    outer = f"{found['outer']}{between}{found['rest']}".strip()
    return Bracketed(target.strip(), outer, found["inner"].strip())


def unmatched_bracket(target: str) -> bool:
    """Whether a bracket of a target is not opened, not closed, or holds nothing."""
    depth = 0
    for sign in target:
        depth += (sign in "(（") - (sign in ")）")
        if depth < 0:
            return True
    return depth > 0 or re.search(r"[(（]\s*[)）]", target) is not None
