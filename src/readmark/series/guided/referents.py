"""Whom or what a pronoun means, by type, gender and number, from the nearest question back."""

from __future__ import annotations

import re

from readmark.series.guided.answers import Expected, is_personal
from readmark.series.guided.edits import AskedQuestion, Referent, Situation
from readmark.series.guided.inner_names import Inner
from readmark.series.guided.parses import NOUNS, ParsedText, parse_all, tokens
from readmark.series.guided.phrases import INTRODUCED, SUBJECT, SpokenPhrase, phrases
from readmark.series.guided.surface import (
    answer_text,
    end_of,
    inner_named,
    plural_of,
    possessive_form,
)
from readmark.series.guided.word_forms import singular
from readmark.series.guided.word_tables import listed

_COUNTED = re.compile(r"how many ((?:[\w-]+ (?:and )?){0,4}?(?:people|[\w-]+s))\b", re.IGNORECASE)
_PLACING = ("of", "in", "on", "at", "from")
_THINGS = ("thing", "organisation", "event", "unknown")


def named_before(situation: Situation) -> SpokenPhrase | None:
    """The name that the question before is about, when it is not about the target."""
    before = situation.before
    if before is None or before.about_target or before.inner is not None:
        return None
    if before.answer_of is not None or any(part.how != "other" for part in before.parts):
        return None
    spoken_phrases = [phrase for phrase in phrases(before.parsed) if phrase.weight >= SUBJECT]
    target = [token.base for token in tokens(situation.target.alias)]
    target += [token.base for token in situation.target.tokens if situation.target.kind == "person"]
    names = [
        phrase
        for phrase in spoken_phrases
        if _is_name(phrase.text)
        and phrase.kind != "time"
        and not any(_alike(token.base, name) for token in tokens(phrase.text) for name in target)
    ]
    return names[0] if len(names) == 1 else None


def _alike(name: str, other: str) -> bool:
    """The Mormon church, of the Mormons."""
    return min(len(name), len(other)) > 3 and (name.startswith(other) or other.startswith(name))


def _is_name(text: str) -> bool:
    return any(word[:1].isupper() for word in text.split())


def person(situation: Situation, gender: str, verb: str = "") -> Referent | None:
    """He and she: a person answer before a person target, the topic before both.

    The previous answer is meant when it agrees and its question was not itself about the target:
    then the target is still the topic (Grosz, Joshi and Weinstein, "Centering").
    """
    target = situation.target
    single = target.kind == "person" and not target.plural
    agrees = single and target.gender in (None, gender)
    answer = _person_answer(situation, gender, nearest=agrees)
    if agrees:
        if answer is not None and (
            situation.persons == "answer" or not situation.asked[answer].about_target
        ):
            return Referent("answer", "the previous answer is a person who agrees", earlier=answer)
        return Referent("target", f"the target is a person, and {gender} agrees")
    if gender == "female" and target.kind == "thing" and verb in listed("events", "craft"):
        return Referent("target", "a craft may be she")
    kin = _kin(situation, gender)
    inner = _inner_person(situation)
    if kin is not None and inner is not None and inner[1] > kin[1]:
        kin = None
    if kin is not None and (answer is None or kin[1] >= answer):
        return Referent("kin", f"the {kin[0].split()[-1]} of the question before", noun=kin[0])
    before = "" if situation.before is None else situation.before.parsed.text.lower()
    if answer is None and target.plural and before.startswith("which of "):
        return Referent("answer", "one of the target's", earlier=situation.index - 1)
    name = named_before(situation)
    if name is not None and name.kind == "person" and answer != situation.index - 1:
        return Referent("named", "whom the question before names", noun=name.text)
    if target.kind != "person" and inner is not None and (answer is None or inner[1] >= answer):
        return Referent("inner", "a person named in the target", inner=inner[0])
    if answer is not None:
        return Referent("answer", "an earlier answer is a person who agrees", earlier=answer)
    if inner is not None:
        return Referent("inner", "a person named in the target", inner=inner[0])
    owner = next((inner for inner in target.inner), None)
    if target.kind != "person" and owner is not None and target.kind != "event":
        return Referent("inner", "the owner named in the target", inner=owner)
    return Referent("target", "nothing else in the series is a person")


def thing(situation: Situation, verb: str) -> Referent | None:
    """It: the previous answer where one can be meant, else a name in the target, or it."""
    target, before = situation.target, situation.before
    chained = _chained(situation, persons=False)
    if chained is not None:
        return Referent("answer", "the earlier answer is still spoken of", earlier=chained)
    happens = verb in listed("events", "verbs")
    answer = _thing_answer(situation)
    if answer is not None and happens and target.kind == "event":
        answer = answer if situation.asked[answer].expected.kind == "event" else None
    if answer is None and _is_they(situation):
        own_thing = _own_thing(situation)
        found = before is not None and (before.expected.noun or before.expected.kind == "place")
        if before is not None and before.expected.is_referent and found:
            answer = None if before.expected.plural else situation.index - 1
        elif own_thing:
            return Referent("kin", "what is the target's", noun=own_thing)
    name = named_before(situation)
    if answer is not None and (name is None or name.weight < INTRODUCED):
        return Referent("answer", "the previous answer is a thing", earlier=answer)
    if name is not None and name.kind != "person" and not name.plural:
        return Referent("named", "what the question before names", noun=name.named)
    if before is not None and before.named and not before.about_target:
        return Referent("named", "what is still spoken of", noun=before.named)
    named = None if before is None or before.about_target else before.inner
    if named is not None and target.kind == "event" and not happens and not named.person:
        return Referent("inner", "what the previous question named", inner=named)
    if target.kind == "event" and not happens and verb and not target.sentence:
        stem = verb[:5]
        own = next((inner for inner in target.inner if not inner.person), None)
        if own is not None and any(token.base.startswith(stem) for token in target.tokens):
            return Referent("inner", "the event says what the name in it did", inner=own)
    if target.kind == "person":
        own_thing = _own_thing(situation)
        return Referent("kin", "what is the target's", noun=own_thing) if own_thing else None
    return Referent("target", "no earlier answer can be meant")


def _is_they(situation: Situation) -> bool:
    """Whether the question before speaks of the target in the plural, so that it is another."""
    before = situation.before
    if before is None or not before.about_target or situation.target.kind == "person":
        return False
    return any(word.lower in ("they", "their", "them") for word in before.parsed.words)


def location(situation: Situation) -> Referent:
    """There: a place that the question before asks for, the place of an event, or the target."""
    target, before = situation.target, situation.before
    asked = None if before is None else before.expected
    if asked is not None and asked.kind == "place" and not asked.plural:
        located = target.kind in ("place", "organisation")  # one may be there as well
        if asked.subject or not located:
            return Referent("answer", "there: the answer is a place", earlier=situation.index - 1)
    spoken = None if before is None or before.about_target else before.answer_of
    if spoken is not None and situation.asked[spoken].expected.kind in ("place", "organisation"):
        why = "there: the place that is still spoken of"
        return Referent("answer", why, earlier=spoken)
    places = [inner for inner in target.inner if not inner.person]
    if target.kind == "event" and len(places) == 1 and not target.sentence:
        why = "there: the place of the event"
        return Referent("inner", why, inner=places[0])
    return Referent("target", "there: where the target is")


def _own_thing(situation: Situation) -> str:
    """What the question before asks of and says to be the target's: their first flight."""
    if situation.before is None:
        return ""
    asked = situation.before.parsed
    for index, word in enumerate(asked.words):
        noun = asked.words[word.head]
        owned = word.tag == "PRP$" and word.head > index and noun.tag == "NN"
        if owned and noun.dep in ("nsubj", "nsubjpass") and not is_personal(noun.lemma):
            owner = possessive_form(situation.target.named(), plural=situation.target.plural)
            last = _with_complement(asked, word.head)
            return f"{owner} {asked.text[asked.words[index + 1].start : last]}"
    return ""


def _with_complement(asked: ParsedText, noun: int, links: tuple[str, ...] = ("of",)) -> int:
    """Where a noun with the phrase after it ends: the first collection of tales."""
    words = asked.words
    last = noun
    if noun + 2 < len(words) and words[noun + 1].lower in links:
        end = asked.run_end(noun + 1, (*NOUNS, "DT", "JJ", "CD", "POS"))
        last = end if words[end].is_noun else noun
    return words[last].end


def _own_several(situation: Situation) -> str:
    """Whom or what the question before asks whether a person has: did he have children."""
    target, before = situation.target, situation.before
    if before is None or target.kind != "person" or target.plural:
        return ""
    for word in before.parsed.words:
        has = before.parsed.words[word.head].lemma == "have"
        if word.tag == "NNS" and word.dep == "dobj" and has:
            return f"{possessive_form(target.named())} {word.text}"
    return ""


def group(situation: Situation, of_them: str) -> Referent | None:
    """They: people or things of an earlier question, a plural answer, or a group target."""
    target, before = situation.target, situation.before
    many = target.plural or target.kind == "organisation" or target.common
    if before is not None:
        counted = _COUNTED.match(before.parsed.text)
        if counted is not None and (of_them or not many):
            why = "the people or things of the question before"
            those = "" if of_them == "how many" and counted[1] == "people" else _those(before)
            if those:
                return Referent("named", why, noun=those, several=True)
            if of_them == "how many":
                return Referent("noun", why, noun=counted[1])
        plural = before.expected.plural and before.expected.is_referent
        people = before.expected.kind == "person" and target.kind not in ("person", "organisation")
        several = plural or (of_them and not many and before.expected.kind == "person")
        if several and (of_them or people or not many or not before.about_target):
            return Referent("answer", "the previous answer is several", earlier=situation.index - 1)
        both = any(word.lower in ("it", "its") for word in situation.current.parsed.words)
        person = before.expected.kind == "person" and not before.expected.plural
        if person and target.kind != "person" and (both or not many):
            why = "the previous answer may be several"
            return Referent("answer", why, earlier=situation.index - 1)
        if _are_many(before.expected) and not many:
            return Referent("answer", "the previous answer is a group", earlier=situation.index - 1)
    name = named_before(situation)
    still = "" if before is None or before.about_target else before.named
    if of_them and (still or (name is not None and name.kind == "thing")):
        noun = plural_of(still.removeprefix("the ")) if name is None else name.several
        why = "what the question before names"
        return Referent("named", why, noun=noun, several=True)
    own_several = _own_several(situation)
    if own_several:
        why = "those that the target has"
        return Referent("kin", why, noun=own_several, several=True)
    pair = couple(situation)
    if pair:
        return Referent("kin", "the couple of an earlier question", noun=pair)
    chained = _chained(situation, persons=False)
    if chained is not None and _are_many(situation.asked[chained].expected):
        return Referent("answer", "the earlier answer is still spoken of", earlier=chained)
    subject = _plural_subject(situation) if target.kind in ("place", "thing") and not many else ""
    if subject:
        why = "what the question before is about"
        return Referent("named", why, noun=subject, several=True)
    if target.kind == "place" and not many:
        return None  # what language do they speak in Iceland
    if target.kind == "event" and not many and target.head not in listed("events", "bodies"):
        return _participants(situation)
    return Referent("target", "the target is a group")


def _participants(situation: Situation) -> Referent | None:
    """People of an event that an earlier question speaks of; they stays where there are none."""
    why = "people of an earlier question"
    for at in range(situation.index - 1, -1, -1):
        earlier = situation.asked[at]
        if earlier.expected.kind == "person" and earlier.expected.plural:
            return Referent("answer", why, earlier=at)
        counted = _COUNTED.match(earlier.parsed.text)
        if counted is not None and _are_people(counted[1].split()[-1]) and _those(earlier):
            return Referent("named", why, noun=_those(earlier), several=True)
        words = earlier.parsed.words
        for index, word in enumerate(words):
            if word.tag != "NNPS" and not (word.tag == "NNS" and _are_people(word.lower)):
                continue
            first = earlier.parsed.run_start(index, ("JJ", "NN", "NNP", "CD"))
            if first and words[first - 1].lower == "the":
                noun = f"the {earlier.parsed.text[words[first].start : word.end]}"
                return Referent("named", why, noun=noun, several=True)
    return None


def _are_people(noun: str) -> bool:
    one = singular(noun.lower())
    return one in listed("people", "crowd") or is_personal(one)


def _are_many(asked: Expected) -> bool:
    """Whether an answer is several, or a body of people."""
    return asked.plural or asked.noun in listed("people", "bodies")


def _those(before: AskedQuestion) -> str:
    """Those that the question before counts, said by what it asks of them: how many ships sank."""
    match = _COUNTED.match(before.rewritten)
    if match is None:
        return ""
    noun, rest = match[1], before.rewritten[match.end() : end_of(before.rewritten)].strip()
    first, _, after = rest.partition(" ")
    if first in ("did", "does", "do", "can", "could", "has", "have") or not rest:
        return ""
    if rest.endswith((" are there", " were there")) and first == "of":
        return f"the {noun} {rest.rpartition(' ')[0].rpartition(' ')[0]}"
    placed = after.split(" ")[0] in ("on", "in", "at", "aboard")
    if first in ("was", "were", "are", "is") and placed:
        return f"the {noun} {after}"
    return f"the {noun} {'who' if noun == 'people' else 'that'} {rest}"


def _plural_subject(situation: Situation) -> str:
    """The plural subject of the question before, in its own words: the boats in Venice."""
    before = situation.before
    if before is None or before.answer_of is not None:
        return ""
    whole = parse_all([before.rewritten])[0]
    for index, word in enumerate(whole.words):
        if word.tag != "NNS" or word.dep not in ("nsubj", "nsubjpass"):
            continue
        first = whole.run_start(index, ("JJ", "JJS", "NN", "NNP", "CD", "POS"))
        the = first > 0 and whole.words[first - 1].lower == "the"
        if the:
            return whole.text[
                whole.words[first - 1].start : _with_complement(whole, index, _PLACING)
            ]
    return ""


def couple(situation: Situation) -> str:
    """The person and whom the question before says or asks that they married."""
    target = situation.target
    name = "" if target.plural else _owner(situation)
    spouses = listed("people", "spouse")
    for index in range(situation.index - 1, -1, -1) if name else ():
        earlier = situation.asked[index]
        spouse = [word for word in earlier.parsed.words if word.lemma in spouses]
        if spouse and earlier.expected.kind == "person":
            return f"{name} and {answer_text(situation, index)}"
        noun = next((word.lemma for word in spouse if word.is_noun), "")
        whose = {"male": "his", "female": "her"}.get(target.gender or "", "")
        if noun and whose:
            return f"{name} and {whose} {noun}"
    return ""


def _owner(situation: Situation) -> str:
    """The person or people that relatives are of: the target, or a person in it."""
    target = situation.target
    if target.kind == "person":
        return target.named()
    owner = next((inner for inner in target.inner if inner.person), None)
    return "" if owner is None else inner_named(situation, owner.text, owner.person)


def _person_answer(situation: Situation, gender: str, *, nearest: bool) -> int | None:
    """The nearest earlier question that asks for a person of the gender."""
    for index in range(situation.index - 1, -1, -1):
        question = situation.asked[index]
        if _is_person(question) and question.expected.gender in (None, gender):
            return index
        if question.answer_of is not None and _is_person(situation.asked[question.answer_of]):
            asked = situation.asked[question.answer_of].expected
            if asked.gender in (None, gender):
                return question.answer_of
        if nearest:
            return None
    return None


def _is_person(asked: AskedQuestion) -> bool:
    return asked.expected.kind == "person" and not asked.expected.plural


def _inner_person(situation: Situation) -> tuple[Inner, int] | None:
    for index in range(situation.index, -1, -1):
        inner = situation.asked[index].inner
        if inner is not None and inner.person:
            return inner, index
    for one in situation.target.inner:
        if one.person and situation.target.kind != "person":
            return one, -1
    return None


def _thing_answer(situation: Situation) -> int | None:
    target, before = situation.target, situation.before
    if before is None or before.expected.plural:
        return None
    noun = before.expected.noun
    if target.kind == "person" and _asks_what(before.parsed):
        return situation.index - 1  # what did she discover
    if before.expected.kind not in (*_THINGS, "place") or not noun:
        return None
    if noun in listed("words", "attributes"):
        return None
    if target.kind == "person":
        return situation.index - 1
    singular = target.plural and target.common
    if singular and before.expected.kind != "unknown":
        return situation.index - 1
    if before.about_target or before.inner is not None:
        # Of the question before, its subject is the likeliest to be spoken of again.
        return situation.index - 1 if before.expected.subject else None
    return situation.index - 1


def _asks_what(asked: ParsedText) -> bool:
    """What as the object of a verb that makes or finds something, not: what did he do."""
    if not asked.words or asked.words[0].lower != "what" or asked.words[0].dep != "dobj":
        return False
    return asked.words[asked.words[0].head].lemma not in listed("words", "vague")


def _chained(situation: Situation, *, persons: bool) -> int | None:
    """An earlier answer that the question before spoke of and did not leave."""
    before = situation.before
    if before is None or before.answer_of is None or before.about_target:
        return None
    asked = situation.asked[before.answer_of].expected
    return before.answer_of if (asked.kind == "person") is persons else None


def _kin(situation: Situation, gender: str) -> tuple[str, int] | None:
    """A relative of the gender that an earlier question speaks of: where was her father born."""
    name = _owner(situation)
    if not name:
        return None
    for at in range(situation.index - 1, -1, -1):
        asked = situation.asked[at]
        for index, word in enumerate(asked.parsed.words):
            if word.tag != "NN" or word.lemma not in listed("people", gender):
                continue
            owned = any(
                asked.parsed.words[child].dep == "poss" for child in asked.parsed.children(index)
            )
            if owned and asked.expected.noun != word.lemma and asked.expected.kind != "person":
                return f"{possessive_form(name, plural=situation.target.plural)} {word.lemma}", at
    return None
