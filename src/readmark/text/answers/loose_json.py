"""JSON as models write it: curly or single quotes, bare words, commas too many, ends cut off.

Every JSON object is read as such; anything else is passed over. A text is read once, from its
beginning to its end, however it is broken. One that is too long, or that opens too many objects, is
not read at all: no model means it as an answer.

No library does this (benchmarks/libraries.md): none gives every object among other words with its
place and the member that was cut off, which decides whether an answer is whole, and numbers must
stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

LONGEST = 1 << 20
"""Characters of a text in which objects are looked for."""
MOST_OPENED = 10_000
"""Braces that may open an object in it."""
_DEEPEST = 40
_SPACE = re.compile(r"\s*")
_COMMAS = re.compile(r"[\s,，]*")
_COLON = re.compile(r"\s*[:：]")
_AFTER_STRING = re.compile(r"\s*(?:[,:}\]，：]|$)")
_BARE_NAME = re.compile(r"[^\W\d][\w \-]{0,40}")
_BARE_VALUE = re.compile(r"[^,}\]\n]*")
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」"}
_STOP = {opening: re.compile(rf"[\\{closing}]") for opening, closing in _CLOSING.items()}
_NAME = {
    opening: re.compile(rf"{opening}((?:[^\\{closing}]|\\.){{0,200}}){closing}")
    for opening, closing in _CLOSING.items()
}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_COMMAND = re.compile(
    r"(?<!\\)((?:\\\\)*)\\(?=(?:boxed|fbox|[dt]?frac|binom|bar|text[a-z]*)\{|(?:beta|theta|times)\b)"
)
"""The one backslash of a LaTeX command that a model did not double."""
_LITERALS: dict[str, Any] = {
    "null": None,
    "None": None,
    "true": True,
    "True": True,
    "false": False,
    "False": False,
}


@dataclass(frozen=True, slots=True)
class LooseObject:
    """An object among other words, where it occurs, and whether its end was there."""

    members: dict[str, Any]
    start: int
    end: int
    unfinished: tuple[str, ...] = ()
    """The names that lead to the member that was being written when the text ended."""


def is_readable(text: str) -> bool:
    """Whether a text is short and plain enough to look for objects in it."""
    return len(text) <= LONGEST and text.count("{") <= MOST_OPENED


def loose_objects(text: str) -> Iterator[LooseObject]:
    """The objects of a text in their order; numbers are kept as they are written."""
    start = text.find("{") if is_readable(text) else -1
    while start >= 0:
        reader = _Reader(text)
        members = reader.object(start + 1, depth=0)
        if members:
            yield LooseObject(members, start, reader.position, tuple(reader.unfinished))
        start = text.find("{", max(reader.position, start + 1))


def with_commands(text: str) -> str:
    r"""JSON in which ``\boxed{`` begins no backspace: commands of LaTeX have two backslashes."""
    return _COMMAND.sub(r"\1\\\\", text) if "\\" in text else text


class _Reader:
    """Reads one object and all that is in it.

    ``position`` is how far the text has been read, and ``is_cut`` whether it ended too early.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.is_cut = False
        self.unfinished: list[str] = []

    def object(self, start: int, depth: int) -> dict[str, Any]:
        """The members up to the closing brace, or as far as they can be made out."""
        members: dict[str, Any] = {}
        self.position = start
        while not self.is_cut:
            self._skip(_COMMAS)
            if not self._at_end() and self.text[self.position] == "}":
                self.position += 1
                return members
            name = None if self._at_end() else self._name()
            if name is None or not self._skip(_COLON):
                break
            has_value, value = self._value(depth)
            if not has_value and not self._at_end():
                break
            members[name] = value if has_value else ""
            if self.is_cut or not has_value:
                self.is_cut = True
                self.unfinished.insert(0, name)
        self.is_cut = True
        return members

    def _value(self, depth: int) -> tuple[bool, Any]:
        """Whether there is a value, and the value."""
        self._skip(_SPACE)
        if self._at_end() or depth > _DEEPEST:
            return False, None
        first = self.text[self.position]
        if first in _CLOSING:
            return True, self._string(first)
        if first == "{":
            return True, self.object(self.position + 1, depth + 1)
        if first == "[":
            return True, self._list(depth + 1)
        bare = _BARE_VALUE.match(self.text, self.position)
        words = bare[0].strip() if bare else ""
        self.position = bare.end() if bare else self.position
        self.is_cut = self._at_end()
        return bool(words), _LITERALS.get(words, words)

    def _list(self, depth: int) -> list[Any]:
        values: list[Any] = []
        self.position += 1
        while not self.is_cut:
            self._skip(_COMMAS)
            if not self._at_end() and self.text[self.position] == "]":
                self.position += 1
                return values
            has_value, value = self._value(depth)
            if not has_value:
                break
            values.append(value)
        self.is_cut = True
        return values

    def _name(self) -> str | None:
        quote = self.text[self.position]
        if quote in _CLOSING:
            quoted = _NAME[quote].match(self.text, self.position)
            if quoted is None:  # a string without an end would take in all that follows
                return None
            name = self._string(quote) if "\\" in quoted[1] else quoted[1]
            self.position = quoted.end()
            return name.strip()
        bare = _BARE_NAME.match(self.text, self.position)
        if bare is None:
            return None
        self.position = bare.end()
        return bare[0].strip()

    def _string(self, opening: str) -> str:
        """A string; a quotation mark inside it that nobody escaped does not end it."""
        stop, pieces, start = _STOP[opening], [], self.position + 1
        place = start
        while (mark := stop.search(self.text, place)) is not None:
            place = mark.start()
            if mark[0] == "\\":
                pieces.append(self.text[start:place])
                characters, place = _unescaped(self.text, place)
                pieces.append(characters)
                start = place
            elif _AFTER_STRING.match(self.text, place + 1):
                self.position = place + 1
                return "".join((*pieces, self.text[start:place]))
            else:
                place += 1
        self.position, self.is_cut = len(self.text), True
        return "".join((*pieces, self.text[start:]))

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self.text, self.position)
        if match is None:
            return False
        self.position = match.end()
        return True

    def _at_end(self) -> bool:
        return self.position >= len(self.text)


def _unescaped(text: str, place: int) -> tuple[str, int]:
    """What a backslash and the characters after it mean, and where they end."""
    if _COMMAND.match(text, place):
        return "\\", place + 1
    letter = text[place + 1 : place + 2]
    if letter != "u":
        unknown = f"\\{letter}" if letter.isalpha() else letter  # \pi is no escape of JSON
        return _ESCAPES.get(letter, unknown), place + 1 + len(letter)
    first = _hexadecimal(text, place)
    if first is None:
        return letter, place + 2
    # JSON writes characters beyond the basic plane as a pair of surrogates.
    second = _hexadecimal(text, place + 6) if 0xD800 <= first < 0xDC00 else None
    if second is not None and 0xDC00 <= second < 0xE000:
        return chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00), place + 12
    return chr(first), place + 6


def _hexadecimal(text: str, place: int) -> int | None:
    r"""The code of ``\uXXXX`` at a place."""
    digits = text[place + 2 : place + 6]
    if text[place : place + 2] != "\\u" or len(digits) < 4:
        return None
    try:
        return int(digits, 16)
    except ValueError:
        return None
