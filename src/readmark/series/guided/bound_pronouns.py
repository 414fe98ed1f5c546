"""Pronouns that stay as they are: they mean something in their own question, or nothing."""

from __future__ import annotations

import re

from readmark.series.guided.answers import is_personal
from readmark.series.guided.edits import Situation
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.word_tables import listed

HE = frozenset(("he", "him", "his"))
SHE = frozenset(("she", "her", "hers"))
IT = frozenset(("it", "its"))
THEY = frozenset(("they", "them", "their", "theirs"))
_SUBJECTS = ("nsubj", "nsubjpass")


def is_bound(situation: Situation, asked: ParsedText, pronoun: int) -> bool:
    """Whether the pronoun means something said before it in the question itself."""
    word = asked.words[pronoun]
    lower = word.lower
    return any(_binds(situation, asked, index, pronoun, lower) for index in range(pronoun))


def names_it(situation: Situation, lower: str) -> bool:
    """Whether the question itself names the target that the pronoun agrees with."""
    target = situation.target
    if not situation.current.about_target:
        return False
    if lower in HE | SHE:
        gender = "male" if lower in HE else "female"
        return target.kind == "person" and not target.plural and target.gender in (None, gender)
    return lower in IT and target.kind != "person" and not target.plural


def _binds(situation: Situation, asked: ParsedText, index: int, pronoun: int, lower: str) -> bool:
    parsed_word = asked.words[index]
    if lower in THEY:
        if asked.words[pronoun - 1].lower == "of":  # some of them
            return False
        named = parsed_word.tag in ("NNPS",) or (parsed_word.is_noun and _is_joined(asked, index))
        listed_noun = (
            parsed_word.tag == "NNS" and parsed_word.dep in _SUBJECTS and not _counts(asked, index)
        )
        subject = listed_noun and asked.words[pronoun].dep not in _SUBJECTS
        inside = any(part.start <= parsed_word.start < part.end for part in situation.current.parts)
        return (named and not inside and asked.words[pronoun].dep not in _SUBJECTS) or subject
    subject = parsed_word.dep in _SUBJECTS and parsed_word.head == _clause(asked, pronoun)
    if lower in HE | SHE:
        person = (
            asked.name_type(parsed_word.start, parsed_word.end) == "PERSON" and parsed_word.is_noun
        )
        inside = any(
            part.start <= parsed_word.start < part.end and part.how != "other"
            for part in situation.current.parts
        )
        if (
            person
            and not inside
            and parsed_word.dep in (*_SUBJECTS, "poss", "ROOT", "attr", "pobj", "dobj")
        ):
            return parsed_word.dep in _SUBJECTS
        known = any(inner.person for inner in situation.target.inner)
        named = any(
            part.how == "inner"
            and part.inner is not None
            and part.start <= parsed_word.start < part.end
            and (part.inner.person or not known)
            for part in situation.current.parts
        )
        if named and asked.name_type(parsed_word.start, parsed_word.end) != "LOCATION":
            return True
        gender = "male" if lower in HE else "female"
        if situation.target.kind == "person" and situation.target.gender in (None, gender):
            return False  # Who publishes her books?
        asking = parsed_word.tag in ("WP", "WDT") and parsed_word.dep in (*_SUBJECTS, "det")
        return asking and lower in ("his", "her") and _asks_subject_person(asked, index)
    asking = subject and parsed_word.is_noun and parsed_word.tag in ("NN", "NNP")
    inside = any(part.start <= parsed_word.start < part.end for part in situation.current.parts)
    which = any(word.tag in ("WDT", "WP", "WP$") for word in asked.words[max(0, index - 3) : index])
    return lower == "its" and asking and not inside and not which


def _counts(asked: ParsedText, index: int) -> bool:
    return index > 0 and asked.words[index - 1].lower == "many"


def _is_joined(asked: ParsedText, index: int) -> bool:
    """Lewis and Clark: two names that they may mean."""
    following = [word.lower for word in asked.words[index + 1 : index + 2]]
    return following == ["and"] and asked.words[index].tag == "NNP"


def _clause(asked: ParsedText, index: int) -> int:
    """The verb over a word."""
    seen: set[int] = set()
    while index not in seen:
        seen.add(index)
        index = asked.words[index].head
        if asked.words[index].tag.startswith("VB"):
            return index
    return index


def _asks_subject_person(asked: ParsedText, index: int) -> bool:
    """Which traveller told … after his visit: the asked-for person did it himself."""
    word = asked.words[index]
    noun = asked.words[word.head]
    if word.dep == "det":
        done = asked.words[noun.head].lemma
        return noun.dep == "nsubj" and noun.tag == "NN" and is_personal(noun.lemma) and done != "be"
    verb = asked.words[word.head]
    return verb.tag in ("VBD", "VBZ", "VBP") and verb.lemma != "be" and word.lower == "who"


def is_empty(asked: ParsedText, index: int) -> bool:
    """It that means nothing: How long did it take to build …, it is known that …."""
    rest = asked.text[asked.words[index].end :].lower()
    if re.match(r"\s+takes?\b.*\bto\b", rest) or re.match(r"\s+took\b.*\bto\b", rest):
        return True
    before = asked.words[index - 1].lower if index else ""
    if _is_weather_or_time(asked, index, rest):
        return True
    if before in ("is", "was") and re.match(r"\s+\w+\s+that\b", rest):  # is it true that
        return asked.words[index + 1].tag in ("JJ", "VBN", "RB")
    if before in ("is", "was") and re.match(r"\s+\w+\s+to\b", rest):  # is it better to
        return _takes_all(asked, index)
    if re.match(r"\s+mean\s+to\b", rest):
        return True
    if re.match(r"\s+\w+\b.*\bto\b.*\bit\b", rest) and "cost" in rest:
        return True  # does it cost to repair it
    head = asked.words[asked.words[index].head]
    return head.lemma == "be" and bool(re.match(r"\s+(?:is|was)\s+\w+\s+(?:that|to)\b", rest))


def _is_weather_or_time(asked: ParsedText, index: int, rest: str) -> bool:
    """Is it raining there, was it still dark, what time was it when …."""
    if asked.words[asked.words[index].head].lemma in listed("words", "weather"):
        return True
    if re.match(r"(?:what|which) (?:time|day|date|month|year)\b", asked.text.lower()):
        be = index > 0 and asked.words[index - 1].lemma == "be"
        return be and re.match(r"\s*(?:$|[?.]|when\b|in\b|there\b|now\b)", rest) is not None
    after = re.match(
        r"\s+(?:still |very |so |too )?(\w+)\s+(?:there|outside|in|at|when|on)\b", rest
    )
    return after is not None and after[1] in listed("words", "weather")


def _takes_all(asked: ParsedText, index: int) -> bool:
    """Is it hard to learn Greek, but not: is it hard to learn, is it related to Greek."""
    words = asked.words
    if words[index + 1].tag == "VBN":
        return False
    if index + 3 >= len(words) or words[index + 3].tag != "VB":
        return False
    return any(
        words[child].dep in ("dobj", "ccomp", "attr") for child in asked.children(index + 3)
    ) or (words[index + 1].lemma not in listed("words", "tough"))
