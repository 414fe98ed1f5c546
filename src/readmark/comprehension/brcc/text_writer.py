"""Writing annotated text so that reading gives it back: tags or brackets, spaces, references."""

from __future__ import annotations

import string
from collections import defaultdict
from collections.abc import Collection

from readmark.comprehension.brcc.annotated_text import (
    AnnotatedText,
    AnswerSentence,
    TaggedPhrase,
    outermost_first,
)
from readmark.comprehension.brcc.character_references import (
    is_reference,
    reference_to,
    write_plainly,
)
from readmark.comprehension.brcc.spacing import (
    SPACE,
    ends_a_paragraph,
    is_mark,
    is_text_space,
    separates,
)

_UNQUOTED = frozenset(string.ascii_letters + string.digits + "_-")
"""Characters of an attribute that needs no quotes."""
_SPECIAL_IN_QUOTES = ('"', "<", ">")


class TextWriter:
    """One writing of a text; characters that are ``special`` here become references."""

    def __init__(
        self, annotated: AnnotatedText, language: str, brackets: bool, passage: bool, special: str
    ) -> None:
        self._text = annotated.text
        self._language = language
        self._passage = passage
        self._special = frozenset(special)
        self._starts: dict[int, list[str]] = defaultdict(list)
        """The tags that begin before each character."""
        self._ends: dict[int, list[str]] = defaultdict(list)
        self._inside_phrases: set[int] = set()
        elements: list[TaggedPhrase | AnswerSentence] = [*annotated.answers, *annotated.phrases]
        for element in sorted(elements, key=outermost_first):
            start_tag, end_tag = _tags(element, brackets)
            self._starts[element.start].append(start_tag)
            self._ends[element.end].insert(0, end_tag)
            if isinstance(element, TaggedPhrase):
                self._inside_phrases.update(range(element.start + 1, element.end))

    def write(self, edges: Collection[int]) -> str:
        """The text with its tags; at ``edges`` Chinese words end."""
        pieces: list[str] = []
        for index in range(len(self._text)):
            pieces += [self._padded(tag, index) for tag in self._ends.get(index, ())]
            if index in edges and self._needs_a_space(index):
                pieces.append(" ")
            pieces += [self._padded(tag, index) for tag in self._starts.get(index, ())]
            pieces.append(self._sign(index))
        end = len(self._text)
        pieces += [self._padded(tag, end) for tag in self._ends.get(end, ())]
        return "".join(pieces)

    def _padded(self, tag: str, index: int) -> str:
        """A bracket with the chunker's space, unless that would be read as the text's own."""
        if tag not in ("[", "]"):
            return tag
        neighbour = index - 1 if tag == "[" else index
        if 0 < index < len(self._text):
            if self._text[neighbour] in SPACE:
                can_be_padded = self._space(neighbour).isspace()
            else:
                before, after = self._text[index - 1], self._text[index]
                can_be_padded = not is_text_space(before, after, self._language, next_to_tag=True)
            if not can_be_padded:
                return tag
        return "[ " if tag == "[" else " ]"

    def _needs_a_space(self, index: int) -> bool:
        """Whether the edge of a word must be shown; punctuation shows it already."""
        before, after = self._text[index - 1], self._text[index]
        if before.isspace() or after.isspace() or not separates(before, after, self._language):
            return False
        marks = is_mark(self._text, index - 1), is_mark(self._text, index)
        return not any(marks) or (all(marks) and before == after)

    def _sign(self, index: int) -> str:
        sign = self._text[index]
        if sign in SPACE:
            return self._space(index)
        if is_reference(self._text, index):
            return "&amp;"
        return reference_to(sign) if sign == "<" or sign in self._special else sign

    def _space(self, index: int) -> str:
        """White space: plain if reading leaves it as it is, else a reference."""
        sign = self._text[index]
        is_first_or_last = self._starts.get(index) or self._ends.get(index + 1)
        is_alone = (
            0 < index < len(self._text) - 1
            and self._text[index - 1] not in SPACE
            and self._text[index + 1] not in SPACE
        )
        if is_first_or_last or not is_alone:
            return reference_to(sign)
        before, after = self._text[index - 1], self._text[index + 1]
        if sign == " ":
            tagged = bool(self._ends.get(index) or self._starts.get(index + 1))
            if is_text_space(before, after, self._language, next_to_tag=tagged):
                return " "
        is_paragraph = sign == "\n" and self._passage and index not in self._inside_phrases
        if is_paragraph and ends_a_paragraph(before):
            return "\n\n"
        return reference_to(sign)


def _tags(element: TaggedPhrase | AnswerSentence, brackets: bool) -> tuple[str, str]:
    if isinstance(element, AnswerSentence):
        return f"<ANSQ{element.number}>", f"</ANSQ{element.number}>"
    if brackets:
        return "[", "]"
    attributes = ""
    if element.entity is not None:
        attributes += f" NE={_attribute(element.entity)}"
    if element.id is not None:
        attributes += f" REFID={element.id}"
    if element.ref is not None:
        attributes += f" REF={element.ref}"
    return f"<NP{attributes}>", "</NP>"


def _attribute(value: str) -> str:
    if value and _UNQUOTED.issuperset(value):
        return value
    return f'"{write_plainly(value, special=_SPECIAL_IN_QUOTES)}"'
