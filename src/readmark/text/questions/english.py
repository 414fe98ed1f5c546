"""The types of English questions: which wh-word asks, then what it asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from readmark.text.questions.what_questions import (
    AUXILIARIES,
    CLAUSE_MARKS,
    OTHER_NOUNS,
    PREPOSITIONS,
    what_type,
)
from readmark.text.questions.word_lists import word_lists, words_of
from readmark.text.sentences import sentences

_WH = words_of("en", "wh")
_FILLERS = words_of("en", "fillers")
# "And then?" asks what came next: nobody answers it with yes.
_FOLLOWING_ON = frozenset({"then", "next", "after", "afterwards", "later", "else", "that", "so"})
_QUANTITIES = words_of("en", "quantities")
_IMPERATIVES = {
    name: words_of("en", "imperatives", name) for name in word_lists("en")["imperatives"]
}
_REQUESTS = _IMPERATIVES["name"] | _IMPERATIVES["define"]

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
_BY_WORD = {"who": "Who", "whom": "Who", "whose": "Who"} | {
    word: word.capitalize() for word in ("which", "when", "where", "why")
}
# Words that open another clause than the question's: "When it rains, do ...?"
_SUBORDINATE = frozenset({"when", "where"})
# Rarely relative pronouns, so that they ask wherever they occur.
_NEVER_RELATIVE = frozenset({"what", "why", "how", "whom"})
# "the house which the ...", "in which he ...": no question, unlike "he lived in which house?".
_AFTER_RELATIVE = AUXILIARIES | words_of("en", "pronouns")


class _Question(NamedTuple):
    """A question as it is looked at: the place of its wh-word, or none for yes/no and requests."""

    tokens: Sequence[str]
    lower: Sequence[str]
    place: int | None
    yes_no: bool
    embedded: bool
    """Whether an opening such as "Do you know" asks, and the question follows it."""


def question_type(question: str) -> str:
    """One of the twelve types."""
    read = _read(question)
    if read.place is None:
        return "Yes/No" if read.yes_no else _request_type(read.lower)
    word = read.lower[read.place]
    after = read.lower[read.place + 1 :]
    if word == "what":
        return what_type(read.tokens, read.place, embedded=read.embedded)
    if word == "how":
        if after and after[0] in _QUANTITIES:
            return "Others"
        return "Why" if after and after[0] == "come" else "How"
    return _BY_WORD[word]


def wh_word(question: str) -> str | None:
    """The wh-word that asks, in lower case."""
    read = _read(question)
    return None if read.place is None else read.lower[read.place]


def _read(question: str) -> _Question:
    text = question.replace("’", "'").replace("``", '"').replace("''", '"')
    text = _QUOTED.sub(" Quotation ", text)
    text = _RUN_TOGETHER.sub(r"\1's", _asking_sentence(text))
    opening = _OPENING.match(text)
    if opening:
        text = text[opening.end() :]
    tokens = _TOKEN.findall(text)
    lower = [token.lower() for token in tokens]
    if opening:
        place = next((index for index, token in enumerate(lower) if token in _WH), None)
        return _Question(tokens, lower, place, yes_no=False, embedded=True)
    place, yes_no = _asking_place(lower, text.rstrip())
    return _Question(tokens, lower, place, yes_no, embedded=False)


def _asking_sentence(text: str) -> str:
    """The first sentence with a question mark, else the whole."""
    if "?" not in text or not _INNER_END.search(text):
        return text
    for start, end in sentences(text, "en"):
        if text[end - 1] == "?" and _LETTER.search(text, start, end):
            return text[start:end]
    return text


def _asking_place(lower: Sequence[str], text: str) -> tuple[int | None, bool]:
    """The place of the asking wh-word, or whether the question is one of yes or no."""
    openers = _openers(lower)
    if openers and openers[0].clause == 0:
        first, *later = openers
        if later and first.wh is not None and _only_says_when(lower, first.wh):
            first = later[0]
        return first.wh, first.wh is None
    if lower and lower[-1] in _WH:  # left in its place at the end: "It was written by whom?"
        return len(lower) - 1, False
    if openers:
        return openers[0].wh, openers[0].wh is None
    return _inside(lower, text)


class _Opener(NamedTuple):
    """A clause that begins as a question does: its number, and where its wh-word occurs."""

    clause: int
    wh: int | None


def _openers(lower: Sequence[str]) -> list[_Opener]:
    """The clauses that begin with a wh-word, or with an auxiliary."""
    openers: list[_Opener] = []
    start = clause = 0
    while start < len(lower):
        place = start
        while place < len(lower) and lower[place] in _FILLERS:
            place += 1
        word = lower[place] if place < len(lower) else ""
        following = lower[place + 1] if place + 1 < len(lower) else ""
        if word in _WH:
            openers.append(_Opener(clause, place))
        elif word in PREPOSITIONS and following in _WH:
            openers.append(_Opener(clause, place + 1))
        elif word in AUXILIARIES and word != "'s":
            # "The artist, a Dane, is how old?"
            asks_after = clause and following in _NEVER_RELATIVE
            openers.append(_Opener(clause, place + 1 if asks_after else None))
        end = next((i for i in range(place, len(lower)) if lower[i] in CLAUSE_MARKS), len(lower))
        start, clause = end + 1, clause + 1
    return openers


def _only_says_when(lower: Sequence[str], place: int) -> bool:
    """Whether a first clause with "when" or "where" asks nothing: its verb is not inverted."""
    following = lower[place + 1] if place + 1 < len(lower) else ","
    return (
        lower[place] in _SUBORDINATE
        and following not in AUXILIARIES
        and following not in CLAUSE_MARKS
    )


def _inside(lower: Sequence[str], text: str) -> tuple[int | None, bool]:
    """A wh-word in the middle of the one clause, else a statement with a question mark."""
    has_question_mark = text.endswith("?")
    if lower and lower[0] in _REQUESTS:
        return None, False
    places = [index for index, token in enumerate(lower) if token in _WH]
    for place in places:
        if lower[place] in _NEVER_RELATIVE:
            return place, False
    for place in places:
        following = lower[place + 1] if place + 1 < len(lower) else ""
        if following in AUXILIARIES and lower[0] in PREPOSITIONS:
            return place, False
        if lower[place] == "which" and has_question_mark and following not in _AFTER_RELATIVE:
            return place, False
    words = [token for token in lower if token not in CLAUSE_MARKS and token not in _FILLERS]
    return None, has_question_mark and not _FOLLOWING_ON.issuperset(words)


def _request_type(lower: Sequence[str]) -> str:
    """The type of a request ("Name two animals") or of a fragment without a wh-word."""
    words = [word for word in lower if word not in CLAUSE_MARKS and word not in _FILLERS]
    if _FOLLOWING_ON.issuperset(words):
        return "Others"
    verb, rest = words[0], words[1:]
    if verb in _IMPERATIVES["define"]:
        return "What-DEF"
    if verb in _IMPERATIVES["tell"] and _IMPERATIVES["define_nouns"].intersection(rest[:4]):
        return "What-DEF"
    if verb in _IMPERATIVES["name"]:
        if _IMPERATIVES["people"].intersection(rest[:3]):
            return "Who"
        return "What-OTH" if OTHER_NOUNS.intersection(rest[:4]) else "What-NP"
    return "How" if verb in _IMPERATIVES["manner"] else "What-NP"
