"""Checks of annotation by hand, on the layers of any format: noun phrases, entities, references.

The rules are those of "Design and Development of a Bilingual Reading Comprehension Corpus",
sections 4.3 to 4.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from readmark.core.kinds import Finding
from readmark.core.records import Layer, Layers, Offsets, Passage, Question, QuestionKey
from readmark.core.spans import clip
from readmark.text.coreference import Antecedents, mention_findings

ENTITY_TYPES = ("PERSON", "TIME", "LOCATION", "NUM", "ORGANIZATION")
"""What ``NE=`` may say. The document annotates the first four and keeps the last for later."""


ANALYSER_PREFIX = "readmark-"
"""How the sources of layers begin that our analysers made."""

PartOfSpeech = Callable[[Offsets], str | None]
"""The part of speech of the last word of a span, a UD tag; None where it is not known."""

ENDINGS = frozenset({"NOUN", "PROPN", "PRON", "ADJ", "NUM", "SYM"})
"""What a noun phrase ends in. Numbers stand for nouns, as in "the year 1066"."""
ALONE = ENDINGS | {"DET"}
"""What may be a noun phrase by itself: taggers call "some" and "this" determiners."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """A text with all its layers, and how a message names it."""

    id: str
    text: str
    layers: Layers
    called: str = ""


def annotation_findings(passage: Passage, *, hidden: bool = False) -> Iterator[Finding]:
    """What is wrong or doubtful in a passage's annotation; a ``hidden`` one has no sentences."""
    owners = list(_owners(passage))
    for owner in owners:
        yield from _phrase_findings(owner)
    yield from _references(owners)
    for owner in owners:
        yield from ending_findings(owner.id, owner.text, owner.layers, called=owner.called)
    if not hidden:
        yield from _without_sentences(passage)


def ending_findings(
    id: str,
    text: str,
    layers: Layers,
    *,
    part_of_speech: PartOfSpeech | None = None,
    called: str = "",
) -> Iterator[Finding]:
    """Noun phrases that do not end in a noun, pronoun or adjective.

    The parts of speech are the token layer's ``pos`` unless an analyser gives better ones.
    """
    np = layers.get("np")
    tagged = part_of_speech or _tagged(layers.get("token"))
    if np is None or tagged is None:
        return
    for start, end in np.spans:
        found = tagged((start, end))
        alone = not any(sign.isspace() for sign in text[start:end])
        if found is not None and found not in (ALONE if alone else ENDINGS):
            yield (
                id,
                "np_ending",
                f"{called}the noun phrase {clip(text[start:end])!r} ends in {found}, "
                "expected a noun, pronoun or adjective",
            )


def _tagged(token: Layer | None) -> PartOfSpeech | None:
    """The tags of a token layer that has them, by the end of the word."""
    tags = token.columns.get("pos", ()) if token is not None else ()
    if token is None or len(tags) != len(token.spans):
        return None
    by_end = dict(zip((end for _, end in token.spans), tags, strict=True))
    return lambda span: by_end.get(span[1])


def _owners(passage: Passage) -> Iterator[_Owner]:
    yield _Owner(passage.id, passage.text, _all(passage))
    for question in passage.questions:
        yield _Owner(question.id, question.text, _all(question))
        for phrase in question.key.published if question.key else ():
            yield _Owner(question.id, phrase.text, phrase.layers, "answer key: ")


def _all(owner: Passage | Question) -> Layers:
    return {**owner.layers, **(owner.key.layers if owner.key is not None else {})}


def _phrase_findings(owner: _Owner) -> Iterator[Finding]:
    np = owner.layers.get("np")
    furthest = (0, 0)
    for span in sorted(np.spans) if np is not None else ():
        if span[0] < furthest[1] and span[0] < span[1]:
            one, other = (clip(owner.text[start:end]) for start, end in (furthest, span))
            yield (
                owner.id,
                "np_overlap",
                f"{owner.called}the noun phrases {one!r} at {furthest[0]}–{furthest[1]} and "
                f"{other!r} at {span[0]}–{span[1]} overlap",
            )
        furthest = max(furthest, span, key=lambda one: one[1])
    ne = owner.layers.get("ne")
    for span, type in zip(ne.spans, ne.columns.get("type", ()), strict=False) if ne else ():
        if type not in ENTITY_TYPES:
            known = ", ".join(ENTITY_TYPES)
            quote = clip(owner.text[slice(*span)])
            yield (
                owner.id,
                "entity",
                f"{owner.called}{quote!r} has the entity type {type!r}, known: {known}",
            )


def _references(owners: list[_Owner]) -> Iterator[Finding]:
    """Mentions: a question may refer to its passage, an answer key to its question as well."""
    passage: Antecedents | None = None
    question: Antecedents | None = None
    for owner in owners:
        before = question if owner.called else passage
        own = Antecedents(owner.text, owner.layers, before=before)
        yield from mention_findings(owner.id, own, owner.called)
        passage = passage or own
        question = question if owner.called else own


def _without_sentences(passage: Passage) -> Iterator[Finding]:
    """Questions without an answer sentence, in passages where answer sentences are to be marked.

    They are where others are, or where noun phrases were marked by hand; answers with offsets show
    the sentence as well.
    """
    marked = any(question.key and question.key.sentences for question in passage.questions)
    phrases = passage.layers.get("np")
    by_hand = phrases is not None and not phrases.source.startswith(ANALYSER_PREFIX)
    if not (marked or by_hand):
        return
    for question in passage.questions:
        key = question.key
        if key is None or not (key.sentences or key.unanswerable or _placed(key)):
            yield question.id, "no_sentence", "no sentence of the passage is marked as its answer"


def _placed(key: QuestionKey) -> bool:
    """Whether an answer says where it occurs."""
    return any(answer.offsets is not None for answer in key.answers)
