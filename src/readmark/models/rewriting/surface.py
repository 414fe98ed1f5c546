"""How a referent is said in its place: article, possessive, and where a phrase goes in."""

from __future__ import annotations

import re

from readmark.models.rewriting.embedding import embedded
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Referent, Situation
from readmark.models.rewriting.targets import Target
from readmark.models.rewriting.values import PREVIOUS_ANSWER

_END = re.compile(r"[\s?.!？。]*$")


def own(name: str, *, plural: bool = False) -> str:
    """The possessive: 's, which the guidelines append to names in s too; ' after common plurals."""
    return f"{name}'" if plural and name.endswith("s") else f"{name}'s"


def said(here: Situation, meant: Referent) -> str:
    """A referent in running text."""
    if meant.what == "target":
        return here.target.named()
    if meant.what == "inner" and meant.inner is not None:
        return inner_named(here, meant.inner.text, meant.inner.person)
    if meant.what == "noun":
        return meant.noun
    return answer_said(here, meant.earlier)


def answer_said(here: Situation, earlier: int | None) -> str:
    """What stands for an earlier answer."""
    known = here.now.known
    if here.previous == "answer" and known:
        return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"
    if here.previous in ("question", "answer") and earlier is not None:
        asked = here.asked[earlier]
        phrase = embedded(asked.parsed, asked.rewritten or asked.parsed.text, asked.expected)
        if phrase:
            return phrase
    return PREVIOUS_ANSWER


def inner_named(here: Situation, text: str, person: bool) -> str:
    """A name inside the target with the article that the series gives it."""
    if person:
        return text
    last = text.split()[-1]
    for asked in here.asked:
        if re.search(rf"\b[Tt]he {re.escape(last)}\b(?! [A-Z])", asked.parsed.text):
            return f"the {text}"
    return text


def plural_of(noun: str) -> str:
    """A common noun in the plural."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def end_of(text: str) -> int:
    """Where a phrase goes in at the end of a question, before its mark."""
    found = _END.search(text)
    return len(text) if found is None else found.start()


def about(target: Target) -> str:
    """The target as the object of a preposition; a sentence after when."""
    return target.named()


def starts_sentence(asked: Parsed, start: int) -> bool:
    return not asked.text[:start].strip(" \"'“‘")


def fitted(asked: Parsed, start: int, now: str) -> str:
    """The words with a capital where they begin the question."""
    if starts_sentence(asked, start) and now[:4] in ("the ", "a ", "an "):
        return now[:1].upper() + now[1:]
    return now
