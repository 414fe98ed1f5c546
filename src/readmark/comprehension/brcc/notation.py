"""BRCC's inline notation: noun phrases, entities, references and answer sentences in a text.

The notation of "Design and Development of a Bilingual Reading Comprehension Corpus", sections
4.2 to 4.6: ``<NP NE=PERSON REFID=7>``, ``<ANSQ2>…</ANSQ2>``, spaces between Chinese words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from readmark.core.records import Offsets

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


def is_kept(before: str, after: str, language: str, *, beside_tag: bool) -> bool:
    """Whether white space between two characters is a space of the text."""
    if separates(before, after, language):
        return False
    return not (beside_tag and (after in _CLOSING or before in _OPENING))


def ends_a_paragraph(before: str) -> bool:
    """Whether a blank line after this character ends a paragraph; any other is typesetting."""
    return before in _ENDS


def words(text: str, edges: frozenset[int]) -> tuple[Offsets, ...]:
    """The words of a text that end at these edges, at white space and at punctuation."""
    return tuple(_words(text, edges))


def _words(text: str, edges: frozenset[int]) -> Iterator[Offsets]:
    start = 0
    mark = ""
    for at, sign in enumerate(text):
        now = sign if is_mark(text, at) else ""
        if sign.isspace() or at in edges or now != mark:  # a run of one mark, such as ……, is one
            if start < at:
                yield start, at
            start = at + 1 if sign.isspace() else at
        mark = now
    if start < len(text):
        yield start, len(text)


def is_mark(text: str, at: int) -> bool:
    """Whether punctuation stands there that is no part of a word, as in 3.3% or 托马斯‧爱迪生."""
    sign = text[at]
    if sign.isalnum() or sign in _WITHIN_NAMES or unicodedata.category(sign)[0] != "P":
        return False
    return not (
        sign in _WITHIN_LATIN
        and 0 < at < len(text) - 1
        and all(one.isalnum() and not _CHINESE.match(one) for one in (text[at - 1], text[at + 1]))
    )


@dataclass(frozen=True, slots=True)
class NounPhrase:
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


Element = NounPhrase | AnswerSentence


@dataclass(frozen=True)
class Annotated:
    """A text without its tags, and what the tags said."""

    text: str
    phrases: tuple[NounPhrase, ...] = ()
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

    at: int
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


def is_reference(text: str, at: int) -> bool:
    """Whether what stands there would be read as a reference."""
    return text[at] == "&" and _REFERENCE.match(text, at) is not None


def read_plainly(written: str) -> str:
    """A text without tags, such as a title, as it is meant."""
    return _REFERENCE.sub(lambda found: meant(found[0]), written)


def write_plainly(text: str, *, special: Iterable[str] = ()) -> str:
    """A text without tags on one line, so that stripping and splitting leave it whole."""
    reserved = {*special, *"\n\r\t\f\v"}
    last = len(text) - 1
    return "".join(
        "&amp;"
        if is_reference(text, at)
        else reference(sign)
        if sign in reserved or (sign == " " and at in (0, last))
        else sign
        for at, sign in enumerate(text)
    )
