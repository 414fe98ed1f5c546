"""Pronouns of a question that point out of it, and what they become."""

from __future__ import annotations

import re
from dataclasses import replace

from readmark.series.guided import referents
from readmark.series.guided.answers import is_personal
from readmark.series.guided.edits import Edit, Referent, Situation
from readmark.series.guided.parses import ParsedText, kinds_of, listed
from readmark.series.guided.surface import fitted, plural_of, possessive, referent_text

# Pronouns that mean something in their own question and so stay as they are.


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


# There, this and one: words that stand for the target without being its pronoun.


_WHICH = ("first", "second", "third", "last", "latest", "newest", "oldest", "original", "next")
_PREVIOUS = "Previous Questions and Answers"
_READABLE = "Context independence and readability"


def there_edit(situation: Situation, asked: ParsedText, index: int) -> tuple[Edit, Referent]:
    """There: in a place, at anything else."""
    word = asked.words[index]
    meant = referents.location(situation)
    target = situation.target
    within = meant.what == "answer" or (meant.what == "target" and target.kind == "place")
    hill = meant.what == "target" and target.tokens[0].base in ("mount", "mt")
    hill = hill or (meant.what == "target" and target.head == "mountain")
    hill = hill or (meant.what == "target" and "mountain" in target.called)
    where = "on" if hill else "in" if within else "at"
    if meant.earlier is not None:
        noun = situation.asked[meant.earlier].expected.noun
        where = "at" if "organisation" in kinds_of(noun) else where
    if asked.words[word.head].lemma in listed("events", "motion"):
        where = "to"
    after = index > 0 and asked.words[index - 1].tag == "IN"  # from there
    now = referent_text(situation, meant) if after else f"{where} {referent_text(situation, meant)}"
    guideline = _PREVIOUS if meant.what == "answer" else _READABLE
    return situation.edit(word.start, word.end, now, meant, guideline), meant


def is_alone(asked: ParsedText, index: int) -> bool:
    """This without a noun: did this happen."""
    after = asked.words[index + 1] if index + 1 < len(asked.words) else None
    return after is None or after.tag.startswith(("VB", "MD")) or after.tag == "."


def this_edit(situation: Situation, asked: ParsedText, index: int) -> tuple[Edit, Referent]:
    """This: the event; after did, a headline with its own verb."""
    word, target = asked.words[index], situation.target
    meant = Referent("target", "this: the target")
    start, end, now = word.start, word.end, target.named()
    match = re.match(r"this (?:happen|occur|take place)\b", asked.text[start:])
    if target.sentence and match is not None and asked.words[index - 1].lower == "did":
        rest = target.plain[target.verb :].partition(" ")[2]
        now = " ".join(part for part in (target.subject, target.verb_lemma, rest) if part)
        end = start + match.end()
    why = meant.why
    return Edit(start, end, asked.text[start:end], now, why, _READABLE), meant


def is_one(situation: Situation, asked: ParsedText, index: int) -> bool:
    """One that stands for a thing of the target's sort: who patented one."""
    after = asked.words[index + 1] if index + 1 < len(asked.words) else None
    if is_which(situation, asked, index):
        return True
    free = after is None or not (after.is_noun or after.lower == "of" or after.tag == "JJ")
    return (
        free
        and situation.target.common
        and asked.words[index].dep in ("dobj", "pobj", "nsubj", "attr")
    )


def is_which(situation: Situation, asked: ParsedText, index: int) -> bool:
    """One of a series of things that are called alike: the first one, of the iPhone."""
    before = [word.lower for word in asked.words[max(0, index - 2) : index]]
    follows = situation.before is None or situation.before.about_target
    made = situation.target.kind == "thing" and not situation.target.plural
    return made and follows and before[:1] == ["the"] and before[1:2] != [] and before[1] in _WHICH


def one_edit(situation: Situation, asked: ParsedText, index: int) -> tuple[Edit, Referent]:
    """One: a thing of the target's sort."""
    word, text = asked.words[index], situation.target.text
    single = text[:-1] if situation.target.plural and text.endswith("s") else text
    article = "an" if single[:1].lower() in "aeiou" else "a"
    meant = Referent("target", "one: a thing of the target's sort")
    if is_which(situation, asked, index):
        return Edit(word.start, word.end, word.text, text, meant.why, _READABLE), meant
    now = f"{article} {single}"
    return Edit(word.start, word.end, word.text, now, meant.why, _READABLE), meant


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
