"""Pronouns of a question that point out of it, and what they become."""

from __future__ import annotations

from dataclasses import replace

from readmark.series.guided import referents
from readmark.series.guided.bound_pronouns import HE, IT, SHE, THEY, is_bound, is_empty, names_it
from readmark.series.guided.edits import Edit, Referent, Situation
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.stand_ins import is_alone, is_one, one_edit, there_edit, this_edit
from readmark.series.guided.surface import fitted, plural_of, possessive, referent_text

_OWNING = frozenset(("his", "her", "its", "their"))
_BEHALF = ("behalf", "honor", "honour")


def pronoun_edits(situation: Situation) -> list[tuple[Edit, Referent]]:
    """The edits of the pronouns that point out of the question; one that is named there stays."""
    asked = situation.current.parsed
    done: list[tuple[Edit, Referent]] = []
    spoken: set[tuple[str, object]] = set()
    if situation.current.about_target:
        spoken.add(("target", None))
    for index, word in enumerate(asked.words):
        lower = word.lower
        be = asked.words[word.head].lemma == "be"
        if lower == "there" and word.tag == "RB" and not be and not situation.current.about_target:
            done.append(there_edit(situation, asked, index))
            continue
        if lower == "this" and not situation.current.about_target and is_alone(asked, index):
            done.append(this_edit(situation, asked, index))
            break
        if (
            lower == "one"
            and not situation.current.about_target
            and is_one(situation, asked, index)
        ):
            done.append(one_edit(situation, asked, index))
            break
        if lower not in HE | SHE | IT | THEY:
            continue
        if lower == "it" and is_empty(asked, index):
            continue
        if is_bound(situation, asked, index) or names_it(situation, lower):
            continue
        meant = _meant(situation, asked, index)
        if meant is None:
            continue
        key = (meant.what, meant.inner.text if meant.inner else meant.earlier)
        if meant.what == "target":
            key = ("target", None)
        named_inner = situation.current.inner is not None and meant.inner is situation.current.inner
        if (
            key in spoken
            or named_inner
            or (meant.what == "target" and situation.current.about_target)
        ):
            continue  # "How old was she when she died?": the first is enough
        spoken.add(key)
        done.append((_edit(situation, asked, index, meant), meant))
    return done


def _meant(situation: Situation, asked: ParsedText, index: int) -> Referent | None:
    lower = asked.words[index].lower
    verb = asked.words[asked.words[index].head].lemma
    if lower in HE:
        return referents.person(situation, "male", verb)
    if lower in SHE:
        return referents.person(situation, "female", verb)
    if lower in IT:
        return referents.thing(situation, verb if lower == "it" else "")
    before = [word.lower for word in asked.words[max(0, index - 3) : index]]
    of_them = ""
    if before[-1:] == ["of"]:
        of_them = "how many" if before[:2] == ["how", "many"] else "of"
    return referents.group(situation, of_them)


def _edit(situation: Situation, asked: ParsedText, index: int, meant: Referent) -> Edit:
    word = asked.words[index]
    lower = word.lower
    start, end = word.start, word.end
    owning = word.tag == "PRP$" or (lower in _OWNING and lower != "her")
    name = referent_text(situation, meant)
    meant = replace(meant, why=f"{lower}: {meant.why}")
    target = situation.target
    plural = (meant.what == "target" and target.plural) or (meant.what == "kin" and meant.several)
    if meant.what == "target" and lower in THEY and _is_sort(situation):
        name, plural = plural_of(target.text), True  # How are cataracts treated?
    guideline = "Pronouns (2)" if owning else "Pronouns (1)"
    if lower in IT:
        guideline = "It"
    if meant.what in ("answer", "noun"):
        guideline = "Previous Questions and Answers"
    some = [word.lower for word in asked.words[max(0, index - 2) : index]]
    many = lower in THEY and some[:1] in (["many"], ["some"], ["most"], ["any"], ["all"])
    sort = meant.what == "target" and target.plural and not target.article and lower == "them"
    if sort and some[-1:] == ["of"] and some[0] in ("some", "many", "most", "all", "any"):
        start = asked.words[index - 1].start  # some of them -> some quarks
    elif lower == "it" and meant.what == "target" and target.common and _is_share(some):
        start = asked.words[index - 1].start  # how much of it -> how much coffee
    elif meant.what == "noun" or (
        meant.what == "named" and some[-1:] == ["of"] and many and not name.startswith("the ")
    ):
        # How many of them -> How many people
        start = asked.words[index - 1].start
    elif owning:
        noun = asked.words[index + 1] if index + 1 < len(asked.words) else None
        if noun is not None and noun.lemma in _BEHALF:
            return situation.edit(start, noun.end, f"{noun.text} of {name}", meant, guideline)
        last = index + 1 if noun is not None and noun.lower == "own" else index
        end, name = possessive(asked, last, name, plural=plural)
    return situation.edit(start, end, fitted(asked, start, name), meant, guideline)


def _is_share(before: list[str]) -> bool:
    return before[1:] == ["of"] and before[0] in ("much", "most", "more", "little", "less")


def _is_sort(situation: Situation) -> bool:
    """A target that names a sort of thing in the singular: an agouti, a Kibbutz."""
    target = situation.target
    return not target.plural and (target.common or target.article in ("a", "an"))
