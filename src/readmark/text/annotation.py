"""Checks of annotation by hand, on the layers of any format: noun phrases, entities, references.

The rules are those of "Design and Development of a Bilingual Reading Comprehension Corpus",
sections 4.3 to 4.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from readmark.core.kinds import Finding
from readmark.core.problems import WarningCode
from readmark.core.records import Layers, Offsets, Passage, Question
from readmark.core.spans import clip
from readmark.text.guidelines import ENTITY_TYPES
from readmark.text.mentions import Antecedents, mention_findings
from readmark.text.phrase_endings import ending_findings, has_phrases_by_hand, untagged_last_word
from readmark.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class _Part:
    """A passage, a question or an answer key, and how a message names it."""

    id: str
    text: str
    layers: Layers
    called: str = ""


def annotation_findings(
    passage: Passage, *, language: str, hidden: bool = False
) -> Iterator[Finding]:
    """What is wrong or doubtful in a passage's annotation; a ``hidden`` one has no sentences.

    Where no token layer says what noun phrases end in, the language's analyser does.
    """
    parts = list(_parts(passage))
    for part in parts:
        yield from _overlaps(part)
        yield from _unknown_types(part)
    yield from _reference_findings(parts)
    for part in parts:
        last_word = untagged_last_word(part.text, part.layers, language)
        yield from ending_findings(
            part.id, part.text, part.layers, last_word=last_word, called=part.called
        )
    if not hidden:
        yield from _without_sentences(passage)
        yield from _parts_of_sentences(passage, language)


def _parts(passage: Passage) -> Iterator[_Part]:
    """The passage, then each question and the keys that were published for it."""
    yield _Part(passage.id, passage.text, _all_layers(passage))
    for question in passage.questions:
        yield _Part(question.id, question.text, _all_layers(question))
        for phrase in question.key.published if question.key else ():
            yield _Part(question.id, phrase.text, phrase.layers, "answer key: ")


def _all_layers(record: Passage | Question) -> Layers:
    return {**record.layers, **(record.key.layers if record.key is not None else {})}


def _overlaps(part: _Part) -> Iterator[Finding]:
    phrases = part.layers.get("np")
    furthest = (0, 0)
    for span in sorted(phrases.spans) if phrases is not None else ():
        if span[0] < furthest[1] and span[0] < span[1]:
            first, second = (clip(part.text[start:end]) for start, end in (furthest, span))
            yield (
                part.id,
                "np_overlap",
                f"{part.called}the noun phrases {first!r} at {furthest[0]}–{furthest[1]} and "
                f"{second!r} at {span[0]}–{span[1]} overlap",
            )
        furthest = max(furthest, span, key=lambda offsets: offsets[1])


def _unknown_types(part: _Part) -> Iterator[Finding]:
    entities = part.layers.get("ne")
    if entities is None:
        return
    for span, type in zip(entities.spans, entities.columns.get("type", ()), strict=False):
        if type not in ENTITY_TYPES:
            quote = clip(part.text[slice(*span)])
            yield (
                part.id,
                "entity",
                f"{part.called}{quote!r} has the entity type {type!r}, "
                f"known: {', '.join(ENTITY_TYPES)}",
            )


def _reference_findings(parts: list[_Part]) -> Iterator[Finding]:
    """Mentions: a question may refer to its passage, an answer key to its question as well."""
    passage: Antecedents | None = None
    question: Antecedents | None = None
    for part in parts:
        is_key = bool(part.called)
        antecedents = Antecedents(part.text, part.layers, before=question if is_key else passage)
        yield from mention_findings(part.id, antecedents, part.called)
        passage = passage or antecedents
        question = question if is_key else antecedents


def _without_sentences(passage: Passage) -> Iterator[Finding]:
    """Questions without an answer sentence, in passages where answer sentences are to be marked.

    They are where others are, or where noun phrases were marked by hand; answers with offsets show
    the sentence as well.
    """
    are_marked = any(question.key and question.key.sentences for question in passage.questions)
    if not are_marked and not has_phrases_by_hand(passage.layers):
        return
    for question in passage.questions:
        key = question.key
        if key is None or not (
            key.sentences
            or key.unanswerable
            or any(answer.offsets is not None for answer in key.answers)
        ):
            message = "no sentence of the passage is marked as its answer"
            yield question.id, WarningCode("no_sentence"), message


def _parts_of_sentences(passage: Passage, language: str) -> Iterator[Finding]:
    """Answer sentences that are only a part of a sentence; marks at its edges may be missing."""
    marked = [
        (question.id, question.key.sentences)
        for question in passage.questions
        if question.key and question.key.sentences
    ]
    if not marked:
        return
    text = passage.text
    # By rule, and by hand where somebody marked sentences too.
    layer = passage.layers.get("sentence")
    spans = (*sentences(text, language), *(layer.spans if layer is not None else ()))
    edges = [_spoken_edges(text, span) for span in spans]
    starts, ends = {start for start, _ in edges}, {end for _, end in edges}
    for id, answer_sentences in marked:
        for span in answer_sentences:
            start, end = _spoken_edges(text, span)
            if start < end and not (start in starts and end in ends):
                quote = clip(text[slice(*span)])
                message = f"the answer sentence {quote!r} covers only a part of a sentence"
                yield id, WarningCode("part_of_sentence"), message


def _spoken_edges(text: str, span: Offsets) -> Offsets:
    """A span from its first letter or digit to its last."""
    start, end = max(0, span[0]), min(span[1], len(text))
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end
