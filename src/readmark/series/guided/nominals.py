"""Definite and demonstrative nominals: the company, this person, the dam, the contest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from readmark.series.guided.answers import is_personal
from readmark.series.guided.edits import AskedQuestion, Edit, Referent, Situation
from readmark.series.guided.parses import (
    NOUNS,
    ParsedText,
    ParsedWord,
    alike,
    kinds_of,
    listed,
    same_noun,
    table,
)
from readmark.series.guided.referents import couple, named_before
from readmark.series.guided.surface import (
    fitted,
    plural_of,
    possessive,
    possessive_form,
    referent_text,
)
from readmark.series.guided.targets import SeriesTarget

_POINTING = ("this", "that", "these", "those")
_AFTER = ("of", "that", "who", "which", "whose", "where", "for", "between", "against", "whom")
_WITHIN = (*NOUNS, "JJ", "JJS", "JJR", "CD", "VBN", "VBG", "HYPH", "``", "''")
_ANYBODY = {"person": None, "individual": None, "man": "male", "woman": "female"}
"""Nouns for whoever was asked for, with their gender."""
_PREVIOUS = "Previous Questions and Answers"
_READABLE = "Context independence and readability"


@dataclass(frozen=True, slots=True)
class Nominal:
    """A definite phrase: the, or a demonstrative, with the words up to its noun."""

    first: int
    last: int
    """The index of its noun."""
    pointing: bool
    bare: bool
    """Nothing but the article and the noun."""
    modifies: bool
    """Stands before another noun: the company fortune."""
    followed: bool
    """Goes on with of or a clause, and so may be definite by itself."""
    owns: bool = False
    """A possessive whose apostrophe was left out: this persons relationship."""


def nominals(asked: ParsedText) -> Iterator[Nominal]:
    """The definite phrases of a question."""
    words = asked.words
    for first, word in enumerate(words):
        lower = word.lower
        if lower not in ("the", *_POINTING) or first + 1 >= len(words):
            continue
        last = asked.run_end(first, _WITHIN)
        while last > first and not words[last].is_noun:
            last -= 1
        if last == first and _is_number(words, first + 1):
            last += 1  # the two
        if last == first:
            continue
        after = words[last + 1].lower if last + 1 < len(words) else ""
        after = "of" if _is_told(words, first, last) else after
        kinds = [index for index in range(first + 1, last + 1) if words[index].is_noun]
        pointing = lower in _POINTING
        if lower in ("this", "that") and len(kinds) > 1 and words[kinds[0]].tag == "NNS":
            yield Nominal(first, kinds[0], True, kinds[0] == first + 1, False, False, True)
        yield Nominal(first, last, pointing, last == first + 1, False, after in _AFTER)
        if len(kinds) > 1 and kinds[0] == first + 1 and not _is_name(asked, first + 1, last):
            yield Nominal(first, kinds[0], pointing, True, True, False)


def _is_number(words: tuple[ParsedWord, ...], index: int) -> bool:
    return words[index].tag == "CD" and words[index].lower in listed("people", "together")


def _is_told(words: tuple[ParsedWord, ...], first: int, last: int) -> bool:
    """Who is the woman in the picture: what is asked for is told by the phrase after it."""
    if first != 2 or words[1].lemma != "be" or last + 2 >= len(words) or words[last + 2].tag == ".":
        return False
    return words[last + 1].tag == "IN" and words[last + 1].head == last


def nominal_edits(situation: Situation) -> list[tuple[Edit, Referent]]:
    """The edits of the nominals that stand for the target, a name in it or an earlier answer."""
    asked = situation.current.parsed
    done: list[tuple[Edit, Referent]] = []
    free = not situation.current.about_target
    for nominal in nominals(asked):
        if any(edit.start <= asked.words[nominal.last].start < edit.end for edit, _ in done):
            continue
        meant = _meant(situation, asked, nominal, free)
        if meant is None:
            continue
        done.append((_edit(situation, asked, nominal, meant), meant))
        if meant.what in ("target", "phrase"):
            free = False
    return done


def _meant(
    situation: Situation, asked: ParsedText, nominal: Nominal, free: bool
) -> Referent | None:
    word = asked.words[nominal.last]
    target = situation.target
    noun = word.lemma if word.tag != "NNP" else word.lower
    if nominal.followed and not nominal.pointing:
        return None
    if any(part.start <= word.start < part.end for part in situation.current.parts):
        return None
    if (who := _person_asked_for(situation, nominal, noun)) is not None:
        return Referent("answer", "a question before asks who", earlier=who)
    free = free and not _is_asked(asked, nominal)
    in_target = any(same_noun(noun, token.base) for token in target.tokens)
    if in_target:
        ok = _all_of_target(asked, nominal, target)
        if target.sentence and free and ok:
            return Referent("phrase", "a word of the target", noun=_of_headline(target, noun))
        named = word.tag == "NNPS" and target.kind == "event"  # the Normans, of their conquest
        if free and ok and not named and (same_noun(noun, target.head) or nominal.bare):
            return Referent("target", "the noun is a word of the target")
        if not nominal.bare and not nominal.pointing:
            return None
    if not nominal.bare and not nominal.pointing:
        return None
    plural = word.tag in ("NNS", "NNPS") and not nominal.owns
    if (
        noun in listed("people", "together")
        and (both := _together(situation, noun, free)) is not None
    ):
        return both
    exact = _answer(situation, noun, exact=True, plural=plural)
    still = (
        exact is not None and exact != situation.index - 1 and situation.asked[exact].about_target
    )
    free = free and (not plural or _is_many(target))
    topic = free and (_can_call(target, noun) or (still and _may_call(target, noun)))
    if exact is not None and not (topic and exact != situation.index - 1):
        return Referent("answer", f"an earlier question asks for the {noun}", earlier=exact)
    if exact is None and (part := _inside(situation, noun)) is not None:
        return part
    if topic:
        if target.sentence:
            return Referent("phrase", f"{noun} is the event", noun=_of_headline(target, noun))
        return Referent("target", f"{noun} can be said of the target, {_a(target.kind)}")
    answer = _answer(situation, noun, exact=False, plural=plural)
    if answer is not None and not nominal.modifies:
        return Referent("answer", f"an earlier answer can be called {noun}", earlier=answer)
    name = named_before(situation)
    thing = kinds_of(noun) - {"person"} and not is_personal(noun) and not plural
    if name is not None and thing and not _can_call(target, noun):
        return Referent("named", "what the question before names", noun=name.named)
    if free and _may_call(target, noun):
        return Referent("target", f"{noun} may be said of the target")
    return None


def _person_asked_for(situation: Situation, nominal: Nominal, noun: str) -> int | None:
    """This person after a question that asks who: its answer, also where the target is a person.

    Questions between them that mean the same answer do not count.
    """
    if not (nominal.pointing and nominal.bare) or nominal.followed or noun not in _ANYBODY:
        return None
    place: int | None = situation.index - 1
    while place is not None and place >= 0:
        before = situation.asked[place]
        wanted = before.expected
        if wanted.kind == "person" and not _asks_who_target_is(before):
            agrees = _ANYBODY[noun] is None or wanted.gender in (None, _ANYBODY[noun])
            return place if agrees and not wanted.plural else None
        place = before.answer_of
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


def _together(situation: Situation, noun: str, free: bool) -> Referent | None:
    """The couple, the two: a target of several people, or a person and their spouse."""
    target = situation.target
    if target.plural and target.kind == "person":
        return Referent("target", f"the {noun} are the target") if free else None
    pair = couple(situation) if noun in ("couple", "pair", "two") else ""
    return Referent("kin", "the couple of an earlier question", noun=pair) if pair else None


def _inside(situation: Situation, noun: str) -> Referent | None:
    """The mountain, the ship: what an event is named after, called by its kind."""
    target = situation.target
    named = noun in listed("events", "vehicles") or "place" in kinds_of(noun)
    if target.kind != "event" or target.sentence or not named:
        return None
    inner = [one for one in target.inner if not one.person]
    if len(inner) != 1 or situation.current.inner is not None:
        return None
    return Referent("inner", f"the {noun} that the event is named after", inner=inner[0])


def _is_asked(asked: ParsedText, nominal: Nominal) -> bool:
    """What is the capital: what is asked for is not the target."""
    words = asked.words
    whole = nominal.first == 2 and words[1].lemma == "be" and nominal.last + 2 >= len(words)
    return whole and nominal.bare and words[0].lower in ("what", "who", "which")


def _is_many(target: SeriesTarget) -> bool:
    """Whether a plural noun can be said of the target: a group, or a sort of thing."""
    return target.plural or target.kind == "organisation" or target.tokens[-1].text.islower()


def _all_of_target(asked: ParsedText, nominal: Nominal, target: SeriesTarget) -> bool:
    """Every word before the noun is the target's too: the first debate, the school shooting."""
    own_words = {token.base for token in target.tokens}
    between = [word.lower for word in asked.words[nominal.first + 1 : nominal.last]]
    return all(word in own_words for word in between)


def _answer(situation: Situation, noun: str, *, exact: bool, plural: bool) -> int | None:
    for index in range(situation.index - 1, -1, -1):
        asked = situation.asked[index].expected
        if not asked.is_referent or asked.plural != plural:
            continue
        if exact and asked.noun and same_noun(asked.noun, noun):
            return index
        if not exact and (noun in asked.calls or alike(noun) & asked.calls):
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
    words = asked.words
    start, end = words[nominal.first].start, words[nominal.last].end
    target = situation.target
    name = meant.noun if meant.what == "phrase" else referent_text(situation, meant)
    if nominal.modifies and meant.what == "target":
        own_article = target.text.lower().startswith(("the ", "a ", "an "))
        name = target.text if own_article else f"the {target.text}"
    many = words[nominal.last].tag == "NNS" and meant.what == "target" and not nominal.owns
    one_word = bool(target.tokens) and target.tokens[-1].text.islower() and not target.alias
    if many and one_word and not target.plural:
        name = plural_of(name)  # the awards, of Nobel prize
    follows = words[nominal.last + 1] if nominal.last + 1 < len(words) else None
    if nominal.owns or (follows is not None and follows.tag == "POS"):
        last = nominal.last + (0 if nominal.owns else 1)
        end, name = possessive(asked, last, name, plural=meant.what == "target" and target.plural)
    guideline = _PREVIOUS if meant.what == "answer" else _READABLE
    return situation.edit(start, end, fitted(asked, start, name), meant, guideline)


def _is_name(asked: ParsedText, first: int, last: int) -> bool:
    return all(word.text[:1].isupper() for word in asked.words[first : last + 1])


def _a(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def deictic(noun: str) -> bool:
    """Definite without a word before: the world, the Internet."""
    return noun in listed("deictic", "words")


# Nouns without the target before them: openers, of can openers; the spots, of Club Med spots.


def modifier_edit(situation: Situation) -> Edit | None:
    """The target's own modifiers put before its bare noun, whose number stays."""
    target, asked = situation.target, situation.current.parsed
    if target.kind in ("event", "person") or len(target.tokens) < 2 or target.sentence:
        return None
    head = target.tokens[-1]
    if not head.text.islower() or head.base != target.head:
        return None
    before = target.plain[: head.start].strip()
    said = {token.base for token in asked.tokens}
    if all(token.base in said for token in target.tokens[:-1]):
        return None  # which Virginia vineyard produces the most wine
    for index, word in enumerate(asked.words):
        previous = asked.words[index - 1] if index else None
        single = previous is not None and previous.lower in ("a", "an")
        if not (word.is_noun or single) or not same_noun(word.lower, head.base):
            continue
        following = asked.words[index + 1] if index + 1 < len(asked.words) else None
        if target.inner or (previous is not None and previous.tag == "POS"):
            return None
        if previous is not None and (previous.is_noun or previous.tag == "HYPH"):
            return None
        if previous is not None and previous.lower in ("the", "this", "that", "these", "those"):
            return None  # the nominals look at it
        if following is not None and following.is_noun:
            return None
        why = f"{word.lower}: the target's noun without the words before it"
        guideline = "Target matches a sub-string of the question"
        return Edit(word.start, word.start, "", f"{before} ", why, guideline)
    return None


def compound_edit(situation: Situation) -> Edit | None:
    """The target put before a definite noun that it stood before in an earlier question."""
    asked, target = situation.current.parsed, situation.target
    if target.sentence or target.kind in ("person", "event"):
        return None
    known = {
        noun for earlier in situation.asked[: situation.index] for noun in _after_target(earlier)
    }
    for nominal in nominals(asked):
        word = asked.words[nominal.last]
        if (
            word.lemma not in known
            or nominal.modifies
            or nominal.owns
            or word.tag in ("NNP", "NNPS")
        ):
            continue
        why = f"{word.lemma}: an earlier question has the target before it"
        return Edit(word.start, word.start, "", f"{target.text} ", why, _READABLE)
    return None


def _after_target(earlier: AskedQuestion) -> set[str]:
    """The noun of a phrase that begins with the target: Club Med vacation spots."""
    found: set[str] = set()
    words = earlier.parsed.words
    for part in earlier.parts:
        if part.how not in ("whole", "part", "alias") or part.possessive:
            continue
        at = _next(earlier.parsed, part.end)
        last = None
        while at is not None and at < len(words) and words[at].is_noun:
            last, at = at, at + 1
        if last is not None and words[last].text.islower():
            found.add(words[last].lemma)
    return found


def _next(asked: ParsedText, offset: int) -> int | None:
    touching = asked.text[offset : offset + 1] == " "
    return asked.word_at(offset + 1) if touching else None


# Other: what other states -> what states other than the one that was answered or the target.


def other_edit(situation: Situation) -> tuple[Edit, Referent] | None:
    """The edit of a phrase with other whose noun an earlier answer or the target is one of."""
    asked = situation.current.parsed
    index = next(
        (i for i, word in enumerate(asked.words) if word.lower in ("other", "additional")), 0
    )
    if not index:
        return None
    last = asked.run_end(index, (*NOUNS, "JJ", "HYPH", "VBG", "CD"))
    while last > index and not asked.words[last].is_noun:
        last -= 1
    if last == index or (last + 1 < len(asked.words) and asked.words[last + 1].lower == "than"):
        return None
    meant = _others_meant(situation, asked.words[last].lemma)
    if meant is None:
        return None
    return _others_edit(situation, asked, index, last, meant), meant


def _others_meant(situation: Situation, noun: str) -> Referent | None:
    target = situation.target
    for before in range(situation.index - 1, -1, -1):
        asked = situation.asked[before].expected
        if asked.noun and asked.is_referent and alike(asked.noun) & alike(noun):
            why = f"an earlier question asks for the {noun}"
            return Referent("answer", why, earlier=before)
    if situation.current.about_target or target.common:
        return None
    if target.kind == "event":
        places = [inner for inner in target.inner if not inner.person]
        hill = len(places) == 1 and places[0].tokens[0].base in ("mount", "mt")
        if noun in ("mountain", "volcano", "peak") and hill and situation.current.inner is None:
            return Referent("inner", f"the {noun} of the event", inner=places[0])
    if same_noun(noun, target.head) or any(same_noun(noun, token.base) for token in target.tokens):
        return Referent("target", f"the target is one of the {noun}s")
    kinds = kinds_of(noun)
    people = is_personal(noun) or noun.endswith("ant")
    if target.kind in kinds or (target.kind == "person" and people):
        return Referent("target", f"the target is one of the {noun}s")
    return None


def _others_edit(
    situation: Situation, asked: ParsedText, index: int, last: int, meant: Referent
) -> Edit:
    if last + 1 < len(asked.words) and asked.words[last + 1].lower == "of":
        name = asked.run_end(last + 1, ("DT", "NNP", "NNPS"))  # pyramids of Egypt other than
        last = name if name > last + 1 else last
    start, end = asked.words[index].start, asked.words[last].end
    kept = asked.text[asked.words[index + 1].start : end]
    guideline = _PREVIOUS if meant.what == "answer" else "Rephrasing"
    return situation.edit(
        start, end, f"{kept} other than {referent_text(situation, meant)}", meant, guideline
    )
