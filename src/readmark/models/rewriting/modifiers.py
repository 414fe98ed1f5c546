"""Nouns without the target before them: openers, of can openers; the spots, of Club Med spots."""

from __future__ import annotations

from readmark.models.rewriting.nominals import nominals
from readmark.models.rewriting.nouns import same_noun
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Asked, Situation
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
    said = {one.base for one in asked.tokens}
    if all(one.base in said for one in target.tokens[:-1]):
        return None  # which Virginia vineyard produces the most wine
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


def compound_edit(here: Situation) -> Edit | None:
    """The target put before a definite noun that it stood before in an earlier question."""
    asked, target = here.now.parsed, here.target
    if target.sentence or target.kind in ("person", "event"):
        return None
    known = {noun for earlier in here.asked[: here.at] for noun in _after_target(earlier)}
    for one in nominals(asked):
        word = asked.words[one.last]
        if word.lemma not in known or one.modifies or one.owns or word.tag in ("NNP", "NNPS"):
            continue
        return Edit(
            word.start,
            word.start,
            "",
            f"{target.text} ",
            f"{word.lemma}: an earlier question has the target before it",
            "Context independence and readability",
            0.7,
        )
    return None


def _after_target(earlier: Asked) -> set[str]:
    """The noun of a phrase that begins with the target: Club Med vacation spots."""
    found: set[str] = set()
    words = earlier.parsed.words
    for part in earlier.parts:
        if part.how not in ("whole", "part", "alias") or part.possessive:
            continue
        at = _next(earlier.parsed, part.end)
        last = None
        while at is not None and at < len(words) and words[at].is_noun:
            last, at = at, at + 1
        if last is not None and words[last].text.islower():
            found.add(words[last].lemma)
    return found


def _next(asked: Parsed, offset: int) -> int | None:
    touching = asked.text[offset : offset + 1] == " "
    return asked.at(offset + 1) if touching else None
