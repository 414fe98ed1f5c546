"""How a referent is said in its place: article, possessive, and where a phrase goes in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from readmark.series.guided.answer_phrases import as_phrase
from readmark.series.guided.answers import Expected
from readmark.series.guided.edits import Edit, Referent, Situation
from readmark.series.guided.parses import NOUNS, ParsedText
from readmark.series.notation import PREVIOUS_ANSWER

LONG = 6
"""Words of a phrase from which on the possessive is said with of."""
_BEFORE = ("JJ", "JJS", "JJR", "CD")
_PLURAL = {"is": "are", "was": "were", "does": "do", "has": "have"}
_SINGULAR = re.compile(r"\b(is|was|does|has) $", re.IGNORECASE)
_END = re.compile(r"[\s?.!？。]*$")


def possessive_form(name: str, *, plural: bool = False) -> str:
    """The possessive: 's, which the guidelines append to names in s too; ' after common plurals."""
    return f"{name}'" if plural and name.endswith("s") else f"{name}'s"


def possessive(asked: ParsedText, last: int, name: str, *, plural: bool = False) -> tuple[int, str]:
    """A possessive that ends at a word, and where the edit ends; after long phrases with of."""
    words = asked.words
    if len(name.split()) < LONG or (" of " not in f" {name} " and " who " not in f" {name} "):
        return words[last].end, possessive_form(name, plural=plural)
    noun = asked.run_end(last, (*NOUNS, *_BEFORE))
    if noun == last or not words[noun].is_noun:
        return words[last].end, possessive_form(name, plural=plural)
    owned = asked.text[words[last + 1].start : words[noun].end]
    return words[noun].end, f"the {owned} of {name}"


def referent_text(situation: Situation, meant: Referent) -> str:
    """A referent in running text."""
    if meant.what == "target":
        return situation.target.named()
    if meant.what == "inner" and meant.inner is not None:
        return inner_named(situation, meant.inner.text, meant.inner.person)
    if meant.what in ("noun", "kin", "named"):
        return meant.noun
    return answer_text(situation, meant.earlier)


def answer_text(situation: Situation, earlier: int | None) -> str:
    """What stands for an earlier answer."""
    known = situation.known.answers(situation.index, earlier)
    if earlier is None:
        return answer_words(situation.previous, known)
    asked = situation.asked[earlier]
    return answer_words(situation.previous, known, asked.parsed, asked.rewritten, asked.expected)


def answer_words(
    previous: str,
    known: Sequence[str],
    asked: ParsedText | None = None,
    rewritten: str = "",
    wanted: Expected | None = None,
) -> str:
    """The known answer, the question embedded as a phrase, or the variable."""
    if previous == "answer" and known:
        return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"
    if previous in ("question", "answer") and asked is not None and wanted is not None:
        phrase = as_phrase(asked, rewritten or asked.text, wanted)
        if phrase:
            return phrase
    return PREVIOUS_ANSWER


def inner_named(situation: Situation, text: str, person: bool) -> str:
    """A name inside the target with the article that the series gives it."""
    if person:
        titled = f"the {text}".lower() in situation.target.plain.lower()  # the Queen Mum's birthday
        return f"the {text}" if titled else text
    last = text.split()[-1]
    for asked in situation.asked:
        if re.search(rf"\b[Tt]he {re.escape(last)}\b(?! [A-Z])", asked.parsed.text):
            return f"the {text}"
    return text


def plural_of(noun: str) -> str:
    """A common noun in the plural."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def end_of(text: str) -> int:
    """Where a phrase goes in at the end of a question, before its mark."""
    match = _END.search(text)
    return len(text) if match is None else match.start()


def starts_sentence(asked: ParsedText, start: int) -> bool:
    return not asked.text[:start].strip(" \"'“‘")


def fitted(asked: ParsedText, start: int, now: str) -> str:
    """The words with a capital where they begin the question."""
    if starts_sentence(asked, start) and now[:4] in ("the ", "a ", "an "):
        return now[:1].upper() + now[1:]
    return now


def with_agreeing_verb(situation: Situation, edit: Edit) -> Edit:
    """The edit with the verb before it in the number of a plural name: where are the Wiggles."""
    target, text = situation.target, situation.current.parsed.text
    several = target.plural and target.kind == "organisation" and target.article == "the"
    match = _SINGULAR.search(text[: edit.start]) if several and edit.now == target.named() else None
    if match is None or not edit.was or edit.was.lower().startswith(target.plain.lower()[:4]):
        return edit
    verb = _PLURAL[match[1].lower()]
    verb = verb.capitalize() if match[1][0].isupper() else verb
    start = match.start(1)
    was = text[start : edit.end]
    return replace(edit, start=start, was=was, now=f"{verb} {edit.now}")
