"""How a referent is said in its place: article, possessive, and where a phrase goes in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from readmark.series.guided.answers import Expected
from readmark.series.guided.edits import Edit, Referent, Situation
from readmark.series.guided.parses import NOUNS, ParsedText, past
from readmark.series.notation import PREVIOUS_ANSWER

# An earlier question as a phrase within the current one: the dam that caused the flood.


_BE = ("is", "are", "was", "were")
_AUX = ("did", "does", "do", "has", "have", "had", "can", "could", "will", "would", *_BE)
_PREPOSITIONS = ("in", "on", "at", "for", "from", "of", "to", "by", "with", "under", "near", "over")


def as_phrase(asked: ParsedText, rewritten: str, expected: Expected) -> str:
    """The answer of an earlier question described by it; nothing where it cannot be turned."""
    text = re.sub(r"[\s?.!]+$", "", rewritten)
    words = text.split()
    if len(words) < 3:
        return ""
    first = words[0].lower()
    if first in ("who", "whom"):
        return _who(words)
    preposition = ""
    if first in _PREPOSITIONS and words[1].lower() in ("what", "which"):
        preposition, words = words[0].lower(), words[1:]
        first = words[0].lower()
    if first in ("what", "which") and expected.phrase:
        return _what(words, expected.phrase, preposition)
    if first in ("what", "which") and words[1].lower() in _BE:
        return " ".join(words[2:])
    if first == "where" and words[1].lower() in _AUX:
        clause = _uninverted(words[1:])
        return f"the place where {clause}" if clause else ""
    return ""


def _who(words: list[str]) -> str:
    if words[1].lower() in _BE and words[-1].lower() not in _PREPOSITIONS:
        rest = " ".join(words[2:])
        if re.match(r"(?:the|a|an|[A-Z].*['’]s?)\b", rest) or "'s" in rest:
            return rest
        return f"the person who {words[1]} {rest}"
    if words[1].lower() in ("did", "does", "do", *_BE):
        clause = _uninverted(words[1:])
        return f"the person {clause}" if clause else ""
    return f"the person who {' '.join(words[1:])}"


def _what(words: list[str], phrase: str, preposition: str) -> str:
    size = len(phrase.split())
    if words[1].lower() in _BE:  # What is the largest meteorite …
        return " ".join(words[2:])
    rest = words[1 + size :]
    if not rest or words[1 : 1 + size] != phrase.split():
        return ""
    if rest[0].lower() in _AUX and (preposition or _is_inverted(rest)):
        clause = _uninverted(rest)
        link = f"{preposition} which" if preposition else "that"
        return f"the {phrase} {link} {clause}" if clause else ""
    return f"the {phrase} that {' '.join(rest)}"


def _is_inverted(rest: list[str]) -> bool:
    """Whether a subject follows the auxiliary: did she found, not has won."""
    return rest[0].lower() in ("did", "does", "do") or (len(rest) > 2 and rest[1][:1].isupper())


def _uninverted(words: list[str]) -> str:
    """Did Rose Crumb found -> Rose Crumb founded; is Johnstown -> Johnstown is."""
    aux, rest = words[0], words[1:]
    if not rest:
        return ""
    if aux.lower() in _BE and rest[0][:1].isupper():  # is Otto Lang the hero
        size = next((i for i, word in enumerate(rest) if not word[:1].isupper()), len(rest))
        return " ".join([*rest[:size], aux, *rest[size:]])
    at = next(
        (i for i, word in enumerate(rest) if i and word[:1].islower() and word != "the"), None
    )
    while at is not None and rest[at].lower() in (*_PREPOSITIONS, "and") and at + 1 < len(rest):
        at = next((i for i in range(at + 1, len(rest)) if rest[i][:1].islower()), None)
    if at is None:
        return f"{' '.join(rest)} {aux}" if aux.lower() in _BE else ""
    subject, verb, after = rest[:at], rest[at], rest[at + 1 :]
    if aux.lower() == "did":
        verb = past(verb)
    elif aux.lower() == "does":
        verb = f"{verb}s"
    elif aux.lower() != "do":
        verb = f"{aux} {verb}"
    return " ".join([*subject, verb, *after])


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
