"""A question taken apart: the phrase that asks, the words that say something, whom it is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.cues import Cues, cues
from readmark.comprehension.levels.passages import (
    PassageReading,
    PassageToken,
    folded,
    glosses,
    joined,
    keys,
    tagged,
    tokens,
)
from readmark.core.records import Offsets
from readmark.text.questions.phrases import question_phrases
from readmark.text.segmenter import Tagged

# What a question is about: the name or noun that the passage has, too.


@dataclass(frozen=True, slots=True)
class QuestionTopic:
    """A run of a question's tokens that occurs in the passage or its title."""

    keys: tuple[str, ...]
    spelt: str
    strong: bool
    """A name, or what the passage itself is about: leaving it out is a reference."""
    name: bool = False
    """Quoted, or a name by its tag or its capital."""
    tail: int = 0
    """How many of its last tokens are a common noun (公园 of 青山公园)."""
    thing: bool = False
    """A title or a place: nobody that 他 could stand for."""


# The topics of a Chinese question: from a noun on, the longest run that the passage has, too.


_QUOTED = re.compile(r"《[^《》]+》|「[^「」]+」|『[^『』]+』|“[^“”]+”|\"[^\"]+\"")
_QUOTED_SOON = 3
"""Characters of a noun before the quoted name that it belongs to: 作品《…》."""
_INSIDE = re.compile(r"[中里内上间]$")
"""What a part of a question ends in that only says where or when."""
_COMMA = re.compile(r"[，,；;：:。?？!！]")
_NAMES = ("nr", "ns", "nt", "nz", "eng", "x")
_PEOPLE = ("nr", "x", "eng")
_NOUNS = ("n", "j", "l", "i", "s", "b", "x", "eng", "an", "vn", "m", "q", "a", "t", "k")
_SELDOM_NAMED = ("a", "m", "q", "t", "vn")
"""Adjectives, figures, times and deeds, which begin a name only as part of a longer one."""
_NEVER_FIRST = ("u", "c", "y", "p", "d", "r")
_LOOSE_ENDS = ("v", "p", "c", "u", "d", "f", "r", "y")
_COMMON = ("n", "vn", "ng", "l")
_ENDS = frozenset("的是在于由被为从到对以曾将把有") | {"曾经"}
_OPENING = 14
"""Tokens at a passage's beginning among which its own subject is named."""
_TERM = 5
_PERSON = 4
"""Characters of what is quoted that may be somebody's name."""
_COMPOUND = 3


@dataclass(frozen=True, slots=True)
class _Search:
    """A question and where its topics are looked up."""

    source: str
    text: str
    tokens: Sequence[PassageToken]
    words: Sequence[Tagged]
    core: Offsets
    passage: PassageReading
    title: str
    opening: str

    def has(self, run: Sequence[PassageToken]) -> bool:
        return (spelt := joined(keys(run))) in self.passage.joined or spelt in self.title


def chinese_topics(
    source: str,
    text: str,
    tokens: Sequence[PassageToken],
    words: Sequence[Tagged],
    phrases: Sequence[Offsets],
    passage: PassageReading,
    title: str,
    known: Cues,
) -> list[QuestionTopic]:
    """What the question is about, then any other name that the passage begins with."""
    core = phrases[0] if phrases else (len(text), len(text))
    opening = joined(passage.keys[:_OPENING])
    search = _Search(source, text, tokens, words, core, passage, title, opening)
    scenes = _scenes(text, core, known)
    question_topics = list(_topics(search, [*phrases, *scenes], known))
    # Where nothing else is talked of, the scene's own subject is: "小队成立后，参加了什么比赛".
    acted = [span for span in scenes if not known.scene_begins.match(text, span[0])]
    if not question_topics and acted:
        kept = [span for span in scenes if span not in acted]
        question_topics = list(_topics(search, [*phrases, *kept], known))
    return question_topics


def _topics(search: _Search, skipped: Sequence[Offsets], known: Cues) -> Iterator[QuestionTopic]:
    text = search.text
    past = 0
    given = False
    for start, end, tag in search.words:
        if start < past or text[start:end] in known.closed or _within(start, skipped):
            continue
        nominal = tag.startswith(_NOUNS)
        if not nominal and (given or tag.startswith(_NEVER_FIRST)):
            continue
        time = known.time.match(text, start)
        if time is not None:
            past = time.end()
            continue
        topic = _grown(search, start)
        if topic is None or (not nominal and len(topic.keys) < _COMPOUND and start > 0):
            continue
        owner = tag == "t" and text[end : end + 1] == "的"  # 元朝的经济中心
        if tag.startswith(_SELDOM_NAMED) and len(topic.keys) < _COMPOUND and not owner:
            continue
        past = start + len(topic.spelt)
        spelt = joined(topic.keys)
        own = search.opening.startswith(spelt) or spelt in search.title
        if not given or (topic.name and own):
            given = True
            yield topic


def _within(start: int, stretches: Sequence[Offsets]) -> bool:
    return any(first <= start < last for first, last in stretches)


def _scenes(text: str, core: Offsets, known: Cues) -> list[Offsets]:
    """Parts of a question before a comma that only set a scene, and ask nothing."""
    marks = [mark.end() for mark in _COMMA.finditer(text)]
    bounds = list(zip([0, *marks], marks, strict=False))
    return [
        (start, end)
        for start, end in bounds[:-1]
        if not start <= core[0] < end
        and (
            known.scene_begins.match(text, start)
            or known.scene_ends.search(text[start : end - 1])
            or _INSIDE.search(text[start : end - 1])
            or known.time.fullmatch(text, start, end - 1)
        )
    ]


def _grown(search: _Search, start: int) -> QuestionTopic | None:
    """The longest run of a question from a word on that the passage or its title has."""
    text = search.text
    begin, limit = start, search.core[0] if start < search.core[0] else len(text)
    quoted = _QUOTED.search(text, start)
    if quoted is not None and quoted.start() - start > _QUOTED_SOON:
        quoted = None
    if quoted is not None:
        begin, limit = quoted.start() + 1, quoted.end() - 1
    run: list[PassageToken] = []
    for token in search.tokens:
        if not begin <= token.start < limit:
            continue
        if run and not _near(text, run[-1].end, token.start):
            break
        if not search.has([*run, token]):
            break
        run.append(token)
    if quoted is None:
        run = _trimmed(text, run, search.words)
    if not run or (len(run) < 2 and len(run[0].key) < 2):
        return None
    return _topic(search, run, quoted=quoted is not None)


def _topic(search: _Search, run: Sequence[PassageToken], *, quoted: bool) -> QuestionTopic:
    start, end = run[0].start, run[-1].end
    over = [word for word in search.words if word[0] < end and start < word[1]]
    inside = [word for word in over if start <= word[0] and word[1] <= end]
    name = quoted or any(tag.startswith(_NAMES) for _, _, tag in over)
    spelt = joined(keys(run))
    # A long term, a compound, or what the passage begins with: names in all but the tag.
    term = len(run) >= _TERM or (len(run) >= _COMPOUND and len(over) > 1)
    noun = over[-1][2].startswith("n")
    known = term or (noun and spelt in search.opening) or spelt in search.title
    tail = 0
    if not quoted and len(inside) > 1 and _is_common(inside, search.text):
        tail = sum(token.start >= inside[-1][0] for token in run)
    return QuestionTopic(
        keys=tuple(keys(run)),
        spelt=search.source[start:end],
        strong=name or (known and start < search.core[0]),
        name=name,
        tail=tail,
        thing=search.text[max(0, start - 1) : start] == "《"
        or (quoted and len(run) > _PERSON)
        or (bool(inside) and inside[-1][2].startswith(("ns", "nt")))
        or (name and not quoted and not any(tag.startswith(_PEOPLE) for _, _, tag in over)),
    )


def _is_common(words: Sequence[Tagged], text: str) -> bool:
    """Whether the last of some words is a noun that the name before it is put to."""
    start, end, tag = words[-1]
    if tag == "eng":  # 重庆GDP
        return words[-2][2].startswith(_NAMES[:4])
    return tag in _COMMON and end - start > 1


def _near(text: str, end: int, start: int) -> bool:
    return all(not sign.isalnum() and sign not in "，,；;。？?" for sign in text[end:start])


def _trimmed(text: str, run: list[PassageToken], words: Sequence[Tagged]) -> list[PassageToken]:
    """A run up to its first 的 or 是, without verbs and particles at its end."""
    ends = {first for first, last, _ in words if text[first:last] in _ENDS}
    cut = next(
        (index for index, token in enumerate(run) if index >= 2 and token.start in ends), len(run)
    )
    run = run[:cut]
    while run:
        last = next((word for word in words if word[0] < run[-1].end <= word[1]), None)
        if last is None or not last[2].startswith(_LOOSE_ENDS) or last[2] == "vn":
            break
        if last[0] <= run[0].start:
            break
        run = [token for token in run if token.start < last[0]]
    return run


# The topic of an English question: a name by its capital, else the first word of content.


_ARTICLES = frozenset({"the", "a", "an"})
_PLACING = frozenset(
    {"in", "at", "on", "before", "after", "during", "around", "near", "outside", "within", "until"}
)


def english_topics(
    text: str,
    tokens: Sequence[PassageToken],
    phrases: Sequence[Offsets],
    content: frozenset[int],
    passage: PassageReading,
    title: str,
) -> Iterator[QuestionTopic]:
    """The first name that the passage has, else the first run of words that it has."""
    runs: list[list[int]] = []
    for at in sorted(content):
        if any(start <= tokens[at].start < end for start, end in phrases):
            continue
        last = runs[-1][-1] if runs else -2
        if last == at - 1 and _is_name(text, tokens, last) == _is_name(text, tokens, at):
            runs[-1].append(at)
        else:
            runs.append([at])
    there = passage.joined + title
    known = [run for run in runs if any(joined([tokens[at].key]) in there for at in run)]
    names = [run for run in known if _is_name(text, tokens, run[0])]
    talked_of = [run for run in names if not _in_scene(tokens, run[0])]
    for run in (talked_of or known)[:1]:
        own = [tokens[at] for at in run]
        name = run in talked_of
        spelt = text[own[0].start : own[-1].end]
        yield QuestionTopic(tuple(keys(own)), spelt, strong=name, name=name)


def _in_scene(tokens: Sequence[PassageToken], at: int) -> bool:
    """Whether a name says where or when ("in Oslo", "before the Fire") and not of what."""
    before = [token.key for token in tokens[max(0, at - 2) : at]]
    while before and before[-1] in _ARTICLES:
        before.pop()
    return bool(before) and before[-1] in _PLACING


def _is_name(text: str, tokens: Sequence[PassageToken], at: int) -> bool:
    """Whether a word is written as a name: a capital that does not begin the question."""
    return at > 0 and text[tokens[at].start].isupper()


@dataclass(frozen=True, slots=True)
class LevelQuestion:
    """A question as it is compared with a passage."""

    text: str
    tokens: tuple[PassageToken, ...]
    phrases: tuple[Offsets, ...]
    """Where the question phrase may occur, the bare question word first."""
    content: frozenset[int]
    topics: tuple[QuestionTopic, ...]
    """The one that it is about first; then others that are the passage's own subject."""
    source: str = ""
    """The question as given, to quote from; ``text`` is folded."""
    words: tuple[Tagged, ...] = ()
    """The tagged words of a Chinese question."""

    @property
    def keys(self) -> list[str]:
        """What its tokens are compared by."""
        return keys(self.tokens)


def _split(word: Tagged, at: int) -> list[Tagged]:
    """A word in two where the question phrase begins inside it: 周成|为何 of 成为."""
    start, end, _ = word
    return [(start, at, "n"), (at, end, "r")] if start < at < end else [word]


def asked(question: str, passage: PassageReading, title: str) -> LevelQuestion:
    """The question with the passage that it is asked of."""
    language = passage.language
    known = cues(language)
    text = folded(question, language).replace("甚么", "什么")
    passage_tokens = tuple(tokens(text, language, without=glosses(text)))
    if not passage_tokens:
        passage_tokens = tuple(tokens(text, language))
    words = tagged(text) if language == "zh" else []
    phrases = tuple(question_phrases(text, language, words))
    core = phrases[0] if phrases else (len(text), len(text))
    words = [part for word in words for part in _split(word, core[0])]
    content = frozenset(
        index
        for index, token in enumerate(passage_tokens)
        if not core[0] <= token.start < core[1] and token.key not in known.closed
    )
    of_title = joined(keys(tokens(folded(title, language), language)))
    topics = (
        chinese_topics(question, text, passage_tokens, words, phrases, passage, of_title, known)
        if language == "zh"
        else english_topics(text, passage_tokens, phrases, content, passage, of_title)
    )
    return LevelQuestion(
        text, passage_tokens, phrases, content, tuple(topics), question, tuple(words)
    )
