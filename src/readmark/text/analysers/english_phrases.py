"""English base noun phrases: a grammar over Penn tags, held to what the parser says.

Base phrases are those of Ramshaw and Marcus, "Text Chunking using Transformation-Based
Learning": not recursive; but a possessive 's stands between two of them. As in the BRCC
document, question words alone are none, "four hours a week" is one, "other agencies and
instruments" is one for the word they share; other phrases joined by "and" are one each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.text.analysers.tables import words as table_words

Tokens = tuple[int, int]
"""First token and the one after the last."""

# A letter a tag: the grammar is a regular expression over a sentence's letters.
_LETTERS = {
    **dict.fromkeys(("DT", "PDT"), "D"),
    **dict.fromkeys(("PRP$", "WP$"), "G"),
    **dict.fromkeys(("JJ", "JJR", "JJS", "AFX"), "J"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "R"),
    **dict.fromkeys(("NN", "NNS", "ADD", "FW"), "N"),
    **dict.fromkeys(("NNP", "NNPS"), "M"),
    **dict.fromkeys(("$", "#"), "$"),
    **dict.fromkeys(("WP", "WDT"), "W"),
    "POS": "S",
    "PRP": "P",
    "VBN": "B",
    "VBG": "g",
    "VBD": "d",
    "CD": "C",
    "CC": "&",
    ",": ",",
    "HYPH": "h",
}
_ABOUT = table_words("en", "phrases", "about")
_ALMOST = table_words("en", "phrases", "almost")
_BRACKETS = frozenset("()[]{}<>\"'`“”‘’|/\\*=~^_")

_ROUGHLY = r"(?:(?:[RJ]t|RR|[aq])?\$?(?=C))"
_NUMBER = rf"(?:{_ROUGHLY}C|\$(?!C))"
_ADJECTIVE = r"(?:Rh?){0,4}J"
_MODIFIER = (
    rf"(?:{_NUMBER}|{_ADJECTIVE}(?:,?&{_ADJECTIVE}|,{_ADJECTIVE}(?=[JNM])){{0,4}}"
    r"|(?:Rh?){0,4}B(?=h?[JNMBgC$])|g(?=h?[JNMC])|[NM]|[NM][+][NM]|N&N(?=N))"
)
_GRAMMAR = re.compile(
    rf"""
    S?(?:q?[DAW]{{1,3}}G?|G)?(?:{_MODIFIER}|h){{0,40}}(?:[NM][+]|{_ROUGHLY})?[NMC]
    (?:(?<=MC),C(?=[^CN]|$))?(?:&N(?![NMJS]))?
    | S?q?[DAG]{{1,3}}R{{0,3}}J
    | [DP]
    """,
    re.VERBOSE,
)
_ARTICLES = frozenset({"a", "an", "the"})
_DOUBTFUL = re.compile(r"(?<=[DA]J)N")
_AFTER_VERB = re.compile(r"[.d]JN(?=[NM])")
_KINDS = re.compile(r"J&JM+")  # British and American English: two, for no word stands before both
_HOW_MANY = re.compile(r"w(?=J)")
_UNITS = table_words("en", "time", "units")

# spaCy's relations
_MODIFYING = frozenset(
    {
        *("compound", "nmod", "amod", "nummod", "poss", "det", "predet", "quantmod"),
        *("advmod", "npadvmod", "punct", "cc", "conj"),
    }
)
_OBJECTS = frozenset({"appos", "dobj", "npadvmod", "dep"})
_ARGUMENT = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})


def base_phrases(
    words: Sequence[str], tags: Sequence[str], heads: Sequence[int], deps: Sequence[str]
) -> list[Tokens]:
    """The base noun phrases of a text as ranges of tokens; heads are indices of tokens."""
    letters = _HOW_MANY.sub("W", "".join(map(_letter, words, tags)))
    letters = _without_verbs(letters, heads, deps)
    found: list[Tokens] = []
    at = 0
    for match in _GRAMMAR.finditer(letters):
        found += _adjectives(at, match.start(), letters, deps)
        if _KINDS.fullmatch(letters, *match.span()):
            found += [(match.start(), match.start() + 1), (match.start() + 2, match.end())]
        else:
            found += _held_to_parse(*match.span(), letters, heads, deps)
        at = match.end()
    found += _adjectives(at, len(letters), letters, deps)
    return _with_rates(found, words, tags)


def _without_verbs(letters: str, heads: Sequence[int], deps: Sequence[str]) -> str:
    """Letters without verbs that the pipeline took for nouns after an adjective.

    The rich help the poor: a noun that is all its sentence hangs on has no object and no adverb.
    Students who study hard pass exams: nor is there such a sentence without another verb.
    """
    found = list(letters)
    for match in _DOUBTFUL.finditer(letters):
        at = match.end() - 1
        if deps[at] == "ROOT" and at + 1 < len(letters) and _governs(at, letters, heads, deps):
            found[at] = "."
    for match in _AFTER_VERB.finditer(letters):
        verb = match.start()
        main = heads[verb]
        nominal = deps[main] == "ROOT" and letters[main] in "NM"
        if deps[verb] == "relcl" and nominal and deps[verb + 2] == "compound":
            found[verb + 1] = found[verb + 2] = "."
    return "".join(found)


def _governs(at: int, letters: str, heads: Sequence[int], deps: Sequence[str]) -> bool:
    """Whether a would-be noun has an object or an adverb right after it."""
    if letters[at + 1] == "R":
        return heads[at + 1] == at
    if letters[at + 1] not in "DAGP":
        return False
    last = at + 1
    while last != heads[last] and at < heads[last] < len(letters) and heads[last] != at:
        last = heads[last]
    return heads[last] == at and deps[last] in _OBJECTS


def _adjectives(start: int, end: int, letters: str, deps: Sequence[str]) -> list[Tokens]:
    """Adjectives that stand where a noun would: most slept."""
    return [
        (at, at + 1) for at in range(start, end) if letters[at] == "J" and deps[at] in _ARGUMENT
    ]


def _letter(word: str, tag: str) -> str:
    if tag in ("IN", "RB"):
        lower = word.lower()
        if lower in _ABOUT:
            return "a"
        if lower in _ALMOST:
            return "q"
        if lower == "than":
            return "t"
    if tag == "WRB" and word.lower() == "how":
        return "w"
    if tag == "DT" and word.lower() in _ARTICLES:
        return "A"
    if tag == "FW" and (not word.isalpha() or word.lower() == "etc"):
        return "."
    if word in ("%", "&"):
        return "N" if word == "%" else "+"
    return "." if word in _BRACKETS and tag != "POS" else _LETTERS.get(tag, ".")


def _held_to_parse(
    start: int, end: int, letters: str, heads: Sequence[int], deps: Sequence[str]
) -> list[Tokens]:
    """A stretch cut after each noun that modifies nothing in it, and around verbs."""
    found: list[Tokens] = []
    first = start
    for at in range(start, end):
        letter = letters[at]
        head = heads[at]
        if deps[at] == "conj" and first <= head < at:
            head = heads[head]  # felony and fraud charges: as felony does, so does fraud
        if at < head < end and deps[at] in _MODIFYING:
            continue
        if letter in "BgWR" or (letter == "J" and at == first and at + 1 < end):
            found.append((first, at))
            first = at + 1
        elif letter in "NMCP" and at + 1 < end and not _goes_on(first, at, end, letters, heads):
            found.append((first, at + 1))
            first = at + 1
    found.append((first, end))
    return [kept for one in found if (kept := _trimmed(*one, letters))]


def _goes_on(first: int, at: int, end: int, letters: str, heads: Sequence[int]) -> bool:
    """Whether what follows a noun hangs on it: July 1988; old gold and silver; Bell & Sons."""
    following = letters[at + 1]
    if following == "&":
        # A noun before the first is that one's alone: ice cream, and cake.
        shared = any(letter not in "NMh" for letter in letters[first:at])
        return shared and at + 3 == end and heads[at + 2] == at
    return (
        following == "+"
        or (following in ",C" and heads[at + 1] == at)
        or (letters[at] == "C" and following == ",")
    )


def _trimmed(start: int, end: int, letters: str) -> Tokens | None:
    while (
        start < end
        and letters[start] in "S&,hRatq"
        and not (letters[start] in "Raq" and start + 1 < end and letters[start + 1] in "JCBtDA$")
    ):
        start += 1
    while start < end and letters[end - 1] in "h,&RaqtW":
        end -= 1
    if start >= end or all(letters[at] == "A" for at in range(start, end)):
        return None
    return start, end


def _with_rates(found: list[Tokens], words: Sequence[str], tags: Sequence[str]) -> list[Tokens]:
    """Join a duration and its rate: four hours, a week."""
    joined: list[Tokens] = []
    for start, end in found:
        if (
            joined
            and joined[-1][1] == start
            and end - start == 2
            and words[start].lower() in ("a", "an", "per", "each")
            and words[start + 1].lower() in _UNITS
            and _unit(words[start - 1])
            and "CD" in tags[joined[-1][0] : start]
        ):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _unit(word: str) -> bool:
    lower = word.lower()
    return lower in _UNITS or lower.removesuffix("s") in _UNITS or lower == "times"
