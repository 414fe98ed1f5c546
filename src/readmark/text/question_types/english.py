"""English question types: which wh-word asks, then what it asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from readmark.text.question_types.lists import word_lists, words_of
from readmark.text.question_types.what import what_type
from readmark.text.sentences import sentences

_WH = words_of("en", "wh")
_AUXILIARIES = words_of("en", "auxiliaries") | {"'s"}
_FILLERS = words_of("en", "fillers")
_PREPOSITIONS = words_of("en", "prepositions")
_QUANTITIES = words_of("en", "quantities")
_SOUGHT = words_of("en", "sought")
_IMPERATIVES = {
    name: words_of("en", "imperatives", name) for name in word_lists("en")["imperatives"]
}

_QUOTED = re.compile(r'"[^"]*"|“[^“”]*”|«[^«»]*»')
_TOKEN = re.compile(r"[a-z]+n't|'s\b|[^\W_]+(?:-[^\W_]+)*|[,;:—–]", re.IGNORECASE)
_INNER_END = re.compile(r"[.!?]\s+\w")
_RUN_TOGETHER = re.compile(r"\b(who|what|when|where|why|how)s\b", re.IGNORECASE)
_OPENINGS = "|".join(word_lists("en")["openings"]["patterns"])
_OPENING = re.compile(
    rf"\W*(?:{_OPENINGS})\W+(?:about\W+|of\W+)?(?=(?:\w+\W+)?(?:{'|'.join(sorted(_WH))})\b)",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")
_STOPS = frozenset(",;:—–")
_REQUESTS = _IMPERATIVES["name"] | _IMPERATIVES["define"]
_BY_WORD = {"who": "Who", "whom": "Who", "whose": "Who"} | {
    word: word.capitalize() for word in ("which", "when", "where", "why")
}
# Words that open a clause beside the question: "When it rains, do ...?"
_SUBORDINATE = frozenset({"when", "where"})
# Rarely relative pronouns, so that they ask wherever they stand.
_NEVER_RELATIVE = frozenset({"what", "why", "how", "whom"})
# "the house which the ...", "in which he ...": no question, unlike "he lived in which house?".
_AFTER_RELATIVE = _AUXILIARIES | words_of("en", "pronouns")


class _Asked(NamedTuple):
    """Where a question asks: the place of its wh-word, or none for yes/no and for requests."""

    tokens: Sequence[str]
    lower: Sequence[str]
    at: int | None
    yes_no: bool
    embedded: bool


def question_type(question: str) -> str:
    """One of the twelve types."""
    asked = _asked(question)
    if asked.at is None:
        return "Yes/No" if asked.yes_no else _requested(asked.lower)
    word = asked.lower[asked.at]
    after = asked.lower[asked.at + 1 :]
    if word == "what":
        return what_type(asked.tokens, asked.at, embedded=asked.embedded)
    if word == "how":
        if after and after[0] in _QUANTITIES:
            return "Others"
        return "Why" if after and after[0] == "come" else "How"
    return _BY_WORD[word]


def wh_word(question: str) -> str | None:
    """The wh-word that asks, in lower case."""
    asked = _asked(question)
    return None if asked.at is None else asked.lower[asked.at]


def _asked(question: str) -> _Asked:
    text = question.replace("’", "'").replace("``", '"').replace("''", '"')
    text = _QUOTED.sub(" Quotation ", text)
    text = _RUN_TOGETHER.sub(r"\1's", _asking_sentence(text))
    opening = _OPENING.match(text)
    if opening:
        text = text[opening.end() :]
    tokens = _TOKEN.findall(text)
    lower = [token.lower() for token in tokens]
    at, yes_no = (_first_wh(lower), False) if opening else _asking(lower, text.rstrip())
    return _Asked(tokens, lower, at, yes_no, opening is not None)


def _asking_sentence(text: str) -> str:
    """The first sentence with a question mark, else the whole."""
    if "?" not in text or not _INNER_END.search(text):
        return text
    for start, end in sentences(text, "en"):
        if text[end - 1] == "?" and _LETTER.search(text, start, end):
            return text[start:end]
    return text


def _first_wh(lower: Sequence[str]) -> int | None:
    return next((at for at, token in enumerate(lower) if token in _WH), None)


def _asking(lower: Sequence[str], text: str) -> tuple[int | None, bool]:
    """The place of the asking wh-word, or whether the question is one of yes or no."""
    openers = _openers(lower)
    if openers and openers[0].clause == 0:
        first, *later = openers
        if later and first.wh is not None and _subordinate(lower, first.wh):
            first = later[0]
        return first.wh, first.wh is None
    final = _final_wh(lower)
    if final is not None:
        return final, False
    if openers:
        return openers[0].wh, openers[0].wh is None
    return _inside(lower, text)


class _Opener(NamedTuple):
    """A clause that begins as a question does: its number, and where its wh-word stands."""

    clause: int
    wh: int | None


def _openers(lower: Sequence[str]) -> list[_Opener]:
    """The clauses that begin with a wh-word, or with an auxiliary."""
    found: list[_Opener] = []
    start = clause = 0
    while start < len(lower):
        at = start
        while at < len(lower) and lower[at] in _FILLERS:
            at += 1
        here, after = (*lower[at : at + 2], "", "")[:2]
        if here in _WH:
            found.append(_Opener(clause, at))
        elif here in _PREPOSITIONS and after in _WH:
            found.append(_Opener(clause, at + 1))
        elif here in _AUXILIARIES and here != "'s":
            # "The artist, a Dane, is how old?"
            found.append(_Opener(clause, at + 1 if clause and after in _NEVER_RELATIVE else None))
        end = next((i for i in range(at, len(lower)) if lower[i] in _STOPS), len(lower))
        start, clause = end + 1, clause + 1
    return found


def _subordinate(lower: Sequence[str], at: int) -> bool:
    """Whether a first clause with "when" or "where" only says when: its verb is not inverted."""
    after = lower[at + 1] if at + 1 < len(lower) else ","
    return lower[at] in _SUBORDINATE and after not in _AUXILIARIES and after not in _STOPS


def _final_wh(lower: Sequence[str]) -> int | None:
    """A wh-word left in its place at the end: "It was written by whom?"."""
    return len(lower) - 1 if lower and lower[-1] in _WH else None


def _inside(lower: Sequence[str], text: str) -> tuple[int | None, bool]:
    """A wh-word in the middle of the one clause, else a statement with a question mark."""
    is_question = text.endswith("?")
    if lower and lower[0] in _REQUESTS:
        return None, False
    places = [at for at, token in enumerate(lower) if token in _WH]
    for at in places:
        if lower[at] in _NEVER_RELATIVE:
            return at, False
    for at in places:
        after = lower[at + 1] if at + 1 < len(lower) else ""
        if after in _AUXILIARIES and lower[0] in _PREPOSITIONS:
            return at, False
        if lower[at] == "which" and is_question and after not in _AFTER_RELATIVE:
            return at, False
    return None, is_question and any(token not in _STOPS for token in lower)


def _requested(lower: Sequence[str]) -> str:
    """The type of a request ("Name two animals") or of a fragment without a wh-word."""
    words = [word for word in lower if word not in _STOPS and word not in _FILLERS]
    if not words:
        return "Others"
    verb, rest = words[0], words[1:]
    head = next((word for word in rest if word in _SOUGHT), None)
    if verb in _IMPERATIVES["define"]:
        return "What-DEF"
    if verb in _IMPERATIVES["tell"] and _IMPERATIVES["define_nouns"].intersection(rest[:4]):
        return "What-DEF"
    if verb in _IMPERATIVES["name"]:
        if _IMPERATIVES["people"].intersection(rest[:3]):
            return "Who"
        return "What-OTH" if head is not None and head in rest[:4] else "What-NP"
    return "How" if verb in _IMPERATIVES["manner"] else "What-NP"
