"""Whom or what a pronoun means, by type, gender and number, from the nearest question back."""

from __future__ import annotations

import re

from readmark.models.rewriting.inner import Inner
from readmark.models.rewriting.state import Asked, Referent, Situation
from readmark.models.rewriting.tables import listed

_THINGS = ("thing", "organisation", "event", "unknown")


def person(here: Situation, gender: str) -> Referent | None:
    """He and she: a person answer before a person target, the topic before both.

    The previous answer is meant when it agrees and its question was not itself about the target:
    then the target is still the topic (Grosz, Joshi and Weinstein, "Centering").
    """
    target = here.target
    single = target.kind == "person" and not target.plural
    agrees = single and target.gender in (None, gender)
    answer = _person_answer(here, gender, nearest=agrees)
    if agrees:
        if answer is not None and (here.persons == "answer" or not here.asked[answer].about_target):
            return Referent("answer", "the previous answer is a person who agrees", earlier=answer)
        return Referent("target", f"the target is a person, and {gender} agrees", sure=0.97)
    before = "" if here.before is None else here.before.parsed.text.lower()
    if answer is None and target.plural and before.startswith("which of "):
        return Referent("answer", "one of the target's", earlier=here.at - 1, sure=0.8)
    inner = _inner_person(here)
    if target.kind != "person" and inner is not None and (answer is None or inner[1] >= answer):
        return Referent("inner", "a person named in the target", inner=inner[0])
    if answer is not None:
        return Referent("answer", "an earlier answer is a person who agrees", earlier=answer)
    if inner is not None:
        return Referent("inner", "a person named in the target", inner=inner[0], sure=0.8)
    owner = next((one for one in target.inner), None)
    if target.kind != "person" and owner is not None and target.kind != "event":
        return Referent("inner", "the owner named in the target", inner=owner, sure=0.7)
    return Referent("target", "nothing else in the series is a person", sure=0.6)


def thing(here: Situation, verb: str) -> Referent | None:
    """It: the previous answer where one can be meant, else a name in the target, or it."""
    target, before = here.target, here.before
    chained = _chained(here, persons=False)
    if chained is not None:
        return Referent("answer", "the earlier answer is still spoken of", earlier=chained)
    answer = _thing_answer(here)
    if answer is not None:
        return Referent("answer", "the previous answer is a thing", earlier=answer, sure=0.8)
    happens = verb in listed("events", "verbs")
    named = None if before is None or before.about_target else before.inner
    if named is not None and target.kind == "event" and not happens and not named.person:
        return Referent("inner", "what the previous question named", inner=named)
    if target.kind == "event" and not happens and verb and not target.sentence:
        stem = verb[:5]
        own = next((one for one in target.inner if not one.person), None)
        if own is not None and any(one.base.startswith(stem) for one in target.tokens):
            return Referent("inner", "the event says what the name in it did", inner=own, sure=0.7)
    if target.kind == "person":
        return None
    return Referent("target", "no earlier answer can be meant", sure=0.95)


def group(here: Situation, of_them: str) -> Referent | None:
    """They: people or things of an earlier question, a plural answer, or a group target."""
    target, before = here.target, here.before
    many = target.plural or target.kind == "organisation" or target.common
    if before is not None:
        counted = re.match(r"how many ((?:[\w-]+ )?\w+s|people)\b", before.parsed.text.lower())
        if of_them == "how many" and counted is not None:
            return Referent("noun", "the people or things of the question before", noun=counted[1])
        plural = before.expected.plural and before.expected.is_referent
        if plural and (of_them or not many or not before.about_target):
            return Referent(
                "answer", "the previous answer is several", earlier=here.at - 1, sure=0.85
            )
        people = before.expected.noun in ("people", "group", "band", "team", "tribe", "company")
        if people and not many:
            return Referent("answer", "the previous answer is a group", earlier=here.at - 1)
    chained = _chained(here, persons=False)
    if chained is not None:
        return Referent("answer", "the earlier answer is still spoken of", earlier=chained)
    return Referent("target", "the target is a group", sure=0.95 if many else 0.6)


def _person_answer(here: Situation, gender: str, *, nearest: bool) -> int | None:
    """The nearest earlier question that asks for a person of the gender."""
    for at in range(here.at - 1, -1, -1):
        one = here.asked[at]
        if _is_person(one) and one.expected.gender in (None, gender):
            return at
        if one.answer_of is not None and _is_person(here.asked[one.answer_of]):
            asked = here.asked[one.answer_of].expected
            if asked.gender in (None, gender):
                return one.answer_of
        if nearest:
            return None
    return None


def _is_person(asked: Asked) -> bool:
    return asked.expected.kind == "person" and not asked.expected.plural


def _inner_person(here: Situation) -> tuple[Inner, int] | None:
    for at in range(here.at, -1, -1):
        inner = here.asked[at].inner
        if inner is not None and inner.person:
            return inner, at
    for one in here.target.inner:
        if one.person:
            return one, -1
    return None


def _thing_answer(here: Situation) -> int | None:
    target, before = here.target, here.before
    if before is None or before.expected.plural:
        return None
    noun = before.expected.noun
    if before.expected.kind not in (*_THINGS, "place") or not noun:
        return None
    if target.kind == "person":
        return here.at - 1
    singular = target.plural and target.common
    if singular and before.expected.kind != "unknown":
        return here.at - 1
    if before.about_target or before.inner is not None:
        # Of the question before, its subject is the likeliest to be spoken of again.
        return here.at - 1 if before.expected.subject else None
    return here.at - 1


def _chained(here: Situation, *, persons: bool) -> int | None:
    """An earlier answer that the question before spoke of and did not leave."""
    before = here.before
    if before is None or before.answer_of is None or before.about_target:
        return None
    asked = here.asked[before.answer_of].expected
    return before.answer_of if (asked.kind == "person") is persons else None
