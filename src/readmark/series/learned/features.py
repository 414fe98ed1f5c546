"""Candidate edits of a question as rows of numbers: the place, the phrase, and how they agree.

The rows are independent of the language; what stands in them is found by the language's own
modules. The first row keeps the question as it is, the second takes what the guidelines make.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from readmark.series.learned.values import Asking, EditPlace, MeantPhrase, sense
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.stats.networks import Floats

PLACES = (
    *("person", "own", "thing", "group", "pointing", "one", "there", "this", "the", "whose"),
    *("part", "after", "before", "end", "frame", "reason"),
)
LINKS = ("of", "in", "about", "for", "with", "from", "by", "other than", "besides", "to")
FLAGS = (
    *("subject", "late", "clause", "joined", "rare", "empty", "bare", "followed", "modifies"),
    *("general", "name", "definite", "asked", "counted", "relation", "last", "plural"),
    *("verb", "noun", "hanging", "adjective", "other"),
)
SOURCES = ("target", "inner", "topic", "question", "answer", "variable")
KINDS = ("person", "organisation", "place", "event", "thing", "act", "time", "unknown")
ROLES = ("subject", "object", "of", "asked", "other")
QUESTION = (
    "has a target",
    "knows answers",
    "turn",
    "words",
    "pronouns",
    "nouns",
    "names",
    "demonstratives",
    "guided edits",
    "guided sure",
    "says the target",
)
_GROUPS = {
    **dict.fromkeys(("person", "own"), 0),
    **dict.fromkeys(("thing", "group", "pointing", "one", "there"), 1),
    **dict.fromkeys(("this", "the", "part", "frame", "reason"), 2),
    **dict.fromkeys(("whose", "after", "before", "end"), 3),
}
GROUPS = ("personal", "pronoun", "nominal", "left out")
_CROSSED = {
    "target": "from: target",
    "answer": "from: answer",
    "variable": "from: variable",
    **{name: name for name in ("just asked", "just said", "said often")},
    "name": "phrase is a name",
    **{name: name for name in ("introduced", "carried on")},
}
_OF_PLACE = (
    *(f"place: {one}" for one in PLACES),
    *(f"link: {link}" for link in LINKS),
    *(f"place is {flag}" for flag in FLAGS),
    "guided edits here",
)
_OF_PHRASE = (
    *(f"from: {source}" for source in SOURCES),
    *(f"phrase: {kind}" for kind in KINDS),
    *(f"was {role}" for role in ROLES),
    "phrase is plural",
    "phrase is a name",
    "phrase is general",
    "phrase is joined",
    "phrase has an article",
    "length of phrase",
    "nearness",
    "just asked",
    "first question",
    "said lately",
    "just said",
    "said often",
    "already in the question",
    "whole in the question",
    "guided says it",
    "introduced",
    "last of its question",
    "in a fuller phrase",
    "carried on",
    "asked often",
    "rarity",
    "nearness in meaning",
    "near to the question before",
)
_OF_PAIR = (
    "number agrees",
    "number disagrees",
    "gender disagrees",
    "person agrees",
    "person disagrees",
    "kind agrees",
    "same noun",
    "guided says it here",
)
FEATURES = (
    "keep",
    "guided",
    "guided has the variable",
    "step",
    *QUESTION,
    *_OF_PLACE,
    *_OF_PHRASE,
    *_OF_PAIR,
    *(f"{group}, {one}" for group in GROUPS for one in _CROSSED),
)
_Q = 4
_PLACE = _Q + len(QUESTION)
_PHRASE = _PLACE + len(_OF_PLACE)
_PAIR = _PHRASE + len(_OF_PHRASE)
_CROSS = _PAIR + len(_OF_PAIR)
_CROSS_FROM = tuple(_OF_PHRASE.index(name) for name in _CROSSED.values())
KEEP, GUIDED = -1, -2
"""Represents a place where nothing is inserted."""


@dataclass(frozen=True)
class Rows:
    """Candidates side by side: their features, and the place and phrase of each."""

    numbers: Floats
    pairs: list[tuple[int, int]]


def rows_of(
    asking: Asking, words: frozenset[str], *, step: int = 0, used: Sequence[tuple[int, int]] = ()
) -> Rows:
    """The candidates for a question of which some edits may have been made already."""
    places = [
        (index, place)
        for index, place in enumerate(asking.places)
        if not any(_overlap(place, start, end) for start, end in used)
    ]
    if step:
        places = [
            (index, edit_place)
            for index, edit_place in places
            if edit_place.how not in ("frame", "reason")
        ]
    of_phrase = np.array(
        [_phrase_row(asking, phrase, words) for phrase in asking.phrases], np.float32
    ).reshape(-1, len(_OF_PHRASE))
    of_place = np.array(
        [_place_row(asking, edit_place) for _, edit_place in places], np.float32
    ).reshape(-1, len(_OF_PLACE))
    whole = of_phrase[:, _OF_PHRASE.index("whole in the question")] > 0
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    extra: list[list[float]] = []
    for number, (index, place) in enumerate(places):
        for other, phrase in enumerate(asking.phrases):
            if _fits(asking, place, phrase, bool(whole[other]), other):
                pairs.append((index, other))
                left.append(number)
                extra.append(_pair_row(asking, place, phrase))
    first: list[tuple[int, int]] = [(KEEP, KEEP)]
    if not step and asking.guided != asking.text:
        first.append((GUIDED, GUIDED))
    numbers = np.zeros((len(first) + len(pairs), len(FEATURES)), np.float32)
    numbers[:, 3] = step
    numbers[:, _Q:_PLACE] = [asking.question.get(one, 0.0) for one in QUESTION]
    numbers[0, 0] = 1.0
    if len(first) > 1:
        numbers[1, 1] = 1.0
        numbers[1, 2] = PREVIOUS_ANSWER in asking.guided
    if pairs:
        right = [other for _, other in pairs]
        body = numbers[len(first) :]
        body[:, _PLACE:_PHRASE] = of_place[left]
        body[:, _PHRASE:_PAIR] = of_phrase[right]
        body[:, _PAIR:_CROSS] = extra
        groups = np.array([_GROUPS[places[one][1].how] for one in left])
        crossed = of_phrase[right][:, _CROSS_FROM]
        size = len(_CROSSED)
        for group in range(len(GROUPS)):
            rows = groups == group
            body[rows, _CROSS + group * size : _CROSS + (group + 1) * size] = crossed[rows]
    return Rows(numbers, [*first, *pairs])


def _overlap(place: EditPlace, start: int, end: int) -> bool:
    if place.start == place.end or start == end:
        return place.start == start or start < place.start < end or place.start < start < place.end
    return place.start < end and start < place.end


def _fits(asking: Asking, place: EditPlace, phrase: MeantPhrase, whole: bool, number: int) -> bool:
    """Whether a phrase may go into a place at all; the rest is for the weights to say."""
    if place.how == "frame":
        return phrase.source == "question" and phrase.turn == asking.index - 1
    if place.how == "reason":
        return number == 0
    if place.how == "part":
        return phrase.source != "variable" and bool(place.words) and place.words < phrase.words
    if whole:
        return False
    if phrase.source == "variable":
        return place.how not in ("before", "one", "there")
    return not (place.how == "before" and (phrase.extended or phrase.article in ("a", "an")))


def _place_row(asking: Asking, place: EditPlace) -> list[float]:
    row = [0.0] * len(_OF_PLACE)
    row[PLACES.index(place.how)] = 1.0
    if place.link in LINKS and place.how != "there":
        row[len(PLACES) + LINKS.index(place.link)] = 1.0
    index = len(PLACES) + len(LINKS)
    for name, number in place.flags.items():
        row[index + FLAGS.index(name)] = number
    row[-1] = float(any(_touches(place, edit) for edit in asking.guided_edits))
    return row


def _touches(place: EditPlace, edit: tuple[int, int, str]) -> bool:
    start, end, _ = edit
    if place.start == place.end:
        return start == end == place.start
    return place.start < end and start < place.end


def _phrase_row(asking: Asking, phrase: MeantPhrase, words: frozenset[str]) -> list[float]:
    row = [0.0] * len(_OF_PHRASE)
    row[SOURCES.index(phrase.source)] = 1.0
    index = len(SOURCES)
    row[index + KINDS.index(phrase.kind)] = 1.0
    index += len(KINDS)
    row[index + ROLES.index(phrase.role)] = 1.0
    index += len(ROLES)
    own = phrase.words
    said = [
        turn
        for turn, rewritten_word in enumerate(asking.rewritten_words, asking.since)
        if own and own <= rewritten_word
    ]
    share = len(own & words) / len(own) if own else 0.0
    guided = any(phrase.text.lower() in now.lower() for _, _, now in asking.guided_edits)
    row[index:] = [
        float(phrase.plural),
        float(phrase.name),
        float(phrase.general),
        float(phrase.extended),
        float(bool(phrase.article)),
        min(len(phrase.text) / 20.0, 3.0),
        1.0 / max(asking.index - phrase.turn, 1),
        float(phrase.turn == asking.index - 1),
        float(phrase.turn == 0),
        1.0 / (asking.index - said[-1]) if said else 0.0,
        float(bool(said) and said[-1] == asking.index - 1),
        len(said) / max(len(asking.rewritten_words), 1),
        share,
        float(share == 1.0),
        float(guided),
        float(phrase.introduced),
        float(phrase.final),
        float(phrase.inside),
        float(bool(said) and said[-1] == asking.index - 1 and not own <= asking.asked[-1]),
        sum(own <= one for one in asking.asked) / max(len(asking.asked), 1) if own else 0.0,
        *_senses(asking, phrase),
    ]
    return row


def _senses(asking: Asking, phrase: MeantPhrase) -> tuple[float, float, float]:
    if phrase.source == "variable":
        return 0.0, 0.0, 0.0
    rarity, vector = sense(phrase.text, asking.language)
    here = sense(asking.text, asking.language)[1]
    before = sense(asking.before, asking.language)[1]
    return rarity, float(vector @ here), float(vector @ before)


def _pair_row(asking: Asking, place: EditPlace, phrase: MeantPhrase) -> list[float]:
    number = 0 if place.plural is None or phrase.source == "variable" else 1
    agrees = place.plural == phrase.plural
    people = phrase.kind == "person"
    known = phrase.kind != "unknown"
    gender = place.gender is not None and phrase.gender is not None
    same = bool(place.noun) and place.how in ("this", "the", "one") and place.noun == phrase.head
    here = any(
        _touches(place, edit) and phrase.text.lower() in edit[2].lower()
        for edit in asking.guided_edits
    )
    return [
        float(number and agrees),
        float(number and not agrees),
        float(gender and place.gender != phrase.gender),
        float(place.personal is not None and known and place.personal == people),
        float(place.personal is not None and known and place.personal != people),
        float(phrase.kind in place.kinds),
        float(same),
        float(here),
    ]


def reasons(pull: Any) -> tuple[str, ...]:
    """The three features that pulled most."""
    top = np.argsort(-pull, kind="stable")[:3]
    return tuple(FEATURES[at] for at in top if pull[at] > 0)


# Step by step: one edit of a question, then one of what it made, until none is better.


Fill = Callable[[str, EditPlace, MeantPhrase, str], tuple[int, int, str] | None]
Words = Callable[[str], frozenset[str]]
Span = tuple[int, int, str]
STEPS = 3


@dataclass(frozen=True)
class Tongue:
    """What a language brings: how a phrase is put in, and what the content words are."""

    fill: Fill
    words: Words


@dataclass(frozen=True)
class Draft:
    """A question with the edits made so far."""

    asking: Asking
    edits: tuple[Span, ...] = ()
    guided_text: str | None = None
    """What the guidelines made of it, where that was chosen; nothing can be added then."""

    @property
    def text(self) -> str:
        return (
            apply_edits(self.asking.text, self.edits)
            if self.guided_text is None
            else self.guided_text
        )

    def rows(self, tongue: Tongue) -> Rows:
        """What may be done next."""
        used = [(start, end) for start, end, _ in self.edits]
        words = tongue.words(self.text)
        return rows_of(self.asking, words, step=len(self.edits), used=used)

    def with_pair(self, pair: tuple[int, int], tongue: Tongue) -> Draft | None:
        """The draft with a candidate taken; None where it changes nothing."""
        place, phrase = pair
        if place == KEEP:
            return self
        if place == GUIDED:
            return Draft(self.asking, self.edits, self.asking.guided)
        made = tongue.fill(
            self.asking.text, self.asking.places[place], self.asking.phrases[phrase],
            self.asking.before,
        )  # fmt: skip
        return None if made is None else Draft(self.asking, (*self.edits, made))


def apply_edits(text: str, edits: Sequence[Span]) -> str:
    """The text with its edits made."""
    made: list[str] = []
    done = 0
    for start, end, now in sorted(edits, key=lambda edit: edit[:2]):
        made += [text[done:start], now]
        done = end
    return "".join([*made, text[done:]])
