"""Commands: sentences whose subject is a *you* that nobody says."""

from __future__ import annotations

from readmark.models.rating.parsed import Parsed

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})


def imperatives(parsed: Parsed) -> list[int]:
    """Verbs in the base form that are roots, or joined to one, without subject, *to* or modal."""
    tags, deps, heads = parsed.tags, parsed.deps, parsed.heads
    bound: set[int] = set()
    for at, dep in enumerate(deps):
        if dep in _SUBJECTS or (dep == "aux" and tags[at] in ("TO", "MD", "VBD", "VBZ")):
            bound.add(heads[at])
    found: set[int] = set()
    for at, tag in enumerate(tags):
        if tag != "VB" or at in bound:
            continue
        if deps[at] == "ROOT" or (deps[at] == "conj" and heads[at] in found):
            found.add(at)
    return sorted(found)
