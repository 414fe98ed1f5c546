"""A question's level: the statement that answers it, and what it takes to see that it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from readmark.corpus.language import primary
from readmark.corpus.spans import clip
from readmark.corpus.values import Offsets, Passage, Question
from readmark.setting.levels.facts import Fact, fact, read_for
from readmark.setting.levels.filling import readings_of
from readmark.setting.levels.matching import edits
from readmark.setting.levels.passages import Reading
from readmark.setting.levels.questions import Asked, asked
from readmark.setting.levels.references import Reference, reference
from readmark.setting.levels.relations import (
    causal,
    cause_is_marked,
    comparison,
    effect,
    placed,
    temporal,
)
from readmark.setting.levels.values import Levelled, level_of
from readmark.setting.levels.wording import wording
from readmark.text.analysers import LANGUAGES
from readmark.text.reasoning_cues import cues


def levelled(question: Question, passage: Passage, language: str) -> Levelled:
    """The level of a question on a passage; None, and why, where it cannot be judged."""
    own = primary(language)
    answers = question.key.answers if question.key is not None else ()
    missing = _missing(question, own)
    if missing:
        return Levelled(None, why=missing)
    view, spans = read_for(passage.text, answers, own)
    if not spans:
        return Levelled(None, why="no answer stands in the passage")
    words = asked(question.text, view, passage.title or "")
    matched = _matched(words, view, spans)
    if matched is not None:
        return Levelled(
            1, ("match",), _sentences(view, matched), _match_words(words, view, matched)
        )
    found = fact(words, view, spans)
    if found is None:
        return Levelled(None, why="the answer has no words")
    return _reasoned(words, view, found)


def _missing(question: Question, language: str) -> str:
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


def _reasoned(words: Asked, view: Reading, found: Fact) -> Levelled:
    """Level 2 or more: every reason for reasoning, else how the wording differs."""
    said: dict[str, str] = {}
    used = [one.sentence for one in found.statements]
    back = placed(words, view, found)
    if back and found.elsewhere is not None:
        said["temporal"] = f"{back!r} must be placed at the answer"
        there = found.elsewhere
        share = found.elsewhere_share
        found = replace(found, statements=(there,), main=there, share=share, elsewhere=None)
    found = effect(words, view, found)
    resolved = reference(words, view, found)
    if resolved is not None:
        said[resolved.reason] = resolved.words
    for reason, why in (
        ("temporal", temporal(words, view, found, refers=resolved is not None)),
        ("comparison", comparison(words, view, found)),
        ("causal", causal(words, view, found, refers=resolved is not None)),
    ):
        if why:
            said.setdefault(reason, why)
    if not said:
        said = wording(words, view, found)
    used += [*(one.sentence for one in found.statements), *_named_in(resolved)]
    sentences = tuple(view.sentences[at] for at in sorted(set(used)))
    return Levelled(level_of(said), tuple(said), sentences, "; ".join(said.values()))


def _named_in(resolved: Reference | None) -> list[int]:
    """The sentences of the statement that refers and of the name that it refers to."""
    if resolved is None:
        return []
    return [
        resolved.statement.sentence,
        *([resolved.source] if resolved.source is not None else []),
    ]


def _matched(words: Asked, view: Reading, spans: Sequence[Offsets]) -> Offsets | None:
    """The place of the answer where the question with it filled in stands in the passage."""
    closed = cues(view.language).closed
    best: tuple[int, Offsets] | None = None
    for filled in readings_of(words, view.language):
        for span in spans:
            first, last = view.within(*span)
            if first >= last or not cause_is_marked(words, view, span):
                continue
            begin, stop = _sentence_tokens(view, span)
            text = view.keys[begin:stop]
            answer = first - begin, last - begin
            cost = edits(filled.before, filled.after, text, answer, closed, noun=filled.noun)
            if cost is not None and (best is None or cost < best[0]):
                best = cost, span
    return None if best is None else best[1]


def _sentence_tokens(view: Reading, span: Offsets) -> tuple[int, int]:
    """The tokens of the sentences that a stretch lies in: a match does not leave them."""
    own = [one for one in view.sentences if one[0] < span[1] and span[0] < one[1]]
    return view.within(own[0][0], own[-1][1]) if own else (0, len(view.keys))


def _sentences(view: Reading, span: Offsets) -> tuple[Offsets, ...]:
    return tuple(one for one in view.sentences if one[0] < span[1] and span[0] < one[1])


def _match_words(words: Asked, view: Reading, span: Offsets) -> str:
    phrase = words.text[slice(*words.phrases[-1])] if words.phrases else ""
    answer = clip(view.text[slice(*span)])
    if not phrase:
        return f"the question stands in the passage beside {answer!r}"
    return f"{answer!r} in the place of {phrase!r} makes words of the passage"
