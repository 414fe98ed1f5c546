"""Text with inline tags, as MITRE's annotated editions have them: the text without, and the spans.

Elements may cross; a tag that is never closed, or closed but never opened, is told with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TAG = re.compile(
    r"<\s*+(/?)\s*+([A-Za-z][A-Za-z0-9_-]*+)"
    r"((?:\s++[\w-]++\s*+=\s*+(?:\"[^\"<>]*+\"|[^\s<>\"]++))*+)\s*+/?>"
)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|(\S+))")


@dataclass(frozen=True, slots=True)
class Element:
    """A tagged stretch: offsets into the text without tags."""

    name: str
    start: int
    end: int
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Untagged:
    """A text without its tags, its elements by start, and the tags that have no partner."""

    text: str
    elements: tuple[Element, ...]
    unpaired: tuple[tuple[int, str], ...]
    """The line of each, and the tag."""

    def within(self, start: int, end: int) -> Iterator[Element]:
        """The elements that stand in a stretch, with offsets from its start."""
        for one in self.elements:
            if start <= one.start and one.end <= end:
                yield Element(one.name, one.start - start, one.end - start, one.attributes)


def untagged(source: str) -> Untagged:
    """Take the tags out; an end tag closes the last start tag of its name that is open."""
    pieces: list[str] = []
    length = at = 0
    waiting: dict[str, list[tuple[int, int, dict[str, str], str]]] = {}
    found: list[Element] = []
    unpaired: list[tuple[int, str]] = []
    for tag in TAG.finditer(source):
        pieces.append(source[at : tag.start()])
        length += len(pieces[-1])
        at = tag.end()
        name = tag[2].upper()
        open_ones = waiting.setdefault(name, [])
        if not tag[1]:
            open_ones.append((length, tag.start(), _attributes(tag[3]), tag[0]))
        elif open_ones:
            start, _, attributes, _ = open_ones.pop()
            found.append(Element(name, start, length, attributes))
        else:
            unpaired.append((_line(source, tag.start()), tag[0]))
    pieces.append(source[at:])
    for open_ones in waiting.values():
        unpaired += [(_line(source, place), said) for _, place, _, said in open_ones]
    text = "".join(pieces)
    kept = [one for one in (_trimmed(text, one) for one in found) if one.end > one.start]
    kept.sort(key=lambda one: (one.start, -one.end))
    return Untagged(text, tuple(kept), tuple(sorted(unpaired)))


def _trimmed(text: str, one: Element) -> Element:
    """An element without the white space that only pads its tags."""
    inside = text[one.start : one.end]
    start = one.start + len(inside) - len(inside.lstrip())
    return Element(one.name, start, start + len(inside.strip()), one.attributes)


def _attributes(written: str) -> dict[str, str]:
    return {
        one[1].upper(): one[2] if one[2] is not None else one[3]
        for one in _ATTRIBUTE.finditer(written)
    }


def _line(source: str, at: int) -> int:
    return source.count("\n", 0, at) + 1
