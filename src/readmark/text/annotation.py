"""Checks of annotation by hand, on the layers of any format: noun phrases, entities, references.

The rules are those of "Design and Development of a Bilingual Reading Comprehension Corpus",
sections 4.3 to 4.6.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from readmark.core.errors import UsageError
from readmark.core.extras import MissingExtra
from readmark.core.kinds import Finding
from readmark.core.problems import WarningCode
from readmark.core.records import Layer, Layers, Offsets, Passage, Question, QuestionKey
from readmark.core.spans import clip
from readmark.text.coreference import Antecedents, mention_findings
from readmark.text.sentences import sentences

ENTITY_TYPES = ("PERSON", "TIME", "LOCATION", "NUM", "ORGANIZATION")
"""What ``NE=`` may say. The document annotates the first four and keeps the last for later."""


ANALYSER_PREFIX = "readmark-"
"""How the sources of layers begin that our analysers made."""

PartOfSpeech = Callable[[Offsets], str | None]
"""The part of speech of the last word of a span, a UD tag; None where it is not known."""

ENDINGS = frozenset({"NOUN", "PROPN", "PRON", "ADJ", "NUM", "SYM"})
"""What a noun phrase ends in. Numbers stand for nouns, as in "the year 1066"."""
_NO_ENDINGS = {
    **dict.fromkeys("的地得了着過过吗呢吧", "PART"),
    **dict.fromkeys("和与與或及", "CCONJ"),
    **dict.fromkeys("在从從向对對把被让讓给給于於", "ADP"),
    **dict.fromkeys("很也都就不没沒还還又再", "ADV"),
    **dict.fromkeys("是有会會能", "VERB"),
}
"""Chinese words that no noun phrase ends in."""
_SPOKEN_SIGNS = frozenset("%％‰$")
ALONE = ENDINGS | {"DET"}
"""What may be a noun phrase by itself: taggers call "some" and "this" determiners."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """A text with all its layers, and how a message names it."""

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
    owners = list(_owners(passage))
    for owner in owners:
        yield from _phrase_findings(owner)
    yield from _references(owners)
    for owner in owners:
        tagged = None
        if _needs_analyser(owner.layers):
            by_words = _by_words(owner.text, owner.layers.get("token"))
            tagged = by_words if language == "zh" else _by_analyser(owner.text, language)
        yield from ending_findings(
            owner.id, owner.text, owner.layers, part_of_speech=tagged, called=owner.called
        )
    if not hidden:
        yield from _without_sentences(passage)
        yield from _parts_of_sentences(passage, language)


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
                WarningCode("np_ending"),
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


def _needs_analyser(layers: Layers) -> bool:
    """Whether noun phrases were marked by hand on words without parts of speech."""
    np = layers.get("np")
    by_hand = np is not None and not np.source.startswith(ANALYSER_PREFIX)
    return by_hand and _tagged(layers.get("token")) is None


def _by_words(text: str, token: Layer | None) -> PartOfSpeech | None:
    """The part of speech of Chinese words that end no noun phrase; nothing is said of others.

    An analyser would take many nouns for verbs: 拼写, 蒸发, 英文说明.
    """
    if token is None:
        return None
    by_end = {end: (start, _NO_ENDINGS.get(text[start:end])) for start, end in token.spans}

    def last_word(span: Offsets) -> str | None:
        start, pos = by_end.get(span[1], (0, None))
        return pos if span[0] < start else None  # 地 alone is the ground

    return last_word


@lru_cache(maxsize=256)  # the hall checks a text again with every change of a mark
def _by_analyser(text: str, language: str) -> PartOfSpeech | None:
    """What an analyser takes the last word of a span for; None where none is installed."""
    # Analysers import this module.
    from readmark.text.analysers.registry import analyser

    try:
        [analysis] = analyser(language).analyse([text], ("sentence", "token"))
    except (MissingExtra, UsageError):
        return None
    token = analysis.layers["token"]
    spoken = [
        (end, start, "NOUN" if _is_used_as_noun(text[start:end], pos, tag) else pos)
        for (start, end), pos, tag in zip(
            token.spans, token.columns["pos"], token.columns["tag"], strict=True
        )
        if any(map(str.isalnum, text[start:end])) or text[start:end] in _SPOKEN_SIGNS
    ]

    def last_word(span: Offsets) -> str | None:
        index = bisect_right(spoken, span[1], key=lambda word: word[0]) - 1
        if index < 0 or spoken[index][1] < span[0]:
            return None
        # A noun by itself is often taken for a verb: sun and shade.
        if spoken[index][2] == "VERB" and spoken[index][1] == span[0]:
            return None
        # A phrase that ends within a word says nothing.
        is_cut = index + 1 < len(spoken) and spoken[index + 1][1] < span[1]
        return None if is_cut else spoken[index][2]

    return last_word


def _is_used_as_noun(word: str, pos: str, tag: str) -> bool:
    """A gerund (his swimming), nothing else, and words that are named: the word “hello”."""
    return tag == "VBG" or word.lower() == "else" or pos in ("INTJ", "X")


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
            message = "no sentence of the passage is marked as its answer"
            yield question.id, WarningCode("no_sentence"), message


def _parts_of_sentences(passage: Passage, language: str) -> Iterator[Finding]:
    """Answer sentences that are only a part of a sentence; marks at its edges may be missing."""
    marked = [question for question in passage.questions if question.key and question.key.sentences]
    if not marked:
        return
    text = passage.text
    # By rule, and by hand where somebody marked sentences too.
    layer = passage.layers.get("sentence")
    spans = (*sentences(text, language), *(layer.spans if layer is not None else ()))
    edges = [_spoken_edges(text, span) for span in spans]
    starts, ends = {start for start, _ in edges}, {end for _, end in edges}
    for question in marked:
        for span in question.key.sentences if question.key else ():
            start, end = _spoken_edges(text, span)
            if start < end and not (start in starts and end in ends):
                quote = clip(text[slice(*span)])
                message = f"the answer sentence {quote!r} covers only a part of a sentence"
                yield question.id, WarningCode("part_of_sentence"), message


def _spoken_edges(text: str, span: Offsets) -> Offsets:
    """A span from its first letter or digit to its last."""
    start, end = max(0, span[0]), min(span[1], len(text))
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end


def _placed(key: QuestionKey) -> bool:
    """Whether an answer says where it occurs."""
    return any(answer.offsets is not None for answer in key.answers)
