"""What the definite phrases of a question stand for, and the words that take their place.

The company, this person, the dam, the contest: the target, a name in it, or an earlier answer.
"""

from __future__ import annotations

from readmark.series.guided.answers import is_personal
from readmark.series.guided.edits import AskedQuestion, Edit, Referent, Situation
from readmark.series.guided.nominals import Nominal, nominals
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.referents import couple, named_before
from readmark.series.guided.surface import (
    fitted,
    plural_of,
    possessive,
    possessive_form,
    referent_text,
)
from readmark.series.guided.targets import SeriesTarget
from readmark.series.guided.word_forms import same_noun
from readmark.series.guided.word_tables import alike, kinds_of, listed, table

_ANYBODY = {"person": None, "individual": None, "man": "male", "woman": "female"}
"""Nouns for whoever was asked for, with their gender."""


def nominal_edits(situation: Situation) -> list[tuple[Edit, Referent]]:
    """The edits of the nominals that stand for the target, a name in it or an earlier answer."""
    asked = situation.current.parsed
    edits: list[tuple[Edit, Referent]] = []
    unnamed = not situation.current.about_target  # the question does not say the target yet
    for nominal in nominals(asked):
        noun_start = asked.words[nominal.last].start
        if any(edit.start <= noun_start < edit.end for edit, _ in edits):
            continue
        meant = _meant(situation, asked, nominal, unnamed)
        if meant is None:
            continue
        edits.append((_edit(situation, asked, nominal, meant), meant))
        if meant.what in ("target", "phrase"):
            unnamed = False
    return edits


def _meant(
    situation: Situation, asked: ParsedText, nominal: Nominal, unnamed: bool
) -> Referent | None:
    """What a nominal stands for; it can be the target only where that is still ``unnamed``."""
    word = asked.words[nominal.last]
    target = situation.target
    noun = word.lemma if word.tag != "NNP" else word.lower
    if nominal.followed and not nominal.pointing:
        return None
    if any(part.start <= word.start < part.end for part in situation.current.parts):
        return None
    if (person := _person_asked_for(situation, nominal, noun)) is not None:
        return Referent("answer", "a question before asks who", earlier=person)
    unnamed = unnamed and not _is_asked_for(asked, nominal)
    if any(same_noun(noun, token.base) for token in target.tokens):
        can_be_target = unnamed and _is_all_of_target(asked, nominal, target)
        if target.sentence and can_be_target:
            return Referent("phrase", "a word of the target", noun=_of_headline(target, noun))
        is_people = word.tag == "NNPS" and target.kind == "event"  # the Normans, of their conquest
        says_it = same_noun(noun, target.head) or nominal.bare
        if can_be_target and says_it and not is_people:
            return Referent("target", "the noun is a word of the target")
    if not nominal.bare and not nominal.pointing:
        return None
    if noun in listed("people", "together"):
        together = _together(situation, noun, unnamed)
        if together is not None:
            return together
    plural = word.tag in ("NNS", "NNPS") and not nominal.owns
    asking = _asking_for(situation, noun, plural=plural)
    is_just_asked = asking == situation.index - 1
    is_still_topic = (
        asking is not None and not is_just_asked and situation.asked[asking].about_target
    )
    unnamed = unnamed and (not plural or _is_many(target))
    is_target = unnamed and (
        _can_call(target, noun) or (is_still_topic and _may_call(target, noun))
    )
    if asking is not None and (is_just_asked or not is_target):
        return Referent("answer", f"an earlier question asks for the {noun}", earlier=asking)
    if asking is None and (namesake := _namesake(situation, noun)) is not None:
        return namesake
    if is_target:
        if target.sentence:
            return Referent("phrase", f"{noun} is the event", noun=_of_headline(target, noun))
        kind = f"an {target.kind}" if target.kind[0] in "aeiou" else f"a {target.kind}"
        return Referent("target", f"{noun} can be said of the target, {kind}")
    answer = _answer_called(situation, noun, plural=plural)
    if answer is not None and not nominal.modifies:
        return Referent("answer", f"an earlier answer can be called {noun}", earlier=answer)
    name = named_before(situation)
    is_thing = kinds_of(noun) - {"person"} and not is_personal(noun) and not plural
    if name is not None and is_thing and not _can_call(target, noun):
        return Referent("named", "what the question before names", noun=name.named)
    if unnamed and _may_call(target, noun):
        return Referent("target", f"{noun} may be said of the target")
    return None


def _person_asked_for(situation: Situation, nominal: Nominal, noun: str) -> int | None:
    """This person after a question that asks who: its answer, also where the target is a person.

    Questions between them that mean the same answer do not count.
    """
    if not (nominal.pointing and nominal.bare) or nominal.followed or noun not in _ANYBODY:
        return None
    index: int | None = situation.index - 1
    while index is not None and index >= 0:
        earlier = situation.asked[index]
        answer = earlier.expected
        if answer.kind == "person" and not _asks_who_target_is(earlier):
            agrees = _ANYBODY[noun] is None or answer.gender in (None, _ANYBODY[noun])
            return index if agrees and not answer.plural else None
        index = earlier.answer_of
    return None


def _asks_who_target_is(before: AskedQuestion) -> bool:
    """Who is Jay-Z? Who is he? A person after it is still the target."""
    words = before.parsed.words
    if len(words) < 3 or words[0].lower not in ("who", "whom") or words[1].lemma != "be":
        return False
    rest = [word for word in words[2:] if word.tag not in (".", "DT")]
    return all(
        word.tag == "PRP" or any(part.start <= word.start < part.end for part in before.parts)
        for word in rest
    )


def _together(situation: Situation, noun: str, unnamed: bool) -> Referent | None:
    """The couple, the two: a target of several people, or a person and their spouse."""
    target = situation.target
    if target.plural and target.kind == "person":
        return Referent("target", f"the {noun} are the target") if unnamed else None
    pair = couple(situation) if noun in ("couple", "pair", "two") else ""
    return Referent("kin", "the couple of an earlier question", noun=pair) if pair else None


def _namesake(situation: Situation, noun: str) -> Referent | None:
    """The mountain, the ship: what an event is named after, called by its kind."""
    target = situation.target
    is_kind = noun in listed("events", "vehicles") or "place" in kinds_of(noun)
    if target.kind != "event" or target.sentence or not is_kind:
        return None
    names = [name for name in target.inner if not name.person]
    if len(names) != 1 or situation.current.inner is not None:
        return None
    return Referent("inner", f"the {noun} that the event is named after", inner=names[0])


def _is_asked_for(asked: ParsedText, nominal: Nominal) -> bool:
    """What is the capital: what is asked for is not the target."""
    words = asked.words
    is_all = nominal.first == 2 and words[1].lemma == "be" and nominal.last + 2 >= len(words)
    return is_all and nominal.bare and words[0].lower in ("what", "who", "which")


def _is_many(target: SeriesTarget) -> bool:
    """Whether a plural noun can be said of the target: a group, or a sort of thing."""
    return target.plural or target.kind == "organisation" or target.tokens[-1].text.islower()


def _is_all_of_target(asked: ParsedText, nominal: Nominal, target: SeriesTarget) -> bool:
    """Every word before the noun is the target's too: the first debate, the school shooting."""
    target_words = {token.base for token in target.tokens}
    between = [word.lower for word in asked.words[nominal.first + 1 : nominal.last]]
    return all(word in target_words for word in between)


def _asking_for(situation: Situation, noun: str, *, plural: bool) -> int | None:
    """The nearest earlier question that asks for the noun itself: which company."""
    for index in range(situation.index - 1, -1, -1):
        answer = situation.asked[index].expected
        agrees = answer.is_referent and answer.plural == plural
        if agrees and answer.noun and same_noun(answer.noun, noun):
            return index
    return None


def _answer_called(situation: Situation, noun: str, *, plural: bool) -> int | None:
    """The nearest earlier question whose answer can be called by the noun or one like it."""
    for index in range(situation.index - 1, -1, -1):
        answer = situation.asked[index].expected
        agrees = answer.is_referent and answer.plural == plural
        if agrees and (noun in answer.calls or alike(noun) & answer.calls):
            return index
    return None


def _can_call(target: SeriesTarget, noun: str) -> bool:
    if target.kind == "person" and target.plural and not noun.endswith("s"):
        return False
    return target.kind in kinds_of(noun)


def _may_call(target: SeriesTarget, noun: str) -> bool:
    """Names of things, places and bodies are hard to tell apart: the tunnel, the movie."""
    loose = {"thing", "place", "organisation"}
    if target.kind not in loose or noun in ("government", "country", "state", "city"):
        return False
    if target.kind == "organisation":
        loose = {"place", "organisation"}  # its album is not the band
    return bool(kinds_of(noun) & loose)


def _of_headline(target: SeriesTarget, noun: str) -> str:
    """The contest of Miss Universe 2000 crowned is the Miss Universe 2000 contest."""
    verb = target.verb or len(target.plain)
    subject = target.plain[:verb].strip()
    if target.plain_first:
        subject = subject[:1].lower() + subject[1:]
    if any(same_noun(noun, token.base) and token.end <= verb for token in target.tokens):
        return subject if subject[:4].lower() == "the " else f"the {subject}"
    rest = target.plain[verb:].split(maxsplit=1)[1:]
    happening = table()["events"]["nouns"].get(target.verb_lemma)
    if happening == noun:
        role = ["as"] if rest and target.verb_lemma in ("elect", "appoint", "crown") else []
        return " ".join([f"the {noun} of {target.subject}", *role, *rest])
    if any(inner.person for inner in target.inner) and noun in ("trial", "wedding", "death"):
        return f"{possessive_form(subject)} {noun}"
    return f"the {subject} {noun}"


def _edit(situation: Situation, asked: ParsedText, nominal: Nominal, meant: Referent) -> Edit:
    """The nominal in the words of what it means; a possessive takes the word after it along."""
    words = asked.words
    noun = words[nominal.last]
    start, end = words[nominal.first].start, noun.end
    target = situation.target
    name = meant.noun if meant.what == "phrase" else referent_text(situation, meant)
    if nominal.modifies and meant.what == "target":
        has_article = target.text.lower().startswith(("the ", "a ", "an "))
        name = target.text if has_article else f"the {target.text}"
    is_plural = noun.tag == "NNS" and meant.what == "target" and not nominal.owns
    is_sort = bool(target.tokens) and target.tokens[-1].text.islower() and not target.alias
    if is_plural and is_sort and not target.plural:
        name = plural_of(name)  # the awards, of Nobel prize
    after = words[nominal.last + 1] if nominal.last + 1 < len(words) else None
    if nominal.owns or (after is not None and after.tag == "POS"):
        last = nominal.last + (0 if nominal.owns else 1)
        end, name = possessive(asked, last, name, plural=meant.what == "target" and target.plural)
    is_answer = meant.what == "answer"
    guideline = (
        "Previous Questions and Answers" if is_answer else "Context independence and readability"
    )
    return situation.edit(start, end, fitted(asked, start, name), meant, guideline)
