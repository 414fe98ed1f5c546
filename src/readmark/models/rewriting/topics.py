"""Series without a target: the topic is a phrase of an earlier question, as in conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from readmark.models.rewriting.binding import HE, IT, SHE, THEY
from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.pronouns import is_empty
from readmark.models.rewriting.surface import end_of, fitted, own
from readmark.models.rewriting.tables import listed
from readmark.models.rewriting.values import Edit, Rewrite, applied

GUIDELINE = "Context independence and readability"
_WITHIN = ("JJ", "JJR", "NN", "NNS", "NNP", "NNPS", "CD", "HYPH", "NFP")
_OWNING = ("its", "their", "his")


@dataclass(frozen=True, slots=True)
class Topic:
    """A noun phrase that later questions speak of."""

    text: str
    article: str
    plural: bool
    weight: float

    @property
    def named(self) -> str:
        return f"{self.article} {self.text}" if self.article else self.text


def rewrite_untargeted(questions: Sequence[Parsed]) -> list[Rewrite]:
    """Every question with its first pronoun resolved to the topic of those before it."""
    topic: Topic | None = None
    done: list[Rewrite] = []
    for asked in questions:
        edit = None if topic is None else _resolved(asked, topic)
        if edit is not None:
            done.append(Rewrite(applied(asked.text, (edit,)), (edit,), sure=edit.sure))
            continue
        done.append(Rewrite(asked.text, why="no target, and nothing that points back", sure=0.5))
        new = main_phrase(asked)
        if new is not None and (topic is None or new.weight >= topic.weight):
            topic = new  # a lighter phrase does not take the topic's place
    return done


def _resolved(asked: Parsed, topic: Topic) -> Edit | None:
    for at, word in enumerate(asked.words):
        lower = word.lower
        if lower in HE | SHE | IT | THEY and not (lower == "it" and is_empty(asked, at)):
            owning = word.tag == "PRP$" or lower in _OWNING
            said = own(topic.named, plural=topic.plural) if owning else topic.named
            why = f"{lower}: the topic of the questions before"
            now = fitted(asked, word.start, said)
            return Edit(word.start, word.end, word.text, now, why, GUIDELINE, 0.6)
        if lower in ("one", "ones") and _is_noun(asked, at):
            why = "one: of the topic of the questions before"
            return Edit(word.start, word.end, word.text, topic.text, why, GUIDELINE, 0.6)
    if len(asked.words) <= 2:
        return None
    names = any(word.is_noun for word in asked.words)
    if not names:
        at = end_of(asked.text)
        now = f" of {topic.named}"
        return Edit(at, at, "", now, "the topic is left out", GUIDELINE, 0.4)
    return None


def _is_noun(asked: Parsed, at: int) -> bool:
    """One after an adjective or article: a new one."""
    before = asked.words[at - 1] if at else None
    after = asked.words[at + 1] if at + 1 < len(asked.words) else None
    free = after is None or not (after.is_noun or after.lower == "of")
    return free and before is not None and before.tag in ("JJ", "JJR", "JJS", "DT", "WDT")


def main_phrase(asked: Parsed) -> Topic | None:
    """The weightiest noun phrase of a question: names, long compounds, what follows of."""
    found = [topic for first, last in _phrases(asked) if (topic := _topic(asked, first, last))]
    return max(found, key=lambda one: one.weight, default=None)


def _phrases(asked: Parsed) -> list[tuple[int, int]]:
    words, found, at = asked.words, [], 0
    while at < len(words):
        last = at
        while last < len(words) and words[last].tag in _WITHIN:
            last += 1
        end = last
        while end > at and not words[end - 1].is_noun:
            end -= 1
        first = at
        while first < end and words[first].tag == "HYPH":
            first += 1
        if end > first:
            found.append((first, end))
        at = max(last, at + 1)
    return found


def _topic(asked: Parsed, first: int, end: int) -> Topic | None:
    words = asked.words
    head = words[end - 1]
    before = words[first - 1] if first else None
    general = head.lemma in listed("topics", "general")
    weight = sum(word.is_noun for word in words[first:end]) + 0.01 * first
    weight += 1.0 * any(word.tag in ("NNP", "NNPS") for word in words[first:end])
    weight += 0.5 * (before is not None and before.lower in ("of", "about", "the", "a", "an"))
    weight -= 2.0 * general
    if (before is not None and before.tag in ("WDT", "WP", "WRB")) or weight <= 0:
        return None
    article = before.lower if before is not None and before.lower in ("the", "a", "an") else ""
    if before is not None and before.tag == "PRP$" and head.tag == "NN":
        article = "the"
    text = asked.text[words[first].start : head.end]
    return Topic(text, article, head.tag in ("NNS", "NNPS"), weight)
