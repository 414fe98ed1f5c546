"""BRCC's inline notation: noun phrases, entities, references and answer sentences in a text.

The notation of "Design and Development of a Bilingual Reading Comprehension Corpus", sections
4.2 to 4.6: ``<NP NE=PERSON REFID=7>``, ``<ANSQ2>…</ANSQ2>``, spaces between Chinese words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from readmark.core.records import Layer, Layers, Offsets

# White space in annotated text: which of it is the text's own, and where Chinese words end.


SPACE = " \t\n\r\f\v"
"""What the notation takes for white space; any other is a character of the text."""
BLANK_LINE = re.compile(r"\n[ \t\r\f\v]*+\n")

_CLOSING = frozenset(",.;:!?%)]}’”»…")
_OPENING = frozenset("([{‘“«")
_ENDS = frozenset(".!?…。！？：:；;\"'”’」』）)】》")
_CHINESE = re.compile(
    "[\u2e80-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003347f]"
)
_WITHIN_NAMES = frozenset("·‧・•%‰")
_WITHIN_LATIN = frozenset(".,-‐'’:/@_&")


def separates(before: str, after: str, language: str) -> bool:
    """Whether white space between two characters only separates words of a Chinese text."""
    return language == "zh" and bool(_CHINESE.match(before) or _CHINESE.match(after))


def is_text_space(before: str, after: str, language: str, *, next_to_tag: bool) -> bool:
    """Whether white space between two characters is a space of the text."""
    if separates(before, after, language):
        return False
    return not (next_to_tag and (after in _CLOSING or before in _OPENING))


def ends_a_paragraph(before: str) -> bool:
    """Whether a blank line after this character ends a paragraph; any other is typesetting."""
    return before in _ENDS


def words(text: str, edges: frozenset[int]) -> tuple[Offsets, ...]:
    """The words of a text that end at these edges, at white space and at punctuation."""
    return tuple(_words(text, edges))


def _words(text: str, edges: frozenset[int]) -> Iterator[Offsets]:
    start = 0
    mark = ""
    for index, sign in enumerate(text):
        now = sign if is_mark(text, index) else ""
        if sign.isspace() or index in edges or now != mark:  # a run of one mark, such as ……, is one
            if start < index:
                yield start, index
            start = index + 1 if sign.isspace() else index
        mark = now
    if start < len(text):
        yield start, len(text)


def is_mark(text: str, index: int) -> bool:
    """Whether a character is punctuation outside a word, unlike in 3.3% or 托马斯‧爱迪生."""
    sign = text[index]
    if sign.isalnum() or sign in _WITHIN_NAMES or unicodedata.category(sign)[0] != "P":
        return False
    return not (
        sign in _WITHIN_LATIN
        and 0 < index < len(text) - 1
        and all(
            sign_near.isalnum() and not _CHINESE.match(sign_near)
            for sign_near in (text[index - 1], text[index + 1])
        )
    )


@dataclass(frozen=True, slots=True)
class TaggedPhrase:
    """A base noun phrase: what it contains, its number as an antecedent, and what it refers to."""

    start: int
    end: int
    entity: str | None = None
    id: int | None = None
    ref: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A stretch of the passage that answers the question of that number."""

    number: int
    start: int
    end: int


Element = TaggedPhrase | AnswerSentence


@dataclass(frozen=True)
class AnnotatedText:
    """A text without its tags, and what the tags said."""

    text: str
    phrases: tuple[TaggedPhrase, ...] = ()
    answers: tuple[AnswerSentence, ...] = ()
    edges: frozenset[int] = frozenset()
    """Where white space or a tag stood: a word ends there."""
    spaced: bool = False
    """Whether a space stood between two Han characters: somebody marked the words."""

    @cached_property
    def words(self) -> tuple[Offsets, ...]:
        """The words that spaces, tags and punctuation leave, punctuation marks included."""
        return words(self.text, self.edges)


@dataclass(frozen=True, slots=True)
class NotationFault:
    """Something that cannot be read, at an offset of what was written."""

    offset: int
    code: str
    message: str


# Characters that mean something in the notation, written as in HTML: ``&lt;``, ``&#32;``.


REFERENCE = r"&(?:lt|gt|amp|quot|apos|\#[0-9]{1,7}|\#x[0-9a-f]{1,6});"
_REFERENCE = re.compile(REFERENCE, re.IGNORECASE)
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def meant(reference: str) -> str:
    """The character that a reference stands for; one that stands for none is itself."""
    name = reference[1:-1].lower()
    if name in _NAMED:
        return _NAMED[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    if not 0 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return reference
    return chr(code)


def reference(sign: str) -> str:
    """A character as a reference."""
    return "&lt;" if sign == "<" else f"&#{ord(sign)};"


def is_reference(text: str, index: int) -> bool:
    """Whether the text at an index would be read as a reference."""
    return text[index] == "&" and _REFERENCE.match(text, index) is not None


def read_plainly(written: str) -> str:
    """A text without tags, such as a title, as it is meant."""
    return _REFERENCE.sub(lambda found: meant(found[0]), written)


def write_plainly(text: str, *, special: Iterable[str] = ()) -> str:
    """A text without tags on one line, so that stripping and splitting leave it whole."""
    reserved = {*special, *"\n\r\t\f\v"}
    last = len(text) - 1
    return "".join(
        "&amp;"
        if is_reference(text, index)
        else reference(sign)
        if sign in reserved or (sign == " " and index in (0, last))
        else sign
        for index, sign in enumerate(text)
    )


# What tags can hold of noun phrases: none is empty, none crosses another or an answer sentence.


def outermost_first(element: Element) -> tuple[int, int, bool]:
    """Sorts elements so that long ones come before what they hold."""
    return element.start, -element.end, isinstance(element, TaggedPhrase)


def without_crossings(
    phrases: Iterable[TaggedPhrase], answers: Iterable[AnswerSentence]
) -> tuple[list[TaggedPhrase], list[TaggedPhrase]]:
    """The noun phrases that tags can hold, and those that are empty or cross something."""
    tagged_phrases: list[TaggedPhrase] = []
    dropped: list[TaggedPhrase] = []
    sentences = list(answers)
    around: list[TaggedPhrase] = []
    for phrase in sorted(phrases, key=outermost_first):
        while around and around[-1].end <= phrase.start:
            around.pop()
        crosses = around and phrase.end > around[-1].end
        if (
            phrase.start >= phrase.end
            or crosses
            or any(_cross(phrase, other) for other in sentences)
        ):
            dropped.append(phrase)
        else:
            tagged_phrases.append(phrase)
            around.append(phrase)
    return tagged_phrases, dropped


def _cross(first: TaggedPhrase, second: AnswerSentence) -> bool:
    return first.start < second.start < first.end < second.end or (
        second.start < first.start < second.end < first.end
    )


# Between annotated texts and layers: np and ne on the paper, mention under the key, token.


SOURCE = "brcc"
"""Who made the layers that were read from the notation."""

WRITABLE_COLUMNS: Mapping[str, frozenset[str]] = {
    "np": frozenset(),
    "ne": frozenset({"type"}),
    "mention": frozenset({"id", "ref"}),
    "token": frozenset(),
}
"""The layers that the notation holds, with their columns."""


def paper_layers(annotated: AnnotatedText, *, segmented: bool) -> Layers:
    """What candidates may see: np, ne, and the words of a text whose words are marked."""
    layers: Layers = {}
    if segmented and annotated.words:
        layers["token"] = Layer(spans=annotated.words, source=SOURCE)
    if annotated.phrases:
        layers["np"] = Layer(spans=_spans(annotated.phrases), source=SOURCE)
    entities = [phrase for phrase in annotated.phrases if phrase.entity is not None]
    if entities:
        types = tuple(entity.entity for entity in entities)
        layers["ne"] = Layer(spans=_spans(entities), source=SOURCE, columns={"type": types})
    return layers


def key_layers(annotated: AnnotatedText) -> Layers:
    """What candidates may not see: who refers to whom."""
    tagged_phrases = [
        phrase for phrase in annotated.phrases if phrase.id is not None or phrase.ref is not None
    ]
    if not tagged_phrases:
        return {}
    columns = {
        "id": tuple(tagged_phrase.id for tagged_phrase in tagged_phrases),
        "ref": tuple(tagged_phrase.ref for tagged_phrase in tagged_phrases),
    }
    return {"mention": Layer(spans=_spans(tagged_phrases), source=SOURCE, columns=columns)}


def _spans(phrases: Any) -> tuple[Offsets, ...]:
    return tuple((phrase.start, phrase.end) for phrase in phrases)


@dataclass(slots=True)
class Taken:
    """Layers as an annotated text, and what it cannot hold, in words."""

    annotated: AnnotatedText
    segmented: bool
    lost: list[str] = field(default_factory=list)


def annotated_from(
    text: str, layers: Layers, answers: tuple[AnswerSentence, ...] = (), *, language: str
) -> Taken:
    """The text with what the notation holds of its layers (the key's among them)."""
    lost: list[str] = list(_unheld(layers, language))
    answer_sentences, dropped = _distinct(answers, len(text))
    if dropped:
        lost.append("answer sentences that are empty or overlap another of their question")
    phrases = _phrases(text, layers, lost)
    whole, crossing = without_crossings(phrases, answer_sentences)
    if crossing:
        lost.append("noun phrases that are empty or cross another or an answer sentence")
    edges: frozenset[int] = frozenset()
    segmented = language == "zh" and "token" in layers
    if segmented:
        spans = layers["token"].spans
        edges = frozenset(edge for span in spans for edge in span if 0 < edge < len(text))
    annotated = AnnotatedText(text, tuple(whole), tuple(answer_sentences), edges)
    return Taken(annotated, segmented, lost)


def _unheld(layers: Layers, language: str) -> Iterator[str]:
    for name, layer in layers.items():
        if name not in WRITABLE_COLUMNS or (name == "token" and language != "zh"):
            yield f"layers {name}"
            continue
        for column in layer.columns:
            if column not in WRITABLE_COLUMNS[name]:
                yield f"columns {column} of layers {name}"
        if layer.source not in ("", SOURCE):
            yield f"who made the layers {name}"


def _phrases(text: str, layers: Layers, lost: list[str]) -> list[TaggedPhrase]:
    """Every noun phrase with what ne and mention say of its span."""
    entities = _by_span(layers.get("ne"), ("type",))
    mentions = _by_span(layers.get("mention"), ("id", "ref"))
    tagged_phrases = []
    np = layers.get("np")
    for start, end in np.spans if np is not None else ():
        if not 0 <= start <= end <= len(text):
            lost.append("noun phrases outside their text")
            continue
        [entity] = entities.pop((start, end), (None,))
        id, ref = mentions.pop((start, end), (None, None))
        if not isinstance(entity, str | None):
            lost.append("entity types that are no text")
            entity = None
        if not (_is_number(id) and _is_number(ref)):
            lost.append("numbers of mentions that are no whole numbers from 0")
            id, ref = (one if _is_number(one) else None for one in (id, ref))
        tagged_phrases.append(TaggedPhrase(start, end, entity, id, ref))
    if entities:
        lost.append("entities that are no noun phrases")
    if mentions:
        lost.append("mentions that are no noun phrases")
    return tagged_phrases


def _by_span(layer: Layer | None, names: tuple[str, ...]) -> dict[Offsets, tuple[Any, ...]]:
    if layer is None:
        return {}
    return {
        span: tuple(_cell(layer, name, index) for name in names)
        for index, span in enumerate(layer.spans)
    }


def _cell(layer: Layer, name: str, at: int) -> Any:
    column = layer.columns.get(name, ())
    return column[at] if at < len(column) else None


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def _distinct(
    answers: tuple[AnswerSentence, ...], length: int
) -> tuple[list[AnswerSentence], list[AnswerSentence]]:
    """Answer sentences that the notation holds: of one question none overlaps another."""
    answer_sentences: list[AnswerSentence] = []
    dropped: list[AnswerSentence] = []
    ends: dict[int, int] = {}
    for answer in sorted(
        set(answers), key=lambda answer: (answer.start, answer.end, answer.number)
    ):
        if (
            0
            <= max(answer.start, ends.get(answer.number, 0))
            <= answer.start
            < answer.end
            <= length
        ):
            answer_sentences.append(answer)
            ends[answer.number] = answer.end
        else:
            dropped.append(answer)
    return answer_sentences, dropped
