"""The topics of a Chinese question: from a noun on, the longest run that the passage has, too.

The tags are jieba's. Which of them may begin a topic and what makes one a name was set by hand on
development questions; `benchmarks/levels.py` measures the levels that follow from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.cues import Cues, cues
from readmark.comprehension.levels.passages import PassageReading
from readmark.comprehension.levels.tokens import PassageToken, joined, keys
from readmark.comprehension.levels.topics import QuestionTopic
from readmark.core.records import Offsets
from readmark.text.segmenter import Tagged

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
"""Particles, conjunctions, prepositions, adverbs and pronouns."""
_LOOSE_ENDS = ("v", "p", "c", "u", "d", "f", "r", "y")
_COMMON = ("n", "vn", "ng", "l")
_ENDS = frozenset("的是在于由被为从到对以曾将把有") | {"曾经"}
_OPENING = 14
"""Tokens at a passage's beginning among which its own subject is named."""
_TERM = 5
"""Tokens of a noun phrase so long that it is a term: a name in all but the tag."""
_COMPOUND = 3
"""Tokens of a phrase that is more than one noun of two characters."""
_PERSON = 4
"""Characters of what is quoted that may be somebody's name."""


def chinese_topics(
    source: str,
    text: str,
    tokens: Sequence[PassageToken],
    words: Sequence[Tagged],
    phrases: Sequence[Offsets],
    passage: PassageReading,
    title: str,
) -> list[QuestionTopic]:
    """What the question is about, then any other name that the passage begins with."""
    search = _TopicSearch(source, text, tokens, words, phrases, passage, title)
    scenes = _scenes(text, search.phrase, search.cues)
    topics = list(search.topics(skipping=[*phrases, *scenes]))
    # If nothing else is talked of, the scene's own subject is: "小队成立后，参加了什么比赛".
    only_begun = [span for span in scenes if search.cues.scene_begins.match(text, span[0])]
    if not topics and len(only_begun) < len(scenes):
        topics = list(search.topics(skipping=[*phrases, *only_begun]))
    return topics


def _scenes(text: str, phrase: Offsets, patterns: Cues) -> list[Offsets]:
    """Parts of a question before a comma that only set a scene, and ask nothing."""
    commas = [comma.end() for comma in _COMMA.finditer(text)]
    parts = list(zip([0, *commas], commas, strict=False))
    return [
        (start, end)
        for start, end in parts[:-1]
        if not start <= phrase[0] < end
        and (
            patterns.scene_begins.match(text, start)
            or patterns.scene_ends.search(text[start : end - 1])
            or _INSIDE.search(text[start : end - 1])
            or patterns.time.fullmatch(text, start, end - 1)
        )
    ]


@dataclass(frozen=True, slots=True)
class _TopicSearch:
    """A question and where its topics are looked up."""

    source: str
    text: str
    tokens: Sequence[PassageToken]
    words: Sequence[Tagged]
    phrases: Sequence[Offsets]
    passage: PassageReading
    title: str

    @property
    def cues(self) -> Cues:
        return cues("zh")

    @property
    def phrase(self) -> Offsets:
        """The bare question word; at the end of a question without one."""
        end = len(self.text)
        return self.phrases[0] if self.phrases else (end, end)

    @property
    def opening(self) -> str:
        """The beginning of the passage."""
        return joined(self.passage.keys[:_OPENING])

    def has(self, run: Sequence[PassageToken]) -> bool:
        spelt = joined(keys(run))
        return spelt in self.passage.joined or spelt in self.title

    def topics(self, *, skipping: Sequence[Offsets]) -> Iterator[QuestionTopic]:
        """The first topic outside the stretches, and names that the passage begins with."""
        text, opening = self.text, self.opening
        past = 0
        has_one = False
        for start, end, tag in self.words:
            is_skipped = any(first <= start < last for first, last in skipping)
            if start < past or text[start:end] in self.cues.closed or is_skipped:
                continue
            is_noun = tag.startswith(_NOUNS)
            if not is_noun and (has_one or tag.startswith(_NEVER_FIRST)):
                continue
            time = self.cues.time.match(text, start)
            if time is not None:
                past = time.end()
                continue
            topic = self._grown(start)
            if topic is None or (not is_noun and len(topic.keys) < _COMPOUND and start > 0):
                continue
            is_owner = tag == "t" and text[end : end + 1] == "的"  # 元朝的经济中心
            if tag.startswith(_SELDOM_NAMED) and len(topic.keys) < _COMPOUND and not is_owner:
                continue
            past = start + len(topic.spelt)
            spelt = joined(topic.keys)
            is_of_passage = opening.startswith(spelt) or spelt in self.title
            if not has_one or (topic.name and is_of_passage):
                has_one = True
                yield topic

    def _grown(self, start: int) -> QuestionTopic | None:
        """The longest run of the question from a word on that the passage or its title has."""
        text, phrase_start = self.text, self.phrase[0]
        limit = phrase_start if start < phrase_start else len(text)
        quoted = _QUOTED.search(text, start)
        if quoted is not None and quoted.start() - start > _QUOTED_SOON:
            quoted = None
        if quoted is not None:
            start, limit = quoted.start() + 1, quoted.end() - 1
        run: list[PassageToken] = []
        for token in self.tokens:
            if not start <= token.start < limit:
                continue
            if run and not _are_adjoining(text, run[-1].end, token.start):
                break
            if not self.has([*run, token]):
                break
            run.append(token)
        if quoted is None:
            run = _trimmed(text, run, self.words)
        if not run or (len(run) < 2 and len(run[0].key) < 2):
            return None
        return self._topic(run, quoted=quoted is not None)

    def _topic(self, run: Sequence[PassageToken], *, quoted: bool) -> QuestionTopic:
        start, end = run[0].start, run[-1].end
        over = [word for word in self.words if word[0] < end and start < word[1]]
        inside = [word for word in over if start <= word[0] and word[1] <= end]
        is_name = quoted or any(tag.startswith(_NAMES) for _, _, tag in over)
        spelt = joined(keys(run))
        # A long term, a compound, or what the passage begins with: names in all but the tag.
        is_term = len(run) >= _TERM or (len(run) >= _COMPOUND and len(over) > 1)
        is_opening_noun = over[-1][2].startswith("n") and spelt in self.opening
        is_known = is_term or is_opening_noun or spelt in self.title
        tail = 0
        if not quoted and len(inside) > 1 and _is_common(inside, self.text):
            tail = sum(token.start >= inside[-1][0] for token in run)
        is_thing = (
            self.text[max(0, start - 1) : start] == "《"
            or (quoted and len(run) > _PERSON)
            or (bool(inside) and inside[-1][2].startswith(("ns", "nt")))
            or (is_name and not quoted and not any(tag.startswith(_PEOPLE) for _, _, tag in over))
        )
        return QuestionTopic(
            keys=tuple(keys(run)),
            spelt=self.source[start:end],
            strong=is_name or (is_known and start < self.phrase[0]),
            name=is_name,
            tail=tail,
            thing=is_thing,
        )


def _is_common(words: Sequence[Tagged], text: str) -> bool:
    """Whether the last of some words is a common noun that the name before it has."""
    start, end, tag = words[-1]
    if tag == "eng":  # 重庆GDP
        return words[-2][2].startswith(("nr", "ns", "nt", "nz"))
    return tag in _COMMON and end - start > 1


def _are_adjoining(text: str, end: int, start: int) -> bool:
    """Whether nothing but signs other than commas and stops is between two tokens."""
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
