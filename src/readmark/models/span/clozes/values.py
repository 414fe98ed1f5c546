"""What clozes are made of and into."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

KEPT = 0.15
"""How often a blank is asked for although its answer stands only in its own sentence: such
questions are soon learnt, since the sentence is still there."""


@dataclass(frozen=True, slots=True)
class Article:
    """A passage of an article: its title and the passage's sentences."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cloze:
    """A question made of a sentence, and the text in which its answer stands."""

    text: str
    question: str
    answer: str
    start: int


@dataclass(frozen=True, slots=True)
class Blank:
    """A stretch of a sentence that can be asked for, and how it is asked for."""

    start: int
    end: int
    asked: str
    """What stands in its place in the question."""
    kind: str


def context(
    article: Article, at: int, blank: Blank, *, keep: bool, joint: str
) -> tuple[str, int] | None:
    """The passage with or without the asked sentence, and where the answer stands in it."""
    answer = article.sentences[at][blank.start : blank.end]
    if keep:
        before = sum(len(one) + len(joint) for one in article.sentences[:at])
        return joint.join(article.sentences), before + blank.start
    text = joint.join(article.sentences[:at] + article.sentences[at + 1 :])
    found = text.find(answer)
    # Where it recurs more than twice nobody could tell which place is meant.
    if found < 0 or text.count(answer) > 2:
        return None
    return text, found


def chosen(draw: Random, blanks: list[Blank], many: int) -> list[Blank]:
    """A few blanks of a sentence, of different kinds as far as there are."""
    draw.shuffle(blanks)
    taken: list[Blank] = []
    for fresh in (True, False):
        for one in blanks:
            if len(taken) < many and one not in taken:
                kinds = {other.kind for other in taken}
                if (one.kind not in kinds) is fresh:
                    taken.append(one)
    return taken


def word_set(words: str) -> frozenset[str]:
    """Words that are written with blanks between them."""
    return frozenset(words.split())
