"""Pronouns of a question that point out of it, and what they become."""

from __future__ import annotations

import re

from readmark.models.rewriting import referents, standins
from readmark.models.rewriting.binding import HE, IT, SHE, THEY, is_bound, names_it
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Referent, Situation
from readmark.models.rewriting.surface import fitted, plural_of, possessive, said
from readmark.models.rewriting.values import Edit

_OWNING = frozenset(("his", "her", "its", "their"))
_BEHALF = ("behalf", "honor", "honour")


def pronoun_edits(here: Situation) -> list[tuple[Edit, Referent]]:
    """The edits of the pronouns that point out of the question; one that is named there stays."""
    asked = here.now.parsed
    done: list[tuple[Edit, Referent]] = []
    spoken: set[tuple[str, object]] = set()
    if here.now.about_target:
        spoken.add(("target", None))
    for at, word in enumerate(asked.words):
        lower = word.lower
        be = asked.words[word.head].lemma == "be"
        if lower == "there" and word.tag == "RB" and not be and not here.now.about_target:
            done.append(standins.there(here, asked, at))
            continue
        if lower == "this" and not here.now.about_target and standins.is_alone(asked, at):
            done.append(standins.this(here, asked, at))
            break
        if lower == "one" and not here.now.about_target and standins.is_one(here, asked, at):
            done.append(standins.one(here, asked, at))
            break
        if lower not in HE | SHE | IT | THEY:
            continue
        if lower == "it" and is_empty(asked, at):
            continue
        if is_bound(here, asked, at) or names_it(here, lower):
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
    if lower in HE:
        return referents.person(here, "male")
    if lower in SHE:
        return referents.person(here, "female")
    if lower in IT:
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
    plural = meant.what == "target" and target.plural
    if meant.what == "target" and lower in THEY and _is_sort(here):
        name, plural = plural_of(target.text), True  # How are cataracts treated?
    guideline = "Pronouns (2)" if owning else "Pronouns (1)"
    if lower in IT:
        guideline = "It"
    if meant.what in ("answer", "noun"):
        guideline = "Previous Questions and Answers"
    some = [one.lower for one in asked.words[max(0, at - 2) : at]]
    sort = meant.what == "target" and target.plural and not target.article and lower == "them"
    if sort and some[-1:] == ["of"] and some[0] in ("some", "many", "most", "all", "any"):
        start = asked.words[at - 1].start  # some of them -> some quarks
    elif meant.what == "noun":  # How many of them -> How many people
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
        last = at + 1 if after is not None and after.lower == "own" else at
        end, name = possessive(asked, last, name, plural=plural)
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


def _is_sort(here: Situation) -> bool:
    """A target that names a sort of thing in the singular: an agouti, a Kibbutz."""
    target = here.target
    return not target.plural and (target.common or target.article in ("a", "an"))


def is_empty(asked: Parsed, at: int) -> bool:
    """It that means nothing: How long did it take to build …, it is known that …."""
    rest = asked.text[asked.words[at].end :].lower()
    if re.match(r"\s+takes?\b.*\bto\b", rest) or re.match(r"\s+took\b.*\bto\b", rest):
        return True
    before = asked.words[at - 1].lower if at else ""
    if before in ("is", "was") and re.match(r"\s+\w+\s+to\b", rest):  # is it better to
        return True
    if re.match(r"\s+\w+\b.*\bto\b.*\bit\b", rest) and "cost" in rest:
        return True  # does it cost to repair it
    head = asked.words[asked.words[at].head]
    return head.lemma == "be" and bool(re.match(r"\s+(?:is|was)\s+\w+\s+(?:that|to)\b", rest))
