"""Error classes: what is wrong with an answer that is not right, for machines and people alike.

After "SMART: A Stratified Machine Reading Test" (section 5): people miss the edges of the right
answer (主编李大同 for 李大同), machines give a wholly wrong one or none. Every answer is of one
class, and the first that fits is taken; docs/report.md has the order.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension.metrics.overlap import F1, ExactMatch
from readmark.core.language import primary
from readmark.core.records import Answer, Layer, Offsets, Unit
from readmark.core.sitting import Failed
from readmark.core.test import Test
from readmark.statistics.resampling import to_grid
from readmark.text.analysers.registry import endings, words
from readmark.text.answers.places import SOURCE, answer_places, passage_sentences

# What sort of thing a short answer is by its shape: a time, a number, a person, a place, a body.


RULES = "answer-types-1"

LONGEST = {"en": 8, "zh": 16}
"""Words, or Chinese characters, beyond which an answer is a clause and of no type."""

SHAPES = ("TIME", "NUM")
"""Types that show: what has no figure and no word of number or time is neither."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FIGURE = re.compile(r"[0-9０-９零〇一二两三四五六七八九十百千万亿几]")
_WORD = re.compile(r"[$£€¥#]|[^\W_]+(?:[.,:'’-][^\W_]+)*%?|%")
_NUMBER = re.compile(r"[$£€¥#]?\d+(?:[.,:]\d+)*(?:st|nd|rd|th|%|m|bn|km|kg)?")
_YEAR = re.compile(r"(?:1\d{3}|20\d{2})(?:s|'s|’s)?|\d{2}(?:'s|’s|0s)")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}(?:am|pm)")
_SPELT = _set(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "half third quarter twice once"
)
_BETWEEN = _set(
    "a an the of in on at by to and or from since until till about around over under nearly almost "
    "approximately roughly between more less than least most up only early late mid before after "
    "during per every each first second last next past this that ago old later earlier"
)
_OF_TIME = _set("am pm bc ad bce ce o'clock era period centuries millennia")
_OF_NUMBER = _set("percent % $ £ € ¥ # dollars pounds euros cents times points per")
_NO_NAME = _set("v d p c r e y o vd vg ad uv ul uz zg")
_BODIES = tuple(ending for ending in endings("zh", "organization", "endings") if len(ending) > 1)
_STOPS = re.compile(r"[，。；：！？,;:!?]")


def answer_type(text: str, language: str) -> str | None:
    """PERSON, TIME, LOCATION, NUM or ORGANIZATION where the text plainly is one; else None."""
    return _chinese(text) if primary(language) == "zh" else _english(text)


def differ(first: str, second: str, language: str, types: tuple[str | None, str | None]) -> bool:
    """Whether two texts are of different types, given the types that are known.

    A time or a number differs from what has no figure and no word of time or number in it,
    even when that is of no type that is known.
    """
    if types[0] is not None and types[1] is not None:
        return types[0] != types[1]
    for known, text in ((types[0], second), (types[1], first)):
        if known in SHAPES and not shows(text, language):
            return True
    return False


def shows(text: str, language: str) -> bool:
    """Whether a text has a figure, or a word of number or time."""
    if _FIGURE.search(text):
        return True
    if primary(language) == "zh":
        return any(tag in ("t", "m", "mq") for _, tag in _tagged(text))
    return any(map(_counts_or_dates, _WORD.findall(text)))


def marked_type(span: Offsets, layer: Layer | None) -> str | None:
    """The type of the entity that an annotated layer has at a span: one that is most of it."""
    if layer is None:
        return None
    start, end = span
    best, found = 0, None
    for (first, last), type in zip(layer.spans, layer.columns.get("type", ()), strict=False):
        shared = min(last, end) - max(first, start)
        if shared > best and 2 * shared >= max(end - start, last - first):
            best, found = shared, str(type)
    return found


def _english(text: str) -> str | None:
    tokens = _WORD.findall(text)
    if not tokens or len(tokens) > LONGEST["en"]:
        return None
    cored = [token for token in tokens if token.lower() not in _BETWEEN] or tokens
    timed = [one for one in cored if _is_time(one)]
    counting = [one for one in cored if _is_number(one)]
    numbers = [one for one in counting if not _only_measures(one)]
    rest = [one for one in cored if not _is_time(one) and not _is_number(one)]
    if timed and not rest:
        return "TIME"
    if numbers and (not rest or _counted(cored[0], rest)):
        return "NUM"
    if counting:
        return None
    return _named(tokens)


def _named(tokens: list[str]) -> str | None:
    """A title and a name, or names that end in the word for a place or a body."""
    names = [token for token in tokens if token.lower() not in ("the", "of", "and")]
    if not all(name[:1].isupper() for name in names) or len(names) < 2:
        return None
    last = names[-1].lower()
    if names[0].lower().rstrip(".") in words("en", "person", "titles"):
        return "PERSON"
    if last in words("en", "location", "sure"):
        return "LOCATION"
    return "ORGANIZATION" if last in words("en", "organization", "kinds") else None


def _counted(first: str, rest: list[str]) -> bool:
    """Nouns that are counted: 25 students, but not 25 Broad Street, nor one student."""
    if not _is_number(first) or _only_measures(first) or first.lower() == "one":
        return False
    return len(rest) < 3 and all(one[:1].islower() for one in rest)


def _is_number(token: str) -> bool:
    lower = token.lower()
    if _NUMBER.fullmatch(lower) or lower in _SPELT or lower in _OF_NUMBER:
        return True
    if all(part.removesuffix("s") in _SPELT for part in lower.split("-")):
        return True
    bases = {lower, lower.removesuffix("s")}
    lists = (words("en", "number", name) for name in ("words", "units"))
    return any(not bases.isdisjoint(one) for one in lists)


def _only_measures(token: str) -> bool:
    """A unit is no number by itself: *a mark*, *one foot*."""
    lower = token.lower()
    base = lower.removesuffix("s")
    units = words("en", "number", "units")
    return lower in _OF_NUMBER or (not {lower, base}.isdisjoint(units) and base not in _SPELT)


def _is_time(token: str) -> bool:
    lower = token.lower()
    if _YEAR.fullmatch(lower) or _CLOCK.fullmatch(lower) or lower in _OF_TIME:
        return True
    if token in words("en", "time", "capitalised"):
        return True
    bases = {lower, lower.removesuffix("s")}
    if lower.endswith("ies"):
        bases.add(lower.removesuffix("ies") + "y")
    lists = (words("en", "time", name) for name in ("units", "words", "seasons"))
    return any(not bases.isdisjoint(one) for one in lists)


def _counts_or_dates(token: str) -> bool:
    lower = token.lower()
    if lower in ("second", "may", "one", "once"):  # as often words of grammar
        return False
    return _is_number(token) or _is_time(token)


def _chinese(text: str) -> str | None:
    """A time or a number by the analyser's rules; a place or a body by its tag or its ending.

    Whom jieba takes for a person is too often none, so nobody is taken for one here.
    """
    from readmark.text.analysers.chinese import entity_type
    from readmark.text.script import simplified

    text = simplified(text.strip("，。；：！？ 　\"'“”‘’《》（）()"))
    if not text or len(text) > LONGEST["zh"] or _STOPS.search(text):
        return None
    tagged = _tagged(text)
    if not tagged or any(tag in _NO_NAME for _, tag in tagged):
        return None
    type = entity_type([word for word, _ in tagged], [tag for _, tag in tagged])
    if type in SHAPES:
        return type
    if _counted_people().match(text):
        return "NUM"
    if text.endswith(_BODIES):
        return "ORGANIZATION"
    return {"ns": "LOCATION", "nt": "ORGANIZATION"}.get(tagged[-1][1])


@functools.lru_cache(maxsize=2**12)
def _tagged(text: str) -> tuple[tuple[str, str], ...]:
    from readmark.text.script import simplified
    from readmark.text.segmenter import segmenter

    plain = simplified(text)
    return tuple((plain[start:end], tag) for start, end, tag in segmenter().tagged(plain))


@functools.cache
def _counted_people() -> re.Pattern[str]:
    from readmark.text.folding import NUMERALS

    return re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[名位人个]")


CORRECT = "correct"
BOUNDARY = "boundary"
WRONG_TYPE = "wrong_type"
RIGHT_SENTENCE = "right_sentence"
WRONG_SENTENCE = "wrong_sentence"
UNPLACED = "unplaced"
FALSE_ANSWER = "false_answer"
NO_ANSWER = "no_answer"
ERROR = "error"

CLASSES = (
    CORRECT,
    BOUNDARY,
    RIGHT_SENTENCE,
    WRONG_SENTENCE,
    WRONG_TYPE,
    UNPLACED,
    FALSE_ANSWER,
    NO_ANSWER,
    ERROR,
)
"""Every class, in the order of the tables and of a unit's vector."""

WIDTH = len(CLASSES) + 1
"""One number per class, then the F1 of what is of class boundary."""


@dataclass(slots=True)
class ErrorClasses:
    """Classes answers to one test; a unit's vector has 1 at its class.

    It has what a metric's vectors are made by, so that repeats, leave-one-out and panels are
    worked out as for metrics. There is no mark of it.
    """

    em: ExactMatch
    f1: F1
    language: str
    names: tuple[str, ...] = CLASSES
    _record: Any = field(default=None, repr=False)
    _sentences: list[Offsets] = field(default_factory=list, repr=False)

    width = WIDTH

    @classmethod
    def of(cls, test: Test) -> ErrorClasses | None:
        """For a test whose answers are words of a passage; None where all are options."""
        if test.facts.count("choices") == test.facts.units:
            return None
        return cls(ExactMatch().resolve(test), F1().resolve(test), test.language)

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """1 at the answer's class; nothing at all where the key has no answer in words."""
        if not references:
            return _NOTHING
        name = self.class_of(unit, references, answer)
        if name != BOUNDARY:
            return _INDICATORS[name]
        overlap = self.f1.statistics(unit, references, answer)[0]
        return (*_INDICATORS[BOUNDARY][:-1], to_grid(overlap))

    def class_of(self, unit: Unit, references: Sequence[Sequence[Any]], answer: Any | None) -> str:
        """The first class that fits."""
        if isinstance(answer, Failed):
            return ERROR
        if answer is None:
            return NO_ANSWER
        if self.em.statistics(unit, references, answer)[0] == 1.0:
            return CORRECT
        if not answer.text.strip():
            return NO_ANSWER
        wanted = [one for person in references for one in person if one.text.strip()]
        if not wanted:
            return FALSE_ANSWER
        return self._wrong(unit, wanted, answer)

    def _wrong(self, unit: Unit, wanted: Sequence[Answer], answer: Answer) -> str:
        text = unit.record.text
        given = answer_places(text, answer, parts=True)
        keys = [(answer, answer_places(text, answer, parts=True)) for answer in wanted]
        held = [place for _, several in keys for place in several]
        if any(_overlap(one, other) for one in given for other in held):
            return BOUNDARY
        if not given or not held:  # then the words must decide what the place cannot
            rules = self.em.rules()
            if any(rules.contains(one.text, answer.text) for one in wanted):
                return BOUNDARY
        if self._of_another_type(unit, keys, answer, given):
            return WRONG_TYPE
        among = self._cut(unit)
        right = _touched(held, among) or _touched(getattr(unit.key, "sentences", ()), among)
        chosen = _touched(given or _named_sentence(answer), among)
        if not right or not chosen:
            return UNPLACED
        return RIGHT_SENTENCE if right & chosen else WRONG_SENTENCE

    def _of_another_type(
        self,
        unit: Unit,
        keys: Sequence[tuple[Answer, Sequence[Offsets]]],
        answer: Answer,
        given: Sequence[Offsets],
    ) -> bool:
        """Whether the answer's type is none of the key's."""
        own = self._type(unit, answer, given)
        return all(
            differ(one.text, answer.text, self.language, (self._type(unit, one, spans), own))
            for one, spans in keys
        )

    def _type(self, unit: Unit, answer: Answer, spans: Sequence[Offsets]) -> str | None:
        """What the passage's own layer of entities says, else the rules."""
        layer = unit.record.layers.get("ne")
        marked = marked_type(spans[0], layer) if spans and layer is not None else None
        return marked or answer_type(answer.text, self.language)

    def _cut(self, unit: Unit) -> list[Offsets]:
        """The passage's sentences; its questions come one after another, so they are cut once."""
        if unit.record is not self._record:
            self._sentences = sorted(passage_sentences(unit.record, self.language))
            self._record = unit.record
        return self._sentences

    def signature(self) -> str:
        """Everything that decides a class."""
        em = "|".join(f"{key}:{value}" for key, value in self.em.signature().items())
        return f"rules:errors-2|{em}|sentences:{SOURCE}|types:file's, else {RULES}"


def _named_sentence(answer: Answer) -> Sequence[Offsets]:
    """The sentence that the candidate itself names, where its words occur nowhere."""
    return [answer.sentence] if answer.sentence is not None else []


def _touched(spans: Sequence[Offsets], among: Sequence[Offsets]) -> frozenset[Offsets]:
    """The sentences that any of the spans is in; they follow one another."""
    starts = [start for start, _ in among]
    found: set[Offsets] = set()
    for start, end in spans:
        at = max(bisect_right(starts, start) - 1, 0)
        while at < len(among) and among[at][0] < end:
            if among[at][1] > start:
                found.add(among[at])
            at += 1
    return frozenset(found)


def _overlap(one: Offsets, other: Offsets) -> bool:
    return one[0] < other[1] and other[0] < one[1]


_NOTHING = (0.0,) * WIDTH
_INDICATORS = {
    name: tuple(float(index == place) for place in range(WIDTH))
    for index, name in enumerate(CLASSES)
}
