"""What about …, how about …: the question before, asked of something else."""

from __future__ import annotations

import re

from readmark.models.rewriting.nouns import same_noun
from readmark.models.rewriting.parsing import Parsed, Word
from readmark.models.rewriting.phrases import SUBJECT, is_general, phrases
from readmark.models.rewriting.values import Edit

GUIDELINE = "Previous Questions and Answers"
Place = tuple[int, int]
_ABOUT = re.compile(r"(?:and )?(?:what|how) about\s+(.+?)\s*[?.]*\s*$", re.IGNORECASE)


def follow_up(asked: Parsed, before: Parsed, rewritten: str) -> Edit | None:
    """The earlier question with the new phrase where the one it stands against was."""
    found = _ABOUT.match(asked.text)
    if found is None or _ABOUT.match(before.text):
        return None
    new = found[1]
    words = [word for word in asked.words if found.start(1) <= word.start < found.end(1)]
    if not words or any(word.tag in ("PRP", "PRP$") for word in words):
        return None
    place = _after_preposition(words, before, rewritten) or _same_noun(words, before, rewritten)
    if place is None and words[0].tag != "IN":
        place = _only_one(words, before, rewritten)
    if place is None:
        return None
    start, end = place
    now = rewritten[:start] + new + rewritten[end:]
    now = now[:1].upper() + now[1:]
    why = "the question before, asked of something else"
    return Edit(0, len(asked.text), asked.text, now, why, GUIDELINE, 0.5)


def _after_preposition(words: list[Word], before: Parsed, rewritten: str) -> Place | None:
    """In the US: in place of in the UK."""
    if words[0].tag != "IN":
        return None
    for at in range(len(before.words) - 1, -1, -1):
        if before.words[at].lower == words[0].lower:
            return _found(before.text[before.words[at].start : _whole(before, at)], rewritten)
    return None


def _whole(earlier: Parsed, at: int) -> int:
    """The end of a preposition's phrase."""
    inside = {at}
    end = earlier.words[at].end
    for index in range(at + 1, len(earlier.words)):
        word = earlier.words[index]
        if word.head in inside or index == word.head:
            inside.add(index)
        if index in inside or earlier.words[word.head].head in inside:
            if word.tag == ".":
                break
            inside.add(index)
            end = word.end
    return end


def _same_noun(words: list[Word], before: Parsed, rewritten: str) -> Place | None:
    """Boer goats: in place of angora goats."""
    head = words[-1]
    if not head.is_noun or is_general(head) or any(word.tag == "IN" for word in words):
        return None
    for at, word in enumerate(before.words):
        if not word.is_noun or not same_noun(word.lemma, head.lemma):
            continue
        first = at
        while first and (
            before.words[first - 1].is_noun or before.words[first - 1].tag in ("JJ", "DT", "CD")
        ):
            first -= 1
        return _found(before.text[before.words[first].start : word.end], rewritten)
    return None


def _found(said: str, rewritten: str) -> Place | None:
    start = rewritten.find(said)
    once = start >= 0 and rewritten.count(said) == 1
    return (start, start + len(said)) if once else None


def _only_one(words: list[Word], before: Parsed, rewritten: str) -> Place | None:
    """Where the question before says one thing only: impacted society; or says what it is."""
    if not words[-1].is_noun or is_general(words[-1]) or words[-1].tag == "JJS":
        return None
    said = [one for one in phrases(before) if one.article != "the"]
    if len(said) == 2 and said[0].weight >= SUBJECT and said[1].is_sort:
        said = said[:1]  # is chilli a stew
    return _found(said[0].named, rewritten) if len(said) == 1 else None
