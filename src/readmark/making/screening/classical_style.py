"""Whether a text is in classical Chinese: by its particles, how long its clauses are, and verse.

CMRC 2018 discards passages in classical Chinese. Weights and bounds were set by hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby

from readmark.making.screening.characters import Characters, count_characters

FOREIGN = -0.5
"""The weight of a Latin letter or an Arabic digit, which no classical text has."""
SHORT, SHORTEST = 100, 20
"""Added to the length, and needed for full weight: a few characters are not enough to go by."""
MODERN_CLAUSE = 7.0
"""Characters between two stops: classical prose has four or five, modern prose nine or more."""
CLAUSE_WEIGHT, MOST_CLAUSE, SHORT_CLAUSES = 1.0, 3.0, 30
VERSE_WEIGHT, LEAST_VERSE, LEAST_LINES = 6.0, 0.5, 4
"""What verse counts for, the share of the text that must be in it, and the lines that it needs."""
_HOPELESS = 2.0 - VERSE_WEIGHT - MOST_CLAUSE
"""Particles of a text that nothing else can make classical: it is not looked at further."""
_LONGEST_CLAUSE = 9
"""Of a text whose clauses are longer on average, too little can be verse."""
_LYRIC_LINES, _LYRIC_LONGEST, _LYRIC_MEAN = 12, 7, 5.5
_STOPS = "，。；：！？\n,;:!?"
_CLAUSES = re.compile(rf"[{_STOPS}「」『』“”‘’\"《》〈〉【】（）()…—]+")
_QUOTE_SIGN = re.compile("[「“]")
_QUOTED = re.compile("「[^」]*」|“[^”]*”")
MOST_QUOTED = 0.4
"""The share that a text must say itself for its quotations to be left out."""
_NOT_HAN = re.compile("[^\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003347f]+")
_NO_LYRIC = re.compile("[0-9A-Za-z、《（(]")


@dataclass(frozen=True, slots=True)
class ClassicalStyle:
    """Three measurements that are added up; above 3, the text is classical."""

    particles: float
    """The sum of the weights for every hundred Han characters."""
    clauses: float
    """More than 0 where clauses are short, less where they are long."""
    verse: float
    """More than 0 where most of the text is in lines of five or seven characters."""

    @property
    def score(self) -> float:
        return self.particles + self.clauses + self.verse


def classical_style(text: str, counts: Characters) -> ClassicalStyle:
    """Measure how classical a text is.

    What a text quotes is left out, unless it quotes more than it says. That is looked at only where
    it may matter: most texts are modern all through.
    """
    whole = _style(text, counts)
    if whole.score <= 0 or _QUOTE_SIGN.search(text) is None:
        return whole
    narration = _QUOTED.sub("，", text)
    narrated = count_characters(narration)
    return _style(narration, narrated) if narrated.han > MOST_QUOTED * counts.han else whole


def _style(text: str, counts: Characters) -> ClassicalStyle:
    """The measurements of a whole text; the stop 、 ends no clause, since verse has none."""
    particles = _particles(counts)
    stops = sum(map(text.count, _STOPS)) if particles > _HOPELESS else 0
    if not stops or not counts.han:
        return ClassicalStyle(particles, 0.0, 0.0)
    mean = counts.han / stops
    verse = 0.0
    if mean <= _LONGEST_CLAUSE:
        lines = [len(_NOT_HAN.sub("", line)) for line in _CLAUSES.split(text)]
        lines = [length for length in lines if length]
        mean = sum(lines) / len(lines)
        verse = VERSE_WEIGHT * _verse(lines, text)
    excess = min(MOST_CLAUSE, max(-MOST_CLAUSE, CLAUSE_WEIGHT * (MODERN_CLAUSE - mean)))
    return ClassicalStyle(particles, excess * counts.han / (counts.han + SHORT_CLAUSES), verse)


def _particles(counts: Characters) -> float:
    foreign = FOREIGN * (counts.digits + counts.latin)
    enough = min(1.0, counts.han / SHORTEST)
    return enough * 100 * (counts.classical + foreign) / (counts.han + SHORT)


def _verse(lines: list[int], text: str) -> float:
    """The share of verse: quatrains of five or seven characters, or nothing but short lines."""
    if len(lines) < LEAST_LINES:
        return 0.0
    runs = ((length, len(list(run))) for length, run in groupby(lines))
    regular = sum(
        length * count for length, count in runs if length in (5, 7) and count >= LEAST_LINES
    )
    share = regular / sum(lines)
    if share >= LEAST_VERSE:
        return share
    mean = sum(lines) / len(lines)
    short = max(lines) <= _LYRIC_LONGEST and mean <= _LYRIC_MEAN and len(lines) >= _LYRIC_LINES
    return 1.0 if short and _NO_LYRIC.search(text) is None else 0.0
