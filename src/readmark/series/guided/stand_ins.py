"""There, this and one: words that stand for the target without being its pronoun."""

from __future__ import annotations

import re

from readmark.series.guided import referents
from readmark.series.guided.edits import Edit, Referent, Situation
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.surface import referent_text
from readmark.series.guided.word_tables import kinds_of, listed

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
