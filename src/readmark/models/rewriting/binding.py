"""Pronouns that mean something in their own question and so stay as they are."""

from __future__ import annotations

from readmark.models.rewriting.answers import is_personal
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Situation

HE = frozenset(("he", "him", "his"))
SHE = frozenset(("she", "her", "hers"))
IT = frozenset(("it", "its"))
THEY = frozenset(("they", "them", "their", "theirs"))
_SUBJECTS = ("nsubj", "nsubjpass")


def is_bound(here: Situation, asked: Parsed, at: int) -> bool:
    """Whether the pronoun means something said before it in the question itself."""
    word = asked.words[at]
    lower = word.lower
    return any(_binds(here, asked, index, at, lower) for index in range(at))


def names_it(here: Situation, lower: str) -> bool:
    """Whether the question itself names the target that the pronoun agrees with."""
    target = here.target
    if not here.now.about_target:
        return False
    if lower in HE | SHE:
        gender = "male" if lower in HE else "female"
        return target.kind == "person" and not target.plural and target.gender in (None, gender)
    return lower in IT and target.kind != "person" and not target.plural


def _binds(here: Situation, asked: Parsed, index: int, at: int, lower: str) -> bool:
    one = asked.words[index]
    if lower in THEY:
        if asked.words[at - 1].lower == "of":  # some of them
            return False
        named = one.tag in ("NNPS",) or (one.is_noun and _is_joined(asked, index))
        listed_noun = one.tag == "NNS" and one.dep in _SUBJECTS and not _counts(asked, index)
        subject = listed_noun and asked.words[at].dep not in _SUBJECTS
        inside = any(part.start <= one.start < part.end for part in here.now.parts)
        return (named and not inside and asked.words[at].dep not in _SUBJECTS) or subject
    subject = one.dep in _SUBJECTS and one.head == _clause(asked, at)
    if lower in HE | SHE:
        person = asked.name_type(one.start, one.end) == "PERSON" and one.is_noun
        inside = any(
            part.start <= one.start < part.end and part.how != "other" for part in here.now.parts
        )
        if (
            person
            and not inside
            and one.dep in (*_SUBJECTS, "poss", "ROOT", "attr", "pobj", "dobj")
        ):
            return one.dep in _SUBJECTS
        known = any(inner.person for inner in here.target.inner)
        named = any(
            part.how == "inner"
            and part.inner is not None
            and part.start <= one.start < part.end
            and (part.inner.person or not known)
            for part in here.now.parts
        )
        if named and asked.name_type(one.start, one.end) != "LOCATION":
            return True
        gender = "male" if lower in HE else "female"
        if here.target.kind == "person" and here.target.gender in (None, gender):
            return False  # Who publishes her books?
        asking = one.tag in ("WP", "WDT") and one.dep in (*_SUBJECTS, "det")
        return asking and lower in ("his", "her") and _asks_subject_person(asked, index)
    asking = subject and one.is_noun and one.tag in ("NN", "NNP")
    inside = any(part.start <= one.start < part.end for part in here.now.parts)
    which = any(word.tag in ("WDT", "WP", "WP$") for word in asked.words[max(0, index - 3) : index])
    return lower == "its" and asking and not inside and not which


def _counts(asked: Parsed, index: int) -> bool:
    return index > 0 and asked.words[index - 1].lower == "many"


def _is_joined(asked: Parsed, index: int) -> bool:
    """Lewis and Clark: two names that they may mean."""
    following = [word.lower for word in asked.words[index + 1 : index + 2]]
    return following == ["and"] and asked.words[index].tag == "NNP"


def _clause(asked: Parsed, at: int) -> int:
    """The verb over a word."""
    seen: set[int] = set()
    while at not in seen:
        seen.add(at)
        at = asked.words[at].head
        if asked.words[at].tag.startswith("VB"):
            return at
    return at


def _asks_subject_person(asked: Parsed, index: int) -> bool:
    """Which traveller told … after his visit: the asked-for person did it himself."""
    word = asked.words[index]
    noun = asked.words[word.head]
    if word.dep == "det":
        done = asked.words[noun.head].lemma
        return noun.dep == "nsubj" and noun.tag == "NN" and is_personal(noun.lemma) and done != "be"
    verb = asked.words[word.head]
    return verb.tag in ("VBD", "VBZ", "VBP") and verb.lemma != "be" and word.lower == "who"
