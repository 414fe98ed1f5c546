"""A question's level: the statement that answers it, and what it takes to see that it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.facts import StatedFact, find_fact, read_for
from readmark.comprehension.levels.matching import edits, fillings
from readmark.comprehension.levels.passages import PassageReading, lowered
from readmark.comprehension.levels.questions import LevelQuestion, take_apart
from readmark.comprehension.levels.references import reference
from readmark.comprehension.levels.relations import (
    causal,
    cause_is_marked,
    comparison,
    difference,
    placed,
    temporal,
    with_effect,
)
from readmark.comprehension.levels.scale import Levelled, level_of
from readmark.comprehension.levels.wording import wording
from readmark.core.language import primary
from readmark.core.records import Offsets, Passage, Question
from readmark.core.spans import clip
from readmark.text.analysers.registry import LANGUAGES


def levelled(question: Question, passage: Passage, language: str) -> Levelled:
    """The level of a question on a passage; None, and why, if it cannot be judged."""
    language = primary(language)
    obstacle = _obstacle(question, language)
    if obstacle:
        return Levelled(None, why=obstacle)
    answers = question.key.answers if question.key is not None else ()
    reading, spans = read_for(passage.text, answers, language)
    parts = take_apart(question.text, reading, passage.title or "")
    if not spans:
        why = "no answer occurs in the passage"
        cue = cues(language).asks_difference.search(lowered(parts.text, reading))
        if cue:
            why += f", and {cue[0]!r} asks for a calculation"
        return Levelled(None, why=why)
    match = _matching_answer(parts, reading, spans)
    if match is not None:
        sentences = _sentences_around(reading, match)
        return Levelled(1, ("match",), sentences, _why_it_matches(parts, reading, match))
    fact = find_fact(parts, reading, spans)
    if fact is None:
        return Levelled(None, why="the answer has no words")
    return _by_reasons(parts, reading, fact)


def _obstacle(question: Question, language: str) -> str:
    """Why a question cannot be judged at all, else nothing."""
    if language not in LANGUAGES:
        return f"no rules for language {language!r}"
    if question.language and primary(question.language) != language:
        return "the question is in another language than the passage"
    if not any(map(str.isalnum, question.text)):
        return "the question has no words"
    key = question.key
    if key is None or not (key.answers or key.unanswerable):
        return "the question has no answer"
    return "the question is unanswerable" if key.unanswerable and not key.answers else ""


def _by_reasons(question: LevelQuestion, passage: PassageReading, fact: StatedFact) -> Levelled:
    """Level 2 or more: every reason for reasoning, else how the wording differs."""
    reasons: dict[str, str] = {}
    sentences = {statement.sentence for statement in fact.statements}
    back = placed(question, passage, fact)
    if back and fact.elsewhere is not None:
        reasons["temporal"] = f"{back!r} must be placed at the answer"
        fact = replace(
            fact,
            statements=(fact.elsewhere,),
            main=fact.elsewhere,
            share=fact.elsewhere_share,
            elsewhere=None,
        )
    fact = with_effect(question, passage, fact)
    resolved = None
    # A difference to be worked out is stated nowhere, so no statement refers to it.
    if not difference(question, passage, fact):
        resolved = reference(question, passage, fact)
    if resolved is not None:
        reasons[resolved.reason] = resolved.words
        sentences.add(resolved.statement.sentence)
        if resolved.source is not None:
            sentences.add(resolved.source)
    refers = resolved is not None
    for reason, why in (
        ("temporal", temporal(question, passage, fact, refers=refers)),
        ("comparison", comparison(question, passage, fact)),
        ("causal", causal(question, passage, fact, refers=refers)),
    ):
        if why:
            reasons.setdefault(reason, why)
    if not reasons:
        reasons = wording(question, passage, fact)
    sentences.update(statement.sentence for statement in fact.statements)
    return Levelled(
        level_of(reasons),
        tuple(reasons),
        tuple(passage.sentences[index] for index in sorted(sentences)),
        "; ".join(reasons.values()),
        () if resolved is None else (resolved.mention,),
    )


def _matching_answer(
    question: LevelQuestion, passage: PassageReading, spans: Sequence[Offsets]
) -> Offsets | None:
    """The place of the answer where the question with it filled in occurs in the passage."""
    closed = cues(passage.language).closed
    best: tuple[int, Offsets] | None = None
    for filled in fillings(question, passage.language):
        for span in spans:
            first, last = passage.tokens_in(*span)
            if first >= last or not cause_is_marked(question, passage, span):
                continue
            sentences = _sentences_around(passage, span)
            start, end = 0, len(passage.keys)
            if sentences:  # a match does not leave them
                start, end = passage.tokens_in(sentences[0][0], sentences[-1][1])
            cost = edits(
                filled.before,
                filled.after,
                passage.keys[start:end],
                (first - start, last - start),
                closed,
                noun=filled.noun,
            )
            if cost is not None and (best is None or cost < best[0]):
                best = cost, span
    return None if best is None else best[1]


def _sentences_around(passage: PassageReading, span: Offsets) -> tuple[Offsets, ...]:
    return tuple(
        (start, end) for start, end in passage.sentences if start < span[1] and span[0] < end
    )


def _why_it_matches(question: LevelQuestion, passage: PassageReading, span: Offsets) -> str:
    phrase = question.source[slice(*question.phrases[-1])] if question.phrases else ""
    answer = clip(passage.source[slice(*span)])
    if not phrase:
        return f"the question occurs in the passage next to {answer!r}"
    return f"{answer!r} in the place of {phrase!r} makes words of the passage"
