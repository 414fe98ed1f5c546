"""Writing annotated text so that reading gives it back: tags or brackets, spaces, references."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from readmark.corpus.notation import Annotated, AnswerSentence, Element, NounPhrase
from readmark.corpus.notation.signs import is_reference, reference, write_plainly
from readmark.corpus.notation.spacing import (
    SPACE,
    ends_a_paragraph,
    is_kept,
    is_mark,
    separates,
)

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def write(
    annotated: Annotated,
    *,
    language: str,
    brackets: bool = False,
    passage: bool = False,
    spaced: bool = False,
    special: str = "",
) -> str:
    """The canonical spelling; with ``spaced`` the edges of words are marked by spaces.

    ``special`` names further characters that mean something where the text is to stand.
    """
    if brackets:
        special += "[]"
    edges = annotated.edges if spaced else frozenset()
    return _Writer(annotated, language, brackets, passage, special).write(edges)


class _Writer:
    """One writing of a text: which elements begin and end before each character."""

    def __init__(
        self, annotated: Annotated, language: str, brackets: bool, passage: bool, special: str
    ) -> None:
        self.text = annotated.text
        self.language = language
        self.passage = passage
        self.special = frozenset(special)
        self.begins: dict[int, list[str]] = defaultdict(list)
        self.ends: dict[int, list[str]] = defaultdict(list)
        self.inside: set[int] = set()
        # Long elements stand around short ones, answer sentences around noun phrases.
        elements: list[Element] = [*annotated.answers, *annotated.phrases]
        for one in sorted(elements, key=_outermost_first):
            begin, end = _tags(one, brackets)
            self.begins[one.start].append(begin)
            self.ends[one.end].insert(0, end)
            if isinstance(one, NounPhrase):
                self.inside.update(range(one.start + 1, one.end))

    def write(self, edges: Collection[int]) -> str:
        """The text with its tags; at ``edges`` Chinese words end."""
        out: list[str] = []
        for at in range(len(self.text)):
            out += [self._padded(tag, at) for tag in self.ends.get(at, ())]
            if at in edges and self._needs_a_space(at):
                out.append(" ")
            out += [self._padded(tag, at) for tag in self.begins.get(at, ())]
            out.append(self._sign(at))
        out += [self._padded(tag, len(self.text)) for tag in self.ends.get(len(self.text), ())]
        return "".join(out)

    def _padded(self, tag: str, at: int) -> str:
        """A bracket with the chunker's space, unless that would be read as the text's own."""
        if tag not in ("[", "]"):
            return tag
        beside = at - 1 if tag == "[" else at
        if 0 < at < len(self.text):
            if self.text[beside] in SPACE:
                pads = self._space(beside).isspace()
            else:
                before, after = self.text[at - 1], self.text[at]
                pads = not is_kept(before, after, self.language, beside_tag=True)
            if not pads:
                return tag
        return "[ " if tag == "[" else " ]"

    def _needs_a_space(self, at: int) -> bool:
        """Whether the edge of a word must be shown; punctuation shows it already."""
        before, after = self.text[at - 1], self.text[at]
        if before.isspace() or after.isspace() or not separates(before, after, self.language):
            return False
        marks = is_mark(self.text, at - 1), is_mark(self.text, at)
        return not any(marks) or (all(marks) and before == after)

    def _sign(self, at: int) -> str:
        sign = self.text[at]
        if sign in SPACE:
            return self._space(at)
        if is_reference(self.text, at):
            return "&amp;"
        return reference(sign) if sign == "<" or sign in self.special else sign

    def _space(self, at: int) -> str:
        """White space: plain where reading leaves it as it is, else a reference."""
        sign = self.text[at]
        if self.begins.get(at) or self.ends.get(at + 1):
            return reference(sign)  # an element's own first or last character
        tagged = bool(self.ends.get(at) or self.begins.get(at + 1))
        if sign == " " and self._is_plain_space(at, beside_tag=tagged):
            return " "
        if sign == "\n" and self._is_alone(at) and self.passage and at not in self.inside:
            return "\n\n" if ends_a_paragraph(self.text[at - 1]) else reference(sign)
        return reference(sign)

    def _is_plain_space(self, at: int, *, beside_tag: bool) -> bool:
        if self.text[at] != " " or not self._is_alone(at):
            return False
        before, after = self.text[at - 1], self.text[at + 1]
        return is_kept(before, after, self.language, beside_tag=beside_tag)

    def _is_alone(self, at: int) -> bool:
        """Whether characters that are no white space stand on both sides."""
        return (
            0 < at < len(self.text) - 1
            and self.text[at - 1] not in SPACE
            and self.text[at + 1] not in SPACE
        )


def start_tag(phrase: NounPhrase) -> str:
    """The tag that a noun phrase begins with."""
    said = [f"NE={_value(phrase.entity)}"] if phrase.entity is not None else []
    said += [f"REFID={phrase.id}"] if phrase.id is not None else []
    said += [f"REF={phrase.ref}"] if phrase.ref is not None else []
    return f"<{' '.join(['NP', *said])}>"


def _value(entity: str) -> str:
    if entity and _BARE.issuperset(entity):
        return entity
    return f'"{write_plainly(entity, special=_ATTRIBUTE_SIGNS)}"'


_ATTRIBUTE_SIGNS = ('"', "<", ">")


def _tags(one: Element, brackets: bool) -> tuple[str, str]:
    if isinstance(one, AnswerSentence):
        return f"<ANSQ{one.number}>", f"</ANSQ{one.number}>"
    return ("[", "]") if brackets else (start_tag(one), "</NP>")


def _outermost_first(one: Element) -> tuple[int, int, bool]:
    return one.start, -one.end, isinstance(one, NounPhrase)


def without_crossings(
    phrases: Iterable[NounPhrase], answers: Iterable[AnswerSentence]
) -> tuple[list[NounPhrase], list[NounPhrase]]:
    """The noun phrases that tags can hold, and those that are empty or cross something."""
    held: list[NounPhrase] = []
    dropped: list[NounPhrase] = []
    sentences = list(answers)
    around: list[NounPhrase] = []
    for one in sorted(phrases, key=_outermost_first):
        while around and around[-1].end <= one.start:
            around.pop()
        crosses = around and one.end > around[-1].end
        if one.start >= one.end or crosses or any(_cross(one, other) for other in sentences):
            dropped.append(one)
        else:
            held.append(one)
            around.append(one)
    return held, dropped


def _cross(one: NounPhrase, other: AnswerSentence) -> bool:
    return one.start < other.start < one.end < other.end or (
        other.start < one.start < other.end < one.end
    )
