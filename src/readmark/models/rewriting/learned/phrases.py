"""Phrases of English questions and answers that a later question may mean."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import replace

from readmark.models.rewriting.learned.values import Phrase
from readmark.models.rewriting.parsing import Parsed, tokens
from readmark.models.rewriting.tables import kinds_of, listed

_WITHIN = ("JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS", "CD", "HYPH", "NFP", "POS")
_ARTICLES = ("the", "a", "an")
_JOINS = ("of", "for", "in", "between", "to")
_ROLES = {
    "nsubj": "subject",
    "nsubjpass": "subject",
    "dobj": "object",
    "attr": "object",
    "ROOT": "object",
    "pobj": "of",
}
_TYPES = {"PERSON": "person", "ORGANIZATION": "organisation", "LOCATION": "place"}
_TIMES = ("TIME", "NUM")
_INTRODUCES = re.compile(
    r"(?:\babout|^\s*(?:what|who|where)(?:'s|’s|\s+(?:is|are|was|were))|^\s*(?:describe|define))"
    r"(?:\s+(?:the|an?))?\s*$",
    re.IGNORECASE,
)
LONGEST_ANSWER = 300
"""Characters of an answer that are read for phrases."""


@functools.lru_cache(maxsize=4_096)
def content(text: str) -> frozenset[str]:
    """The content words of a text, without case and possessive endings."""
    return frozenset(one.base for one in tokens(text) if not one.is_stop)


def chunks(asked: Parsed) -> list[tuple[int, int]]:
    """Runs of words that make up noun phrases, without their articles."""
    words, found, at = asked.words, [], 0
    while at < len(words):
        last = at
        while last < len(words) and words[last].tag in _WITHIN:
            last += 1
        end, first = last, at
        while end > first and not words[end - 1].is_noun:
            end -= 1
        while first < end and words[first].tag in ("HYPH", "POS", "NFP"):
            first += 1
        if end > first:
            found.append((first, end))
        at = max(last, at + 1)
    return found


def phrases_of(asked: Parsed, *, source: str, turn: int) -> Iterator[Phrase]:
    """The noun phrases of a text, alone, joined to the next, and with the verb before them."""
    found = list(_found(asked, source, turn))
    for one in found:
        fuller = any(one.words < other.words for other in found)
        yield replace(one, inside=True) if fuller else one


def _found(asked: Parsed, source: str, turn: int) -> Iterator[Phrase]:
    words = asked.words
    found = chunks(asked)
    for number, (first, end) in enumerate(found):
        before = words[first - 1] if first else None
        yield _phrase(asked, first, end, source, turn)
        if number + 1 < len(found):
            to, last = found[number + 1]
            between = [word.lower for word in words[end:to]]
            joined = between and between[0] in _JOINS
            if (joined or between[:1] == ["and"]) and all(one in _ARTICLES for one in between[1:]):
                yield _phrase(asked, first, last, source, turn, joined=between[0])
        at = first - 1
        if before is not None and before.lower in _ARTICLES:
            at -= 1
        if at >= 0 and words[at].tag == "VBG" and words[at].lower not in ("including", "regarding"):
            yield _phrase(asked, at, end, source, turn, joined="act")


def _phrase(
    asked: Parsed, first: int, end: int, source: str, turn: int, *, joined: str = ""
) -> Phrase:
    words = asked.words
    last = end - 1
    if joined and joined not in ("act", "and"):  # the head stands before the preposition
        last = next(at for at in range(first, end) if words[at].lower == joined) - 1
    head = words[last]
    before = words[first - 1] if first else None
    article = before.lower if before is not None and before.lower in _ARTICLES else ""
    owned = before is not None and before.tag == "PRP$"
    if owned:
        article = "the"
    asking = before is not None and before.tag in ("WDT", "WP", "WRB", "WP$")
    text = asked.text[words[first].start : words[end - 1].end]
    role = "asked" if asking else _ROLES.get(head.dep, "other")
    return Phrase(
        text=text,
        article="" if joined == "act" else article,
        source=source,
        turn=turn,
        words=content(text),
        head=head.lemma,
        plural=joined == "and" or head.tag in ("NNS", "NNPS"),
        kind="act" if joined == "act" else kind_of(asked, first, last + 1),
        role=role,
        name=any(word.tag in ("NNP", "NNPS") for word in words[first:end]),
        general=head.lemma in listed("topics", "general"),
        extended=bool(joined),
        introduced=_INTRODUCES.search(asked.text[: words[first].start]) is not None,
        final=not any(word.is_noun for word in words[end:]),
    )


def kind_of(asked: Parsed, first: int, end: int) -> str:
    """What a phrase names: by the analyser's name types, else by its noun."""
    words = asked.words
    type = asked.name_type(words[first].start, words[end - 1].end)
    if type in _TYPES:
        return _TYPES[type]
    if type in _TIMES:
        return "time"
    kinds = kinds_of(words[end - 1].lemma)
    if len(kinds) >= 1 and not words[end - 1].tag.startswith("NNP"):
        return sorted(kinds)[0]
    return "unknown"
