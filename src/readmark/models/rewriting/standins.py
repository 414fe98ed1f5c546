"""There, this and one: words that stand for the target without being its pronoun."""

from __future__ import annotations

import re

from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.state import Referent, Situation
from readmark.models.rewriting.values import Edit

_WHICH = ("first", "second", "third", "last", "latest", "newest", "oldest", "original", "next")
_READABLE = "Context independence and readability"


def there(here: Situation, asked: Parsed, at: int) -> tuple[Edit, Referent]:
    """There: in a place, at anything else."""
    word = asked.words[at]
    meant = Referent("target", "there: where the target is", sure=0.8)
    where = "in" if here.target.kind == "place" else "at"
    hill = here.target.tokens[0].base in ("mount", "mt") or here.target.head == "mountain"
    where = "on" if hill else where
    now = f"{where} {here.target.named()}"
    return Edit(word.start, word.end, word.text, now, meant.why, _READABLE, meant.sure), meant


def is_alone(asked: Parsed, at: int) -> bool:
    """This without a noun: did this happen."""
    after = asked.words[at + 1] if at + 1 < len(asked.words) else None
    return after is None or after.tag.startswith(("VB", "MD")) or after.tag == "."


def this(here: Situation, asked: Parsed, at: int) -> tuple[Edit, Referent]:
    """This: the event; after did, a headline with its own verb."""
    word, target = asked.words[at], here.target
    meant = Referent("target", "this: the target", sure=0.8)
    start, end, now = word.start, word.end, target.named()
    found = re.match(r"this (?:happen|occur|take place)\b", asked.text[start:])
    if target.sentence and found is not None and asked.words[at - 1].lower == "did":
        rest = target.plain[target.verb :].partition(" ")[2]
        now = " ".join(part for part in (target.subject, target.verb_lemma, rest) if part)
        end = start + found.end()
    why = meant.why
    return Edit(start, end, asked.text[start:end], now, why, _READABLE, meant.sure), meant


def is_one(here: Situation, asked: Parsed, at: int) -> bool:
    """One that stands for a thing of the target's sort: who patented one."""
    after = asked.words[at + 1] if at + 1 < len(asked.words) else None
    if is_which(here, asked, at):
        return True
    free = after is None or not (after.is_noun or after.lower == "of" or after.tag == "JJ")
    return free and here.target.common and asked.words[at].dep in ("dobj", "pobj", "nsubj", "attr")


def is_which(here: Situation, asked: Parsed, at: int) -> bool:
    """One of a series of things that are called alike: the first one, of the iPhone."""
    before = [word.lower for word in asked.words[max(0, at - 2) : at]]
    told = here.before is None or here.before.about_target
    made = here.target.kind == "thing" and not here.target.plural
    return made and told and before[:1] == ["the"] and before[1:2] != [] and before[1] in _WHICH


def one(here: Situation, asked: Parsed, at: int) -> tuple[Edit, Referent]:
    """One: a thing of the target's sort."""
    word, text = asked.words[at], here.target.text
    single = text[:-1] if here.target.plural and text.endswith("s") else text
    article = "an" if single[:1].lower() in "aeiou" else "a"
    meant = Referent("target", "one: a thing of the target's sort", sure=0.8)
    if is_which(here, asked, at):
        return Edit(word.start, word.end, word.text, text, meant.why, _READABLE, 0.7), meant
    now = f"{article} {single}"
    return Edit(word.start, word.end, word.text, now, meant.why, _READABLE, meant.sure), meant
