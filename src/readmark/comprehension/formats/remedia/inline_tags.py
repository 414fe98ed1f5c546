"""Text with inline tags, as MITRE's annotated editions have it: the text without, and the spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from readmark.comprehension.formats.remedia.sheets import line_of, trimmed

# Possessive throughout: a page of spaces must not take minutes.
TAG = re.compile(
    r"<\s*+(/?)\s*+([A-Za-z][A-Za-z0-9_-]*+)"
    r"((?:\s++[\w-]++\s*+=\s*+(?:\"[^\"<>]*+\"|[^\s<>\"]++))*+)\s*+/?>"
)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|(\S+))")


@dataclass(frozen=True, slots=True)
class TaggedStretch:
    """A tagged stretch: offsets into the text without tags."""

    name: str
    start: int
    end: int
    attributes: dict[str, str]


@dataclass(frozen=True, slots=True)
class UntaggedText:
    """A text without its tags, its tagged stretches by start, and the tags without a partner."""

    text: str
    stretches: tuple[TaggedStretch, ...]
    unpaired: tuple[tuple[int, str], ...]
    """The line of each, and the tag."""

    def within(self, start: int, end: int) -> Iterator[TaggedStretch]:
        """The tagged stretches inside another stretch, with offsets from its start."""
        for tagged in self.stretches:
            if start <= tagged.start and tagged.end <= end:
                yield TaggedStretch(
                    tagged.name, tagged.start - start, tagged.end - start, tagged.attributes
                )


def untagged(source: str) -> UntaggedText:
    """Take the tags out; an end tag closes the last start tag of its name that is open."""
    pieces: list[str] = []
    length = source_place = 0
    open_tags: dict[str, list[tuple[int, re.Match[str]]]] = {}
    pairs: list[tuple[str, int, int, dict[str, str]]] = []
    unpaired: list[tuple[int, str]] = []
    for tag in TAG.finditer(source):
        pieces.append(source[source_place : tag.start()])
        length += len(pieces[-1])
        source_place = tag.end()
        name = tag[2].upper()
        opened = open_tags.setdefault(name, [])
        if not tag[1]:
            opened.append((length, tag))
        elif opened:
            start, start_tag = opened.pop()
            pairs.append((name, start, length, _attributes(start_tag[3])))
        else:
            unpaired.append((line_of(source, tag.start()), tag[0]))
    pieces.append(source[source_place:])
    for opened in open_tags.values():
        unpaired += [(line_of(source, tag.start()), tag[0]) for _, tag in opened]
    text = "".join(pieces)
    stretches = []
    for name, start, end, attributes in pairs:
        start, end = trimmed(text, start, end)  # white space that only pads a tag
        if start < end:
            stretches.append(TaggedStretch(name, start, end, attributes))
    stretches.sort(key=lambda tagged: (tagged.start, -tagged.end))
    return UntaggedText(text, tuple(stretches), tuple(sorted(unpaired)))


def _attributes(written: str) -> dict[str, str]:
    return {
        match[1].upper(): match[2] if match[2] is not None else match[3]
        for match in _ATTRIBUTE.finditer(written)
    }
