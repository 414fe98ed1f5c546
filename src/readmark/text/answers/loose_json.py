"""JSON as models write it: curly or single quotes, bare words, commas too many, ends cut off.

Every JSON object is read as such; what is no object is passed over. A text is read once, from its
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
_AFTER = re.compile(r"\s*(?:[,:}\]，：]|$)")
_BARE_NAME = re.compile(r"[^\W\d][\w \-]{0,40}")
_BARE = re.compile(r"[^,}\]\n]*")
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」"}
_STOP = {begun: re.compile(rf"[\\{ended}]") for begun, ended in _CLOSING.items()}
_NAME = {
    begun: re.compile(rf"{begun}((?:[^\\{ended}]|\\.){{0,200}}){ended}")
    for begun, ended in _CLOSING.items()
}
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
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


def with_commands(text: str) -> str:
    r"""JSON in which ``\boxed{`` begins no backspace: commands of LaTeX have two backslashes."""
    return _COMMAND.sub(r"\1\\\\", text) if "\\" in text else text


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
    at = text.find("{") if is_readable(text) else -1
    while at >= 0:
        reader = _Reader(text)
        members = reader.object(at + 1, 0)
        if members:
            yield LooseObject(members, at, reader.at, tuple(reader.unfinished))
        at = text.find("{", max(reader.at, at + 1))


class _Reader:
    """One object and all that is in it; ``at`` is how far the text has been read."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.cut = text, 0, False
        self.unfinished: list[str] = []

    def object(self, at: int, depth: int) -> dict[str, Any]:
        """The members up to the closing brace, or as far as they can be made out."""
        members: dict[str, Any] = {}
        self.at = at
        while not self.cut:
            self._skip(_COMMAS)
            if not self._ended() and self.text[self.at] == "}":
                self.at += 1
                return members
            name = None if self._ended() else self._name()
            if name is None or not self._skip(_COLON):
                break
            known, value = self._value(depth)
            if not known and not self._ended():
                break
            members[name] = value if known else ""
            if self.cut or not known:
                self.cut = True
                self.unfinished.insert(0, name)
        self.cut = True
        return members

    def _value(self, depth: int) -> tuple[bool, Any]:
        self._skip(_SPACE)
        if self._ended() or depth > _DEEPEST:
            return False, None
        sign = self.text[self.at]
        if sign in _CLOSING:
            return True, self._string(sign)
        if sign == "{":
            return True, self.object(self.at + 1, depth + 1)
        if sign == "[":
            return True, self._list(depth + 1)
        bare = _BARE.match(self.text, self.at)
        words = bare[0].strip() if bare else ""
        self.at = bare.end() if bare else self.at
        self.cut = self._ended()
        return bool(words), _LITERALS.get(words, words)

    def _list(self, depth: int) -> list[Any]:
        values: list[Any] = []
        self.at += 1
        while not self.cut:
            self._skip(_COMMAS)
            if not self._ended() and self.text[self.at] == "]":
                self.at += 1
                return values
            known, value = self._value(depth)
            if not known:
                break
            values.append(value)
        self.cut = True
        return values

    def _name(self) -> str | None:
        quote = self.text[self.at]
        if quote in _CLOSING:
            named = _NAME[quote].match(self.text, self.at)
            if named is None:  # a string without an end would take in all that follows
                return None
            name = self._string(quote) if "\\" in named[1] else named[1]
            self.at = named.end()
            return name.strip()
        bare = _BARE_NAME.match(self.text, self.at)
        if bare is None:
            return None
        self.at = bare.end()
        return bare[0].strip()

    def _string(self, opening: str) -> str:
        """A string; a quotation mark inside it that nobody escaped does not end it."""
        stop, pieces, begun = _STOP[opening], [], self.at + 1
        at = begun
        while (mark := stop.search(self.text, at)) is not None:
            at = mark.start()
            if mark[0] == "\\":
                pieces.append(self.text[begun:at])
                said, at = _escaped(self.text, at)
                pieces.append(said)
                begun = at
            elif _AFTER.match(self.text, at + 1):
                self.at = at + 1
                return "".join((*pieces, self.text[begun:at]))
            else:
                at += 1
        self.at, self.cut = len(self.text), True
        return "".join((*pieces, self.text[begun:]))

    def _skip(self, signs: re.Pattern[str]) -> bool:
        match = signs.match(self.text, self.at)
        if match is None:
            return False
        self.at = match.end()
        return True

    def _ended(self) -> bool:
        return self.at >= len(self.text)


def _escaped(text: str, at: int) -> tuple[str, int]:
    """What a backslash and the signs after it mean, and where they end."""
    sign = text[at + 1 : at + 2]
    if _COMMAND.match(text, at):
        return "\\", at + 1
    if sign != "u":
        unknown = f"\\{sign}" if sign.isalpha() else sign  # \pi is no escape of JSON
        return _MEANT.get(sign, unknown), at + 1 + len(sign)
    first = _code(text, at)
    if first is None:
        return sign, at + 2
    second = _code(text, at + 6) if 0xD800 <= first < 0xDC00 else None
    if second is not None and 0xDC00 <= second < 0xE000:
        return chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00), at + 12
    return chr(first), at + 6


def _code(text: str, at: int) -> int | None:
    digits = text[at + 2 : at + 6]
    if text[at : at + 2] != "\\u" or len(digits) < 4:
        return None
    try:
        return int(digits, 16)
    except ValueError:
        return None
