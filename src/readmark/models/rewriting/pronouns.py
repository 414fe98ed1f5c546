"""Pronouns of a question: which are bound within it, and what the others become."""

from __future__ import annotations

import re

from readmark.models.rewriting import referents
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Referent, Situation
from readmark.models.rewriting.surface import fitted, own, plural_of, said
from readmark.models.rewriting.values import Edit

_HE = frozenset("he him his".split())
_SHE = frozenset("she her hers".split())
_IT = frozenset("it its".split())
_THEY = frozenset("they them their theirs".split())
_OWNING = frozenset("his her its their".split())
_SUBJECTS = ("nsubj", "nsubjpass")
_BEHALF = ("behalf", "honor", "honour")


def pronoun_edits(here: Situation, named: list[tuple[int, int]]) -> list[tuple[Edit, Referent]]:
    """The edits of the pronouns that point out of the question; one that is named there stays."""
    asked = here.now.parsed
    done: list[tuple[Edit, Referent]] = []
    spoken: set[tuple[str, object]] = set()
    if here.now.about_target:
        spoken.add(("target", None))
    for at, word in enumerate(asked.words):
        lower = word.lower
        if lower not in _HE | _SHE | _IT | _THEY:
            continue
        if lower == "it" and _is_empty(asked, at):
            continue
        if _is_bound(here, asked, at):
            continue
        meant = _meant(here, asked, at)
        if meant is None:
            continue
        key = (meant.what, meant.inner.text if meant.inner else meant.earlier)
        if meant.what == "target":
            key = ("target", None)
        named_inner = here.now.inner is not None and meant.inner is here.now.inner
        if key in spoken or named_inner or (meant.what == "target" and here.now.about_target):
            continue  # "How old was she when she died?": the first is enough
        spoken.add(key)
        done.append((_edit(here, asked, at, meant), meant))
    return done


def _meant(here: Situation, asked: Parsed, at: int) -> Referent | None:
    lower = asked.words[at].lower
    verb = asked.words[asked.words[at].head].lemma
    if lower in _HE:
        return referents.person(here, "male")
    if lower in _SHE:
        return referents.person(here, "female")
    if lower in _IT:
        return referents.thing(here, verb if lower == "it" else "")
    before = [word.lower for word in asked.words[max(0, at - 3) : at]]
    of_them = ""
    if before[-1:] == ["of"]:
        of_them = "how many" if before[:2] == ["how", "many"] else "of"
    return referents.group(here, of_them)


def _edit(here: Situation, asked: Parsed, at: int, meant: Referent) -> Edit:
    word = asked.words[at]
    lower = word.lower
    start, end = word.start, word.end
    owning = word.tag == "PRP$" or (lower in _OWNING and lower != "her")
    name = said(here, meant)
    target = here.target
    plural = meant.what == "target" and target.plural and target.kind != "person"
    if meant.what == "target" and lower in _THEY and target.common and not target.plural:
        name, plural = plural_of(target.text), True  # How are cataracts treated?
    guideline = "Pronouns (2)" if owning else "Pronouns (1)"
    if lower in _IT:
        guideline = "It"
    if meant.what in ("answer", "noun"):
        guideline = "Previous Questions and Answers"
    if meant.what == "noun":  # How many of them -> How many people
        start = asked.words[at - 1].start
    elif owning:
        noun = asked.words[at + 1] if at + 1 < len(asked.words) else None
        if noun is not None and noun.lemma in _BEHALF:
            end = noun.end
            return Edit(
                start,
                end,
                asked.text[start:end],
                f"{noun.text} of {name}",
                f"{lower}: {meant.why}",
                guideline,
                meant.sure,
                meant.earlier,
            )
        after = asked.words[at + 1] if at + 1 < len(asked.words) else None
        whose = own(name, plural=plural)
        if after is not None and after.lower == "own":
            end = after.end
        name = whose
    return Edit(
        start,
        end,
        asked.text[start:end],
        fitted(asked, start, name),
        f"{lower}: {meant.why}",
        guideline,
        meant.sure,
        meant.earlier,
    )


def _is_empty(asked: Parsed, at: int) -> bool:
    """It that means nothing: How long did it take to build …, it is known that …."""
    rest = asked.text[asked.words[at].end :].lower()
    if re.match(r"\s+takes?\b.*\bto\b", rest) or re.match(r"\s+took\b.*\bto\b", rest):
        return True
    head = asked.words[asked.words[at].head]
    return head.lemma == "be" and bool(re.match(r"\s+(?:is|was)\s+\w+\s+(?:that|to)\b", rest))


def _is_bound(here: Situation, asked: Parsed, at: int) -> bool:
    """Whether the pronoun means something said before it in the question itself."""
    word = asked.words[at]
    lower = word.lower
    return any(_binds(here, asked, index, at, lower) for index in range(at))


def _binds(here: Situation, asked: Parsed, index: int, at: int, lower: str) -> bool:
    one = asked.words[index]
    if lower in _THEY:
        named = one.tag in ("NNPS",) or (one.is_noun and _is_joined(asked, index))
        listed_noun = one.tag == "NNS" and one.dep in _SUBJECTS and not _counts(asked, index)
        subject = listed_noun and asked.words[at].dep not in _SUBJECTS
        inside = any(part.start <= one.start < part.end for part in here.now.parts)
        return (named and not inside and asked.words[at].dep not in _SUBJECTS) or subject
    subject = one.dep in _SUBJECTS and one.head == _clause(asked, at)
    if lower in _HE | _SHE:
        person = asked.name_type(one.start, one.end) == "PERSON" and one.is_noun
        inside = any(
            part.start <= one.start < part.end and part.how != "other" for part in here.now.parts
        )
        if person and not inside and one.dep in (*_SUBJECTS, "poss", "ROOT", "attr", "pobj", "dobj"):
            return one.dep in _SUBJECTS
        asking = one.tag in ("WP", "WDT") and one.dep in (*_SUBJECTS, "det")
        return asking and lower in ("his", "her") and _asks_subject_person(asked, index)
    asking = subject and one.is_noun and one.tag in ("NN", "NNP")
    inside = any(part.start <= one.start < part.end for part in here.now.parts)
    return lower == "its" and asking and not inside and one.lemma not in ("what", "who")


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
        return noun.dep in _SUBJECTS and noun.tag == "NN" and _is_personal(noun.lemma)
    verb = asked.words[word.head]
    return verb.tag in ("VBD", "VBZ", "VBP") and verb.lemma != "be" and word.lower == "who"


def _is_personal(noun: str) -> bool:
    from readmark.models.rewriting.tables import kinds_of

    return "person" in kinds_of(noun) or noun.endswith(("er", "or", "ist", "ess", "man", "woman"))
