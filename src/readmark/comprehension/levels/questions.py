"""A question taken apart: the phrase that asks, the words that say something, whom it is about."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.comprehension.levels.chinese_topics import chinese_topics
from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.english_topics import english_topics
from readmark.comprehension.levels.passages import PassageReading, tagged
from readmark.comprehension.levels.tokens import (
    PassageToken,
    folded,
    glosses,
    joined,
    keys,
    tokens,
)
from readmark.comprehension.levels.topics import QuestionTopic
from readmark.core.records import Offsets
from readmark.text.questions.phrases import question_phrases
from readmark.text.segmenter import Tagged


@dataclass(frozen=True, slots=True)
class LevelQuestion:
    """A question as it is compared with a passage."""

    text: str
    tokens: tuple[PassageToken, ...]
    phrases: tuple[Offsets, ...]
    """Where the question phrase may be, the bare question word first."""
    content: frozenset[int]
    """The tokens outside the question word that are not closed-class words."""
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

    @property
    def phrase(self) -> Offsets:
        """The bare question word; at the end of a question without one."""
        return self.phrases[0] if self.phrases else (len(self.text), len(self.text))

    @property
    def topic_keys(self) -> set[str]:
        """The keys of all topics."""
        return {key for topic in self.topics for key in topic.keys}


def take_apart(question: str, passage: PassageReading, title: str) -> LevelQuestion:
    """The question with the passage that it is asked of."""
    language = passage.language
    closed = cues(language).closed
    text = folded(question, language).replace("甚么", "什么")
    question_tokens = tuple(tokens(text, language, without=glosses(text)))
    if not question_tokens:  # it stands in brackets altogether
        question_tokens = tuple(tokens(text, language))
    words = tagged(text) if language == "zh" else []
    phrases = tuple(question_phrases(text, language, words))
    phrase = phrases[0] if phrases else (len(text), len(text))
    words = [part for word in words for part in _split(word, phrase[0])]
    content = frozenset(
        index
        for index, token in enumerate(question_tokens)
        if not phrase[0] <= token.start < phrase[1] and token.key not in closed
    )
    joined_title = joined(keys(tokens(folded(title, language), language)))
    topics = (
        chinese_topics(question, text, question_tokens, words, phrases, passage, joined_title)
        if language == "zh"
        else english_topics(text, question_tokens, phrases, content, passage, joined_title)
    )
    return LevelQuestion(
        text, question_tokens, phrases, content, tuple(topics), question, tuple(words)
    )


def _split(word: Tagged, offset: int) -> list[Tagged]:
    """A word in two where the question phrase begins inside it: 周成|为何 of 成为."""
    start, end, _ = word
    return [(start, offset, "n"), (offset, end, "r")] if start < offset < end else [word]
