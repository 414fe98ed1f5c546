"""Commands: sentences without a subject, in which *you* is understood."""

from __future__ import annotations

from readmark.readability.raters.parses import ParsedPassage

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})


def imperatives(parsed: ParsedPassage) -> list[int]:
    """Verbs in the base form that are roots, or joined to one, without subject, *to* or modal."""
    tags, deps, heads = parsed.tags, parsed.deps, parsed.heads
    with_subject: set[int] = set()  # or with *to*, a modal, or a finite auxiliary
    for index, dep in enumerate(deps):
        if dep in _SUBJECTS or (dep == "aux" and tags[index] in ("TO", "MD", "VBD", "VBZ")):
            with_subject.add(heads[index])
    verbs: set[int] = set()
    for index, tag in enumerate(tags):
        if tag != "VB" or index in with_subject:
            continue
        if deps[index] == "ROOT" or (deps[index] == "conj" and heads[index] in verbs):
            verbs.add(index)
    return sorted(verbs)
