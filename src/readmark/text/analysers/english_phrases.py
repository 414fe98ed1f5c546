"""English base noun phrases: a grammar over Penn tags, checked against the parser.

Base phrases are those of Ramshaw and Marcus, "Text Chunking using Transformation-Based
Learning": not recursive; but a possessive 's comes between two of them. As in the BRCC
document, question words alone are none, "four hours a week" is one, "other agencies and
instruments" is one for the word they share; other phrases joined by "and" are one each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.text.analysers.english_entities import TIME_UNITS
from readmark.text.analysers.pieces import TokenRange
from readmark.text.analysers.word_tables import table_words

# A letter a tag: the grammar is a regular expression over a sentence's letters.
_BY_TAG = {
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
_NOUN_AFTER_ADJECTIVE = re.compile(r"(?<=[DA]J)N")
_VERB_BEFORE_NAME = re.compile(r"[.d]JN(?=[NM])")
_TWO_KINDS = re.compile(r"J&JM+")
"""British and American English: two, for no word comes before both."""
_HOW_MANY = re.compile(r"w(?=J)")

# spaCy's relations.
_MODIFYING_NAMES = (
    "compound nmod amod nummod poss det predet quantmod advmod npadvmod punct cc conj"
)
_MODIFYING = frozenset(_MODIFYING_NAMES.split())
_OBJECTS = frozenset({"appos", "dobj", "npadvmod", "dep"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})


def base_phrases(
    words: Sequence[str], tags: Sequence[str], heads: Sequence[int], deps: Sequence[str]
) -> list[TokenRange]:
    """The base noun phrases of a text as ranges of tokens; heads are indices of tokens."""
    letters = _HOW_MANY.sub("W", "".join(map(_letter, words, tags)))
    letters = _without_verbs(letters, heads, deps)
    phrases: list[TokenRange] = []
    place = 0
    for match in _GRAMMAR.finditer(letters):
        phrases += _adjectives(place, match.start(), letters, deps)
        if _TWO_KINDS.fullmatch(letters, *match.span()):
            phrases += [(match.start(), match.start() + 1), (match.start() + 2, match.end())]
        else:
            phrases += _split_by_parse(*match.span(), letters, heads, deps)
        place = match.end()
    phrases += _adjectives(place, len(letters), letters, deps)
    return _with_rates(phrases, words, tags)


def _without_verbs(letters: str, heads: Sequence[int], deps: Sequence[str]) -> str:
    """Letters without verbs that the pipeline took for nouns after an adjective.

    The rich help the poor: a noun that is all its sentence hangs on has no object and no adverb.
    Students who study hard pass exams: nor is there such a sentence without another verb.
    """
    corrected = list(letters)
    for match in _NOUN_AFTER_ADJECTIVE.finditer(letters):
        noun = match.end() - 1
        is_root = deps[noun] == "ROOT" and noun + 1 < len(letters)
        if is_root and _governs_next(noun, letters, heads, deps):
            corrected[noun] = "."
    for match in _VERB_BEFORE_NAME.finditer(letters):
        verb = match.start()
        main = heads[verb]
        has_nominal_root = deps[main] == "ROOT" and letters[main] in "NM"
        if deps[verb] == "relcl" and has_nominal_root and deps[verb + 2] == "compound":
            corrected[verb + 1] = corrected[verb + 2] = "."
    return "".join(corrected)


def _governs_next(noun: int, letters: str, heads: Sequence[int], deps: Sequence[str]) -> bool:
    """Whether a would-be noun has an object or an adverb right after it."""
    if letters[noun + 1] == "R":
        return heads[noun + 1] == noun
    if letters[noun + 1] not in "DAGP":
        return False
    last = noun + 1
    while last != heads[last] and noun < heads[last] < len(letters) and heads[last] != noun:
        last = heads[last]
    return heads[last] == noun and deps[last] in _OBJECTS


def _adjectives(start: int, end: int, letters: str, deps: Sequence[str]) -> list[TokenRange]:
    """Adjectives that occur where a noun would: most slept."""
    return [
        (index, index + 1)
        for index in range(start, end)
        if letters[index] == "J" and deps[index] in _ARGUMENTS
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
    return "." if word in _BRACKETS and tag != "POS" else _BY_TAG.get(tag, ".")


def _split_by_parse(
    start: int, end: int, letters: str, heads: Sequence[int], deps: Sequence[str]
) -> list[TokenRange]:
    """A stretch cut after each noun that modifies nothing in it, and around verbs."""
    parts: list[TokenRange] = []
    first = start
    for index in range(start, end):
        letter = letters[index]
        head = heads[index]
        if deps[index] == "conj" and first <= head < index:
            head = heads[head]  # felony and fraud charges: as felony does, so does fraud
        if index < head < end and deps[index] in _MODIFYING:
            continue
        if letter in "BgWR" or (letter == "J" and index == first and index + 1 < end):
            parts.append((first, index))
            first = index + 1
        elif (
            letter in "NMCP"
            and index + 1 < end
            and not _continues(first, index, end, letters, heads)
        ):
            parts.append((first, index + 1))
            first = index + 1
    parts.append((first, end))
    trimmed = (_trimmed(*part, letters) for part in parts)
    return [phrase for phrase in trimmed if phrase is not None]


def _continues(first: int, noun: int, end: int, letters: str, heads: Sequence[int]) -> bool:
    """Whether what follows a noun hangs on it: July 1988; old gold and silver; Bell & Sons."""
    following = letters[noun + 1]
    if following == "&":
        # A noun before the first is that one's alone: ice cream, and cake.
        has_shared_word = any(letter not in "NMh" for letter in letters[first:noun])
        return has_shared_word and noun + 3 == end and heads[noun + 2] == noun
    return (
        following == "+"
        or (following in ",C" and heads[noun + 1] == noun)
        or (letters[noun] == "C" and following == ",")
    )


def _trimmed(start: int, end: int, letters: str) -> TokenRange | None:
    """Without punctuation, conjunctions and adverbs at either end; articles alone are nothing."""
    while (
        start < end
        and letters[start] in "S&,hRatq"
        and not (letters[start] in "Raq" and start + 1 < end and letters[start + 1] in "JCBtDA$")
    ):
        start += 1
    while start < end and letters[end - 1] in "h,&RaqtW":
        end -= 1
    if start >= end or all(letters[index] == "A" for index in range(start, end)):
        return None
    return start, end


def _with_rates(
    phrases: list[TokenRange], words: Sequence[str], tags: Sequence[str]
) -> list[TokenRange]:
    """Join a duration and its rate: four hours, a week."""
    joined: list[TokenRange] = []
    for start, end in phrases:
        if (
            joined
            and joined[-1][1] == start
            and end - start == 2
            and words[start].lower() in ("a", "an", "per", "each")
            and words[start + 1].lower() in TIME_UNITS
            and _is_counted_unit(words[start - 1])
            and "CD" in tags[joined[-1][0] : start]
        ):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _is_counted_unit(word: str) -> bool:
    lower = word.lower()
    return lower in TIME_UNITS or lower.removesuffix("s") in TIME_UNITS or lower == "times"
