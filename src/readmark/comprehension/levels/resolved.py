"""A reference that a reader must resolve: in words, with its place and what it stands for."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.comprehension.levels.antecedents import is_sure
from readmark.comprehension.levels.naming import mentions
from readmark.comprehension.levels.passages import PassageReading
from readmark.comprehension.levels.referring_words import DETERMINERS, EVENT, ReferringWord
from readmark.comprehension.levels.scale import LevelMention
from readmark.comprehension.levels.statements import PassageStatement, is_verb
from readmark.comprehension.levels.topics import QuestionTopic
from readmark.comprehension.levels.whole_words import with_noun
from readmark.core.records import Offsets
from readmark.core.spans import clip


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that must be carried over."""

    words: str
    """What stands for it where, for people."""
    statement: PassageStatement
    source: int | None
    """The sentence that has the name."""
    mention: LevelMention

    @property
    def reason(self) -> str:
        """The reason that it makes."""
        return self.mention.reason


def resolved(
    passage: PassageReading,
    word: ReferringWord,
    topic: QuestionTopic,
    statement: PassageStatement,
    *,
    antecedent: Offsets | None = None,
) -> Reference:
    """A reference to a topic by a word of a statement, or by the lack of one.

    Without an ``antecedent`` the last sentence before it that names the topic is looked up.
    """
    text, start = word.text, word.start
    if word.reason == "nominal_reference" and text[:1] in DETERMINERS:
        offset = start - statement.start
        statement_text = passage.text[statement.start : statement.end]
        text = with_noun(statement_text, offset, offset + len(text))
    before = ""
    if not text:
        start, before = _gap(passage, statement)
    end = start + len(text)
    if passage.language == "zh":
        text = passage.source[start:end]  # as the passage spells it, not folded
    source = None
    if antecedent is None:
        source, antecedent = _antecedent(passage, topic, statement, start)
    name = ""
    if is_sure(passage, statement, (start, end), word.reason, antecedent, topic.spelt):
        name = clip(topic.spelt)
    else:
        antecedent = None
    quote = clip(passage.quote(statement.start, statement.end))
    if word.reason == "multi_sentence":
        words = f"{word.text!r} joins {clip(topic.spelt)!r} with {quote!r}"
    elif text and not topic.keys:
        words = f"{text!r} refers to the speaker in {quote!r}"
    elif text in EVENT and statement.place and antecedent is None:
        words = f"{text!r} refers to what comes before {quote!r}"
    elif text:
        stands = f"stands for {name!r}" if name else "must be resolved"
        words = f"{text!r} {stands} in {quote!r}"
    elif before and name:
        words = f"{name!r} is left out before {before!r} in {quote!r}"
    else:
        words = f"{name!r} is left out of {quote!r}" if name else f"{quote!r} leaves a name out"
    mention = LevelMention(word.reason, text, start, end, name, antecedent, before)
    return Reference(words, statement, source, mention)


def _gap(passage: PassageReading, statement: PassageStatement) -> tuple[int, str]:
    """Where a Chinese statement leaves a name out: before its verb, or a first noun."""
    acting = [clause for clause in statement.clauses if passage.predicate(clause.start, clause.end)]
    clause = (acting or statement.clauses)[-1]
    start = passage.tokens[clause.first].start
    for word_start, word_end, tag in passage.words_in(start, clause.end):
        if is_verb(tag) or tag.startswith("n"):
            return word_start, passage.source[word_start:word_end]
    return start, ""


def _antecedent(
    passage: PassageReading, topic: QuestionTopic, statement: PassageStatement, start: int
) -> tuple[int | None, Offsets | None]:
    """The last sentence before a mention that names the topic, and the name's place there."""
    for earlier in reversed(passage.statements[: statement.place + 1]):
        for offset, size in mentions(topic, passage.keys[earlier.first : earlier.last]):
            first = passage.tokens[earlier.first + offset]
            last = passage.tokens[earlier.first + offset + size - 1]
            if last.end <= start:
                return earlier.sentence, (first.start, last.end)
    return None, None
