"""Pronouns of a question that point out of it, and what they become."""

from __future__ import annotations

import re

from readmark.models.rewriting import referents, standins
from readmark.models.rewriting.binding import HE, IT, SHE, THEY, is_bound, names_it
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Referent, Situation
from readmark.models.rewriting.surface import fitted, plural_of, possessive, said
from readmark.models.rewriting.tables import listed
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
        return referents.person(here, "male", verb)
    if lower in SHE:
        return referents.person(here, "female", verb)
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
    many = lower in THEY and some[:1] in (["many"], ["some"], ["most"], ["any"], ["all"])
    sort = meant.what == "target" and target.plural and not target.article and lower == "them"
    if sort and some[-1:] == ["of"] and some[0] in ("some", "many", "most", "all", "any"):
        start = asked.words[at - 1].start  # some of them -> some quarks
    elif lower == "it" and meant.what == "target" and target.common and _is_share(some):
        start = asked.words[at - 1].start  # how much of it -> how much coffee
    elif meant.what == "noun" or (meant.what == "named" and some[-1:] == ["of"] and many):
        # How many of them -> How many people
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


def _is_share(before: list[str]) -> bool:
    return before[1:] == ["of"] and before[0] in ("much", "most", "more", "little", "less")


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
    if _is_weather_or_time(asked, at, rest):
        return True
    if before in ("is", "was") and re.match(r"\s+\w+\s+that\b", rest):  # is it true that
        return asked.words[at + 1].tag in ("JJ", "VBN", "RB")
    if before in ("is", "was") and re.match(r"\s+\w+\s+to\b", rest):  # is it better to
        return _takes_all(asked, at)
    if re.match(r"\s+mean\s+to\b", rest):
        return True
    if re.match(r"\s+\w+\b.*\bto\b.*\bit\b", rest) and "cost" in rest:
        return True  # does it cost to repair it
    head = asked.words[asked.words[at].head]
    return head.lemma == "be" and bool(re.match(r"\s+(?:is|was)\s+\w+\s+(?:that|to)\b", rest))


def _is_weather_or_time(asked: Parsed, at: int, rest: str) -> bool:
    """Is it raining there, was it still dark, what time was it when …."""
    if asked.words[asked.words[at].head].lemma in listed("words", "weather"):
        return True
    if re.match(r"(?:what|which) (?:time|day|date|month|year)\b", asked.text.lower()):
        be = at > 0 and asked.words[at - 1].lemma == "be"
        return be and re.match(r"\s*(?:$|[?.]|when\b|in\b|there\b|now\b)", rest) is not None
    after = re.match(
        r"\s+(?:still |very |so |too )?(\w+)\s+(?:there|outside|in|at|when|on)\b", rest
    )
    return after is not None and after[1] in listed("words", "weather")


def _takes_all(asked: Parsed, at: int) -> bool:
    """Is it hard to learn Greek, but not: is it hard to learn, is it related to Greek."""
    words = asked.words
    if words[at + 1].tag == "VBN":
        return False
    if at + 3 >= len(words) or words[at + 3].tag != "VB":
        return False
    return any(words[one].dep in ("dobj", "ccomp", "attr") for one in asked.children(at + 3)) or (
        words[at + 1].lemma not in listed("words", "tough")
    )
