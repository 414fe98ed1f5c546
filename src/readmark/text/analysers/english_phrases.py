"""English base noun phrases: a grammar over Penn tags, checked against the parser.

Base phrases are those of Ramshaw and Marcus, "Text Chunking using Transformation-Based
Learning": not recursive; but a possessive 's comes between two of them. As in the BRCC
document, question words alone are none, "four hours a week" is one, "other agencies and
instruments" is one for the word they share; other phrases joined by "and" are one each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from readmark.text.analysers.registry import endings, table, words
from readmark.text.analysers.registry import words as table_words

# Which entity an English noun phrase contains, by the guidelines of the BRCC document.


_LABELS: dict[str, str] = table("en")["labels"]
_OCCUPATIONS = words("en", "person", "occupations")
_ENDINGS = endings("en", "person", "occupation_endings")
_NO_OCCUPATIONS = words("en", "person", "no_occupations")
_TITLES = words("en", "person", "titles")
_FEMALE = words("en", "person", "female")
_MALE = words("en", "person", "male")
_TIME_UNITS = words("en", "time", "units")
_TIME_WORDS = words("en", "time", "words")
_TIME_NAMES = words("en", "time", "capitalised")
_SEASONS = words("en", "time", "seasons")
_PLACES = words("en", "location", "kinds")
_SURELY_PLACES = words("en", "location", "sure")
_BODIES = words("en", "organization", "kinds")
_NUMBER_WORDS = words("en", "number", "words")
_UNITS = words("en", "number", "units")
_VAGUE = words("en", "number", "vague")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_NAMES = ("NNP", "NNPS")


@dataclass(frozen=True, slots=True)
class PhraseWord:
    """A token of a phrase: as written, its base, its tag, and the label of its entity or ''."""

    text: str
    lemma: str
    tag: str
    label: str = ""


def entity_type(
    phrase: Sequence[PhraseWord], following: str = "", preceding: Sequence[str] = ()
) -> str | None:
    """The type of a phrase's entity, or None; ages need a look at the words around it."""
    named = _LABELS.get(phrase[-1].label)
    if _is_occupation(phrase) or named == "PERSON" or _has_title(phrase):
        return "PERSON"
    last = phrase[-1]
    if last.lemma == "age":
        return None
    if _is_age(phrase, following, preceding) or _is_frequency(phrase):
        return "NUM"
    if last.tag == "NNS" and last.lemma.lower() in _NUMBER_WORDS and named != "TIME":
        return "NUM"  # Millions, whatever the recogniser takes them for
    season = phrase[-1].text.lower() in _SEASONS
    if named != "LOCATION" and (season or any(map(_is_time, phrase))):
        return "TIME"
    compound = last.tag in _NAMES and len(phrase) > 1 and phrase[-2].tag in _NAMES
    if compound and last.text.lower() in _SURELY_PLACES:
        return "LOCATION"
    if named in ("LOCATION", "ORGANIZATION", "TIME"):
        return named
    if compound:
        if last.text.lower() in _PLACES:
            return "LOCATION"
        if last.text.lower() in _BODIES:
            return "ORGANIZATION"
    within = {_LABELS.get(word.label) for word in phrase}
    for type in ("PERSON", "TIME", "LOCATION", "ORGANIZATION"):
        if type in within:
            return type
    return "NUM" if _is_number(phrase) else None


def gender_of(titles: Sequence[str]) -> str | None:
    """What the words before a name say of the person's gender."""
    known = {title.lower().rstrip(".") for title in titles}
    if known & _FEMALE:
        return "female"
    return "male" if known & _MALE else None


def _is_occupation(phrase: Sequence[PhraseWord]) -> bool:
    nouns = [word for word in phrase if word.tag in _NOUNS]
    return bool(nouns) and _names_people(nouns[-1])


def _names_people(word: PhraseWord) -> bool:
    base = word.lemma.lower()
    if word.tag == "NNS":
        base = base.replace("women", "woman").replace("men", "man")
    if base in _OCCUPATIONS:
        return True
    return (
        word.tag in ("NN", "NNS")
        and base.endswith(_ENDINGS)
        and len(base) > 5
        and base not in _NO_OCCUPATIONS
    )


def _has_title(phrase: Sequence[PhraseWord]) -> bool:
    return any(
        first.text.lower().rstrip(".") in _TITLES
        and first.text[:1].isupper()
        and second.tag in _NAMES
        and not second.label.startswith(("GPE", "LOC", "FAC", "ORG"))
        and second.text.lower() not in _PLACES
        for first, second in pairwise(phrase)
    )


def _is_time(word: PhraseWord) -> bool:
    if word.text in _TIME_NAMES and word.tag in _NAMES and word.label in ("DATE", "TIME"):
        return True
    lower = word.text.lower()
    if lower in _TIME_WORDS:
        return True
    if word.tag in _NOUNS and word.lemma.lower() in _TIME_UNITS:
        return True
    parts = lower.split("-")
    if len(parts) > 1 and parts[0][:1].isalnum() and not _TIME_UNITS.isdisjoint(parts):
        return "old" not in parts
    return _is_year(word)


def _is_year(word: PhraseWord) -> bool:
    text = word.text.removesuffix("s").removesuffix("'").removesuffix("’")
    plural = text != word.text
    if not (text.isascii() and text.isdigit() and len(text) == 4):
        return False
    return (1000 <= int(text) <= 2100) and (
        plural or word.label in ("DATE", "TIME", "CARDINAL", "")
    )


def _is_age(phrase: Sequence[PhraseWord], following: str, preceding: Sequence[str]) -> bool:
    before = [word.lower() for word in preceding]
    if before[-2:] == ["age", "of"] or before[-1:] == ["aged"]:
        return any(word.tag == "CD" for word in phrase)
    if following.lower() in ("old", "older", "younger"):
        return any(word.lemma in ("year", "month", "week", "day") for word in phrase)
    texts = [word.text.lower() for word in phrase]
    if any("-old" in text for text in texts):
        return True
    return "old" in texts and "year" in texts and "-" in texts


def _is_frequency(phrase: Sequence[PhraseWord]) -> bool:
    at = next((i for i, word in enumerate(phrase) if word.text.lower() == "times"), 0)
    return at > 0 and phrase[at - 1].tag == "CD"


def _is_number(phrase: Sequence[PhraseWord]) -> bool:
    if phrase[-1].lemma.lower() in _VAGUE:
        return False
    if any(word.tag in ("$", "#") or word.label in ("MONEY", "PERCENT") for word in phrase):
        return True
    measured = any(word.lemma.lower() in _UNITS for word in phrase)
    for word in phrase:
        lower = word.text.lower()
        if word.tag == "CD" and (measured or lower not in ("one", "1")):
            return True
        if word.tag == "NNS" and word.lemma.lower() in _NUMBER_WORDS:
            return True
    return False


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
_KINDS = re.compile(r"J&JM+")  # British and American English: two, for no word comes before both
_HOW_MANY = re.compile(r"w(?=J)")

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
            found += _split_by_parse(*match.span(), letters, heads, deps)
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
    """Adjectives that occur where a noun would: most slept."""
    return [
        (index, index + 1)
        for index in range(start, end)
        if letters[index] == "J" and deps[index] in _ARGUMENT
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


def _split_by_parse(
    start: int, end: int, letters: str, heads: Sequence[int], deps: Sequence[str]
) -> list[Tokens]:
    """A stretch cut after each noun that modifies nothing in it, and around verbs."""
    found: list[Tokens] = []
    first = start
    for index in range(start, end):
        letter = letters[index]
        head = heads[index]
        if deps[index] == "conj" and first <= head < index:
            head = heads[head]  # felony and fraud charges: as felony does, so does fraud
        if index < head < end and deps[index] in _MODIFYING:
            continue
        if letter in "BgWR" or (letter == "J" and index == first and index + 1 < end):
            found.append((first, index))
            first = index + 1
        elif (
            letter in "NMCP"
            and index + 1 < end
            and not _continues(first, index, end, letters, heads)
        ):
            found.append((first, index + 1))
            first = index + 1
    found.append((first, end))
    return [kept for tokens in found if (kept := _trimmed(*tokens, letters))]


def _continues(first: int, at: int, end: int, letters: str, heads: Sequence[int]) -> bool:
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
    if start >= end or all(letters[index] == "A" for index in range(start, end)):
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
            and words[start + 1].lower() in _TIME_UNITS
            and _unit(words[start - 1])
            and "CD" in tags[joined[-1][0] : start]
        ):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _unit(word: str) -> bool:
    lower = word.lower()
    return lower in _TIME_UNITS or lower.removesuffix("s") in _TIME_UNITS or lower == "times"
