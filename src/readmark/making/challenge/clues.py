"""What a passage gives away: the sentences that have a question's words, and others of its class.

A word of a question is found as it is, or by a word that stands for it: the same key, or a near
vector. An answer that is an entity, or belongs to some class, must not be the only one of it in the
passage (CMRC 2018's second criterion).
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from readmark.core.arrays import AnyFloats
from readmark.core.language import primary
from readmark.core.records import Answer, Layer, Offsets, Passage
from readmark.core.spans import overlap, places
from readmark.text.analysers import registry as tables
from readmark.text.answers.places import holding, passage_sentences
from readmark.text.chinese_numbers import NUMERALS, number_of
from readmark.text.function_words import FUNCTION
from readmark.text.questions.coarse_types import focus
from readmark.text.questions.types import wh_word
from readmark.text.script import simplified
from readmark.text.word_vectors import KEY, ROW, Lexicon, lexicon, small_simplified, words_in

# Whether two members of a class are one: names that contain each other, figures that are equal.


VALUED = frozenset({"number", "time"})
"""Classes whose members are values: 5 is no shorter name of 25, nor 1990 of May 1990."""

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*[万亿]*|[零〇一二两三四五六七八九十百千万亿]+")
_ASIDE = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Spelt:
    """A member as it is compared: its letters, and the figures among them."""

    letters: str
    figures: tuple[float | str, ...] = ()

    def same(self, other: Spelt) -> bool:
        """Whether the figures are equal, if there are any, and one has the letters of the other."""
        contained = self.letters in other.letters or other.letters in self.letters
        return self.figures == other.figures and contained


def spelt(text: str, kind: str) -> Spelt:
    """A member of a class."""
    plain = simplified(text).lower()
    if kind not in VALUED:
        return Spelt(_ASIDE.sub("", plain))
    figures = [figure.replace(",", "") for figure in _FIGURE.findall(plain)]
    values = [number_of(figure) for figure in figures]
    return Spelt(
        _ASIDE.sub("", _FIGURE.sub("", plain)),
        tuple(
            figure if value is None else value
            for figure, value in zip(figures, values, strict=True)
        ),
    )


# Members of closed classes in a text: colours, seasons, animals, languages, and titles of works.


_WORKS = re.compile(r"《[^《》]{1,60}》")
_CHINESE_HEADS = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[名位人]")
_ENGLISH_COUNT = re.compile(
    r"(?<![\w.,-])(?:\d+(?:[.,]\d+)*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|dozens?|hundreds?|thousands?|millions?|billions?)(?=\s)",
    re.IGNORECASE,
)
_ENGLISH_WORD = re.compile(r"[^\W\d_][\w.'’]*")
_YEAR = re.compile(r"1\d{3}|20\d{2}|2100")


def members(text: str, language: str) -> dict[str, list[Offsets]]:
    """Where members of each class occur in a text; longer ones before shorter ones."""
    code = primary(language)
    plain = simplified(text).lower()
    if len(plain) != len(text):  # a letter whose small form is longer
        plain = text
    found = {
        name: [match.span() for match in shape.finditer(plain)] for name, shape in _shapes(code)
    }
    found["work"] = [match.span() for match in _WORKS.finditer(text)]
    return {name: spans for name, spans in found.items() if spans}


def counted(text: str, span: Offsets, language: str) -> Offsets | None:
    """The part of a phrase that says how many: 5 members of *Later 5 members*, 25名 of 25名学生.

    None where nothing is counted, or time is: *5 years*, *5 June*, *the 1990 election*.
    """
    start, end = span
    if primary(language) == "zh":
        heads = _CHINESE_HEADS.search(simplified(text[start:end]))
        return None if heads is None else (start + heads.start(), end)
    for found in _ENGLISH_COUNT.finditer(text, start, end):
        after = [match[0] for match in _ENGLISH_WORD.finditer(text, found.end(), end)]
        if after and not _YEAR.fullmatch(found[0]) and not any(map(_is_of_time, after)):
            return found.start(), end
    return None


def _is_of_time(word: str) -> bool:
    lower = word.lower().replace("’", "'")
    one = {lower, lower.removesuffix("s"), lower.removesuffix("ies") + "y"}
    if word in tables.words("en", "time", "capitalised") or lower in ("millennia", "bc", "ad"):
        return True
    lists = (tables.words("en", "time", name) for name in ("units", "words", "seasons"))
    return any(not one.isdisjoint(words) for words in lists)


@functools.cache
def _shapes(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lists: dict[str, Any] = _lists().get(language, {})
    shapes = []
    for name, words in lists.items():
        if name == "endings":
            continue
        longest_first = sorted(words.split(), key=len, reverse=True)
        ending = lists["endings"].get(name, "")
        if language == "zh":
            shape = _chinese(longest_first, ending)
        else:
            shape = rf"\b(?:{'|'.join(longest_first)})(?:s|es)?\b"
        shapes.append((name, re.compile(shape)))
    return tuple(shapes)


def _chinese(words: list[str], ending: str) -> str:
    """A single character is a member only with its class's ending: 红 occurs in 红军 too."""
    long = "|".join(word for word in words if len(word) > 1)
    short = "".join(word for word in words if len(word) == 1)
    if ending:
        return f"(?:{long})(?:{ending})?|[{short}]{{1,2}}{ending}"
    return long


@functools.cache
def _lists() -> dict[str, Any]:
    data = files("readmark.text").joinpath("data/classes.toml")
    return tomllib.loads(data.read_text("utf-8"))


ENTITIES = {
    "PERSON": "person",
    "LOCATION": "place",
    "ORGANIZATION": "organisation",
    "TIME": "time",
    "NUM": "number",
}
COVERED = 0.6
"""The share of an answer's letters that instances of a class make up, for it to be of the class."""
_LETTER = re.compile(r"[^\W_]")
_NUMBER = re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[个名位人]?")


@dataclass(frozen=True, slots=True)
class Instance:
    """One member of a class, where it first occurs."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Company:
    """The class of an answer, and the others of its class in the passage."""

    kind: str | None
    """None when the answer is of no class that is known."""
    others: tuple[Instance, ...] = ()

    @property
    def alone(self) -> bool:
        """Whether the answer is the only instance of its class."""
        return self.kind is not None and not self.others


Classes = Mapping[str, Sequence[Offsets]]


def classes_of(text: str, language: str, entities: Layer | None) -> dict[str, list[Offsets]]:
    """Where the members of every class occur in a passage."""
    found: dict[str, list[Offsets]] = {
        name: list(spans) for name, spans in members(text, language).items()
    }
    if entities is not None:
        for span, type in zip(entities.spans, entities.columns.get("type", ()), strict=False):
            kind = ENTITIES.get(type, str(type).lower())
            # A phrase may be typed by a word of time, or by whom it counts, and say how many.
            number = counted(text, span, language) if kind in ("time", "person") else None
            if number is not None:
                found.setdefault("number", []).append(number)
            if number is None or kind != "time":
                found.setdefault(kind, []).append(span)
    return found


def company(text: str, answer: Offsets, classes: Classes) -> Company:
    """The answer's class, and every other instance of it, each once."""
    kind = _kind(text, answer, classes)
    if kind is None:
        return Company(None)
    own = spelt(text[slice(*answer)], kind)
    others: dict[Spelt, Instance] = {}
    for start, end in sorted(classes[kind]):
        one = spelt(text[start:end], kind)
        if one == Spelt("") or one.same(own) or overlap((start, end), answer):
            continue
        if not any(one.same(known) for known in others):
            others[one] = Instance(text[start:end], start, end)
    return Company(kind, tuple(others.values()))


def _kind(text: str, answer: Offsets, classes: Classes) -> str | None:
    """The class whose members make up most of the answer."""
    size = _letters(text, answer)
    shares = {}
    for name, spans in classes.items():
        inside = [(max(start, answer[0]), min(end, answer[1])) for start, end in spans]
        covered = sum(_letters(text, span) for span in inside if span[0] < span[1])
        if size and covered >= COVERED * size:
            shares[name] = covered
    if "number" in shares and _NUMBER.fullmatch(text, *answer):
        return "number"
    return max(shares, key=lambda name: (shares[name], name != "number"), default=None)


def _letters(text: str, span: Offsets) -> int:
    return len(_LETTER.findall(text, *span))


# The content words of a question, and in which sentences of the passage each is found.


# Words that a question has whatever it is about, such as *name*, 主要 or 称为.


@functools.cache
def fillers(language: str) -> frozenset[str]:
    """The filler words of a language; none where it is not known."""
    data = files("readmark.text").joinpath("data/fillers.toml")
    return frozenset(tomllib.loads(data.read_text("utf-8")).get(language, "").split())


NEAR = 0.6
"""The cosine from which a word stands for another: 创建 and 成立, began and started."""
_DIGITS = frozenset("0123456789")
_BEFORE_NOUNS = frozenset(("什么", "哪", "何", "哪个", "哪些", "哪种", "多少", "几", "何种"))
_HALF = 0.5
"""A word that no table knows is near where so many of its characters occur: it may be cut wrong."""


@dataclass(frozen=True, slots=True)
class Clue:
    """A content word of a question: its weight, and the sentences that hold it."""

    word: str
    weight: float
    exact: frozenset[int]
    near: frozenset[int]
    """Sentences that have it or a word that stands for it."""
    place: int
    """Which word of the question it is."""
    nominal: bool
    """Whether it is a noun or a name: what a sentence may take up by a pronoun."""


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The words of a passage's sentences, looked up once."""

    sentences: tuple[str, ...]
    """Their texts in small letters."""
    keys: tuple[frozenset[int], ...]
    vectors: tuple[AnyFloats, ...]


def read(sentences: Sequence[str], language: str) -> SentenceWords:
    """Look up the words of sentences."""
    known = lexicon(language)
    known.make_room()
    keys, vectors, texts = [], [], []
    for sentence in sentences:
        entries = [known.entry(word.lower()) for word, _ in words_in(sentence, language)]
        content = [entry for entry in entries if not known.figures[entry, 1]]
        keys.append(frozenset(int(known.numbers[one, KEY]) for one in content))
        rows = [int(known.numbers[one, ROW]) for one in content]
        vectors.append(known.vectors[rows] if rows else np.zeros((0, 1), np.float32))
        texts.append(_small(sentence, language))
    return SentenceWords(tuple(texts), tuple(keys), tuple(vectors))


def clues(question: str, passage: SentenceWords, language: str) -> list[Clue]:
    """The content words of a question, less its question phrase, in order."""
    known = lexicon(language)
    placed = words_in(question, language)
    spelt = [word.lower() for word, _ in placed]
    function = [_empty(word, language) for word in spelt]
    wh = wh_word(question, language) or ""
    # After 什么时候 or 谁 no noun is asked for: what follows is what happened.
    sought = language != "zh" or wh in _BEFORE_NOUNS
    asked = focus(spelt, function, language) if sought else [0.0] * len(spelt)
    nominal = _nominal(question, placed, language)
    found: dict[str, Clue] = {}
    for index, word in enumerate(spelt):
        of_phrase = word in wh or (wh != "" and wh in word)
        if not (function[index] or asked[index] or of_phrase or word in found):
            found[word] = _clue(word, index, nominal[index], known, passage)
    return list(found.values())


def _clue(word: str, place: int, nominal: bool, known: Lexicon, passage: SentenceWords) -> Clue:
    entry = known.entry(word)
    key, row = int(known.numbers[entry, KEY]), int(known.numbers[entry, ROW])
    exact = frozenset(
        index
        for index, keys in enumerate(passage.keys)
        if key in keys or (not word.isascii() and word in passage.sentences[index])
    )
    near = set(exact)
    if row != known.unknown and not _DIGITS & set(word):
        own = known.vectors[row]
        for index, vectors in enumerate(passage.vectors):
            if len(vectors) and float((vectors @ own).max()) >= NEAR:
                near.add(index)
    elif row == known.unknown and not word.isascii():
        for index, text in enumerate(passage.sentences):
            if sum(sign in text for sign in word) >= _HALF * len(word):
                near.add(index)
    weight = float(known.figures[entry, 0])
    return Clue(word, weight, exact, frozenset(near), place, nominal)


def _nominal(question: str, placed: list[tuple[str, int]], language: str) -> list[bool]:
    """Which words are nouns or names; in English, those with a capital after the first."""
    if language != "zh":
        return [question[at].isupper() and at > 0 for _, at in placed]
    import rjieba

    tags = dict.fromkeys((at for _, at in placed), "")
    at = 0
    for word, tag in rjieba.tag(_small(question, language)):
        tags[at] = tag
        at += len(word)
    return [tags[at][:1] in ("n", "x", "e", "j", "i", "b", "f", "s") for _, at in placed]


def _empty(word: str, language: str) -> bool:
    if word in FUNCTION[language] or word in fillers(language):
        return True
    if language != "zh" or word.isascii():
        return False
    return len(word) == 1 or (word[0] in "该本此这那" and len(word) < 4)


def _small(text: str, language: str) -> str:
    return small_simplified(text) if language == "zh" else text.lower()


# A passage as its questions are judged by: sentences, their words, and members of classes.


Entities = Callable[[Passage, str], Layer | None]
"""The entities of a passage in a language: its own layer's, or an analyser's."""

_QUOTED_STOP = re.compile(r"[!?！？…][」』”’》）)\"]+$")


class QuestionedPassage:
    """What is looked up once a passage, and only when a question needs it."""

    def __init__(self, passage: Passage, language: str, entities: Entities) -> None:
        self.passage = passage
        self.language = primary(passage.language) if passage.language else language
        self._entities = entities

    @functools.cached_property
    def sentences(self) -> list[Offsets]:
        """The sentences; what follows a quoted exclamation belongs to its sentence."""
        text = self.passage.text
        whole: list[Offsets] = []
        for start, end in passage_sentences(self.passage, self.language):
            if whole and _QUOTED_STOP.search(text, *whole[-1]):
                whole[-1] = whole[-1][0], end
            else:
                whole.append((start, end))
        return whole

    @functools.cached_property
    def words(self) -> SentenceWords:
        """The sentences' words."""
        text = self.passage.text
        return read([text[start:end] for start, end in self.sentences], self.language)

    @functools.cached_property
    def classes(self) -> Classes:
        """Where members of classes occur."""
        layer = self._entities(self.passage, self.language)
        return classes_of(self.passage.text, self.language, layer)

    def place(self, answer: Answer) -> Offsets | None:
        """Where an answer occurs: its offsets if they are right, else the first place of it."""
        text = self.passage.text
        if answer.offsets is not None and text[slice(*answer.offsets)] == answer.text != "":
            return answer.offsets
        found = places(text, answer.text) if answer.text.strip() else []
        return (found[0], found[0] + len(answer.text)) if found else None

    def holding(self, text: str) -> list[int]:
        """The sentences that hold an answer, wherever it occurs."""
        return sorted(holding([Answer(text=text)], self.passage.text, self.sentences))

    def over(self, span: Offsets) -> list[int]:
        """The sentences that a stretch occurs in."""
        return [index for index, own in enumerate(self.sentences) if overlap(own, span)]
