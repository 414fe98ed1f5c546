"""What ``readmark check`` finds in a passage: empty texts, misplaced offsets, a key at odds."""

from __future__ import annotations

from collections.abc import Iterator

from readmark.core.kinds import Finding
from readmark.core.passage_parts import parts_faults
from readmark.core.records import Layers, Passage, Question, QuestionKey, RecordKey
from readmark.core.spans import (
    clip,
    layer_findings,
    misplaced_layers,
    offset_fault,
    untyped_entities,
)


def passage_findings(passage: Passage) -> Iterator[Finding]:
    """Whatever is wrong with a passage, then with each of its questions."""
    if not passage.text.strip():
        yield passage.id, "empty_text", "the passage has no text"
    for fault in parts_faults(passage):
        yield passage.id, "parts", fault
    yield from untyped_entities(passage.id, passage.layers)
    yield from misplaced_layers(passage.id, passage.layers)
    layers = _with_key_layers(passage.layers, passage.key)
    yield from layer_findings(passage.id, passage.text, layers)
    for question in passage.questions:
        yield from _question_findings(passage.text, question)


def _question_findings(passage_text: str, question: Question) -> Iterator[Finding]:
    if not question.text.strip():
        yield question.id, "empty_text", "the question has no text"
    yield from misplaced_layers(question.id, question.layers)
    layers = _with_key_layers(question.layers, question.key)
    yield from layer_findings(question.id, question.text, layers)
    yield from _option_findings(question)
    key = question.key
    if key is None:
        return
    if any(not answer.text.strip() for answer in key.answers):
        yield question.id, "empty_answer", "has an answer without text"
    for answer in (*key.answers, *key.plausible):
        fault = offset_fault(passage_text, answer)
        if fault:
            yield question.id, "offset", fault
    for start, end in key.sentences:
        if not 0 <= start < end <= len(passage_text):
            yield question.id, "sentence", f"answer sentence {start}–{end} is not in the passage"
    for phrase in key.published:
        yield from layer_findings(question.id, phrase.text, phrase.layers)
    if key.unanswerable and (key.answers or key.published):
        yield question.id, "unanswerable", "is marked unanswerable and has answers"
    if not (key.unanswerable or key.answers or key.published or key.sentences):
        yield question.id, "no_answer", "has a key without answers, and is not marked unanswerable"


def _option_findings(question: Question) -> Iterator[Finding]:
    """Options that cannot be distinguished, and a key that is none of them."""
    options = [option.strip() for option in question.options]
    if not options:
        return
    if len(options) == 1:
        yield question.id, "options", "has one option, which is no choice"
    if any(not option for option in options):
        yield question.id, "options", "has an option without text"
    repeated = next((option for option in options if option and options.count(option) > 1), None)
    if repeated is not None:
        yield question.id, "duplicate_option", f"has the option {clip(repeated)!r} twice"
    key = question.key
    if key is None or key.unanswerable:
        return
    texts = [answer.text for answer in key.answers] + [phrase.text for phrase in key.published]
    for text in texts:
        if text.strip() not in options:
            yield question.id, "key_option", f"the key {clip(text)!r} is none of the options"
            return


def _with_key_layers(layers: Layers, key: RecordKey | QuestionKey | None) -> Layers:
    return {**layers, **key.layers} if key is not None else layers
