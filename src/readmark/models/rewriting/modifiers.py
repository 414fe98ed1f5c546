"""The noun of a target without the words before it: openers, of can openers."""

from __future__ import annotations

from readmark.models.rewriting.nouns import same_noun
from readmark.models.rewriting.state import Situation
from readmark.models.rewriting.values import Edit


def modifier_edit(here: Situation) -> Edit | None:
    """The target's own modifiers put before its bare noun, whose number stays."""
    target, asked = here.target, here.now.parsed
    if target.kind in ("event", "person") or len(target.tokens) < 2 or target.sentence:
        return None
    head = target.tokens[-1]
    if not head.text.islower() or head.base != target.head:
        return None
    before = target.plain[: head.start].strip()
    for at, word in enumerate(asked.words):
        previous = asked.words[at - 1] if at else None
        single = previous is not None and previous.lower in ("a", "an")
        if not (word.is_noun or single) or not same_noun(word.lower, head.base):
            continue
        following = asked.words[at + 1] if at + 1 < len(asked.words) else None
        if target.inner or (previous is not None and previous.tag == "POS"):
            return None
        if previous is not None and (previous.is_noun or previous.tag == "HYPH"):
            return None
        if previous is not None and previous.lower in ("the", "this", "that", "these", "those"):
            return None  # the nominals look at it
        if following is not None and following.is_noun:
            return None
        return Edit(
            word.start,
            word.start,
            "",
            f"{before} ",
            f"{word.lower}: the target's noun without the words before it",
            "Target matches a sub-string of the question",
            0.8,
        )
    return None
